//! Build options: which ones there are, and what becomes of each.

use sluice_kernel::ir::Subnormals;

use crate::choices::{Choices, Contraction, Functions, Optimization};
use crate::diagnostics::{Code, Diagnostic, Error};

/// The languages that clang knows.
const STANDARDS: &[&str] = &[
    "CL",
    "CL1.0",
    "CL1.1",
    "CL1.2",
    "CL2.0",
    "CL3.0",
    "CLC++",
    "CLC++1.0",
    "CLC++2021",
];

/// OpenCL's options that clang takes as they are.
const CLANGS_OWN: &[&str] = &[
    "-cl-finite-math-only",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-kernel-arg-info",
    "-cl-no-signed-zeros",
    "-cl-single-precision-constant",
    "-cl-uniform-work-group-size",
];

/// The options of `clLinkProgram`. All but the first two allow what need not be done: the objects keep to what
/// they were compiled with.
const LINK_OPTIONS: &[&str] = &[
    "-create-library",
    "-enable-link-options",
    "-cl-denorms-are-zero",
    "-cl-no-signed-zeroes",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-cl-no-subgroup-ifp",
];

/// Refuses options that linking does not have.
pub fn check_link_options(options: &[String]) -> Result<(), Error> {
    let unknown = options
        .iter()
        .filter(|option| !LINK_OPTIONS.contains(&option.as_str()))
        .map(|option| {
            let message = format!("unknown link option `{option}`");
            let help = format!("accepted: {}", LINK_OPTIONS.join(" "));
            Diagnostic::new(Code::UnknownOption, message).help(help)
        });
    let unknown: Vec<Diagnostic> = unknown.collect();
    match unknown.is_empty() {
        true => Ok(()),
        false => Err(Error::Program(unknown)),
    }
}

/// The user's build options, sorted.
pub(super) struct Accepted {
    pub passed: Vec<String>,
    pub standard: String,
    pub choices: Choices,
}

impl Accepted {
    pub(super) fn from(arguments: &[String]) -> Result<Accepted, Error> {
        let mut accepted = Accepted {
            passed: Vec::new(),
            standard: "CL1.2".to_owned(),
            choices: Choices::DEFAULT,
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
                Kind::Standard(standard) => match is_known(standard) {
                    true => accepted.standard = standard.to_owned(),
                    false => unknown.push(unknown_standard(standard)),
                },
                Kind::Extensions => {
                    let arguments = ["-Xclang".to_owned(), argument.clone()];
                    accepted.passed.extend(arguments);
                }
                Kind::Choice(choose) => choose(&mut accepted.choices),
                Kind::SharedChoice(choose) => {
                    choose(&mut accepted.choices);
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
    /// It is for the part of clang behind its driver.
    Extensions,
    /// It changes what the later stages do, and clang has no use for it.
    Choice(fn(&mut Choices)),
    /// It changes what clang and the later stages do.
    SharedChoice(fn(&mut Choices)),
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
            return Kind::SharedChoice(match mode {
                "off" => |choices| choices.contraction = Contraction::Off,
                _ => allow_contraction,
            });
        }
        match argument {
            "-D" | "-U" | "-I" | "-include" | "-isystem" => Kind::WithValue,
            "-cl-mad-enable" => Kind::SharedChoice(allow_contraction),
            "-cl-denorms-are-zero" => Kind::Choice(flush_subnormals),
            // Each includes those before it.
            "-cl-unsafe-math-optimizations" => Kind::SharedChoice(|choices| {
                allow_contraction(choices);
                flush_subnormals(choices);
            }),
            "-cl-fast-relaxed-math" => Kind::SharedChoice(|choices| {
                allow_contraction(choices);
                flush_subnormals(choices);
                choices.functions = Functions::Native;
            }),
            "-cl-opt-disable" => Kind::Choice(|choices| choices.optimization = Optimization::Least),
            "-w" => Kind::Flag,
            _ if CLANGS_OWN.contains(&argument) => Kind::Flag,
            _ if argument.starts_with("-cl-ext=") => Kind::Extensions,
            "-g" | "-cl-no-subgroup-ifp" | "-cl-strict-aliasing" => Kind::Ignored,
            _ if argument.starts_with("-O") => Kind::Ignored,
            _ if ["-D", "-U", "-I", "-W"]
                .iter()
                .any(|prefix| argument.starts_with(prefix)) =>
            {
                Kind::Flag
            }
            _ => Kind::Unknown,
        }
    }
}

fn is_known(standard: &str) -> bool {
    let mut known = STANDARDS.iter();
    known.any(|known| known.eq_ignore_ascii_case(standard))
}

fn unknown_standard(standard: &str) -> Diagnostic {
    let message = format!("`-cl-std={standard}` names no language that there is");
    let help = format!("write -cl-std= and one of {}", STANDARDS.join(", "));
    Diagnostic::new(Code::UnknownOption, message).help(help)
}

fn allow_contraction(choices: &mut Choices) {
    choices.contraction = Contraction::Allowed;
}

fn flush_subnormals(choices: &mut Choices) {
    choices.subnormals = Subnormals::Flushed;
}
