//! How often each block is executed, beside the header of the loop around it or the entry: by the part of
//! the ids for which branches are taken. A branch on anything else counts as taken both ways each time.

use cranelift_entity::SecondaryMap;

use super::{Cfg, Dominators, Ranges, is_id};
use crate::ir::{Block, InstData, Kernel, Value};
use crate::semantics;

/// Most ids that a condition is computed for.
const MOST_IDS: u64 = 1 << 12;

/// Most operations of a condition.
const MOST_OPERATIONS: u32 = 32;

/// How often blocks are executed.
#[derive(Clone, Debug)]
pub struct Frequencies {
    of: SecondaryMap<Block, f64>,
}

impl Frequencies {
    /// Those of a kernel's blocks. Heads, which headers of loops are at least, are executed once.
    pub fn of(kernel: &Kernel, ranges: &Ranges, is_head: impl Fn(Block) -> bool) -> Frequencies {
        let cfg = Cfg::of(kernel);
        let dominators = Dominators::of(kernel, &cfg);
        let mut of = SecondaryMap::with_default(0.0);
        for &block in cfg.reverse_postorder() {
            let arriving = cfg.predecessors(block).iter();
            let arriving = arriving.map(|&from| of[from] * part_of(kernel, ranges, from, block));
            of[block] = match dominators.idom(block) {
                Some(before) if !is_head(block) => f64::min(arriving.sum(), of[before]),
                _ => 1.0,
            };
        }
        Frequencies { of }
    }

    /// How often a block is executed: 1 at most.
    pub fn at(&self, block: Block) -> f64 {
        self.of[block]
    }
}

/// The part of the executions of a block after which another one comes.
fn part_of(kernel: &Kernel, ranges: &Ranges, from: Block, to: Block) -> f64 {
    let InstData::Branch { cond, targets } = kernel.inst(kernel.terminator(from)) else {
        return 1.0;
    };
    let is_target = [0, 1].map(|at| targets[at].block == to);
    match (part_of_ids(kernel, ranges, *cond), is_target) {
        (Some(part), [true, false]) => part,
        (Some(part), [false, true]) => 1.0 - part,
        _ => 1.0,
    }
}

/// The part of the ids for which a condition is 1, if it depends on one id alone.
fn part_of_ids(kernel: &Kernel, ranges: &Ranges, condition: Value) -> Option<f64> {
    let mut id = None;
    let mut operations = 0;
    find_id(kernel, condition, &mut id, &mut operations)?;
    let id = id?;
    let facts = ranges.facts(id);
    let ids = facts.umin()..=facts.umax();
    let count = facts.umax() - facts.umin() + 1;
    if count > MOST_IDS {
        return None;
    }
    let mut chosen = 0;
    for number in ids {
        chosen += evaluate(kernel, condition, id, number)?;
    }
    Some(chosen as f64 / count as f64)
}

/// Finds the id that a value is computed from; nothing if it is computed from anything else, too.
fn find_id(
    kernel: &Kernel,
    value: Value,
    id: &mut Option<Value>,
    operations: &mut u32,
) -> Option<()> {
    let data = kernel.def_inst(value)?;
    *operations += 1;
    if *operations > MOST_OPERATIONS || !data.is_pure() {
        return None;
    }
    if is_id(data) {
        return match *id {
            Some(known) if known != value => None,
            _ => {
                *id = Some(value);
                Some(())
            }
        };
    }
    let operands = data.operands();
    if operands.is_empty() && kernel.constant(value).is_none() {
        return None;
    }
    operands
        .iter()
        .try_for_each(|&operand| find_id(kernel, operand, id, operations))
}

/// A value that is computed from an id.
fn evaluate(kernel: &Kernel, value: Value, id: Value, number: u64) -> Option<u64> {
    if value == id {
        return Some(number);
    }
    if let Some(bits) = kernel.constant(value) {
        return Some(bits);
    }
    let operand = |value| evaluate(kernel, value, id, number);
    semantics::evaluate(kernel, kernel.def_inst(value)?, kernel.ty(value), operand)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    /// What comes of `b0: ... branch v9, b1, b2   b1: jump b2   b2: return` in groups of 256.
    fn frequencies(condition: &str) -> [f64; 3] {
        let text = format!(
            "kernel \"k\"\n{{\n\
             b0:\n\
             v0: i32 = local_id 0\nv1: i32 = local_id 1\nv2: i32 = const 64\nv3: i32 = const 7\nv4: i32 = const 0\n\
             {condition}\nbranch v9, b1, b2\n\
             b1:\njump b2\n\
             b2:\nreturn\n}}\n"
        );
        let kernel = parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        let frequencies = Frequencies::of(&kernel, &Ranges::within(&kernel, 256), |_| false);
        [0, 1, 2].map(|block| frequencies.at(Block::from_u32(block)))
    }

    #[test]
    fn a_comparison_of_an_id_takes_a_part_of_the_work_items() {
        assert_eq!(frequencies("v9: i1 = ult v0, v2"), [1.0, 0.25, 1.0]);
        assert_eq!(frequencies("v9: i1 = ule v2, v0"), [1.0, 0.75, 1.0]);
    }

    #[test]
    fn so_does_one_of_what_is_computed_from_an_id() {
        let eighth = "v5: i32 = and v0, v3\nv9: i1 = eq v5, v4";
        assert_eq!(frequencies(eighth), [1.0, 0.125, 1.0]);
    }

    #[test]
    fn other_conditions_may_always_hold() {
        assert_eq!(frequencies("v9: i1 = ult v0, v1"), [1.0, 1.0, 1.0]);
        let one_dimension = "v5: i32 = num_groups 0\nv9: i1 = ult v0, v5";
        assert_eq!(frequencies(one_dimension), [1.0, 1.0, 1.0]);
    }
}
