//! The gate of a loop: all work-items enter and leave the loop through it, and it lets in no more
//! than the loop can hold without blocking itself.
//!
//! It counts the tokens from where they come in here to where they come back at an exit, which is
//! never less than there are on the loop's cycles.

use std::fmt::Write;

use super::buffer::{self, Next};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::verilog::{Source, concatenate, wrap};

/// The gate. Port 0 is the entry on both sides, the exits follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopGate {
    /// What the tokens carry that enter.
    pub entry: Fields,
    /// What the tokens carry that leave, by exit; 1 to [`LoopGate::MOST_EXITS`] exits.
    pub exits: Vec<Fields>,
    /// How many tokens may be inside, at least 1.
    pub limit: u32,
}

const SOURCE: Source = Source {
    file: "sluice_loop_gate.v",
    text: include_str!("loop_gate.v"),
};

impl LoopGate {
    /// Most exits of one gate.
    pub const MOST_EXITS: usize = 256;

    /// Bits of the count.
    fn count_bits(&self) -> u32 {
        32 - self.limit.leading_zeros()
    }

    /// Tokens that want to enter.
    pub const ENTRY_IN: Input<LoopGate> = Input::new(0, "entry_in");
    /// Tokens that have entered.
    pub const ENTRY_OUT: Output<LoopGate> = Output::new(0, "entry_out");

    /// Tokens that want to leave at an exit.
    pub const fn exit_in(exit: usize) -> Input<LoopGate> {
        Input::numbered(1 + exit, "exit_#_in", exit)
    }

    /// Tokens that have left at an exit.
    pub const fn exit_out(exit: usize) -> Output<LoopGate> {
        Output::numbered(1 + exit, "exit_#_out", exit)
    }
}

parameters! { UnitKind LoopGate { entry, exits, limit } }

impl UnitKind for LoopGate {
    fn check(&self) -> Result<(), String> {
        require(
            (1..=LoopGate::MOST_EXITS).contains(&self.exits.len()),
            "a gate has 1 to 256 exits",
        )?;
        require(
            (1..=DEEPEST).contains(&self.limit),
            "a gate lets 1 to a million tokens in",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Gate
    }

    fn module(&self) -> Module {
        let exits = self.exits.len();
        let left = (0..exits).map(|at| format!("exit_{at}_in_valid && exit_{at}_in_ready"));
        let mut body = format!(
            "    sluice_loop_gate #(.WIDTH({}), .EXITS({exits}), .LIMIT({})) gate (\n\
             \x20       .clk(clk), .rst(rst),\n\
             \x20       .entry_in_valid(entry_in_valid), .entry_in_ready(entry_in_ready), .entry_in(entry_in),\n\
             \x20       .entry_out_valid(entry_out_valid), .entry_out_ready(entry_out_ready), .entry_out(entry_out),\n\
             \x20       .left({})\n    );\n",
            self.entry.bits().max(1),
            self.limit,
            concatenate(left),
        );
        for (at, fields) in self.exits.iter().enumerate() {
            let (width, exit) = (fields.bits().max(1), format!("exit_{at}"));
            write!(
                body,
                "    sluice_buffer #(.WIDTH({width})) {exit} (\n\
                 \x20       .clk(clk), .rst(rst),\n\
                 \x20       .in_valid({exit}_in_valid), .in_ready({exit}_in_ready), .in({exit}_in),\n\
                 \x20       .out_valid({exit}_out_valid), .out_ready({exit}_out_ready), .out({exit}_out)\n    );\n"
            )
            .expect("strings take all text");
        }
        wrap(self, "sluice_loop_gate", &body, [buffer::SOURCE, SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        let entry = LoopGate::ENTRY_IN.carrying(self.entry.clone());
        let exits = self.exits.iter().enumerate();
        let exits = exits.map(|(at, fields)| LoopGate::exit_in(at).carrying(fields.clone()));
        std::iter::once(entry).chain(exits).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        let entry = LoopGate::ENTRY_OUT.carrying(self.entry.clone());
        let exits = self.exits.iter().enumerate();
        let exits = exits.map(|(at, fields)| LoopGate::exit_out(at).carrying(fields.clone()));
        std::iter::once(entry).chain(exits).collect()
    }

    fn origin(&self, output: usize) -> Origin {
        Origin::Input(output)
    }

    fn latency(&self) -> u32 {
        1
    }

    /// At the entry as at each exit.
    fn capacity(&self) -> u32 {
        self.limit.min(2)
    }

    fn area(&self) -> Area {
        let (count, exits) = (self.count_bits(), self.exits.len() as u32);
        let all = std::iter::once(&self.entry).chain(&self.exits);
        let buffers: Area = all.map(|fields| buffer::area(fields.bits().max(1))).sum();
        Area::of(
            "loop_gate",
            [
                ("units", 1),
                ("count bits", count),
                ("exit count bits", exits * count),
            ],
        ) + buffers
    }

    fn model(&self) -> Box<dyn Model> {
        assert!(
            (1..=LoopGate::MOST_EXITS).contains(&self.exits.len()),
            "1 to 256 exits"
        );
        assert!(self.limit > 0, "at least one token may enter");
        Box::new(Behaviour {
            limit: self.limit,
            mask: u32::MAX >> (32 - self.count_bits()),
            places: self.limit,
            is_open: true,
            next: vec![Next::default(); 1 + self.exits.len()],
        })
    }
}

struct Behaviour {
    limit: u32,
    mask: u32,
    /// For tokens that may come in.
    places: u32,
    /// Whether there is one.
    is_open: bool,
    /// By port, what stands behind the token at its head.
    next: Vec<Next>,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        (self.places, self.is_open) = (self.limit, true);
        for (port, next) in self.next.iter_mut().enumerate() {
            next.clear();
            io.accept(port, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let mut left = 0;
        for (port, next) in self.next.iter_mut().enumerate() {
            next.advance(io, port);
            if io.takes(port) {
                next.pass(io, port, port);
                left += u32::from(port != 0);
            }
        }
        let enters = io.takes(0);
        self.is_open = left > 0 || (self.is_open && !(enters && self.places == 1));
        let places = self.places + left;
        self.places = places.wrapping_sub(enters.into()) & self.mask;
        io.accept(0, self.is_open && self.next[0].has_room());
        for (port, exit) in self.next.iter().enumerate().skip(1) {
            io.accept(port, exit.has_room());
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let gate = |entry: &[u32], exits: &[&[u32]], limit| {
        let fields = |widths: &[u32]| Fields::new(widths.iter().copied());
        Box::new(LoopGate {
            entry: fields(entry),
            exits: exits.iter().map(|exit| fields(exit)).collect(),
            limit,
        }) as Box<dyn UnitKind>
    };
    vec![
        gate(&[8], &[&[8]], 1),
        gate(&[1, 64], &[&[33], &[], &[64, 64]], 5),
        gate(&[], &[&[1]], 16),
        gate(&[12], &[&[7], &[7]], 100),
    ]
}
