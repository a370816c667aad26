//! A branch: a token goes to the output that its condition names.
//!
//! The tokens stand in one buffer in the order in which they came, so one that cannot leave holds up
//! those behind it, also where they go the other way.

use super::buffer;
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::{Source, pick, pick_text, unread_text, wrap};

/// The branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// What the tokens carry behind the condition, which is their first field.
    pub fields: Fields,
    /// Indices of the `fields` that go on when the condition holds.
    pub on_true: Vec<usize>,
    /// Indices of the `fields` that go on when it does not.
    pub on_false: Vec<usize>,
}

const SOURCE: Source = Source {
    file: "sluice_branch.v",
    text: include_str!("branch.v"),
};

impl Branch {
    /// Tokens behind their condition.
    pub const IN: Input<Branch> = Input::new(0, "in");
    /// Those whose condition holds.
    pub const ON_TRUE: Output<Branch> = Output::new(0, "on_true");
    /// The others.
    pub const ON_FALSE: Output<Branch> = Output::new(1, "on_false");
}

parameters! { UnitKind Branch { fields, on_true, on_false } }

impl UnitKind for Branch {
    fn check(&self) -> Result<(), String> {
        let mut indices = self.on_true.iter().chain(&self.on_false);
        require(
            indices.all(|&index| index < self.fields.len()),
            "a branch passes fields that it gets",
        )
    }

    fn module(&self) -> Module {
        let width = self.fields.bits();
        let data = match width {
            0 => "1'b0".to_string(),
            _ => format!("in[{width}:1]"),
        };
        let body = format!(
            "    wire [{}:0] head;\n\
             \x20   sluice_branch #(.WIDTH({})) steer (\n\
             \x20       .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready),\n\
             \x20       .condition(in[0]), .in({data}),\n\
             \x20       .on_true_valid(on_true_valid), .on_true_ready(on_true_ready),\n\
             \x20       .on_false_valid(on_false_valid), .on_false_ready(on_false_ready), .out(head)\n    );\n\
             \x20   assign on_true  = {};\n    assign on_false = {};\n{}",
            width.max(1) - 1,
            width.max(1),
            pick_text("head", &self.fields, &self.on_true),
            pick_text("head", &self.fields, &self.on_false),
            unread_text(
                "head",
                &self.fields,
                &[&self.on_true[..], &self.on_false].concat()
            ),
        );
        wrap(self, "sluice_branch", &body, [buffer::SOURCE, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Branch::IN.carrying(Fields::new([1]).followed_by(&self.fields))]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Branch::ON_TRUE.carrying(pick(&self.fields, &self.on_true)),
            Branch::ON_FALSE.carrying(pick(&self.fields, &self.on_false)),
        ]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Any
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        // What goes no way is not kept.
        let kept = self.fields.widths().enumerate();
        let kept = kept.filter(|(at, _)| self.on_true.contains(at) || self.on_false.contains(at));
        let kept: u32 = kept.map(|(_, width)| width).sum();
        Area::of("branch", [("units", 1)]) + buffer::area(1 + kept)
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            ways: [self.on_true.clone(), self.on_false.clone()],
            next: Vec::new(),
            next_full: false,
        })
    }
}

struct Behaviour {
    ways: [Vec<usize>; 2],
    /// The token behind the one that stands at an output.
    next: Vec<u64>,
    next_full: bool,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.next_full = false;
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if let Some(token) = io.taken(0) {
            self.next.clear();
            self.next.extend_from_slice(token);
            self.next_full = true;
        }
        if self.next_full && !io.offering(0) && !io.offering(1) {
            let way = usize::from(self.next[0] == 0);
            io.offer_fields(way, &self.next[1..], &self.ways[way]);
            self.next_full = false;
        }
        io.accept(0, !self.next_full);
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let branch = |widths: &[u32], on_true: &[usize], on_false: &[usize]| {
        Box::new(Branch {
            fields: Fields::new(widths.iter().copied()),
            on_true: on_true.to_vec(),
            on_false: on_false.to_vec(),
        }) as Box<dyn UnitKind>
    };
    vec![
        branch(&[8], &[0], &[0]),
        branch(&[], &[], &[]),
        branch(&[64, 1, 33], &[2, 0], &[]),
        branch(&[7, 40, 40, 5], &[1], &[3, 1, 1]),
    ]
}
