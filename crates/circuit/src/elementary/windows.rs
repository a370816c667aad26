//! Windows into 2/pi. A significand times the bits of 2/pi that a window shows is an angle in
//! quarter turns: the bits before them make whole turns, those behind them make no difference.

use std::sync::LazyLock;

use crate::verilog::Source;

/// A table of windows: the leading bits of an exponent say which one to take, by the others the
/// significand is shifted.
#[derive(Debug)]
pub struct Windows {
    /// The Verilog.
    pub source: Source,
    /// The exponent's bits by which significands are shifted.
    pub shift: u32,
    /// The bits of a window: the highest is that of two quarter turns.
    pub width: u32,
    /// The smallest biased exponent that there is a window for.
    pub least: u32,
    rows: LazyLock<Vec<u128>>,
}

impl Windows {
    /// Bits of the index.
    pub const fn index(&self) -> u32 {
        8 - self.shift
    }

    /// The windows' indices.
    pub fn indices(&self) -> std::ops::Range<u32> {
        self.least >> self.shift..1 << self.index()
    }

    /// The window for a biased exponent that is not too small.
    #[inline(always)]
    pub fn at(&self, exponent: u32) -> u128 {
        self.rows[((exponent - self.least) >> self.shift) as usize]
    }

    fn read(&self) -> Vec<u128> {
        let row = |line: &str| {
            let (_, digits) = line.split_once(": row = ")?.1.split_once("'h")?;
            u128::from_str_radix(digits.strip_suffix(';')?, 16).ok()
        };
        let rows: Vec<u128> = self.source.text.lines().filter_map(row).collect();
        assert_eq!(rows.len(), self.indices().len(), "a window per index");
        rows
    }
}

macro_rules! windows {
    ($($name:ident $source:ident $file:literal: shift $shift:literal width $width:literal least $least:literal;)*) => {
        $(
            /// The Verilog of the windows of that grade.
            pub(crate) const $source: Source = Source {
                file: concat!("sluice_", $file, ".v"),
                text: include_str!(concat!("../operators/tables/", $file, ".v")),
            };

            /// The windows of that grade.
            pub static $name: Windows = Windows {
                source: $source,
                shift: $shift,
                width: $width,
                least: $least,
                rows: LazyLock::new(|| $name.read()),
            };
        )*

        /// All of them.
        pub static ALL: &[&Windows] = &[$(&$name),*];
    };
}

windows! {
    FULL FULL_SOURCE "window_full": shift 3 width 90 least 112;
    NATIVE NATIVE_SOURCE "window_native": shift 2 width 54 least 116;
}
