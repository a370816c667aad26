//! Unroll hints that are not followed: those that would make a kernel too large are dropped, and some cannot be
//! followed by LLVM. The loop is then not unrolled, with a warning.

use std::collections::{HashMap, HashSet};

use crate::read::llvm::{Block, Module, Opcode, Value};
use crate::read::loops::{self, Unroll};
use crate::read::metadata::{Node, instruction_location};

/// How many instructions a kernel may have with the copies that unroll hints ask for.
const MAX_COPIES: u64 = 1 << 16;

/// A loop with a hint.
struct HintedLoop<'m> {
    latch: Block<'m>,
    header: Block<'m>,
    blocks: HashSet<Block<'m>>,
    /// The hint.
    unroll: Unroll,
    /// How many copies of the body it asks for.
    copies: u64,
}

/// Drops hints that ask for too many copies. Returns warnings in whole lines.
pub(crate) fn drop_excessive_hints(module: &inkwell::module::Module<'_>) -> String {
    let module = Module::between_passes(module);
    let mut warnings = String::new();
    for function in module.functions().filter(|function| function.is_kernel()) {
        let blocks: Vec<Block<'_>> = function.blocks().collect();
        if blocks.is_empty() {
            continue;
        }
        let mut hinted = hinted_loops(&blocks);
        // Inner loops first: their copies are in the bodies of outer ones.
        hinted.sort_by_key(|it| it.blocks.len());
        for at in 0..hinted.len() {
            let size = size_with_copies(&hinted[at].blocks, &hinted[..at]);
            if size.saturating_mul(hinted[at].copies) > MAX_COPIES {
                warnings += &hinted[at].drop_hint(size);
            }
        }
        warnings += &drop_largest(&blocks.into_iter().collect(), &mut hinted);
    }
    warnings
}

/// Warnings, in whole lines, for the hints that are still there when loops have been unrolled.
pub(crate) fn unfollowed_hints(module: &inkwell::module::Module<'_>) -> String {
    let module = Module::between_passes(module);
    let mut warnings = String::new();
    for function in module.functions().filter(|function| function.is_kernel()) {
        let blocks: Vec<Block<'_>> = function.blocks().collect();
        if blocks.is_empty() {
            continue;
        }
        for hinted in hinted_loops(&blocks) {
            match hinted.unroll {
                Unroll::Never | Unroll::By(0 | 1) => {}
                Unroll::Full | Unroll::By(_) => {
                    warnings += &format!(
                        "{}warning: LLVM does not unroll this loop as the hint asks\nhelp: a loop can be unrolled \
                         if its number of rounds is constant, or if it has one exit and no barrier\n",
                        hinted.location()
                    );
                }
            }
        }
    }
    warnings
}

/// Drops the hints of the largest loops: each may be small enough, but not all together.
fn drop_largest(blocks: &HashSet<Block<'_>>, hinted: &mut [HintedLoop<'_>]) -> String {
    let mut total = size_with_copies(blocks, hinted);
    let size = |at: usize| size_with_copies(&hinted[at].blocks, &hinted[..at]);
    let mut sizes: Vec<(u64, usize)> = (0..hinted.len()).map(|at| (size(at), at)).collect();
    sizes.retain(|&(_, at)| hinted[at].copies > 1);
    sizes.sort_by_key(|&(size, at)| size.saturating_mul(hinted[at].copies));
    let mut warnings = String::new();
    while total > MAX_COPIES
        && let Some((size, at)) = sizes.pop()
    {
        total = total.saturating_sub(size.saturating_mul(hinted[at].copies - 1));
        warnings += &hinted[at].drop_hint(size);
    }
    warnings
}

/// The instructions of blocks, those of loops with hints as often as the hints ask for.
fn size_with_copies(blocks: &HashSet<Block<'_>>, inner: &[HintedLoop<'_>]) -> u64 {
    let of_block = |block: &Block<'_>| {
        let around = inner.iter().filter(|it| it.blocks.contains(block));
        let copies = around.map(|it| it.copies);
        copies.fold(block.instructions().count() as u64, u64::saturating_mul)
    };
    blocks.iter().map(of_block).fold(0, u64::saturating_add)
}

fn hinted_loops<'m>(blocks: &[Block<'m>]) -> Vec<HintedLoop<'m>> {
    let mut predecessors: HashMap<Block<'m>, Vec<Block<'m>>> = HashMap::new();
    for &block in blocks {
        for successor in block.successors() {
            predecessors.entry(successor).or_default().push(block);
        }
    }
    let latches = blocks.iter().filter_map(|&block| {
        let unroll = loops::hint(block.terminator())?;
        Some((block, unroll))
    });
    let loop_of = |(latch, unroll): (Block<'m>, Unroll)| {
        let mut headers = latch.successors().into_iter();
        let (header, body) = headers.find_map(|header| {
            let body = natural_loop(header, latch, &predecessors)?;
            (!body.contains(&blocks[0]) || header == blocks[0]).then_some((header, body))
        })?;
        let mut hinted = HintedLoop {
            latch,
            header,
            blocks: body,
            unroll,
            copies: 1,
        };
        let trip_count = hinted.trip_count(&predecessors);
        hinted.copies = match unroll {
            Unroll::Never => 1,
            Unroll::Full => trip_count.unwrap_or(1),
            Unroll::By(count) => trip_count.unwrap_or(u64::MAX).min(count.into()),
        };
        Some(hinted)
    };
    latches.filter_map(loop_of).collect()
}

/// The blocks from which the latch is reached without passing the header, and the header.
fn natural_loop<'m>(
    header: Block<'m>,
    latch: Block<'m>,
    predecessors: &HashMap<Block<'m>, Vec<Block<'m>>>,
) -> Option<HashSet<Block<'m>>> {
    let mut blocks = HashSet::from([header]);
    let mut open = vec![latch];
    while let Some(block) = open.pop() {
        if blocks.insert(block) {
            open.extend(predecessors.get(&block)?);
        }
    }
    Some(blocks)
}

impl<'m> HintedLoop<'m> {
    /// The trip count, if the loop counts by a constant from a constant to a constant.
    fn trip_count(&self, predecessors: &HashMap<Block<'m>, Vec<Block<'m>>>) -> Option<u64> {
        let terminator = self.latch.terminator();
        let condition = (terminator.num_operands() > 1).then(|| terminator.operand(0))?;
        if condition.opcode()? != Opcode::LLVMICmp {
            return None;
        }
        let limit = condition.operand(1).as_int()?;
        let compared = condition.operand(0);
        let counter = match compared.opcode()? {
            Opcode::LLVMAdd => compared.operand(0),
            _ => compared,
        };
        if counter.opcode()? != Opcode::LLVMPHI || !self.header.phis().any(|phi| phi == counter) {
            return None;
        }
        let outside = predecessors[&self.header].iter();
        let mut outside = outside.filter(|block| !self.blocks.contains(block));
        let start = counter.incoming(*outside.next()?).as_int()?;
        let next: Value<'m> = counter.incoming(self.latch);
        let step = (next.opcode()? == Opcode::LLVMAdd)
            .then(|| next.operand(1))?
            .as_int()?;
        let distance = i128::from(limit) - i128::from(start);
        let count = distance.checked_div(step.into())?.unsigned_abs();
        u64::try_from(count)
            .ok()
            .map(|count| count.saturating_add(1))
    }

    /// Replaces the hint by `llvm.loop.unroll.disable`. Returns the warning.
    fn drop_hint(&mut self, size: u64) -> String {
        let warning = format!(
            "{}warning: this loop is not unrolled: with {} copies of its {size} instructions, the copies \
             in the kernel have more than {MAX_COPIES}\nhelp: ask for fewer copies\n",
            self.location(),
            self.copies
        );
        self.copies = 1;
        self.replace_hint();
        warning
    }

    /// The source location of the loop, as the start of a message.
    fn location(&self) -> String {
        let location = instruction_location(self.latch.terminator());
        location.map_or_else(String::new, |it| format!("{it}: "))
    }

    fn replace_hint(&self) {
        let Some(description) = Node::of_instruction(self.latch.terminator(), "llvm.loop") else {
            return;
        };
        for (at, property) in description.operands().into_iter().enumerate() {
            let is_hint = |property: Node<'_>| {
                let name = property.operand(0).and_then(Node::as_string);
                name.is_some_and(|name| name.starts_with("llvm.loop.unroll."))
            };
            if property.is_some_and(is_hint) {
                description.replace_operand(at, "llvm.loop.unroll.disable");
            }
        }
    }
}
