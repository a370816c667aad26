//! If-conversion: the body of an innermost loop becomes one block, with the test at its end.
//!
//! Pure operations are executed in each iteration, accesses under the conditions of their blocks, and the
//! parameters of blocks are selected. An edge that leaves the loop ends the iteration: what follows it is
//! guarded, and whether it was taken decides whether there is another iteration. A pipelined loop then
//! has one path for all iterations.

use smallvec::SmallVec;

use super::code::{Code, Condition};
use super::region::{Outgoing, Region, linearise};
use super::rotate::{is_rotatable, rotate};
use super::{Refused, shape};
use crate::ir::{Block, BlockCall, InstData, Kernel, Loc, Value};
use crate::passes::Renaming;

/// Makes an innermost loop one block that goes back to itself where its branch has a 1. A loop that tests
/// at its start is [rotated](rotate()) first if it can be.
pub fn if_convert(kernel: &mut Kernel, header: Block) -> Result<(), Refused> {
    let data = shape::innermost(kernel, header)?;
    shape::check_conditional(kernel, &data.blocks)?;
    if data.exits.is_empty() {
        return Err(Refused::because("the loop has no exit"));
    }
    if data.blocks.len() > 1 && is_rotatable(kernel, &data).is_ok() {
        rotate(kernel, header)?;
    }
    let blocks = shape::innermost(kernel, header)?.blocks;
    let mut renaming = Renaming::new();
    let region = Region::of(kernel, &blocks);
    let loc = kernel.loc(kernel.terminator(*blocks.last().expect("a loop has blocks")));
    let mut code = Code::new(kernel);
    let edges = linearise(&mut code, &region, None, &mut renaming);
    let branch = close(&mut code, header, edges);
    let insts = std::mem::take(&mut code.insts);
    kernel.block_mut(header).insts = insts;
    kernel.append(header, branch, &[], loc);
    kernel.retain_blocks(|block| *block == header || !blocks.contains(block));
    renaming.apply(kernel);
    Ok(())
}

/// The branch at the end of an iteration that leaves by one of these edges.
fn close(code: &mut Code<'_>, header: Block, edges: Vec<Outgoing>) -> InstData {
    let (back, leave): (Vec<Outgoing>, Vec<Outgoing>) = edges
        .into_iter()
        .partition(|edge| edge.target.block == header);
    let again = match leave.len() < back.len() {
        true => {
            let left = any(code, &leave);
            let left = code.condition(left);
            code.not(left)
        }
        false => {
            let again = any(code, &back);
            code.condition(again)
        }
    };
    let next = merged(code, &back);
    let exit = exit(code, leave);
    InstData::Branch {
        cond: again,
        targets: [next, exit],
    }
}

/// When one of several edges is taken.
fn any(code: &mut Code<'_>, edges: &[Outgoing]) -> Condition {
    let conditions = edges.iter().map(|edge| edge.taken);
    let any = conditions.reduce(|any, taken| code.or(any, taken));
    any.expect("a loop goes back and can be left")
}

/// The one edge that stands for edges to one block, of which one is taken.
fn merged(code: &mut Code<'_>, edges: &[Outgoing]) -> BlockCall {
    let (last, others) = edges.split_last().expect("there is an edge");
    let mut target = last.target.clone();
    for (at, chosen) in target.args.iter_mut().enumerate() {
        // Edges that pass the same value are one; where it is the last one's, no condition is needed.
        let mut values: Vec<(Value, Condition)> = Vec::new();
        for edge in others.iter().filter(|it| it.target.args[at] != *chosen) {
            let arg = edge.target.args[at];
            match values.iter().position(|it| it.0 == arg) {
                Some(known) => values[known].1 = code.or(values[known].1, edge.taken),
                None => values.push((arg, edge.taken)),
            }
        }
        for (arg, taken) in values.into_iter().rev() {
            *chosen = code.select(taken, [arg, *chosen]);
        }
    }
    target
}

/// Where a loop goes that is left by one of these edges: if to several blocks, through new ones that choose.
fn exit(code: &mut Code<'_>, edges: Vec<Outgoing>) -> BlockCall {
    let mut groups: Vec<Vec<Outgoing>> = Vec::new();
    for edge in edges {
        let of_block = |group: &&mut Vec<Outgoing>| group[0].target.block == edge.target.block;
        match groups.iter_mut().find(of_block) {
            Some(group) => group.push(edge),
            None => groups.push(vec![edge]),
        }
    }
    let targets: Vec<BlockCall> = groups.iter().map(|group| merged(code, group)).collect();
    let mut taken: Vec<Value> = Vec::new();
    for group in &groups[..groups.len() - 1] {
        let any = any(code, group);
        taken.push(code.condition(any));
    }
    let mut targets = targets.into_iter().rev();
    let mut chosen = targets.next().expect("a loop can be left");
    for (cond, target) in taken.into_iter().rev().zip(targets) {
        let block = code.kernel.add_block();
        let branch = InstData::Branch {
            cond,
            targets: [target, chosen],
        };
        code.kernel.append(block, branch, &[], Loc::default());
        chosen = BlockCall {
            block,
            args: SmallVec::new(),
        };
    }
    chosen
}
