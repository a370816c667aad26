//! A rejoin: collects the iterations of a loop whose iterations run independently and end in any
//! order.
//!
//! It counts the iterations that were issued and those that have ended. When all of a series have been
//! issued and as many have ended as were issued up to then, the series is done. Iterations may end
//! before it is seen here that they were issued; those of the next series may end early as well, but
//! only if none of this one's is still under way when they do: which series an ending iteration
//! belongs to is not told.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::{Source, concatenate, wrap};

/// The rejoin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejoin {
    /// By how many ways iterations end, 1 to 16.
    pub ended: usize,
    /// Bits of the count of iterations that are under way, 6 to 32: less than half of what they can
    /// count may be issued and not ended, or the other way round.
    pub bits: u32,
}

const SOURCE: Source = Source {
    file: "sluice_rejoin.v",
    text: include_str!("rejoin.v"),
};

const ISSUED: usize = Rejoin::ISSUED.index();
/// The first of the ports of iterations that have ended.
const ENDED: usize = Rejoin::ended(0).index();

impl Rejoin {
    /// Iterations that are issued, with one bit: 0 for the last one of a series, 1 for others.
    pub const ISSUED: Input<Rejoin> = Input::new(0, "issued");

    /// Iterations that have ended, by one of the ways.
    pub const fn ended(way: usize) -> Input<Rejoin> {
        Input::numbered(1 + way, "ended_#", way)
    }

    /// All iterations of a series have ended.
    pub const DONE: Output<Rejoin> = Output::new(0, "done");
}

parameters! { UnitKind Rejoin { ended, bits } }

impl UnitKind for Rejoin {
    fn check(&self) -> Result<(), String> {
        require(
            (1..=16).contains(&self.ended),
            "iterations end by 1 to 16 ways",
        )?;
        require((6..=32).contains(&self.bits), "a rejoin has 6 to 32 bits")
    }

    fn module(&self) -> Module {
        let each = |suffix: &str| {
            let ports = (0..self.ended).map(|at| format!("ended_{at}{suffix}"));
            concatenate(ports)
        };
        let body = format!(
            "    sluice_rejoin #(.ENDED({}), .BITS({})) rejoin (\n\
             \x20       .clk(clk), .rst(rst),\n\
             \x20       .issued_valid(issued_valid), .issued_ready(issued_ready), .more(issued),\n\
             \x20       .ended({}),\n\
             \x20       .done_valid(done_valid), .done_ready(done_ready)\n    );\n\
             \x20   assign {} = {{{}{{1'b1}}}};\n\
             \x20   assign done = 1'b0;\n    wire unused = &{{1'b0, {}}};\n",
            self.ended,
            self.bits,
            each("_valid"),
            each("_ready"),
            self.ended,
            each(""),
        );
        wrap(self, "sluice_rejoin", &body, [SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        let issued = Rejoin::ISSUED.carrying(Fields::new([1]));
        let ended = (0..self.ended).map(|at| Rejoin::ended(at).carrying(Fields::NONE));
        std::iter::once(issued).chain(ended).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Rejoin::DONE.carrying(Fields::NONE)]
    }

    /// What is missing is an iteration that has not ended.
    fn origin(&self, _: usize) -> Origin {
        Origin::Among(ENDED)
    }

    /// From the last iteration that ends.
    fn latency(&self) -> u32 {
        if self.ended == 1 { 2 } else { 3 }
    }

    /// The last iteration of a series: those of the next one are taken when its end has been taken.
    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        Area::of(
            "rejoin",
            [
                ("units", 1),
                ("ways", self.ended as u32),
                ("count bits", self.bits),
            ],
        )
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            ended: self.ended,
            bits: self.bits,
            open: 0,
            came: 0,
            is_complete: false,
        })
    }
}

struct Behaviour {
    ended: usize,
    bits: u32,
    /// Iterations that were issued, less those that have ended: a number of `bits` bits with a sign.
    open: i64,
    /// With several ways, the iterations that ended in the last cycle and are not counted yet.
    came: i64,
    /// Whether all iterations of the series have been issued.
    is_complete: bool,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        (self.open, self.came, self.is_complete) = (0, 0, false);
        for port in 0..=self.ended {
            io.accept(port, true);
        }
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let is_done = self.is_complete && self.open <= 0;
        if io.given(0) {
            self.is_complete = false;
        } else if is_done && !io.offering(0) {
            io.offer(0, &[]);
        }
        let ended = ENDED..ENDED + self.ended;
        let mut counted = ended.filter(|&port| io.takes(port)).count() as i64;
        if self.ended > 1 {
            std::mem::swap(&mut counted, &mut self.came);
        }
        let issued = io.taken(ISSUED).map(|token| token[0]);
        self.is_complete |= issued == Some(0);
        let open = self.open + i64::from(issued.is_some()) - counted;
        let unused = 64 - self.bits;
        self.open = open << unused >> unused;
        io.accept(ISSUED, !self.is_complete);
        let is_done = self.is_complete && self.open <= 0 && !io.offering(0);
        if self.came > 0 || is_done {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [(1, 32), (1, 20), (2, 24), (3, 16), (16, 32)]
        .map(|(ended, bits)| Box::new(Rejoin { ended, bits }) as Box<dyn UnitKind>)
        .into()
}
