//! A select: tokens from several inputs leave one by one, those of each input in their order.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::LOWEST;
use crate::sim::Io;
use crate::text::{choices, parameters};
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::{Source, concatenate, wrap};

/// The select.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Select {
    /// What the tokens carry.
    pub fields: Fields,
    /// Number of inputs, 2 to 8.
    pub inputs: usize,
    /// Who goes first when several have a token.
    pub policy: Policy,
}

/// Who goes first when several inputs have a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The first one of them.
    FirstInputFirst,
    /// The next one of them behind the one that went last.
    RoundRobin,
}

const SOURCE: Source = Source {
    file: "sluice_select.v",
    text: include_str!("select.v"),
};

impl Select {
    /// Tokens of one of the inputs.
    pub const fn input(input: usize) -> Input<Select> {
        Input::numbered(input, "in_#", input)
    }

    /// The tokens of all inputs.
    pub const OUT: Output<Select> = Output::new(0, "out");
}

parameters! { UnitKind Select { fields, inputs, policy } }
choices! { Policy { FirstInputFirst = "first_input_first", RoundRobin = "round_robin" } }

impl UnitKind for Select {
    fn check(&self) -> Result<(), String> {
        require((2..=8).contains(&self.inputs), "a select has 2 to 8 inputs")
    }

    fn module(&self) -> Module {
        let each = |suffix: &str| {
            let ports = (0..self.inputs).map(|at| format!("in_{at}{suffix}"));
            concatenate(ports)
        };
        let round_robin = match self.policy {
            Policy::FirstInputFirst => 0,
            Policy::RoundRobin => 1,
        };
        let body = format!(
            "    sluice_select #(.WIDTH({}), .INPUTS({}), .ROUND_ROBIN({round_robin})) merge (\n\
             \x20       .clk(clk), .rst(rst), .in_valid({}), .in_ready({}),\n        .in({}),\n\
             \x20       .out_valid(out_valid), .out_ready(out_ready), .out(out)\n    );\n",
            self.fields.bits().max(1),
            self.inputs,
            each("_valid"),
            each("_ready"),
            each(""),
        );
        wrap(self, "sluice_select", &body, [LOWEST, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        (0..self.inputs)
            .map(|at| Select::input(at).carrying(self.fields.clone()))
            .collect()
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Select::OUT.carrying(self.fields.clone())]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Any
    }

    fn latency(&self) -> u32 {
        1
    }

    /// One token at the output and one at the only input that gets any; with tokens at every input,
    /// one more for each other.
    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        let (width, inputs) = (self.fields.bits().max(1), self.inputs as u32);
        let (turns, bits_without_turns) = match self.policy {
            Policy::FirstInputFirst => (0, width),
            Policy::RoundRobin => (inputs, 0),
        };
        Area::of(
            "select",
            [
                ("inputs", inputs),
                ("input bits", inputs * width),
                ("bits", width),
                ("bits without turns", bits_without_turns),
                ("turns", turns),
            ],
        )
    }

    fn model(&self) -> Box<dyn Model> {
        assert!((2..=8).contains(&self.inputs), "2 to 8 inputs");
        Box::new(Behaviour {
            policy: self.policy,
            held: vec![vec![0; self.fields.len()]; self.inputs],
            waiting: 0,
            first: 0,
        })
    }
}

struct Behaviour {
    policy: Policy,
    /// By input, the token that waits there, if one does.
    held: Vec<Vec<u64>>,
    /// A bit per input: whether a token waits.
    waiting: u32,
    /// The input whose turn it is.
    first: usize,
}

impl Behaviour {
    /// The input that goes next, if one does.
    fn choose(&self) -> Option<usize> {
        let behind = self.waiting >> self.first << self.first;
        let candidates = if behind != 0 { behind } else { self.waiting };
        (candidates != 0).then(|| candidates.trailing_zeros() as usize)
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.waiting = 0;
        self.first = 0;
        for input in 0..self.held.len() {
            io.accept(input, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for (input, held) in self.held.iter_mut().enumerate() {
            if let Some(token) = io.taken(input) {
                held.copy_from_slice(token);
                self.waiting |= 1 << input;
            }
        }
        if !io.offering(0)
            && let Some(input) = self.choose()
        {
            io.offer(0, &self.held[input]);
            self.waiting &= !(1 << input);
            match self.policy {
                Policy::FirstInputFirst => {}
                Policy::RoundRobin => self.first = input + 1,
            }
        }
        for input in 0..self.held.len() {
            io.accept(input, self.waiting >> input & 1 == 0);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let select = |widths: &[u32], inputs, policy| {
        Box::new(Select {
            fields: Fields::new(widths.iter().copied()),
            inputs,
            policy,
        }) as Box<dyn UnitKind>
    };
    vec![
        select(&[8], 2, Policy::FirstInputFirst),
        select(&[1, 64, 33], 2, Policy::RoundRobin),
        select(&[], 3, Policy::RoundRobin),
        select(&[32, 5], 5, Policy::FirstInputFirst),
        select(&[16], 8, Policy::RoundRobin),
    ]
}
