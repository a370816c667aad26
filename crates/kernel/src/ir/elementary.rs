//! Elementary functions: operations that a core of the circuit computes.

use std::fmt;
use std::sync::Arc;

pub use sluice_circuit::elementary::{Function, Function2, Grade};
use sluice_circuit::operators::fexp::Fexp;
use sluice_circuit::operators::flog::Flog;
use sluice_circuit::operators::fpow::Fpow;
use sluice_circuit::operators::fquot::Fquot;
use sluice_circuit::operators::froot::Froot;
use sluice_circuit::operators::ftrig::Ftrig;
use sluice_circuit::operators::{Operator, Tile};

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

    /// The core that computes it, for a target's multiplier blocks.
    pub fn core(self, tile: Tile) -> Arc<dyn Operator> {
        match self {
            Elementary::One(function, grade) => one_core(function, grade, tile),
            Elementary::Two(function, grade) => two_core(function, grade, tile),
        }
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

/// Declares the rows of the functions with a number of operands: name in the text form, and the core
/// that computes it in a circuit. `$list` becomes a macro that passes the functions on to another
/// macro.
macro_rules! functions {
    (
        $enum:ident: $name:ident, $core:ident($function:ident, $grade:ident, $tile:ident),
        $list:ident($d:tt);
        $($variant:ident = $text:literal => $operator:expr;)*
    ) => {
        fn $name(function: $enum) -> &'static str {
            match function { $($enum::$variant => $text,)* }
        }

        fn $core($function: $enum, $grade: Grade, $tile: Tile) -> Arc<dyn Operator> {
            match $function { $($enum::$variant => Arc::new($operator),)* }
        }

        macro_rules! $list {
            ($d callback:ident! { $d($d args:tt)* }) => {
                $d callback! { $d($d args)* $enum [$($variant)*] }
            };
        }
        pub(crate) use $list;
    };
}

functions! {
    Function: one_name, one_core(function, grade, tile), each_function($);
    Exp = "exp" => Fexp { function, grade, tile };
    Exp2 = "exp2" => Fexp { function, grade, tile };
    Exp10 = "exp10" => Fexp { function, grade, tile };
    Log = "log" => Flog { function, grade, tile };
    Log2 = "log2" => Flog { function, grade, tile };
    Log10 = "log10" => Flog { function, grade, tile };
    Sin = "sin" => Ftrig { function, grade, tile };
    Cos = "cos" => Ftrig { function, grade, tile };
    Rsqrt = "rsqrt" => Froot { function, grade, tile };
    Recip = "recip" => Froot { function, grade, tile };
}

functions! {
    Function2: two_name, two_core(function, grade, tile), each_function2($);
    Divide = "divide" => Fquot { grade, tile };
    Pow = "pow" => Fpow { grade, tile };
}
