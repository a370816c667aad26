//! For how many iterations a loop keeps what it has stored, so that a load whose address is only known late does not
//! wait for the stores of the iterations before.
//!
//! From a load to the store behind it, and from there to the load of a later iteration, it takes some cycles. As many
//! iterations are under way if one starts per cycle, and fewer if an operation between load and store takes longer
//! than that by itself.

use std::collections::BTreeMap;

use super::super::Refusal;
use super::choose::{LoopReport, Wait, Way, choose};
use super::convert::clean;
use crate::ir::{Algebra, BinaryOp, Inst, InstData, Kernel, ObjectKind, UnaryOp, Value};
use crate::loops::forward_recent_stores;
use crate::plan::{KernelPlan, LoopWay};

/// Cycles from a load to the load that may read what the store behind it has written, without what is computed
/// between: of memories on the chip, and of external memory if a cache has the line.
const ON_CHIP: u32 = 22;
const CACHED: u32 = 30;

/// Cycles between accesses that go through one port.
const ONE_PORT: u32 = 2;

/// Iterations of a window, at most.
const MOST_ITERATIONS: u32 = 32;

/// Gives windows to the loads of pipelined loops that wait for stores of iterations before.
pub(super) fn add_windows(kernel: &mut Kernel, plan: &KernelPlan) -> Result<(), Refusal> {
    let ways = choose(kernel, plan)?;
    let waits = ways.ways.iter().filter_map(|(&header, way)| match way {
        Way::Pipelined(waits) | Way::Speculative(waits) if !waits.is_empty() => Some(header),
        Way::Pipelined(_) | Way::Speculative(_) | Way::Parallel => None,
    });
    for header in waits {
        let mut changed = kernel.clone();
        let iterations = |kernel: &Kernel, load, stores: &[Inst]| {
            let estimate = iterations(kernel, plan, load, stores);
            u8::try_from(estimate).unwrap_or(u8::MAX)
        };
        if forward_recent_stores(&mut changed, header, iterations).is_err() {
            continue;
        }
        clean(&mut changed);
        let after = choose(&changed, plan)?;
        let is_pipelined = |it: &LoopReport| it.header == header && it.way == LoopWay::Pipelined;
        if after.reports.iter().any(is_pipelined)
            && shortest_flow(&changed, &after.ways[&header])
                > shortest_flow(kernel, &ways.ways[&header])
        {
            *kernel = changed;
        }
    }
    Ok(())
}

/// The fewest iterations between a store and a load that waits for it.
fn shortest_flow(kernel: &Kernel, way: &Way) -> u64 {
    let Some(waits) = way.waits() else {
        return u64::MAX;
    };
    let is_flow = |it: &&Wait| {
        let effects = [it.source, it.sink].map(|it| kernel.inst(it).access_effect());
        effects[0].is_some_and(|it| it.writes()) && effects[1].is_some_and(|it| it.reads())
    };
    let flows = waits.iter().filter(is_flow);
    flows.map(|it| it.distance).min().unwrap_or(u64::MAX)
}

/// How many iterations are under way between a load and the stores that it may read from.
fn iterations(kernel: &Kernel, plan: &KernelPlan, load: Inst, stores: &[Inst]) -> u32 {
    let is_on_chip = |object| match kernel.objects[object].kind {
        ObjectKind::Private { size } => size <= plan.figures.on_chip_bytes,
        ObjectKind::Local { .. } | ObjectKind::LocalArg { .. } => true,
        _ => false,
    };
    let objects = kernel.inst(load).objects();
    let is_on_chip = objects.is_some_and(|it| it.iter().all(is_on_chip));
    let (path, least) = match is_on_chip {
        true => (ON_CHIP, 1),
        false => (CACHED, ONE_PORT),
    };
    let [fastest, slowest] = computed_between(kernel, load, stores);
    let interval = fastest.max(least);
    let cycles = path + slowest;
    // The wait that is left is one iteration longer than the window.
    (cycles.div_ceil(interval) - 1).min(MOST_ITERATIONS)
}

/// Cycles that the operations from a load to one of the stores take, at least and at most. They are 0 if the stores do
/// not need what it reads.
fn computed_between(kernel: &Kernel, load: Inst, stores: &[Inst]) -> [u32; 2] {
    let mut ready: BTreeMap<Value, [u32; 2]> = BTreeMap::new();
    let results = kernel.results(load).iter();
    ready.extend(results.map(|&it| (it, [0; 2])));
    let last = |ready: &BTreeMap<Value, [u32; 2]>, values: &[Value]| {
        let times = values.iter().filter_map(|it| ready.get(it)).copied();
        times.reduce(|a, b| [a[0].max(b[0]), a[1].max(b[1])])
    };
    let mut blocks = kernel.layout().iter();
    let block = blocks.find(|&&it| kernel.block(it).insts.contains(&load));
    for &inst in &kernel.block(*block.expect("it is in a block")).insts {
        let data = kernel.inst(inst);
        if let Some(start) = last(&ready, &data.operands()) {
            let [fastest, slowest] = cycles(kernel, data);
            let done = [start[0] + fastest, start[1] + slowest];
            let results = kernel.results(inst).iter();
            ready.extend(results.map(|&it| (it, done)));
        }
    }
    let stored = stores.iter().flat_map(|&it| kernel.inst(it).operands());
    let stored: Vec<Value> = stored.collect();
    last(&ready, &stored).unwrap_or_default()
}

/// Cycles that an operation takes on any target, at least and at most, roughly: less than one is 0.
fn cycles(kernel: &Kernel, data: &InstData) -> [u32; 2] {
    const NOTHING: [u32; 2] = [0, 0];
    const FLOATS: [u32; 2] = [5, 10];
    const PRODUCT: [u32; 2] = [2, 5];
    const QUOTIENT: [u32; 2] = [12, 36];
    match data {
        InstData::Load { .. } | InstData::AtomicRmw { .. } | InstData::CmpXchg { .. } => {
            [0, ON_CHIP]
        }
        InstData::Elementary { .. } => QUOTIENT,
        InstData::Unary {
            op: UnaryOp::FSqrt, ..
        } => QUOTIENT,
        InstData::Ternary { args, .. } if kernel.ty(args[0]).is_float() => FLOATS,
        InstData::Binary { op, args } => match (op, op.row().algebra) {
            (BinaryOp::FDiv, _) | (_, Some(Algebra::Quotient(_) | Algebra::Remainder(_))) => {
                QUOTIENT
            }
            (BinaryOp::Mul, _) if kernel.constant(args[1]).is_some() => [0, PRODUCT[1]],
            (BinaryOp::Mul, _) => PRODUCT,
            _ if kernel.ty(args[0]).is_float() => FLOATS,
            _ => NOTHING,
        },
        _ => NOTHING,
    }
}
