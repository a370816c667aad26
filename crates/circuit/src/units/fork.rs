//! A fork: every token goes to all outputs, which are taken independently.

use std::fmt::Write;

use super::buffer::{self, Next};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::{Source, concatenate, pick, pick_text, unread_text, wrap};

/// The fork.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fork {
    /// What the tokens at the input carry.
    pub fields: Fields,
    /// For each output the indices of the fields that go there; 2 to 16 outputs.
    pub outputs: Vec<Vec<usize>>,
}

const SOURCE: Source = Source {
    file: "sluice_fork.v",
    text: include_str!("fork.v"),
};

impl Fork {
    /// Tokens.
    pub const IN: Input<Fork> = Input::new(0, "in");

    /// Copies of the tokens, with the fields chosen for this output.
    pub const fn out(output: usize) -> Output<Fork> {
        Output::numbered(output, "out_#", output)
    }
}

impl Fork {
    /// The buffers of outputs that carry different fields.
    fn buffers(&self) -> String {
        let mut text = String::new();
        for (at, indices) in self.outputs.iter().enumerate() {
            let width = pick(&self.fields, indices).bits().max(1);
            let data = pick_text("in", &self.fields, indices);
            write!(
                text,
                "    sluice_buffer #(.WIDTH({width})) buffer_{at} (\n\
                 \x20       .clk(clk), .rst(rst), .in_valid(put), .in_ready(room[{at}]), .in({data}),\n\
                 \x20       .out_valid(out_{at}_valid), .out_ready(out_{at}_ready), .out(out_{at})\n    );\n"
            )
            .expect("strings take all text");
        }
        text
    }

    /// The buffers of outputs that carry the same, as an array.
    fn equal_buffers(&self) -> String {
        let outputs = self.outputs.len();
        let each = |suffix: &str| concatenate((0..outputs).map(|at| format!("out_{at}{suffix}")));
        format!(
            "    sluice_buffer #(.WIDTH({})) buffer [{}:0] (\n\
             \x20       .clk(clk), .rst(rst), .in_valid(put), .in_ready(room), .in({}),\n\
             \x20       .out_valid({}),\n        .out_ready({}),\n        .out({})\n    );\n",
            pick(&self.fields, &self.outputs[0]).bits().max(1),
            outputs - 1,
            pick_text("in", &self.fields, &self.outputs[0]),
            each("_valid"),
            each("_ready"),
            each(""),
        )
    }
}

parameters! { UnitKind Fork { fields, outputs } }

impl UnitKind for Fork {
    fn check(&self) -> Result<(), String> {
        require(
            (2..=16).contains(&self.outputs.len()),
            "a fork has 2 to 16 outputs",
        )?;
        let mut indices = self.outputs.iter().flatten();
        require(
            indices.all(|&index| index < self.fields.len()),
            "a fork passes fields that it gets",
        )
    }

    fn module(&self) -> Module {
        let outputs = self.outputs.len();
        let mut body = format!(
            "    wire [{}:0] room;\n    wire put;\n\
             \x20   sluice_fork #(.OUTPUTS({outputs})) control (\n\
             \x20       .in_valid(in_valid), .in_ready(in_ready), .room(room), .put(put)\n    );\n",
            outputs - 1
        );
        body += &match self.outputs.iter().all(|it| *it == self.outputs[0]) {
            true => self.equal_buffers(),
            false => self.buffers(),
        };
        body += &unread_text("in", &self.fields, &self.outputs.concat());
        wrap(self, "sluice_fork", &body, [buffer::SOURCE, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Fork::IN.carrying(self.fields.clone())]
    }

    fn outputs(&self) -> Vec<Port> {
        let outputs = self.outputs.iter().enumerate();
        outputs
            .map(|(at, indices)| Fork::out(at).carrying(pick(&self.fields, indices)))
            .collect()
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Each
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        let widths = self.outputs.iter().map(|it| pick(&self.fields, it).bits());
        let buffers: Area = widths.map(|width| buffer::area(width.max(1))).sum();
        Area::of("fork", [("outputs", self.outputs.len() as u32)]) + buffers
    }

    fn model(&self) -> Box<dyn Model> {
        assert!((2..=16).contains(&self.outputs.len()), "2 to 16 outputs");
        Box::new(Behaviour {
            outputs: self.outputs.clone(),
            next: vec![Next::default(); self.outputs.len()],
        })
    }
}

struct Behaviour {
    outputs: Vec<Vec<usize>>,
    /// By output, what stands behind the token at its head.
    next: Vec<Next>,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.next.iter_mut().for_each(Next::clear);
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        for (port, next) in self.next.iter_mut().enumerate() {
            next.advance(io, port);
        }
        if io.takes(0) {
            let outputs = self.outputs.iter().zip(&mut self.next).enumerate();
            for (port, (fields, next)) in outputs {
                next.pass_fields(io, 0, fields, port);
            }
        }
        io.accept(0, self.next.iter().all(Next::has_room));
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let fork = |widths: &[u32], outputs: &[&[usize]]| {
        Box::new(Fork {
            fields: Fields::new(widths.iter().copied()),
            outputs: outputs.iter().map(|indices| indices.to_vec()).collect(),
        }) as Box<dyn UnitKind>
    };
    vec![
        fork(&[8], &[&[0], &[0]]),
        fork(&[], &[&[], &[], &[]]),
        fork(&[1, 64, 33, 7], &[&[2, 0], &[], &[1, 2, 1]]),
        fork(&[5, 16], &[&[0, 1][..]; 16]),
    ]
}
