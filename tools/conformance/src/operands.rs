//! The operands of builtins: edge cases and random values.

use sluice_generator::Random;

use crate::check::Domain;
use crate::exact::{Number, Rounding};
use crate::types::{Kind, Type};

const SEED: u64 = 0x5EED_0001;

/// The few values of a type whose combinations are all tried.
fn corners(type_: Type) -> Vec<u64> {
    match type_.kind() {
        Kind::Signed | Kind::Unsigned => {
            let top = type_.top();
            [
                0,
                1,
                2,
                3,
                7,
                top - 1,
                top,
                top + 1,
                top >> 1,
                type_.mask(),
                type_.mask() - 1,
            ]
            .to_vec()
        }
        Kind::Float => {
            let infinity = type_.infinity();
            let least_normal = 1 << type_.fraction();
            let half = type_.one() - least_normal;
            let positive = [
                0,
                1,
                least_normal - 1,
                least_normal,
                half,
                type_.one(),
                type_.one() + 1,
                Number::whole(3).to_float(type_, Rounding::Even),
                infinity - 1,
                infinity,
            ];
            let negative = positive.map(|bits| bits | type_.top());
            [positive.as_slice(), &negative, &[type_.quiet_nan()]].concat()
        }
    }
}

/// The edge cases of a type: limits of its own range, of other types' ranges, and of roundings.
pub fn edges(type_: Type) -> Vec<u64> {
    let mut edges = corners(type_);
    match type_.kind() {
        Kind::Signed | Kind::Unsigned => {
            for bit in 0..type_.bits() {
                let power = 1_u64 << bit;
                for near in [power.wrapping_sub(1), power, power + 1] {
                    edges.extend([near, near.wrapping_neg()].map(|value| value & type_.mask()));
                }
            }
            // Halfway between two floats, from both sides.
            for precision in [11, 24, 53] {
                for bit in precision..type_.bits() {
                    let tie = (1_u64 << bit) + (1_u64 << (bit - precision));
                    edges.extend(
                        [tie - 1, tie, tie + 1, tie.wrapping_neg()]
                            .map(|value| value & type_.mask()),
                    );
                }
            }
        }
        Kind::Float => float_edges(type_, &mut edges),
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

fn float_edges(type_: Type, edges: &mut Vec<u64>) {
    let signalling = type_.infinity() + 1;
    edges.extend([signalling, signalling | type_.top(), type_.mask()]);
    // The limits of the integers, whole numbers and ties around them.
    let mut near = |halves: i128| {
        let number = Number::Finite {
            negative: halves < 0,
            magnitude: halves.unsigned_abs(),
            exponent: -1,
        };
        for rounding in [Rounding::Up, Rounding::Down] {
            edges.push(number.to_float(type_, rounding));
        }
    };
    for bits in [
        1, 2, 4, 7, 8, 10, 11, 12, 15, 16, 23, 24, 25, 31, 32, 52, 53, 63, 64,
    ] {
        for offset in -3..=3 {
            near((1 << (bits + 1)) + offset);
            near(-(1 << (bits + 1)) + offset);
        }
    }
    // The limits of the smaller floats, and ties between their subnormals.
    for smaller in [Type::Half, Type::Float] {
        for pattern in [1, 2, 3, 1 << smaller.fraction(), smaller.infinity() - 1] {
            let Number::Finite {
                magnitude,
                exponent,
                ..
            } = Number::of(smaller, pattern)
            else {
                continue;
            };
            for quarter in -2..=2_i64 {
                let number = Number::Finite {
                    negative: quarter % 2 != 0,
                    magnitude: (magnitude * 4).wrapping_add_signed(quarter.into()),
                    exponent: exponent - 2,
                };
                let bits = number.to_float(type_, Rounding::Even);
                edges.extend([bits, bits ^ type_.top()]);
            }
        }
    }
}

/// A float that is within ten powers of two of one, or now and then zero; any other value.
fn usual(type_: Type, random: &mut Random) -> u64 {
    let bits = random.bits() & type_.mask();
    if !type_.is_float() {
        return bits;
    }
    let field = (type_.one() >> type_.fraction()) - 10 + u64::from(random.below(21));
    let kept = type_.top() | ((1 << type_.fraction()) - 1);
    match random.below(16) {
        0 => bits & type_.top(),
        _ => (bits & kept) | (field << type_.fraction()),
    }
}

/// A random value: any bit pattern, a number of moderate size, or an edge case.
fn random(type_: Type, edges: &[u64], random: &mut Random) -> u64 {
    let bits = random.bits() & type_.mask();
    match (random.below(4), type_.kind()) {
        (0, _) => random.pick(edges),
        (1 | 2, Kind::Float) => usual(type_, random),
        // A number of any length.
        (1, Kind::Signed | Kind::Unsigned) => bits >> random.below(type_.bits()),
        (_, Kind::Signed | Kind::Unsigned | Kind::Float) => bits,
    }
}

/// Operand columns for a builtin with these parameter types: `count` values each; values with the
/// same index belong to one call.
pub fn operands(types: &[Type], domain: Domain, count: usize) -> Vec<Vec<u64>> {
    let mut source = Random::new(SEED);
    let all_edges: Vec<Vec<u64>> = types.iter().map(|&type_| edges(type_)).collect();
    let mut tuples = match (domain, types) {
        (Domain::Usual, _) => Vec::new(),
        (Domain::Any, _) if values(types).is_some_and(|values| values <= count) => {
            every_value(types)
        }
        (Domain::Any, [_]) => all_edges[0].iter().map(|&edge| vec![edge]).collect(),
        (Domain::Any, _) => combinations(types, count / 2),
    };
    while tuples.len() < count {
        let mut tuple: Vec<u64> = types
            .iter()
            .zip(&all_edges)
            .map(|(&type_, edges)| match domain {
                Domain::Any => random(type_, edges, &mut source),
                Domain::Usual => usual(type_, &mut source),
            })
            .collect();
        // Random operands are practically never equal or adjacent.
        if domain == Domain::Any && types.len() > 1 && source.below(8) == 0 {
            let step = u64::from(source.below(3));
            tuple[1] = (tuple[0].wrapping_add(step).wrapping_sub(1)) & types[1].mask();
        }
        tuples.push(tuple);
    }
    tuples.truncate(count.max(all_edges[0].len()));
    // So that every width uses whole vectors.
    while tuples.len() % GRANULE != 0 {
        let again = tuples[source.below(tuples.len() as u32) as usize].clone();
        tuples.push(again);
    }
    // Lanes of one vector should not all be special in the same way.
    for index in (1..tuples.len()).rev() {
        tuples.swap(index, source.below(index as u32 + 1) as usize);
    }
    (0..types.len())
        .map(|at| tuples.iter().map(|tuple| tuple[at]).collect())
        .collect()
}

/// Counts of operands are multiples of this: of every width, and of a work-group's size.
pub const GRANULE: usize = 192;

/// How many combinations of values there are, if that can be counted.
fn values(types: &[Type]) -> Option<usize> {
    1_usize.checked_shl(types.iter().map(|type_| type_.bits()).sum())
}

/// All combinations of values.
fn every_value(types: &[Type]) -> Vec<Vec<u64>> {
    let all = 0..values(types).expect("there are few") as u64;
    let split = |mut bits: u64| {
        let parts = types.iter().map(|type_| {
            let part = bits & type_.mask();
            bits = bits.checked_shr(type_.bits()).unwrap_or(0);
            part
        });
        parts.collect()
    };
    all.map(split).collect()
}

/// The combinations of corners, evenly thinned to at most `limit`.
fn combinations(types: &[Type], limit: usize) -> Vec<Vec<u64>> {
    let mut tuples = vec![Vec::new()];
    for &type_ in types {
        let corners = corners(type_);
        tuples = tuples
            .into_iter()
            .flat_map(|tuple: Vec<u64>| {
                corners
                    .iter()
                    .map(move |&corner| [tuple.as_slice(), &[corner]].concat())
            })
            .collect();
    }
    // A step that shares no factor with the lists' lengths meets all of their members.
    let step = (tuples.len() / limit.max(1) + 1) | 1;
    let step = if step.is_multiple_of(3) || step.is_multiple_of(7) || step.is_multiple_of(11) {
        step + 2
    } else {
        step
    };
    match tuples.len() <= limit {
        true => tuples,
        false => tuples.into_iter().step_by(step).collect(),
    }
}
