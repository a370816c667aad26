//! A strip: up to 64 work-items that run together, each at its own unit.

use crate::launch::{Argument, Launch};

use super::{
    index_space::IndexSpace,
    lanes::{LANES, Register, Registers, lanes_of},
    memory::Regions,
    program::{Bank, Constant, Program, Slot},
};

/// Work-items that run together.
pub(super) struct Strip {
    pub registers: Registers,
    /// Private memory: word by word, the lanes' side by side.
    pub private: Vec<Register<u32>>,
    /// Position of the first work-item among all, groups one after the other.
    pub first_item: u64,
    /// Lanes that have not ended.
    pub live: u64,
    /// Lanes that the strip was started with.
    pub started: u64,
    /// For each unit, the lanes that are to execute it.
    waiting: Vec<u64>,
    /// Units with waiting lanes.
    ready: Vec<u64>,
    /// Lanes at barriers: the unit that ends in the barrier and the lanes.
    pub blocked: Vec<(usize, u64)>,
    steps: Steps,
    fairness: Fairness,
}

/// Instructions that the lanes have executed, added up lazily: as long as the same lanes run,
/// only the sum grows.
struct Steps {
    of_lane: Register<u64>,
    most: u64,
    pending: u64,
    lanes: u64,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps {
            of_lane: [0; LANES],
            most: 0,
            pending: 0,
            lanes: 0,
        }
    }
}

/// Sees to it that lanes waiting for others' effects cannot starve those others.
#[derive(Default)]
struct Fairness {
    /// Units picked since all lanes were last together.
    picks: u32,
    /// The unit that was last preferred out of order.
    turn: usize,
}

/// After this many picks in order, one unit is preferred out of order.
const PICKS_IN_ORDER: u32 = 1024;

impl Strip {
    /// A strip whose registers hold what is the same for all work-items of a launch.
    pub fn new(program: &Program, launch: &Launch, regions: &Regions<'_>) -> Strip {
        let units = program.units.len();
        let mut strip = Strip {
            registers: Registers {
                narrow: vec![[0; LANES]; program.narrow as usize],
                wide: vec![[0; LANES]; program.wide as usize],
            },
            private: vec![[0; LANES]; program.private_words as usize],
            first_item: 0,
            live: 0,
            started: 0,
            waiting: vec![0; units],
            ready: vec![0; units.div_ceil(64)],
            blocked: Vec::new(),
            steps: Steps::default(),
            fairness: Fairness::default(),
        };
        for preset in &program.presets {
            let bits = match preset.constant {
                Constant::Bits(bits) => Some(bits),
                Constant::Arg { param, lane } => lane_of(&launch.args[param as usize], lane),
                Constant::Address(object) => Some(regions.address(object)),
                Constant::Query { .. } => None,
            };
            if let Some(bits) = bits {
                let bits = bits & preset.ty.mask();
                match preset.slot.bank {
                    Bank::Narrow => strip.registers.fill::<u32>(preset.slot.at, bits),
                    Bank::Wide => strip.registers.fill::<u64>(preset.slot.at, bits),
                }
            }
        }
        strip
    }

    /// Begins with `count` work-items from the given position on.
    pub fn start(&mut self, program: &Program, space: &IndexSpace, first_item: u64, count: usize) {
        self.first_item = first_item;
        self.started = u64::MAX >> (LANES - count);
        self.live = self.started;
        self.private.fill([0; LANES]);
        self.steps = Steps::default();
        self.fairness = Fairness::default();
        self.blocked.clear();
        self.send(0, self.live);
        let mut lane = 0;
        let mut at = space.coordinates(first_item);
        while lane < count {
            let run = space.run_length(&at).min((count - lane) as u64) as usize;
            for preset in &program.presets {
                if let Constant::Query { query, dim } = preset.constant {
                    let (first, step) = space.query(&at, query, dim.into());
                    let (lanes, register) = (lane..lane + run, preset.slot.at as usize);
                    match preset.slot.bank {
                        Bank::Narrow => {
                            let mask = preset.ty.mask() as u32;
                            let register = &mut self.registers.narrow[register][lanes];
                            for (at, value) in register.iter_mut().enumerate() {
                                *value =
                                    (first as u32).wrapping_add(at as u32 * step as u32) & mask;
                            }
                        }
                        Bank::Wide => {
                            let register = &mut self.registers.wide[register][lanes];
                            for (at, value) in register.iter_mut().enumerate() {
                                *value = first + at as u64 * step;
                            }
                        }
                    }
                }
            }
            space.advance(&mut at, run as u64);
            lane += run;
        }
    }

    /// One lane of a register.
    pub fn get(&self, slot: Slot, lane: usize) -> u64 {
        match slot.bank {
            Bank::Narrow => self.registers.get::<u32>(slot.at, lane),
            Bank::Wide => self.registers.get::<u64>(slot.at, lane),
        }
    }

    /// Sets one lane of a register.
    pub fn set(&mut self, slot: Slot, lane: usize, bits: u64) {
        match slot.bank {
            Bank::Narrow => self.registers.set::<u32>(slot.at, lane, bits),
            Bank::Wide => self.registers.set::<u64>(slot.at, lane, bits),
        }
    }

    /// Lets lanes wait for a unit.
    #[inline(always)]
    pub fn send(&mut self, unit: usize, lanes: u64) {
        self.waiting[unit] |= lanes;
        self.ready[unit / 64] |= 1 << (unit % 64);
    }

    /// Takes the lanes of the unit that is to run next: the first one with waiting lanes, except
    /// now and then.
    #[inline(always)]
    pub fn pick(&mut self) -> Option<(usize, u64)> {
        let mut unit = first_ready(&self.ready, 0)?;
        if self.waiting[unit] == self.live {
            self.fairness.picks = 0;
        } else {
            self.fairness.picks += 1;
            if self.fairness.picks >= PICKS_IN_ORDER {
                self.fairness.picks = 0;
                // The units take turns.
                unit = first_ready(&self.ready, self.fairness.turn + 1).unwrap_or(unit);
                self.fairness.turn = unit;
            }
        }
        self.ready[unit / 64] &= !(1 << (unit % 64));
        Some((unit, std::mem::take(&mut self.waiting[unit])))
    }

    /// Counts instructions; gives a lane that has executed more than `limit`.
    #[inline(always)]
    pub fn count(&mut self, lanes: u64, weight: u64, limit: u64) -> Option<usize> {
        let steps = &mut self.steps;
        if steps.lanes != lanes {
            steps.flush();
            steps.lanes = lanes;
        }
        steps.pending += weight;
        if steps.most + steps.pending <= limit {
            return None;
        }
        steps.flush();
        lanes_of(lanes).find(|&lane| steps.of_lane[lane] > limit)
    }

    /// Whether no lane can go on by itself.
    pub fn is_stuck(&self) -> bool {
        self.ready.iter().all(|&word| word == 0)
    }

    /// Lets the lanes at barriers go on.
    pub fn release(&mut self, mut next: impl FnMut(usize) -> usize) {
        for (unit, lanes) in std::mem::take(&mut self.blocked) {
            self.send(next(unit), lanes);
        }
    }
}

/// One lane of a scalar or vector argument.
fn lane_of(arg: &Argument, lane: u8) -> Option<u64> {
    if let Argument::Value(lanes) = arg {
        lanes.get(usize::from(lane)).copied()
    } else {
        None
    }
}

impl Steps {
    fn flush(&mut self) {
        if self.pending > 0 {
            for lane in lanes_of(self.lanes) {
                self.of_lane[lane] += self.pending;
                self.most = self.most.max(self.of_lane[lane]);
            }
            self.pending = 0;
        }
    }
}

/// The first unit from `from` on that has waiting lanes.
#[inline(always)]
fn first_ready(ready: &[u64], from: usize) -> Option<usize> {
    let mut skip = u64::MAX << (from % 64);
    for (at, &word) in ready.iter().enumerate().skip(from / 64) {
        if word & skip != 0 {
            return Some(at * 64 + (word & skip).trailing_zeros() as usize);
        }
        skip = u64::MAX;
    }
    None
}
