//! Runahead: starts the iterations of a loop before it is known whether there are any.
//!
//! A token that comes in begins an execution of the loop. It is given for the first iteration and, with another mark,
//! again for each further one: up to a number of iterations are under way. Each of them says at its end, in order,
//! whether the loop goes on. An execution begins with few of them, and may have one more for each that goes on: so no more
//! are in vain than count, but for those that it began with. Those behind the last one of an execution are in vain; what they say does not count, and
//! the next execution begins while they are under way. A token that passes the second pair of ports waits until none
//! is: so the end of a kernel waits for what iterations in vain read.

use super::fifo::bits_of;
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::verilog::Source;

/// The unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runahead {
    /// What an iteration gets. The first field has one bit: whether it is the first of an execution, whatever came in.
    pub fields: Fields,
    /// Iterations of an execution that are under way at its beginning, at most.
    pub start: u32,
    /// Iterations that are under way at most, 1 to 4,096.
    pub window: u32,
}

const SOURCE: Source = Source {
    file: "sluice_runahead.v",
    text: include_str!("runahead.v"),
};

const ENTRY: usize = Runahead::ENTRY.index();
const ENDED: usize = Runahead::ENDED.index();
const FINISHED: usize = Runahead::FINISHED.index();
const OUT: usize = Runahead::OUT.index();
const QUIET: usize = Runahead::QUIET.index();

impl Runahead {
    /// What an execution of the loop begins with.
    pub const ENTRY: Input<Runahead> = Input::new(0, "entry");
    /// Iterations that have ended, with one bit: 1 if the loop goes on.
    pub const ENDED: Input<Runahead> = Input::new(1, "ended");
    /// What waits until no iteration is under way.
    pub const FINISHED: Input<Runahead> = Input::new(2, "finished");
    /// Iterations.
    pub const OUT: Output<Runahead> = Output::new(0, "out");
    /// No iteration is under way.
    pub const QUIET: Output<Runahead> = Output::new(1, "quiet");
    /// The largest window.
    pub const WIDEST: u32 = 4096;
}

parameters! { UnitKind Runahead { fields, start, window } }

impl UnitKind for Runahead {
    fn check(&self) -> Result<(), String> {
        require(
            self.fields.widths().next() == Some(1),
            "the first field of an iteration is one bit, which says whether it is the first one",
        )?;
        require(
            (1..=Runahead::WIDEST).contains(&self.window),
            "1 to 4,096 iterations are under way",
        )?;
        require(
            (1..=self.window).contains(&self.start),
            "an execution begins with at least one iteration, and no more than may be under way",
        )
    }

    /// What iterations say is an answer: it does not go on.
    fn passage(&self) -> Passage {
        Passage::Between(vec![(ENTRY, OUT), (FINISHED, QUIET)])
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_runahead".into(),
            parameters: vec![
                ("WIDTH", self.fields.bits().into()),
                ("START", self.start.into()),
                ("WINDOW", self.window.into()),
            ],
            sources: vec![SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Runahead::ENTRY.carrying(self.fields.clone()),
            Runahead::ENDED.carrying(Fields::new([1])),
            Runahead::FINISHED.carrying(Fields::NONE),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Runahead::OUT.carrying(self.fields.clone()),
            Runahead::QUIET.carrying(Fields::NONE),
        ]
    }

    fn origin(&self, output: usize) -> Origin {
        match output {
            OUT => Origin::Series,
            _ => Origin::Input(FINISHED),
        }
    }

    fn latency(&self) -> u32 {
        1
    }

    /// An execution; the next one is taken when it is known that the last iteration of this one has ended.
    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        Area::of(
            "runahead",
            [
                ("units", 1),
                ("bits", self.fields.bits()),
                ("count bits", bits_of(self.window)),
            ],
        )
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            start: self.start,
            window: self.window,
            limit: 0,
            allowed: 0,
            token: Vec::new(),
            is_active: false,
            started: 0,
            vain: 0,
            is_finished: false,
        })
    }
}

struct Behaviour {
    start: u32,
    window: u32,
    /// Iterations of the execution that may be under way.
    limit: u32,
    /// How many more of them may start.
    allowed: u32,
    /// What the next iteration gets.
    token: Vec<u64>,
    /// Whether it is not known that the execution has ended.
    is_active: bool,
    /// Iterations that are offered or under way.
    started: u32,
    /// Those of them that belong to executions that have ended.
    vain: u32,
    /// Whether a token waits until none is under way.
    is_finished: bool,
}

impl Behaviour {
    /// An iteration has ended.
    fn end(&mut self, goes_on: bool) {
        self.started -= 1;
        match (self.vain, goes_on) {
            (1.., _) => self.vain -= 1,
            (0, true) => {
                let grows = self.limit < self.window;
                self.limit += u32::from(grows);
                self.allowed += 1 + u32::from(grows);
            }
            (0, false) => {
                self.is_active = false;
                self.vain = self.started;
            }
        }
    }

    fn accept(&self, io: &mut Io<'_>) {
        io.accept(ENTRY, !self.is_active && !io.offering(OUT));
        io.accept(ENDED, self.started > 0);
        io.accept(FINISHED, !self.is_finished);
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        (self.is_active, self.is_finished) = (false, false);
        (self.started, self.vain) = (0, 0);
        (self.limit, self.allowed) = (self.start, 0);
        self.accept(io);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let is_quiet = self.is_finished && self.started == 0;
        if io.given(QUIET) {
            self.is_finished = false;
        } else if is_quiet && !io.offering(QUIET) {
            io.offer(QUIET, &[]);
        }
        self.is_finished |= io.takes(FINISHED);
        if let Some(goes_on) = io.taken(ENDED).map(|token| token[0] == 1) {
            self.end(goes_on);
        }
        if let Some(token) = io.taken(ENTRY) {
            self.token = token.to_vec();
            self.token[0] = 1;
            self.is_active = true;
            (self.limit, self.allowed) = (self.start, self.start);
        }
        let has_room = self.allowed > 0 && self.started < self.window;
        if self.is_active && !io.offering(OUT) && has_room {
            io.offer(OUT, &self.token);
            self.token[0] = 0;
            self.started += 1;
            self.allowed -= 1;
        }
        self.accept(io);
        if self.is_finished && self.started == 0 && !io.offering(QUIET) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let runahead = |fields: &[u32], start, window| {
        Box::new(Runahead {
            fields: Fields::new(fields.iter().copied()),
            start,
            window,
        }) as Box<dyn UnitKind>
    };
    vec![
        runahead(&[1], 1, 1),
        runahead(&[1, 32], 3, 3),
        runahead(&[1, 64, 7], 4, 24),
        runahead(&[1, 5], 1, 7),
        runahead(&[1, 16], 8, Runahead::WIDEST),
    ]
}
