//! Turns: several who ask take turns at one who answers, and each gets the answer to its own
//! question. A question waits until the previous answer was taken.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Passage, Port, UnitKind, require};
use crate::units::arbiter::turn;
use crate::verilog::{Source, concatenate, wrap};

/// The turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turns {
    /// How many ask, 2 to [`Turns::MOST_ASKERS`].
    pub askers: usize,
}

const SOURCE: Source = Source {
    file: "sluice_turns.v",
    text: include_str!("turns.v"),
};

impl Turns {
    /// Most who ask.
    pub const MOST_ASKERS: usize = 16;
}

impl Turns {
    /// The question of one of the askers.
    pub const fn asked(asker: usize) -> Input<Turns> {
        Input::numbered(asker, "in_#", asker)
    }

    /// The answer to one of the askers.
    pub const fn answered(asker: usize) -> Output<Turns> {
        Output::numbered(asker, "out_#", asker)
    }

    /// The question that is passed on.
    pub const fn question(&self) -> Output<Turns> {
        Output::new(self.askers, "question")
    }

    /// The answer to it.
    pub const fn answer(&self) -> Input<Turns> {
        Input::new(self.askers, "answer")
    }
}

parameters! { UnitKind Turns { askers } }

impl UnitKind for Turns {
    fn check(&self) -> Result<(), String> {
        require(
            (2..=Turns::MOST_ASKERS).contains(&self.askers),
            "2 to 16 ask",
        )
    }

    fn passage(&self) -> Passage {
        let askers = 0..self.askers;
        Passage::Between(askers.map(|asker| (asker, asker)).collect())
    }

    fn module(&self) -> Module {
        let each =
            |name: &str| concatenate((0..self.askers).map(|at| name.replace('#', &at.to_string())));
        let unread = each("in_#");
        let silent = (0..self.askers).map(|at| format!("    assign out_{at} = 1'b0;\n"));
        let body = format!(
            "    sluice_turns #(.ASKERS({})) turns (\n        .clk(clk), .rst(rst),\n\
             \x20       .in_valid({}), .in_ready({}), .out_valid({}), .out_ready({}),\n\
             \x20       .question_valid(question_valid), .question_ready(question_ready),\n\
             \x20       .answer_valid(answer_valid), .answer_ready(answer_ready)\n    );\n\
             {}    assign question = 1'b0;\n    wire unused_data = &{{1'b0, answer, {unread}}};\n",
            self.askers,
            each("in_#_valid"),
            each("in_#_ready"),
            each("out_#_valid"),
            each("out_#_ready"),
            silent.collect::<String>(),
        );
        wrap(self, "sluice_turns", &body, [super::arbiter::TURN, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        let ports = (0..self.askers).map(Turns::asked).chain([self.answer()]);
        ports.map(|port| port.carrying(Fields::NONE)).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        let ports = (0..self.askers)
            .map(Turns::answered)
            .chain([self.question()]);
        ports.map(|port| port.carrying(Fields::NONE)).collect()
    }

    fn questions(&self) -> Vec<crate::unit::Question> {
        vec![crate::unit::Question {
            asked: self.question().index(),
            answered: self.answer().index(),
        }]
    }

    /// From taking a question to passing it on.
    fn latency(&self) -> u32 {
        1
    }

    /// At each input.
    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        Area::of("turns", [("units", 1), ("askers", self.askers as u32)])
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            askers: self.askers,
            waiting: 0,
            asker: 0,
            state: State::Idle,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Asking,
    Asked,
    Answering,
}

struct Behaviour {
    askers: usize,
    /// A bit per asker: whether it waits for its turn.
    waiting: u64,
    /// Whose turn it is, or was last.
    asker: usize,
    state: State,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.waiting = 0;
        self.asker = 0;
        self.state = State::Idle;
        for asker in 0..self.askers {
            io.accept(asker, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let (question, answer) = (self.askers, self.askers);
        for asker in 0..self.askers {
            if io.taken(asker).is_some() {
                self.waiting |= 1 << asker;
            }
        }
        match self.state {
            State::Idle if self.waiting != 0 => {
                self.asker = turn(self.waiting, self.asker as u32) as usize;
                self.waiting &= !(1 << self.asker);
                io.offer(question, &[]);
                self.state = State::Asking;
            }
            State::Asking if io.given(question) => {
                io.accept(answer, true);
                self.state = State::Asked;
            }
            State::Asked if io.taken(answer).is_some() => {
                io.accept(answer, false);
                io.offer(self.asker, &[]);
                self.state = State::Answering;
            }
            State::Answering if io.given(self.asker) => self.state = State::Idle,
            State::Idle | State::Asking | State::Asked | State::Answering => {}
        }
        for asker in 0..self.askers {
            io.accept(asker, self.waiting >> asker & 1 == 0);
        }
        if self.state == State::Idle && self.waiting != 0 {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [2, 3, 16]
        .map(|askers| Box::new(Turns { askers }) as Box<dyn UnitKind>)
        .into()
}
