//! Segments whose tokens leave values for those behind them: the intervals between tokens, values as
//! the operations define them, and tokens that enter several times. That the Verilog does the same is
//! tested with all units.

#[path = "segment/reference.rs"]
mod reference;
#[path = "segment/traffic.rs"]
mod traffic;

use sluice_circuit::arith::{Format, mask};
use sluice_circuit::family::{ARRIA_10, FAMILIES};
use sluice_circuit::operators::Operator;
use sluice_circuit::operators::fadd::{Fadd, Sum};
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::segment::samples::{
    counted_loop, extremes, random_recurrence, shift_register, sums,
};
use sluice_circuit::units::segment::{Graph, InlineOp, Operand, Segment};

const TARGETS: [Target; 2] = [
    Target::ECP5,
    Target {
        family: &ARRIA_10,
        period: 5.0,
        grade: 1.0,
    },
];

fn interval(graph: Graph, target: &Target) -> u32 {
    Segment::schedule(graph, target).interval()
}

/// The registers of the float adder, and of these and the one that holds the sum.
fn adder_latency(target: &Target) -> u32 {
    let add = Fadd {
        format: Format::F32,
        sum: Sum::Add,
    };
    add.pipeline(target).latency()
}

#[test]
fn expressions_that_fit_a_cycle_have_an_interval_of_one() {
    for target in &TARGETS {
        assert_eq!(interval(counted_loop(), target), 1, "{target:?}");
        assert_eq!(interval(extremes(), target), 1, "{target:?}");
        assert_eq!(interval(shift_register(16), target), 1, "{target:?}");
    }
}

#[test]
fn sums_of_floats_wait_for_the_adder() {
    for target in &TARGETS {
        let alone = interval(sums(1), target);
        let latency = adder_latency(target);
        assert!(
            [latency, latency + 1].contains(&alone),
            "{alone}, {latency}"
        );
        for count in 1..=10 {
            let expected = alone.div_ceil(count as u32);
            assert_eq!(
                interval(sums(count), target),
                expected,
                "{count} on {target:?}"
            );
        }
    }
}
