//! The inputs on which functions are measured: every number of a type or a stratified sample of them, all pairs of
//! edge cases, and seeded random numbers from ranges where functions are hard to compute.

mod draw;
mod edges;

use std::ops::Range;

use crate::functions::{Form, Function};
use crate::number::Type;

use draw::Draw;
use edges::{INTEGERS, edges, specials};

/// The number of inputs.
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
    /// Edge cases.
    edges: Vec<u64>,
    /// Numbers of the lists and draws, in this order.
    parts: [u64; 3],
}

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
