//! Calls of built-in functions whose result the specification fixes to the last bit, and on request of others.

use crate::ast::*;
use crate::generate::Generator;
use crate::types::{Scalar, Type};

const SAME: &[(Builtin, u32)] = &[
    (Builtin::Min, 2),
    (Builtin::Max, 2),
    (Builtin::Clamp, 3),
    (Builtin::AddSat, 2),
    (Builtin::SubSat, 2),
    (Builtin::MadSat, 3),
    (Builtin::Hadd, 2),
    (Builtin::Rhadd, 2),
    (Builtin::MulHi, 2),
    (Builtin::MadHi, 3),
    (Builtin::Clz, 1),
    (Builtin::Popcount, 1),
    (Builtin::Rotate, 2),
    (Builtin::Bitselect, 3),
];

const FLOAT: &[(Builtin, u32)] = &[
    (Builtin::Fma, 3),
    (Builtin::Fabs, 1),
    (Builtin::Floor, 1),
    (Builtin::Ceil, 1),
    (Builtin::Trunc, 1),
    (Builtin::Rint, 1),
    (Builtin::Round, 1),
    (Builtin::Sqrt, 1),
    (Builtin::Fmin, 2),
    (Builtin::Fmax, 2),
    (Builtin::Copysign, 2),
];

/// Functions of floats that circuits have cores for.
const ELEMENTARY: &[(Builtin, u32)] = &[
    (Builtin::Elementary("exp"), 1),
    (Builtin::Elementary("exp2"), 1),
    (Builtin::Elementary("exp10"), 1),
    (Builtin::Elementary("log"), 1),
    (Builtin::Elementary("log2"), 1),
    (Builtin::Elementary("log10"), 1),
    (Builtin::Elementary("sin"), 1),
    (Builtin::Elementary("cos"), 1),
    (Builtin::Elementary("rsqrt"), 1),
    (Builtin::Elementary("pow"), 2),
    (Builtin::Elementary("native_exp"), 1),
    (Builtin::Elementary("native_exp2"), 1),
    (Builtin::Elementary("native_exp10"), 1),
    (Builtin::Elementary("native_log"), 1),
    (Builtin::Elementary("native_log2"), 1),
    (Builtin::Elementary("native_log10"), 1),
    (Builtin::Elementary("native_sin"), 1),
    (Builtin::Elementary("native_cos"), 1),
    (Builtin::Elementary("native_rsqrt"), 1),
    (Builtin::Elementary("native_recip"), 1),
    (Builtin::Elementary("native_divide"), 2),
    (Builtin::Elementary("native_powr"), 2),
];

const RELATIONAL: &[(Builtin, u32)] = &[
    (Builtin::Isnan, 1),
    (Builtin::Isinf, 1),
    (Builtin::Isfinite, 1),
    (Builtin::Isequal, 2),
    (Builtin::Isnotequal, 2),
    (Builtin::Isgreater, 2),
    (Builtin::Isless, 2),
    (Builtin::Islessequal, 2),
];

fn made(ty: Type, builtin: Builtin, args: Vec<Expr>) -> Option<Expr> {
    Some(Expr {
        ty,
        kind: Kind::Builtin(builtin, args),
    })
}

impl Generator<'_> {
    /// A call that gives `ty`.
    pub fn builtin(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_integer() {
            return match self.random.below(4) {
                0 => self.selection(ty, depth),
                1 => self.shuffling(ty, depth),
                _ if self.wants_elementary(ty) => self.uniform_builtin(ty, ELEMENTARY, depth),
                _ => self.uniform_builtin(ty, FLOAT, depth),
            };
        }
        match self.random.below(12) {
            0 => self.selection(ty, depth),
            1 => self.shuffling(ty, depth),
            2 => self.distance(ty, depth),
            3 => self.small_product(ty, depth),
            4 => self.upsampling(ty, depth),
            5 => self.relational(ty, depth),
            6 => self.any_or_all(ty, depth),
            _ => self.uniform_builtin(ty, SAME, depth),
        }
    }

    fn wants_elementary(&mut self, ty: Type) -> bool {
        // Nothing is drawn without: a seed keeps its meaning.
        let chance = self.profile.elementary;
        ty.scalar == Scalar::Float && chance > 0 && self.random.percent(chance)
    }

    /// All arguments have the result's type.
    fn uniform_builtin(&mut self, ty: Type, list: &[(Builtin, u32)], depth: u32) -> Option<Expr> {
        let (builtin, count) = self.random.pick(list);
        let args = (0..count).map(|position| {
            // The bounds are printed twice.
            let bound = builtin == Builtin::Clamp && position > 0;
            if bound {
                self.leaf(ty)
            } else {
                self.expr(ty, depth)
            }
        });
        made(ty, builtin, args.collect())
    }

    fn selection(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_vector() && ty.scalar.is_narrow() {
            return None;
        }
        let sign = self.random.percent(50);
        let selector = if sign {
            ty.scalar.signed()
        } else {
            ty.scalar.unsigned()
        };
        let args = vec![
            self.expr(ty, depth),
            self.expr(ty, depth),
            self.expr(ty.with(selector), depth),
        ];
        made(ty, Builtin::Select, args)
    }

    fn shuffling(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !matches!(ty.lanes, 2 | 4 | 8 | 16) {
            return None;
        }
        let from = Type {
            lanes: self.random.pick(&[2, 4, 8]),
            ..ty
        };
        let mask = self.expr(ty.with(ty.scalar.unsigned()), depth);
        let first = self.expr(from, depth);
        if self.random.percent(50) {
            return made(ty, Builtin::Shuffle, vec![first, mask]);
        }
        let second = self.expr(from, depth);
        made(ty, Builtin::Shuffle2, vec![first, second, mask])
    }

    /// Functions whose result is the unsigned type of their operands.
    fn distance(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if ty.scalar.is_signed() {
            return None;
        }
        let from = ty.with(self.random.pick(&[ty.scalar, ty.scalar.signed()]));
        if self.random.percent(50) {
            return made(ty, Builtin::Abs, vec![self.expr(from, depth)]);
        }
        let args = vec![self.expr(from, depth), self.expr(from, depth)];
        made(ty, Builtin::AbsDiff, args)
    }

    fn small_product(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !matches!(ty.scalar, Scalar::Int | Scalar::Uint) {
            return None;
        }
        let (builtin, count) = self
            .random
            .pick(&[(Builtin::Mul24, 2), (Builtin::Mad24, 3)]);
        let args = (0..count).map(|_| self.expr(ty, depth)).collect();
        made(ty, builtin, args)
    }

    fn upsampling(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        let half = ty.with(ty.scalar.halved()?);
        let low = half.with(half.scalar.unsigned());
        let args = vec![self.expr(half, depth), self.expr(low, depth)];
        made(ty, Builtin::Upsample, args)
    }

    fn relational(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        let fits = |float: &&Scalar| ty == ty.with(**float).comparison();
        let float = *self.floats.iter().find(fits)?;
        let (builtin, count) = self.random.pick(RELATIONAL);
        let args = (0..count)
            .map(|_| self.expr(ty.with(float), depth))
            .collect();
        made(ty, builtin, args)
    }

    fn any_or_all(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if ty != Type::INT || self.profile.vectors == 0 {
            return None;
        }
        let scalar = self
            .random
            .pick(&[Scalar::Char, Scalar::Short, Scalar::Int, Scalar::Long]);
        let lanes = self.random.pick(&[2, 3, 4, 8]);
        let builtin = self.random.pick(&[Builtin::Any, Builtin::All]);
        made(ty, builtin, vec![self.expr(Type { scalar, lanes }, depth)])
    }
}
