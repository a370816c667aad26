//! Blocks, targets, definitions and hints: V1 to V6 and V28, and the way to the rules of each instruction.

use cranelift_entity::{EntitySet, SecondaryMap};

use super::operations::check_operation;
use super::{Check, Verifier, ensure};
use crate::analysis::{Cfg, Dominators};
use crate::ir::{Block, BlockCall, Coalesce, Inst, Kernel, LoopHints, Unroll, Value, ValueDef};

/// Where each instruction stands.
type Positions = SecondaryMap<Inst, Option<(Block, usize)>>;

impl Verifier<'_> {
    /// V1, V2, V28 and the first part of V4: what must hold for the control-flow graph to exist.
    pub fn check_shape(&mut self) {
        let kernel = self.kernel;
        let layout = layout_set(kernel);
        self.in_interface(check_not_empty(kernel));
        let mut seen: SecondaryMap<Inst, bool> = SecondaryMap::new();
        for &block in kernel.layout() {
            self.in_block(block, check_params(kernel, block));
            self.in_block(block, check_end(kernel, block));
            self.in_block(block, check_hints(&kernel.block(block).hints));
            for &inst in &kernel.block(block).insts {
                self.in_inst(block, inst, check_once(&mut seen, inst));
                self.in_inst(block, inst, check_not_inner(kernel, block, inst));
                for target in kernel.inst(inst).targets() {
                    self.in_inst(block, inst, check_in_layout(&layout, target));
                }
            }
        }
    }

    /// V3 and V5.
    pub fn check_graph(&mut self, cfg: &Cfg) {
        let kernel = self.kernel;
        self.in_block(kernel.entry(), check_entry(kernel, cfg));
        for &block in kernel.layout() {
            self.in_block(block, check_reachable(cfg, block));
        }
    }

    /// V6, then what depends on the operands' types.
    pub fn check_insts(&mut self, cfg: &Cfg, dominators: &Dominators) {
        let kernel = self.kernel;
        let mut positions = Positions::new();
        for &block in kernel.layout() {
            for (at, &inst) in kernel.block(block).insts.iter().enumerate() {
                positions[inst] = Some((block, at));
            }
        }
        let uses = Uses {
            kernel,
            dominators,
            positions,
            layout: layout_set(kernel),
        };
        for &block in kernel.layout() {
            for &param in &kernel.block(block).params {
                self.in_block(block, check_width(kernel, param));
            }
            for (at, &inst) in kernel.block(block).insts.iter().enumerate() {
                // In unreachable blocks nothing dominates: one error is enough there.
                if cfg.is_reachable(block) {
                    let check = uses
                        .check(inst, block, at)
                        .and_then(|()| check_typed(kernel, inst));
                    self.in_inst(block, inst, check);
                }
                self.in_inst(block, inst, check_loc(kernel, inst));
            }
        }
    }
}

fn layout_set(kernel: &Kernel) -> EntitySet<Block> {
    let mut set = EntitySet::new();
    for &block in kernel.layout() {
        set.insert(block);
    }
    set
}

fn check_not_empty(kernel: &Kernel) -> Check {
    ensure!(1, !kernel.layout().is_empty(), "the kernel has no blocks");
    Ok(())
}

fn check_end(kernel: &Kernel, block: Block) -> Check {
    let last = kernel.block(block).insts.last();
    let is_terminated = last.is_some_and(|&inst| kernel.inst(inst).is_terminator());
    ensure!(1, is_terminated, "the block does not end in a terminator");
    Ok(())
}

fn check_hints(hints: &LoopHints) -> Check {
    let lengths = hints.independence.iter().filter_map(|it| it.safe_length);
    let factor = match hints.unroll {
        Some(Unroll::By(factor)) => Some(factor),
        Some(Unroll::Full) | None => None,
    };
    let levels = match hints.coalesce {
        Some(Coalesce::Levels(levels)) => Some(levels),
        Some(Coalesce::All) | None => None,
    };
    let lowest = |numbers: &mut dyn Iterator<Item = u32>| numbers.min().unwrap_or(u32::MAX);
    ensure!(
        28,
        lowest(&mut hints.interval.into_iter().chain(levels)) >= 1,
        "a number in a hint is 0"
    );
    ensure!(
        28,
        lowest(&mut lengths.chain(factor)) >= 2,
        "a factor or safe length in a hint is less than 2"
    );
    Ok(())
}

fn check_not_inner(kernel: &Kernel, block: Block, inst: Inst) -> Check {
    let is_last = kernel.block(block).insts.last() == Some(&inst);
    ensure!(
        1,
        is_last || !kernel.inst(inst).is_terminator(),
        "the terminator is not the block's last instruction"
    );
    Ok(())
}

fn check_params(kernel: &Kernel, block: Block) -> Check {
    for (at, &param) in kernel.block(block).params.iter().enumerate() {
        ensure!(
            2,
            kernel.def(param) == ValueDef::Param(block, at as u32),
            "{param} is parameter {at} of {block} but does not know it"
        );
    }
    Ok(())
}

fn check_once(seen: &mut SecondaryMap<Inst, bool>, inst: Inst) -> Check {
    let was_seen = std::mem::replace(&mut seen[inst], true);
    ensure!(2, !was_seen, "the instruction stands in two places");
    Ok(())
}

fn check_in_layout(layout: &EntitySet<Block>, target: &BlockCall) -> Check {
    let block = target.block;
    ensure!(4, layout.contains(block), "{block} is not in the layout");
    Ok(())
}

fn check_entry(kernel: &Kernel, cfg: &Cfg) -> Check {
    let entry = kernel.entry();
    ensure!(
        3,
        kernel.block(entry).params.is_empty(),
        "the entry block has parameters"
    );
    if let Some(from) = cfg.predecessors(entry).first() {
        ensure!(3, false, "{from} goes to the entry block");
    }
    Ok(())
}

fn check_reachable(cfg: &Cfg, block: Block) -> Check {
    ensure!(5, cfg.is_reachable(block), "the block cannot be reached");
    Ok(())
}

/// What decides whether a use of a value is allowed.
struct Uses<'k> {
    kernel: &'k Kernel,
    dominators: &'k Dominators,
    positions: Positions,
    layout: EntitySet<Block>,
}

impl Uses<'_> {
    /// V6 for the operands of the instruction that stands at `at` in `block`.
    fn check(&self, inst: Inst, block: Block, at: usize) -> Check {
        for value in self.kernel.inst(inst).operands() {
            let Some((def_block, def_at)) = self.definition(value) else {
                ensure!(6, false, "{value} is not defined in the layout");
                continue;
            };
            let comes_first = match def_block == block {
                true => def_at.is_none_or(|def_at| def_at < at),
                false => self.dominators.dominates(def_block, block),
            };
            ensure!(
                6,
                comes_first,
                "the definition of {value} in {def_block} does not dominate this use"
            );
        }
        Ok(())
    }

    /// The block that defines a value, and the position there unless it is a parameter.
    fn definition(&self, value: Value) -> Option<(Block, Option<usize>)> {
        let kernel = self.kernel;
        if value.as_u32() as usize >= kernel.num_values() {
            return None;
        }
        match kernel.def(value) {
            ValueDef::Result(inst, _) => {
                let (block, at) = self.positions[inst]?;
                Some((block, Some(at)))
            }
            ValueDef::Param(block, at) => {
                let is_param = kernel.block(block).params.get(at as usize) == Some(&value);
                (is_param && self.layout.contains(block)).then_some((block, None))
            }
        }
    }
}

/// V7 to V21 and the second part of V4, for an instruction whose operands are defined.
fn check_typed(kernel: &Kernel, inst: Inst) -> Check {
    let data = kernel.inst(inst);
    for &result in kernel.results(inst) {
        check_width(kernel, result)?;
    }
    for value in data.operands() {
        check_width(kernel, value)?;
    }
    for target in data.targets() {
        check_block_args(kernel, target)?;
    }
    check_operation(kernel, inst)
}

fn check_width(kernel: &Kernel, value: Value) -> Check {
    let ty = kernel.ty(value);
    let exists = (1..=64).contains(&ty.bits());
    ensure!(7, exists, "{value} has the type {ty}");
    Ok(())
}

fn check_block_args(kernel: &Kernel, target: &BlockCall) -> Check {
    let block = target.block;
    let params = &kernel.block(block).params;
    let (want, got) = (params.len(), target.args.len());
    ensure!(4, want == got, "{block} has {want} parameters, not {got}");
    for (&param, &arg) in params.iter().zip(&target.args) {
        let (want, got) = (kernel.ty(param), kernel.ty(arg));
        ensure!(
            4,
            want == got,
            "parameter {param} of {block} is {want}, argument {arg} is {got}"
        );
    }
    Ok(())
}

fn check_loc(kernel: &Kernel, inst: Inst) -> Check {
    let loc = kernel.loc(inst);
    let is_known = loc.line == 0 || usize::from(loc.file) < kernel.files.len();
    ensure!(25, is_known, "the kernel has no file {}", loc.file);
    Ok(())
}
