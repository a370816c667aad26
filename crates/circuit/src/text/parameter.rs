//! How parameters of units and operators are written, declared once for both directions.

use super::cursor::Cursor;
use super::lex::ParseError;
use crate::unit::Fields;

/// What units and operators have in the text form: a word, and parameters behind it.
pub trait Declared {
    /// The word: the name of the file that declares it.
    fn word(&self) -> &'static str;

    /// Appends the parameters.
    fn print_parameters(&self, out: &mut String);
}

/// Something that can stand among parameters.
pub(crate) trait Parameter {
    /// Appends it.
    fn print(&self, out: &mut String);

    /// Reads what [`Parameter::print`] writes.
    fn parse(cursor: &mut Cursor<'_>) -> Result<Self, ParseError>
    where
        Self: Sized;
}

impl Parameter for u32 {
    fn print(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<u32, ParseError> {
        cursor.number("a number of at most 32 bits")
    }
}

impl Parameter for u64 {
    fn print(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<u64, ParseError> {
        cursor.number("a number of at most 64 bits")
    }
}

impl Parameter for usize {
    fn print(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<usize, ParseError> {
        let number = cursor.number::<u32>("a number of at most 32 bits")?;
        Ok(number as usize)
    }
}

/// Rust's shortest form, which is exact.
impl Parameter for f64 {
    fn print(&self, out: &mut String) {
        out.push_str(&format!("{self:?}"));
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<f64, ParseError> {
        cursor.number("a number")
    }
}

/// A name.
impl Parameter for String {
    fn print(&self, out: &mut String) {
        out.push_str(&word(self));
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<String, ParseError> {
        cursor.name("a name")
    }
}

/// Bytes have a form of their own, so they are no list.
impl Parameter for Vec<u8> {
    fn print(&self, out: &mut String) {
        out.push_str("x\"");
        self.iter()
            .for_each(|byte| out.push_str(&format!("{byte:02x}")));
        out.push('"');
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, ParseError> {
        cursor.bytes("bytes such as `x\"00ff\"`")
    }
}

/// Things of which there are lists.
pub(crate) trait Listed: Parameter {}

impl Listed for u32 {}
impl Listed for usize {}
impl Listed for Fields {}
impl<T: Listed> Listed for Vec<T> {}

impl<T: Listed> Parameter for Vec<T> {
    fn print(&self, out: &mut String) {
        out.push('[');
        for (at, item) in self.iter().enumerate() {
            out.push_str(if at > 0 { ", " } else { "" });
            item.print(out);
        }
        out.push(']');
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        cursor.punct('[')?;
        while !cursor.eat(']') {
            if !items.is_empty() {
                cursor.punct(',')?;
            }
            items.push(T::parse(cursor)?);
        }
        Ok(items)
    }
}

impl Parameter for Fields {
    fn print(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<Fields, ParseError> {
        let pos = cursor.pos();
        let widths: Vec<usize> = Vec::parse(cursor)?;
        match widths.iter().find(|width| !(1..=64).contains(*width)) {
            None => Ok(Fields::new(widths.iter().map(|&width| width as u32))),
            Some(width) => Err(pos.error(format!("a field has 1 to 64 bits, not {width}"))),
        }
    }
}

/// A name as it is written: itself if it is a word, else a string.
pub(crate) fn word(name: &str) -> String {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    match starts && name.chars().all(is_inside) {
        true => name.into(),
        false => quoted(name),
    }
}

/// A string.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

/// Appends parameters with their names.
pub(crate) fn print_record(out: &mut String, fields: &[(&str, &dyn Parameter)]) {
    out.push('{');
    for (at, (name, value)) in fields.iter().enumerate() {
        out.push_str(if at > 0 { ", " } else { "" });
        out.push_str(name);
        out.push_str(": ");
        value.print(out);
    }
    out.push('}');
}

/// Parameters with their names, being read.
pub(crate) struct Record<'c, 's> {
    cursor: &'c mut Cursor<'s>,
    is_first: bool,
}

impl<'c, 's> Record<'c, 's> {
    pub(crate) fn open(cursor: &'c mut Cursor<'s>) -> Result<Record<'c, 's>, ParseError> {
        cursor.punct('{')?;
        let is_first = true;
        Ok(Record { cursor, is_first })
    }

    pub(crate) fn field<T: Parameter>(&mut self, name: &str) -> Result<T, ParseError> {
        if !std::mem::take(&mut self.is_first) {
            self.cursor.punct(',')?;
        }
        self.cursor.keyword(name)?;
        self.cursor.punct(':')?;
        T::parse(self.cursor)
    }

    pub(crate) fn close(self) -> Result<(), ParseError> {
        self.cursor.punct('}')
    }
}

/// Says how a struct's fields are written: all of them, in this order.
macro_rules! record {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl $crate::text::Parameter for $type {
            fn print(&self, out: &mut String) {
                $crate::text::print_record(out, &[$((stringify!($field), &self.$field)),*]);
            }

            fn parse(
                cursor: &mut $crate::text::Cursor<'_>,
            ) -> Result<Self, $crate::text::ParseError> {
                #[allow(unused_mut, reason = "there may be no field")]
                let mut record = $crate::text::Record::open(cursor)?;
                $(let $field = record.field(stringify!($field))?;)*
                record.close()?;
                Ok($type { $($field),* })
            }
        }
    };
}

/// Says which word stands for each variant of an enum.
macro_rules! choices {
    ($type:ident { $($variant:ident $(($($inner:tt)*))? $({ $($field:ident),* })? = $word:literal),* $(,)? }) => {
        impl $crate::text::Parameter for $type {
            fn print(&self, out: &mut String) {
                match self {
                    $($type::$variant $(($($inner)*))? $({ $($field),* })? => {
                        out.push_str($word);
                        $(
                            out.push(' ');
                            $crate::text::print_record(out, &[$((stringify!($field), $field)),*]);
                        )?
                    })*
                }
            }

            fn parse(
                cursor: &mut $crate::text::Cursor<'_>,
            ) -> Result<Self, $crate::text::ParseError> {
                let words = [$($word),*];
                let what = format!("one of {}", words.join(", "));
                match cursor.word(&what, |word| words.iter().find(|&&known| known == word))? {
                    $(&$word => {
                        $(
                            let mut record = $crate::text::Record::open(cursor)?;
                            $(let $field = record.field(stringify!($field))?;)*
                            record.close()?;
                        )?
                        Ok($type::$variant $(($($inner)*))? $({ $($field),* })?)
                    })*
                    _ => unreachable!("it is one of the words"),
                }
            }
        }
    };
}

/// Registers a type whose parameters can be written, of a file that declares a unit or operator.
macro_rules! declared {
    ($trait:ident $type:ident) => {
        impl $crate::text::Declared for $type {
            fn word(&self) -> &'static str {
                let (_, file) = module_path!()
                    .rsplit_once("::")
                    .expect("a module has a path");
                file
            }

            fn print_parameters(&self, out: &mut String) {
                $crate::text::Parameter::print(self, out);
            }
        }

        /// Reads the parameters.
        pub(crate) fn parse(
            cursor: &mut $crate::text::Cursor<'_>,
        ) -> Result<Box<dyn $trait>, $crate::text::ParseError> {
            let pos = cursor.pos();
            let kind = <$type as $crate::text::Parameter>::parse(cursor)?;
            kind.check().map_err(|why| pos.error(why))?;
            Ok(Box::new(kind))
        }
    };
}

/// Says how a unit's or operator's parameters are written: all of them, in this order.
macro_rules! parameters {
    ($trait:ident $type:ident { $($field:ident),* $(,)? }) => {
        $crate::text::record! { $type { $($field),* } }
        $crate::text::declared! { $trait $type }
    };
}

pub(crate) use {choices, declared, parameters, record};
