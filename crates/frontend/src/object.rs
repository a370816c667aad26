//! Objects: sources compiled separately, to be linked later, perhaps by another process.

use crate::choices::Choices;
use crate::clang;
use crate::diagnostics::Error;
use crate::diagnostics::Location;
use crate::envelope::{Damage, Envelope};
use crate::hints::{self, SourceHint};
use crate::kernels;
use crate::llvm::Session;
use crate::{Options, Source};

const ENVELOPE: Envelope = Envelope {
    magic: *b"\x89object\n",
    version: 3,
};

/// Where an object's bitcode comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitcodeOrigin {
    /// clang or LLVM, in this process.
    Compiler,
    /// A file or the host program: the checksum detects damage, not forgery.
    Unknown,
}

/// clang's output for a source, or for several that were linked.
#[derive(Clone, Debug)]
pub struct Object {
    /// The module, not optimised, with debug information.
    pub(crate) bitcode: Vec<u8>,
    pub(crate) origin: BitcodeOrigin,
    pub(crate) choices: Choices,
    /// The kernels in the order of the source: linking changes that of the module.
    pub(crate) kernels: Vec<String>,
    pub(crate) warnings: String,
    /// What the sources say about loops that clang does not know.
    pub(crate) hints: Vec<SourceHint>,
    /// The sources for messages, as far as this process has compiled them.
    pub(crate) sources: Vec<Source>,
}

/// Sources and origin do not count in comparisons.
impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        self.bitcode == other.bitcode
            && self.choices == other.choices
            && self.kernels == other.kernels
            && self.warnings == other.warnings
            && self.hints == other.hints
    }
}

impl Eq for Object {}

impl Object {
    /// The kernels that it defines, in the order of the source.
    pub fn kernels(&self) -> &[String] {
        &self.kernels
    }

    /// clang's warnings, as it wrote them.
    pub fn warnings(&self) -> &str {
        &self.warnings
    }

    /// The object as bytes that can be stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let choices = self.choices.to_number();
        let written = ENVELOPE.write().number(choices).text(&self.warnings);
        let written = written.texts(self.kernels.iter()).bytes(&self.bitcode);
        let count = u32::try_from(self.hints.len()).expect("sources have a size limit");
        let hints = self.hints.iter();
        let written = hints.fold(written.number(count), |written, hint| {
            let Location { file, line, column } = &hint.place;
            let place = written.text(file).number(*line).number(*column);
            place.text(&hint.directive)
        });
        written.seal()
    }

    /// The object that [`Object::to_bytes`] wrote. Its bitcode is not looked into before it is linked.
    pub fn from_bytes(bytes: &[u8]) -> Result<Object, Damage> {
        let mut fields = ENVELOPE.read(bytes)?;
        let choices = Choices::from_number(fields.number()?).ok_or(Damage::Form)?;
        let warnings = fields.text()?.to_owned();
        let kernels = fields.texts()?.into_iter().map(str::to_owned).collect();
        let bitcode = fields.bytes()?.to_vec();
        let mut hints = Vec::new();
        for _ in 0..fields.number()? {
            let place = Location {
                file: fields.text()?.to_owned(),
                line: fields.number()?,
                column: fields.number()?,
            };
            let directive = fields.text()?.to_owned();
            hints.push(SourceHint { place, directive });
        }
        fields.end()?;
        Ok(Object {
            bitcode,
            origin: BitcodeOrigin::Unknown,
            choices,
            kernels,
            warnings,
            hints,
            sources: Vec::new(),
        })
    }
}

/// Compiles `source` to be linked. The headers, each with the name by which it is included, come before those
/// on disk. What `options` say about kernels is for linking.
pub fn compile_object(
    source: &Source,
    headers: &[(String, String)],
    options: &Options,
) -> Result<Object, Error> {
    let object = run_clang(source, headers, options)?;
    let session = Session::new();
    let module = session
        .parse_bitcode(&object.bitcode)
        .map_err(Error::Object)?;
    Ok(Object {
        kernels: kernels::names(&module),
        ..object
    })
}

/// What clang makes of `source`: an object whose kernels are not listed yet.
pub(crate) fn run_clang(
    source: &Source,
    headers: &[(String, String)],
    options: &Options,
) -> Result<Object, Error> {
    let compiled = clang::compile(source, headers, options)?;
    let scanned = hints::scan(&source.name, &source.text);
    Ok(Object {
        kernels: Vec::new(),
        bitcode: compiled.bitcode,
        origin: BitcodeOrigin::Compiler,
        choices: compiled.choices,
        warnings: hints::without_hints(&compiled.warnings) + &scanned.warnings,
        hints: scanned.hints,
        sources: vec![source.clone()],
    })
}

/// The preprocessed text of `source`: with the same options, sources with the same preprocessed text compile to the
/// same object.
pub fn preprocess(
    source: &Source,
    headers: &[(String, String)],
    options: &Options,
) -> Result<String, Error> {
    clang::preprocess(source, headers, options)
}
