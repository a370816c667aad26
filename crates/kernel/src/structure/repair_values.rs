//! Values whose definitions no longer dominate their uses: edges were redirected, and between the
//! two there are now blocks that can also be reached around the definition. The value becomes a
//! parameter of those blocks.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::analysis::{Cfg, Dominators};
use crate::ir::{Block, Inst, InstData, Kernel, Loc, Value, ValueDef};

/// Makes every definition dominate its uses again. On ways around a definition the value is zero.
pub(super) fn repair_values(kernel: &mut Kernel) {
    let cfg = Cfg::of(kernel);
    let dominators = Dominators::of(kernel, &cfg);
    let mut home: SecondaryMap<Inst, Option<Block>> = SecondaryMap::new();
    for (block, inst) in kernel.insts() {
        home[inst] = Some(block);
    }
    let definition = |kernel: &Kernel, value: Value| match kernel.def(value) {
        ValueDef::Result(inst, _) => home[inst].expect("verify: operands are in the layout"),
        ValueDef::Param(block, _) => block,
    };
    // The blocks that use a value which does not dominate them, by value.
    let mut broken: Vec<(Value, Block)> = Vec::new();
    for (block, inst) in kernel.insts() {
        for operand in kernel.inst(inst).operands() {
            if !dominators.dominates(definition(kernel, operand), block) {
                broken.push((operand, block));
            }
        }
    }
    broken.sort_unstable();
    broken.dedup();
    for uses in broken.chunk_by(|a, b| a.0 == b.0) {
        let value = uses[0].0;
        let defined = definition(kernel, value);
        let uses: Vec<Block> = uses.iter().map(|&(_, block)| block).collect();
        let around = blocks_around(&cfg, &dominators, defined, &uses);
        carry(kernel, &cfg, value, &around);
    }
}

/// The blocks from which the uses can be reached and which `defined` does not dominate.
fn blocks_around(
    cfg: &Cfg,
    dominators: &Dominators,
    defined: Block,
    uses: &[Block],
) -> BTreeSet<Block> {
    let mut around = BTreeSet::new();
    let mut work = uses.to_vec();
    while let Some(block) = work.pop() {
        if !dominators.dominates(defined, block) && around.insert(block) {
            work.extend(cfg.predecessors(block));
        }
    }
    around
}

/// Makes `value` a parameter of these blocks; in the entry block it is zero.
fn carry(kernel: &mut Kernel, cfg: &Cfg, value: Value, around: &BTreeSet<Block>) {
    let ty = kernel.ty(value);
    let name = kernel.value_name(value).map(String::from);
    let mut here: SecondaryMap<Block, Option<Value>> = SecondaryMap::new();
    let blocks: Vec<Block> = cfg.reverse_postorder().to_vec();
    let blocks: Vec<Block> = blocks
        .into_iter()
        .filter(|&b| around.contains(&b))
        .collect();
    for &block in &blocks {
        let stand_in = if block == kernel.entry() {
            let zero = kernel.make_inst(InstData::Const(0), &[ty], Loc::default());
            kernel.block_mut(block).insts.insert(0, zero);
            kernel.result(zero)
        } else {
            let param = kernel.add_block_param(block, ty);
            if let Some(name) = &name {
                kernel.set_value_name(param, name);
            }
            param
        };
        here[block] = Some(stand_in);
        for at in 0..kernel.block(block).insts.len() {
            let inst = kernel.block(block).insts[at];
            let replaced = |used| if used == value { stand_in } else { used };
            kernel.inst_mut(inst).map_operands(replaced);
        }
    }
    for &block in cfg.reverse_postorder() {
        let terminator = kernel.terminator(block);
        for target in kernel.inst_mut(terminator).targets_mut() {
            if here[target.block].is_some() {
                target.args.push(here[block].unwrap_or(value));
            }
        }
    }
}
