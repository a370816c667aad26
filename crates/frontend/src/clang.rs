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
use crate::{Color, Options, Origin, Source, memory_choices};
use advice::with_advice;
use headers::Headers;
use options::Accepted;
pub use options::{OptionWords, build_option, check_link_options};
use process::{Bounds, Finished, Outcome, Stream};

/// The extensions that the device offers, for clang's `-cl-ext`: everything else that clang could do for the
/// SPIR target (sub-groups, vendor media functions, ...) is switched off, so that `#ifdef` in programs sees only what
/// the device has.
const EXTENSIONS: &str = "-cl-ext=-all,\
    +cl_khr_byte_addressable_store,+cl_khr_fp16,+cl_khr_fp64,\
    +cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,\
    +cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,\
    +cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,\
    +cl_clang_storage_class_specifiers,+__cl_clang_bitfields,\
    +__cl_clang_variadic_functions,\
    +__opencl_c_fp64,+__opencl_c_int64,+__opencl_c_generic_address_space,\
    +__opencl_c_work_group_collective_functions,+__opencl_c_program_scope_global_variables";

/// Without `__SPIR__` clang's header does not define the feature macros; these are the ones that apply.
const MACROS: &[&str] = &[
    "-U__SPIR__",
    "-U__SPIR64__",
    "-U__IMAGE_SUPPORT__",
    // What the device is, whatever the language of the program.
    "-D__OPENCL_VERSION__=300",
    // A fused multiply-add has a throughput of one per cycle, and a lower latency than a product and a sum.
    "-DFP_FAST_FMAF=1",
    "-DFP_FAST_FMA=1",
    "-DFP_FAST_FMA_HALF=1",
    "-D__opencl_c_atomic_order_acq_rel=1",
    "-D__opencl_c_atomic_order_seq_cst=1",
    "-D__opencl_c_atomic_scope_device=1",
    "-D__opencl_c_work_group_collective_functions=1",
    "-D__opencl_c_program_scope_global_variables=1",
    // clang drops attributes that it does not know. This one it keeps as metadata; the number tells it from
    // one that the source has.
    "-Dnum_simd_work_items(n)=intel_reqd_sub_group_size(65536 + (n))",
    // `hints.rs` reads these from the text: clang need not warn of them.
    "-Dxcl_pipeline_loop(n)=",
    "-Dxcl_pipeline_workitems=",
];

/// clang's output for a source.
pub(crate) struct Compiled {
    /// The module, not optimised, with debug information.
    pub bitcode: Vec<u8>,
    /// clang's warnings, as it wrote them.
    pub warnings: String,
    /// What the options choose for the later stages.
    pub choices: Choices,
}

/// Resource limits for clang: far more than any hand-written kernel needs.
const BOUNDS: Bounds = Bounds {
    // A thousand times what it takes for a large kernel.
    patience: Duration::from_secs(60),
    memory: 4 << 30,
    stdout: 256 << 20,
    stderr: 1 << 20,
};

/// How long a source with its headers in memory may be, in MiB.
pub(crate) const MAX_SOURCE: usize = 16;

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
    let headers_length = headers.iter().map(|(_, text)| text.len()).sum::<usize>();
    if source.text.len() + headers_length > MAX_SOURCE << 20 {
        return Err(Error::SourceTooLarge(source.name.clone()));
    }
    let headers = Headers::write(headers)?;
    let mut command = Command::new(program(options));
    command.args(arguments(stage, accepted, options.color));
    // The path of the temporary header folder must not appear in the output.
    let folder = headers.map(|it| (format!("{}/", it.base.display()), it));
    if let Some((folder, _)) = &folder {
        command.arg(format!("-I{folder}"));
        command.arg(format!("-ffile-prefix-map={folder}="));
    }
    command.args(&accepted.passed);
    let input = match &source.origin {
        Origin::File(path) => {
            command.arg(path);
            None
        }
        // The line directive gives the text a name in messages and debug information, wherever clang runs.
        Origin::Memory { folder } => {
            if let Some(folder) = folder {
                command.arg("-iquote").arg(folder);
            }
            command.args(["-fdebug-compilation-dir=.", "-"]);
            let text = source.text.trim_start_matches(BYTE_ORDER_MARK);
            Some(format!("#line 1 {:?}\n{text}", source.name))
        }
    };
    let output = finish(&mut command, input.as_deref().map(str::as_bytes), options)?;
    let without_folder = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        match &folder {
            Some((folder, _)) => text.replace(folder, ""),
            None => text,
        }
    };
    let messages = without_folder(&output.stderr);
    if !succeeded(&output, &messages) {
        return Err(failure(program_name(options), output.status, messages));
    }
    let result = match stage {
        Stage::Bitcode => output.stdout,
        Stage::Preprocessed => without_folder(&output.stdout).into_bytes(),
    };
    Ok(Written { result, messages })
}

/// Marks a text as UTF-8. clang skips it only at the start of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads untrusted bitcode in a clang process, which writes it again as valid bitcode: LLVM's reader may crash on
/// malformed bitcode.
pub(crate) fn rewrite_bitcode(bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let options = Options::default();
    let mut command = Command::new(program(&options));
    command.args(FIRST);
    command.args(["-x", "ir", "--target=spir64", "-emit-llvm", "-c"]);
    command.args(["-Xclang", "-disable-llvm-passes", "-w", "-o", "-", "-"]);
    let output = finish(&mut command, Some(bitcode), &options)?;
    let messages = String::from_utf8_lossy(&output.stderr);
    match succeeded(&output, &messages) {
        true => Ok(output.stdout),
        false => Err(Error::Object("LLVM cannot read its bitcode".to_owned())),
    }
}

/// Runs clang to its end.
fn finish(
    command: &mut Command,
    input: Option<&[u8]>,
    options: &Options,
) -> Result<Finished, Error> {
    let patience = options.patience.unwrap_or(BOUNDS.patience);
    let bounds = Bounds { patience, ..BOUNDS };
    let program = program_name(options);
    match process::run(command, input, bounds) {
        Err(reason) => Err(Error::ClangMissing { program, reason }),
        Ok(Outcome::Finished(finished)) => Ok(finished),
        Ok(Outcome::Stuck) => Err(Error::ClangStuck {
            program,
            seconds: patience.as_secs(),
        }),
        Ok(Outcome::Flood(stream)) => {
            let (what, bytes) = match stream {
                Stream::Output => ("code", bounds.stdout),
                Stream::Messages => ("messages", bounds.stderr),
            };
            Err(Error::ClangFlood {
                program,
                what,
                mebibytes: bytes >> 20,
            })
        }
    }
}

fn program(options: &Options) -> OsString {
    options.clang.clone().unwrap_or_else(clang_program)
}

fn program_name(options: &Options) -> String {
    program(options).to_string_lossy().into_owned()
}

fn succeeded(output: &Finished, messages: &str) -> bool {
    match output.status {
        Some(status) => status.success(),
        None => !output.stdout.is_empty() && !messages.contains("error: "),
    }
}

/// The error for clang's exit status: with status 1 and a message it has refused the program.
fn failure(program: String, status: Option<ExitStatus>, text: String) -> Error {
    if let Some(location) = crash_location(&text) {
        return Error::ClangCrashed { program, location };
    }
    let refused = status.is_none_or(|status| status.code() == Some(1));
    if refused && !text.is_empty() {
        return Error::Rejected {
            text: with_advice(text),
        };
    }
    Error::ClangFailed {
        program,
        status: status.map_or_else(|| "status unknown".into(), |status| status.to_string()),
        text,
    }
}

/// The source location at which clang crashed, from its stack dump.
fn crash_location(text: &str) -> Option<String> {
    let mut lines = text
        .lines()
        .skip_while(|line| !line.starts_with("Stack dump"));
    let line = lines.find(|line| line.contains("current parser token"))?;
    let location = line.split_once('\t')?.1;
    Some(location.split_once(": current parser token")?.0.to_owned())
}

/// The clang that is run if [`Options`] name none: `SLUICE_CLANG` from the environment, or else `clang-19`.
pub fn clang_program() -> OsString {
    std::env::var_os("SLUICE_CLANG").unwrap_or_else(|| "clang-19".into())
}

/// The first arguments: no configuration file from the system, and no crash reproducers in the folder for
/// temporary files, where all users could read the source.
const FIRST: &[&str] = &["--no-default-config", "-fno-crash-diagnostics"];

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
    let fixed = FIRST.iter().chain(&fixed).chain(outcome);
    let mut arguments: Vec<String> = fixed.map(ToString::to_string).collect();
    let macros = MACROS.iter().chain(&memory_choices::MACROS);
    arguments.extend(macros.map(ToString::to_string));
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
