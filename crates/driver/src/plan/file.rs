//! Plan files: their entries, and where they are in the file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use miette::NamedSource;
use serde::Deserialize;
use toml::Spanned;

use crate::failure::{Failure, FileReport};
use crate::files::read_text;

/// What a plan file says.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    #[serde(default)]
    pub(super) bitstream: BTreeMap<Name, BitstreamEntry>,
    #[serde(default)]
    pub(super) kernel: BTreeMap<Name, KernelEntry>,
    #[serde(default)]
    pub(super) pipe: BTreeMap<Name, PipeEntry>,
    /// The file, if it came from one.
    #[serde(skip)]
    source: Option<(String, String)>,
}

/// An entry of a bitstream: kernels that share a circuit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BitstreamEntry {
    pub(super) kernels: Vec<Name>,
    pub(super) banks: Option<Number>,
    pub(super) line_bytes: Option<Number>,
    #[serde(default)]
    pub(super) reason: Reasons,
}

/// An entry of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KernelEntry {
    pub(super) datapaths: Option<Number>,
    pub(super) items: Option<Name>,
    pub(super) lanes: Option<Number>,
    pub(super) work_group: Option<Number>,
    pub(super) dimensions: Option<Number>,
    pub(super) buffers: Option<Name>,
    pub(super) memory: Option<Name>,
    pub(super) latency: Option<Number>,
    pub(super) cache_bytes: Option<Number>,
    pub(super) on_chip_bytes: Option<Number>,
    pub(super) local_bytes: Option<Number>,
    pub(super) barrier_bits: Option<Number>,
    #[serde(default)]
    pub(super) reason: Reasons,
    #[serde(default)]
    pub(super) object: BTreeMap<Name, ObjectEntry>,
    #[serde(default)]
    pub(super) access: BTreeMap<Name, AccessEntry>,
    #[serde(default)]
    pub(super) argument: BTreeMap<Name, ArgumentEntry>,
    #[serde(default, rename = "loop")]
    pub(super) loops: BTreeMap<Name, LoopEntry>,
}

/// An entry of a buffer.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObjectEntry {
    pub(super) cache_bytes: Option<Number>,
    pub(super) latency: Option<Number>,
    pub(super) bank: Option<Number>,
    pub(super) memory: Option<Name>,
    pub(super) copy_bytes: Option<Number>,
    #[serde(default)]
    pub(super) reason: Reasons,
}

/// An entry of an access.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AccessEntry {
    pub(super) memory: Option<Name>,
    pub(super) latency: Option<Number>,
    #[serde(default)]
    pub(super) reason: Reasons,
}

/// An entry of a loop.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoopEntry {
    pub(super) way: Option<Name>,
    pub(super) coalesce: Option<bool>,
    pub(super) unroll: Option<Factor>,
    #[serde(default)]
    pub(super) reason: Reasons,
}

/// An entry of an argument.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArgumentEntry {
    pub(super) bits: Option<Number>,
    #[serde(default)]
    pub(super) reason: Reasons,
}

/// An entry of a pipe.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PipeEntry {
    #[allow(
        dead_code,
        reason = "programs have no pipes yet, so that every such entry is refused"
    )]
    pub(super) depth: Option<Number>,
}

/// Why entries of a table are what they are, by their keys.
pub(super) type Reasons = BTreeMap<Name, String>;

/// A word of the file, and where it is.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Spanned<String>")]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

/// A number of the file, and where it is.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Spanned<i64>")]
pub(super) struct Number {
    pub(super) value: i64,
    pub(super) span: Range<usize>,
}

/// A number or a word of the file, and where it is.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "Spanned<NumberOrWord>")]
pub(super) struct Factor {
    pub(super) what: NumberOrWord,
    pub(super) span: Range<usize>,
}

/// A number or a word.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a whole number or a word")]
pub(super) enum NumberOrWord {
    Number(i64),
    Word(String),
}

impl From<Spanned<NumberOrWord>> for Factor {
    fn from(spanned: Spanned<NumberOrWord>) -> Factor {
        let span = spanned.span();
        let what = spanned.into_inner();
        Factor { what, span }
    }
}

impl From<u64> for Factor {
    fn from(value: u64) -> Factor {
        let what = NumberOrWord::Number(value as i64);
        Factor { what, span: 0..0 }
    }
}

impl PartialEq for Factor {
    fn eq(&self, other: &Factor) -> bool {
        self.what == other.what
    }
}

impl Eq for Factor {}

impl From<Spanned<String>> for Name {
    fn from(spanned: Spanned<String>) -> Name {
        let span = spanned.span();
        let text = spanned.into_inner();
        Name { text, span }
    }
}

impl From<Spanned<i64>> for Number {
    fn from(spanned: Spanned<i64>) -> Number {
        Number {
            value: *spanned.get_ref(),
            span: spanned.span(),
        }
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        let text = text.to_owned();
        Name { text, span: 0..0 }
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Number {
        let value = value as i64;
        Number { value, span: 0..0 }
    }
}

/// Names are the same if they say the same, wherever they are.
impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        self.text == other.text
    }
}

impl Eq for Name {}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> std::cmp::Ordering {
        self.text.cmp(&other.text)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        self.value == other.value
    }
}

impl Eq for Number {}

/// Why a plan is refused, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanMistake {
    /// What is wrong.
    pub message: String,
    /// Where in the file, in bytes.
    pub span: Option<Range<usize>>,
    /// What is allowed, and why.
    pub help: String,
}

impl PlanMistake {
    pub(super) fn new(
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> PlanMistake {
        PlanMistake {
            message: message.into(),
            span: Some(span.clone()),
            help: help.into(),
        }
    }
}

impl PlanFile {
    /// Reads the text of a plan.
    pub fn parse(text: &str) -> Result<PlanFile, PlanMistake> {
        toml::from_str(text).map_err(|error| PlanMistake {
            message: error
                .message()
                .trim()
                .replace(" as i128", "")
                .replace("expected i64", "expected a whole number"),
            span: error.span(),
            help: "docs/plans.md lists the entries; `sluice plan` prints a plan to begin with"
                .into(),
        })
    }

    /// Reads a plan file.
    pub fn read(path: &Path) -> Result<PlanFile, Failure> {
        let text = read_text(path)?;
        let name = path.display().to_string();
        let read = PlanFile::parse(&text);
        let source = Some((name, text));
        match read {
            Ok(file) => Ok(PlanFile { source, ..file }),
            Err(mistake) => Err(PlanFile {
                source,
                ..PlanFile::default()
            }
            .failure(mistake)),
        }
    }

    /// The report of a mistake, with its place in the file.
    pub(crate) fn failure(&self, mistake: PlanMistake) -> Failure {
        let (name, text) = self.source.clone().unwrap_or_default();
        Failure::Plan(Box::new(FileReport {
            message: mistake.message,
            at: mistake.span.map(Into::into),
            source_code: NamedSource::new(name, text),
            help: mistake.help,
        }))
    }

    /// A mistake in one line, with its place in the file: for logs.
    pub fn log(&self, mistake: &PlanMistake) -> String {
        self.failure(mistake.clone()).in_one_line()
    }

    /// The bitstreams: their names and the names of their kernels.
    pub fn bitstreams(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        self.bitstream.iter().map(|(name, entry)| {
            let kernels = entry.kernels.iter().map(|it| it.text.as_str());
            (name.text.as_str(), kernels.collect())
        })
    }
}
