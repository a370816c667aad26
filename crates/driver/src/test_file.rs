//! Kernel files that carry their own tests: launches and complete expected results in comments.
//!
//! ```text
//! // launch: -k saxpy -g 4 -a 2.5 -a iota:4 -a zero:4
//! // expect 2: 0 2.5 5 7.5
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use clap::Parser;
use sluice_kernel::Program;
use sluice_kernel::ir::{Pointee, Scalar};

use crate::compile::{CompileArgs, compile_with, single_kernel, split_clang_options};
use crate::element::{as_element, components, format_elements, parse_scalar};
use crate::failure::Failure;
use crate::files::read_source;
use crate::launch::{LaunchArgs, Session};
use crate::program::Passes;

/// A kernel file with its launches.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// The OpenCL C source.
    pub source: String,
    /// The launches.
    pub cases: Vec<Case>,
}

/// One launch and what it must leave behind.
#[derive(Clone, Debug)]
pub struct Case {
    /// The line of the `launch:` comment, from 1.
    pub line: usize,
    /// What to compile.
    pub compile: CompileArgs,
    /// What to launch.
    pub launch: LaunchArgs,
    /// Kernels of the same file that run at the same time, with their launches.
    pub with: Vec<(String, LaunchArgs)>,
    /// What must come out.
    pub expect: Expectation,
}

/// The expected results of a launch.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    /// The final contents of buffers by argument; buffers not mentioned stay as they were.
    pub buffers: BTreeMap<usize, Vec<String>>,
    /// How many units in the last place floats may differ by.
    pub ulp: u64,
    /// The lines that the kernel prints.
    pub stdout: Vec<String>,
}

/// A buffer or a text that is not as expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// A component of a buffer differs.
    Component {
        /// The argument.
        argument: usize,
        /// Index of the component.
        index: usize,
        /// What was expected.
        expected: String,
        /// What was found.
        found: String,
    },
    /// A buffer has another number of components.
    Length {
        /// The argument.
        argument: usize,
        /// How many were expected.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The kernel printed something else.
    Stdout {
        /// What was expected.
        expected: String,
        /// What was printed.
        found: String,
    },
}

/// A `launch:` comment, read as a command line.
#[derive(Parser)]
#[command(no_binary_name = true)]
struct LaunchLine {
    #[arg(short, long)]
    kernel: Option<String>,
    #[command(flatten)]
    launch: LaunchArgs,
}

impl TestFile {
    /// Reads a kernel file.
    pub fn read(path: &Path) -> Result<TestFile, Failure> {
        let source = read_source(path)?;
        let mut cases: Vec<Case> = Vec::new();
        for (index, text) in source.lines().enumerate() {
            let Some(comment) = text.strip_prefix("//") else {
                continue;
            };
            let wrong = |why: String| {
                Failure::usage(
                    format!("{}:{}: {why}", path.display(), index + 1),
                    "tests are written as `// launch: ...` and `// expect N: ...`",
                )
            };
            let comment = comment.trim_start();
            if let Some(launch) = comment.strip_prefix("launch:") {
                cases.push(read_case(path, index + 1, launch).map_err(wrong)?);
            } else if let (Some(launch), Some(case)) =
                (comment.strip_prefix("with:"), cases.last_mut())
            {
                case.with.push(read_with(launch).map_err(wrong)?);
            } else if let Some(case) = cases.last_mut() {
                case.expect.read_line(comment).map_err(wrong)?;
            }
        }
        if cases.is_empty() {
            return Err(Failure::usage(
                format!("{} has no `// launch:` comment", path.display()),
                "write one, as `sluice run` would be called: // launch: -g 16 -a iota:16",
            ));
        }
        Ok(TestFile { source, cases })
    }
}

fn read_case(path: &Path, line: usize, launch: &str) -> Result<Case, String> {
    let (ours, clang) = split_clang_options(launch.split_whitespace().map(String::from));
    let parsed = LaunchLine::try_parse_from(ours).map_err(|error| error.to_string())?;
    Ok(Case {
        line,
        compile: CompileArgs {
            file: path.to_owned(),
            kernel: parsed.kernel,
            clang,
        },
        launch: parsed.launch,
        with: Vec::new(),
        expect: Expectation::default(),
    })
}

/// A kernel that runs at the same time as another one.
fn read_with(launch: &str) -> Result<(String, LaunchArgs), String> {
    let words = launch.split_whitespace();
    let parsed = LaunchLine::try_parse_from(words).map_err(|error| error.to_string())?;
    let kernel = parsed.kernel.ok_or("name the kernel: with: -k NAME ...")?;
    Ok((kernel, parsed.launch))
}

impl Case {
    /// Compiles the kernels: the one of the launch, then those that run at the same time.
    pub fn program(&self) -> Result<Program, Failure> {
        let mut options = self.compile.options();
        if self.compile.kernel.is_some() {
            let others = self.with.iter().map(|(name, _)| name.clone());
            options.kernels.extend(others);
        }
        let program = compile_with(&self.compile, options, Passes::Run)?.program;
        let first = match &self.compile.kernel {
            Some(name) => name,
            None => &single_kernel(&program, &self.compile.file)?.name,
        };
        let others = self.with.iter().map(|(name, _)| name);
        let names = std::iter::once(first).chain(others);
        program.select(names.map(String::as_str)).ok_or_else(|| {
            Failure::usage(
                format!(
                    "a kernel of `with:` is not in {}",
                    self.compile.file.display()
                ),
                "name kernels of the same file",
            )
        })
    }

    /// The launches of its kernels, with fresh memory.
    pub fn bind(&self, program: &Program) -> Result<Session, Failure> {
        let others = self.with.iter().map(|(_, launch)| launch);
        Session::bind(program, std::iter::once(&self.launch).chain(others))
    }
}

impl Expectation {
    fn read_line(&mut self, comment: &str) -> Result<(), String> {
        if let Some(rest) = comment.strip_prefix("expect ") {
            let (argument, values) = rest
                .split_once(':')
                .ok_or("expect is written expect N: ...")?;
            let argument = argument
                .trim()
                .parse()
                .map_err(|_| format!("`{argument}` is not the number of an argument"))?;
            let values = values.split_whitespace().map(String::from);
            self.buffers.entry(argument).or_default().extend(values);
        } else if let Some(ulp) = comment.strip_prefix("ulp:") {
            self.ulp = ulp
                .trim()
                .parse()
                .map_err(|_| format!("`{ulp}` is not a number of units in the last place"))?;
        } else if let Some(line) = comment.strip_prefix("stdout:") {
            self.stdout
                .push(line.strip_prefix(' ').unwrap_or(line).into());
        }
        Ok(())
    }

    /// Compares a launch's memory and output with what is expected. `before` is the same launch
    /// prepared anew: buffers that are not mentioned must still be as they are there.
    pub fn check(
        &self,
        program: &Program,
        before: &Session,
        after: &Session,
        stdout: &str,
    ) -> Vec<Mismatch> {
        let mut mismatches = Vec::new();
        for (argument, id, pointee) in after.buffers(program) {
            let buffer = after.memory.buffer(id);
            let (expected, ulp) = match self.buffers.get(&argument) {
                Some(expected) => (expected.clone(), self.ulp),
                None => {
                    let bytes = before.memory.buffer(id).to_bytes();
                    (format_elements(pointee, &bytes), 0)
                }
            };
            mismatches.extend(compare(
                argument,
                pointee,
                &expected,
                &buffer.to_bytes(),
                ulp,
            ));
        }
        let expected: String = self.stdout.iter().map(|line| format!("{line}\n")).collect();
        if expected != stdout {
            mismatches.push(Mismatch::Stdout {
                expected,
                found: stdout.into(),
            });
        }
        mismatches
    }
}

/// The first difference between a buffer and its expected components.
fn compare(
    argument: usize,
    pointee: Pointee,
    expected: &[String],
    bytes: &[u8],
    ulp: u64,
) -> Option<Mismatch> {
    let found = components(pointee, bytes);
    let texts = format_elements(pointee, bytes);
    if texts.len() != expected.len() {
        return Some(Mismatch::Length {
            argument,
            expected: expected.len(),
            found: texts.len(),
        });
    }
    let scalar = as_element(pointee).scalar;
    for (index, ((expected, text), (_, bits))) in expected.iter().zip(texts).zip(found).enumerate()
    {
        let same = parse_scalar(scalar, expected).is_ok_and(|want| near(scalar, want, bits, ulp));
        if !same {
            return Some(Mismatch::Component {
                argument,
                index,
                expected: expected.clone(),
                found: text,
            });
        }
    }
    None
}

/// Whether two values are the same, floats up to some units in the last place, NaNs all alike.
fn near(scalar: Scalar, a: u64, b: u64, ulp: u64) -> bool {
    match scalar {
        Scalar::Signed(_) | Scalar::Unsigned(_) => a == b,
        Scalar::Half | Scalar::Float | Scalar::Double => {
            let ty = scalar.ty();
            let is_nan = |bits| sluice_kernel::semantics::to_f64(ty, bits).is_nan();
            if is_nan(a) || is_nan(b) {
                return is_nan(a) && is_nan(b);
            }
            // Floats in ascending order: negative ones count downwards from zero.
            let rank = |bits: u64| {
                let magnitude = (bits & (ty.mask() >> 1)) as i64;
                if bits == magnitude as u64 {
                    magnitude
                } else {
                    -magnitude
                }
            };
            a == b || (ulp > 0 && rank(a).abs_diff(rank(b)) <= ulp)
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Component {
                argument,
                index,
                expected,
                found,
            } => write!(
                f,
                "argument {argument}, component {index}: expected {expected}, found {found}"
            ),
            Mismatch::Length {
                argument,
                expected,
                found,
            } => write!(
                f,
                "argument {argument}: expected {expected} components, found {found}"
            ),
            Mismatch::Stdout { expected, found } => {
                write!(f, "printed {found:?}, expected {expected:?}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f32) -> u64 {
        value.to_bits().into()
    }

    #[test]
    fn floats_are_near_by_units_in_the_last_place() {
        let next = f32::from_bits(1.0_f32.to_bits() + 1);
        assert!(!near(Scalar::Float, float(1.0), float(next), 0));
        assert!(near(Scalar::Float, float(1.0), float(next), 1));
        assert!(near(
            Scalar::Float,
            float(-0.0),
            float(f32::from_bits(1)),
            1
        ));
        assert!(!near(Scalar::Float, float(-0.0), float(0.0), 0));
        assert!(near(Scalar::Float, float(f32::NAN), float(-f32::NAN), 0));
    }

    #[test]
    fn expectations_are_read_line_by_line() {
        let mut expect = Expectation::default();
        for line in [
            "expect 2: 1 2",
            "expect 2: 3",
            "ulp: 4",
            "stdout:  x",
            "prose",
        ] {
            expect.read_line(line).expect("well-formed");
        }
        assert_eq!(expect.buffers[&2], ["1", "2", "3"]);
        assert_eq!((expect.ulp, expect.stdout), (4, vec![" x".to_string()]));
        let error = Expectation::default().read_line("expect x: 1").unwrap_err();
        assert_eq!(error, "`x` is not the number of an argument");
    }
}
