//! Rejoin: collects the iterations of a loop that run as tokens of their own, in any order.
//!
//! It is told of each iteration that is issued, and whether more follow; when as many have ended as were issued, it
//! says so once. An iteration may end before this unit is told of it.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind, require};
use crate::verilog::Source;

/// The unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejoin {
    /// Bits of the number of iterations that are under way, 2 to 64.
    pub bits: u32,
}

const ISSUED: usize = Rejoin::ISSUED.index();
const ENDED: usize = Rejoin::ENDED.index();
const DONE: usize = Rejoin::DONE.index();

impl Rejoin {
    /// Iterations that were issued: whether more follow.
    pub const ISSUED: Input<Rejoin> = Input::new(0, "issued");
    /// Iterations that have ended.
    pub const ENDED: Input<Rejoin> = Input::new(1, "ended");
    /// All iterations of an execution of the loop have ended.
    pub const DONE: Output<Rejoin> = Output::new(0, "done");
}

parameters! { UnitKind Rejoin { bits } }

impl UnitKind for Rejoin {
    fn check(&self) -> Result<(), String> {
        require((2..=64).contains(&self.bits), "a rejoin has 2 to 64 bits")
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_rejoin".into(),
            parameters: vec![("BITS", self.bits.into())],
            sources: vec![Source {
                file: "sluice_rejoin.v",
                text: include_str!("rejoin.v"),
            }],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![
            Rejoin::ISSUED.carrying(Fields::new([1])),
            Rejoin::ENDED.carrying(Fields::NONE),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Rejoin::DONE.carrying(Fields::NONE)]
    }

    /// If it has none to give, iterations have not ended.
    fn origin(&self, _: usize) -> Origin {
        Origin::Among(ENDED)
    }

    fn latency(&self) -> u32 {
        2
    }

    /// An execution of the loop; iterations of the next one are counted when its end has been taken.
    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        // Not measured apart: a counter with one more input.
        Area::of("counter", [("units", 1), ("inputs", 2)])
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            mask: u64::MAX >> (64 - self.bits),
            under_way: 0,
            is_last_issued: false,
        })
    }
}

struct Behaviour {
    mask: u64,
    /// Modulo two to the power of the bits: negative while those have ended that it was not told of.
    under_way: u64,
    is_last_issued: bool,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.under_way = 0;
        self.is_last_issued = false;
        io.accept(ISSUED, true);
        io.accept(ENDED, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let is_complete = self.is_last_issued && self.under_way == 0;
        if is_complete && !io.offering(DONE) {
            self.is_last_issued = false;
            io.offer(DONE, &[]);
        }
        let issued = io.taken(ISSUED).map(|token| token[0]);
        if let Some(more) = issued {
            self.under_way = self.under_way.wrapping_add(1);
            self.is_last_issued = more == 0;
        }
        if io.takes(ENDED) {
            self.under_way = self.under_way.wrapping_sub(1);
        }
        self.under_way &= self.mask;
        io.accept(ISSUED, !self.is_last_issued && !io.offering(DONE));
        if self.is_last_issued && self.under_way == 0 && !io.offering(DONE) {
            io.wake(io.cycle() + 1);
        }
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [32, 8, 2, 64]
        .map(|bits| Box::new(Rejoin { bits }) as Box<dyn UnitKind>)
        .into()
}
