//! What tells addresses apart: less than the whole address, where all of them are computed alike.

use crate::ir::{BinaryOp, CastOp, InstData, Kernel, Value};

/// For each of some addresses a value: two of them are equal where the addresses are, in whatever iterations. Those of
/// `a[i]` and `a[j]` are `i` and `j`. Of a value, `is_fixed` says whether it is the same in all iterations.
pub(super) fn keys(
    kernel: &Kernel,
    addresses: &[Value],
    is_fixed: &dyn Fn(Value) -> bool,
) -> Vec<Value> {
    let mut keys = addresses.to_vec();
    while let Some(shorter) = operands(kernel, &keys, is_fixed) {
        keys = shorter;
    }
    keys
}

/// An operand of each value, if all are made of them by the same operation, which gives different results for
/// different operands.
fn operands(
    kernel: &Kernel,
    values: &[Value],
    is_fixed: &dyn Fn(Value) -> bool,
) -> Option<Vec<Value>> {
    let parts: Option<Vec<Parts>> = values.iter().map(|&it| parts(kernel, it)).collect();
    let parts = parts?;
    let first = parts[0];
    let all = |test: &dyn Fn(&Parts) -> bool| parts.iter().all(test);
    let ty = |value: Option<Value>| value.map(|it| kernel.ty(it));
    if !all(&|it| it.kind == first.kind && ty(it.args[0]) == ty(first.args[0])) {
        return None;
    }
    let side = |at: usize| -> Option<Vec<Value>> {
        let is_same = all(&|it| it.args[1 - at] == first.args[1 - at]);
        let is_same = is_same && first.args[1 - at].is_none_or(is_fixed);
        let has_type = all(&|it| ty(it.args[at]) == ty(first.args[at]));
        let args = parts.iter().map(|it| it.args[at]);
        (is_same && has_type).then(|| args.collect()).flatten()
    };
    side(0).or_else(|| side(1))
}

/// An operation that gives different results where one of its operands differs and the other one does not.
#[derive(Clone, Copy)]
struct Parts {
    kind: Kind,
    args: [Option<Value>; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Moved,
    Sum,
    Extended(CastOp),
    /// Times a number, without an overflow.
    Scaled(u64),
}

fn parts(kernel: &Kernel, value: Value) -> Option<Parts> {
    let (kind, args) = match *kernel.def_inst(value)? {
        InstData::PtrAdd { base, offset } => (Kind::Moved, [Some(base), Some(offset)]),
        InstData::Binary {
            op: BinaryOp::Add,
            args: [a, b],
        } => (Kind::Sum, [Some(a), Some(b)]),
        InstData::Cast {
            op: op @ (CastOp::Zext | CastOp::Sext),
            arg,
        } => (Kind::Extended(op), [Some(arg), None]),
        InstData::Binary { op, args } => {
            let number = kernel.constant(args[1])?;
            let factor = match op {
                BinaryOp::Shl => 1u64.checked_shl(u32::try_from(number).ok()?)?,
                BinaryOp::Mul => number,
                _ => return None,
            };
            let is_exact = fits(kernel, args[0], factor);
            (Kind::Scaled(factor), [is_exact.then_some(args[0]), None])
        }
        _ => return None,
    };
    Some(Parts { kind, args })
}

/// Whether a multiple of a value fits into its type, because the value is an extension of a narrower one.
fn fits(kernel: &Kernel, value: Value, factor: u64) -> bool {
    let Some(&InstData::Cast {
        op: CastOp::Zext | CastOp::Sext,
        arg,
    }) = kernel.def_inst(value)
    else {
        return false;
    };
    let room = kernel.ty(value).bits() - kernel.ty(arg).bits();
    factor > 0 && factor.next_power_of_two().trailing_zeros() <= room
}
