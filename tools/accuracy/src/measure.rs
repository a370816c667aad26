//! Measures functions: runs them natively on all inputs, compares every result with the reference, and a sample
//! with the interpreter.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use sluice_kernel::interp::Fault;
use thiserror::Error;

use crate::comparison::{Comparison, result_types};
use crate::functions::{Bound, Function};
use crate::inputs::{Arguments, Density, Inputs};
use crate::interpreted::Interpreted;
use crate::native::{self, Native};
use crate::number::Type;
use crate::program;

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

/// The result of measuring a function.
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

const CHUNK: u64 = 1 << 13;

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

    /// Measures one of them; calls `progress` with the number of further inputs that are done.
    pub fn measure(
        &self,
        function: &Function,
        density: Density,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Finding, Error> {
        let inputs = Inputs::of(function, density);
        let kernel = self.native.kernel(&function.kernel())?;
        let comparison = Comparison::of(function);
        // If the interpreter reports a fault, the machine code must not run: it could read any address.
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
        let worst = Worst::default();
        let tally = (0..chunks)
            .into_par_iter()
            .map_init(Buffers::default, |buffers, chunk| {
                let numbers = chunk * CHUNK..inputs.count().min((chunk + 1) * CHUNK);
                progress(numbers.end - numbers.start);
                if inputs
                    .ends(&numbers)
                    .is_some_and(|ends| comparison.ignores(ends))
                {
                    return Tally::default();
                }
                inputs.fill(numbers.clone(), &mut buffers.arguments);
                buffers.run(&kernel);
                buffers.tally(numbers.start, &comparison, function.bound, &worst)
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
        let mut buffers = Buffers::default();
        for arguments in first.chain(sample).map(|at| inputs.get(at)) {
            for (column, number) in buffers.arguments.iter_mut().zip(arguments) {
                column.push(number);
            }
        }
        let interpreted = self.interpreted.run(&function.kernel(), &buffers.arguments);
        let interpreted = match interpreted {
            Ok(results) => results,
            Err(fault) => return Some(Disagreement::Fault(Box::new(fault))),
        };
        buffers.run(kernel);
        let Buffers {
            arguments, results, ..
        } = &buffers;
        let row = |columns: &[Vec<u64>; 2], at: usize| [columns[0][at], columns[1][at]];
        let differs = |&at: &usize| !same(function, row(results, at), row(&interpreted, at));
        let at = (0..arguments[0].len()).find(differs)?;
        Some(Disagreement::Result {
            arguments: [arguments[0][at], arguments[1][at], arguments[2][at]],
            native: row(results, at),
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

/// Arguments and results of one chunk, by columns.
#[derive(Default)]
struct Buffers {
    arguments: [Vec<u64>; 3],
    results: [Vec<u64>; 2],
    /// Rows to look at.
    suspects: Vec<u32>,
}

impl Buffers {
    /// Runs the function on the arguments.
    fn run(&mut self, kernel: &native::Kernel<'_>) {
        for column in &mut self.results {
            column.resize(self.arguments[0].len(), 0);
        }
        kernel.run(&self.arguments, &mut self.results);
    }

    /// Judges the results; `first` is the first input's number.
    fn tally(&mut self, first: u64, comparison: &Comparison, bound: Bound, worst: &Worst) -> Tally {
        let Buffers {
            arguments,
            results,
            suspects,
        } = self;
        // What is beyond the bound is counted, however bad the worst is.
        let known = worst.get().min(bound.tolerated());
        comparison.suspects(arguments, results, known, suspects);
        let mut tally = Tally::default();
        for &row in suspects.iter() {
            let arguments = arguments.each_ref().map(|column| column[row as usize]);
            let found = results.each_ref().map(|column| column[row as usize]);
            if let Some(error) = comparison.error(arguments, found) {
                let case = Case {
                    error,
                    at: first + u64::from(row),
                    arguments,
                    found,
                };
                tally.count(case, bound);
            }
        }
        worst.raise(tally.worst());
        tally
    }
}

/// The worst error of all chunks so far.
#[derive(Default)]
struct Worst(AtomicU64);

impl Worst {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Errors are not negative: their bits are ordered as they are.
    fn raise(&self, error: f64) {
        self.0.fetch_max(error.to_bits(), Ordering::Relaxed);
    }
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

    /// The worst error so far.
    fn worst(&self) -> f64 {
        self.worst.map_or(0.0, |worst| worst.error)
    }

    fn count(&mut self, case: Case, bound: Bound) {
        let beyond = case.error > bound.tolerated();
        self.beyond += u64::from(beyond);
        if beyond && self.examples.len() < EXAMPLES {
            self.examples.push(case);
        }
        if case.error > self.worst() {
            self.worst = Some(case);
        }
    }
}
