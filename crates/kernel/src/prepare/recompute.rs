//! Values that are computed again in the blocks that use them, where that takes less than carrying them
//! there: extensions, shifts by constants and addresses in memories on the chip are only wires, and an
//! adder costs less than the queues of several blocks.
//!
//! Carrying a bit costs registers and queues in each block that it passes, and a place per work-item at a
//! barrier. What is computed again needs its operands there: they are carried instead, if they are not
//! there anyway, or are computed again in turn.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntitySet, SecondaryMap};

use super::homes::{Homes, homes};
use super::pointers::Chain;
use crate::analysis::{Cfg, Dominators, Loops, Uniform, is_id};
use crate::ir::{
    Algebra, Block, Inst, InstData, Kernel, Loc, Object, ObjectKind, Type, Value, ValueDef,
};
use crate::passes::remove_dead_code;

/// Bits of a pointer into external memory, and into memory on the chip, about.
const EXTERNAL_BITS: u64 = 40;
const ON_CHIP_BITS: u64 = 12;

/// What a bit costs in a block that it passes, in look-up tables: a register or two, its share of a queue
/// and of a multiplexer.
const CARRIED_BIT: u64 = 3;

/// What a bit costs at a barrier in addition.
const WAITING_BIT: u64 = 12;

/// What a bit costs in addition where a loop goes back.
const LOOPING_BIT: u64 = 2;

/// What a bit of an adder costs, in look-up tables: one, and a register where it ends a cycle.
const ADDED_BIT: u64 = 2;

/// How much dearer an operation is in a loop that the value came into from outside: it makes each
/// iteration longer.
const IN_LOOP: u64 = 8;

/// Operations behind each other that are looked at.
const DEEPEST: u32 = 6;

/// Computes values again where that is cheaper than carrying them.
pub(super) fn recompute_cheap_values(kernel: &mut Kernel) {
    let home = homes(kernel);
    let chosen = choose(kernel, &home);
    if chosen.is_empty() {
        return;
    }
    for block in kernel.layout().to_vec() {
        let copies = Copies {
            kernel,
            home: &home,
            chosen: &chosen,
            block,
            made: BTreeMap::new(),
            insts: Vec::new(),
            loc: Loc::default(),
        };
        copies.rewrite();
    }
    let _ = remove_dead_code(kernel);
}

/// By value that is computed again: the operands that are computed again with it. The others are carried.
type Chosen = BTreeMap<Value, BTreeSet<Value>>;

/// The values to compute again. Those that are computed last come first: what they need may be computed
/// again in turn.
fn choose(kernel: &Kernel, home: &Homes) -> Chosen {
    let mut costs = Costs::of(kernel, home);
    let mut chosen = Chosen::new();
    let pure = kernel
        .insts()
        .filter(|&(_, inst)| kernel.inst(inst).is_pure());
    let values: Vec<Value> = pure.map(|(_, inst)| kernel.result(inst)).collect();
    for &value in values.iter().rev() {
        if costs.users[value].is_empty() || costs.uniform.contains(value) {
            continue;
        }
        let Some(again) = costs.computing(value, value, DEEPEST) else {
            continue;
        };
        let blocks: Vec<Block> = costs.live[value].iter().collect();
        if again.cost < costs.carrying(value, &blocks) {
            costs.replace(value, &again);
            chosen.insert(value, again.computed);
        }
    }
    chosen
}

/// What it takes to have a value in blocks that it does not come into.
#[derive(Default)]
struct Again {
    cost: u64,
    /// What is computed there.
    computed: BTreeSet<Value>,
    /// What is carried there for that.
    carried: Vec<Value>,
}

impl Again {
    fn add(&mut self, other: Again) {
        self.cost += other.cost;
        self.computed.extend(other.computed);
        self.carried.extend(other.carried);
    }
}

/// What operations and carried values cost.
struct Costs<'k> {
    kernel: &'k Kernel,
    home: &'k Homes,
    uniform: Uniform,
    loops: Loops,
    /// By block: what a bit costs that comes into it.
    passing: SecondaryMap<Block, u64>,
    /// By value: the blocks that it comes into.
    live: SecondaryMap<Value, EntitySet<Block>>,
    /// By value: the blocks that use it, except for its own.
    users: SecondaryMap<Value, EntitySet<Block>>,
}

impl<'k> Costs<'k> {
    fn of(kernel: &'k Kernel, home: &'k Homes) -> Costs<'k> {
        let cfg = Cfg::of(kernel);
        let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
        let mut costs = Costs {
            kernel,
            home,
            uniform: Uniform::of(kernel, &cfg),
            passing: passing(kernel, &loops),
            loops,
            live: SecondaryMap::new(),
            users: SecondaryMap::new(),
        };
        for (block, inst) in kernel.insts() {
            for operand in kernel.inst(inst).operands() {
                if home[operand] != Some(block) && !costs.uniform.contains(operand) {
                    costs.users[operand].insert(block);
                    costs.mark(&cfg, operand, block);
                }
            }
        }
        costs
    }

    /// Notes that a value comes into all blocks from which control gets from its definition to `block`.
    fn mark(&mut self, cfg: &Cfg, value: Value, block: Block) {
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            if self.home[value] != Some(block) && self.live[value].insert(block) {
                work.extend(cfg.predecessors(block));
            }
        }
    }

    /// What carrying a value through blocks costs.
    fn carrying(&self, value: Value, blocks: &[Block]) -> u64 {
        let passed: u64 = blocks.iter().map(|&block| self.passing[block]).sum();
        passed * carried_bits(self.kernel, value)
    }

    /// What it takes to compute a value where `user` is used; nothing if it cannot be computed again.
    fn computing(&self, user: Value, value: Value, depth: u32) -> Option<Again> {
        let data = self
            .kernel
            .def_inst(value)
            .filter(|data| data.is_pure() && !is_id(data))?;
        let bits = operator_bits(self.kernel, value, data)?;
        let home = self.home[value].expect("values have blocks");
        let operators = self.users[user]
            .iter()
            .map(|block| self.operator(bits, home, block));
        let mut again = Again {
            cost: operators.sum(),
            ..Again::default()
        };
        again.computed.insert(value);
        for operand in data.operands() {
            if !self.uniform.contains(operand) {
                again.add(self.having(user, operand, depth));
            }
        }
        Some(again)
    }

    /// What an operator costs in a block, whose result was computed in another one before.
    fn operator(&self, bits: u64, home: Block, block: Block) -> u64 {
        let entered = self.loops.innermost(block);
        let is_deeper = entered.is_some_and(|loop_| !self.loops.contains(loop_, home));
        bits * ADDED_BIT * if is_deeper { IN_LOOP } else { 1 }
    }

    /// What it takes to have a value where `user` is used: carried there, or computed there.
    fn having(&self, user: Value, value: Value, depth: u32) -> Again {
        let missing = self.live[user]
            .iter()
            .filter(|&block| !self.live[value].contains(block));
        let missing: Vec<Block> = missing.collect();
        let carried = Again {
            cost: self.carrying(value, &missing),
            carried: vec![value],
            ..Again::default()
        };
        if carried.cost == 0 || depth == 0 {
            return carried;
        }
        match self.computing(user, value, depth - 1) {
            Some(computed) if computed.cost < carried.cost => computed,
            _ => carried,
        }
    }

    /// Notes that a value is computed again, and what is carried for it.
    fn replace(&mut self, value: Value, again: &Again) {
        let live = std::mem::take(&mut self.live[value]);
        let users = std::mem::take(&mut self.users[value]);
        for &carried in &again.carried {
            self.live[carried].extend(live.iter());
            self.users[carried].extend(users.iter());
        }
    }
}

/// By block: what a bit costs that comes into it.
fn passing(kernel: &Kernel, loops: &Loops) -> SecondaryMap<Block, u64> {
    let mut passing = SecondaryMap::new();
    for &block in kernel.layout() {
        let first = kernel.block(block).insts[0];
        let waits = matches!(kernel.inst(first), InstData::Barrier(_));
        let loops = loops.iter().any(|(_, data)| data.header == block);
        passing[block] =
            CARRIED_BIT + u64::from(waits) * WAITING_BIT + u64::from(loops) * LOOPING_BIT;
    }
    passing
}

/// The bits of a value in a token, about: where pointers lie is not decided yet.
fn carried_bits(kernel: &Kernel, value: Value) -> u64 {
    match kernel.ty(value) {
        Type::Ptr(_) => match Chain::of(kernel, value).object(kernel) {
            Some(object) if is_on_chip(kernel, object) => ON_CHIP_BITS,
            _ => EXTERNAL_BITS,
        },
        other => other.bits().into(),
    }
}

fn is_on_chip(kernel: &Kernel, object: Object) -> bool {
    match kernel.objects[object].kind {
        ObjectKind::Private { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::LocalArg { .. }
        | ObjectKind::Table { .. } => true,
        ObjectKind::Buffer { .. } | ObjectKind::StructArg { .. } => false,
    }
}

/// Bits of the adder that computes a value, or of what costs as much; 0 for wires. `None` for what is
/// never computed again.
fn operator_bits(kernel: &Kernel, value: Value, data: &InstData) -> Option<u64> {
    use Algebra::*;
    let bits = u64::from(kernel.ty(value).bits());
    match *data {
        InstData::Cast { op, .. } if op.row().conversion.is_wiring() => Some(0),
        InstData::Binary { op, args } => match (op.row().algebra?, kernel.constant(args[1])) {
            (Shift(_) | And | Or | Xor, Some(_)) => Some(0),
            (Sum | Difference | And | Or | Xor, _) => Some(bits),
            (Shift(_) | Product | HighProduct(_) | Quotient(_) | Remainder(_) | Extreme(..), _) => {
                None
            }
        },
        InstData::PtrAdd { base, .. } => {
            let object = Chain::of(kernel, base).object(kernel);
            let is_base = matches!(kernel.def_inst(base), Some(InstData::Addr(_)));
            Some(match object {
                Some(object) if is_on_chip(kernel, object) && is_base => 0,
                Some(object) if is_on_chip(kernel, object) => ON_CHIP_BITS,
                _ => EXTERNAL_BITS,
            })
        }
        _ => None,
    }
}

/// Computes chosen values in a block.
struct Copies<'a> {
    kernel: &'a mut Kernel,
    home: &'a Homes,
    chosen: &'a Chosen,
    block: Block,
    made: BTreeMap<Value, Value>,
    insts: Vec<Inst>,
    /// Where what needs a value is in the source: blocks are named after their lines.
    loc: Loc,
}

impl Copies<'_> {
    fn rewrite(mut self) {
        for inst in std::mem::take(&mut self.kernel.block_mut(self.block).insts) {
            self.loc = self.kernel.loc(inst);
            let mut data = self.kernel.inst(inst).clone();
            data.map_operands(|value| self.here(value, None));
            *self.kernel.inst_mut(inst) = data;
            self.insts.push(inst);
        }
        self.kernel.block_mut(self.block).insts = self.insts;
    }

    /// A value in the block: itself, or computed again if it is chosen, or for one that is.
    fn here(&mut self, value: Value, for_: Option<&BTreeSet<Value>>) -> Value {
        let own = self.chosen.get(&value);
        let is_computed = own.is_some() || for_.is_some_and(|all| all.contains(&value));
        if self.home[value] == Some(self.block) || !is_computed {
            return value;
        }
        if let Some(&made) = self.made.get(&value) {
            return made;
        }
        let all = own.or(for_);
        let ValueDef::Result(inst, _) = self.kernel.def(value) else {
            unreachable!("parameters are not computed");
        };
        let ty = self.kernel.ty(value);
        let mut data = self.kernel.inst(inst).clone();
        data.map_operands(|operand| self.here(operand, all));
        let copy = self.kernel.make_inst(data, &[ty], self.loc);
        self.insts.push(copy);
        let made = self.kernel.result(copy);
        self.made.insert(value, made);
        made
    }
}
