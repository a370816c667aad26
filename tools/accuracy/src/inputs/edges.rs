//! Edge cases: the numbers at which functions change or types end.

use crate::number::Type;

/// Small numbers around which functions change, exactly or rounded to the type.
const LANDMARKS: &[f64] = &[
    0.25,
    0.5,
    1.0,
    1.5,
    2.0,
    2.5,
    3.0,
    4.0,
    5.0,
    7.0,
    8.0,
    9.0,
    10.0,
    16.0,
    17.0,
    24.0,
    25.0,
    27.0,
    33.0,
    35.0,
    36.0,
    64.0,
    100.0,
    127.0,
    128.0,
    149.0,
    150.0,
    170.0,
    171.0,
    172.0,
    185.0,
    1000.0,
    1023.0,
    1024.0,
    1074.0,
    1075.0,
    2147483647.0,
    2147483648.0,
    4294967296.0,
    9.223_372_036_854_776e18,
    1.8446744073709552e19,
    1e22,
    1e-3,
    1e-5,
    1e-10,
    1e-20,
    0.1,
    0.3,
    0.7,
    0.9,
    1.0 / 3.0,
    11.09,
    16.64,
    34.5,
    35.04,
    38.53,
    44.85,
    88.72,
    103.97,
    171.624,
    307.65,
    308.25,
    323.3,
    709.78,
    710.47,
    745.13,
    0.4769,
    0.84375,
    1.25,
    6.0,
    2.857,
    9.2,
    13.5,
    26.5,
    std::f64::consts::FRAC_PI_4,
    std::f64::consts::FRAC_PI_2,
    std::f64::consts::PI,
    4.71238898038469,
    std::f64::consts::TAU,
    std::f64::consts::E,
    std::f64::consts::LN_2,
    std::f64::consts::LN_10,
    std::f64::consts::SQRT_2,
    std::f64::consts::FRAC_1_SQRT_2,
    1.4616321449683622,
    0.414_213_562_373_095,
];

/// Both signs of zero, the limits of the type, infinity and NaN, and the landmarks with their neighbours.
pub(super) fn edges(ty: Type) -> Vec<u64> {
    let least_normal = 1 << ty.fraction();
    let mut edges = vec![0, 1, 2, least_normal - 1, least_normal, least_normal + 1];
    edges.extend([
        ty.infinity() - 2,
        ty.infinity() - 1,
        ty.infinity(),
        ty.nan(),
    ]);
    let whole = 2_f64.powi(ty.fraction() as i32);
    let whole_numbers = [
        whole / 2.0,
        whole / 2.0 + 0.5,
        whole - 0.5,
        whole,
        whole + 1.0,
        2.0 * whole,
    ];
    for landmark in LANDMARKS.iter().chain(&whole_numbers) {
        let bits = ty.round(*landmark);
        // In half some are zero or infinite.
        if bits > 0 && bits < ty.infinity() - 1 {
            edges.extend([bits - 1, bits, bits + 1]);
        }
    }
    edges.sort_unstable();
    edges.dedup();
    let negative = edges.iter().map(|bits| bits | ty.sign());
    let all = edges.iter().copied().chain(negative);
    all.collect()
}

/// The numbers of which all triples are tried: zero, the ends of the subnormal and the normal numbers, one and its
/// neighbour, an even and an odd number, infinity and NaN, with both signs.
pub(super) fn specials(ty: Type) -> Vec<u64> {
    let least_normal = 1 << ty.fraction();
    let [one, two, three] = [1.0, 2.0, 3.0].map(|value| ty.round(value));
    let numbers = [
        0,
        1,
        least_normal - 1,
        least_normal,
        one,
        one + 1,
        two,
        three,
    ];
    let ends = [ty.infinity() - 1, ty.infinity(), ty.nan()];
    let positive = numbers.into_iter().chain(ends);
    positive.flat_map(|bits| [bits, bits | ty.sign()]).collect()
}

/// Integer arguments: exponents and limits of the types.
pub(super) const INTEGERS: &[i32] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    16,
    17,
    23,
    24,
    25,
    31,
    63,
    64,
    127,
    128,
    149,
    150,
    255,
    256,
    1000,
    1023,
    1024,
    1074,
    1075,
    2047,
    2098,
    2099,
    16384,
    65535,
    16777215,
    16777216,
    16777217,
    i32::MAX - 1,
    i32::MAX,
];
