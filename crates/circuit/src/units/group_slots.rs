//! Slots for work-groups: numbers that groups have while they are under way, so that no two of them
//! have the same one at once. A group gets one when it comes; the slot is free again when all
//! work-items of the group have ended.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{Queue, SUM_IS};
use crate::group_count::{self, GroupCount};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, Wire, require};
use crate::units::buffer::{self, Next};
use crate::units::fifo;
use crate::verilog::{Source, unread_text, wrap};

/// The slots. Its constants are `group_size`, the number of work-items of a group, and `resident`,
/// how many of the slots are used: those with the lowest numbers. It changes only while all slots are
/// free and no group comes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupSlots {
    /// How many there are: a power of two, 2 to 64.
    pub count: u32,
    /// How many work-items a group may have.
    pub most_items: u32,
    /// What a group's token carries; its slot comes before that.
    pub fields: Fields,
}

const SOURCE: Source = Source {
    file: "sluice_group_slots.v",
    text: include_str!("group_slots.v"),
};

const IN: usize = GroupSlots::IN.index();
const ENDED: usize = GroupSlots::ENDED.index();
const OUT: usize = GroupSlots::OUT.index();

impl GroupSlots {
    /// Groups.
    pub const IN: Input<GroupSlots> = Input::new(0, "in");
    /// The slots of work-items that have ended.
    pub const ENDED: Input<GroupSlots> = Input::new(1, "ended");
    /// Groups with their slots.
    pub const OUT: Output<GroupSlots> = Output::new(0, "out");
}

impl GroupSlots {
    /// Bits of a slot's number.
    pub fn bits(&self) -> u32 {
        self.count.trailing_zeros()
    }

    /// Bits of the number of a work-item in its group.
    fn item_bits(&self) -> u32 {
        self.most_items.next_power_of_two().trailing_zeros().max(1)
    }

    /// What a group's token carries behind this unit.
    fn with_slot(&self) -> Fields {
        Fields::new([self.bits()]).followed_by(&self.fields)
    }
}

parameters! { UnitKind GroupSlots { count, most_items, fields } }

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
        Passage::Between(vec![(IN, OUT)])
    }

    fn module(&self) -> Module {
        let (token, unread) = match self.fields.is_empty() {
            true => ("slot", unread_text("in", &self.fields, &[])),
            false => ("{in, slot}", String::new()),
        };
        let body = format!(
            "    wire [{}:0] slot;\n\
             \x20   sluice_group_slots #(.SLOTS({}), .SLOT({}), .COUNT({}), .WIDTH({})) pool (\n\
             \x20       .clk(clk), .rst(rst), .group_size(group_size), .resident(resident),\n\
             \x20       .in_valid(in_valid), .in_ready(in_ready), .slot(slot), .token({token}),\n\
             \x20       .ended_valid(ended_valid), .ended_ready(ended_ready), .ended(ended),\n\
             \x20       .out_valid(out_valid), .out_ready(out_ready), .out(out)\n    );\n{unread}",
            self.bits() - 1,
            self.count,
            self.bits(),
            self.item_bits(),
            self.with_slot().bits(),
        );
        let sources = [
            fifo::MEMORY,
            fifo::QUEUE_MEMORY,
            fifo::SOURCE,
            buffer::SOURCE,
            SUM_IS,
            group_count::SOURCE,
            SOURCE,
        ];
        wrap(self, "sluice_group_slots", &body, sources)
    }

    fn inputs(&self) -> Vec<Port> {
        let ended = Fields::new([self.bits()]);
        vec![
            GroupSlots::IN.carrying(self.fields.clone()),
            GroupSlots::ENDED.carrying(ended),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![GroupSlots::OUT.carrying(self.with_slot())]
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
        Origin::Lent {
            to: IN,
            back: ENDED,
        }
    }

    /// Of a group, when a slot is free.
    fn latency(&self) -> u32 {
        1
    }

    /// Groups that wait to be taken.
    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        let bits = self.bits();
        Area::of("group_slots", [("units", 1), ("slot bits", bits)])
            + group_count::area(self.count, self.item_bits())
            + fifo::area(bits, self.count)
            + buffer::area(self.with_slot().bits())
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            most: 2 * self.count - 1,
            resident: 0,
            used: 0,
            fresh: 0,
            number: None,
            items: GroupCount::new(self.count, self.item_bits()),
            completed: None,
            returned: Queue::default(),
            next: Next::default(),
            token: Vec::with_capacity(1 + self.fields.len()),
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
    /// What the next group gets.
    number: Option<u32>,
    items: GroupCount,
    /// The slot whose last work-item ended at the last edge.
    completed: Option<u32>,
    returned: Queue<u32>,
    /// Groups with their slots: what stands behind the one at the output.
    next: Next,
    token: Vec<u64>,
}

impl Behaviour {
    /// Gives the group that comes its slot.
    fn give(&mut self, io: &mut Io<'_>) {
        self.next.advance(io, OUT);
        if let Some(group) = io.taken(IN) {
            let slot = self.number.take().expect("groups are taken only then");
            self.token.clear();
            self.token.push(slot.into());
            self.token.extend_from_slice(group);
            self.next.put(io, OUT, &self.token);
        }
    }

    /// All slots are free; `resident` of them are used.
    fn begin(&mut self) {
        self.used = self.resident;
        self.fresh = 0;
        self.number = None;
        self.returned.clear();
    }

    /// Has a slot ready for the next group, if one is free; `completed` comes back.
    fn renew(&mut self, completed: Option<u32>) {
        let mut back = None;
        if self.number.is_none() {
            back = self.returned.head();
            self.number = back;
            if back.is_none() && self.fresh != self.used {
                self.number = Some(self.fresh);
                self.fresh += 1;
            }
        }
        self.returned.clock(back, completed);
    }

    /// Whether the next edge changes something, though no token comes.
    fn goes_on(&self) -> bool {
        let gives = self.returned.head().is_some() || self.fresh != self.used;
        let renews = gives && self.number.is_none();
        self.completed.is_some() || self.returned.moves() || renews
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        (self.used, self.fresh) = (0, 0);
        self.number = None;
        self.items.clear();
        self.completed = None;
        self.returned.clear();
        self.next.clear();
        io.accept(IN, false);
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
        self.give(io);
        if self.used == self.resident {
            self.renew(completed);
        } else {
            self.begin();
        }
        if let Some(&[slot]) = io.taken(ENDED) {
            let complete = self.items.come(slot).complete;
            self.completed = complete.then_some(slot as u32);
        }
        io.accept(IN, self.number.is_some() && self.next.has_room());
        if self.goes_on() {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let choices: [(u32, u32, &[u32]); 5] = [
        (2, 1, &[]),
        (2, 5, &[8]),
        (4, 16, &[1, 64, 33]),
        (8, 1024, &[32]),
        (64, 3, &[2]),
    ];
    let slots = |(count, most_items, widths): (u32, u32, &[u32])| GroupSlots {
        count,
        most_items,
        fields: Fields::new(widths.iter().copied()),
    };
    choices
        .map(|choice| Box::new(slots(choice)) as Box<dyn UnitKind>)
        .into()
}
