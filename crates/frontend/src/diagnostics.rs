//! Diagnostics for errors in a user's program, each with its code, and errors of the environment (missing clang,
//! unreadable files).

use std::fmt;
use std::path::PathBuf;

use miette::{LabeledSpan, NamedSource, SourceCode};

/// The kinds of mistakes, with the code under which the manual explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// clang reports errors.
    Rejected,
    /// The kernel asked for is not in the file.
    UnknownKernel,
    /// A function calls itself, directly or through others.
    Recursion,
    /// A call through a pointer, or a function's address as a value.
    FunctionPointer,
    /// An image, a sampler or a function on them.
    Image,
    /// A pipe or a function on one.
    Pipe,
    /// A function that is declared and called but defined nowhere.
    UnknownFunction,
    /// A writable variable at program scope.
    ProgramScopeVariable,
    /// An unknown build option.
    UnknownOption,
    /// The file holds no kernel at all.
    NoKernel,
    /// A function with a variable number of arguments, other than printf.
    Variadic,
    /// Inline assembly.
    Assembly,
    /// Private memory whose size is known only when the kernel runs.
    DynamicArray,
    /// A constant table that holds addresses.
    PointerInTable,
    /// A type that hardware values do not have.
    UnsupportedType,
    /// An operation that hardware does not have.
    UnsupportedOperation,
    /// A `printf` whose format is not a literal.
    PrintfFormat,
    /// Objects that cannot be linked: two define the same symbol, or declare it with different types.
    Link,
    /// A header in memory whose name no file can have.
    HeaderName,
    /// A block, a queue or another part of device-side enqueue.
    DeviceEnqueue,
    /// Something that exceeds the limit of a stage.
    TooLarge,
    /// Lanes that a kernel cannot have.
    Lanes,
}

impl Code {
    /// The code as it is printed: `K003`.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Rejected => "K001",
            Code::UnknownKernel => "K002",
            Code::Recursion => "K003",
            Code::FunctionPointer => "K004",
            Code::Image => "K005",
            Code::Pipe => "K006",
            Code::UnknownFunction => "K007",
            Code::ProgramScopeVariable => "K008",
            Code::UnknownOption => "K009",
            Code::NoKernel => "K010",
            Code::Variadic => "K011",
            Code::Assembly => "K012",
            Code::DynamicArray => "K013",
            Code::PointerInTable => "K014",
            Code::UnsupportedType => "K015",
            Code::UnsupportedOperation => "K016",
            Code::PrintfFormat => "K017",
            Code::Link => "K018",
            Code::HeaderName => "K019",
            Code::DeviceEnqueue => "K020",
            Code::TooLarge => "K021",
            Code::Lanes => "K022",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A location in a source file. Lines and columns count from one; column zero means the whole line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The file as clang names it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in bytes.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One mistake in a user's program.
#[derive(Debug)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// What is wrong, in one sentence.
    pub message: String,
    /// Where, if known.
    pub location: Option<Location>,
    /// The label under that location.
    pub label: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
    source: Option<Box<NamedSource<String>>>,
}

impl Diagnostic {
    /// A mistake without a location.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            location: None,
            label: None,
            help: None,
            source: None,
        }
    }

    /// The same, with the location and its label.
    #[must_use]
    pub fn at(mut self, location: Option<Location>, label: impl Into<String>) -> Diagnostic {
        self.location = location;
        self.label = Some(label.into());
        self
    }

    /// The same, with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same, with the text of the file that contains the location.
    #[must_use]
    pub fn with_text(mut self, text: String) -> Diagnostic {
        if let Some(location) = &self.location {
            let source = NamedSource::new(&location.file, text).with_language("C");
            self.source = Some(Box::new(source));
        }
        self
    }

    /// The mistake as compilers write it, in whole lines and without colours.
    pub fn to_plain_text(&self) -> String {
        let location = match &self.location {
            Some(Location {
                file,
                line,
                column: 0,
            }) => format!("{file}:{line}: "),
            Some(location) => format!("{location}: "),
            None => String::new(),
        };
        let mut text = format!("{location}error: {} [{}]\n", self.message, self.code);
        if let (Some(location), Some(source)) = (&self.location, &self.source) {
            let line = (location.line as usize).checked_sub(1);
            let line = line.and_then(|line| source.inner().lines().nth(line));
            if let Some(line) = line {
                let before = line
                    .bytes()
                    .take((location.column as usize).saturating_sub(1));
                // Tabs stay tabs, so that the caret is under its column.
                let space = before.map(|byte| if byte == b'\t' { '\t' } else { ' ' });
                let space: String = space.collect();
                text += &format!("{line}\n{space}^\n");
            }
        }
        if let Some(help) = &self.help {
            text += &format!("help: {help}\n");
        }
        text
    }

    /// The bytes of the source text that the label underlines: the word at the location.
    fn span(&self) -> Option<(usize, usize)> {
        let location = self.location.as_ref()?;
        let text = self.source.as_ref()?.inner();
        let line = text
            .split_inclusive('\n')
            .nth(location.line.checked_sub(1)? as usize)?;
        let start_of_line = line.as_ptr() as usize - text.as_ptr() as usize;
        let column = (location.column as usize).saturating_sub(1);
        let rest = line.get(column..)?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(1);
        Some((start_of_line + column, word.min(rest.len())))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Diagnostic {}

impl miette::Diagnostic for Diagnostic {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source
            .as_deref()
            .map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (start, length) = self.span()?;
        let label = LabeledSpan::new(self.label.clone(), start, length);
        Some(Box::new(std::iter::once(label)))
    }
}

/// Why compilation failed: the user's program, or the environment of the compiler.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// clang's errors, as it wrote them (K001).
    #[error("{text}")]
    Rejected {
        /// clang's diagnostics, warnings included, with its colours if they were asked for.
        text: String,
    },
    /// Mistakes found after clang; at least one, in the order of the source.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Program(Vec<Diagnostic>),
    /// clang is not installed.
    #[error(
        "cannot run {program}: {reason}\nhelp: apt install clang-19, or name another clang 19 in SLUICE_CLANG"
    )]
    ClangMissing {
        /// What was to be run.
        program: String,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// clang exceeded its time limit.
    #[error(
        "{program} has not finished after {seconds} s\nhelp: simplify the source; vector literals made of vector expressions are known to hang clang 19: give the parts names first"
    )]
    ClangStuck {
        /// What was run.
        program: String,
        /// How long.
        seconds: u64,
    },
    /// clang exceeded its output limit.
    #[error(
        "{program} has written more than {mebibytes} MiB of {what}\nhelp: simplify the source; -w silences warnings"
    )]
    ClangFlood {
        /// What was run.
        program: String,
        /// What it wrote.
        what: &'static str,
        /// How much of that is read.
        mebibytes: u64,
    },
    /// The source exceeds its size limit.
    #[error(
        "{0} has more than {most} MiB of text\nhelp: pass data as buffers instead of tables in the source",
        most = crate::clang::MAX_SOURCE
    )]
    SourceTooLarge(String),
    /// clang was started but gave neither bitcode nor errors.
    #[error("{program} failed ({status}): {text}")]
    ClangFailed {
        /// What was run.
        program: String,
        /// How it ended.
        status: String,
        /// What it wrote.
        text: String,
    },
    /// clang has crashed on the program.
    #[error(
        "{location}: error: {program} crashes here\nhelp: this is a bug in clang; rewrite this part of the source"
    )]
    ClangCrashed {
        /// What was run.
        program: String,
        /// The source location, as clang writes it.
        location: String,
    },
    /// A file could not be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        reason: std::io::Error,
    },
    /// Headers could not be written for clang.
    #[error("cannot write headers for clang to a temporary folder: {0}")]
    Headers(std::io::Error),
    /// An object is not one that this LLVM can read.
    #[error("the object cannot be read: {0}")]
    Object(String),
}

impl Error {
    /// The user's mistakes; empty for errors of the environment and for those that clang has reported itself.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Program(diagnostics) => diagnostics,
            Error::Rejected { .. }
            | Error::ClangMissing { .. }
            | Error::ClangStuck { .. }
            | Error::ClangFlood { .. }
            | Error::SourceTooLarge(_)
            | Error::ClangFailed { .. }
            | Error::ClangCrashed { .. }
            | Error::Unreadable { .. }
            | Error::Headers(_)
            | Error::Object(_) => &[],
        }
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Error {
        Error::Program(vec![diagnostic])
    }
}
