//! Liveness: which values a work-item carries from block to block.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::{Cfg, Uniform};
use crate::ir::{Block, Inst, InstData, Kernel, Value, ValueDef};
use crate::prepare::Cut;

/// The values that are live where blocks begin and end. Uniform values are live nowhere.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: SecondaryMap<Block, Vec<Value>>,
    live_out: SecondaryMap<Block, Vec<Value>>,
}

impl Liveness {
    /// The liveness of a verified kernel with this control-flow graph, in which `uniform` need not
    /// be carried.
    pub fn of(kernel: &Kernel, cfg: &Cfg, uniform: &Uniform) -> Liveness {
        Liveness::of_cut(kernel, cfg, uniform, &Cut::default())
    }

    /// The same for a kernel with loops that were taken apart.
    pub(crate) fn of_cut(kernel: &Kernel, cfg: &Cfg, uniform: &Uniform, cut: &Cut) -> Liveness {
        let mut home: SecondaryMap<Inst, Option<Block>> = SecondaryMap::new();
        for (block, inst) in kernel.insts() {
            home[inst] = Some(block);
        }
        let definition = |value| match kernel.def(value) {
            ValueDef::Result(inst, _) => home[inst].expect("verify: operands are in the layout"),
            ValueDef::Param(block, _) => block,
        };
        let slots = kernel.slots();
        let mut live: SecondaryMap<Block, EntitySet<Value>> = SecondaryMap::new();
        for (block, inst) in kernel.insts() {
            for operand in kernel.inst(inst).operands() {
                if !uniform.contains(operand) {
                    mark(cfg, &mut live, operand, definition(operand), block);
                }
            }
            if *kernel.inst(inst) == InstData::Return && !cut.ends.contains(&block) {
                for &value in &slots {
                    mark(cfg, &mut live, value, kernel.entry(), block);
                }
            }
        }
        for (&block, values) in &cut.kept {
            for &value in values.iter().filter(|&&it| !uniform.contains(it)) {
                mark(cfg, &mut live, value, definition(value), block);
            }
        }
        Liveness::from_sets(kernel, &live)
    }

    fn from_sets(kernel: &Kernel, live: &SecondaryMap<Block, EntitySet<Value>>) -> Liveness {
        let mut liveness = Liveness {
            live_in: SecondaryMap::new(),
            live_out: SecondaryMap::new(),
        };
        for &block in kernel.layout() {
            liveness.live_in[block] = live[block].iter().collect();
            let targets = kernel.successors(block).iter();
            let mut out: Vec<Value> = targets
                .flat_map(|target| live[target.block].iter())
                .collect();
            out.sort_unstable();
            out.dedup();
            liveness.live_out[block] = out;
        }
        liveness
    }

    /// The values that come into a block from those before it, besides its parameters: those that
    /// are used in it or behind it and defined elsewhere. In ascending order.
    pub fn live_in(&self, block: Block) -> &[Value] {
        &self.live_in[block]
    }

    /// The values that are live at the beginning of a successor, parameters left out. In ascending
    /// order.
    pub fn live_out(&self, block: Block) -> &[Value] {
        &self.live_out[block]
    }
}

/// Marks a value as live in all blocks from which control gets from its definition to a use in
/// `block`.
fn mark(
    cfg: &Cfg,
    live: &mut SecondaryMap<Block, EntitySet<Value>>,
    value: Value,
    definition: Block,
    block: Block,
) {
    let mut work = vec![block];
    while let Some(block) = work.pop() {
        if block != definition && live[block].insert(value) {
            work.extend(cfg.predecessors(block));
        }
    }
}
