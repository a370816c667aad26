//! `printf` of OpenCL C: the conversions of C99 and vectors, `%v4hlf`.
//!
//! Widths and precisions are cut at 65535, more than C requires; a conversion without an argument
//! or of a kind that does not exist is printed as it is written. Strings at the null pointer are
//! `(null)`.

use crate::{ir::Type, semantics::signed};

mod float;

/// A scalar argument: its type and bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintfArgument {
    /// Its type.
    pub ty: Type,
    /// Its bits; those above the type's width are zero.
    pub bits: u64,
}

/// Formats the arguments, vectors given lane by lane. `string` gives the bytes that a pointer
/// argument of `%s` leads to.
pub fn format_printf(
    format: &str,
    args: &[PrintfArgument],
    string: impl Fn(u64) -> Vec<u8>,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut args = args.iter().copied();
    let mut rest = format.as_bytes();
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with(b"%%") {
            out.push(b'%');
            rest = &rest[2..];
            continue;
        }
        let (spec, len) = Spec::parse(rest, &mut args);
        let text = spec.and_then(|spec| spec.print(&mut args, &string));
        out.extend_from_slice(text.as_deref().unwrap_or(&rest[..len]));
        rest = &rest[len..];
    }
    out.extend_from_slice(rest);
    out
}

/// A conversion specification.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Number of vector elements.
    vector: Option<usize>,
    length: Length,
    conversion: u8,
}

/// Length modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Length {
    #[default]
    None,
    /// `hh`: 8 bits.
    Char,
    /// `h`: 16 bits.
    Short,
    /// `hl`: 32 bits, of vectors only.
    Int,
    /// `l` and, as in C, `ll`, `j`, `z` and `t`: 64 bits.
    Long,
}

impl Spec {
    /// Parses a specification from its `%` on; also gives its length.
    fn parse(
        text: &[u8],
        args: &mut impl Iterator<Item = PrintfArgument>,
    ) -> (Option<Spec>, usize) {
        let mut scan = Scan { text, at: 1 };
        let mut spec = Spec::default();
        while let Some(flag) = scan.next_if(|byte| b"-+ #0".contains(&byte)) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                _ => spec.zero = true,
            }
        }
        match scan.number(args) {
            Some(width) if width < 0 => {
                spec.left = true;
                spec.width = width.unsigned_abs() as usize;
            }
            width => spec.width = width.unwrap_or(0) as usize,
        }
        if scan.eat(b".") {
            // A negative precision counts as none, a missing one as zero.
            spec.precision = usize::try_from(scan.number(args).unwrap_or(0)).ok();
        }
        if scan.eat(b"v") {
            spec.vector = scan.number(args).map(|lanes| lanes.clamp(0, 16) as usize);
        }
        spec.length = match () {
            () if scan.eat(b"hh") => Length::Char,
            () if scan.eat(b"hl") => Length::Int,
            () if scan.eat(b"h") => Length::Short,
            () if scan.eat(b"ll") => Length::Long,
            () if scan.next_if(|byte| b"ljzt".contains(&byte)).is_some() => Length::Long,
            () => Length::None,
        };
        match scan.next_if(|byte| b"diouxXfFeEgGaAcsp".contains(&byte)) {
            Some(conversion) => spec.conversion = conversion,
            None => return (None, scan.at),
        }
        (Some(spec), scan.at)
    }

    /// Converts the next argument or vector of arguments; `None` if they run out or do not fit.
    fn print(
        &self,
        args: &mut impl Iterator<Item = PrintfArgument>,
        string: &impl Fn(u64) -> Vec<u8>,
    ) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for lane in 0..self.vector.unwrap_or(1) {
            if lane > 0 {
                out.push(b',');
            }
            out.extend(self.print_scalar(args.next()?, string)?);
        }
        Some(out)
    }

    fn print_scalar(
        &self,
        arg: PrintfArgument,
        string: &impl Fn(u64) -> Vec<u8>,
    ) -> Option<Vec<u8>> {
        let is_float = arg.ty.is_float();
        match self.conversion {
            b'c' if !is_float => Some(self.pad(&[], &[], &[arg.bits as u8], Zeros::No)),
            b's' if !is_float => {
                let mut bytes = match arg.bits {
                    0 => b"(null)".to_vec(),
                    address => string(address),
                };
                bytes.truncate(self.precision.unwrap_or(usize::MAX));
                Some(self.pad(&[], &[], &bytes, Zeros::No))
            }
            b'p' if !is_float => {
                let text = format!("{:x}", arg.bits);
                Some(self.pad(&[], b"0x", text.as_bytes(), Zeros::No))
            }
            b'd' | b'i' if !is_float => Some(self.print_signed(arg)),
            b'o' | b'u' | b'x' | b'X' if !is_float => Some(self.print_unsigned(arg)),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' if is_float => {
                Some(self.print_float(arg))
            }
            _ => None,
        }
    }

    /// The width that an integer conversion reads its argument with.
    fn integer_type(&self, arg: PrintfArgument) -> Type {
        let bits = match self.length {
            Length::None if self.vector.is_some() => 64,
            Length::None | Length::Int => 32,
            Length::Char => 8,
            Length::Short => 16,
            Length::Long => 64,
        };
        Type::Int(bits.min(arg.ty.bits() as u8))
    }

    fn print_signed(&self, arg: PrintfArgument) -> Vec<u8> {
        let ty = self.integer_type(arg);
        let value = signed(ty, arg.bits & ty.mask());
        let digits = self.digits(value.unsigned_abs().to_string());
        self.pad(
            self.sign(value < 0),
            b"",
            digits.as_bytes(),
            self.integer_zeros(),
        )
    }

    fn print_unsigned(&self, arg: PrintfArgument) -> Vec<u8> {
        let value = arg.bits & self.integer_type(arg).mask();
        let digits = match self.conversion {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            _ => value.to_string(),
        };
        let mut digits = self.digits(digits);
        let prefix: &[u8] = match self.conversion {
            b'x' if self.alternate && value != 0 => b"0x",
            b'X' if self.alternate && value != 0 => b"0X",
            _ => b"",
        };
        if self.conversion == b'o' && self.alternate && !digits.starts_with('0') {
            digits.insert(0, '0');
        }
        self.pad(b"", prefix, digits.as_bytes(), self.integer_zeros())
    }

    /// At least as many digits as the precision asks for; none for zero with precision zero.
    fn digits(&self, digits: String) -> String {
        match self.precision {
            Some(0) if digits == "0" => String::new(),
            Some(least) => format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len()))),
            None => digits,
        }
    }

    /// A precision makes integers ignore the flag `0`.
    fn integer_zeros(&self) -> Zeros {
        if self.zero && self.precision.is_none() {
            Zeros::Yes
        } else {
            Zeros::No
        }
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match () {
            () if negative => b"-",
            () if self.plus => b"+",
            () if self.space => b" ",
            () => b"",
        }
    }

    /// Sign, prefix and digits, brought to the width.
    fn pad(&self, sign: &[u8], prefix: &[u8], digits: &[u8], zeros: Zeros) -> Vec<u8> {
        let len = sign.len() + prefix.len() + digits.len();
        let missing = self.width.saturating_sub(len);
        let (before, inside, after) = match zeros {
            _ if self.left => (0, 0, missing),
            Zeros::Yes => (0, missing, 0),
            Zeros::No => (missing, 0, 0),
        };
        let mut out = vec![b' '; before];
        out.extend_from_slice(sign);
        out.extend_from_slice(prefix);
        out.resize(out.len() + inside, b'0');
        out.extend_from_slice(digits);
        out.resize(out.len() + after, b' ');
        out
    }
}

/// Whether zeros fill the width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    Yes,
    No,
}

/// A position in a format.
struct Scan<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn next_if(&mut self, accept: impl Fn(u8) -> bool) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        accept(byte).then(|| {
            self.at += 1;
            byte
        })
    }

    fn eat(&mut self, word: &[u8]) -> bool {
        let found = self.text[self.at..].starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// A number, or an argument for `*`.
    fn number(&mut self, args: &mut impl Iterator<Item = PrintfArgument>) -> Option<i64> {
        if self.eat(b"*") {
            let arg = args.next()?;
            return Some((arg.bits as i32).clamp(-65535, 65535).into());
        }
        let mut number = None;
        while let Some(digit) = self.next_if(|byte| byte.is_ascii_digit()) {
            let value: i64 = number.unwrap_or(0) * 10 + i64::from(digit - b'0');
            number = Some(value.min(65535));
        }
        number
    }
}
