//! Expressions of a given type, from productions that are tried in random order.

use crate::ast::*;
use crate::generate::Generator;
use crate::types::{Scalar, Type};

/// A way to make an expression of a type, where there is one.
type Production = fn(&mut Generator<'_>, Type, u32) -> Option<Expr>;

const PRODUCTIONS: &[(u32, Production)] = &[
    (12, |g, ty, depth| g.arithmetic(ty, depth)),
    (5, |g, ty, depth| g.bitwise(ty, depth)),
    (4, |g, ty, depth| g.shift(ty, depth)),
    (3, |g, ty, depth| g.division(ty, depth)),
    (5, |g, ty, depth| g.comparison(ty, depth)),
    (3, |g, ty, depth| g.logic(ty, depth)),
    (4, |g, ty, depth| g.choice(ty, depth)),
    (5, |g, ty, depth| Some(g.converted(ty, depth))),
    (2, |g, ty, depth| g.reinterpretation(ty, depth)),
    (11, |g, ty, depth| g.builtin(ty, depth)),
    (4, |g, ty, depth| g.swizzle(ty, depth)),
    (5, |g, ty, depth| g.composition(ty, depth)),
    (4, |g, ty, depth| g.call(ty, depth)),
    (8, |g, ty, depth| g.load(ty, depth)),
    (3, |g, ty, depth| g.vector_load(ty, depth)),
    (3, |g, ty, depth| g.unary(ty, depth)),
    (2, |g, ty, _| g.recall(ty)),
];

pub fn pair(a: Expr, b: Expr) -> Box<[Expr; 2]> {
    Box::new([a, b])
}

impl Generator<'_> {
    /// An expression of type `ty`.
    pub fn expr(&mut self, ty: Type, depth: u32) -> Expr {
        if depth == 0 || self.random.percent(10) {
            return self.leaf(ty);
        }
        for _ in 0..4 {
            let production = self.random.weighted(PRODUCTIONS);
            if let Some(expr) = production(self, ty, depth - 1) {
                return expr;
            }
        }
        self.leaf(ty)
    }

    /// A scalar integer of any type: an index, a count, a selector.
    pub fn any_index(&mut self, depth: u32) -> Expr {
        let scalar = self.any_integer();
        self.expr(Type::scalar(scalar), depth)
    }

    /// A scalar condition.
    pub fn condition(&mut self, depth: u32) -> Expr {
        let made = if self.random.percent(70) {
            self.comparison(Type::INT, depth)
        } else {
            self.logic(Type::INT, depth)
        };
        made.unwrap_or_else(|| self.expr(Type::INT, depth))
    }

    /// The operand types of an integer operator that gives a scalar `ty`.
    fn operand_types(&mut self, ty: Type) -> Option<(Type, Type)> {
        if ty.is_vector() {
            let second = if self.random.percent(20) {
                ty.lane()
            } else {
                ty
            };
            return Some((ty, second));
        }
        for _ in 0..6 {
            let (a, b) = (
                self.any_integer(),
                self.random
                    .pick(&[ty.scalar, Scalar::Short, Scalar::Uchar, Scalar::Ushort]),
            );
            let (a, b) = if self.random.percent(50) {
                (a, b)
            } else {
                (b, a)
            };
            if a.common(b) == ty.scalar {
                return Some((Type::scalar(a), Type::scalar(b)));
            }
        }
        (ty.scalar.promoted() == ty.scalar).then_some((ty, ty))
    }

    fn binary(&mut self, ty: Type, ops: &[BinaryOp], operands: (Type, Type), depth: u32) -> Expr {
        let op = self.random.pick(ops);
        let operands = pair(self.expr(operands.0, depth), self.expr(operands.1, depth));
        Expr {
            ty,
            kind: Kind::Binary(op, operands),
        }
    }

    fn arithmetic(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        use BinaryOp::{Add, Mul, SmallAdd, SmallMul, SmallSub, Sub};
        if !ty.is_integer() {
            let second = if ty.is_vector() && self.random.percent(20) {
                ty.lane()
            } else {
                ty
            };
            return Some(self.binary(ty, &[Add, Sub, Mul], (ty, second), depth));
        }
        let operands = self.operand_types(ty)?;
        Some(self.binary(
            ty,
            &[Add, Add, Sub, Mul, Mul, SmallAdd, SmallSub, SmallMul],
            operands,
            depth,
        ))
    }

    fn bitwise(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_integer() {
            return None;
        }
        let operands = self.operand_types(ty)?;
        Some(self.binary(
            ty,
            &[BinaryOp::And, BinaryOp::Or, BinaryOp::Xor],
            operands,
            depth,
        ))
    }

    fn division(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_integer() {
            return None;
        }
        let operands = self.operand_types(ty)?;
        Some(self.binary(ty, &[BinaryOp::Div, BinaryOp::Rem], operands, depth))
    }

    fn shift(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        use BinaryOp::{MaskedShl, MaskedShr, Shl, Shr};
        let ops = [Shl, Shr, MaskedShl, MaskedShr];
        if !ty.is_integer() {
            return None;
        }
        if ty.is_vector() {
            let amount = if self.random.percent(30) {
                ty.lane()
            } else {
                ty
            };
            return Some(self.binary(ty, &ops, (ty, amount), depth));
        }
        // The result has the promoted type of the left operand alone.
        let left = match ty.scalar {
            Scalar::Int => self
                .random
                .pick(&[Scalar::Int, Scalar::Short, Scalar::Uchar]),
            scalar if scalar.is_narrow() => return None,
            scalar => scalar,
        };
        let amount = Type::scalar(self.any_integer());
        Some(self.binary(ty, &ops, (Type::scalar(left), amount), depth))
    }

    /// A type whose comparisons have type `ty`.
    fn compared_type(&mut self, ty: Type) -> Option<Type> {
        if ty == Type::INT {
            let scalar = self.any_scalar();
            return Some(Type::scalar(scalar));
        }
        if !ty.is_vector() || !ty.scalar.is_signed() {
            return None;
        }
        let mut scalars = vec![ty.scalar, ty.scalar.unsigned()];
        scalars.extend(
            self.floats
                .iter()
                .filter(|float| float.bytes() == ty.scalar.bytes()),
        );
        Some(ty.with(self.random.pick(&scalars)))
    }

    fn comparison(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        use CompareOp::{Equal, Greater, GreaterEqual, Less, LessEqual, Unequal};
        let first = self.compared_type(ty)?;
        let mixed = first.is_integer() && !first.is_vector() && self.random.percent(40);
        let second = if mixed {
            Type::scalar(self.any_integer())
        } else {
            first
        };
        let op = self
            .random
            .pick(&[Equal, Unequal, Less, LessEqual, Greater, GreaterEqual]);
        Some(Expr {
            ty,
            kind: Kind::Compare(op, pair(self.expr(first, depth), self.expr(second, depth))),
        })
    }

    fn logic(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        let first = self.compared_type(ty).filter(|ty| ty.is_integer())?;
        let op = self.random.pick(&[LogicOp::And, LogicOp::Or]);
        let second = if ty.is_vector() { first } else { Type::INT };
        Some(Expr {
            ty,
            kind: Kind::Logic(op, pair(self.expr(first, depth), self.expr(second, depth))),
        })
    }

    fn choice(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_vector() && ty.scalar.is_narrow() {
            return None;
        }
        let lanewise = ty.is_vector() && self.random.percent(50);
        let condition = if lanewise {
            self.expr(ty.comparison(), depth)
        } else {
            self.condition(depth)
        };
        let (a, b) = (self.expr(ty, depth), self.expr(ty, depth));
        Some(Expr {
            ty,
            kind: Kind::Choose(Box::new([condition, a, b])),
        })
    }

    fn converted(&mut self, ty: Type, depth: u32) -> Expr {
        let from = self.any_scalar();
        let from = self.expr(ty.with(from), depth);
        self.convert_to(ty, from)
    }

    /// `from` as `ty`, which has as many lanes.
    pub fn convert_to(&mut self, ty: Type, from: Expr) -> Expr {
        let mut ways = vec![Conversion::Plain];
        if !ty.is_vector() {
            ways.extend([Conversion::Cast, Conversion::Cast]);
        }
        match (from.ty.is_integer(), ty.is_integer()) {
            (true, true) => ways.push(Conversion::Saturate),
            (false, true) => {
                let modes = [
                    Rounding::Nearest,
                    Rounding::Zero,
                    Rounding::Up,
                    Rounding::Down,
                ];
                ways.extend(modes.map(Conversion::Round));
            }
            (true, false) | (false, false) => {}
        }
        let way = self.random.pick(&ways);
        Expr {
            ty,
            kind: Kind::Convert(way, Box::new(from)),
        }
    }

    fn reinterpretation(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        let same_size = |scalar: Scalar| {
            let lanes = ty.scalar.bytes() * ty.lanes / scalar.bytes();
            let whole = scalar.bytes() * lanes == ty.scalar.bytes() * ty.lanes;
            // A vector of three has an undefined fourth lane.
            let known = lanes == 1 || self.profile.vectors > 0;
            let fits = if ty.lanes == 3 {
                lanes == 3
            } else {
                matches!(lanes, 1 | 2 | 4 | 8 | 16)
            };
            (whole && fits && known).then_some(Type { scalar, lanes })
        };
        let scalars = Scalar::INTEGERS.iter().chain(&self.floats);
        let types: Vec<Type> = scalars
            .filter_map(|scalar| same_size(*scalar))
            .filter(|from| *from != ty)
            .collect();
        if types.is_empty() {
            return None;
        }
        let from = self.random.pick(&types);
        Some(Expr {
            ty,
            kind: Kind::Reinterpret(Box::new(self.expr(from, depth))),
        })
    }

    fn swizzle(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if self.profile.vectors == 0 {
            return None;
        }
        let lanes = self.random.pick(&[2, 3, 4, 4, 8, 16]);
        let half = ty.lanes;
        let halves = half * 2 == lanes;
        let pattern: Vec<u32> = match self.random.below(6) {
            0 if halves => (0..half).collect(),
            1 if halves => (half..lanes).collect(),
            2 if halves => (0..half).map(|lane| 2 * lane).collect(),
            3 if halves => (0..half).map(|lane| 2 * lane + 1).collect(),
            _ => (0..ty.lanes).map(|_| self.random.below(lanes)).collect(),
        };
        let vector = self.expr(Type { lanes, ..ty }, depth);
        Some(Expr {
            ty,
            kind: Kind::Swizzle(Box::new(vector), pattern),
        })
    }

    fn composition(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_vector() {
            return None;
        }
        let parts = match (ty.lanes, self.random.below(3)) {
            (_, 0) => vec![1],
            (2, _) => vec![1, 1],
            (3, 1) => vec![1, 2],
            (3, _) => vec![1, 1, 1],
            (4, 1) => vec![1, 3],
            (4, _) => vec![1, 2, 1],
            (8, 1) => vec![4, 3, 1],
            (8, _) => vec![2, 4, 2],
            (_, 1) => vec![8, 8],
            _ => vec![4, 1, 3, 8],
        };
        let parts = parts
            .into_iter()
            .map(|lanes| self.expr(Type { lanes, ..ty }, depth.min(1)));
        Some(Expr {
            ty,
            kind: Kind::Compose(parts.collect()),
        })
    }

    fn unary(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        use UnaryOp::{Complement, Negate, Not};
        let (op, from) = if !ty.is_integer() {
            (Negate, ty)
        } else if ty.is_vector() {
            (self.random.pick(&[Negate, Complement]), ty)
        } else if ty == Type::INT {
            let from = Type::scalar(
                self.random
                    .pick(&[Scalar::Int, Scalar::Char, Scalar::Ushort]),
            );
            (self.random.pick(&[Negate, Complement, Not]), from)
        } else if ty.scalar.is_narrow() {
            return None;
        } else {
            (self.random.pick(&[Negate, Complement]), ty)
        };
        Some(Expr {
            ty,
            kind: Kind::Unary(op, Box::new(self.expr(from, depth))),
        })
    }
}
