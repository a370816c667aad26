//! Measures functions: runs them natively on all inputs, compares every result with the reference, and a sample
//! with the interpreter.

use rayon::prelude::*;
use sluice_kernel::interp::Fault;
use thiserror::Error;

use crate::error::{Real, ulps};
use crate::exact::Exact;
use crate::functions::{Bound, Domain, Form, Function, Reference};
use crate::inputs::{Arguments, Density, Inputs};
use crate::interpreted::Interpreted;
use crate::native::{self, Native};
use crate::number::Type;
use crate::program;
use crate::reference::{self, Rounded};

/// Why nothing was measured.
#[derive(Debug, Error)]
pub enum Error {
    /// No machine code.
    #[error(transparent)]
    Native(#[from] native::Error),
    /// No kernel IR.
    #[error("the kernels do not compile: {0}")]
    Program(#[from] sluice_frontend::Error),
}

/// A result that is farther off than any other, or wrong.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The error in ULP; infinite if the result is of the wrong kind.
    pub error: f64,
    /// The number of the input.
    pub at: u64,
    /// The arguments.
    pub arguments: Arguments,
    /// What the function gave.
    pub found: [u64; 2],
}

/// What was found of a function.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The function.
    pub function: Function,
    /// How many inputs were tried.
    pub inputs: u64,
    /// The worst result; absent if all are the one right result.
    pub worst: Option<Case>,
    /// How many were beyond the bound.
    pub beyond: u64,
    /// The first of them.
    pub examples: Vec<Case>,
    /// An input on which the interpreter gives something else than the machine.
    pub disagreement: Option<Disagreement>,
}

/// The interpreter and the machine differ.
#[derive(Clone, Debug)]
pub enum Disagreement {
    /// In a result.
    Result {
        /// The arguments.
        arguments: Arguments,
        /// What the machine computes.
        native: [u64; 2],
        /// What the interpreter computes.
        interpreted: [u64; 2],
    },
    /// The interpreter refuses to go on.
    Fault(Box<Fault>),
}

impl Finding {
    /// Whether the function is as it has to be.
    pub fn holds(&self) -> bool {
        self.beyond == 0 && self.disagreement.is_none()
    }
}

/// How many inputs are run on the interpreter, too.
const fn interpreted(density: Density) -> u64 {
    match density {
        Density::Quick => 1 << 11,
        Density::Dense | Density::Exhaustive => 1 << 14,
    }
}

const CHUNK: u64 = 1 << 12;

/// Several functions, compiled.
pub struct Program {
    functions: Vec<Function>,
    native: Native,
    interpreted: Interpreted,
}

impl Program {
    /// Compiles the kernels of `functions`.
    pub fn compile(functions: &[Function]) -> Result<Program, Error> {
        let source = program::source(functions);
        Ok(Program {
            functions: functions.to_vec(),
            native: Native::compile(&source)?,
            interpreted: Interpreted::compile(&source)?,
        })
    }

    /// Its functions.
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Measures one of them; `progress` is told how many more inputs are done.
    pub fn measure(
        &self,
        function: &Function,
        density: Density,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Finding, Error> {
        let inputs = Inputs::of(function, density);
        let kernel = self.native.kernel(&function.kernel())?;
        let judge = Judge::of(function);
        // What the interpreter refuses, the machine must not do: it would read anywhere.
        let disagreement = self.disagreement(function, &inputs, interpreted(density), &kernel);
        if let Some(Disagreement::Fault(_)) = disagreement {
            return Ok(Finding {
                function: *function,
                inputs: 0,
                worst: None,
                beyond: 0,
                examples: Vec::new(),
                disagreement,
            });
        }
        let chunks = inputs.count().div_ceil(CHUNK);
        let tally = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                let numbers = chunk * CHUNK..inputs.count().min((chunk + 1) * CHUNK);
                let count = numbers.end - numbers.start;
                let tally = judge.chunk(&inputs, numbers, &kernel);
                progress(count);
                tally
            })
            .reduce(Tally::default, Tally::and);
        Ok(Finding {
            function: *function,
            inputs: inputs.count(),
            worst: tally.worst,
            beyond: tally.beyond,
            examples: tally.examples,
            disagreement,
        })
    }

    /// Runs a sample on the interpreter: the first and some of all inputs.
    fn disagreement(
        &self,
        function: &Function,
        inputs: &Inputs,
        count: u64,
        kernel: &native::Kernel<'_>,
    ) -> Option<Disagreement> {
        let step = (inputs.count() / count).max(1);
        let sample = (0..inputs.count()).step_by(step as usize);
        let first = 0..inputs.count().min(count / 8);
        let arguments = columns(first.chain(sample).map(|at| inputs.get(at)));
        let interpreted = match self.interpreted.run(&function.kernel(), &arguments) {
            Ok(results) => results,
            Err(fault) => return Some(Disagreement::Fault(Box::new(fault))),
        };
        let mut native = [0, 1].map(|_| vec![0; arguments[0].len()]);
        kernel.run(&arguments, &mut native);
        let row = |columns: &[Vec<u64>; 2], at: usize| [columns[0][at], columns[1][at]];
        let differs = |&at: &usize| !same(function, row(&native, at), row(&interpreted, at));
        let at = (0..arguments[0].len()).find(differs)?;
        Some(Disagreement::Result {
            arguments: [arguments[0][at], arguments[1][at], arguments[2][at]],
            native: row(&native, at),
            interpreted: row(&interpreted, at),
        })
    }
}

/// Whether two pairs of results are the same to the last bit, all NaNs being one.
fn same(function: &Function, a: [u64; 2], b: [u64; 2]) -> bool {
    let equal = |ty: Option<Type>, a: u64, b: u64| {
        a == b || ty.is_some_and(|ty| ty.is_nan(a) && ty.is_nan(b))
    };
    let [first, second] = result_types(function);
    equal(first, a[0], b[0]) && equal(second, a[1], b[1])
}

/// The float types of the results; absent for integers.
fn result_types(function: &Function) -> [Option<Type>; 2] {
    match function.form {
        Form::ToInteger => [None, None],
        Form::TwoResults => [Some(function.ty); 2],
        Form::Unary
        | Form::Binary
        | Form::Ternary
        | Form::WithInteger
        | Form::FromInteger
        | Form::AndInteger
        | Form::BinaryAndInteger => [Some(function.ty), None],
    }
}

fn columns(rows: impl Iterator<Item = Arguments>) -> [Vec<u64>; 3] {
    let mut columns = [const { Vec::new() }; 3];
    for row in rows {
        for (column, number) in columns.iter_mut().zip(row) {
            column.push(number);
        }
    }
    columns
}

/// How many inputs beyond the bound are shown.
const EXAMPLES: usize = 16;

#[derive(Default)]
struct Tally {
    worst: Option<Case>,
    beyond: u64,
    examples: Vec<Case>,
}

impl Tally {
    /// The first of equally bad cases stays, so that the order of the threads does not matter.
    fn and(mut self, other: Tally) -> Tally {
        let worst = match (self.worst, other.worst) {
            (Some(a), Some(b)) => {
                let order = a.error.total_cmp(&b.error).then(b.at.cmp(&a.at));
                Some(if order.is_lt() { b } else { a })
            }
            (a, b) => a.or(b),
        };
        self.examples.extend(other.examples);
        self.examples.sort_by_key(|case| case.at);
        self.examples.truncate(EXAMPLES);
        Tally {
            worst,
            beyond: self.beyond + other.beyond,
            examples: self.examples,
        }
    }

    fn count(&mut self, case: Case, bound: Bound) {
        let beyond = match bound {
            Bound::Exact => case.error > 0.0,
            Bound::Ulps(most) => case.error > most,
            Bound::Free => case.error == f64::INFINITY,
            Bound::FreeRange => false,
        };
        self.beyond += u64::from(beyond);
        if beyond && self.examples.len() < EXAMPLES {
            self.examples.push(case);
        }
        if case.error > self.worst.map_or(0.0, |worst| worst.error) {
            self.worst = Some(case);
        }
    }
}

/// Compares results with the reference.
struct Judge {
    function: Function,
    source: Expected,
}

/// Where the right results come from.
enum Expected {
    Rounded(Rounded),
    Exact(Exact),
    SineAndCosine([Rounded; 2]),
    LogGammaAndSign(Rounded),
}

impl Judge {
    fn of(function: &Function) -> Judge {
        let source = match function.reference {
            Reference::Rounded(name) => Expected::Rounded(Rounded::named(name)),
            Reference::Exact(exact) => Expected::Exact(exact),
            Reference::SineAndCosine => Expected::SineAndCosine(["sin", "cos"].map(Rounded::named)),
            Reference::LogGammaAndSign => Expected::LogGammaAndSign(Rounded::named("lgamma")),
        };
        Judge {
            function: *function,
            source,
        }
    }

    fn chunk(
        &self,
        inputs: &Inputs,
        numbers: std::ops::Range<u64>,
        kernel: &native::Kernel<'_>,
    ) -> Tally {
        let arguments = columns(numbers.clone().map(|at| inputs.get(at)));
        let mut results = [0, 1].map(|_| vec![0; arguments[0].len()]);
        kernel.run(&arguments, &mut results);
        let mut tally = Tally::default();
        for (row, at) in numbers.enumerate() {
            let arguments = [arguments[0][row], arguments[1][row], arguments[2][row]];
            let found = [results[0][row], results[1][row]];
            if !self.counts(arguments) {
                continue;
            }
            let case = Case {
                error: self.error(arguments, found),
                at,
                arguments,
                found,
            };
            tally.count(case, self.function.bound);
        }
        tally
    }

    /// Whether the function has to be right for these arguments.
    fn counts(&self, arguments: Arguments) -> bool {
        let ty = self.function.ty;
        let least = 2_f64.powi(ty.least_exponent());
        let is_normal = |value: f64| value == 0.0 || value.is_nan() || value.abs() >= least;
        let normal = || {
            let [x, y] = [ty.value(arguments[0]), ty.value(arguments[1])];
            let result = match &self.source {
                Expected::Rounded(rounded) => rounded.value(ty, x, y),
                Expected::Exact(_) | Expected::SineAndCosine(_) | Expected::LogGammaAndSign(_) => {
                    Real::from(1.0)
                }
            };
            // A result that is subnormal within the bound may be zero: 8192 ulp above the least normal number.
            let least = 1.0 + 8192.0 * 2_f64.powi(-(ty.fraction() as i32));
            let small = result.high != 0.0
                && (result.exponent < ty.least_exponent()
                    || (result.exponent == ty.least_exponent() && result.high.abs() <= least));
            is_normal(x) && is_normal(y) && !small
        };
        match self.function.domain {
            Domain::Everything => true,
            Domain::Normal => normal(),
            Domain::NormalAngles => normal() && ty.value(arguments[0]).abs() <= 65536.0,
        }
    }

    fn error(&self, arguments: Arguments, found: [u64; 2]) -> f64 {
        let ty = self.function.ty;
        let x = ty.value(arguments[0]);
        match &self.source {
            Expected::Rounded(rounded) => {
                let y = if self.function.form == Form::WithInteger {
                    f64::from(arguments[1] as u32 as i32)
                } else {
                    ty.value(arguments[1])
                };
                ulps(ty, found[0], rounded.value(ty, x, y))
            }
            Expected::Exact(exact) => self.exact_error(exact(ty, arguments), found),
            Expected::SineAndCosine([sine, cosine]) => {
                let sine = ulps(ty, found[0], sine.value(ty, x, 0.0));
                let cosine = ulps(ty, found[1], cosine.value(ty, x, 0.0));
                sine.max(cosine)
            }
            Expected::LogGammaAndSign(rounded) => {
                let error = ulps(ty, found[0], rounded.value(ty, x, 0.0));
                // Where gamma has no value, its sign is not named.
                let no_sign = x.is_nan() || x.is_infinite() || (x <= 0.0 && x == x.floor());
                let sign = found[1] as u32 as i32;
                match no_sign || sign == reference::gamma_sign(x) {
                    true => error,
                    false => f64::INFINITY,
                }
            }
        }
    }

    fn exact_error(&self, expected: [Option<u64>; 2], found: [u64; 2]) -> f64 {
        let pairs = expected.iter().zip(found).zip(result_types(&self.function));
        let errors = pairs.map(|((expected, found), ty)| match (*expected, ty) {
            (None, _) => 0.0,
            (Some(expected), Some(ty)) => ulps(ty, found, ty.value(expected).into()),
            (Some(expected), None) if found == expected => 0.0,
            (Some(_), None) => f64::INFINITY,
        });
        errors.fold(0.0, f64::max)
    }
}
