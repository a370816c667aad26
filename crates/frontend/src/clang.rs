//! clang as a process: OpenCL C in, LLVM bitcode out.
//!
//! The builtins are declared from clang's own table (`-fdeclare-opencl-builtins`, which its driver adds by
//! itself together with the small base header) and not from the full header: on a ten-line kernel clang takes
//! 28 ms with the table and 166 ms with the header, for the same declarations. A precompiled header is not
//! worth its trouble below that. Full debug information (`-g`), from which the reader takes the names and
//! sizes of what kernel parameters point to, costs 2.6 ms more than line tables.

mod advice;
mod headers;
mod options;
mod process;

use std::ffi::OsString;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use crate::choices::{Choices, Contraction};
use crate::diagnostics::Error;
use crate::{Color, Options, Origin, Source};
use advice::with_advice;
use headers::Headers;
use options::Accepted;
pub use options::check_link_options;
use process::Finished;

/// The extensions that the device offers, for clang's `-cl-ext`: everything else that clang could do for the
/// SPIR target (sub-groups, vendor media functions, ...) is switched off, so that programs that ask with
/// `#ifdef` are told the truth.
const EXTENSIONS: &str = "-cl-ext=-all,\
    +cl_khr_byte_addressable_store,+cl_khr_fp16,+cl_khr_fp64,\
    +cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,\
    +cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,\
    +cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,\
    +cl_clang_storage_class_specifiers,+__cl_clang_bitfields,\
    +__cl_clang_variadic_functions,\
    +__opencl_c_fp64,+__opencl_c_int64,+__opencl_c_generic_address_space,\
    +__opencl_c_work_group_collective_functions,+__opencl_c_program_scope_global_variables";

/// Without `__SPIR__` clang's header leaves the feature macros alone; these are the ones that hold.
const MACROS: &[&str] = &[
    "-U__SPIR__",
    "-U__SPIR64__",
    "-U__IMAGE_SUPPORT__",
    // What the device is, whatever the language of the program.
    "-D__OPENCL_VERSION__=300",
    // A fused multiplication takes a cycle, as everything does, and fewer steps than a product and a sum.
    "-DFP_FAST_FMAF=1",
    "-DFP_FAST_FMA=1",
    "-DFP_FAST_FMA_HALF=1",
    "-D__opencl_c_atomic_order_acq_rel=1",
    "-D__opencl_c_atomic_order_seq_cst=1",
    "-D__opencl_c_atomic_scope_device=1",
    "-D__opencl_c_work_group_collective_functions=1",
    "-D__opencl_c_program_scope_global_variables=1",
];

/// What clang made of a source.
pub(crate) struct Compiled {
    /// The module, not optimised, with debug information.
    pub bitcode: Vec<u8>,
    /// clang's warnings, as it wrote them.
    pub warnings: String,
    /// What the options choose for the later stages.
    pub choices: Choices,
}

/// How long clang may take: a thousand times what it takes for a large kernel.
const PATIENCE: Duration = Duration::from_secs(60);

/// Compiles `source`, which may include the headers by their names.
pub(crate) fn compile(
    source: &Source,
    headers: &[(String, String)],
    options: &Options,
) -> Result<Compiled, Error> {
    let accepted = Accepted::from(&options.clang_args)?;
    let output = run(Stage::Bitcode, &accepted, source, headers, options)?;
    Ok(Compiled {
        bitcode: output.result,
        warnings: output.messages,
        choices: accepted.choices,
    })
}

/// What is left of `source` when everything is included and expanded.
pub(crate) fn preprocess(
    source: &Source,
    headers: &[(String, String)],
    options: &Options,
) -> Result<String, Error> {
    let accepted = Accepted::from(&options.clang_args)?;
    let output = run(Stage::Preprocessed, &accepted, source, headers, options)?;
    Ok(String::from_utf8_lossy(&output.result).into_owned())
}

/// How far clang goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Preprocessed,
    Bitcode,
}

/// What clang wrote.
struct Written {
    result: Vec<u8>,
    messages: String,
}

fn run(
    stage: Stage,
    accepted: &Accepted,
    source: &Source,
    headers: &[(String, String)],
    options: &Options,
) -> Result<Written, Error> {
    let headers = Headers::write(headers)?;
    let program = options.clang.clone().unwrap_or_else(clang_program);
    let mut command = Command::new(&program);
    command.args(arguments(stage, accepted, options.color));
    // Where the headers happen to be must be seen nowhere.
    let folder = headers.map(|it| (format!("{}/", it.base.display()), it));
    if let Some((folder, _)) = &folder {
        command.args(["-I", folder]);
        command.arg(format!("-ffile-prefix-map={folder}="));
    }
    command.args(&accepted.passed);
    let input = match &source.origin {
        Origin::File(path) => {
            command.arg(path);
            None
        }
        // The line directive gives the text a name in messages and debug information, wherever clang runs.
        Origin::Memory => {
            command.args(["-fdebug-compilation-dir=.", "-"]);
            Some(format!("#line 1 {:?}\n{}", source.name, source.text))
        }
    };
    let patience = options.patience.unwrap_or(PATIENCE);
    let name = || program.to_string_lossy().into_owned();
    let output = process::run(&mut command, input.as_deref(), patience)
        .map_err(|reason| Error::ClangMissing {
            program: name(),
            reason,
        })?
        .ok_or_else(|| Error::ClangStuck {
            program: name(),
            seconds: patience.as_secs(),
        })?;
    let without_folder = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        match &folder {
            Some((folder, _)) => text.replace(folder, ""),
            None => text,
        }
    };
    let messages = without_folder(&output.stderr);
    if !succeeded(&output, &messages) {
        return Err(failure(name(), output.status, messages));
    }
    let result = match stage {
        Stage::Bitcode => output.stdout,
        Stage::Preprocessed => without_folder(&output.stdout).into_bytes(),
    };
    Ok(Written { result, messages })
}

fn succeeded(output: &Finished, messages: &str) -> bool {
    match output.status {
        Some(status) => status.success(),
        None => !output.stdout.is_empty() && !messages.contains("error: "),
    }
}

/// What clang's end means: with status 1 and a message it has refused the program.
fn failure(program: String, status: Option<ExitStatus>, text: String) -> Error {
    let refused = status.is_none_or(|status| status.code() == Some(1));
    if refused && !text.is_empty() {
        return Error::Rejected {
            text: with_advice(text),
        };
    }
    if let Some(place) = place_of_crash(&text) {
        return Error::ClangCrashed { program, place };
    }
    Error::ClangFailed {
        program,
        status: status.map_or_else(|| "status unknown".into(), |status| status.to_string()),
        text,
    }
}

/// Where clang was reading when it crashed: it says so in a dump for its developers.
fn place_of_crash(text: &str) -> Option<String> {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("Stack dump"));
    let line = lines.find(|line| line.contains("current parser token"))?;
    let place = line.split_once('\t')?.1;
    Some(place.split_once(": current parser token")?.0.to_owned())
}

/// The clang that is run if [`Options`] name none: `SLUICE_CLANG` from the environment, or else `clang-19`.
pub fn clang_program() -> OsString {
    std::env::var_os("SLUICE_CLANG").unwrap_or_else(|| "clang-19".into())
}

fn arguments(stage: Stage, accepted: &Accepted, color: Color) -> Vec<String> {
    let outcome: &[&str] = match stage {
        Stage::Preprocessed => &["-E"],
        Stage::Bitcode => &["-emit-llvm", "-c"],
    };
    let fixed = [
        "-x",
        "cl",
        "--target=spir64",
        "-O2",
        "-Xclang",
        "-disable-llvm-passes",
        "-o",
        "-",
        "-g",
        "-cl-kernel-arg-info",
        "-fno-discard-value-names",
        "-fno-builtin",
        "-Xclang",
        EXTENSIONS,
    ];
    let fixed = fixed.iter().chain(outcome);
    let mut arguments: Vec<String> = fixed.map(ToString::to_string).collect();
    arguments.extend(MACROS.iter().map(ToString::to_string));
    arguments.push(format!("-cl-std={}", accepted.standard));
    if accepted.choices.contraction == Contraction::Off {
        arguments.push("-ffp-contract=off".to_owned());
    }
    arguments.push(
        match color {
            Color::Never => "-fno-color-diagnostics",
            Color::Always => "-fcolor-diagnostics",
        }
        .to_owned(),
    );
    arguments
}
