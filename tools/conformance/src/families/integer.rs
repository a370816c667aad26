//! Integer functions (OpenCL C 1.2, 6.12.3), in integers that are wide enough for anything.

use crate::check::{Check, Expected, Standard};
use crate::types::{Kind, Type};

/// Every integer function for every type.
pub fn checks() -> Vec<Check> {
    let mut checks: Vec<Check> = Type::INTEGERS.into_iter().flat_map(of_type).collect();
    checks.extend(upsample());
    for type_ in [Type::Int, Type::Uint] {
        checks.extend(with_24_bits(type_));
    }
    checks
}

/// The functions that every integer type has.
pub fn of_type(type_: Type) -> Vec<Check> {
    let bits = type_.bits();
    let unsigned = type_.unsigned();
    let mut checks = vec![
        function("abs", type_, 1, unsigned, move |x| {
            unsigned.wrap(x[0].abs())
        }),
        function("abs_diff", type_, 2, unsigned, move |x| {
            unsigned.wrap((x[0] - x[1]).abs())
        }),
        function("add_sat", type_, 2, type_, move |x| {
            type_.saturate(x[0] + x[1])
        }),
        function("sub_sat", type_, 2, type_, move |x| {
            type_.saturate(x[0] - x[1])
        }),
        function("hadd", type_, 2, type_, move |x| {
            type_.wrap((x[0] + x[1]) >> 1)
        }),
        function("rhadd", type_, 2, type_, move |x| {
            type_.wrap((x[0] + x[1] + 1) >> 1)
        }),
        function("max", type_, 2, type_, move |x| type_.wrap(x[0].max(x[1]))).with_shared(&[1]),
        function("min", type_, 2, type_, move |x| type_.wrap(x[0].min(x[1]))).with_shared(&[1]),
        function("mul_hi", type_, 2, type_, move |x| {
            type_.wrap(high_product(type_, x[0], x[1]))
        }),
        function("mad_hi", type_, 3, type_, move |x| {
            type_.wrap(high_product(type_, x[0], x[1]) + x[2])
        }),
        function("mad_sat", type_, 3, type_, move |x| mad_sat(type_, x)),
    ];
    checks.extend([
        Check::lanewise("clamp", &[type_; 3], type_, move |x| {
            let [x, low, high] = [0, 1, 2].map(|at| type_.integer(x[at]));
            match low <= high {
                true => Expected::Bits(type_.wrap(x.clamp(low, high))),
                false => Expected::Anything,
            }
        })
        .with_shared(&[1, 2]),
        Check::lanewise("rotate", &[type_; 2], type_, move |x| {
            let by = (x[1] % u64::from(bits)) as u32;
            let twice = u128::from(x[0]) << by;
            Expected::Bits((twice | twice >> bits) as u64 & type_.mask())
        }),
        Check::lanewise("popcount", &[type_], type_, |x| {
            Expected::Bits(x[0].count_ones().into())
        }),
        Check::lanewise("clz", &[type_], type_, move |x| {
            Expected::Bits(u64::from(x[0].leading_zeros() - (64 - bits)))
        }),
        Check::lanewise("ctz", &[type_], type_, move |x| {
            Expected::Bits(x[0].trailing_zeros().min(bits).into())
        })
        .since(Standard::V20),
    ]);
    checks
}

fn function(
    name: &str,
    type_: Type,
    operands: usize,
    result: Type,
    exact: impl Fn(&[i128]) -> u64 + Send + Sync + 'static,
) -> Check {
    Check::lanewise(name, &vec![type_; operands], result, move |bits| {
        let mut values = [0; 3];
        for (value, &bits) in values.iter_mut().zip(bits) {
            *value = type_.integer(bits);
        }
        Expected::Bits(exact(&values[..bits.len()]))
    })
}

/// The upper half of the product. That of two unsigned longs may not fit the signed 128 bits, which
/// a shift to the right would then see as negative.
fn high_product(type_: Type, x: i128, y: i128) -> i128 {
    match type_.kind() {
        Kind::Signed => (x * y) >> type_.bits(),
        Kind::Unsigned | Kind::Float => {
            ((x as u128).wrapping_mul(y as u128) >> type_.bits()) as i128
        }
    }
}

fn mad_sat(type_: Type, x: &[i128]) -> u64 {
    match type_.kind() {
        Kind::Signed => type_.saturate(x[0] * x[1] + x[2]),
        Kind::Unsigned | Kind::Float => {
            let exact = x[0] as u128 * x[1] as u128 + x[2] as u128;
            exact.min(u128::from(type_.mask())) as u64
        }
    }
}

fn upsample() -> Vec<Check> {
    let pairs = [
        (Type::Char, Type::Short),
        (Type::Uchar, Type::Ushort),
        (Type::Short, Type::Int),
        (Type::Ushort, Type::Uint),
        (Type::Int, Type::Long),
        (Type::Uint, Type::Ulong),
    ];
    pairs
        .map(|(high, wide)| {
            Check::lanewise("upsample", &[high, high.unsigned()], wide, move |x| {
                Expected::Bits(x[0] << high.bits() | x[1])
            })
        })
        .into()
}

/// Defined for operands of 24 bits only.
fn with_24_bits(type_: Type) -> Vec<Check> {
    let fits = move |bits: u64| match type_.kind() {
        Kind::Signed => (-(1 << 23)..1 << 23).contains(&type_.integer(bits)),
        Kind::Unsigned | Kind::Float => bits < 1 << 24,
    };
    // Operands of 32 bits, cut: random ones would rarely fit.
    let cut = match type_.kind() {
        Kind::Signed => ("(a << 8 >> 8)", "(b << 8 >> 8)"),
        Kind::Unsigned | Kind::Float => ("(a & 0xffffff)", "(b & 0xffffff)"),
    };
    let value = move |bits: u64| match type_.kind() {
        Kind::Signed => i128::from((bits as u32 as i32) << 8 >> 8),
        Kind::Unsigned | Kind::Float => i128::from(bits & 0xff_ffff),
    };
    let wide = move |name: &'static str, operands: usize| {
        Check::lanewise(name, &vec![type_; operands], type_, move |x| {
            let addend = x.get(2).map_or(0, |&bits| type_.integer(bits));
            match fits(x[0]) && fits(x[1]) {
                true => {
                    Expected::Bits(type_.wrap(type_.integer(x[0]) * type_.integer(x[1]) + addend))
                }
                false => Expected::Anything,
            }
        })
    };
    let narrow = move |name: &'static str, call: String, operands: usize| {
        Check::expression(name, &call, &vec![type_; operands], type_, move |x| {
            let addend = x.get(2).map_or(0, |&bits| type_.integer(bits));
            Expected::Bits(type_.wrap(value(x[0]) * value(x[1]) + addend))
        })
    };
    vec![
        wide("mul24", 2),
        wide("mad24", 3),
        narrow("mul24", format!("mul24({}, {})", cut.0, cut.1), 2),
        narrow("mad24", format!("mad24({}, {}, c)", cut.0, cut.1), 3),
    ]
}
