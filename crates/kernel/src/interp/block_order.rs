//! The order in which the scheduler prefers blocks: definitions before uses, and every loop in one
//! piece before what follows it, so that lanes that leave a loop early wait for the others.

use cranelift_entity::SecondaryMap;

use crate::{Kernel, ir::Block};

/// The reachable blocks, in that order.
pub(super) fn block_order(kernel: &Kernel) -> Vec<Block> {
    let mut inside: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in kernel.layout() {
        inside[block] = true;
    }
    let mut order = Vec::new();
    order_region(kernel, kernel.entry(), &inside, &mut order);
    order
}

/// Orders the blocks `inside` that `head` reaches. Without the edges back to its head a loop falls
/// apart into what it consists of; the recursion is as deep as loops are nested.
fn order_region(
    kernel: &Kernel,
    head: Block,
    inside: &SecondaryMap<Block, bool>,
    order: &mut Vec<Block>,
) {
    for component in components(kernel, head, inside) {
        if let [block] = component[..] {
            order.push(block);
            continue;
        }
        let mut loop_blocks = SecondaryMap::new();
        for &block in &component {
            loop_blocks[block] = true;
        }
        order_region(kernel, component[0], &loop_blocks, order);
    }
}

/// The strongly connected components of a region whose edges to `head` are left out, in topological
/// order; each begins with the block through which the search came into it (Tarjan's algorithm).
fn components(kernel: &Kernel, head: Block, inside: &SecondaryMap<Block, bool>) -> Vec<Vec<Block>> {
    let mut search = Search::default();
    let mut path = vec![(head, 0)];
    search.enter(head);
    while let Some((block, next)) = path.last_mut() {
        let block = *block;
        let targets = kernel.successors(block);
        // The second target first: it is finished first and so comes last, as a loop's exit should.
        let target = targets
            .len()
            .checked_sub(*next + 1)
            .map(|at| targets[at].block);
        *next += 1;
        match target {
            Some(target) if target == head || !inside[target] => {}
            Some(target) if search.number[target] == 0 => {
                search.enter(target);
                path.push((target, 0));
            }
            Some(target) if search.open[target] => {
                search.low[block] = search.low[block].min(search.number[target]);
            }
            Some(_) => {}
            None => {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    search.low[parent] = search.low[parent].min(search.low[block]);
                }
                search.leave(block);
            }
        }
    }
    search.found.reverse();
    search.found
}

#[derive(Default)]
struct Search {
    /// Order of discovery, from 1; 0 if not discovered.
    number: SecondaryMap<Block, u32>,
    /// The earliest open block that is reached from here.
    low: SecondaryMap<Block, u32>,
    open: SecondaryMap<Block, bool>,
    stack: Vec<Block>,
    count: u32,
    found: Vec<Vec<Block>>,
}

impl Search {
    fn enter(&mut self, block: Block) {
        self.count += 1;
        self.number[block] = self.count;
        self.low[block] = self.count;
        self.open[block] = true;
        self.stack.push(block);
    }

    fn leave(&mut self, block: Block) {
        if self.low[block] != self.number[block] {
            return;
        }
        let at = self.stack.iter().rposition(|&other| other == block);
        let component = self
            .stack
            .split_off(at.expect("an open block is on the stack"));
        for &member in &component {
            self.open[member] = false;
        }
        self.found.push(component);
    }
}
