//! Systems of linear equations and inequalities over the integers: whether they have a solution.
//!
//! This is the Omega test (Pugh, 1991). Equations are solved for one of their variables; inequalities
//! lose theirs one at a time by Fourier-Motzkin elimination, which is exact for the integers if one of the
//! two coefficients is 1. Otherwise the shadow over the reals may be too large, and the *dark* shadow,
//! over which every point has an integer above it, too small; what is between them is looked at plane
//! by plane. Numbers have 128 bits, systems a size limit and searches a [`Budget`]: beyond any of
//! them the answer is [`Solution::Unknown`].

use std::collections::BTreeMap;

/// A system may have this number of rows.
const MOST_ROWS: usize = 200;
/// The number of planes between the shadows that are looked at.
const MOST_PLANES: i128 = 64;
/// The greatest coefficient: products of two fit in 128 bits with room for sums.
const GREATEST: i128 = 1 << 100;

/// Whether a system has a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Solution {
    Exists,
    None,
    /// The search was given up.
    Unknown,
}

/// How much work may still be done: rows that are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget(pub(super) u32);

impl Budget {
    fn spend(&mut self, rows: usize) -> Option<()> {
        self.0 = self.0.checked_sub(u32::try_from(rows).ok()?)?;
        Some(())
    }
}

/// A sum of variables with coefficients, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Row {
    pub(super) coefficients: Vec<i128>,
    pub(super) constant: i128,
}

/// Variables that are integers, sums of them that are 0 and sums that are not negative.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) equal: Vec<Row>,
    pub(super) not_negative: Vec<Row>,
}

/// What simplification found: nothing that decides, or that there is no solution.
enum Simplified {
    Open,
    Contradiction,
}

impl System {
    /// Whether there are integers that meet all of it.
    pub(super) fn solve(&self, budget: &mut Budget) -> Solution {
        self.clone().search(budget).unwrap_or(Solution::Unknown)
    }

    /// None if the search is given up.
    fn search(mut self, budget: &mut Budget) -> Option<Solution> {
        loop {
            if let Simplified::Contradiction = self.simplify()? {
                return Some(Solution::None);
            }
            if self.not_negative.len() > MOST_ROWS {
                return None;
            }
            budget.spend(1 + self.equal.len() + self.not_negative.len())?;
            if let Some(row) = self.equal.pop() {
                self.substitute_from(row)?;
                continue;
            }
            let Some(variable) = self.cheapest_variable() else {
                return Some(Solution::Exists);
            };
            let elimination = self.eliminate(variable)?;
            if elimination.is_exact {
                self = elimination.shadow;
                continue;
            }
            return self.between_the_shadows(variable, elimination, budget);
        }
    }

    /// Divides rows by what their coefficients have in common and joins those that bound the same sum.
    fn simplify(&mut self) -> Option<Simplified> {
        let mut bounds: BTreeMap<Vec<i128>, i128> = BTreeMap::new();
        for row in std::mem::take(&mut self.not_negative) {
            let common = row.common_divisor();
            if common == 0 {
                if row.constant < 0 {
                    return Some(Simplified::Contradiction);
                }
                continue;
            }
            let row = row.divided(common);
            let bound = bounds.entry(row.coefficients).or_insert(row.constant);
            *bound = (*bound).min(row.constant);
        }
        for (coefficients, &constant) in &bounds {
            let negated: Vec<i128> = coefficients.iter().map(|it| -it).collect();
            let row = Row {
                coefficients: coefficients.clone(),
                constant,
            };
            match bounds.get(&negated) {
                Some(other) if constant + other < 0 => return Some(Simplified::Contradiction),
                // Both ends of the range are the same: an equation, once.
                Some(other) if constant + other == 0 => {
                    if *coefficients > negated {
                        self.equal.push(row);
                    }
                }
                Some(_) | None => self.not_negative.push(row),
            }
        }
        let mut equal = Vec::new();
        for row in std::mem::take(&mut self.equal) {
            let common = row.common_divisor();
            if common == 0 && row.constant == 0 {
                continue;
            }
            if common == 0 || row.constant % common != 0 {
                return Some(Simplified::Contradiction);
            }
            equal.push(row.divided(common));
        }
        self.equal = equal;
        let rows = self.equal.iter().chain(&self.not_negative);
        let is_small = |row: &Row| row.numbers().all(|it| it.abs() < GREATEST);
        rows.into_iter().all(is_small).then_some(Simplified::Open)
    }

    /// Solves an equation for a variable and replaces it everywhere. Without a coefficient of 1, all
    /// coefficients modulo one more than the least one give the variable in terms of a new one, which
    /// takes its place, and the equation remains with smaller coefficients.
    fn substitute_from(&mut self, row: Row) -> Option<()> {
        let variables = row.coefficients.iter().enumerate();
        let variables = variables.filter(|&(_, &by)| by != 0);
        let (at, &by) = variables.min_by_key(|&(_, by)| by.abs())?;
        let sign = by.signum();
        let mut replacement = row.clone();
        if by.abs() == 1 {
            replacement.coefficients[at] = 0;
            let replacement = replacement.times(-sign)?;
            return self.replace(at, &replacement);
        }
        let modulus = by.abs() + 1;
        let near = |number: i128| {
            let rest = number.rem_euclid(modulus);
            if 2 * rest >= modulus {
                rest - modulus
            } else {
                rest
            }
        };
        for coefficient in &mut replacement.coefficients {
            *coefficient = near(*coefficient);
        }
        replacement.constant = near(replacement.constant);
        replacement.coefficients[at] = -modulus;
        let replacement = replacement.times(sign)?;
        self.equal.push(row);
        self.replace(at, &replacement)
    }

    fn replace(&mut self, at: usize, by: &Row) -> Option<()> {
        for row in self.equal.iter_mut().chain(&mut self.not_negative) {
            let coefficient = std::mem::replace(&mut row.coefficients[at], 0);
            if coefficient != 0 {
                *row = row.plus(&by.times(coefficient)?)?;
            }
        }
        Some(())
    }

    /// The variable whose elimination makes the fewest rows, one that is exact if there is one.
    fn cheapest_variable(&self) -> Option<usize> {
        let count = self.not_negative.first()?.coefficients.len();
        let cost = |at: usize| {
            let of = |sign: i128| {
                let coefficients = self
                    .not_negative
                    .iter()
                    .map(move |row| row.coefficients[at]);
                coefficients.filter(move |it| it.signum() == sign)
            };
            let (lower, upper) = (of(1).count(), of(-1).count());
            let is_exact = of(1).all(|it| it == 1) || of(-1).all(|it| it == -1);
            (!is_exact, lower * upper)
        };
        let occurs = |at: &usize| self.not_negative.iter().any(|it| it.coefficients[*at] != 0);
        (0..count).filter(occurs).min_by_key(|&at| cost(at))
    }

    /// The inequalities that the others imply without a variable.
    fn eliminate(&self, at: usize) -> Option<Elimination> {
        let mut found = Elimination {
            shadow: System::default(),
            dark: System::default(),
            is_exact: true,
        };
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for row in &self.not_negative {
            match row.coefficients[at].signum() {
                1 => lower.push(row),
                -1 => upper.push(row),
                _ => {
                    found.shadow.not_negative.push(row.clone());
                    found.dark.not_negative.push(row.clone());
                }
            }
        }
        if lower.len() * upper.len() + found.shadow.not_negative.len() > MOST_ROWS {
            return None;
        }
        for below in &lower {
            for above in &upper {
                let (a, b) = (-above.coefficients[at], below.coefficients[at]);
                let row = below.times(a)?.plus(&above.times(b)?)?;
                let mut dark = row.clone();
                dark.constant = dark.constant.checked_sub((a - 1).checked_mul(b - 1)?)?;
                found.is_exact &= a == 1 || b == 1;
                found.shadow.not_negative.push(row);
                found.dark.not_negative.push(dark);
            }
        }
        Some(found)
    }

    /// Solutions are above the dark shadow, or close above one of the lower bounds.
    fn between_the_shadows(
        &self,
        at: usize,
        elimination: Elimination,
        budget: &mut Budget,
    ) -> Option<Solution> {
        match elimination.shadow.search(budget)? {
            Solution::None => return Some(Solution::None),
            Solution::Exists | Solution::Unknown => {}
        }
        if elimination.dark.search(budget)? == Solution::Exists {
            return Some(Solution::Exists);
        }
        let steepest = self.not_negative.iter().map(|row| -row.coefficients[at]);
        let a = steepest.max()?;
        for below in self
            .not_negative
            .iter()
            .filter(|it| it.coefficients[at] > 0)
        {
            let b = below.coefficients[at];
            let planes = (a.checked_mul(b)? - a - b).div_euclid(a);
            if planes >= MOST_PLANES {
                return None;
            }
            for height in 0..=planes {
                let mut plane = self.clone();
                let mut row = below.clone();
                row.constant = row.constant.checked_sub(height)?;
                plane.equal.push(row);
                if plane.search(budget)? == Solution::Exists {
                    return Some(Solution::Exists);
                }
            }
        }
        Some(Solution::None)
    }
}

/// A system without one of its variables.
struct Elimination {
    /// What every solution meets.
    shadow: System,
    /// Whatever meets this can be extended to a solution.
    dark: System,
    /// Both are the same.
    is_exact: bool,
}

impl Row {
    fn numbers(&self) -> impl Iterator<Item = i128> {
        self.coefficients.iter().copied().chain([self.constant])
    }

    fn common_divisor(&self) -> i128 {
        let mut common: i128 = 0;
        for &coefficient in &self.coefficients {
            let mut other = coefficient.abs();
            while other != 0 {
                (common, other) = (other, common % other);
            }
        }
        common
    }

    /// Divided by a divisor of all coefficients; the constant is rounded down.
    fn divided(mut self, by: i128) -> Row {
        self.coefficients.iter_mut().for_each(|it| *it /= by);
        self.constant = self.constant.div_euclid(by);
        self
    }

    fn times(&self, by: i128) -> Option<Row> {
        let products = self.coefficients.iter().map(|it| it.checked_mul(by));
        Some(Row {
            coefficients: products.collect::<Option<_>>()?,
            constant: self.constant.checked_mul(by)?,
        })
    }

    fn plus(&self, other: &Row) -> Option<Row> {
        let pairs = self.coefficients.iter().zip(&other.coefficients);
        let sums = pairs.map(|(a, b)| a.checked_add(*b));
        Some(Row {
            coefficients: sums.collect::<Option<_>>()?,
            constant: self.constant.checked_add(other.constant)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(coefficients: &[i128], constant: i128) -> Row {
        Row {
            coefficients: coefficients.to_vec(),
            constant,
        }
    }

    fn solve(equal: &[Row], not_negative: &[Row]) -> Solution {
        let system = System {
            equal: equal.to_vec(),
            not_negative: not_negative.to_vec(),
        };
        system.solve(&mut Budget(100_000))
    }

    #[test]
    fn equations_without_common_divisor_have_no_solution() {
        assert_eq!(solve(&[row(&[4, 6], 1)], &[]), Solution::None);
        assert_eq!(solve(&[row(&[4, 6], 2)], &[]), Solution::Exists);
        assert_eq!(solve(&[row(&[7, 12, 31], -17)], &[]), Solution::Exists);
    }

    #[test]
    fn a_real_solution_between_integers_does_not_count() {
        // 3 x = 1 as two inequalities.
        let rows = [row(&[3], -1), row(&[-3], 2)];
        assert_eq!(solve(&[], &rows), Solution::None);
        // 27 <= 11 x + 13 y <= 45 and -10 <= 7 x - 9 y <= 4: Pugh's example.
        let rows = [
            row(&[11, 13], -27),
            row(&[-11, -13], 45),
            row(&[7, -9], 10),
            row(&[-7, 9], 4),
        ];
        assert_eq!(solve(&[], &rows), Solution::None);
    }

    #[test]
    fn numbers_that_are_too_large_are_given_up() {
        let huge = 1 << 90;
        let rows = [
            row(&[huge - 1, -huge, 5], -3),
            row(&[1 - huge, huge + 7, 9], 3),
            row(&[huge - 3, 11, -huge], 7),
        ];
        assert_eq!(solve(&[rows[0].clone()], &rows), Solution::Unknown);
    }

    /// SplitMix64.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> i128 {
            self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            i128::from((z ^ (z >> 31)) % bound)
        }
    }

    #[test]
    fn small_systems_agree_with_trying_everything() {
        let mut random = Random(7);
        let (mut exist, mut unknown) = (0, 0);
        for _ in 0..1500 {
            let mut rows = Vec::new();
            for at in 0..3 {
                let mut unit = [0; 3];
                unit[at] = 1;
                rows.push(row(&unit, 4));
                unit[at] = -1;
                rows.push(row(&unit, 4));
            }
            let mut draw = || {
                let coefficients = [(); 3].map(|()| random.below(19) - 9);
                row(&coefficients, random.below(41) - 20)
            };
            let equal = vec![draw()];
            let more = [draw(), draw(), draw()];
            rows.extend(more);
            let holds = |point: [i128; 3], row: &Row| {
                let products = row.coefficients.iter().zip(point).map(|(a, b)| a * b);
                products.sum::<i128>() + row.constant
            };
            let all = (-4..=4).flat_map(|x| (-4..=4).map(move |y| (x, y)));
            let mut all = all.flat_map(|(x, y)| (-4..=4).map(move |z| [x, y, z]));
            let expected = all.any(|point| {
                equal.iter().all(|it| holds(point, it) == 0)
                    && rows.iter().all(|it| holds(point, it) >= 0)
            });
            exist += u32::from(expected);
            let expected = match expected {
                true => Solution::Exists,
                false => Solution::None,
            };
            match solve(&equal, &rows) {
                // Between the shadows there may be more planes than are looked at.
                Solution::Unknown => unknown += 1,
                found => assert_eq!(found, expected, "{equal:?} {rows:?}"),
            }
        }
        assert!((100..1400).contains(&exist), "{exist}");
        assert!(unknown < 75, "{unknown} were given up");
    }
}
