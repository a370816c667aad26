//! Strides: how far the addresses of neighbouring lanes are apart, and what the first lane's is a multiple of.
//!
//! Arithmetic of one width keeps strides, modulo two to the power of the width. A value that is made wider keeps
//! its stride if no lane's has wrapped, or if one that has would lead to a negative distance from
//! its object, which is out of bounds.

use super::divergence::{Divergence, Flow};
use crate::analysis::Ranges;
use crate::ir::{BinaryOp, Block, CastOp, InstData, Kernel, ObjectKind, Query, Type, Value};

/// What is known of a value in the lanes of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stride {
    /// From a lane to the next one.
    pub(super) by: i64,
    /// Low bits of the first lane's value that are surely zero.
    pub(super) zeros: u32,
    /// When the lanes are that far apart.
    holds: Holds,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    Always,
    /// As signed numbers, unless a lane's is very negative.
    UnlessNegative,
}

/// Strides of a kernel's values.
pub(super) struct Strides<'a> {
    kernel: &'a Kernel,
    flow: &'a Flow,
    divergence: &'a Divergence,
    ranges: Ranges,
    lanes: i64,
}

/// The alignment of what the host places, as a power of two.
const PLACED_ZEROS: u32 = 7;

/// Operations that are looked through, at most.
const DEEPEST: u32 = 24;

/// Constants beyond this could make a very negative distance positive.
const FAR: i64 = 1 << 24;

impl<'a> Strides<'a> {
    pub(super) fn of(
        kernel: &'a Kernel,
        flow: &'a Flow,
        divergence: &'a Divergence,
        lanes: u32,
    ) -> Strides<'a> {
        Strides {
            kernel,
            flow,
            divergence,
            ranges: Ranges::of(kernel),
            lanes: lanes.into(),
        }
    }

    /// The stride of an address that a block uses, if it is known.
    pub(super) fn address(&self, block: Block, ptr: Value) -> Option<Stride> {
        self.value(block, ptr, DEEPEST)
    }

    fn value(&self, block: Block, value: Value, depth: u32) -> Option<Stride> {
        let data = self.kernel.def_inst(value);
        if let (Some(InstData::PtrAdd { base, offset }), Some(depth)) = (data, depth.checked_sub(1))
        {
            return self.moved(block, *base, *offset, depth);
        }
        if let Some(InstData::Addr(object)) = data {
            let zeros = match self.kernel.objects[*object].kind {
                ObjectKind::Buffer { .. } => PLACED_ZEROS,
                _ => self.kernel.objects[*object].align.trailing_zeros(),
            };
            return self.uniform(block, value, zeros);
        }
        if !self.divergence.varies_at(self.flow, value, block) {
            let zeros = match self.kernel.ty(value) {
                Type::Int(_) => self.trailing_zeros(value),
                _ => 0,
            };
            return self.uniform(block, value, zeros);
        }
        let depth = depth.checked_sub(1)?;
        match *data? {
            InstData::Query {
                query: Query::GlobalId | Query::LocalId,
                dim: 0,
            } => Some(Stride {
                by: 1,
                zeros: (self.lanes as u64).trailing_zeros(),
                holds: Holds::Always,
            }),
            InstData::Binary { op, args: [a, b] } => self.binary(block, op, a, b, depth),
            InstData::Cast { op, arg } => self.cast(block, op, arg, depth),
            _ => None,
        }
    }

    fn uniform(&self, block: Block, value: Value, zeros: u32) -> Option<Stride> {
        let is_uniform = !self.divergence.varies_at(self.flow, value, block);
        is_uniform.then_some(Stride {
            by: 0,
            zeros,
            holds: Holds::Always,
        })
    }

    fn trailing_zeros(&self, value: Value) -> u32 {
        let facts = self.ranges.facts(value);
        match facts.as_constant() {
            Some(0) => u64::BITS,
            _ => facts.trailing_zeros(),
        }
    }

    fn binary(&self, block: Block, op: BinaryOp, a: Value, b: Value, depth: u32) -> Option<Stride> {
        let first = a;
        let a = self.value(block, a, depth)?;
        let other = self.value(block, b, depth)?;
        let constant = self.signed_constant(b);
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let by = match op {
                    BinaryOp::Sub => a.by.checked_sub(other.by)?,
                    _ => a.by.checked_add(other.by)?,
                };
                let holds = match (a.holds, other.holds, constant) {
                    (Holds::Always, Holds::Always, _) => Holds::Always,
                    (Holds::UnlessNegative, Holds::Always, Some(by))
                        if by.abs() < FAR && self.has_room(first, 1, by.abs()) =>
                    {
                        Holds::UnlessNegative
                    }
                    _ => return None,
                };
                let zeros = a.zeros.min(other.zeros);
                Some(Stride { by, zeros, holds })
            }
            BinaryOp::Mul | BinaryOp::Shl => {
                let factor = match op {
                    BinaryOp::Mul => constant?,
                    _ => 1_i64.checked_shl(u32::try_from(constant?).ok()?)?,
                };
                let by = a.by.checked_mul(factor)?;
                let is_small =
                    factor > 0 && (1..FAR).contains(&by) && self.has_room(first, factor, 0);
                (a.holds == Holds::Always || is_small).then_some(())?;
                Some(Stride {
                    by,
                    zeros: a.zeros + factor.trailing_zeros(),
                    holds: a.holds,
                })
            }
            _ => None,
        }
    }

    /// Whether a value times a positive factor, more or less something, is no more than its type has room for.
    fn has_room(&self, value: Value, factor: i64, more: i64) -> bool {
        let facts = self.ranges.facts(value);
        let most = 1_i128 << (facts.width() - 1);
        let (factor, more) = (i128::from(factor), i128::from(more));
        i128::from(facts.smin()) * factor - more >= -most
            && i128::from(facts.smax()) * factor + more < most
    }

    fn signed_constant(&self, value: Value) -> Option<i64> {
        let unused = 64 - self.kernel.ty(value).bits();
        let bits = self.kernel.constant(value)?;
        Some((bits << unused) as i64 >> unused)
    }

    fn cast(&self, block: Block, op: CastOp, arg: Value, depth: u32) -> Option<Stride> {
        let stride = self.value(block, arg, depth)?;
        match op {
            CastOp::Trunc if stride.holds == Holds::Always => Some(stride),
            CastOp::Sext => self.widened(arg, stride, CastOp::Sext),
            CastOp::Zext => self.widened(arg, stride, CastOp::Zext),
            _ => None,
        }
    }

    /// The stride of a value that is made wider.
    fn widened(&self, value: Value, stride: Stride, op: CastOp) -> Option<Stride> {
        let Stride { by, zeros, holds } = stride;
        if holds == Holds::UnlessNegative {
            return (op == CastOp::Sext).then_some(stride);
        }
        let bits = self.kernel.ty(value).bits();
        let spread = i128::from(by) * i128::from(self.lanes - 1);
        let facts = self.ranges.facts(value);
        let range = match op {
            CastOp::Sext => i128::from(facts.smax()) - i128::from(facts.smin()),
            _ => i128::from(facts.umax()) - i128::from(facts.umin()),
        };
        // Lanes differ in bits only that are zero in the first one, or no two values are so far apart.
        let has_room = (0..1 << zeros.min(bits)).contains(&spread);
        let is_exact = has_room || range + spread.abs() < 1 << bits;
        match op {
            _ if is_exact => Some(stride),
            CastOp::Sext if by >= 0 && bits >= 32 => Some(Stride {
                holds: Holds::UnlessNegative,
                ..stride
            }),
            _ => None,
        }
    }

    fn moved(&self, block: Block, base: Value, offset: Value, depth: u32) -> Option<Stride> {
        let start = self.value(block, base, depth)?;
        let mut by = self.value(block, offset, depth)?;
        if self.kernel.ty(offset).bits() < 64 {
            by = self.widened(offset, by, CastOp::Sext)?;
        }
        let is_object = matches!(self.kernel.def_inst(base), Some(InstData::Addr(_)));
        let is_near = self
            .signed_constant(offset)
            .is_some_and(|by| by.abs() < FAR);
        let holds = match (start.holds, by.holds) {
            (Holds::Always, Holds::Always) => Holds::Always,
            (Holds::Always, Holds::UnlessNegative) if is_object => Holds::UnlessNegative,
            (Holds::UnlessNegative, Holds::Always) if is_near => Holds::UnlessNegative,
            _ => return None,
        };
        Some(Stride {
            by: start.by.checked_add(by.by)?,
            zeros: start.zeros.min(by.zeros),
            holds,
        })
    }
}
