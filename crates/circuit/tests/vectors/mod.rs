//! Operands that are likely to go wrong: special values in all combinations, then random ones whose
//! exponents cancel, overflow and underflow, and whose significands are all ones, sparse or dense.

use sluice_circuit::arith::{Format, mask, signed};
use sluice_circuit::operators::Port;

/// A small generator of random numbers (splitmix64): the same seed gives the same tests everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// How many rows of operands a test tries: `SLUICE_VECTORS`, or this number.
pub fn rows_or(default: usize) -> usize {
    match std::env::var("SLUICE_VECTORS") {
        Ok(text) => text.parse().expect("SLUICE_VECTORS is a number"),
        Err(_) => default,
    }
}

/// Rows of operands: all of a small operand space, or all combinations of special values and then
/// random ones up to `count` rows.
pub fn rows(ports: &[Port], count: usize, random: &mut Random) -> Vec<Vec<u64>> {
    let bits: u32 = ports.iter().map(|port| port.width).sum();
    if bits <= 16 {
        return exhaustive(ports, bits);
    }
    let mut rows = combinations(ports);
    // Three operands have too many combinations for a short test: spread what fits.
    if rows.len() > count / 2 {
        let stride = rows.len() * 2 / count.max(1) + 1;
        rows = rows.into_iter().step_by(stride).collect();
    }
    while rows.len() < count {
        rows.push(random_row(ports, random));
    }
    rows
}

fn exhaustive(ports: &[Port], bits: u32) -> Vec<Vec<u64>> {
    let split = |mut all: u64| {
        let operand = |port: &Port| {
            let value = all & mask(port.width);
            all >>= port.width;
            value
        };
        ports.iter().map(operand).collect()
    };
    (0..1 << bits).map(split).collect()
}

fn combinations(ports: &[Port]) -> Vec<Vec<u64>> {
    let mut rows = vec![vec![]];
    for port in ports {
        let specials = specials(port);
        let extend = |row: &Vec<u64>| {
            let with = |&value: &u64| row.iter().copied().chain([value]).collect();
            specials.iter().map(with).collect::<Vec<_>>()
        };
        rows = rows.iter().flat_map(extend).collect();
    }
    rows
}

fn specials(port: &Port) -> Vec<u64> {
    match port.format {
        Some(format) => special_floats(format),
        None => special_integers(port.width),
    }
}

fn special_integers(width: u32) -> Vec<u64> {
    let all = mask(width);
    let mut values = vec![
        0,
        1,
        2,
        3,
        5,
        10,
        all,
        all - 1,
        all >> 1,
        (all >> 1) + 1,
        all / 3,
    ];
    values.extend([width / 2, width - 1, width, width + 1].map(u64::from));
    for power in [width / 4, width / 2, width * 3 / 4, width - 1] {
        values.extend([
            1 << power,
            (1 << power) - 1,
            (1u64 << power) + 1,
            all << power,
        ]);
    }
    values.iter_mut().for_each(|value| *value &= all);
    values.sort_unstable();
    values.dedup();
    values
}

fn special_floats(format: Format) -> Vec<u64> {
    let man = format.man();
    let ones = mask(man);
    let bias = mask(format.exp() - 1);
    let with = |exponent: u64, fraction: u64| exponent << man | fraction;
    let top = mask(format.exp());
    let mut values = vec![
        with(0, 0),
        with(0, 1),
        with(0, 2),
        with(0, ones),
        with(0, 1 << (man - 1)),
        with(0, ones / 3),
        with(1, 0),
        with(1, 1),
        with(1, 3),
        with(1, 6),
        with(1, ones),
        with(2, 0),
        with(2, 3),
        with(3, 6),
        with(bias - 1, 0),
        with(bias - 1, 1),
        with(bias - 1, ones),
        with(bias - 2, 0),
        with(bias - 2, ones),
        with(bias, 0),
        with(bias, 1),
        with(bias, ones),
        with(bias, 1 << (man - 1)),
        with(bias + 1, 0),
        with(bias + 2, 0),
        with(bias + 3, 0),
        with(bias + 1, 1 << (man - 2)),
        with(bias + 1, ones),
        with(bias + u64::from(man), 0),
        with(bias + u64::from(man) - 1, 1),
        with(bias + u64::from(man) - 1, ones),
        with(bias + u64::from(man) + 1, 1),
        with(top - 1, 0),
        with(top - 1, ones),
        with(top - 1, ones - 1),
        with(top, 0),
        with(top, 1),
        with(top, 1 << (man - 1)),
        with(top, ones),
    ];
    values.extend(
        values
            .clone()
            .into_iter()
            .map(|value| value | format.sign()),
    );
    values
}

fn random_row(ports: &[Port], random: &mut Random) -> Vec<u64> {
    let mut row: Vec<u64> = Vec::with_capacity(ports.len());
    // What the exponents have in common: nothing, being close, or a product close to a third.
    let relation = random.below(4);
    for port in ports {
        let value = match port.format {
            None => random_integer(port.width, random),
            Some(_) if random.below(64) == 0 => random.pick(&specials(port)),
            Some(format) => random_float(format, relation, &row, random),
        };
        row.push(value);
    }
    row
}

fn random_integer(width: u32, random: &mut Random) -> u64 {
    let bits = random.next() & mask(width);
    let narrowed = random.below(width.into()) as u32;
    let value = match random.below(6) {
        0 | 1 => bits,
        2 => bits >> narrowed,
        3 => (signed(width, bits) >> narrowed) as u64,
        4 => random.below(2 * u64::from(width) + 1),
        _ => (1u64 << narrowed)
            .wrapping_add(random.below(3))
            .wrapping_sub(1),
    };
    value & mask(width)
}

fn random_float(format: Format, relation: u64, row: &[u64], random: &mut Random) -> u64 {
    let (man, top) = (format.man(), mask(format.exp()) as i64);
    let bias = top >> 1;
    let exponent_of = |bits: u64| (bits >> man) as i64 & top;
    let near =
        |random: &mut Random| random.below(2 * u64::from(man) + 9) as i64 - i64::from(man) - 4;
    let free = random.below(top as u64 + 1) as i64;
    let exponent = match (relation, row) {
        (0, _) | (_, []) => free,
        (1, [.., last]) => exponent_of(*last) + random.below(5) as i64 - 2,
        (2, [a]) => match random.below(3) {
            0 => bias - exponent_of(*a) + near(random),
            1 => exponent_of(*a) - bias + near(random),
            _ => bias + top - exponent_of(*a) + random.below(5) as i64 - 2,
        },
        (2 | 3, [a, b, ..]) => exponent_of(*a) + exponent_of(*b) - bias + near(random),
        (_, [.., last]) => exponent_of(*last) + near(random),
    };
    // Exponents that fall off an end become subnormals or large numbers, not infinities.
    let exponent = exponent.clamp(0, top - 1) as u64;
    let dense = random.next() & mask(man);
    let cut = random.below(man.into()) as u32;
    let fraction = match random.below(9) {
        8 => 0,
        0..=3 => dense,
        4 => dense >> cut,
        5 => dense & mask(man) << cut,
        6 => mask(man) & !(1 << cut),
        _ => 1 << cut | random.below(2),
    } & mask(man);
    (random.next() & 1) << (format.width() - 1) | exponent << man | fraction
}
