//! clang as a process: OpenCL C in, LLVM bitcode out.
//!
//! The builtins are declared from clang's own table (`-fdeclare-opencl-builtins`, which its driver adds by
//! itself together with the small base header) and not from the full header: on a ten-line kernel clang takes
//! 28 ms with the table and 166 ms with the header, for the same declarations. A precompiled header is not
//! worth its trouble below that. Full debug information (`-g`), from which the reader takes the names and
//! sizes of what kernel parameters point to, costs 2.6 ms more than line tables.

use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

use crate::diagnostics::{Code, Diagnostic, Error};
use crate::{Color, Options, Origin, Source};

/// The extensions that the device offers, for clang's `-cl-ext`: everything else that clang could do for the
/// SPIR target (sub-groups, vendor media functions, ...) is switched off, so that programs that ask with
/// `#ifdef` are told the truth.
const EXTENSIONS: &str = "-cl-ext=-all,\
    +cl_khr_byte_addressable_store,+cl_khr_fp16,+cl_khr_fp64,\
    +cl_khr_global_int32_base_atomics,+cl_khr_global_int32_extended_atomics,\
    +cl_khr_local_int32_base_atomics,+cl_khr_local_int32_extended_atomics,\
    +cl_khr_int64_base_atomics,+cl_khr_int64_extended_atomics,\
    +cl_clang_storage_class_specifiers,+__cl_clang_bitfields,\
    +__cl_clang_function_pointers,+__cl_clang_variadic_functions,\
    +__opencl_c_fp64,+__opencl_c_int64,+__opencl_c_generic_address_space";

/// Without `__SPIR__` clang's header leaves the feature macros alone; these are the ones that hold.
const MACROS: &[&str] = &[
    "-U__SPIR__",
    "-U__SPIR64__",
    "-U__IMAGE_SUPPORT__",
    "-D__opencl_c_atomic_order_acq_rel=1",
    "-D__opencl_c_atomic_order_seq_cst=1",
    "-D__opencl_c_atomic_scope_device=1",
];

/// What clang made of a source.
pub(crate) struct Compiled {
    /// The module, not optimised, with debug information.
    pub bitcode: Vec<u8>,
    /// clang's warnings, as it wrote them.
    pub warnings: String,
    /// Whether the options let a multiplication and an addition become one operation.
    pub contraction: Contraction,
}

/// Whether `a * b + c` may be rounded once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contraction {
    /// Every operation rounds.
    Off,
    /// The compiler may choose.
    Allowed,
}

/// Runs clang over `source`.
pub(crate) fn compile(source: &Source, options: &Options) -> Result<Compiled, Error> {
    let accepted = Accepted::from(&options.clang_args)?;
    let program = options.clang.clone().unwrap_or_else(default_program);
    let mut command = Command::new(&program);
    command.args(arguments(&accepted, options.color));
    let input = match &source.origin {
        Origin::File(path) => {
            command.arg(path);
            None
        }
        // The line directive gives the text a name in messages and debug information.
        Origin::Memory => {
            command.arg("-");
            Some(format!("#line 1 {:?}\n{}", source.name, source.text))
        }
    };
    let output = run(&mut command, input).map_err(|reason| Error::ClangMissing {
        program: program.to_string_lossy().into_owned(),
        reason,
    })?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(Compiled {
            bitcode: output.stdout,
            warnings: text,
            contraction: accepted.contraction,
        });
    }
    match output.status.code() {
        Some(1) if !text.is_empty() => Err(Error::Rejected { text }),
        _ => Err(Error::ClangFailed {
            program: program.to_string_lossy().into_owned(),
            status: output.status.to_string(),
            text,
        }),
    }
}

fn default_program() -> OsString {
    std::env::var_os("SLUICE_CLANG").unwrap_or_else(|| "clang-19".into())
}

fn arguments(accepted: &Accepted, color: Color) -> Vec<String> {
    let fixed = [
        "-x",
        "cl",
        "--target=spir64",
        "-O2",
        "-Xclang",
        "-disable-llvm-passes",
        "-emit-llvm",
        "-c",
        "-o",
        "-",
        "-g",
        "-cl-kernel-arg-info",
        "-fno-discard-value-names",
        "-fno-builtin",
        "-Xclang",
        EXTENSIONS,
    ];
    let mut arguments: Vec<String> = fixed.iter().map(ToString::to_string).collect();
    arguments.extend(MACROS.iter().map(ToString::to_string));
    arguments.push(format!("-cl-std={}", accepted.standard));
    arguments.push(format!(
        "-D__OPENCL_VERSION__={}",
        version_number(&accepted.standard)
    ));
    if accepted.contraction == Contraction::Off {
        arguments.push("-ffp-contract=off".to_owned());
    }
    arguments.push(
        match color {
            Color::Never => "-fno-color-diagnostics",
            Color::Always => "-fcolor-diagnostics",
        }
        .to_owned(),
    );
    arguments.extend(accepted.passed.iter().cloned());
    arguments
}

/// The device is one of version 1.2; it claims a later one where the program asks for that language.
fn version_number(standard: &str) -> &'static str {
    match standard.trim_start_matches(|c: char| !c.is_ascii_digit()) {
        "2.0" => "200",
        "3.0" => "300",
        _ => "120",
    }
}

fn run(command: &mut Command, input: Option<String>) -> std::io::Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if input.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    let mut child = command.spawn()?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // clang reads its whole input before it writes. If it gave up before that, its message says why.
        match stdin.write_all(input.as_bytes()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => return Err(error),
            Err(_) | Ok(()) => {}
        }
    }
    child.wait_with_output()
}

/// The user's build options, sorted.
struct Accepted {
    passed: Vec<String>,
    standard: String,
    contraction: Contraction,
}

impl Accepted {
    fn from(arguments: &[String]) -> Result<Accepted, Error> {
        let mut accepted = Accepted {
            passed: Vec::new(),
            standard: "CL1.2".to_owned(),
            contraction: Contraction::Off,
        };
        let mut unknown = Vec::new();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match Kind::of(argument) {
                Kind::Flag => accepted.passed.push(argument.clone()),
                Kind::WithValue => {
                    accepted.passed.push(argument.clone());
                    match rest.next() {
                        Some(value) => accepted.passed.push(value.clone()),
                        None => unknown.push(Diagnostic::new(
                            Code::UnknownOption,
                            format!("build option `{argument}` lacks its value"),
                        )),
                    }
                }
                Kind::Standard(standard) => accepted.standard = standard.to_owned(),
                Kind::Contraction(contraction) => {
                    accepted.contraction = contraction;
                    accepted.passed.push(argument.clone());
                }
                Kind::Ignored => {}
                Kind::Unknown => unknown.push(
                    Diagnostic::new(
                        Code::UnknownOption,
                        format!("unknown build option `{argument}`"),
                    )
                    .help("accepted: -D -U -I -include -cl-* -w -W* -O* -g -ffp-contract="),
                ),
            }
        }
        if unknown.is_empty() {
            Ok(accepted)
        } else {
            Err(Error::Program(unknown))
        }
    }
}

/// What becomes of one build option.
enum Kind<'a> {
    Flag,
    WithValue,
    Standard(&'a str),
    Contraction(Contraction),
    /// The circuit is optimised, and debug information is made, in any case.
    Ignored,
    Unknown,
}

impl Kind<'_> {
    fn of(argument: &str) -> Kind<'_> {
        if let Some(standard) = argument.strip_prefix("-cl-std=") {
            return Kind::Standard(standard);
        }
        if let Some(mode) = argument.strip_prefix("-ffp-contract=") {
            let off = mode == "off";
            return Kind::Contraction(if off {
                Contraction::Off
            } else {
                Contraction::Allowed
            });
        }
        match argument {
            "-D" | "-U" | "-I" | "-include" | "-isystem" => Kind::WithValue,
            "-cl-mad-enable" | "-cl-fast-relaxed-math" | "-cl-unsafe-math-optimizations" => {
                Kind::Contraction(Contraction::Allowed)
            }
            "-w" => Kind::Flag,
            "-g" | "-cl-opt-disable" => Kind::Ignored,
            _ if argument.starts_with("-O") => Kind::Ignored,
            _ if ["-D", "-U", "-I", "-W", "-cl-"]
                .iter()
                .any(|prefix| argument.starts_with(prefix)) =>
            {
                Kind::Flag
            }
            _ => Kind::Unknown,
        }
    }
}
