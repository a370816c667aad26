//! Programs: optimised kernels and the variables that they share.
//!
//! A program is what is [prepared](crate::prepare), built and run; a kernel alone is a program of one.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use thiserror::Error;

use crate::Kernel;
use crate::ir::Variables;
use crate::text::{self, ParseError};
use crate::verify::{VerifyErrors, verify};

/// A kernel behind the [passes](crate::passes). It is not changed any more, so copies share it.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimised(Arc<Kernel>);

/// Why a text is no optimised kernel.
#[derive(Clone, Debug, Error)]
pub enum ReadError {
    /// It is no kernel IR.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It is, but breaks an invariant.
    #[error(transparent)]
    Verify(#[from] VerifyErrors),
}

impl Optimised {
    /// For the passes only: everything else reads or is given optimised kernels.
    pub(crate) fn new(kernel: Kernel) -> Optimised {
        Optimised(Arc::new(kernel))
    }

    /// Reads the IR text of a kernel that was optimised before it was printed, and verifies it.
    pub fn read(source: &str) -> Result<Optimised, ReadError> {
        let kernel = text::parse(source)?;
        verify(&kernel)?;
        Ok(Optimised::new(kernel))
    }

    /// The kernel, to be changed.
    pub fn into_kernel(self) -> Kernel {
        Arc::unwrap_or_clone(self.0)
    }
}

impl Deref for Optimised {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.0
    }
}

impl fmt::Display for Optimised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Optimised kernels that share variables and may run at the same time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Program {
    name: String,
    kernels: Vec<Optimised>,
}

/// Two kernels say different things of the variables, so they are not of one program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("kernel `{0}` has other program-scope variables than the kernels before it")]
pub struct DifferentVariables(String);

impl Program {
    /// The program of these kernels, named after the first of them.
    pub fn new(kernels: Vec<Optimised>) -> Result<Program, DifferentVariables> {
        let program = Program::of_all(kernels);
        let variables = program.variables();
        for kernel in &program.kernels {
            if kernel.variables.is_some() && kernel.variables.as_ref() != variables {
                return Err(DifferentVariables(kernel.name.clone()));
            }
        }
        Ok(program)
    }

    /// A kernel alone, under its own name.
    pub fn of(kernel: Optimised) -> Program {
        Program::of_all(vec![kernel])
    }

    fn of_all(kernels: Vec<Optimised>) -> Program {
        let first = kernels.first();
        Program {
            name: first.map_or_else(String::new, |kernel| kernel.name.clone()),
            kernels,
        }
    }

    /// The kernels of these names, in this order; `None` if one is missing.
    pub fn select<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Option<Program> {
        let kernels = names.into_iter().map(|name| self.kernel(name).cloned());
        kernels.collect::<Option<_>>().map(Program::of_all)
    }

    /// The kernel of this name alone.
    pub fn only(&self, name: &str) -> Option<Program> {
        self.kernel(name).cloned().map(Program::of)
    }

    /// What its circuit is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same program under another name.
    pub fn named(self, name: impl Into<String>) -> Program {
        let name = name.into();
        Program { name, ..self }
    }

    /// The kernels, in the order of the source.
    pub fn kernels(&self) -> &[Optimised] {
        &self.kernels
    }

    /// The kernel of this name.
    pub fn kernel(&self, name: &str) -> Option<&Optimised> {
        self.kernels.iter().find(|kernel| kernel.name == name)
    }

    /// The program-scope variables and their initial contents, if a kernel uses them.
    pub fn variables(&self) -> Option<&Variables> {
        let mut variables = self.kernels.iter().map(|kernel| kernel.variables.as_ref());
        variables.find_map(|it| it)
    }
}
