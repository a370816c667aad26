//! A curve, piece by piece as quadratics in fixed point.

/// Whether a term is added or subtracted: coefficients have no sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// It is added.
    Plus,
    /// It is subtracted.
    Minus,
}

impl Term {
    #[inline(always)]
    fn apply(self, to: u64, term: u64) -> u64 {
        match self {
            Self::Plus => to + term,
            Self::Minus => to - term,
        }
    }
}

/// The quadratics `c0 ± t (c1 ± t c2)` of a curve's pieces. Leading bits of the argument are the
/// index of a piece; the bits behind them are `t`, between 0 and 1. All coefficients count the same
/// unit, so each is as many bits narrower than the one before it as the index has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quadratic {
    /// Bits of the index.
    pub index: u32,
    /// Bits of `t`.
    pub rest: u32,
    /// Leading bits of `t` that `c2` is multiplied with.
    pub short: u32,
    /// Bits of `c0` and of the value.
    pub c0: u32,
    /// Bits of `c1` and of what `t` is multiplied with.
    pub c1: u32,
    /// Bits of `c2`.
    pub c2: u32,
    /// Whether the term of `t` is added to `c0`.
    pub outer: Term,
    /// Whether the term of `c2` is added to `c1`.
    pub inner: Term,
}

/// The coefficients of one piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The value at the piece's beginning.
    pub c0: u64,
    /// The slope there.
    pub c1: u64,
    /// Half the curvature.
    pub c2: u64,
}

impl Quadratic {
    /// The bits of a row: the coefficients side by side.
    pub const fn row(&self) -> u32 {
        self.c0 + self.c1 + self.c2
    }

    /// The bits of the argument.
    pub const fn argument(&self) -> u32 {
        self.index + self.rest
    }

    /// The value at `t` of a piece, products cut off below the unit.
    #[inline(always)]
    pub fn at(&self, row: Row, t: u64) -> u64 {
        let curved = ((t >> (self.rest - self.short)) * row.c2) >> self.short;
        let slope = self.inner.apply(row.c1, curved);
        self.outer.apply(row.c0, (t * slope) >> self.rest)
    }
}
