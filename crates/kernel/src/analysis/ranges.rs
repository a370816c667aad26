//! Ranges: what is known of every integer value, whatever the launch.
//!
//! Facts flow forwards from constants, masks, extensions and work-item functions. A launch has at
//! most 2^32 - 1 work-items in each dimension, offset included ([`Launch::check`] refuses others),
//! so ids and sizes are below 2^32. Block parameters join what reaches them; loops are cut short by
//! widening, and counters get their bounds from the loop's exit test: see [`super::induction`].
//!
//! [`Launch::check`]: crate::launch::Launch::check

use cranelift_entity::SecondaryMap;
use sluice_circuit::operators::funnel::Direction;
use smallvec::SmallVec;

use super::demand::incoming;
use super::facts::Facts;
use super::induction::counter_bounds;
use super::{Cfg, Dominators, Loops, transfer};
use crate::ir::{
    BinaryOp, Block, Inst, InstData, Kernel, Query, TernaryAlgebra, TernaryOp, Type, Value,
    ValueDef,
};

/// How often a parameter's facts may grow before they are widened.
const GROWTHS: u32 = 3;
/// How often they may be widened before nothing is known.
const WIDENINGS: u32 = 6;
/// Rounds that follow the solution: each takes back some of what widening gave away.
const NARROWINGS: usize = 2;
/// Bounds of outer counters give bounds to inner ones: rounds of both together.
const ROUNDS: usize = 3;

/// What is known of every integer value of a kernel.
#[derive(Clone, Debug)]
pub struct Ranges {
    facts: SecondaryMap<Value, Option<Facts>>,
}

impl Ranges {
    /// Most work-items of a work-group, whatever the launch.
    pub const MOST_GROUP_ITEMS: u64 = u32::MAX as u64;

    /// The ranges of a kernel's values.
    pub fn of(kernel: &Kernel) -> Ranges {
        Ranges::within(kernel, Ranges::MOST_GROUP_ITEMS)
    }

    /// The ranges of a kernel's values in launches whose work-groups have at most `group_items`
    /// work-items.
    pub fn within(kernel: &Kernel, group_items: u64) -> Ranges {
        let cfg = Cfg::of(kernel);
        let dominators = Dominators::of(kernel, &cfg);
        let loops = Loops::of(kernel, &cfg, &dominators);
        let flow = Flow::of(kernel, group_items);
        let mut bounds = SecondaryMap::new();
        let mut ranges = solve(kernel, &cfg, &flow, &bounds);
        if loops.is_empty() {
            return ranges;
        }
        for _ in 0..ROUNDS {
            let found = counter_bounds(kernel, &cfg, &dominators, &loops, &ranges);
            let is_new = kernel.layout().iter().any(|&block| {
                let mut params = kernel.block(block).params.iter();
                params.any(|&param| found[param] != bounds[param])
            });
            if !is_new {
                break;
            }
            bounds = found;
            ranges = solve(kernel, &cfg, &flow, &bounds);
        }
        ranges
    }

    /// What is known of an integer value of the kernel, as it was when the ranges were computed.
    pub fn facts(&self, value: Value) -> Facts {
        self.facts[value].expect("every integer value of the kernel has facts")
    }

    /// Makes what is known of a value known of another one, which always equals it.
    pub(crate) fn copy(&mut self, from: Value, to: Value) {
        self.facts[to] = self.facts[from];
    }
}

/// Facts that hold for parameters, whatever reaches them.
pub(super) type Bounds = SecondaryMap<Value, Option<Facts>>;

/// Where values go, and where they come from.
struct Flow {
    /// Most work-items of a group.
    group_items: u64,
    /// The values that reach each block parameter.
    incoming: SecondaryMap<Value, Vec<Value>>,
    /// The blocks with operations on a value or parameters that it reaches, its own block aside.
    readers: SecondaryMap<Value, SmallVec<[Block; 2]>>,
}

impl Flow {
    fn of(kernel: &Kernel, group_items: u64) -> Flow {
        let mut readers: SecondaryMap<Value, SmallVec<[Block; 2]>> = SecondaryMap::new();
        let mut home: SecondaryMap<Value, Option<Block>> = SecondaryMap::new();
        for &block in Cfg::of(kernel).reverse_postorder() {
            for &param in &kernel.block(block).params {
                home[param] = Some(block);
            }
            for &inst in &kernel.block(block).insts {
                for &result in kernel.results(inst) {
                    home[result] = Some(block);
                }
                for_fact_operands(kernel.inst(inst), |operand| {
                    let list = &mut readers[operand];
                    if home[operand] != Some(block) && list.last() != Some(&block) {
                        list.push(block);
                    }
                });
                for target in kernel.inst(inst).targets() {
                    for &arg in &target.args {
                        if readers[arg].last() != Some(&target.block) {
                            readers[arg].push(target.block);
                        }
                    }
                }
            }
        }
        Flow {
            group_items,
            incoming: incoming(kernel),
            readers,
        }
    }
}

struct Solver<'k> {
    kernel: &'k Kernel,
    bounds: &'k Bounds,
    flow: &'k Flow,
    facts: SecondaryMap<Value, Option<Facts>>,
    growths: SecondaryMap<Value, u32>,
    /// The sweep that is under way, from 1, and the last one that changed each value's facts.
    sweep: u32,
    changed_in: SecondaryMap<Value, u32>,
    /// The blocks that nothing has changed for since they were last visited.
    is_clean: SecondaryMap<Block, bool>,
}

fn solve(kernel: &Kernel, cfg: &Cfg, flow: &Flow, bounds: &Bounds) -> Ranges {
    let mut solver = Solver {
        kernel,
        bounds,
        flow,
        facts: SecondaryMap::new(),
        growths: SecondaryMap::new(),
        sweep: 0,
        changed_in: SecondaryMap::new(),
        is_clean: SecondaryMap::new(),
    };
    while solver.sweep(cfg, Solver::grow) {}
    for _ in 0..NARROWINGS {
        for &block in cfg.reverse_postorder() {
            solver.is_clean[block] = kernel.block(block).params.is_empty();
        }
        if !solver.sweep(cfg, Solver::recompute) {
            break;
        }
    }
    solver.finish()
}

impl Solver<'_> {
    /// Goes once over what may have changed; says whether a parameter's facts have.
    fn sweep(&mut self, cfg: &Cfg, update: fn(&Self, Value, Facts) -> Facts) -> bool {
        let mut changed = false;
        self.sweep += 1;
        for &block in cfg.reverse_postorder() {
            if std::mem::replace(&mut self.is_clean[block], true) {
                continue;
            }
            for &param in &self.kernel.block(block).params {
                let Some(joined) = self.joined(param) else {
                    continue;
                };
                let new = Some(update(self, param, joined));
                if new != self.facts[param] {
                    self.growths[param] += 1;
                    self.set(param, new);
                    changed = true;
                }
            }
            for &inst in &self.kernel.block(block).insts {
                self.visit(inst);
            }
        }
        changed
    }

    fn set(&mut self, value: Value, facts: Option<Facts>) {
        self.facts[value] = facts;
        self.changed_in[value] = self.sweep;
        for &reader in &self.flow.readers[value] {
            self.is_clean[reader] = false;
        }
    }

    /// What all incoming values have in common, within the bounds.
    fn joined(&self, param: Value) -> Option<Facts> {
        if !self.kernel.ty(param).is_int() {
            return None;
        }
        let args = self.flow.incoming[param].iter();
        let joined = args.filter_map(|&arg| self.facts[arg]).reduce(Facts::or)?;
        Some(self.bounded(param, joined))
    }

    fn bounded(&self, param: Value, facts: Facts) -> Facts {
        self.bounds[param].map_or(facts, |bounds| facts.and(bounds))
    }

    /// The next step towards a solution from below.
    fn grow(&self, param: Value, joined: Facts) -> Facts {
        let Some(before) = self.facts[param] else {
            return joined;
        };
        let growths = self.growths[param];
        let grown = if growths <= GROWTHS {
            before.or(joined)
        } else if growths <= GROWTHS + WIDENINGS {
            before.widened(joined)
        } else {
            Facts::unknown(before.width())
        };
        // Bounds cut off what widening adds, but must not undo a step: facts only grow.
        self.bounded(param, grown).or(before)
    }

    /// A step down from a solution: what reaches the parameter, as now known.
    fn recompute(&self, _: Value, joined: Facts) -> Facts {
        joined
    }

    fn visit(&mut self, inst: Inst) {
        // Operands come before their uses: what changed in an earlier sweep has been seen.
        if self.sweep > 1 && !self.has_changed_operand(inst) {
            return;
        }
        for &result in self.kernel.results(inst) {
            let ty = self.kernel.ty(result);
            if !ty.is_int() {
                continue;
            }
            let new = self.inst_facts(inst, ty);
            if new != self.facts[result] {
                self.set(result, new);
            }
        }
    }

    /// Whether one of the operands that facts come from has changed in this sweep.
    fn has_changed_operand(&self, inst: Inst) -> bool {
        let mut has_changed = false;
        for_fact_operands(self.kernel.inst(inst), |operand| {
            has_changed |= self.changed_in[operand] == self.sweep;
        });
        has_changed
    }

    /// What is known of a result; nothing yet if nothing is known yet of an operand.
    fn inst_facts(&self, inst: Inst, ty: Type) -> Option<Facts> {
        let width = ty.bits();
        let unknown = Some(Facts::unknown(width));
        match *self.kernel.inst(inst) {
            InstData::Const(bits) => Some(Facts::constant(width, bits)),
            InstData::Query { query, dim } => {
                let most = self.flow.group_items;
                Some(query_facts(self.kernel, most, (query, dim), width))
            }
            InstData::Unary { op, arg } => Some(transfer::unary(op, &self.facts[arg]?)),
            InstData::Binary { op, args: [a, b] } => {
                Some(transfer::binary(op, &self.facts[a]?, &self.facts[b]?))
            }
            InstData::Ternary { op, args } => self.ternary(op, args, width),
            InstData::Select { cond, args: [a, b] } => match self.facts[cond]?.as_constant() {
                Some(1) => self.facts[a],
                Some(_) => self.facts[b],
                None => Some(self.facts[a]?.or(self.facts[b]?)),
            },
            InstData::Compare { pred, args: [a, b] } if self.kernel.ty(a).is_int() => {
                let outcome = transfer::compare(pred, &self.facts[a]?, &self.facts[b]?);
                outcome.map_or(unknown, |truth| Some(Facts::constant(1, truth.into())))
            }
            InstData::Cast { op, arg } if self.kernel.ty(arg).is_int() => {
                Some(transfer::cast(op, &self.facts[arg]?, width))
            }
            _ => unknown,
        }
    }

    /// What was never reached never runs: anything may be said of it.
    fn finish(mut self) -> Ranges {
        let mut complete = |value: Value| {
            let ty = self.kernel.ty(value);
            if ty.is_int() {
                self.facts[value].get_or_insert(Facts::unknown(ty.bits()));
            }
        };
        for &block in self.kernel.layout() {
            self.kernel
                .block(block)
                .params
                .iter()
                .for_each(|&value| complete(value));
            for &inst in &self.kernel.block(block).insts {
                self.kernel
                    .results(inst)
                    .iter()
                    .for_each(|&value| complete(value));
            }
        }
        Ranges { facts: self.facts }
    }

    /// A funnel shift by a constant is two shifts.
    fn ternary(&self, op: TernaryOp, [a, b, c]: [Value; 3], width: u32) -> Option<Facts> {
        use crate::ir::BinaryOp::{LShr, Or, Shl};
        let unknown = Some(Facts::unknown(width));
        let by = self.facts[c]?.as_constant();
        let amount = match (op.row().algebra, by) {
            (Some(TernaryAlgebra::FusedProduct) | None, _) | (_, None) => return unknown,
            (Some(TernaryAlgebra::Funnel(direction)), Some(by)) => match direction {
                Direction::Left => by % u64::from(width),
                Direction::Right => u64::from(width) - by % u64::from(width),
            },
        };
        if amount > width as u64 || Type::Int(width as u8).mask() < u64::from(width) {
            return unknown;
        }
        let by = |amount| Facts::constant(width, amount);
        let high = transfer::binary(Shl, &self.facts[a]?, &by(amount));
        let low = transfer::binary(LShr, &self.facts[b]?, &by(u64::from(width) - amount));
        Some(transfer::binary(Or, &high, &low))
    }
}

/// Shows `f` the operands that a result's facts come from.
fn for_fact_operands(data: &InstData, mut f: impl FnMut(Value)) {
    match data {
        InstData::Unary { arg, .. } | InstData::Cast { arg, .. } => f(*arg),
        InstData::Binary { args, .. } | InstData::Compare { args, .. } => {
            args.iter().for_each(|&arg| f(arg));
        }
        InstData::Ternary { args, .. } => args.iter().for_each(|&arg| f(arg)),
        InstData::Select { cond, args } => {
            f(*cond);
            args.iter().for_each(|&arg| f(arg));
        }
        InstData::Elementary { .. }
        | InstData::Const(_)
        | InstData::Arg { .. }
        | InstData::Addr(_)
        | InstData::Query { .. }
        | InstData::PtrAdd { .. }
        | InstData::InSpace { .. }
        | InstData::Load { .. }
        | InstData::Store { .. }
        | InstData::AtomicRmw { .. }
        | InstData::CmpXchg { .. }
        | InstData::Barrier(_)
        | InstData::Fence(_)
        | InstData::Printf { .. }
        | InstData::Jump(_)
        | InstData::Branch { .. }
        | InstData::Return => {}
    }
}

/// What a work-item function can return, in a result of `width` bits, if groups have at most
/// `group_items` work-items.
pub(super) fn query_facts(
    kernel: &Kernel,
    group_items: u64,
    query: (Query, u8),
    width: u32,
) -> Facts {
    let (query, dim) = query;
    let most = u64::from(u32::MAX);
    let required = kernel.work_group_size.required;
    let local = required.map(|size| u64::from(size[usize::from(dim)]).max(1));
    let groups = most / local.unwrap_or(1);
    // An id is less than a size; sizes are at least 1 because there is a work-item that asks.
    let (least, greatest) = match query {
        Query::GlobalId | Query::GlobalOffset => (0, most - 1),
        Query::GlobalSize => (1, most),
        Query::LocalId => (0, local.unwrap_or(group_items) - 1),
        Query::LocalSize => (local.unwrap_or(1), local.unwrap_or(group_items)),
        Query::GroupId => (0, groups.saturating_sub(1)),
        Query::NumGroups => (1, groups.max(1)),
        Query::WorkDim => (1, 3),
        Query::ItemSlot | Query::GroupSlot => return Facts::unknown(width),
    };
    if greatest > Type::Int(width as u8).mask() {
        return Facts::unknown(width);
    }
    Facts::unsigned(width, least, greatest)
}

impl Ranges {
    /// What is known of a value where these facts of other values hold in addition.
    pub(super) fn facts_given(
        &self,
        kernel: &Kernel,
        value: Value,
        given: &dyn Fn(Value) -> Option<Facts>,
    ) -> Facts {
        let known = self.facts(value);
        let known = given(value).map_or(known, |facts| known.and(facts));
        let ValueDef::Result(inst, _) = kernel.def(value) else {
            return known;
        };
        match *kernel.inst(inst) {
            // Bounds of loops are extended more often than anything else is done to them.
            InstData::Cast { op, arg } if kernel.ty(arg).is_int() => {
                let arg = self.facts_given(kernel, arg, given);
                known.and(transfer::cast(op, &arg, known.width()))
            }
            // Unrolled loops end so many iterations earlier.
            InstData::Binary {
                op: op @ (BinaryOp::Add | BinaryOp::Sub),
                args: [arg, by],
            } if kernel.constant(by).is_some() => {
                let arg = self.facts_given(kernel, arg, given);
                known.and(transfer::binary(op, &arg, &self.facts(by)))
            }
            _ => known,
        }
    }
}
