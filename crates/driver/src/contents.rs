//! The contents of buffers as the command line describes them: `iota:16`, `rand:64:7`, ...

use std::io::ErrorKind;
use std::path::Path;

use sluice_kernel::ir::{Pointee, Scalar, Type};
use sluice_kernel::semantics;

use crate::element::{as_element, parse_scalar};
use crate::files::read_bytes;

/// What is wrong with an argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mistake {
    /// How it is written.
    Form(String),
    /// How large it is.
    Size(String),
}

impl From<String> for Mistake {
    fn from(message: String) -> Mistake {
        Mistake::Form(message)
    }
}

impl From<&str> for Mistake {
    fn from(message: &str) -> Mistake {
        Mistake::Form(message.into())
    }
}

/// The memory that is left for buffers.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    /// Bytes that are left.
    pub(crate) bytes: u64,
    /// What there is in all, and whose it is: a part of a sentence.
    pub(crate) limit: String,
}

impl Room {
    /// The bytes of `count` elements, if there is room for them.
    pub(crate) fn bytes_of(&self, pointee: Pointee, count: &str) -> Result<usize, Mistake> {
        let number: u64 = count
            .parse()
            .map_err(|_| format!("`{count}` is not a number of elements"))?;
        let size = u64::from(pointee.bytes());
        if size == 0 {
            return Err("the size of its elements is not known: give file: or words:".into());
        }
        let bytes = number
            .checked_mul(size)
            .filter(|&bytes| bytes <= self.bytes);
        let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
        bytes.ok_or_else(|| {
            let needed = u128::from(number) * u128::from(size);
            let limit = &self.limit;
            Mistake::Size(format!(
                "{number} elements need {needed} bytes, and {limit}"
            ))
        })
    }
}

/// The bytes that a buffer argument describes.
pub(crate) fn contents(
    pointee: Pointee,
    kind: &str,
    rest: &str,
    room: &Room,
) -> Result<Vec<u8>, Mistake> {
    let scalar = as_element(pointee).scalar;
    match kind {
        "file" => read_file(rest, room),
        "words" => Ok(word_bytes(rest)?),
        "values" => {
            let values: Result<Vec<u64>, String> = rest
                .split(',')
                .map(|value| parse_scalar(scalar, value))
                .collect();
            let values = values?;
            let lanes = usize::from(as_element(pointee).lanes);
            if !values.len().is_multiple_of(lanes) {
                return Err(
                    format!("{} values do not fill elements of {lanes}", values.len()).into(),
                );
            }
            let mut values = values.into_iter();
            let count = values.len() / lanes;
            Ok(elements(pointee, count, || {
                values.next().unwrap_or_default()
            }))
        }
        "zero" => Ok(vec![0; room.bytes_of(pointee, rest)?]),
        "iota" => {
            let mut next = 0_u64;
            Ok(elements(pointee, count(pointee, rest, room)?, || {
                next += 1;
                from_integer(scalar, i128::from(next - 1))
            }))
        }
        "fill" => {
            let (number, value) = rest.split_once(':').ok_or("fill is written fill:N:V")?;
            let value = parse_scalar(scalar, value)?;
            Ok(elements(pointee, count(pointee, number, room)?, || value))
        }
        "rand" => random(pointee, rest, room),
        _ => Err(format!("`{kind}:` is no kind of buffer").into()),
    }
}

/// A number of elements, if there is room for them.
fn count(pointee: Pointee, text: &str, room: &Room) -> Result<usize, Mistake> {
    Ok(room.bytes_of(pointee, text)? / pointee.bytes() as usize)
}

/// The bytes of a file, if there is room for them.
pub(crate) fn read_file(path: &str, room: &Room) -> Result<Vec<u8>, Mistake> {
    read_bytes(Path::new(path), room.bytes).map_err(|error| match error.kind() {
        ErrorKind::FileTooLarge => {
            Mistake::Size(format!("cannot read {path}: {error}, and {}", room.limit))
        }
        _ => format!("cannot read {path}: {error}").into(),
    })
}

pub(crate) fn word_bytes(words: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for word in words.split(',') {
        let word = parse_scalar(Scalar::Unsigned(32), word)
            .or_else(|_| parse_scalar(Scalar::Signed(32), word))
            .map_err(|_| format!("`{word}` is not a 32-bit word"))?;
        bytes.extend_from_slice(&(word as u32).to_le_bytes());
    }
    Ok(bytes)
}

/// `count` elements of components that `next` gives, three-component vectors padded.
fn elements(pointee: Pointee, count: usize, mut next: impl FnMut() -> u64) -> Vec<u8> {
    // A struct is initialised as the words that it is made of.
    let (element, count) = match pointee {
        Pointee::Element(element) => (element, count),
        Pointee::Opaque(size) => (as_element(pointee), count * size as usize / 4),
    };
    let lane = element.scalar.bytes() as usize;
    let mut bytes = Vec::with_capacity(count * element.bytes() as usize);
    for index in 0..count {
        for _ in 0..element.lanes {
            bytes.extend_from_slice(&next().to_le_bytes()[..lane]);
        }
        bytes.resize((index + 1) * element.bytes() as usize, 0);
    }
    bytes
}

fn from_integer(scalar: Scalar, value: i128) -> u64 {
    match scalar {
        Scalar::Signed(_) | Scalar::Unsigned(_) => value as u64 & scalar.ty().mask(),
        Scalar::Half => semantics::from_f64(Type::F16, value as f64),
        Scalar::Float => (value as f32).to_bits().into(),
        Scalar::Double => (value as f64).to_bits(),
    }
}

fn random(pointee: Pointee, rest: &str, room: &Room) -> Result<Vec<u8>, Mistake> {
    let scalar = as_element(pointee).scalar;
    let fields: Vec<&str> = rest.split(':').collect();
    let (number, seed, range) = match fields[..] {
        [count] => (count, "1", None),
        [count, seed] => (count, seed, None),
        [count, seed, low, high] => (count, seed, Some((low, high))),
        _ => return Err("rand is written rand:N[:SEED[:LO:HI]]".into()),
    };
    let seed = seed
        .parse()
        .map_err(|_| format!("`{seed}` is not a seed"))?;
    let mut random = SplitMix64(seed);
    let draw = Draw::new(scalar, range)?;
    Ok(elements(pointee, count(pointee, number, room)?, || {
        draw.from(random.next())
    }))
}

/// How a random component is made of 64 random bits.
enum Draw {
    Bits(u64),
    Integers { low: i128, span: i128, mask: u64 },
    Reals { scalar: Scalar, low: f64, span: f64 },
}

impl Draw {
    fn new(scalar: Scalar, range: Option<(&str, &str)>) -> Result<Draw, String> {
        let number = |text: &str| {
            text.parse()
                .map_err(|_| format!("`{text}` is not a number"))
        };
        match (scalar, range) {
            (Scalar::Signed(_) | Scalar::Unsigned(_), None) => Ok(Draw::Bits(scalar.ty().mask())),
            (Scalar::Signed(_) | Scalar::Unsigned(_), Some((low, high))) => {
                let bound = |text: &str| {
                    text.parse::<i128>()
                        .map_err(|_| format!("`{text}` is not an integer"))
                };
                let (low, high) = (bound(low)?, bound(high)?);
                if low > high {
                    return Err(format!("{low}:{high} is an empty range"));
                }
                let span = high.checked_sub(low).and_then(|it| it.checked_add(1));
                Ok(Draw::Integers {
                    low,
                    span: span.ok_or_else(|| format!("{low}:{high} is too wide a range"))?,
                    mask: scalar.ty().mask(),
                })
            }
            (Scalar::Half | Scalar::Float | Scalar::Double, range) => {
                let (low, high) = range.unwrap_or(("0", "1"));
                let (low, high): (f64, f64) = (number(low)?, number(high)?);
                Ok(Draw::Reals {
                    scalar,
                    low,
                    span: high - low,
                })
            }
        }
    }

    fn from(&self, bits: u64) -> u64 {
        match *self {
            Draw::Bits(mask) => bits & mask,
            Draw::Integers { low, span, mask } => (low + i128::from(bits) % span) as u64 & mask,
            Draw::Reals { scalar, low, span } => {
                let unit = match scalar {
                    Scalar::Double => (bits >> 11) as f64 / (1_u64 << 53) as f64,
                    _ => (bits >> 40) as f64 / (1_u64 << 24) as f64,
                };
                semantics::from_f64(scalar.ty(), low + unit * span)
            }
        }
    }
}

/// The generator behind `rand:`: the same numbers everywhere and for ever.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use sluice_kernel::ir::Element;

    use super::*;
    use crate::element::format_elements;

    fn shown(scalar: Scalar, lanes: u8, text: &str) -> String {
        let pointee = Pointee::Element(Element { scalar, lanes });
        let (kind, rest) = text.split_once(':').expect("a kind and a rest");
        let room = Room {
            bytes: 1 << 20,
            limit: "there are 1048576".into(),
        };
        match contents(pointee, kind, rest, &room) {
            Ok(bytes) => format_elements(pointee, &bytes).join(" "),
            Err(Mistake::Form(message) | Mistake::Size(message)) => message,
        }
    }

    #[test]
    fn every_kind_of_contents() {
        let int = Scalar::Signed(32);
        assert_eq!(shown(int, 1, "zero:3"), "0 0 0");
        assert_eq!(shown(int, 3, "iota:2"), "0 1 2 3 4 5");
        assert_eq!(shown(Scalar::Half, 1, "fill:2:0.5"), "0.5 0.5");
        assert_eq!(shown(int, 2, "values:1,-2,3,4"), "1 -2 3 4");
        assert_eq!(shown(int, 1, "words:4294967295,7"), "-1 7");
        assert_eq!(shown(int, 1, "rand:4:1:-2:2"), "-2 2 -2 -2");
        assert_eq!(shown(Scalar::Unsigned(8), 1, "rand:3"), "193 103 94");
        assert_eq!(
            shown(Scalar::Float, 1, "rand:2:7:1:3"),
            "1.7796594 1.0335765"
        );
    }

    #[test]
    fn wrong_contents_are_explained() {
        let int = Scalar::Signed(32);
        assert_eq!(shown(int, 1, "iota:x"), "`x` is not a number of elements");
        assert_eq!(
            shown(int, 2, "values:1,2,3"),
            "3 values do not fill elements of 2"
        );
        assert_eq!(shown(int, 1, "rand:1:1:5:4"), "5:4 is an empty range");
        assert_eq!(shown(int, 1, "ones:4"), "`ones:` is no kind of buffer");
        assert_eq!(shown(int, 1, "fill:4"), "fill is written fill:N:V");
        let wide = format!("rand:1:1:{}:{}", i128::MIN, i128::MAX);
        assert!(shown(int, 1, &wide).ends_with("is too wide a range"));
    }

    #[test]
    fn what_there_is_no_room_for_is_not_allocated() {
        let int = Scalar::Signed(32);
        for kind in ["zero:N", "iota:N", "fill:N:7", "rand:N", "rand:N:1:2:3"] {
            for count in ["262145", "4611686018427387905", "18446744073709551615"] {
                let message = shown(int, 1, &kind.replace('N', count));
                let start = format!("{count} elements need ");
                assert!(message.starts_with(&start), "{kind}: {message}");
                assert!(message.ends_with("and there are 1048576"), "{message}");
            }
        }
        assert_eq!(
            shown(int, 1, "file:/dev/zero"),
            "cannot read /dev/zero: it has more than 1048576 bytes, and there are 1048576"
        );
    }
}
