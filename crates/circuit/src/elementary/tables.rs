//! The tables of coefficients. Circuit and model share one file per table: the Verilog module that
//! the circuit contains is what the model reads. The example `make_tables` writes the files.

use std::sync::LazyLock;

use super::quadratic::{Quadratic, Row, Term};
use crate::arith::mask;
use crate::verilog::Source;

/// What a table approximates, over the argument that its index and the bits behind it make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// 2 to the power of x, for x in [0, 1).
    Exp2,
    /// 1 / (1 + x), for x in [0, 1).
    Recip,
    /// ln(m) / (m - 1): m is 1 + x while x is below 1/2, then (1 + x) / 2, for x in [0, 1).
    Log,
    /// log2(m) / (m - 1).
    Log2,
    /// log10(m) / (m - 1).
    Log10,
    /// While x is below 1/2, its cosine, then half the sine of x - 1/2 divided by that; angles are in
    /// quarter turns, for x in [0, 1).
    Trig,
    /// 1 / sqrt(m): the index's highest bit says whether m is 1 + x or 2 + 2 x, for x in [0, 1).
    Rsqrt,
}

/// A table.
#[derive(Debug)]
pub struct Table {
    /// The Verilog.
    pub source: Source,
    /// What it approximates.
    pub curve: Curve,
    /// The bits of the coefficients that are behind the point.
    pub point: u32,
    /// The widths.
    pub quadratic: Quadratic,
    rows: LazyLock<Vec<Row>>,
}

impl Table {
    /// The value at an argument, of index and further bits.
    #[inline(always)]
    pub fn at(&self, argument: u64) -> u64 {
        let quadratic = &self.quadratic;
        let row = self.rows[(argument >> quadratic.rest) as usize];
        quadratic.at(row, argument & mask(quadratic.rest))
    }
}

macro_rules! tables {
    ($($name:ident $source:ident $file:literal $curve:ident $point:literal: $quadratic:expr;)*) => {
        $(
            /// The Verilog of the table of that name.
            pub(crate) const $source: Source = Source {
                file: concat!("sluice_", $file, ".v"),
                text: include_str!(concat!("../operators/tables/", $file, ".v")),
            };

            /// The table of that name.
            pub static $name: Table = Table {
                source: $source,
                curve: Curve::$curve,
                point: $point,
                quadratic: $quadratic,
                rows: LazyLock::new(|| read($name.source.text, &$name.quadratic)),
            };
        )*

        /// All tables.
        pub static ALL: &[&Table] = &[$(&$name),*];
    };
}

tables! {
    EXP2_FULL EXP2_FULL_SOURCE "exp2_full" Exp2 28: Quadratic {
        index: 6, rest: 18, short: 15, c0: 29, c1: 23, c2: 15, outer: Term::Plus, inner: Term::Plus,
    };
    EXP2_NATIVE EXP2_NATIVE_SOURCE "exp2_native" Exp2 22: Quadratic {
        index: 5, rest: 17, short: 11, c0: 23, c1: 18, c2: 11, outer: Term::Plus, inner: Term::Plus,
    };
    RECIP_FULL RECIP_FULL_SOURCE "recip_full" Recip 28: Quadratic {
        index: 7, rest: 16, short: 15, c0: 29, c1: 22, c2: 15, outer: Term::Minus, inner: Term::Minus,
    };
    RECIP_NATIVE RECIP_NATIVE_SOURCE "recip_native" Recip 23: Quadratic {
        index: 6, rest: 17, short: 12, c0: 24, c1: 18, c2: 12, outer: Term::Minus, inner: Term::Minus,
    };
    RSQRT_FULL RSQRT_FULL_SOURCE "rsqrt_full" Rsqrt 28: Quadratic {
        index: 8, rest: 16, short: 13, c0: 29, c1: 21, c2: 13, outer: Term::Minus, inner: Term::Minus,
    };
    RSQRT_NATIVE RSQRT_NATIVE_SOURCE "rsqrt_native" Rsqrt 23: Quadratic {
        index: 6, rest: 18, short: 12, c0: 24, c1: 18, c2: 12, outer: Term::Minus, inner: Term::Minus,
    };
    LOG_FULL LOG_FULL_SOURCE "log_full" Log 30: Quadratic {
        index: 7, rest: 16, short: 15, c0: 31, c1: 22, c2: 15, outer: Term::Minus, inner: Term::Minus,
    };
    LOG_NATIVE LOG_NATIVE_SOURCE "log_native" Log 23: Quadratic {
        index: 5, rest: 18, short: 12, c0: 24, c1: 17, c2: 12, outer: Term::Minus, inner: Term::Minus,
    };
    LOG2_FULL LOG2_FULL_SOURCE "log2_full" Log2 30: Quadratic {
        index: 7, rest: 16, short: 15, c0: 31, c1: 23, c2: 15, outer: Term::Minus, inner: Term::Minus,
    };
    LOG2_NATIVE LOG2_NATIVE_SOURCE "log2_native" Log2 23: Quadratic {
        index: 5, rest: 18, short: 12, c0: 24, c1: 18, c2: 12, outer: Term::Minus, inner: Term::Minus,
    };
    LOG10_FULL LOG10_FULL_SOURCE "log10_full" Log10 31: Quadratic {
        index: 7, rest: 16, short: 15, c0: 30, c1: 22, c2: 15, outer: Term::Minus, inner: Term::Minus,
    };
    LOG10_NATIVE LOG10_NATIVE_SOURCE "log10_native" Log10 24: Quadratic {
        index: 5, rest: 18, short: 12, c0: 23, c1: 17, c2: 12, outer: Term::Minus, inner: Term::Minus,
    };
    TRIG_FULL TRIG_FULL_SOURCE "trig_full" Trig 30: Quadratic {
        index: 7, rest: 24, short: 17, c0: 31, c1: 24, c2: 17, outer: Term::Minus, inner: Term::Plus,
    };
    TRIG_NATIVE TRIG_NATIVE_SOURCE "trig_native" Trig 23: Quadratic {
        index: 5, rest: 18, short: 14, c0: 24, c1: 19, c2: 14, outer: Term::Minus, inner: Term::Plus,
    };
    POW_LOG2 POW_LOG2_SOURCE "pow_log2" Log2 35: Quadratic {
        index: 8, rest: 15, short: 15, c0: 36, c1: 27, c2: 18, outer: Term::Minus, inner: Term::Minus,
    };
    POW_EXP2 POW_EXP2_SOURCE "pow_exp2" Exp2 30: Quadratic {
        index: 7, rest: 20, short: 15, c0: 31, c1: 24, c2: 15, outer: Term::Plus, inner: Term::Plus,
    };
}

/// Reads the rows: the hexadecimal numbers that are assigned.
fn read(text: &str, quadratic: &Quadratic) -> Vec<Row> {
    let row = |line: &str| {
        let (_, digits) = line.split_once("row = ")?.1.split_once("'h")?;
        let bits = u128::from_str_radix(digits.strip_suffix(';')?, 16).ok()?;
        let field = |low: u32, width: u32| (bits >> low) as u64 & mask(width);
        Some(Row {
            c0: field(quadratic.c1 + quadratic.c2, quadratic.c0),
            c1: field(quadratic.c2, quadratic.c1),
            c2: field(0, quadratic.c2),
        })
    };
    let rows: Vec<Row> = text.lines().filter_map(row).collect();
    assert_eq!(
        rows.len(),
        1 << quadratic.index,
        "a table has a row per index"
    );
    rows
}
