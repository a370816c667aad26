//! OpenCL C's names of scalar and vector types: `uchar`, `float4`.

use std::fmt;

use crate::ir::{Element, Scalar};

const SCALARS: [(Scalar, &str); 11] = [
    (Scalar::Signed(8), "char"),
    (Scalar::Unsigned(8), "uchar"),
    (Scalar::Signed(16), "short"),
    (Scalar::Unsigned(16), "ushort"),
    (Scalar::Signed(32), "int"),
    (Scalar::Unsigned(32), "uint"),
    (Scalar::Signed(64), "long"),
    (Scalar::Unsigned(64), "ulong"),
    (Scalar::Half, "half"),
    (Scalar::Float, "float"),
    (Scalar::Double, "double"),
];

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (SCALARS.iter().find(|(scalar, _)| scalar == self), self) {
            (Some((_, name)), _) => f.write_str(name),
            // OpenCL C has no such type and the parser no name for it: this shows what is wrong.
            (None, scalar) => write!(f, "{scalar:?}"),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lanes {
            1 => self.scalar.fmt(f),
            lanes => write!(f, "{}{lanes}", self.scalar),
        }
    }
}

/// The type with this name; any number of lanes.
pub(super) fn element_from_name(name: &str) -> Option<Element> {
    let scalar = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let lanes = match &name[scalar.len()..] {
        "" => 1,
        digits => digits.parse().ok()?,
    };
    let (scalar, _) = SCALARS.iter().find(|(_, known)| *known == scalar)?;
    Some(Element {
        scalar: *scalar,
        lanes,
    })
}
