//! What is known of an operation's result, given what is known of its operands.

use sluice_circuit::arith::Extreme::{Greatest, Least};
use sluice_circuit::arith::Signedness::{Signed, Unsigned};
use sluice_circuit::operators::count::Counted;
use sluice_circuit::operators::shift::Direction::{Left, RightArithmetic, RightLogical};

use super::facts::{Facts, low_bits, mask};
use crate::ir::{
    Algebra, BinaryOp, CastOp, Conversion, Predicate, Relation, Type, UnaryAlgebra, UnaryOp,
};

/// What is known of a unary operation's result.
pub fn unary(op: UnaryOp, a: &Facts) -> Facts {
    let width = a.width();
    let unused = 64 - width;
    let unknown = Facts::unknown(width);
    match op.row().algebra {
        Some(UnaryAlgebra::Count(Counted::LeadingZeros)) => {
            let count = |bits: u64| u64::from(bits.leading_zeros() - unused);
            Facts::unsigned(width, count(a.umax()), count(a.umin()))
        }
        Some(UnaryAlgebra::Count(Counted::TrailingZeros)) => {
            let most = a.ones().trailing_zeros().min(width);
            Facts::unsigned(width, a.trailing_zeros().into(), most.into())
        }
        Some(UnaryAlgebra::Count(Counted::Ones)) => {
            let most = width - a.zeros().count_ones();
            Facts::unsigned(width, a.ones().count_ones().into(), most.into())
        }
        Some(UnaryAlgebra::Permutation) => {
            let ty = Type::Int(width as u8);
            let moved = |bits| op.evaluate(ty, bits);
            unknown.with_bits(moved(a.zeros()), moved(a.ones()))
        }
        Some(UnaryAlgebra::Negation | UnaryAlgebra::Magnitude) | None => unknown,
    }
}

/// What is known of a binary operation's result.
pub fn binary(op: BinaryOp, a: &Facts, b: &Facts) -> Facts {
    use Algebra::*;
    if let (Some(a_bits), Some(b_bits)) = (a.as_constant(), b.as_constant()) {
        let ty = Type::Int(a.width() as u8);
        return Facts::constant(a.width(), op.evaluate(ty, a_bits, b_bits));
    }
    let Some(algebra) = op.row().algebra else {
        return Facts::unknown(a.width());
    };
    match algebra {
        Sum => add(a, b),
        Difference => sub(a, b),
        Product => mul(a, b),
        Quotient(Unsigned) => udiv(a, b),
        Remainder(Unsigned) => urem(a, b),
        Quotient(Signed) => sdiv(a, b),
        Remainder(Signed) => srem(a, b),
        And => bitwise(and_bits(a, b), (0, a.umax().min(b.umax())), a, b),
        Or => bitwise(or_bits(a, b), (a.umin().max(b.umin()), u64::MAX), a, b),
        Xor => bitwise(xor_bits(a, b), (0, u64::MAX), a, b),
        Shift(Left) => shl(a, b),
        Shift(RightLogical) => lshr(a, b),
        Shift(RightArithmetic) => ashr(a, b),
        Extreme(Unsigned, Least) => {
            let greatest = a.umax().min(b.umax());
            a.or(*b).within_unsigned(0, greatest)
        }
        Extreme(Unsigned, Greatest) => {
            let least = a.umin().max(b.umin());
            a.or(*b).within_unsigned(least, u64::MAX)
        }
        Extreme(Signed, Least) => {
            let greatest = a.smax().min(b.smax());
            a.or(*b).within_signed(i64::MIN, greatest)
        }
        Extreme(Signed, Greatest) => {
            let least = a.smin().max(b.smin());
            a.or(*b).within_signed(least, i64::MAX)
        }
        HighProduct(Unsigned) => {
            let high = |x: u64, y: u64| ((u128::from(x) * u128::from(y)) >> a.width()) as u64;
            Facts::unsigned(
                a.width(),
                high(a.umin(), b.umin()),
                high(a.umax(), b.umax()),
            )
        }
        HighProduct(Signed) => {
            let (least, greatest) = product_bounds(a, b);
            let high = |product: i128| (product >> a.width()) as i64;
            Facts::signed(a.width(), high(least), high(greatest))
        }
    }
}

/// What is known of an integer conversion's result of `width` bits.
pub fn cast(op: CastOp, a: &Facts, width: u32) -> Facts {
    match op.row().conversion {
        Conversion::Extend(Unsigned) => {
            let above = mask(width) & !mask(a.width());
            let bits = Facts::unknown(width).with_bits(a.zeros() | above, a.ones());
            bits.within_unsigned(a.umin(), a.umax())
        }
        Conversion::Extend(Signed) => {
            let sign = 1 << (a.width() - 1);
            let above = mask(width) & !mask(a.width());
            let extend = |bits: u64| if bits & sign != 0 { bits | above } else { bits };
            let bits = Facts::unknown(width).with_bits(extend(a.zeros()), extend(a.ones()));
            bits.within_signed(a.smin(), a.smax())
        }
        Conversion::Truncate => {
            let mut facts = Facts::unknown(width).with_bits(a.zeros(), a.ones());
            if a.umax() <= mask(width) {
                facts = facts.within_unsigned(a.umin(), a.umax());
            }
            if a.signed_width() <= width {
                facts = facts.within_signed(a.smin(), a.smax());
            }
            facts
        }
        Conversion::FloatToInt(_)
        | Conversion::IntToFloat(_)
        | Conversion::FloatToFloat
        | Conversion::Reinterpret => Facts::unknown(width),
    }
}

/// The outcome of an integer comparison, if it is always the same.
pub fn compare(pred: Predicate, a: &Facts, b: &Facts) -> Option<bool> {
    relate(pred.row().relation?, a, b)
}

/// Whether integers are related, if they always or never are.
fn relate(relation: Relation, a: &Facts, b: &Facts) -> Option<bool> {
    let decided = |is_true: bool, is_false: bool| match (is_true, is_false) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    };
    match relation {
        Relation::Equal => {
            let is_apart = a.umax() < b.umin()
                || b.umax() < a.umin()
                || a.smax() < b.smin()
                || b.smax() < a.smin()
                || a.ones() & b.zeros() != 0
                || a.zeros() & b.ones() != 0;
            let is_same = a.as_constant().is_some() && a.as_constant() == b.as_constant();
            decided(is_same, is_apart)
        }
        Relation::NotEqual => relate(Relation::Equal, a, b).map(|equal| !equal),
        Relation::Less(Unsigned) => decided(a.umax() < b.umin(), a.umin() >= b.umax()),
        Relation::LessOrEqual(Unsigned) => decided(a.umax() <= b.umin(), a.umin() > b.umax()),
        Relation::Less(Signed) => decided(a.smax() < b.smin(), a.smin() >= b.smax()),
        Relation::LessOrEqual(Signed) => decided(a.smax() <= b.smin(), a.smin() > b.smax()),
    }
}

/// The ranges that hold exact results in these bounds, as far as results do not wrap.
fn from_exact(width: u32, unsigned: (i128, i128), signed: (i128, i128)) -> Facts {
    let all = Facts::unknown(width);
    let mut facts = all;
    if unsigned.0 >= 0 && unsigned.1 <= i128::from(all.umax()) {
        facts = facts.within_unsigned(unsigned.0 as u64, unsigned.1 as u64);
    }
    if signed.0 >= i128::from(all.smin()) && signed.1 <= i128::from(all.smax()) {
        facts = facts.within_signed(signed.0 as i64, signed.1 as i64);
    }
    facts
}

/// The low bits of sums, differences and products depend on the operands' low bits only.
fn with_low_bits(facts: Facts, op: BinaryOp, a: &Facts, b: &Facts) -> Facts {
    let known = low_bits(a.known_low_bits().min(b.known_low_bits()));
    let ty = Type::Int(a.width() as u8);
    let low = op.evaluate(ty, a.ones() & known, b.ones() & known);
    facts.with_bits(!low & known, low & known)
}

fn add(a: &Facts, b: &Facts) -> Facts {
    let unsigned = (
        i128::from(a.umin()) + i128::from(b.umin()),
        i128::from(a.umax()) + i128::from(b.umax()),
    );
    let signed = (
        i128::from(a.smin()) + i128::from(b.smin()),
        i128::from(a.smax()) + i128::from(b.smax()),
    );
    with_low_bits(from_exact(a.width(), unsigned, signed), BinaryOp::Add, a, b)
}

fn sub(a: &Facts, b: &Facts) -> Facts {
    let unsigned = (
        i128::from(a.umin()) - i128::from(b.umax()),
        i128::from(a.umax()) - i128::from(b.umin()),
    );
    let signed = (
        i128::from(a.smin()) - i128::from(b.smax()),
        i128::from(a.smax()) - i128::from(b.smin()),
    );
    with_low_bits(from_exact(a.width(), unsigned, signed), BinaryOp::Sub, a, b)
}

fn mul(a: &Facts, b: &Facts) -> Facts {
    let width = a.width();
    let greatest = u128::from(a.umax()) * u128::from(b.umax());
    let mut facts = from_exact(width, (-1, 0), product_bounds(a, b));
    if greatest <= u128::from(mask(width)) {
        facts = facts.within_unsigned(a.umin() * b.umin(), greatest as u64);
    }
    let zeros = (a.trailing_zeros() + b.trailing_zeros()).min(width);
    with_low_bits(facts, BinaryOp::Mul, a, b).with_bits(low_bits(zeros), 0)
}

/// The least and the greatest exact signed product.
fn product_bounds(a: &Facts, b: &Facts) -> (i128, i128) {
    let corner = |x: i64, y: i64| i128::from(x) * i128::from(y);
    let corners = [
        corner(a.smin(), b.smin()),
        corner(a.smin(), b.smax()),
        corner(a.smax(), b.smin()),
        corner(a.smax(), b.smax()),
    ];
    let [first, rest @ ..] = corners;
    rest.iter().fold((first, first), |(least, greatest), &x| {
        (least.min(x), greatest.max(x))
    })
}

fn udiv(a: &Facts, b: &Facts) -> Facts {
    let width = a.width();
    let (least, greatest) = (a.umin() / b.umax().max(1), a.umax() / b.umin().max(1));
    let quotient = Facts::unsigned(width, least, greatest);
    or_by_zero(quotient, b, mask(width))
}

fn urem(a: &Facts, b: &Facts) -> Facts {
    let mut greatest = a.umax();
    if b.umin() > 0 {
        greatest = greatest.min(b.umax() - 1);
    }
    Facts::unsigned(a.width(), 0, greatest)
}

/// A quotient, or `result` where the divisor may be zero.
fn or_by_zero(quotient: Facts, divisor: &Facts, result: u64) -> Facts {
    if divisor.umin() > 0 {
        quotient
    } else {
        quotient.or(Facts::constant(quotient.width(), result))
    }
}

fn sdiv(a: &Facts, b: &Facts) -> Facts {
    let width = a.width();
    if a.is_nonnegative() && b.is_nonnegative() {
        return udiv(a, b);
    }
    let all = Facts::unknown(width);
    let exact = |least: i128, greatest: i128| from_exact(width, (-1, 0), (least, greatest));
    let quotient = if b.smin() > 0 {
        // Dividing by more brings the quotient nearer to zero.
        let divide = |x: i64, by: [i64; 2]| {
            let [near, far] = by.map(|by| x / by);
            (near.min(far), near.max(far))
        };
        let by = [b.smin(), b.smax()];
        all.within_signed(divide(a.smin(), by).0, divide(a.smax(), by).1)
    } else {
        let magnitude = i128::from(a.smin()).abs().max(i128::from(a.smax()).abs());
        exact(-magnitude, magnitude)
    };
    or_by_zero(quotient, b, mask(width))
}

fn srem(a: &Facts, b: &Facts) -> Facts {
    let mut magnitude = i128::from(i64::MAX) + 1;
    // A zero divisor leaves the dividend as it is.
    if b.umin() > 0 {
        magnitude = i128::from(b.smin()).abs().max(i128::from(b.smax()).abs()) - 1;
    }
    let least = i128::from(a.smin().min(0)).max(-magnitude);
    let greatest = i128::from(a.smax().max(0)).min(magnitude);
    from_exact(a.width(), (-1, 0), (least, greatest))
}

/// The bits that a result is known to have.
struct KnownBits {
    zeros: u64,
    ones: u64,
}

fn and_bits(a: &Facts, b: &Facts) -> KnownBits {
    KnownBits {
        zeros: a.zeros() | b.zeros(),
        ones: a.ones() & b.ones(),
    }
}

fn or_bits(a: &Facts, b: &Facts) -> KnownBits {
    KnownBits {
        zeros: a.zeros() & b.zeros(),
        ones: a.ones() | b.ones(),
    }
}

fn xor_bits(a: &Facts, b: &Facts) -> KnownBits {
    KnownBits {
        zeros: (a.zeros() & b.zeros()) | (a.ones() & b.ones()),
        ones: (a.zeros() & b.ones()) | (a.ones() & b.zeros()),
    }
}

/// A bitwise operation's result with these bits, within this unsigned range.
fn bitwise(bits: KnownBits, (least, greatest): (u64, u64), a: &Facts, b: &Facts) -> Facts {
    // Where both operands repeat their sign, so does the result.
    let signed = (mask(a.signed_width().max(b.signed_width())) >> 1) as i64;
    Facts::unknown(a.width())
        .with_bits(bits.zeros, bits.ones)
        .within_unsigned(least, greatest)
        .within_signed(-signed - 1, signed)
}

fn shl(a: &Facts, b: &Facts) -> Facts {
    let width = a.width();
    let unknown = Facts::unknown(width);
    let zeros = u64::from(a.trailing_zeros()).saturating_add(b.umin());
    let zeros = low_bits(zeros.min(width.into()) as u32);
    if b.umax() >= u64::from(width) {
        return unknown.with_bits(zeros, 0);
    }
    let (least, most) = (b.umin() as u32, b.umax() as u32);
    let signed = [a.smin(), a.smax()].map(|x| [i128::from(x) << least, i128::from(x) << most]);
    let facts = from_exact(
        width,
        (
            i128::from(a.umin()) << least,
            i128::from(a.umax()) << most.min(63),
        ),
        (
            signed[0][0].min(signed[0][1]),
            signed[1][0].max(signed[1][1]),
        ),
    )
    .with_bits(zeros, 0);
    if least != most {
        return facts;
    }
    facts.with_bits(a.zeros() << least, a.ones() << least)
}

fn lshr(a: &Facts, b: &Facts) -> Facts {
    let width = u64::from(a.width());
    let shifted = |bits: u64, by: u64| if by >= width { 0 } else { bits >> by };
    let (least, most) = (b.umin(), b.umax());
    let facts = Facts::unsigned(a.width(), shifted(a.umin(), most), shifted(a.umax(), least));
    if least != most || least >= width {
        return facts;
    }
    facts.with_bits(a.zeros() >> least, a.ones() >> least)
}

fn ashr(a: &Facts, b: &Facts) -> Facts {
    let width = a.width();
    let clamp = |by: u64| by.min(u64::from(width) - 1);
    let (least, most) = (clamp(b.umin()), clamp(b.umax()));
    let low = (a.smin() >> least).min(a.smin() >> most);
    let high = (a.smax() >> least).max(a.smax() >> most);
    let facts = Facts::signed(width, low, high);
    if least != most {
        return facts;
    }
    let ty = Type::Int(width as u8);
    let shifted = |bits| BinaryOp::AShr.evaluate(ty, bits, least);
    facts.with_bits(shifted(a.zeros()), shifted(a.ones()))
}
