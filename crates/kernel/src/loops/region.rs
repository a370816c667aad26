//! Regions without cycles that are entered at one block: they become straight-line code in which each
//! instruction is executed where it was.
//!
//! A block's condition is relative to its immediate dominator: the edges by which it is reached from
//! there. Where each path from the dominator goes through the block, it always holds. So conditions are no
//! longer than the nesting of branches.

use std::collections::HashMap;

use super::code::{Code, Condition};
use crate::ir::{Block, BlockCall, InstData, Kernel, Value};
use crate::passes::Renaming;

/// A region. Blocks are numbered in the order in which they can follow each other; the first is the entry.
pub(super) struct Region {
    blocks: Vec<Block>,
    /// The edges by which each block is reached within the region.
    incoming: Vec<Vec<Edge>>,
    /// The edges that leave the region or go back to its entry.
    outgoing: Vec<Edge>,
    /// Immediate dominators; the entry is its own.
    dominators: Vec<usize>,
    /// Whether every path from the immediate dominator out of the region goes through the block.
    is_certain: Vec<bool>,
}

/// An edge, by the block it comes from and the number of the target.
#[derive(Clone, Copy)]
struct Edge {
    from: usize,
    way: usize,
}

/// An edge out of a region that has become straight-line code.
pub(super) struct Outgoing {
    /// Where it goes to.
    pub(super) target: BlockCall,
    /// When it is taken, given that the region's entry was executed.
    pub(super) taken: Condition,
}

impl Region {
    /// The region of blocks in reverse postorder, of which the first is the only entry.
    pub(super) fn of(kernel: &Kernel, blocks: &[Block]) -> Region {
        let numbers: HashMap<Block, usize> = blocks
            .iter()
            .enumerate()
            .map(|(at, &block)| (block, at))
            .collect();
        let mut incoming = vec![Vec::new(); blocks.len()];
        let mut outgoing = Vec::new();
        for (from, &block) in blocks.iter().enumerate() {
            for (way, target) in kernel.successors(block).iter().enumerate() {
                match numbers.get(&target.block) {
                    Some(&to) if to > 0 => incoming[to].push(Edge { from, way }),
                    Some(_) | None => outgoing.push(Edge { from, way }),
                }
            }
        }
        let dominators = dominators(&incoming);
        let postdominators = postdominators(&incoming, &outgoing);
        let is_certain = (0..blocks.len())
            .map(|block| postdominates(&postdominators, block, dominators[block]))
            .collect();
        Region {
            blocks: blocks.to_vec(),
            incoming,
            outgoing,
            dominators,
            is_certain,
        }
    }
}

/// The immediate dominators of blocks in topological order.
fn dominators(incoming: &[Vec<Edge>]) -> Vec<usize> {
    let mut idom = vec![0; incoming.len()];
    for block in 1..incoming.len() {
        let sources = incoming[block].iter().map(|edge| edge.from);
        let common = sources.reduce(|a, b| meet(a, b, |it| idom[it], |a, b| a > b));
        idom[block] = common.expect("a block of a region is reached from its entry");
    }
    idom
}

/// The immediate postdominators; the number of blocks stands for the end.
fn postdominators(incoming: &[Vec<Edge>], outgoing: &[Edge]) -> Vec<usize> {
    let end = incoming.len();
    let mut successors = vec![Vec::new(); end];
    for (to, edges) in incoming.iter().enumerate() {
        edges.iter().for_each(|edge| successors[edge.from].push(to));
    }
    outgoing
        .iter()
        .for_each(|edge| successors[edge.from].push(end));
    let mut ipdom = vec![end; end + 1];
    for block in (0..end).rev() {
        let targets = successors[block].iter().copied();
        let common = targets.reduce(|a, b| meet(a, b, |it| ipdom[it], |a, b| a < b));
        // A block that ends the work-item is as good as one that leaves the region.
        ipdom[block] = common.unwrap_or(end);
    }
    ipdom
}

/// Where two ways up a tree meet. `is_farther` says whether the first block is farther from the root.
fn meet(
    mut a: usize,
    mut b: usize,
    up: impl Fn(usize) -> usize,
    is_farther: impl Fn(usize, usize) -> bool,
) -> usize {
    while a != b {
        match is_farther(a, b) {
            true => a = up(a),
            false => b = up(b),
        }
    }
    a
}

fn postdominates(ipdom: &[usize], block: usize, other: usize) -> bool {
    let mut at = other;
    while at < block {
        at = ipdom[at];
    }
    at == block
}

/// Writes the region as straight-line code that is executed if `under` holds. Parameters of its blocks,
/// except those of the entry, are renamed.
pub(super) fn linearise(
    code: &mut Code<'_>,
    region: &Region,
    under: Condition,
    renaming: &mut Renaming,
) -> Vec<Outgoing> {
    let mut writer = Writer {
        code,
        region,
        renaming,
        own: vec![None; region.blocks.len()],
    };
    for at in 0..region.blocks.len() {
        writer.block(at, under);
    }
    let edges = region.outgoing.iter();
    edges
        .map(|&edge| Outgoing {
            target: writer.target(edge),
            taken: writer.taken(edge, 0),
        })
        .collect()
}

struct Writer<'w, 'k> {
    code: &'w mut Code<'k>,
    region: &'w Region,
    renaming: &'w mut Renaming,
    /// The condition of each block, relative to its immediate dominator, once it was asked for.
    own: Vec<Option<Condition>>,
}

impl Writer<'_, '_> {
    fn block(&mut self, at: usize, under: Condition) {
        let block = self.region.blocks[at];
        if at > 0 {
            self.choose_params(at);
        }
        for inst in self.code.kernel.block(block).insts.clone() {
            if self.code.kernel.inst(inst).is_terminator() {
                continue;
            }
            let renaming = &*self.renaming;
            let data = self.code.kernel.inst_mut(inst);
            data.map_operands(|value| renaming.resolve(value));
            if let Some(&mut guard) = data.guard_mut() {
                self.code.loc = self.code.kernel.loc(inst);
                let executed = self.relative(at, 0);
                let executed = self.code.and(under, executed);
                let guard = self.code.and(executed, guard);
                let data = self.code.kernel.inst_mut(inst);
                *data.guard_mut().expect("it was there") = guard;
            }
            self.code.insts.push(inst);
        }
    }

    /// Renames the parameters of a block to what its edges bring.
    fn choose_params(&mut self, at: usize) {
        let edges = &self.region.incoming[at];
        let dominator = self.region.dominators[at];
        let targets: Vec<BlockCall> = edges.iter().map(|&edge| self.target(edge)).collect();
        let params = self
            .code
            .kernel
            .block(self.region.blocks[at])
            .params
            .clone();
        for (index, param) in params.into_iter().enumerate() {
            let args: Vec<Value> = targets.iter().map(|target| target.args[index]).collect();
            let mut chosen = *args.last().expect("a block is reached by some edge");
            for (&edge, &arg) in edges.iter().zip(&args).rev().skip(1) {
                if arg != chosen {
                    let taken = self.taken(edge, dominator);
                    chosen = self.code.select(taken, [arg, chosen]);
                }
            }
            self.renaming.replace(self.code.kernel, param, chosen);
        }
    }

    /// The target of an edge with renamed arguments.
    fn target(&self, edge: Edge) -> BlockCall {
        let mut target =
            self.code.kernel.successors(self.region.blocks[edge.from])[edge.way].clone();
        for arg in &mut target.args {
            *arg = self.renaming.resolve(*arg);
        }
        target
    }

    /// When an edge is taken, given that a block that dominates its source was executed.
    fn taken(&mut self, edge: Edge, given: usize) -> Condition {
        let executed = self.relative(edge.from, given);
        let terminator = self.code.kernel.terminator(self.region.blocks[edge.from]);
        let InstData::Branch { cond, .. } = *self.code.kernel.inst(terminator) else {
            return executed;
        };
        self.code.loc = self.code.kernel.loc(terminator);
        let cond = self.renaming.resolve(cond);
        let cond = match edge.way {
            0 => cond,
            _ => self.code.not(cond),
        };
        self.code.and(executed, Some(cond))
    }

    /// When a block is executed, given that one that dominates it was.
    fn relative(&mut self, at: usize, given: usize) -> Condition {
        if at == given {
            return None;
        }
        let dominator = self.region.dominators[at];
        let before = self.relative(dominator, given);
        let own = self.own(at);
        self.code.and(before, own)
    }

    fn own(&mut self, at: usize) -> Condition {
        if self.region.is_certain[at] {
            return None;
        }
        if let Some(own) = self.own[at] {
            return own;
        }
        let dominator = self.region.dominators[at];
        let edges = self.region.incoming[at].clone();
        let mut all = edges
            .into_iter()
            .map(|edge| self.taken(edge, dominator))
            .collect::<Vec<_>>()
            .into_iter();
        let first = all.next().expect("a block is reached by some edge");
        let own = all.fold(first, |any, taken| self.code.or(any, taken));
        self.own[at] = Some(own);
        own
    }
}
