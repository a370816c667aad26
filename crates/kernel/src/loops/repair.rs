//! Values that have several definitions after blocks were copied: each use gets the one that reaches it, through
//! new block parameters where several do.
//!
//! The construction of Braun et al.: definitions are looked up backwards from each use.

use std::collections::HashMap;

use crate::analysis::Cfg;
use crate::ir::{Block, Kernel, Value};

/// Replaces the uses of `old`, outside of the blocks that define it, by the definition that reaches them. A
/// definition holds from the end of its block on; one of them is on every path to a use.
pub(super) fn redefine(kernel: &mut Kernel, old: Value, definitions: &[(Block, Value)]) {
    let is_defining = |block: Block| definitions.iter().any(|&(it, _)| it == block);
    let users: Vec<Block> = kernel
        .layout()
        .iter()
        .copied()
        .filter(|&block| !is_defining(block) && uses(kernel, block, old))
        .collect();
    if users.is_empty() {
        return;
    }
    let mut repair = Repair {
        cfg: Cfg::of(kernel),
        old,
        at_end: definitions.iter().copied().collect(),
        at_start: HashMap::new(),
        added: Vec::new(),
    };
    for block in users {
        let new = repair.at_start(kernel, block);
        for inst in kernel.block(block).insts.clone() {
            let data = kernel.inst_mut(inst);
            data.map_operands(|value| if value == old { new } else { value });
        }
    }
    drop_redundant(kernel, repair.added);
}

fn uses(kernel: &Kernel, block: Block, value: Value) -> bool {
    let mut insts = kernel.block(block).insts.iter();
    insts.any(|&inst| kernel.inst(inst).operands().contains(&value))
}

struct Repair {
    cfg: Cfg,
    old: Value,
    at_end: HashMap<Block, Value>,
    at_start: HashMap<Block, Value>,
    /// The parameters that were added.
    added: Vec<(Block, Value)>,
}

impl Repair {
    fn at_end(&mut self, kernel: &mut Kernel, block: Block) -> Value {
        match self.at_end.get(&block) {
            Some(&value) => value,
            None => self.at_start(kernel, block),
        }
    }

    fn at_start(&mut self, kernel: &mut Kernel, block: Block) -> Value {
        if let Some(&value) = self.at_start.get(&block) {
            return value;
        }
        let sources = self.cfg.predecessors(block).to_vec();
        if let [source] = sources[..] {
            let value = self.at_end(kernel, source);
            self.at_start.insert(block, value);
            return value;
        }
        assert!(!sources.is_empty(), "a definition is on every path");
        let param = kernel.add_block_param(block, kernel.ty(self.old));
        if let Some(name) = kernel.value_name(self.old).map(String::from) {
            kernel.set_value_name(param, &name);
        }
        self.at_start.insert(block, param);
        self.added.push((block, param));
        for source in sources {
            let value = self.at_end(kernel, source);
            let terminator = kernel.terminator(source);
            let targets = kernel.inst_mut(terminator).targets_mut().iter_mut();
            for target in targets.filter(|target| target.block == block) {
                target.args.push(value);
            }
        }
        param
    }
}

/// Drops those of the parameters that always hold one other value.
fn drop_redundant(kernel: &mut Kernel, mut params: Vec<(Block, Value)>) {
    while let Some((at, only)) = params
        .iter()
        .enumerate()
        .find_map(|(at, &(block, param))| Some((at, only_value(kernel, block, param)?)))
    {
        let (block, param) = params.swap_remove(at);
        let index = position(kernel, block, param);
        let mut kept = kernel.block(block).params.clone();
        kept.remove(index);
        kernel.set_block_params(block, kept);
        for source in kernel.layout().to_vec() {
            let terminator = kernel.terminator(source);
            let targets = kernel.inst_mut(terminator).targets_mut().iter_mut();
            for target in targets.filter(|target| target.block == block) {
                target.args.remove(index);
            }
        }
        kernel.map_operands(|value| if value == param { only } else { value });
    }
}

/// The value that all edges bring for a parameter, apart from itself.
fn only_value(kernel: &Kernel, block: Block, param: Value) -> Option<Value> {
    let index = position(kernel, block, param);
    let calls = kernel.layout().iter().flat_map(|&it| kernel.successors(it));
    let args = calls
        .filter(|call| call.block == block)
        .map(|call| call.args[index]);
    let mut others = args.filter(|&arg| arg != param);
    let first = others.next()?;
    others.all(|arg| arg == first).then_some(first)
}

fn position(kernel: &Kernel, block: Block, param: Value) -> usize {
    let mut params = kernel.block(block).params.iter();
    params
        .position(|&it| it == param)
        .expect("it is a parameter of the block")
}
