//! What functions are tried on: every number of a type or one of each of many equal parts, all pairs of the numbers
//! where something happens, and seeded draws from where functions are hard.

use std::ops::Range;

use crate::functions::{Form, Function};
use crate::number::Type;

/// How many inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Density {
    /// For a test: seconds per function.
    Quick,
    /// For the table.
    Dense,
    /// Every number, for functions of one float.
    Exhaustive,
}

/// Arguments as bits; those that a function does not take are zero.
pub type Arguments = [u64; 3];

/// The inputs of a function, by number.
pub struct Inputs {
    ty: Type,
    form: Form,
    /// Where something happens.
    edges: Vec<u64>,
    /// Numbers of the lists and draws, in this order.
    parts: [u64; 3],
}

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
fn edges(ty: Type) -> Vec<u64> {
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
fn specials(ty: Type) -> Vec<u64> {
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

const INTEGERS: &[i32] = &[
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

impl Inputs {
    /// The inputs of `function`.
    pub fn of(function: &Function, density: Density) -> Inputs {
        let edges = edges(function.ty);
        let Function { ty, form, .. } = *function;
        let count = edges.len() as u64;
        let parts = match form {
            Form::Unary
            | Form::ToInteger
            | Form::FromInteger
            | Form::TwoResults
            | Form::AndInteger => [count, spread(ty, density), near(ty, density)],
            Form::Binary | Form::BinaryAndInteger => [count * count, 0, drawn(ty, density)],
            Form::WithInteger => [count * 2 * INTEGERS.len() as u64, 0, drawn(ty, density)],
            Form::Ternary => {
                let triples = (specials(ty).len() as u64).pow(3);
                [triples + count * count, 0, drawn(ty, density)]
            }
        };
        Inputs {
            ty,
            form,
            edges,
            parts,
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.parts.iter().sum()
    }

    /// The inputs of these numbers, by columns.
    pub fn fill(&self, numbers: Range<u64>, columns: &mut [Vec<u64>; 3]) {
        columns.iter_mut().for_each(Vec::clear);
        let [listed, spread, _] = self.parts;
        if numbers.start >= listed && numbers.end <= listed + spread {
            let [x, rest @ ..] = columns;
            let strata = numbers.start - listed..numbers.end - listed;
            let strata = strata.map(|at| stratum(self.ty, at, spread));
            match self.form {
                Form::FromInteger => x.extend(strata),
                _ => x.extend(strata.map(|bits| self.quiet(bits))),
            }
            rest.iter_mut().for_each(|column| column.resize(x.len(), 0));
            return;
        }
        for row in numbers.map(|at| self.get(at)) {
            for (column, number) in columns.iter_mut().zip(row) {
                column.push(number);
            }
        }
    }

    /// The first and the last of these inputs, if all floats between them are inputs and nothing else is.
    pub fn ends(&self, numbers: &Range<u64>) -> Option<[Arguments; 2]> {
        let [listed, spread, _] = self.parts;
        let all = self.ty == Type::Float && spread == 1 << 32;
        let inside = numbers.start >= listed && numbers.end <= listed + spread;
        (all && inside).then(|| [numbers.start, numbers.end - 1].map(|at| self.get(at)))
    }

    /// Input `at`.
    pub fn get(&self, at: u64) -> Arguments {
        let [x, y, z] = self.any(at);
        let quiet = |bits| self.quiet(bits);
        match self.form {
            Form::WithInteger => [quiet(x), y, z],
            Form::FromInteger => [x, y, z],
            Form::Unary
            | Form::Binary
            | Form::Ternary
            | Form::ToInteger
            | Form::TwoResults
            | Form::AndInteger
            | Form::BinaryAndInteger => [quiet(x), quiet(y), quiet(z)],
        }
    }

    /// The same number, of NaNs one that does not signal.
    #[inline]
    fn quiet(&self, bits: u64) -> u64 {
        match self.ty.is_nan(bits) {
            true => bits | self.ty.nan(),
            false => bits,
        }
    }

    /// Input `at`, in which NaNs may signal.
    fn any(&self, at: u64) -> Arguments {
        let [listed, spread, _] = self.parts;
        if at < listed {
            return self.listed(at);
        }
        if at < listed + spread {
            return [stratum(self.ty, at - listed, spread), 0, 0];
        }
        let mut draw = Draw::new(at);
        match self.form {
            Form::Unary | Form::ToInteger | Form::TwoResults | Form::AndInteger => {
                [draw.number(self.ty, &self.edges), 0, 0]
            }
            Form::FromInteger => [draw.bits() & self.ty.mask(), 0, 0],
            Form::Binary | Form::BinaryAndInteger => draw.pair(self.ty, &self.edges),
            Form::WithInteger => draw.with_integer(self.ty, &self.edges),
            Form::Ternary => draw.triple(self.ty, &self.edges),
        }
    }

    fn listed(&self, at: u64) -> Arguments {
        let edge = |at: u64| self.edges[(at % self.edges.len() as u64) as usize];
        let rest = at / self.edges.len() as u64;
        match self.form {
            Form::Unary
            | Form::ToInteger
            | Form::TwoResults
            | Form::AndInteger
            | Form::FromInteger => [edge(at), 0, 0],
            Form::Binary | Form::BinaryAndInteger => [edge(at), edge(rest), 0],
            Form::WithInteger => {
                let integer = INTEGERS[(rest / 2) as usize];
                let signed = if rest.is_multiple_of(2) {
                    integer
                } else {
                    -1 - integer
                };
                [edge(at), u64::from(signed as u32), 0]
            }
            Form::Ternary => {
                let specials = specials(self.ty);
                let count = specials.len() as u64;
                if at < count.pow(3) {
                    return [at, at / count, at / count / count]
                        .map(|at| specials[(at % count) as usize]);
                }
                let at = at - count.pow(3);
                let rest = at / self.edges.len() as u64;
                [edge(at), edge(rest), edge(Draw::new(at).bits())]
            }
        }
    }
}

/// Into how many equal parts the bit patterns are divided, one number of each being tried.
fn spread(ty: Type, density: Density) -> u64 {
    match (ty, density) {
        (Type::Half, _) => 1 << 16,
        (Type::Float, Density::Exhaustive) => 1 << 32,
        // One of each 1024 neighbours.
        (Type::Float, Density::Dense | Density::Quick) => 1 << 22,
        (Type::Double, Density::Dense | Density::Exhaustive) => 1 << 20,
        (Type::Double, Density::Quick) => 1 << 14,
    }
}

/// How many more are drawn from where one-argument functions are hard.
fn near(ty: Type, density: Density) -> u64 {
    match (ty, density) {
        (Type::Half, _) | (Type::Float, Density::Exhaustive) => 0,
        (Type::Float, Density::Dense) => 1 << 20,
        (Type::Float, Density::Quick) => 1 << 16,
        (Type::Double, Density::Dense | Density::Exhaustive) => 1 << 19,
        (Type::Double, Density::Quick) => 1 << 14,
    }
}

/// How many are drawn for functions of several arguments.
fn drawn(ty: Type, density: Density) -> u64 {
    match (ty, density) {
        (Type::Float | Type::Half, Density::Dense | Density::Exhaustive) => 1 << 22,
        (Type::Double, Density::Dense | Density::Exhaustive) => 1 << 20,
        (Type::Float | Type::Half, Density::Quick) => 1 << 17,
        (Type::Double, Density::Quick) => 1 << 14,
    }
}

/// Some number of part `at` of `parts` equal parts.
fn stratum(ty: Type, at: u64, parts: u64) -> u64 {
    let width = ty.bits() - parts.trailing_zeros();
    if width == 0 {
        return at;
    }
    let low = Draw::new(at).bits() & ((1_u64 << width) - 1);
    at << width | low
}

/// Numbers drawn for one input: the same for the same input.
struct Draw {
    state: u64,
}

impl Draw {
    fn new(seed: u64) -> Draw {
        Draw {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d,
        }
    }

    /// The next bits (splitmix64).
    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// Uniform in [-size, size).
    fn within(&mut self, size: f64) -> f64 {
        (self.bits() as i64 as f64) * (size / 2_f64.powi(63))
    }

    /// A power of two times [1, 2), its exponent uniform in [-exponent, exponent], of either sign.
    fn sized(&mut self, exponent: i32) -> f64 {
        let power = self.below(2 * exponent as u64 + 1) as i32 - exponent;
        let fraction = 1.0 + self.within(0.5) + 0.5;
        let size = fraction * 2_f64.powi(power);
        if self.bits() & 1 == 0 { size } else { -size }
    }

    /// A number a few steps from `bits`.
    fn neighbour(&mut self, ty: Type, bits: u64, steps: u64) -> u64 {
        let moved = bits
            .wrapping_add(self.below(2 * steps + 1))
            .wrapping_sub(steps);
        moved & ty.mask()
    }

    /// A number where functions of one argument are hard.
    fn number(&mut self, ty: Type, edges: &[u64]) -> u64 {
        let digits = ty.fraction() as i32 + 2;
        let mode = self.below(8);
        let value = match mode {
            0 => self.within(8.0),
            1 => self.within(1.1 * f64::from(ty.beyond_exponent())),
            2 => {
                let offset = self.sized(digits).abs().recip().min(0.5);
                if self.bits() & 1 == 0 {
                    1.0 + offset
                } else {
                    1.0 - offset
                }
            }
            3 => {
                let log = self.below(20) + 1;
                self.below(1 << log) as f64 * std::f64::consts::FRAC_PI_2
            }
            4 => self.below(1 << 12) as f64 / 4.0,
            5 => self.sized(60),
            6 => self.sized(2),
            _ => {
                let edge = edges[self.below(edges.len() as u64) as usize];
                return self.neighbour(ty, edge, 1 << 10);
            }
        };
        let bits = ty.round(value);
        match mode {
            3 | 4 => self.neighbour(ty, bits, 3) ^ (self.bits() & ty.sign()),
            2 => bits ^ (self.bits() & ty.sign()),
            _ => bits,
        }
    }

    fn pair(&mut self, ty: Type, edges: &[u64]) -> Arguments {
        let any = self.bits() & ty.mask();
        let [x, y] = match self.below(8) {
            0 => [any, self.bits() & ty.mask()],
            1 => {
                let near = self.neighbour(ty, any, 4) ^ (self.bits() & ty.sign());
                [any, near]
            }
            2 => [ty.round(self.sized(12)), ty.round(self.sized(12))],
            3 => {
                let halves = self.below(257) as f64 - 128.0;
                [self.number(ty, edges), ty.round(halves / 2.0)]
            }
            // A power near one of a number near one.
            4 => {
                let offset = self.sized(ty.fraction() as i32).abs().recip().min(0.5);
                let exponent = self.within(1.2 * f64::from(ty.beyond_exponent())) / offset;
                [
                    ty.round(1.0 + offset.copysign(self.within(1.0))),
                    ty.round(exponent),
                ]
            }
            // A power within the range or just beyond.
            5 => {
                let base = any & !ty.sign();
                let log = ty.value(base).log2();
                let range = f64::from(ty.beyond_exponent() + ty.fraction() as i32 + 4);
                [base, ty.round(self.within(range) / log)]
            }
            6 => {
                let ratio = self.sized(ty.fraction() as i32 + 4);
                [any, ty.round(ty.value(any) * ratio)]
            }
            _ => [ty.round(self.within(10.0)), self.number(ty, edges)],
        };
        [x, y, 0]
    }

    fn with_integer(&mut self, ty: Type, edges: &[u64]) -> Arguments {
        let any = self.bits() & ty.mask();
        let range = f64::from(ty.beyond_exponent() + ty.fraction() as i32 + 4);
        let (x, n) = match self.below(6) {
            0 => (any, self.bits() as i32),
            1 => (any, self.below(41) as i32 - 20),
            2 => (any, self.within(2.0 * range) as i32),
            3 => {
                let log = ty.value(any).abs().log2();
                (any, (self.within(range) / log) as i32)
            }
            4 => {
                let offset = self.sized(ty.fraction() as i32).abs().recip().min(0.5);
                let exponent = self.within(range) / offset;
                (
                    ty.round(1.0 + offset.copysign(self.within(1.0))),
                    exponent as i32,
                )
            }
            _ => (self.number(ty, edges), self.below(129) as i32 - 64),
        };
        [x, u64::from(n as u32), 0]
    }

    fn triple(&mut self, ty: Type, edges: &[u64]) -> Arguments {
        let [x, y, _] = self.pair(ty, edges);
        let product = ty.round(ty.value(x) * ty.value(y));
        let z = match self.below(4) {
            0 => self.bits() & ty.mask(),
            1 => self.number(ty, edges),
            // The product is lost, or almost.
            2 => self.neighbour(ty, product ^ ty.sign(), 2),
            _ => ty.round(ty.value(product) * self.sized(ty.fraction() as i32 + 4)),
        };
        [x, y, z]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions;

    #[test]
    fn every_half_is_tried() {
        let mut all = functions::all().into_iter();
        let sine = all.find(|function| function.name == "sin" && function.ty == Type::Half);
        let inputs = Inputs::of(&sine.expect("half has a sine"), Density::Quick);
        let mut seen = vec![false; 1 << 16];
        for at in 0..inputs.count() {
            seen[inputs.get(at)[0] as usize] = true;
        }
        // Signalling NaNs are made quiet.
        let signals = |bits: usize| Type::Half.is_nan(bits as u64) && bits & 0x200 == 0;
        assert!((0..1 << 16).all(|bits| seen[bits] || signals(bits)));
    }

    #[test]
    fn columns_hold_the_inputs_of_their_numbers() {
        for function in functions::all() {
            let inputs = Inputs::of(&function, Density::Exhaustive);
            let listed = inputs.parts[0];
            let all_floats = function.is_of_one_float();
            let above = listed + if all_floats { 0x7f80_0000 } else { 0 };
            // Listed ones, ones around the border, infinities and NaNs, and the last ones.
            for start in [0, listed - 3, above, inputs.count() - 64] {
                let numbers = start..start + 64;
                let mut columns = [const { Vec::new() }; 3];
                inputs.fill(numbers.clone(), &mut columns);
                for (row, at) in numbers.enumerate() {
                    let filled = columns.each_ref().map(|column| column[row]);
                    assert_eq!(filled, inputs.get(at), "{} {at}", function.name);
                }
            }
        }
    }

    #[test]
    fn inputs_fit_their_type() {
        for function in functions::all() {
            let inputs = Inputs::of(&function, Density::Quick);
            for at in (0..inputs.count()).step_by(997) {
                let [x, y, z] = inputs.get(at);
                let mask = function.ty.mask();
                let second = if function.form == Form::WithInteger {
                    u64::from(u32::MAX)
                } else {
                    mask
                };
                assert!(
                    x <= mask && y <= second && z <= mask,
                    "{} {at}",
                    function.name
                );
            }
        }
    }
}
