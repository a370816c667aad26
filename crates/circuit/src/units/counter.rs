//! The counter: when all work-items of a launch have arrived, it says so once.
//!
//! It takes work-items only from a start on and only as many as it was told, so that those of the
//! next launch wait for their own start. With several inputs, what comes in one cycle is summed in
//! that cycle and counted in the next one.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Port, Status, UnitKind, Wire, require};
use crate::verilog::{Source, concatenate, wrap};

/// The counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    /// By how many ways the work-items come, 1 to 16. If there are several, no more may come than
    /// those of the launch until its end has been given: the last ones may come together, all of
    /// them are taken, and so would be those of the cycle after them.
    pub inputs: usize,
    /// Bits of a launch's number of work-items, 8 to 64.
    pub bits: u32,
}

const SOURCE: Source = Source {
    file: "sluice_counter.v",
    text: include_str!("counter.v"),
};

const START: usize = Counter::START.index();
/// The first of the ports of work-items.
const ITEMS: usize = Counter::ended(0).index();

impl Counter {
    /// Starts of launches.
    pub const START: Input<Counter> = Input::new(0, "start");

    /// Work-items that have ended, from one of the datapaths.
    pub const fn ended(path: usize) -> Input<Counter> {
        Input::numbered(1 + path, "in_#", path)
    }

    /// All work-items of a launch have ended.
    pub const FINISHED: Output<Counter> = Output::new(0, "finished");
}

parameters! { UnitKind Counter { inputs, bits } }

impl UnitKind for Counter {
    fn check(&self) -> Result<(), String> {
        require(
            (1..=16).contains(&self.inputs),
            "a counter has 1 to 16 inputs",
        )?;
        require((8..=64).contains(&self.bits), "a counter has 8 to 64 bits")
    }

    fn module(&self) -> Module {
        let each = |suffix: &str| {
            let ports = (0..self.inputs).map(|at| format!("in_{at}{suffix}"));
            concatenate(ports)
        };
        let body = format!(
            "    sluice_counter #(.INPUTS({}), .BITS({})) count (\n\
             \x20       .clk(clk), .rst(rst), .total(total),\n\
             \x20       .start_valid(start_valid), .start_ready(start_ready),\n\
             \x20       .in_valid({}),\n        .in_ready({}),\n\
             \x20       .finished_valid(finished_valid), .finished_ready(finished_ready)\n    );\n\
             \x20   assign finished = 1'b0;\n    wire unused = &{{1'b0, start, {}}};\n",
            self.inputs,
            self.bits,
            each("_valid"),
            each("_ready"),
            each(""),
        );
        wrap(self, "sluice_counter", &body, [SOURCE])
    }

    fn inputs(&self) -> Vec<Port> {
        let start = Counter::START.carrying(Fields::NONE);
        let items = (0..self.inputs).map(|at| Counter::ended(at).carrying(Fields::NONE));
        std::iter::once(start).chain(items).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Counter::FINISHED.carrying(Fields::NONE)]
    }

    fn constants(&self) -> Vec<Wire> {
        let name = "total".into();
        vec![Wire { name, width: 64 }]
    }

    fn latency(&self) -> u32 {
        if self.inputs == 1 { 1 } else { 2 }
    }

    /// A start; the next one is taken when its end has been taken.
    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        Area::of(
            "counter",
            [
                ("units", 1),
                ("inputs", self.inputs as u32),
                ("bits beyond 32", self.bits.saturating_sub(32)),
            ],
        )
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            inputs: self.inputs,
            mask: u64::MAX >> (64 - self.bits),
            total: 0,
            remaining: 0,
            came: 0,
        })
    }
}

struct Behaviour {
    inputs: usize,
    mask: u64,
    total: u64,
    remaining: u64,
    /// With several inputs, those that came in the last cycle and are not counted yet.
    came: u64,
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.configure(constants);
        self.remaining = 0;
        self.came = 0;
        io.accept(START, true);
    }

    fn status(&self) -> Status {
        Status::Remaining(self.remaining)
    }

    fn configure(&mut self, constants: &[u64]) {
        self.total = constants[0] & self.mask;
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let starts = io.taken(START).is_some();
        if starts {
            self.remaining = self.total;
        }
        let items = ITEMS..ITEMS + self.inputs;
        let mut counted = items.clone().filter(|&port| io.takes(port)).count() as u64;
        if self.inputs > 1 {
            std::mem::swap(&mut counted, &mut self.came);
            if self.came > 0 {
                io.wake(io.cycle() + 1);
            }
        }
        let counts = starts || self.remaining > 0;
        self.remaining = self.remaining.saturating_sub(counted);
        if counts && self.remaining == 0 {
            io.offer(0, &[]);
        }
        for port in items {
            io.accept(port, self.remaining > 0);
        }
        io.accept(START, self.remaining == 0 && !io.offering(0));
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    // Several of one input, because each gets a total of its own.
    let samples = [(1, 64), (1, 32), (1, 8), (2, 32), (3, 64), (16, 33)]
        .map(|(inputs, bits)| Box::new(Counter { inputs, bits }) as Box<dyn UnitKind>);
    samples.into()
}
