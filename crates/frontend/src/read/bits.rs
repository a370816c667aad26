//! Repacking: the bits of some lanes, seen as one long number with the first lane lowest, cut into
//! lanes of other types.
//!
//! Casts between vectors of different shapes, integers that memory does not transfer whole and
//! integers of more than 64 bits (kept as 64-bit lanes) are all this one operation.

use sluice_kernel::ir::{BinaryOp, Type, Value};
use smallvec::SmallVec;

use super::Lanes;
use super::builder::Builder;

/// One source lane that overlaps a target lane.
struct Piece {
    source: Value,
    /// First bit of the source that is taken.
    low: i64,
    /// Where that bit goes in the target.
    at: i64,
}

impl Builder {
    /// Lanes of `types` with the bits of `source` from bit `from` on. What lies before the first
    /// and after the last source bit is zero.
    pub fn repack(&mut self, source: &[Value], from: i64, types: &[Type]) -> Lanes {
        let mut lanes = SmallVec::new();
        let mut start = from;
        for &ty in types {
            let pieces = self.pieces(source, start, ty);
            lanes.push(self.join(&pieces, ty));
            start += i64::from(ty.bits());
        }
        lanes
    }

    fn pieces(&self, source: &[Value], start: i64, ty: Type) -> Vec<Piece> {
        let end = start + i64::from(ty.bits());
        let mut pieces = Vec::new();
        let mut lane = 0;
        for &value in source {
            let bits = i64::from(self.kernel.ty(value).bits());
            let (first, last) = (lane.max(start), (lane + bits).min(end));
            if first < last {
                pieces.push(Piece {
                    source: value,
                    low: first - lane,
                    at: first - start,
                });
            }
            lane += bits;
        }
        pieces
    }

    fn join(&mut self, pieces: &[Piece], ty: Type) -> Value {
        if let [piece] = pieces
            && piece.low == 0
            && piece.at == 0
            && self.kernel.ty(piece.source) == ty
        {
            return piece.source;
        }
        let word = Type::Int(ty.bits() as u8);
        let mut joined = None;
        for piece in pieces {
            let mut bits = self.as_int(piece.source);
            if piece.low > 0 {
                bits = self.binary_constant(BinaryOp::LShr, bits, piece.low as u64);
            }
            // Bits beyond the target's end leave by the truncation or by the shift.
            bits = self.resize(bits, word);
            if piece.at > 0 {
                bits = self.binary_constant(BinaryOp::Shl, bits, piece.at as u64);
            }
            joined = Some(match joined {
                None => bits,
                Some(rest) => self.binary(BinaryOp::Or, rest, bits),
            });
        }
        let bits = joined.unwrap_or_else(|| self.constant(word, 0));
        self.reinterpret(bits, ty)
    }
}
