//! Expressions as OpenCL C: each total operator of the tree with the guard that makes it defined.

use std::fmt;

use crate::ast::*;
use crate::print::Printer;
use crate::types::{Scalar, Type};

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.prefix, self.number)
    }
}

/// The text of an operand and its type.
type Operand<'t> = (Type, &'t str);

impl Printer<'_> {
    /// An expression, in parentheses wherever it could bind wrongly.
    pub fn expr(&mut self, expr: &Expr) -> String {
        let ty = expr.ty;
        match &expr.kind {
            Kind::Literal(bits) => literal(ty.scalar, *bits),
            Kind::Read(lvalue) => self.lvalue(lvalue),
            Kind::WorkItem(query, dim) => format!("{}({dim})", query.name()),
            Kind::Load { from, index } => {
                let (memory, len) = self.memory(from);
                format!("{memory}[{}]", self.index(index, len))
            }
            Kind::VectorLoad { from, index } => {
                let (memory, len) = self.memory(from);
                let index = self.index(index, len / ty.lanes);
                format!("vload{}({index}, {memory})", ty.lanes)
            }
            Kind::Recall { slot } => format!("out_{ty}[{}]", self.own(ty, *slot)),
            Kind::Unary(op, a) => {
                let text = self.expr(a);
                unary(*op, ty, (a.ty, &text))
            }
            Kind::Binary(op, pair) => {
                let (a, b) = (self.expr(&pair[0]), self.expr(&pair[1]));
                binary(*op, ty, (pair[0].ty, &a), (pair[1].ty, &b))
            }
            Kind::Compare(op, pair) => format!(
                "({} {} {})",
                self.expr(&pair[0]),
                op.sign(),
                self.expr(&pair[1])
            ),
            Kind::Logic(op, pair) => format!(
                "({} {} {})",
                self.expr(&pair[0]),
                op.sign(),
                self.expr(&pair[1])
            ),
            Kind::Choose(three) => {
                let [condition, a, b] = &**three;
                format!(
                    "({} ? {} : {})",
                    self.expr(condition),
                    self.expr(a),
                    self.expr(b)
                )
            }
            Kind::Builtin(builtin, args) => self.builtin(*builtin, args),
            Kind::Convert(conversion, a) => self.conversion(*conversion, ty, a),
            Kind::Reinterpret(a) => self.reinterpret(ty, a),
            Kind::Swizzle(a, lanes) => swizzle(&self.expr(a), a.ty.lanes, lanes),
            Kind::Compose(parts) => format!("(({ty})({}))", self.list(parts)),
            Kind::Call(function, args) => self.call(*function, args),
        }
    }

    fn list(&mut self, exprs: &[Expr]) -> String {
        exprs
            .iter()
            .map(|expr| self.expr(expr))
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// A call of one of the program's functions.
    pub fn call(&mut self, function: Name, args: &[Argument]) -> String {
        let texts = args.iter().map(|arg| match arg {
            Argument::Plain(expr) => self.expr(expr),
            Argument::Object(name) => name.to_string(),
        });
        let texts: Vec<String> = texts.collect();
        format!("{function}({})", texts.join(", "))
    }

    /// Something that can be read and assigned.
    pub fn lvalue(&mut self, lvalue: &LValue) -> String {
        match lvalue {
            LValue::Variable(name) => name.to_string(),
            LValue::Lanes(name, lanes) => format!(
                "{name}.s{}",
                lanes.iter().map(hex_digit).collect::<String>()
            ),
            LValue::Element { array, indices } => {
                let dims = self.objects.arrays[array].dims.clone();
                let texts = indices
                    .iter()
                    .zip(dims)
                    .map(|(index, dim)| format!("[{}]", self.index(index, dim)));
                let texts: String = texts.collect();
                format!("{array}{texts}")
            }
            LValue::Field {
                object,
                index: None,
                field,
            } => format!("{object}.f{field}"),
            LValue::Field {
                object,
                index: Some(index),
                field,
            } => {
                let len = self.objects.struct_arrays[object];
                format!("{object}[{}].f{field}", self.index(index, len))
            }
        }
    }

    fn memory(&mut self, memory: &Memory) -> (String, u32) {
        match memory {
            Memory::Object(name) => (name.to_string(), self.objects.arrays[name].len()),
            Memory::Either(condition, [a, b]) => {
                let len = self.objects.arrays[a]
                    .len()
                    .min(self.objects.arrays[b].len());
                (format!("({} ? {a} : {b})", self.expr(condition)), len)
            }
        }
    }

    /// An index reduced below `len`: by a mask where that does it, else by a remainder.
    pub fn index(&mut self, index: &Expr, len: u32) -> String {
        if let Kind::Literal(bits) = index.kind {
            return (bits % u64::from(len)).to_string();
        }
        let text = self.expr(index);
        if len.is_power_of_two() {
            format!("{text} & {}", len - 1)
        } else {
            format!("(uint){text} % {len}u")
        }
    }

    fn conversion(&mut self, conversion: Conversion, ty: Type, from: &Expr) -> String {
        let text = self.expr(from);
        let text = if from.ty.scalar.is_float() && ty.is_integer() {
            let nearest = conversion == Conversion::Round(Rounding::Nearest);
            // PoCL rounds to nearest through `rint`.
            let target = match ty.scalar {
                Scalar::Uint | Scalar::Long | Scalar::Ulong if nearest => Scalar::Int,
                scalar => scalar,
            };
            let low = if ty.scalar.is_signed() {
                target
            } else {
                ty.scalar
            };
            within(
                from.ty.scalar,
                &text,
                float_range(low).0,
                float_range(target).1,
            )
        } else {
            text
        };
        match conversion {
            Conversion::Cast => format!("({ty}){text}"),
            Conversion::Plain => format!("convert_{ty}({text})"),
            Conversion::Saturate => format!("convert_{ty}_sat({text})"),
            Conversion::Round(mode) => format!("convert_{ty}{}({text})", mode.suffix()),
        }
    }

    fn reinterpret(&mut self, ty: Type, from: &Expr) -> String {
        let text = self.settled_text(from);
        match ty.scalar {
            // Without the exponent's highest bit there is no infinity and no NaN, whose bits need not survive.
            Scalar::Float => {
                let bits = ty.with(Scalar::Uint);
                format!("as_{ty}(as_{bits}({text}) & ({bits})0xbfffffffu)")
            }
            Scalar::Double => {
                let bits = ty.with(Scalar::Ulong);
                format!("as_{ty}(as_{bits}({text}) & ({bits})0xbfffffffffffffffUL)")
            }
            Scalar::Char
            | Scalar::Uchar
            | Scalar::Short
            | Scalar::Ushort
            | Scalar::Int
            | Scalar::Uint
            | Scalar::Long
            | Scalar::Ulong => format!("as_{ty}({text})"),
        }
    }

    /// An expression whose bits are looked at: of a float, no NaN.
    pub fn settled_text(&mut self, expr: &Expr) -> String {
        let text = self.expr(expr);
        if expr.ty.is_integer() {
            return text;
        }
        self.settled.insert(expr.ty);
        format!("settle_{}({text})", expr.ty)
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Expr]) -> String {
        let ty = args[0].ty;
        let mut texts: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
        if builtin == Builtin::Copysign {
            // The sign of a NaN is unspecified.
            texts[1] = self.settled_text(&args[1]);
        } else if builtin == Builtin::Clamp {
            // Undefined when the bounds are the wrong way round.
            let (a, b) = (&texts[1], &texts[2]);
            texts = vec![
                texts[0].clone(),
                format!("min({a}, {b})"),
                format!("max({a}, {b})"),
            ];
        } else if builtin == Builtin::MadHi && ty.scalar.is_signed() {
            // The sum after the multiplication must not overflow.
            texts[2] = shifted((ty, &texts[2]), 1);
        } else if matches!(builtin, Builtin::Abs | Builtin::AbsDiff) {
            if let Some(above_least) = above_least(ty.scalar) {
                // To PoCL 3.1 `abs` of the least `int` or `long` is undefined, and its `abs_diff` takes that of
                // each operand where the signs differ: with a constant, 0 comes out.
                let texts = texts.iter_mut();
                texts.for_each(|text| *text = format!("max({text}, {above_least})"));
            }
        } else if matches!(builtin, Builtin::Mul24 | Builtin::Mad24) {
            // Operands of 24 bits whose product and sum fit into 32.
            let masked = texts.iter().map(|text| format!("{text} & ({ty})0x7fff"));
            texts = masked.collect();
        } else if builtin == Builtin::Rint {
            // PoCL 3.1 casts a float to `int` and a double to `long` inside `rint`: what does not fit there is
            // undefined, and a constant like rint(3e9f) becomes a crash.
            let (low, high) = float_range(Scalar::Int);
            texts[0] = within(ty.scalar, &texts[0], low, high);
        } else if builtin == Builtin::Sqrt {
            texts[0] = format!("fabs({})", texts[0]);
        }
        let call = format!("{}({})", builtin.name(), texts.join(", "));
        if matches!(builtin, Builtin::Fmin | Builtin::Fmax) {
            // Either zero may come out of a minimum of both: adding the positive one leaves only that.
            return format!("({call} + ({})0)", ty.lane());
        }
        call
    }
}

/// The least value but one, of signed types that no promotion widens.
fn above_least(scalar: Scalar) -> Option<&'static str> {
    match scalar {
        Scalar::Int => Some("-2147483647"),
        Scalar::Long => Some("-9223372036854775807L"),
        Scalar::Char
        | Scalar::Uchar
        | Scalar::Short
        | Scalar::Ushort
        | Scalar::Uint
        | Scalar::Ulong
        | Scalar::Float
        | Scalar::Double => None,
    }
}

fn unary(op: UnaryOp, ty: Type, (from, a): Operand) -> String {
    match op {
        UnaryOp::Negate if !may_overflow(ty, from, from, BinaryOp::Sub) => format!("(-{a})"),
        UnaryOp::Negate => to_signed(ty, &format!("(-{})", to_unsigned(ty, (from, a)))),
        UnaryOp::Complement => format!("(~{a})"),
        UnaryOp::Not => format!("(!{a})"),
    }
}

/// An operator on two operands, the first of which has the result's lanes.
pub fn binary(op: BinaryOp, ty: Type, a: Operand, b: Operand) -> String {
    let sign = op.sign();
    let ((a_type, a_text), (b_type, b_text)) = (a, b);
    // A literal beside a vector must have the lanes' own type.
    let one = if ty.is_vector() {
        format!("({})1", ty.lane())
    } else {
        "1".into()
    };
    let overflows = may_overflow(ty, a_type, b_type, op);
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul if overflows => to_signed(
            ty,
            &format!("({} {sign} {})", to_unsigned(ty, a), to_unsigned(ty, b)),
        ),
        BinaryOp::SmallAdd | BinaryOp::SmallSub | BinaryOp::SmallMul if overflows => {
            let shift = if op == BinaryOp::SmallMul {
                ty.scalar.bits() / 2
            } else {
                1
            };
            format!("({} {sign} {})", shifted(a, shift), shifted(b, shift))
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::SmallAdd
        | BinaryOp::SmallSub
        | BinaryOp::SmallMul
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr => format!("({a_text} {sign} {b_text})"),
        BinaryOp::Div | BinaryOp::Rem => {
            // Only the least value divided by -1 overflows.
            let dividend = if overflows {
                shifted(a, 1)
            } else {
                a_text.into()
            };
            let divisor = exactly(b_type, &format!("({b_text} | {one})"));
            format!("({dividend} {sign} {divisor})")
        }
        BinaryOp::MaskedShl | BinaryOp::MaskedShr => {
            let mask = ty.scalar.bits() - 1;
            let mask = if ty.is_vector() {
                format!("({}){mask}", ty.lane())
            } else {
                mask.to_string()
            };
            format!(
                "({a_text} {sign} {})",
                exactly(b_type, &format!("({b_text} & {mask})"))
            )
        }
    }
}

/// Whether the plain operator could leave a signed type: narrow scalars are computed in `int`,
/// where only the product of two `ushort` does.
fn may_overflow(ty: Type, a: Type, b: Type, op: BinaryOp) -> bool {
    if !ty.scalar.is_signed() {
        return false;
    }
    let both = |scalar| a.scalar == scalar && b.scalar == scalar;
    let product = matches!(op, BinaryOp::Mul | BinaryOp::SmallMul);
    ty.is_vector()
        || !a.scalar.is_narrow()
        || !b.scalar.is_narrow()
        || (product && both(Scalar::Ushort))
}

fn to_unsigned(result: Type, (ty, text): Operand) -> String {
    let unsigned = ty.with(result.scalar.unsigned());
    if ty.is_vector() {
        format!("as_{unsigned}({text})")
    } else {
        format!("({unsigned}){text}")
    }
}

fn to_signed(ty: Type, text: &str) -> String {
    if ty.is_vector() {
        format!("as_{ty}{text}")
    } else {
        format!("({ty}){text}")
    }
}

fn shifted((ty, text): Operand, amount: u32) -> String {
    if ty.is_vector() {
        format!("({text} >> ({}){amount})", ty.lane())
    } else {
        exactly(ty, &format!("({text} >> {amount})"))
    }
}

/// A narrow scalar back from the `int` to which an operator promoted it: beside a vector it must keep its type.
fn exactly(ty: Type, text: &str) -> String {
    if ty.is_vector() || !ty.scalar.is_narrow() {
        text.into()
    } else {
        format!("({ty}){text}")
    }
}

/// A scalar's literal. Narrow ones need a cast to have their type.
pub fn literal(scalar: Scalar, bits: u64) -> String {
    match scalar {
        Scalar::Char => format!("(char){}", bits as i8),
        Scalar::Uchar => format!("(uchar){}", bits as u8),
        Scalar::Short => format!("(short){}", bits as i16),
        Scalar::Ushort => format!("(ushort){}", bits as u16),
        Scalar::Int if bits as i32 == i32::MIN => "(-2147483647 - 1)".into(),
        Scalar::Int if (bits as i32) < 0 => format!("({})", bits as i32),
        Scalar::Int => (bits as i32).to_string(),
        Scalar::Uint => format!("{}u", bits as u32),
        Scalar::Long if bits as i64 == i64::MIN => "(-9223372036854775807L - 1L)".into(),
        Scalar::Long if (bits as i64) < 0 => format!("({}L)", bits as i64),
        Scalar::Long => format!("{}L", bits as i64),
        Scalar::Ulong => format!("{bits}UL"),
        Scalar::Float => format!("({:e}f)", f64::from_bits(bits) as f32),
        Scalar::Double => {
            let text = format!("{:e}", f64::from_bits(bits));
            format!("({text})")
        }
    }
}

/// The range into which a float is brought before it becomes an integer: its ends are exact in either float type.
fn float_range(to: Scalar) -> (&'static str, &'static str) {
    match to {
        Scalar::Char => ("-128.0", "127.0"),
        Scalar::Uchar => ("0.0", "255.0"),
        Scalar::Short => ("-32768.0", "32767.0"),
        Scalar::Ushort => ("0.0", "65535.0"),
        Scalar::Int => ("-2000000000.0", "2000000000.0"),
        Scalar::Uint => ("0.0", "4000000000.0"),
        Scalar::Long => ("-4611686018427387904.0", "4611686018427387904.0"),
        Scalar::Ulong => ("0.0", "9223372036854775808.0"),
        Scalar::Float | Scalar::Double => unreachable!("a float needs no range to become a float"),
    }
}

/// A float brought into a range; a NaN becomes its lower end.
fn within(scalar: Scalar, text: &str, low: &str, high: &str) -> String {
    let suffix = if scalar == Scalar::Float { "f" } else { "" };
    format!("fmin(fmax({text}, {low}{suffix}), {high}{suffix})")
}

fn hex_digit(lane: &u32) -> char {
    char::from_digit(*lane, 16).expect("vectors have at most 16 lanes")
}

/// Lanes of a vector: by the names of halves where they fit, by letters in short vectors, else by number.
fn swizzle(vector: &str, from: u32, lanes: &[u32]) -> String {
    let is = |lane: fn(u32, u32) -> u32| {
        from != 3
            && lanes.len() as u32 * 2 == from
            && lanes
                .iter()
                .zip(0..)
                .all(|(&actual, i)| actual == lane(i, from / 2))
    };
    let name = if is(|i, _| i) {
        "lo".into()
    } else if is(|i, half| i + half) {
        "hi".into()
    } else if is(|i, _| 2 * i) {
        "even".into()
    } else if is(|i, _| 2 * i + 1) {
        "odd".into()
    } else if from <= 4 && lanes[0].is_multiple_of(2) {
        lanes
            .iter()
            .map(|&lane| char::from(b"xyzw"[lane as usize]))
            .collect::<String>()
    } else {
        format!("s{}", lanes.iter().map(hex_digit).collect::<String>())
    };
    format!("{vector}.{name}")
}
