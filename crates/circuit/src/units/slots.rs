//! Slots: numbers that work-items take when they begin and return when they end, so that no two of
//! them have the same one at once.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::Queue;
use crate::family::memories::Memory;
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Passage, Port, UnitKind, require};
use crate::units::fifo;
use crate::verilog::Source;

/// The slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    /// How many: a power of two, at least 2.
    pub count: u32,
}

const SOURCE: Source = Source {
    file: "sluice_slots.v",
    text: include_str!("slots.v"),
};

const RETURNED: usize = Slots::RETURNED.index();
const FREE: usize = Slots::FREE.index();

impl Slots {
    /// Numbers that come back.
    pub const RETURNED: Input<Slots> = Input::new(0, "returned");
    /// Numbers that are free.
    pub const FREE: Output<Slots> = Output::new(0, "free");
}

impl Slots {
    /// Most slots whose returned numbers stand in distributed memory: that of more takes more logic than a
    /// block memory is worth.
    const MOST_IN_LOGIC: u32 = 256;

    fn is_in_block(&self) -> bool {
        self.count > Slots::MOST_IN_LOGIC
    }

    /// Bits of a slot's number.
    pub fn bits(&self) -> u32 {
        self.count.trailing_zeros()
    }
}

parameters! { UnitKind Slots { count } }

impl UnitKind for Slots {
    fn check(&self) -> Result<(), String> {
        require(
            self.count.is_power_of_two() && (2..=DEEPEST).contains(&self.count),
            "slots are a power of two, 2 to a million",
        )
    }

    /// A slot that comes back is given to another work-item.
    fn passage(&self) -> Passage {
        Passage::Between(Vec::new())
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_slots".into(),
            parameters: vec![
                ("COUNT", self.count.into()),
                ("NUMBER", self.bits().into()),
                ("BLOCK", self.is_in_block().into()),
            ],
            sources: vec![fifo::QUEUE_MEMORY, fifo::SOURCE, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Slots::RETURNED.carrying(Fields::new([self.bits()]))]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Slots::FREE.carrying(Fields::new([self.bits()]))]
    }

    /// From the return of a number to its being free again, when there is no other.
    fn latency(&self) -> u32 {
        3
    }

    /// Returned numbers: all that there are, and one more.
    fn capacity(&self) -> u32 {
        self.count + 1
    }

    fn area(&self) -> Area {
        let bits = self.bits();
        let returned = match self.is_in_block() {
            true => fifo::area(0, self.count) + Area::memory(Memory::block(bits, self.count)),
            false => fifo::area(bits, self.count),
        };
        Area::of("slots", [("units", 1), ("bits", bits)]) + returned
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            count: self.count,
            fresh: 0,
            returned: Queue::default(),
        })
    }
}

struct Behaviour {
    count: u32,
    /// The next number that was never out.
    fresh: u32,
    returned: Queue<u32>,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.returned.clear();
        self.fresh = 1;
        io.offer(FREE, &[0]);
        io.accept(RETURNED, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let mut taken = None;
        if !io.offering(FREE) {
            taken = self.returned.head();
            if let Some(number) = taken {
                io.offer(FREE, &[number.into()]);
            } else if self.fresh < self.count {
                io.offer(FREE, &[self.fresh.into()]);
                self.fresh += 1;
            }
        }
        let back = io.taken(RETURNED).map(|token| token[0] as u32);
        self.returned.clock(taken, back);
        io.accept(RETURNED, self.returned.stored() < self.count as usize);
        let gives = self.returned.head().is_some() || self.fresh < self.count;
        if self.returned.moves() || (gives && !io.offering(FREE)) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [2, 4, 64, 512]
        .map(|count| Box::new(Slots { count }) as Box<dyn UnitKind>)
        .into()
}
