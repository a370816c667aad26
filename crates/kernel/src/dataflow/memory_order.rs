//! Which accesses of a block must keep their order, and which of these dependences need an edge.

use crate::ir::{AccessKind, Effect, InstData};

/// Whether the second of two instructions, in program order, may begin only when the first is done,
/// apart from values.
///
/// Accesses that may touch one object keep their order unless both read, or the second is a load that may miss what
/// the first has written. Volatile accesses keep
/// theirs, and so do prints. A fence keeps everything before it before everything behind it.
pub(crate) fn must_wait(first: &InstData, second: &InstData) -> bool {
    match (first.effect(), second.effect()) {
        (Effect::Pure | Effect::Control, _) | (_, Effect::Pure | Effect::Control) => false,
        (Effect::Fence(_) | Effect::Barrier(_), _) | (_, Effect::Fence(_) | Effect::Barrier(_)) => {
            true
        }
        (Effect::Print, Effect::Print) => true,
        (Effect::Print, Effect::Access(_)) | (Effect::Access(_), Effect::Print) => false,
        (Effect::Access(first), Effect::Access(second)) => {
            let conflicts = first.writes() || second.writes();
            let is_missed = first.kind == AccessKind::Write && second.lag > 0;
            (conflicts && !is_missed && first.objects.intersects(second.objects))
                || (first.is_volatile && second.is_volatile)
        }
    }
}

/// Finds, operation by operation in program order, the edges that other dependences do not imply.
pub(super) struct Reduction {
    /// For each operation, the accesses that it comes behind, as bits.
    behind: Vec<Bits>,
    /// Number of accesses so far and the operation of each.
    accesses: Vec<usize>,
}

impl Reduction {
    pub(super) fn new() -> Reduction {
        Reduction {
            behind: Vec::new(),
            accesses: Vec::new(),
        }
    }

    /// Adds the next operation, which uses the results of `operands`; for an access, `waits` says
    /// of earlier accesses whether it must wait for them. Returns those that need an edge.
    pub(super) fn add(
        &mut self,
        operands: &[usize],
        waits: Option<&dyn Fn(usize) -> bool>,
    ) -> Vec<usize> {
        let mut behind = Bits::default();
        for &operand in operands {
            behind.add_all(&self.behind[operand]);
            if let Ok(at) = self.accesses.binary_search(&operand) {
                behind.add(at);
            }
        }
        let mut edges = Vec::new();
        if let Some(waits) = waits {
            // From the latest on: what it comes behind is implied.
            for (at, &access) in self.accesses.iter().enumerate().rev() {
                if !behind.contains(at) && waits(access) {
                    edges.push(access);
                    behind.add_all(&self.behind[access]);
                    behind.add(at);
                }
            }
            edges.reverse();
            self.accesses.push(self.behind.len());
        }
        self.behind.push(behind);
        edges
    }
}

/// A set of small numbers.
#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn contains(&self, at: usize) -> bool {
        let word = self.0.get(at / 64);
        word.is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn add(&mut self, at: usize) {
        if self.0.len() <= at / 64 {
            self.0.resize(at / 64 + 1, 0);
        }
        self.0[at / 64] |= 1 << (at % 64);
    }

    fn add_all(&mut self, other: &Bits) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            *word |= more;
        }
    }
}
