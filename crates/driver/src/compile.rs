//! From a source file to an optimised kernel.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use sluice_frontend::{Color, OptionWords, Options, Source, build_option};
use sluice_kernel::{Optimised, Program};

use crate::failure::Failure;
use crate::files::read_source;
use crate::program::{self, Input, NoKernels, Passes, Request};

/// What to compile and how.
#[derive(Args, Clone, Debug)]
pub struct CompileArgs {
    /// OpenCL C source
    #[arg(value_name = "FILE.cl")]
    pub file: PathBuf,

    /// The kernel, where the file has several
    #[arg(short, long)]
    pub kernel: Option<String>,

    /// Options for clang, taken from the command line by [`split_clang_options`].
    #[arg(skip)]
    pub clang: Vec<String>,
}

impl CompileArgs {
    /// The source to compile.
    pub fn source(&self) -> Result<Source, Failure> {
        match self.file.to_str() {
            Some("-") => Ok(Source::from_text("<stdin>", read_source(&self.file)?)),
            _ => Ok(Source::from_file(&self.file)?),
        }
    }

    /// How to compile it.
    pub fn options(&self) -> Options {
        Options {
            clang_args: self.clang.clone(),
            kernels: self.kernel.iter().cloned().collect(),
            color: match std::io::stderr().is_terminal() {
                true => Color::Always,
                false => Color::Never,
            },
            ..Options::default()
        }
    }
}

/// A compiled file.
#[derive(Debug)]
pub struct Compiled {
    /// The program: the kernel asked for, or all.
    pub program: Program,
    /// What clang said about a program that it accepted.
    pub warnings: String,
    /// The time from source to optimised IR.
    pub elapsed: Duration,
}

/// Parts the build options from the others, both in their order.
pub fn split_clang_options(args: impl IntoIterator<Item = String>) -> (Vec<String>, Vec<String>) {
    let (mut ours, mut clang) = (Vec::new(), Vec::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            // What follows belongs to another program.
            "--" => {
                ours.push(arg);
                ours.extend(args.by_ref());
            }
            // The word after these is a value, whatever it looks like.
            "-a" | "--arg" => {
                ours.push(arg);
                ours.extend(args.next());
            }
            // `-g` is the size of a launch here.
            "-g" => ours.push(arg),
            // A misspelt one is answered with the list of those that there are.
            _ if arg.starts_with("-cl-") => clang.push(arg),
            _ => match build_option(&arg) {
                None => ours.push(arg),
                Some(OptionWords::One) => clang.push(arg),
                Some(OptionWords::Two) => {
                    clang.push(arg);
                    clang.extend(args.next());
                }
            },
        }
    }
    (ours, clang)
}

/// Compiles a file to optimised kernels: the one asked for, or all.
pub fn compile(args: &CompileArgs) -> Result<Compiled, Failure> {
    compile_with(args, args.options(), Passes::Run)
}

/// Compiles a file with options of its own, with or without the passes.
pub(crate) fn compile_with(
    args: &CompileArgs,
    options: Options,
    passes: Passes,
) -> Result<Compiled, Failure> {
    let start = Instant::now();
    let request = Request {
        input: Input::Source(&args.source()?),
        options: &options,
        passes,
        no_kernels: NoKernels::Refused,
    };
    let built = program::build(&request, None, |_| Ok(()))?;
    Ok(Compiled {
        program: built.program,
        warnings: built.log,
        elapsed: start.elapsed(),
    })
}

/// The kernels of a file as the front end reads them.
pub(crate) fn read(args: &CompileArgs) -> Result<sluice_frontend::Compiled, Failure> {
    Ok(sluice_frontend::compile(&args.source()?, &args.options())?)
}

/// The kernel of a compiled file, which has to be the only one.
pub(crate) fn single_kernel<'p>(
    program: &'p Program,
    file: &Path,
) -> Result<&'p Optimised, Failure> {
    match program.kernels() {
        [kernel] => Ok(kernel),
        [] => Err(Failure::usage(
            format!("{} has no kernel", file.display()),
            "mark a function with __kernel",
        )),
        kernels => {
            let names: Vec<&str> = kernels.iter().map(|kernel| &*kernel.name).collect();
            Err(Failure::usage(
                format!("{} has several kernels", file.display()),
                format!("choose one with -k: {}", names.join(", ")),
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clang_options_are_told_from_ours() {
        let words = "run f.cl -g 8 -l 4 -D N=4 -DM -cl-std=CL2.0 -a -5 -a zero:8 -w -I inc -Werror";
        let (ours, clang) = split_clang_options(words.split(' ').map(String::from));
        assert_eq!(ours.join(" "), "run f.cl -g 8 -l 4 -a -5 -a zero:8");
        assert_eq!(
            clang.join(" "),
            "-D N=4 -DM -cl-std=CL2.0 -w -I inc -Werror"
        );
    }

    #[test]
    fn another_programs_options_are_left_alone() {
        let words = "exec --device sim -- ./program -DM -w -- -O2";
        let (ours, clang) = split_clang_options(words.split(' ').map(String::from));
        assert_eq!(ours.join(" "), words);
        assert_eq!(clang, [""; 0]);
    }
}
