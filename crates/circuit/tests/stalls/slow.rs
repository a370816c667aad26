//! A unit that takes its time.

use sluice_circuit::area::Area;
use sluice_circuit::sim::Io;
use sluice_circuit::text::Declared;
use sluice_circuit::unit::{Model, Module, Port, UnitKind};

use crate::circuits::byte;

/// A unit that passes a byte on every `period` cycles.
#[derive(Debug)]
pub struct Slow {
    pub period: u64,
}

impl Declared for Slow {
    fn word(&self) -> &'static str {
        "slow"
    }

    fn print_parameters(&self, _: &mut String) {}
}

impl UnitKind for Slow {
    fn module(&self) -> Module {
        unimplemented!("it is simulated only")
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Port::new("in", byte())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Port::new("out", byte())]
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        1
    }

    fn area(&self) -> Area {
        Area::default()
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(SlowModel {
            period: self.period,
            next: 0,
        })
    }
}

struct SlowModel {
    period: u64,
    next: u64,
}

impl Model for SlowModel {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if let Some(token) = io.taken(0) {
            let token = token.to_vec();
            io.offer(0, &token);
            self.next = io.cycle() + self.period;
        }
        let now = io.cycle() + 1;
        io.accept(0, now >= self.next && !io.offering(0));
        if now < self.next {
            io.wake(self.next - 1);
        }
    }
}
