//! A barrier: work-items wait until all of their work-group have come.
//!
//! Groups are told apart by their slots, so they may come mixed; those that are complete leave one
//! after the other, each in the order in which its work-items came. There is a place for everyone
//! who may be there, so a barrier accepts every work-item at any time.

use std::collections::VecDeque;

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{PortQueue, SUM_IS, TALLY};
use crate::group_count::{self, GroupCount};
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::copy_token;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Port, Status, UnitKind, Wire, require};
use crate::units::fifo;
use crate::units::fifo::BLOCK_MEMORY;
use crate::verilog::{Source, concatenate, pick, pick_text, wrap};

/// The barrier. Its constants are `group_size`, the number of work-items of a group, and
/// `group_shift`: a group has 2 to the power of it places, which are enough for all its work-items,
/// and the groups that are there at once have no more than there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Barrier {
    /// What the tokens carry.
    pub fields: Fields,
    /// Which of the fields is the slot of the token's group.
    pub slot: usize,
    /// How many slots there are: a power of two, 2 to 64.
    pub slots: u32,
    /// How many tokens may wait: a power of two, at least 2.
    pub places: u32,
}

const SOURCE: Source = Source {
    file: "sluice_barrier.v",
    text: include_str!("barrier.v"),
};

/// Tokens that were read and wait to be taken.
const ANSWERS: u32 = 8;

/// Cycles from taking the last token of a group until the group can leave.
const COMPLETION: u64 = 3;

const IN: usize = Barrier::IN.index();
const OUT: usize = Barrier::OUT.index();

impl Barrier {
    /// The fields that are kept while a token waits.
    fn kept(&self) -> Vec<usize> {
        (0..self.fields.len())
            .filter(|&at| at != self.slot)
            .collect()
    }

    fn slot_bits(&self) -> u32 {
        self.slots.trailing_zeros()
    }

    fn place_bits(&self) -> u32 {
        self.places.trailing_zeros()
    }
}

impl Barrier {
    /// Work-items that arrive.
    pub const IN: Input<Barrier> = Input::new(0, "in");
    /// Work-items of groups that have arrived completely.
    pub const OUT: Output<Barrier> = Output::new(0, "out");
}

parameters! { UnitKind Barrier { fields, slot, slots, places } }

impl UnitKind for Barrier {
    fn check(&self) -> Result<(), String> {
        require(
            self.slots.is_power_of_two() && (2..=64).contains(&self.slots),
            "slots are a power of two, 2 to 64",
        )?;
        require(
            self.places.is_power_of_two() && (2..=DEEPEST).contains(&self.places),
            "places are a power of two, 2 to a million",
        )?;
        require(
            self.fields.widths().nth(self.slot) == Some(self.slot_bits()),
            "the slot is a field with as many bits as its number needs",
        )
    }

    fn module(&self) -> Module {
        let kept = self.kept();
        let width = pick(&self.fields, &kept).bits();
        // Each field of what leaves, from the slot or from where it stands among those kept.
        let mut low = 0;
        let parts = self.fields.widths().enumerate().map(|(at, width)| {
            if at == self.slot {
                return "slot".into();
            }
            low += width;
            format!("kept[{}:{}]", low - 1, low - width)
        });
        let out = concatenate(parts);
        let body = format!(
            "    wire [{}:0] slot;\n    wire [{}:0] kept;\n\
             \x20   sluice_barrier #(.WIDTH({}), .KEEPS({}), .SLOTS({}), .SLOT({}), .PLACE({}), .ANSWERS({ANSWERS})) barrier (\n\
             \x20       .clk(clk), .rst(rst), .group_size(group_size), .group_shift(group_shift),\n\
             \x20       .in_valid(in_valid), .in_ready(in_ready), .in_slot({}),\n        .in({}),\n\
             \x20       .out_valid(out_valid), .out_ready(out_ready), .out_slot(slot), .out(kept)\n    );\n\
             \x20   assign out = {out};\n{}",
            self.slot_bits() - 1,
            width.max(1) - 1,
            width.max(1),
            u32::from(width > 0),
            self.slots,
            self.slot_bits(),
            self.place_bits(),
            pick_text("in", &self.fields, &[self.slot]),
            pick_text("in", &self.fields, &kept),
            match width {
                0 => "    wire unused_kept = &{1'b0, kept};\n",
                _ => "",
            },
        );
        let sources = [
            fifo::MEMORY,
            fifo::QUEUE_MEMORY,
            fifo::SOURCE,
            BLOCK_MEMORY,
            TALLY,
            SUM_IS,
            group_count::SOURCE,
            SOURCE,
        ];
        wrap(self, "sluice_barrier", &body, sources)
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Barrier::IN.carrying(self.fields.clone())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Barrier::OUT.carrying(self.fields.clone())]
    }

    fn constants(&self) -> Vec<Wire> {
        let wire = |name: &str| Wire {
            name: name.into(),
            width: 32,
        };
        vec![wire("group_size"), wire("group_shift")]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Complete(IN)
    }

    /// Of the last one of a group.
    fn latency(&self) -> u32 {
        7
    }

    /// Every work-item is accepted: the number that may wait.
    fn capacity(&self) -> u32 {
        self.places
    }

    fn area(&self) -> Area {
        let (slot, place) = (self.slot_bits(), self.place_bits());
        let kept = self.fields.bits() - slot;
        let places = match kept {
            0 => Area::default(),
            _ => Area::block_memory(kept, 1 << place),
        };
        Area::of(
            "barrier",
            [
                ("units", 1),
                ("kept bits", kept),
                ("slot bits", slot),
                ("place bits", place),
            ],
        ) + group_count::area(self.slots, place)
            + fifo::area(place + slot, self.slots)
            + fifo::area(slot + kept, ANSWERS)
            + places
    }

    fn model(&self) -> Box<dyn Model> {
        let fields = self.fields.len();
        Box::new(Behaviour {
            slot: self.slot,
            fields,
            places: vec![0; fields << self.place_bits()],
            mask: (1 << self.place_bits()) - 1,
            shift: 0,
            arrivals: GroupCount::new(self.slots, self.place_bits()),
            complete: VecDeque::with_capacity(self.slots as usize),
            place: 0,
            credits: ANSWERS,
            first: false,
            second: false,
            answers: PortQueue::new(OUT, fields),
        })
    }
}

struct Behaviour {
    slot: usize,
    fields: usize,
    /// The tokens, whole ones, by their places.
    places: Vec<u64>,
    /// Of a place's number.
    mask: u64,
    shift: u32,
    arrivals: GroupCount,
    /// The slots of complete groups, each with the cycle from which on it can leave.
    complete: VecDeque<(u64, u64)>,
    /// Of the group that leaves, the number of the token that is next.
    place: u32,
    credits: u32,
    /// Whether a token was read one edge ago, and two.
    first: bool,
    second: bool,
    answers: PortQueue,
}

impl Behaviour {
    /// Where in `places` a token of a group stands.
    fn place(&self, slot: u64, number: u32) -> std::ops::Range<usize> {
        let place = (slot << self.shift | u64::from(number)) & self.mask;
        let start = place as usize * self.fields;
        start..start + self.fields
    }

    /// Reads the next token of the group that leaves, if one does.
    fn read(&mut self, cycle: u64) -> bool {
        let Some(&(slot, from)) = self.complete.front() else {
            return false;
        };
        if from > cycle || self.credits == 0 {
            return false;
        }
        let place = self.place(slot, self.place);
        copy_token(&self.places[place], self.answers.send());
        if self.arrivals.is_last(self.place) {
            self.complete.pop_front();
            self.place = 0;
        } else {
            self.place += 1;
        }
        true
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        self.arrivals.clear();
        self.complete.clear();
        self.place = 0;
        self.credits = ANSWERS;
        (self.first, self.second) = (false, false);
        self.answers.clear();
        io.accept(IN, true);
    }

    fn status(&self) -> Status {
        Status::Gathering(self.arrivals.counts().to_vec())
    }

    fn configure(&mut self, constants: &[u64]) {
        self.arrivals.set_group_size(constants[0]);
        self.shift = constants[1] as u32 % 32;
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let cycle = io.cycle();
        self.answers.clock(io);
        if self.second {
            self.answers.arrive();
        }
        let read = self.read(cycle);
        (self.first, self.second) = (read, self.first);
        self.credits = self.credits + u32::from(io.given(OUT)) - u32::from(read);
        if let Some(token) = io.taken(IN) {
            let slot = token[self.slot];
            let arrival = self.arrivals.come(slot);
            let place = self.place(slot, arrival.before);
            copy_token(token, &mut self.places[place]);
            if arrival.complete {
                self.complete.push_back((slot, cycle + COMPLETION));
            }
        }
        if self.first || self.second || self.answers.moves(io) {
            io.wake(cycle + 1);
        } else if let Some(&(_, from)) = self.complete.front()
            && self.credits > 0
        {
            io.wake(from.max(cycle + 1));
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let barrier = |widths: &[u32], slot, slots, places| {
        Box::new(Barrier {
            fields: Fields::new(widths.iter().copied()),
            slot,
            slots,
            places,
        }) as Box<dyn UnitKind>
    };
    vec![
        barrier(&[1], 0, 2, 8),
        barrier(&[1, 8], 0, 2, 2),
        barrier(&[32, 2, 64, 3], 1, 4, 32),
        barrier(&[7, 6], 1, 64, 64),
        barrier(&[3], 0, 8, 16),
        barrier(&[2, 64, 64, 17], 0, 4, 128),
    ]
}
