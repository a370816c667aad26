//! A container for bytes that are stored or exchanged between processes: bytes of another format or version, truncated
//! and altered ones are detected and refused before their contents are read.
//!
//! An envelope is eight bytes of magic, the format's version (4), the length of everything (8), fields of eight
//! bytes of length and their contents, and a checksum (16) over all before it; numbers are little-endian.

use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

/// The kind of contents.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    /// The magic number.
    pub magic: [u8; 8],
    /// The version of the contents' format.
    pub version: u32,
}

/// Why bytes are refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Damage {
    /// The magic number differs.
    #[error("they are of another kind")]
    Foreign,
    /// The version differs.
    #[error("they are of version {found}, and this Sluice reads version {expected}")]
    Version {
        /// The version in the header.
        found: u32,
        /// The version that this build reads.
        expected: u32,
    },
    /// The length differs.
    #[error("{found} bytes of {expected}")]
    Length {
        /// The number of bytes.
        found: u64,
        /// The number of bytes according to the header.
        expected: u64,
    },
    /// The checksum differs.
    #[error("their checksum is another")]
    Altered,
    /// The envelope is intact, but its fields are not those that Sluice writes.
    #[error("their contents have another form")]
    Form,
}

const LENGTH_AT: usize = 12;
const HEADER: usize = 20;
const CHECKSUM: usize = 16;

impl Envelope {
    /// Begins to write.
    pub fn write(self) -> Writer {
        let mut bytes = self.magic.to_vec();
        bytes.extend(self.version.to_le_bytes());
        bytes.extend(0u64.to_le_bytes());
        Writer { bytes }
    }

    /// Begins to read, if the bytes are intact.
    pub fn read(self, bytes: &[u8]) -> Result<Reader<'_>, Damage> {
        if bytes.get(..8) != Some(&self.magic[..]) {
            return Err(Damage::Foreign);
        }
        let mut header = Reader { rest: &bytes[8..] };
        let cut_off = |_| Damage::Length {
            found: bytes.len() as u64,
            expected: (HEADER + CHECKSUM) as u64,
        };
        let found = u32::from_le_bytes(header.array().map_err(cut_off)?);
        if found != self.version {
            let expected = self.version;
            return Err(Damage::Version { found, expected });
        }
        let expected = u64::from_le_bytes(header.array().map_err(cut_off)?);
        if bytes.len() as u64 != expected {
            let found = bytes.len() as u64;
            return Err(Damage::Length { found, expected });
        }
        let (rest, checksum) = header
            .rest
            .split_last_chunk::<CHECKSUM>()
            .ok_or(Damage::Form)?;
        if checksum_of(&bytes[..bytes.len() - CHECKSUM]) != *checksum {
            return Err(Damage::Altered);
        }
        Ok(Reader { rest })
    }
}

fn checksum_of(bytes: &[u8]) -> [u8; CHECKSUM] {
    xxh3_128(bytes).to_le_bytes()
}

/// An envelope that is being filled.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Adds a field of bytes.
    #[must_use]
    pub fn bytes(mut self, field: &[u8]) -> Writer {
        self.bytes.extend((field.len() as u64).to_le_bytes());
        self.bytes.extend(field);
        self
    }

    /// Adds a field of text.
    #[must_use]
    pub fn text(self, field: &str) -> Writer {
        self.bytes(field.as_bytes())
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: u32) -> Writer {
        self.bytes.extend(number.to_le_bytes());
        self
    }

    /// Adds a list of texts.
    #[must_use]
    pub fn texts(self, texts: impl ExactSizeIterator<Item = impl AsRef<str>>) -> Writer {
        let count = u32::try_from(texts.len()).expect("lists are of what a program has");
        texts.fold(self.number(count), |writer, text| {
            writer.text(text.as_ref())
        })
    }

    /// The finished bytes.
    pub fn seal(mut self) -> Vec<u8> {
        let length = (self.bytes.len() + CHECKSUM) as u64;
        self.bytes[LENGTH_AT..HEADER].copy_from_slice(&length.to_le_bytes());
        let checksum = checksum_of(&self.bytes);
        self.bytes.extend(checksum);
        self.bytes
    }
}

/// An envelope that is being read, field by field in the order of writing.
#[derive(Debug)]
pub struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (array, rest) = self.rest.split_first_chunk().ok_or(Damage::Form)?;
        self.rest = rest;
        Ok(*array)
    }

    /// The next field, of bytes.
    pub fn bytes(&mut self) -> Result<&'b [u8], Damage> {
        let length = u64::from_le_bytes(self.array()?);
        let length = usize::try_from(length).map_err(|_| Damage::Form)?;
        let (field, rest) = self.rest.split_at_checked(length).ok_or(Damage::Form)?;
        self.rest = rest;
        Ok(field)
    }

    /// The next field, of text.
    pub fn text(&mut self) -> Result<&'b str, Damage> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Damage::Form)
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u32, Damage> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// The next list of texts.
    pub fn texts(&mut self) -> Result<Vec<&'b str>, Damage> {
        (0..self.number()?).map(|_| self.text()).collect()
    }

    /// Checks that no bytes are left.
    pub fn end(self) -> Result<(), Damage> {
        match self.rest {
            [] => Ok(()),
            [..] => Err(Damage::Form),
        }
    }
}
