//! Random graphs of commands on queues without order, against a serial run of the same commands.
//!
//! Every command reads or writes buffers. What it has to wait for follows from the buffers; how it
//! waits (a wait list, a marker, a barrier, the order of a queue) is up to chance, as are further
//! waits, and user events that another thread ends while commands are still being enqueued.

mod plan;
mod run;

use plan::{Plan, Shape};
use run::Device;

/// Runs plans of a shape, each from its own seed; what they leave behind is what a serial run does.
fn check_graphs(shape: &Shape, seeds: std::ops::Range<u64>) {
    let device = Device::new();
    for seed in seeds {
        let plan = Plan::random(seed, shape);
        let found = device.run(&plan, seed);
        let expected = plan.serial();
        assert_eq!(found.statuses, expected.statuses, "seed {seed}: {plan:#?}");
        assert_eq!(found.reads, expected.reads, "seed {seed}: {plan:#?}");
        assert_eq!(found.buffers, expected.buffers, "seed {seed}: {plan:#?}");
    }
}

#[test]
fn wait_lists_alone_keep_the_order() {
    let shape = Shape {
        queues: vec![plan::Order::None],
        barriers: plan::Use::Never,
        ..Shape::usual()
    };
    check_graphs(&shape, 0..120);
}

#[test]
fn barriers_and_markers_keep_the_order() {
    let shape = Shape {
        queues: vec![plan::Order::None],
        ..Shape::usual()
    };
    check_graphs(&shape, 1000..1120);
}

#[test]
fn several_queues_of_both_kinds_keep_the_order() {
    let queues = vec![
        plan::Order::None,
        plan::Order::AsEnqueued,
        plan::Order::None,
    ];
    let shape = Shape {
        queues,
        ..Shape::usual()
    };
    check_graphs(&shape, 2000..2120);
}

#[test]
fn many_commands_wait_for_few() {
    let shape = Shape {
        commands: 120,
        buffers: 12,
        ..Shape::usual()
    };
    check_graphs(&shape, 3000..3020);
}

/// A user event that fails takes with it what waits for it, and nothing else.
#[test]
fn failures_spread_along_wait_lists() {
    let shape = Shape {
        queues: vec![plan::Order::None, plan::Order::None],
        barriers: plan::Use::Never,
        failures: plan::Use::Sometimes,
        ..Shape::usual()
    };
    check_graphs(&shape, 4000..4120);
}
