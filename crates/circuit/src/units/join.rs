//! A join: takes a token from all inputs at once and puts their fields side by side.

use super::buffer::{self, Next};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Intake, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::{Source, concatenate, wrap};

/// The join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Join {
    /// What the tokens of each input carry; at least 2 inputs.
    pub inputs: Vec<Fields>,
}

const SOURCE: Source = Source {
    file: "sluice_join.v",
    text: include_str!("join.v"),
};

impl Join {
    fn fields(&self) -> Fields {
        let none = Fields::NONE;
        self.inputs.iter().fold(none, |all, it| all.followed_by(it))
    }
}

impl Join {
    /// Tokens of one of the inputs.
    pub const fn input(input: usize) -> Input<Join> {
        Input::numbered(input, "in_#", input)
    }

    /// Tokens with the fields of all inputs.
    pub const OUT: Output<Join> = Output::new(0, "out");
}

parameters! { UnitKind Join { inputs } }

impl UnitKind for Join {
    fn check(&self) -> Result<(), String> {
        require(self.inputs.len() >= 2, "a join has 2 inputs or more")
    }

    fn module(&self) -> Module {
        let each =
            |suffix: &str| concatenate((0..self.inputs.len()).map(|at| format!("in_{at}{suffix}")));
        let (valid, ready) = (each("_valid"), each("_ready"));
        let with_data = self.inputs.iter().enumerate();
        let with_data = with_data.filter(|(_, fields)| !fields.is_empty());
        let data = concatenate(with_data.map(|(at, _)| format!("in_{at}")));
        let mut body = format!(
            "    sluice_join #(.WIDTH({}), .INPUTS({})) join_all (\n\
             \x20       .clk(clk), .rst(rst), .in_valid({valid}), .in_ready({ready}), .in({data}),\n\
             \x20       .out_valid(out_valid), .out_ready(out_ready), .out(out)\n    );\n",
            self.fields().bits().max(1),
            self.inputs.len(),
        );
        let without_data = self.inputs.iter().enumerate();
        let without_data = without_data.filter(|(_, fields)| fields.is_empty());
        let unread: Vec<String> = without_data.map(|(at, _)| format!("in_{at}")).collect();
        if !unread.is_empty() {
            body += &format!("    wire unused = &{{1'b0, {}}};\n", unread.join(", "));
        }
        wrap(self, "sluice_join", &body, [buffer::SOURCE, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        let inputs = self.inputs.iter().enumerate();
        inputs
            .map(|(at, fields)| Join::input(at).carrying(fields.clone()))
            .collect()
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Join::OUT.carrying(self.fields())]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Each
    }

    fn intake(&self) -> Intake {
        Intake::Joined
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        Area::of("join", [("inputs", self.inputs.len() as u32)])
            + buffer::area(self.fields().bits().max(1))
    }

    fn model(&self) -> Box<dyn Model> {
        assert!(self.inputs.len() >= 2, "there is something to join");
        Box::new(Behaviour {
            inputs: self.inputs.len(),
            next: Next::default(),
            token: Vec::new(),
        })
    }
}

struct Behaviour {
    inputs: usize,
    next: Next,
    token: Vec<u64>,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.next.clear();
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.next.advance(io, 0);
        self.token.clear();
        let mut taken = false;
        for part in (0..self.inputs).map_while(|input| io.taken(input)) {
            self.token.extend_from_slice(part);
            taken = true;
        }
        if taken {
            self.next.put(io, 0, &self.token);
        }
        io.accept(0, self.next.has_room());
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let join = |inputs: &[&[u32]]| {
        let inputs = inputs.iter().map(|it| Fields::new(it.iter().copied()));
        Box::new(Join {
            inputs: inputs.collect(),
        }) as Box<dyn UnitKind>
    };
    vec![
        join(&[&[8], &[3]]),
        join(&[&[], &[]]),
        join(&[&[1, 64], &[], &[33], &[2, 2]]),
        join(&[&[7][..]; 9]),
    ]
}
