//! Building a block's graph: dependences, levels of the accesses, then those of the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{BlockGraph, Level, Order, Span};
use super::memory_order::{Reduction, must_wait};
use super::place::{Carried, Operation, Origin, place};
use crate::analysis::{Liveness, Uniform, is_id};
use crate::ir::{Algebra, BinaryOp, Block, Inst, InstData, Kernel, ObjectKind, UnaryOp, Value};
use crate::prepare::Cut;

impl BlockGraph {
    /// The graph of a block of a prepared kernel.
    pub(super) fn of(
        kernel: &Kernel,
        block: Block,
        liveness: &Liveness,
        uniform: &Uniform,
        width: &dyn Fn(Value) -> u32,
        cut: &Cut,
    ) -> BlockGraph {
        let builder = Builder::new(kernel, block, liveness, uniform, cut);
        let levels = builder.levels(width);
        builder.graph(levels)
    }
}

/// The accesses of a block by level: each level's wait only for those of earlier ones. There is one more
/// level than accesses need, for what comes behind them.
pub(crate) fn access_levels(kernel: &Kernel, block: Block) -> Vec<Vec<Inst>> {
    let mut ready: BTreeMap<Value, usize> = BTreeMap::new();
    let mut levels: Vec<Vec<Inst>> = vec![Vec::new()];
    for &inst in &kernel.block(block).insts {
        let data = kernel.inst(inst);
        if matches!(data, InstData::Barrier(_)) || data.is_terminator() {
            continue;
        }
        let operands = data.operands();
        let operands = operands.iter().filter_map(|operand| ready.get(operand));
        let mut level = operands.copied().max().unwrap_or(0);
        if !data.is_pure() {
            let waits = |earlier: &&Inst| must_wait(kernel.inst(**earlier), data);
            let waits_for = levels
                .iter()
                .rposition(|level| level.iter().any(|it| waits(&it)));
            level = level.max(waits_for.map_or(0, |at| at + 1));
            if level + 1 == levels.len() {
                levels.push(Vec::new());
            }
            levels[level].push(inst);
            level += 1;
        }
        let results = kernel.results(inst).iter();
        ready.extend(results.map(|&result| (result, level)));
    }
    levels
}

/// Bits that may wait for a level if what takes long is done before it: behind an access it makes the
/// block longer.
const HASTE: u64 = 32;

/// Whether an instruction takes as long as a memory access on the chip, or longer.
fn is_slow(data: &InstData) -> bool {
    match data {
        InstData::Binary { op, .. } => {
            *op == BinaryOp::FDiv
                || matches!(
                    op.row().algebra,
                    Some(Algebra::Quotient(_) | Algebra::Remainder(_))
                )
        }
        InstData::Unary { op, .. } => *op == UnaryOp::FSqrt,
        InstData::Elementary { .. } => true,
        _ => false,
    }
}

/// An instruction of the block with its dependences.
struct Node {
    inst: Inst,
    is_access: bool,
    /// The nodes whose results it uses.
    operands: Vec<usize>,
    /// The nodes that it waits for though it uses no results, implied ones left out.
    waits: Vec<usize>,
    /// If it gives what the iteration before has computed: the node that computes it, if one of the block does.
    of_iteration_before: Option<usize>,
}

struct Builder<'k> {
    kernel: &'k Kernel,
    barrier: Option<Inst>,
    inputs: Vec<Value>,
    nodes: Vec<Node>,
    /// Which node gives a value; `None` for inputs.
    origin: BTreeMap<Value, Option<usize>>,
    users: BTreeMap<Value, Vec<usize>>,
    outputs: BTreeSet<Value>,
    /// Accesses that wait for another one of an earlier iteration, with that one.
    waits: Vec<(Inst, Inst)>,
}

impl<'k> Builder<'k> {
    fn new(
        kernel: &'k Kernel,
        block: Block,
        liveness: &Liveness,
        uniform: &Uniform,
        cut: &Cut,
    ) -> Self {
        let data = kernel.block(block);
        let params = data.params.iter().copied();
        let inputs: Vec<Value> = params
            .chain(liveness.live_in(block).iter().copied())
            .collect();
        let mut builder = Builder {
            kernel,
            barrier: None,
            origin: inputs.iter().map(|&value| (value, None)).collect(),
            inputs,
            nodes: Vec::new(),
            users: BTreeMap::new(),
            outputs: liveness.live_out(block).iter().copied().collect(),
            waits: cut
                .waits(block)
                .iter()
                .map(|it| (it.sink, it.source))
                .collect(),
        };
        let mut reduction = Reduction::new();
        let (&terminator, body) = data
            .insts
            .split_last()
            .expect("verify: there is a terminator");
        for (at, &inst) in body.iter().enumerate() {
            let results = kernel.results(inst);
            match kernel.inst(inst) {
                InstData::Barrier(_) => {
                    assert_eq!(at, 0, "split_at_barriers: a barrier begins its block");
                    builder.barrier = Some(inst);
                }
                data if is_id(data) => {
                    let is_entry = block == kernel.entry();
                    assert!(
                        is_entry,
                        "hoist_ids: work-item ids stand in the entry block"
                    );
                    builder.inputs.push(results[0]);
                    builder.origin.insert(results[0], None);
                }
                data if data.is_pure() && uniform.contains(results[0]) => {}
                _ => builder.add_node(inst, &mut reduction, uniform, cut),
            }
        }
        builder.close_recurrences(uniform, cut);
        let operands = kernel.inst(terminator).operands().into_iter();
        builder
            .outputs
            .extend(operands.filter(|&operand| !uniform.contains(operand)));
        if *kernel.inst(terminator) == InstData::Return && !cut.ends.contains(&block) {
            builder.outputs.extend(kernel.slots());
        }
        let kept = cut.kept.get(&block).into_iter().flatten().copied();
        builder
            .outputs
            .extend(kept.filter(|&it| !uniform.contains(it)));
        builder.drop_unneeded_inputs();
        builder
    }

    fn add_node(&mut self, inst: Inst, reduction: &mut Reduction, uniform: &Uniform, cut: &Cut) {
        let kernel = self.kernel;
        let at = self.nodes.len();
        let mut operands = Vec::new();
        let read = match cut.states.get(&inst) {
            Some(state) => vec![state.initial, state.begins.value()],
            None => kernel.inst(inst).operands().to_vec(),
        };
        for operand in read {
            if uniform.contains(operand) {
                continue;
            }
            let origin = self.origin.get(&operand);
            operands.extend(origin.expect("liveness: operands are defined here or live"));
            let users = self.users.entry(operand).or_default();
            if users.last() != Some(&at) {
                users.push(at);
            }
        }
        operands.sort_unstable();
        operands.dedup();
        let is_access = !kernel.inst(inst).is_pure();
        let nodes = &self.nodes;
        let waits = |earlier: usize| must_wait(kernel.inst(nodes[earlier].inst), kernel.inst(inst));
        let waits = match is_access {
            true => reduction.add(&operands, Some(&waits)),
            false => reduction.add(&operands, None),
        };
        for &result in kernel.results(inst) {
            self.origin.insert(result, Some(at));
        }
        self.nodes.push(Node {
            inst,
            is_access,
            operands,
            waits,
            of_iteration_before: None,
        });
    }

    /// Connects what iterations hand to the next one: it is used where the next one begins with it.
    fn close_recurrences(&mut self, uniform: &Uniform, cut: &Cut) {
        for at in 0..self.nodes.len() {
            let Some(state) = cut.states.get(&self.nodes[at].inst) else {
                continue;
            };
            if !uniform.contains(state.next) {
                let origin = self.origin.get(&state.next);
                self.nodes[at].of_iteration_before =
                    *origin.expect("liveness: what is handed on is defined here or live");
                let users = self.users.entry(state.next).or_default();
                if !users.contains(&at) {
                    users.push(at);
                }
            }
        }
    }

    fn drop_unneeded_inputs(&mut self) {
        let Builder {
            inputs,
            users,
            outputs,
            origin,
            ..
        } = self;
        inputs.retain(|value| users.contains_key(value) || outputs.contains(value));
        origin.retain(|value, from| from.is_some() || inputs.contains(value));
    }

    /// The level of each node.
    fn levels(&self, width: &dyn Fn(Value) -> u32) -> Vec<usize> {
        let earliest = self.earliest();
        let last = self.last(&earliest);
        let latest = self.latest(&earliest, last);
        let limits = earliest.iter().zip(&latest);
        let operations: Vec<Operation> = limits
            .zip(&self.nodes)
            .map(|((&earliest, &latest), node)| Operation {
                earliest,
                latest,
                haste: match is_slow(self.kernel.inst(node.inst)) {
                    true => HASTE,
                    false => 0,
                },
            })
            .collect();
        place(&operations, &self.carried(&earliest, width), last)
    }

    /// The level behind all accesses.
    fn last(&self, level: &[usize]) -> usize {
        let nodes = self.nodes.iter().zip(level);
        let accesses = nodes.filter(|(node, _)| node.is_access);
        accesses.map(|(_, level)| level + 1).max().unwrap_or(0)
    }

    /// The first possible level of each node; accesses stay there. What an iteration hands to the next one is
    /// kept in the level that computes it, or in a later one.
    fn earliest(&self) -> Vec<usize> {
        let mut earliest = vec![0; self.nodes.len()];
        self.raise(&mut earliest);
        for waiting in self.held_up(&earliest) {
            earliest[waiting] += 1;
        }
        self.raise(&mut earliest);
        earliest
    }

    /// Accesses of memory on the chip that wait for earlier iterations, and whose level has loads of buffers that do not:
    /// those would wait, too, and how long they take would be part of what iterations wait for.
    fn held_up(&self, earliest: &[usize]) -> Vec<usize> {
        let place = |inst: Inst| self.nodes.iter().position(|it| it.inst == inst);
        let waits = self.waits.iter().filter_map(|&(sink, source)| {
            let (sink, source) = (place(sink)?, place(source)?);
            (sink != source && earliest[source] >= earliest[sink]).then_some(sink)
        });
        let waiting: BTreeSet<usize> = waits.collect();
        let is_buffer = |at: usize| {
            let objects = self.kernel.inst(self.nodes[at].inst).objects();
            let mut objects = objects.into_iter().flat_map(|it| it.iter());
            objects.any(|it| matches!(self.kernel.objects[it].kind, ObjectKind::Buffer { .. }))
        };
        let is_free_load = |at: usize| {
            let data = self.kernel.inst(self.nodes[at].inst);
            matches!(data, InstData::Load { .. }) && is_buffer(at) && !waiting.contains(&at)
        };
        let has_free_load =
            |level: usize| (0..earliest.len()).any(|at| earliest[at] == level && is_free_load(at));
        let held_up = waiting
            .iter()
            .filter(|&&at| !is_buffer(at) && has_free_load(earliest[at]));
        held_up.copied().collect()
    }

    /// Raises levels until each node is behind what it needs.
    fn raise(&self, earliest: &mut Vec<usize>) {
        loop {
            let before = earliest.clone();
            for (at, node) in self.nodes.iter().enumerate() {
                let behind = |&at: &usize| earliest[at] + usize::from(self.nodes[at].is_access);
                let operands = node.operands.iter().chain(&node.waits);
                let operands = operands.chain(&node.of_iteration_before);
                let behind = operands.map(behind).max().unwrap_or(0);
                earliest[at] = earliest[at].max(behind);
            }
            if *earliest == before {
                return;
            }
            let deepest = earliest
                .iter()
                .max()
                .is_some_and(|&it| it <= self.nodes.len());
            assert!(deepest, "choose: no recurrence goes through an access");
        }
    }

    /// The last possible level of each node, with the accesses where they are.
    fn latest(&self, earliest: &[usize], last: usize) -> Vec<usize> {
        let mut latest = vec![last; self.nodes.len()];
        loop {
            let before = latest.clone();
            for (at, node) in self.nodes.iter().enumerate().rev() {
                if node.is_access {
                    latest[at] = earliest[at];
                }
                for &operand in node.operands.iter().chain(&node.of_iteration_before) {
                    latest[operand] = latest[operand].min(latest[at]);
                }
            }
            if latest == before {
                return latest;
            }
        }
    }

    fn carried(&self, earliest: &[usize], width: &dyn Fn(Value) -> u32) -> Vec<Carried> {
        let carried = self.origin.iter().map(|(value, &from)| Carried {
            bits: width(*value).into(),
            origin: match from {
                None => Origin::Fixed(0),
                Some(at) if self.nodes[at].is_access => Origin::Fixed(earliest[at] + 1),
                Some(at) => Origin::Pure(at),
            },
            users: self.users.get(value).cloned().unwrap_or_default(),
            is_output: self.outputs.contains(value),
        });
        carried.collect()
    }

    fn graph(self, level: Vec<usize>) -> BlockGraph {
        let last = self.last(&level);
        let mut levels = vec![Level::default(); last + 1];
        let mut order = Vec::new();
        for (node, &level) in self.nodes.iter().zip(&level) {
            match node.is_access {
                true => levels[level].memory.push(node.inst),
                false => levels[level].pure.push(node.inst),
            }
            order.extend(node.waits.iter().map(|&before| Order {
                before: self.nodes[before].inst,
                after: node.inst,
            }));
        }
        let values = self.spans(&level, last);
        BlockGraph {
            joins: self.joins(&level, &values, last),
            barrier: self.barrier,
            inputs: self.inputs,
            levels,
            order,
            outputs: self.outputs.into_iter().collect(),
            values,
        }
    }

    fn spans(&self, level: &[usize], last: usize) -> BTreeMap<Value, Span> {
        let span = |(&value, &from): (&Value, &Option<usize>)| {
            let users = self.users.get(&value).into_iter().flatten();
            let mut needs: Vec<usize> = users.map(|&user| level[user]).collect();
            if self.outputs.contains(&value) {
                needs.push(last);
            }
            needs.sort_unstable();
            needs.dedup();
            let is_access = |&at: &usize| self.nodes[at].is_access;
            let access = from.filter(is_access);
            let span = Span {
                from: from.map_or(0, |at| level[at] + usize::from(access.is_some())),
                needs,
                access: access.map(|at| self.nodes[at].inst),
            };
            (value, span)
        };
        self.origin.iter().map(span).collect()
    }

    /// For each access the first level that needs its results or has accesses that wait for it.
    fn joins(
        &self,
        level: &[usize],
        values: &BTreeMap<Value, Span>,
        last: usize,
    ) -> BTreeMap<Inst, usize> {
        let mut joins = BTreeMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            for &before in &node.waits {
                let join = joins.entry(self.nodes[before].inst).or_insert(last);
                *join = level[at].min(*join);
            }
            if node.is_access {
                joins.entry(node.inst).or_insert(last);
            }
        }
        for span in values.values() {
            if let (Some(access), Some(&first)) = (span.access, span.needs.first()) {
                let join = joins.entry(access).or_insert(last);
                *join = first.min(*join);
            }
        }
        joins
    }
}
