//! Dependences through memory in a loop with one loop inside, as iterations of the inner one see them: what is to be
//! known if both become one loop.

use super::pair::{Pair, When};
use super::{Analysis, Buffers, DependenceKind, Relation, is_ordered};
use crate::analysis::access::Accesses;
use crate::analysis::access::numbers::Surroundings;
use crate::analysis::dependence::integer::Budget;
use crate::ir::{Block, Inst, Kernel, ObjectSet};

/// Two accesses of a nest that may go to the same bytes, the sink in a later iteration of one of its loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NestDependence {
    /// The access that is executed first.
    pub(crate) source: Inst,
    /// The access that is executed later.
    pub(crate) sink: Inst,
    /// What both may go to.
    pub(crate) objects: [ObjectSet; 2],
    /// What kind it is.
    pub(crate) kind: DependenceKind,
    /// How far apart both are.
    pub(crate) span: Span,
}

/// How far apart two accesses of a nest are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Span {
    /// At least this number of iterations, in one execution of the inner loop.
    Inner(u64),
    /// Both are in one iteration of the outer loop, but not in one execution of the inner one.
    Within,
    /// At least this number of iterations of the outer loop. If they are just as far apart, the number of the sink's
    /// iteration of the inner loop is at least this much greater than that of the source's, if that is known. What is
    /// not in the inner loop has 0 there.
    Outer {
        /// Iterations of the outer loop.
        distance: u64,
        /// Iterations of the inner loop.
        shift: Option<i64>,
    },
}

impl NestDependence {
    /// The dependences of a nest, by the headers of its loops.
    pub(crate) fn of(
        kernel: &Kernel,
        [outer, inner]: [Block; 2],
        buffers: Buffers,
    ) -> Vec<NestDependence> {
        let surroundings = Surroundings::of(kernel, u64::from(u32::MAX));
        let loops = &surroundings.loops;
        let (Some(outer), Some(inner)) = (loops.innermost(outer), loops.innermost(inner)) else {
            return Vec::new();
        };
        let accesses = Accesses::in_surroundings(&surroundings);
        let mut analysis = Analysis::new(&surroundings, &accesses, buffers);
        let mut found = Vec::new();
        for (loop_, is_outer) in [(inner, false), (outer, true)] {
            for it in analysis.memory(loop_, loops.get(loop_), &|_, _| true) {
                let distance = it.distance.least();
                if distance == 0 && !is_outer {
                    continue;
                }
                let [source, sink] =
                    [it.source, it.sink].map(|inst| accesses.get(inst).expect("it is an access"));
                let span = match is_outer {
                    false => Span::Inner(distance),
                    true if distance == 0 => Span::Within,
                    true => Span::Outer {
                        distance,
                        shift: analysis.inner_shift([outer, inner], [it.source, it.sink], distance),
                    },
                };
                found.push(NestDependence {
                    source: it.source,
                    sink: it.sink,
                    objects: [source.objects.clone(), sink.objects.clone()],
                    kind: it.kind,
                    span,
                });
            }
        }
        found
    }
}

impl Analysis<'_> {
    fn inner_shift(
        &mut self,
        [outer, inner]: [crate::analysis::Loop; 2],
        ends: [Inst; 2],
        distance: u64,
    ) -> Option<i64> {
        let [source, sink] = ends.map(|inst| self.accesses.get(inst).expect("it is an access"));
        if is_ordered(source) || is_ordered(sink) {
            return None;
        }
        match self.relation(source, sink) {
            Relation::OneObject => {}
            Relation::Apart | Relation::Aliases | Relation::Unknown => return None,
        }
        let pair = Pair {
            surroundings: self.surroundings,
            bounds: &self.bounds,
            loop_: outer,
            source: self.locate(source),
            sink: self.locate(sink),
            when: When::Later,
        };
        let mut budget = Budget(self.budget.0.min(super::MOST_ROWS_OF_PAIR));
        let given = budget.0;
        let shift = pair.inner_shift(inner, distance, &mut budget);
        self.budget.0 -= given - budget.0;
        shift
    }
}
