//! Where an operator's registers stand.

use std::fmt;

use super::Step;

/// The steps that have a register behind them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Regs(u128);

impl Regs {
    /// No registers: the operator is combinational.
    pub const NONE: Self = Self(0);

    /// Registers behind the steps whose bits are set, lowest first.
    pub const fn new(bits: u128) -> Self {
        Self(bits)
    }

    /// A register behind each of `steps` steps.
    pub const fn all(steps: usize) -> Self {
        Self(!(u128::MAX << steps))
    }

    /// Whether a register stands behind the step.
    pub const fn contains(self, step: usize) -> bool {
        self.0 >> step & 1 == 1
    }

    /// The cycles from operands to results.
    pub const fn latency(self) -> u32 {
        self.0.count_ones()
    }
}

/// The value of the Verilog parameter.
impl fmt::Display for Regs {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "128'h{:x}", self.0)
    }
}

/// The combinational delays that a neighbour of an operator sees, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// There is no register: from operands to results.
    Through(f64),
    /// There are registers.
    Registered {
        /// From the operands to the first register.
        input: f64,
        /// The longest path between registers.
        inside: f64,
        /// From the last register to the results.
        output: f64,
    },
}

/// The fewest registers that keep every path within the budget, and of those the narrowest; a step
/// that is too long by itself stands alone. Operands come from registers and results go to one.
pub fn place(steps: &[Step], budget: f64) -> Regs {
    // best[n]: the registers among the first n steps, if one stands (or nothing follows) behind
    // step n - 1, and their number and bits.
    let mut best = vec![(0, 0, Regs::NONE)];
    for end in 1..=steps.len() {
        let mut path = 0.0;
        let mut chosen = None;
        for start in (0..end).rev() {
            path += steps[start].delay;
            if path > budget && start + 1 < end {
                break;
            }
            let (count, bits, regs) = best[start];
            let candidate = match start {
                0 => (count, bits, regs),
                _ => (
                    count + 1,
                    bits + steps[start - 1].width,
                    Regs(regs.0 | 1 << (start - 1)),
                ),
            };
            if chosen.is_none_or(|(c, b, _)| (candidate.0, candidate.1) < (c, b)) {
                chosen = Some(candidate);
            }
        }
        best.push(chosen.expect("a step alone is always allowed"));
    }
    best[steps.len()].2
}

/// The delays around and between the registers.
pub fn timing(steps: &[Step], regs: Regs) -> Timing {
    let mut paths = vec![0.0];
    for (index, step) in steps.iter().enumerate() {
        *paths.last_mut().expect("never empty") += step.delay;
        if regs.contains(index) {
            paths.push(0.0);
        }
    }
    match paths[..] {
        [through] => Timing::Through(through),
        [input, ref inside @ .., output] => Timing::Registered {
            input,
            inside: inside.iter().copied().fold(0.0, f64::max),
            output,
        },
        [] => unreachable!("never empty"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(of: &[(f64, u32)]) -> Vec<Step> {
        let step = |&(delay, width)| Step::new("", delay, width);
        of.iter().map(step).collect()
    }

    #[test]
    fn the_narrowest_of_the_shortest_pipelines_is_chosen() {
        let steps = steps(&[(2.0, 10), (2.0, 90), (2.0, 20), (2.0, 5)]);
        let at = |budget| place(&steps, budget);
        assert_eq!(at(8.0), Regs::NONE);
        assert_eq!(at(6.0), Regs::new(0b0001));
        assert_eq!(at(4.0), Regs::new(0b0010));
        assert_eq!(at(2.0), Regs::new(0b0111));
        assert_eq!(at(1.0), Regs::new(0b0111));
    }

    #[test]
    fn timing_separates_the_ends_from_the_inside() {
        let steps = steps(&[(1.0, 1), (2.0, 1), (3.0, 1), (4.0, 1)]);
        assert_eq!(timing(&steps, Regs::NONE), Timing::Through(10.0));
        let registered = |input, inside, output| Timing::Registered {
            input,
            inside,
            output,
        };
        assert_eq!(timing(&steps, Regs::new(0b0101)), registered(1.0, 5.0, 4.0));
        assert_eq!(timing(&steps, Regs::all(4)), registered(1.0, 4.0, 0.0));
    }
}
