//! Build options: which ones are accepted, and what each one does.

use sluice_kernel::ir::{Reassociation, Subnormals};

use crate::choices::{Choices, Contraction, Functions, Optimization};
use crate::diagnostics::{Code, Diagnostic, Error};

/// The language versions that clang accepts.
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

/// The accepted build options. Nothing else reaches clang, and [`Accepted`] writes them in an unambiguous form.
/// `docs/security.md` has the same list.
const OPTIONS: &[Known] = &[
    Known::with_value("-D", Value::Macro, Use::Join),
    Known::with_value("-U", Value::Macro, Use::Join),
    Known::with_value("-I", Value::Path, Use::Join),
    Known::with_value("-isystem", Value::Path, Use::Join),
    Known::with_value("-include", Value::Path, Use::Join),
    Known::alone("-w", Use::Pass),
    Known::joined("-W", Value::Warning, Use::Pass),
    Known::joined("-cl-std=", Value::Language, Use::Standard),
    // An option of clang's cc1, not of its driver.
    Known::joined("-cl-ext=", Value::Extensions, Use::PassToCc1),
    Known::alone("-cl-finite-math-only", Use::Pass),
    Known::alone("-cl-fp32-correctly-rounded-divide-sqrt", Use::Pass),
    Known::alone("-cl-kernel-arg-info", Use::Pass),
    Known::alone("-cl-no-signed-zeros", Use::Pass),
    Known::alone("-cl-single-precision-constant", Use::Pass),
    Known::alone("-cl-uniform-work-group-size", Use::Pass),
    Known::alone("-cl-mad-enable", Use::ChooseAndPass(allow_contraction)),
    Known::alone("-cl-denorms-are-zero", Use::Choose(flush_subnormals)),
    // Each includes those before it.
    Known::alone("-cl-unsafe-math-optimizations", Use::ChooseAndPass(relax)),
    Known::alone("-cl-fast-relaxed-math", Use::ChooseAndPass(relax_functions)),
    Known::alone("-cl-opt-disable", Use::Choose(optimise_least)),
    Known::joined("-ffp-contract=", Value::Contraction, Use::Contraction),
    // The circuit is optimised, and debug information is made, in any case.
    Known::joined("-O", Value::Level, Use::Ignore),
    Known::alone("-g", Use::Ignore),
    Known::alone("-cl-no-subgroup-ifp", Use::Ignore),
    Known::alone("-cl-strict-aliasing", Use::Ignore),
];

/// An option.
struct Known {
    name: &'static str,
    value: Option<(Value, ValuePosition)>,
    action: Use,
}

/// Where an option's value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValuePosition {
    /// In the same word.
    Joined,
    /// In the same word or in the next one.
    JoinedOrNext,
}

/// The kind of an option's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Macro,
    Path,
    Warning,
    Language,
    Extensions,
    Contraction,
    Level,
}

/// What an option does.
#[derive(Clone, Copy)]
enum Use {
    Pass,
    PassToCc1,
    /// It is passed with its value in the same word.
    Join,
    Standard,
    Contraction,
    /// It changes what the later stages do, and is not passed to clang.
    Choose(fn(&mut Choices)),
    /// It changes what clang and the later stages do.
    ChooseAndPass(fn(&mut Choices)),
    Ignore,
}

impl Known {
    const fn alone(name: &'static str, action: Use) -> Known {
        let value = None;
        Known {
            name,
            value,
            action,
        }
    }

    const fn joined(name: &'static str, value: Value, action: Use) -> Known {
        let value = Some((value, ValuePosition::Joined));
        Known {
            name,
            value,
            action,
        }
    }

    const fn with_value(name: &'static str, value: Value, action: Use) -> Known {
        let value = Some((value, ValuePosition::JoinedOrNext));
        Known {
            name,
            value,
            action,
        }
    }

    /// The option that a word begins with. An exact match takes precedence over a prefix.
    fn of(word: &str) -> Option<&'static Known> {
        let whole = OPTIONS.iter().find(|known| known.name == word);
        let begins = |known: &&Known| known.value.is_some() && word.starts_with(known.name);
        whole.or_else(|| {
            let longest = OPTIONS.iter().filter(begins);
            longest.max_by_key(|known| known.name.len())
        })
    }

    /// The option as written in messages and in the documentation.
    fn spelling(&self) -> String {
        match self.value {
            None => self.name.to_owned(),
            Some((value, ValuePosition::Joined)) => format!("{}{}", self.name, value.spelling()),
            Some((value, ValuePosition::JoinedOrNext)) => {
                format!("{} {}", self.name, value.spelling())
            }
        }
    }
}

impl Value {
    fn spelling(self) -> &'static str {
        match self {
            Value::Macro => "NAME[=TEXT]",
            Value::Path => "PATH",
            Value::Warning => "[NAME]",
            Value::Language => "LANGUAGE",
            Value::Extensions => "EXTENSIONS",
            Value::Contraction => "MODE",
            Value::Level => "[LEVEL]",
        }
    }

    /// The value in a form that clang cannot take for another option, or `None` if it is invalid. clang's driver reads
    /// a word that begins with `@` as a file of options, also where it passes a value on as a separate word.
    fn escaped(self, value: &str) -> Option<String> {
        let all = |others: &str| {
            let mut characters = value.chars();
            characters.all(|it| it.is_ascii_alphanumeric() || others.contains(it))
        };
        let fits = match self {
            Value::Macro => value.starts_with(is_name_start) && !value.contains(['\0', '\n', '\r']),
            Value::Path => !value.is_empty() && !value.contains('\0'),
            // A comma would make it `-Wp,`, `-Wa,` or `-Wl,`, which pass words on to other programs.
            Value::Warning => all("-=+_"),
            Value::Language => is_known(value),
            Value::Extensions => all("-+,_"),
            Value::Contraction => ["on", "off", "fast", "fast-honor-pragmas"].contains(&value),
            Value::Level => ["", "0", "1", "2", "3", "fast", "g", "s", "z"].contains(&value),
        };
        let is_path_like_option = self == Value::Path && value.starts_with(['@', '-']);
        fits.then(|| match is_path_like_option {
            true => format!("./{value}"),
            false => value.to_owned(),
        })
    }
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

/// Whether the word is a build option, and whether its value is the next word.
pub fn build_option(word: &str) -> Option<OptionWords> {
    let known = Known::of(word)?;
    let next = matches!(known.value, Some((_, ValuePosition::JoinedOrNext))) && known.name == word;
    Some(match next {
        true => OptionWords::Two,
        false => OptionWords::One,
    })
}

/// How many words an option has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionWords {
    /// The option by itself.
    One,
    /// The option, and its value in the next word.
    Two,
}

/// The maximum total length of all options: programs with thousands of macros use a fraction of that.
const MAX_BYTES: usize = 64 << 10;

/// The options of `clLinkProgram`. All but the first two permit optimisations, which have no effect: the objects keep
/// the options that they were compiled with.
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

/// Refuses unknown link options.
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

/// The user's build options, parsed.
pub(super) struct Accepted {
    pub passed: Vec<String>,
    pub standard: String,
    pub choices: Choices,
}

impl Accepted {
    pub(super) fn from(arguments: &[String]) -> Result<Accepted, Error> {
        let bytes: usize = arguments.iter().map(|argument| argument.len() + 1).sum();
        if bytes > MAX_BYTES {
            let message =
                format!("the build options have {bytes} bytes; at most {MAX_BYTES} are taken");
            let help = "define macros in the source, or in a header that -include names";
            return Err(Diagnostic::new(Code::UnknownOption, message)
                .help(help)
                .into());
        }
        let mut accepted = Accepted {
            passed: Vec::new(),
            standard: "CL1.2".to_owned(),
            choices: Choices::DEFAULT,
        };
        let mut wrong = Vec::new();
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            if let Err(problem) = accepted.take(word, &mut rest) {
                wrong.push(problem);
            }
        }
        match wrong.is_empty() {
            true => Ok(accepted),
            false => Err(Error::Program(wrong)),
        }
    }

    /// Parses an option, whose value may be in the next word.
    fn take<'a>(
        &mut self,
        word: &str,
        rest: &mut impl Iterator<Item = &'a String>,
    ) -> Result<(), Diagnostic> {
        let known = Known::of(word).ok_or_else(|| unknown(word))?;
        let value = match known.value {
            None => String::new(),
            Some((kind, position)) => {
                let value = match &word[known.name.len()..] {
                    "" if position == ValuePosition::JoinedOrNext => {
                        let next = rest.next();
                        next.ok_or_else(|| {
                            let message = format!("build option `{word}` lacks its value");
                            Diagnostic::new(Code::UnknownOption, message)
                        })?
                    }
                    value => value,
                };
                let escaped = kind.escaped(value);
                escaped.ok_or_else(|| wrong_value(known, kind, value))?
            }
        };
        let whole = format!("{}{value}", known.name);
        match known.action {
            Use::Pass | Use::Join => self.passed.push(whole),
            Use::PassToCc1 => self.passed.extend(["-Xclang".to_owned(), whole]),
            Use::Standard => self.standard = value,
            Use::Contraction => {
                self.choices.contraction = match value.as_str() {
                    "off" => Contraction::Off,
                    _ => Contraction::Allowed,
                };
                self.passed.push(whole);
            }
            Use::Choose(choose) => choose(&mut self.choices),
            Use::ChooseAndPass(choose) => {
                choose(&mut self.choices);
                self.passed.push(whole);
            }
            Use::Ignore => {}
        }
        Ok(())
    }
}

fn unknown(word: &str) -> Diagnostic {
    let message = format!("unknown build option `{}`", shortened(word));
    let accepted = OPTIONS.iter().map(Known::spelling).collect::<Vec<_>>();
    Diagnostic::new(Code::UnknownOption, message).help(format!("accepted: {}", accepted.join(" ")))
}

fn wrong_value(known: &Known, kind: Value, value: &str) -> Diagnostic {
    let name = known.name;
    let value = shortened(value);
    let (message, help) = match kind {
        Value::Language => (
            format!("`-cl-std={value}` is not a language version"),
            format!("write -cl-std= and one of {}", STANDARDS.join(", ")),
        ),
        Value::Macro => (
            format!("`{value}` is not a macro for `{name}`"),
            format!("write {name} and a name: {name} NAME"),
        ),
        Value::Path => (
            format!("`{value}` is not a path for `{name}`"),
            format!("write {name} and a path: {name} PATH"),
        ),
        Value::Warning => (
            format!("`{name}{value}` is not a warning option"),
            "write -W and a name of letters, digits, -, = and +: -Wno-unused".to_owned(),
        ),
        Value::Extensions => (
            format!("`{name}{value}` is not a list of extensions"),
            "write them as +cl_khr_fp64,-cl_khr_fp16".to_owned(),
        ),
        Value::Contraction => (
            format!("`{name}{value}` is not a contraction mode"),
            "write -ffp-contract=off, =on or =fast".to_owned(),
        ),
        Value::Level => (
            format!("`{name}{value}` is not an optimisation level"),
            "write -O0 to -O3; the circuit is optimised in any case".to_owned(),
        ),
    };
    Diagnostic::new(Code::UnknownOption, message).help(help)
}

/// A word, shortened for messages.
fn shortened(word: &str) -> String {
    const MAX: usize = 200;
    match word.char_indices().nth(MAX) {
        Some((at, _)) => format!("{}...", &word[..at]),
        None => word.to_owned(),
    }
}

fn is_known(standard: &str) -> bool {
    let mut known = STANDARDS.iter();
    known.any(|known| known.eq_ignore_ascii_case(standard))
}

fn allow_contraction(choices: &mut Choices) {
    choices.contraction = Contraction::Allowed;
}

fn flush_subnormals(choices: &mut Choices) {
    choices.subnormals = Subnormals::Flushed;
}

fn relax(choices: &mut Choices) {
    allow_contraction(choices);
    flush_subnormals(choices);
    choices.reassociation = Reassociation::Allowed;
}

fn relax_functions(choices: &mut Choices) {
    relax(choices);
    choices.functions = Functions::Native;
}

fn optimise_least(choices: &mut Choices) {
    choices.optimization = Optimization::Least;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(words: &[&str]) -> Vec<String> {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let accepted = Accepted::from(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"));
        accepted.passed
    }

    fn refused(words: &[&str]) -> String {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        match Accepted::from(&words) {
            Ok(accepted) => panic!("{words:?} becomes {:?}", accepted.passed),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn values_are_joined_and_never_options() {
        assert_eq!(passed(&["-D", "X=1"]), ["-DX=1"]);
        assert_eq!(passed(&["-I", "-MMD"]), ["-I./-MMD"]);
        assert_eq!(passed(&["-I@file"]), ["-I./@file"]);
        assert_eq!(passed(&["-include", "@file"]), ["-include./@file"]);
        assert_eq!(passed(&["-isystem", "/inc"]), ["-isystem/inc"]);
        for words in [
            ["-D", "@file"],
            ["-U", "@file"],
            ["-D", "-MMD"],
            ["-D", ""],
            ["-I", ""],
        ] {
            refused(&words);
        }
    }

    #[test]
    fn warnings_pass_nothing_on_to_other_programs() {
        for word in [
            "-W",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-Wno-error=unused-value",
            "-Wformat=2",
        ] {
            assert_eq!(passed(&[word]), [word]);
        }
        for word in ["-Wp,-MD,file", "-Wa,-x", "-Wl,-x", "-Wp,@file", "-Wx y"] {
            let message = refused(&[word]);
            assert_eq!(message, format!("`{word}` is not a warning option"));
        }
    }

    #[test]
    fn options_that_write_files_or_load_code_are_unknown() {
        for word in [
            "-MMD",
            "-MD",
            "-MF",
            "-dependency-file",
            "-serialize-diagnostic-file",
            "-load",
            "-o",
            "--serialize-diagnostics",
            "-header-include-file",
            "-fplugin=x.so",
            "-Xclang",
            "-v",
            "-fpass-plugin=x.so",
            "-save-temps",
            "-ftime-trace=x",
            "-fcrash-diagnostics-dir=x",
            "-imacros",
            "--config=x",
            "@file",
            "-",
            "--",
            "x.cl",
            "",
            "-fmodules-cache-path=x",
        ] {
            let message = refused(&[word]);
            assert_eq!(message, format!("unknown build option `{word}`"));
        }
    }

    #[test]
    fn options_without_end_are_refused() {
        let word = "-DX".to_owned();
        let many: Vec<String> = std::iter::repeat_n(word, 50_000).collect();
        let Err(error) = Accepted::from(&many) else {
            panic!("they are taken")
        };
        let message = "the build options have 200000 bytes; at most 65536 are taken";
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn the_documentation_lists_these_options() {
        let text = include_str!("../../../../docs/security.md");
        let section = text
            .split("## Build options")
            .nth(1)
            .expect("there is the section");
        let section = section.split("\n## ").next().expect("it is not empty");
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
        let known: Vec<String> = OPTIONS.iter().map(Known::spelling).collect();
        assert_eq!(listed, known);
    }
}
