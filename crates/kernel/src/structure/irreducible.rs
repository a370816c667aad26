//! Cycles with several entries: where they are, and how that is told.

use std::fmt::{self, Display, Formatter};

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use crate::analysis::Cfg;
use crate::ir::{Block, Kernel, Loc};

/// Why a kernel has no control tree: these cycles have several entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Irreducible {
    /// The cycles, none inside another, in the order of their first blocks.
    pub cycles: Vec<TangledCycle>,
}

/// A cycle with several entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TangledCycle {
    /// The blocks that reach each other, in reverse postorder.
    pub blocks: Vec<Block>,
    /// Those that are entered from elsewhere, in reverse postorder.
    pub entries: Vec<Block>,
    /// Where each entry is in the source, as `file:line:column`, if that is known.
    pub places: Vec<Option<String>>,
}

impl Irreducible {
    /// The tangled cycles of a kernel.
    pub(super) fn of(kernel: &Kernel, cfg: &Cfg) -> Irreducible {
        let mut cycles = Vec::new();
        let mut work = vec![cfg.reverse_postorder().to_vec()];
        while let Some(blocks) = work.pop() {
            for cycle in components(kernel, &blocks) {
                let entries = entries(cfg, &cycle);
                if let [header] = entries[..] {
                    // What goes back to the header is a loop; its inside may be tangled.
                    let inside = cycle.into_iter().filter(|&block| block != header);
                    work.push(inside.collect());
                } else {
                    let places = entries.iter().map(|&entry| place(kernel, entry)).collect();
                    cycles.push(TangledCycle {
                        blocks: cycle,
                        entries,
                        places,
                    });
                }
            }
        }
        cycles.sort_by_key(|cycle| cfg.index(cycle.blocks[0]));
        Irreducible { cycles }
    }
}

impl Display for Irreducible {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, cycle) in self.cycles.iter().enumerate() {
            let newline = if at == 0 { "" } else { "\n" };
            write!(f, "{newline}the cycle of")?;
            list(&cycle.blocks, f)?;
            f.write_str(" is entered at")?;
            for (at, (entry, place)) in cycle.entries.iter().zip(&cycle.places).enumerate() {
                let comma = if at == 0 { "" } else { " and at" };
                write!(f, "{comma} {entry}")?;
                if let Some(place) = place {
                    write!(f, " ({place})")?;
                }
            }
        }
        Ok(())
    }
}

impl std::error::Error for Irreducible {}

fn list(blocks: &[Block], f: &mut Formatter<'_>) -> fmt::Result {
    for (at, block) in blocks.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(f, "{comma} {block}")?;
    }
    Ok(())
}

/// The first place in the source that a block's instructions tell.
fn place(kernel: &Kernel, block: Block) -> Option<String> {
    let locs = kernel
        .block(block)
        .insts
        .iter()
        .map(|&inst| kernel.loc(inst));
    let Loc { file, column, line } = locs.into_iter().find(|loc| loc.line != 0)?;
    let file = kernel.files.get(usize::from(file))?;
    Some(format!("{file}:{line}:{column}"))
}

/// The blocks of a cycle that are entered from outside.
fn entries(cfg: &Cfg, cycle: &[Block]) -> Vec<Block> {
    let inside: BTreeSet<Block> = cycle.iter().copied().collect();
    let is_entered = |&block: &Block| {
        let mut sources = cfg.predecessors(block).iter();
        sources.any(|&from| cfg.is_reachable(from) && !inside.contains(&from))
    };
    cycle.iter().copied().filter(is_entered).collect()
}

/// The strongly connected components with cycles of the graph of `blocks`, each in their order.
///
/// Path-based: `path` holds the blocks of the depth-first path that are not known to reach an
/// earlier one, `open` those that have no component yet.
fn components(kernel: &Kernel, blocks: &[Block]) -> Vec<Vec<Block>> {
    let mut order: SecondaryMap<Block, u32> = SecondaryMap::new();
    for (at, &block) in blocks.iter().enumerate() {
        order[block] = at as u32 + 1;
    }
    let mut number: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut closed: SecondaryMap<Block, bool> = SecondaryMap::new();
    let (mut next, mut open, mut path) = (0, Vec::new(), Vec::new());
    let mut components = Vec::new();
    for &root in blocks {
        let mut stack = if number[root] == 0 {
            vec![(root, 0)]
        } else {
            Vec::new()
        };
        while let Some((block, done)) = stack.last_mut() {
            let block = *block;
            if number[block] == 0 {
                next += 1;
                number[block] = next;
                open.push(block);
                path.push(block);
            }
            if let Some(target) = kernel.successors(block).get(*done) {
                *done += 1;
                let to = target.block;
                if order[to] != 0 && number[to] == 0 {
                    stack.push((to, 0));
                } else if order[to] != 0 && !closed[to] {
                    path.retain(|&earlier| number[earlier] <= number[to]);
                }
                continue;
            }
            stack.pop();
            if path.last() == Some(&block) {
                path.pop();
                let first = open.iter().position(|&other| other == block);
                let mut component = open.split_off(first.expect("a block on the path is open"));
                component.iter().for_each(|&member| closed[member] = true);
                component.sort_by_key(|&member| order[member]);
                let goes_round = |target: &crate::ir::BlockCall| target.block == block;
                if component.len() > 1 || kernel.successors(block).iter().any(goes_round) {
                    components.push(component);
                }
            }
        }
    }
    components
}
