//! Program binaries: what `clGetProgramInfo` gives away, `sluice build` writes and the build cache keeps.

use sluice_frontend::Object;
use sluice_frontend::envelope::{Damage, Envelope};
use sluice_kernel::{Optimised, Program};
use thiserror::Error;

const ENVELOPE: Envelope = Envelope {
    magic: *b"\x89sluice\n",
    version: FORMAT,
};

/// The version of the format: kernel IR's text is part of it.
pub(super) const FORMAT: u32 = 1;

/// A program without its source.
#[derive(Clone, Debug, PartialEq)]
pub struct Binary {
    /// The board that it was built for.
    pub target: String,
    /// The datapaths that it was built for.
    pub datapaths: u32,
    /// The options that it was built with.
    pub options: String,
    /// What it is.
    pub contents: Contents,
}

/// How far a program has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Contents {
    /// A program.
    Executable(Program),
    /// A part.
    Object(Object),
    /// Parts to be linked to others.
    Library(Object),
}

/// Why bytes are no program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BinaryError {
    /// They are not whole.
    #[error("the bytes are no program of Sluice: {0}")]
    Damaged(#[from] Damage),
    /// They are whole, but the IR of a kernel is not.
    #[error("the program holds no kernel IR of this Sluice: {0}")]
    Ir(String),
}

const EXECUTABLE: u32 = 0;
const OBJECT: u32 = 1;
const LIBRARY: u32 = 2;

impl Binary {
    /// The program for another time.
    pub fn to_bytes(&self) -> Vec<u8> {
        let head = ENVELOPE.write().text(&self.target).number(self.datapaths);
        let head = head.text(&self.options);
        let whole = match &self.contents {
            Contents::Executable(program) => {
                let texts = program.kernels().iter().map(ToString::to_string);
                head.number(EXECUTABLE).texts(texts)
            }
            Contents::Object(object) => head.number(OBJECT).bytes(&object.to_bytes()),
            Contents::Library(object) => head.number(LIBRARY).bytes(&object.to_bytes()),
        };
        whole.seal()
    }

    /// The program that [`Binary::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Binary, BinaryError> {
        let mut fields = ENVELOPE.read(bytes)?;
        let target = fields.text()?.to_owned();
        let datapaths = fields.number()?;
        let options = fields.text()?.to_owned();
        let contents = match fields.number()? {
            EXECUTABLE => Contents::Executable(program(&fields.texts()?)?),
            OBJECT => Contents::Object(Object::from_bytes(fields.bytes()?)?),
            LIBRARY => Contents::Library(Object::from_bytes(fields.bytes()?)?),
            _ => return Err(Damage::Form.into()),
        };
        fields.end()?;
        Ok(Binary {
            target,
            datapaths,
            options,
            contents,
        })
    }
}

/// The program of these kernels, which were optimised before they were written.
fn program(texts: &[&str]) -> Result<Program, BinaryError> {
    let kernels = texts.iter().map(|text| Optimised::read(text));
    let kernels = kernels.collect::<Result<_, _>>();
    let kernels = kernels.map_err(|error| BinaryError::Ir(error.to_string()))?;
    Program::new(kernels).map_err(|error| BinaryError::Ir(error.to_string()))
}
