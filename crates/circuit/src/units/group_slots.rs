//! Slots for work-groups: numbers that groups have while they are under way, so that no two of them
//! have the same one at once. A slot is free again when all work-items of its group have ended.

use crate::elastic::Queue;
use crate::group_count::{self, GroupCount};
use crate::operators::Cost;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, Wire, require};
use crate::units::fifo;
use crate::verilog::Source;

/// The slots. Its constants are `group_size`, the number of work-items of a group, and `resident`,
/// how many of the slots are used: those with the lowest numbers.
///
/// A change of `resident` while all slots are back withdraws the number that is offered, so whoever
/// takes numbers takes them only together with a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupSlots {
    /// How many there are: a power of two, 2 to 64.
    pub count: u32,
    /// How many work-items a group may have.
    pub most_items: u32,
}

const SOURCE: Source = Source {
    file: "sluice_group_slots.v",
    text: include_str!("group_slots.v"),
};

const ENDED: usize = 0;
const FREE: usize = 0;

impl GroupSlots {
    /// Bits of a slot's number.
    pub fn bits(&self) -> u32 {
        self.count.trailing_zeros()
    }

    /// Bits of the number of a work-item in its group.
    fn item_bits(&self) -> u32 {
        self.most_items.next_power_of_two().trailing_zeros().max(1)
    }
}

parameters! { UnitKind GroupSlots { count, most_items } }

impl UnitKind for GroupSlots {
    fn check(&self) -> Result<(), String> {
        require(
            self.count.is_power_of_two() && (2..=64).contains(&self.count),
            "slots are a power of two, 2 to 64",
        )?;
        require(
            (1..=DEEPEST).contains(&self.most_items),
            "a group has 1 to a million work-items",
        )
    }

    /// A slot that comes back is given to another group.
    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_group_slots".into(),
            parameters: vec![
                ("SLOTS", self.count.into()),
                ("SLOT", self.bits().into()),
                ("COUNT", self.item_bits().into()),
            ],
            sources: vec![fifo::MEMORY, fifo::SOURCE, group_count::SOURCE, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::new("ended", Fields::new([self.bits()]))]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::new("free", Fields::new([self.bits()]))]
    }

    fn constants(&self) -> Vec<Wire> {
        let wire = |name: &str| Wire {
            name: name.into(),
            width: 32,
        };
        vec![wire("group_size"), wire("resident")]
    }

    /// When none is free, a group that is under way has to end.
    fn origin(&self, _: usize) -> Origin {
        Origin::Among(ENDED)
    }

    /// From the end of a group's last work-item to its slot being free again, when there is no
    /// other.
    fn latency(&self) -> u32 {
        4
    }

    /// It takes whoever ends: at least one work-item of each slot.
    fn capacity(&self) -> u32 {
        self.count
    }

    fn cost(&self) -> Cost {
        let bits = self.bits();
        let count = group_count::cost(self.count, self.item_bits());
        Cost {
            luts: count.luts + bits * self.count.div_ceil(16) * 2 + 4 * bits + 26,
            ffs: count.ffs + 8 * bits + 8,
            ..Cost::default()
        }
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            most: 2 * self.count - 1,
            resident: 0,
            used: 0,
            fresh: 0,
            items: GroupCount::new(self.count, self.item_bits()),
            completed: None,
            returned: Queue::default(),
        })
    }
}

struct Behaviour {
    /// The largest value of the wires that hold numbers of slots.
    most: u32,
    /// The constant, and its value at the last edge.
    resident: u32,
    used: u32,
    /// The next number that was never out.
    fresh: u32,
    items: GroupCount,
    /// The slot whose last work-item ended at the last edge.
    completed: Option<u32>,
    returned: Queue<u32>,
}

impl Behaviour {
    /// All slots are free, and so many are used.
    fn begin(&mut self, io: &mut Io<'_>) {
        self.used = self.resident;
        self.fresh = 0;
        self.returned.clear();
        if io.offering(FREE) {
            io.withdraw(FREE);
        }
    }

    /// Offers a slot, if nothing stands there; gives the one that has come back and is out again.
    fn offer(&mut self, io: &mut Io<'_>) -> Option<u32> {
        if io.offering(FREE) {
            return None;
        }
        let back = self.returned.head();
        if let Some(number) = back {
            io.offer(FREE, &[number.into()]);
        } else if self.fresh != self.used {
            io.offer(FREE, &[self.fresh.into()]);
            self.fresh += 1;
        }
        back
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        (self.used, self.fresh) = (0, 0);
        self.items.clear();
        self.completed = None;
        self.returned.clear();
        io.accept(ENDED, true);
        if self.resident != 0 {
            io.wake(io.cycle());
        }
    }

    fn configure(&mut self, constants: &[u64]) {
        self.items.set_group_size(constants[0]);
        self.resident = constants[1] as u32 & self.most;
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let completed = self.completed.take();
        let changed = self.used != self.resident;
        if changed {
            self.begin(io);
        } else {
            let taken = self.offer(io);
            self.returned.clock(taken, completed);
        }
        if let Some(&[slot]) = io.taken(ENDED) {
            let complete = self.items.come(slot).complete;
            self.completed = complete.then_some(slot as u32);
        }
        let gives = self.returned.head().is_some() || self.fresh != self.used;
        let offers = gives && (changed || !io.offering(FREE));
        if self.completed.is_some() || self.returned.moves() || offers {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [(2, 1), (2, 5), (4, 16), (8, 1024), (64, 3)]
        .map(|(count, most_items)| Box::new(GroupSlots { count, most_items }) as Box<dyn UnitKind>)
        .into()
}
