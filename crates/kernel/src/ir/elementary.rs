//! Elementary functions: operations that a core of the circuit computes.

use std::fmt;

pub use sluice_circuit::elementary::{Function, Function2, Grade};

/// A function of floats and how well it is computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elementary {
    /// Of one operand.
    One(Function, Grade),
    /// Of two operands.
    Two(Function2, Grade),
}

/// What the names of the smaller cores begin with.
const NATIVE: &str = "native_";

impl Elementary {
    /// Every function in every grade.
    pub fn all() -> impl Iterator<Item = Elementary> {
        Grade::ALL.into_iter().flat_map(|grade| {
            let one = Function::ALL.map(|function| Elementary::One(function, grade));
            let two = Function2::ALL.map(|function| Elementary::Two(function, grade));
            one.into_iter().chain(two)
        })
    }

    /// The number of its operands.
    pub fn operands(self) -> usize {
        match self {
            Elementary::One(..) => 1,
            Elementary::Two(..) => 2,
        }
    }

    /// The function with this name in the text form.
    pub fn from_name(name: &str) -> Option<Elementary> {
        let (grade, name) = match name.strip_prefix(NATIVE) {
            Some(rest) => (Grade::Native, rest),
            None => (Grade::Full, name),
        };
        let one = Function::ALL.into_iter().find(|it| one_name(*it) == name);
        let two = || Function2::ALL.into_iter().find(|it| two_name(*it) == name);
        one.map(|function| Elementary::One(function, grade))
            .or_else(|| two().map(|function| Elementary::Two(function, grade)))
    }

    /// What it computes of the bits of floats.
    #[inline(always)]
    pub fn evaluate(self, args: &[u64]) -> u64 {
        match self {
            Elementary::One(function, grade) => {
                sluice_circuit::elementary::evaluate(function, grade, args[0])
            }
            Elementary::Two(function, grade) => {
                sluice_circuit::elementary::evaluate2(function, grade, args[0], args[1])
            }
        }
    }
}

/// The name in the text form: the builtin's, where there is one.
impl fmt::Display for Elementary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, grade) = match self {
            Elementary::One(function, grade) => (one_name(*function), grade),
            Elementary::Two(function, grade) => (two_name(*function), grade),
        };
        match grade {
            Grade::Full => f.write_str(name),
            Grade::Native => write!(f, "{NATIVE}{name}"),
        }
    }
}

fn one_name(function: Function) -> &'static str {
    match function {
        Function::Exp => "exp",
        Function::Exp2 => "exp2",
        Function::Exp10 => "exp10",
        Function::Log => "log",
        Function::Log2 => "log2",
        Function::Log10 => "log10",
        Function::Sin => "sin",
        Function::Cos => "cos",
        Function::Rsqrt => "rsqrt",
        Function::Recip => "recip",
    }
}

fn two_name(function: Function2) -> &'static str {
    match function {
        Function2::Divide => "divide",
        Function2::Pow => "pow",
    }
}
