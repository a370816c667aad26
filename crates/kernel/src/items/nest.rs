//! Loops over the work-items of a group, or over the groups of a launch: one for each dimension in which there may be
//! several, the first dimension innermost. Each has at least one iteration, so the test is at the end, and what the body
//! computes last is there behind the loops.

use super::build::Builder;
use crate::ir::{BinaryOp, Block, InstData, Predicate, Type, Value};

/// Loops that are open.
pub(super) struct Nest {
    /// The iterations in each dimension; none if there is one.
    sizes: [Option<Value>; 3],
    /// The first blocks of the loops that there are.
    headers: [Option<Block>; 3],
    /// The present iteration in each dimension.
    pub(super) counters: [Value; 3],
    /// The number of the first iteration of the innermost loop: all iterations are numbered in their order.
    pub(super) row: Value,
}

impl Builder<'_> {
    /// Opens loops; what is added next is their body.
    pub(super) fn open(&mut self, sizes: [Option<Value>; 3]) -> Nest {
        let zero = self.constant(0, Type::I32);
        let mut nest = Nest {
            sizes,
            headers: [None; 3],
            counters: [zero; 3],
            row: zero,
        };
        for dim in (0..3).rev() {
            if dim == 0 {
                nest.row = self.row(&nest);
            }
            if sizes[dim].is_some() {
                let header = self.to.add_block();
                let counter = self.to.add_block_param(header, Type::I32);
                self.jump(header, [zero]);
                self.at = header;
                nest.headers[dim] = Some(header);
                nest.counters[dim] = counter;
            }
        }
        nest
    }

    /// The number of iterations before the present one in dimensions 1 and 2, times the size of dimension 0.
    fn row(&mut self, nest: &Nest) -> Value {
        let [x, y, _] = nest.sizes;
        let mut row = nest.counters[2];
        for (size, counter) in [(y, Some(nest.counters[1])), (x, None)] {
            if let Some(size) = size {
                row = self.product(row, size);
            }
            if let Some(counter) = counter {
                row = self.sum(row, counter);
            }
        }
        row
    }

    /// Closes loops; what is added next stands behind them.
    pub(super) fn close(&mut self, nest: &Nest) {
        for dim in 0..3 {
            let (Some(size), Some(header)) = (nest.sizes[dim], nest.headers[dim]) else {
                continue;
            };
            let one = self.constant(1, Type::I32);
            let args = [nest.counters[dim], one];
            let next = self.value(
                InstData::Binary {
                    op: BinaryOp::Add,
                    args,
                },
                Type::I32,
            );
            let again = InstData::Compare {
                pred: Predicate::Ult,
                args: [next, size],
            };
            let again = self.value(again, Type::BOOL);
            let behind = self.to.add_block();
            self.branch(again, [(header, vec![next]), (behind, Vec::new())]);
            self.at = behind;
        }
    }

    /// A sum of numbers of work-items.
    pub(super) fn sum(&mut self, a: Value, b: Value) -> Value {
        match (self.to.constant(a), self.to.constant(b)) {
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => {
                let args = [a, b];
                let op = BinaryOp::Add;
                self.value(InstData::Binary { op, args }, Type::I32)
            }
        }
    }

    /// A product of numbers of work-items.
    pub(super) fn product(&mut self, a: Value, b: Value) -> Value {
        match (self.to.constant(a), self.to.constant(b)) {
            (Some(0), _) | (_, Some(1)) => a,
            (_, Some(0)) | (Some(1), _) => b,
            _ => {
                let args = [a, b];
                let op = BinaryOp::Mul;
                self.value(InstData::Binary { op, args }, Type::I32)
            }
        }
    }
}
