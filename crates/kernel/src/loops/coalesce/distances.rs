//! How far apart iterations of the one loop are that depend on each other through memory.

use std::collections::BTreeMap;

use super::Nest;
use super::trips::trips;
use crate::analysis::dependence::{Buffers, DependenceKind, NestDependence, Span};
use crate::ir::{Block, Conflict, Independence, Inst, Kernel, ObjectSet};

/// Iterations between two of which one waits for the other, so that the pipeline is full as a rule: about the cycles from an access
/// to a memory on the chip, and what is computed of it, to the next one.
pub(crate) const ENOUGH: u64 = 32;

/// What becomes of the dependences of a nest.
pub(super) struct Distances {
    /// Iterations that an outer one has at least; none if nothing is gained by more.
    pub(super) least_row: Option<u64>,
    /// What is known of distances in the one loop.
    pub(super) promises: Vec<Independence>,
}

impl Distances {
    pub(super) fn of(kernel: &Kernel, nest: &Nest) -> Distances {
        // Where buffers may be the same, accesses name all of them.
        let headers = [nest.outer.header, nest.inner];
        let found = NestDependence::of(kernel, headers, Buffers::Distinct);
        let trips = trips(kernel, nest);
        let order = Order::of(kernel, nest);
        let waits = found
            .iter()
            .filter(|it| !order.is_before(it.source, it.sink));
        let needed = waits.filter_map(|it| order.row_for(it)).max();
        let least_row = needed.filter(|&row| trips.is_none_or(|trips| trips < row));
        let row = least_row.or(trips).unwrap_or(1);
        let distances: Vec<(&NestDependence, u64)> = found
            .iter()
            .filter(|it| !order.is_in_one_iteration(it))
            .map(|it| (it, order.distance(it, row)))
            .collect();
        Distances {
            least_row,
            promises: promises(kernel, nest, &distances),
        }
    }
}

/// The order of accesses in an outer iteration.
struct Order {
    before: Vec<Inst>,
    inner: Vec<Inst>,
}

impl Order {
    fn of(kernel: &Kernel, nest: &Nest) -> Order {
        let insts = |blocks: &[Block]| {
            let blocks = blocks.iter();
            let insts = blocks.flat_map(|&it| &kernel.block(it).insts);
            insts.copied().collect()
        };
        Order {
            before: insts(&nest.before),
            inner: insts(&[nest.inner]),
        }
    }

    fn place(&self, inst: Inst) -> (usize, usize) {
        let position = |list: &[Inst]| list.iter().position(|&it| it == inst);
        match (position(&self.before), position(&self.inner)) {
            (Some(at), _) => (0, at),
            (None, Some(at)) => (1, at),
            (None, None) => (2, 0),
        }
    }

    /// Whether an access comes before another one in the one block: then later iterations keep the order by themselves.
    fn is_before(&self, source: Inst, sink: Inst) -> bool {
        let places = [source, sink].map(|it| self.place(it));
        // The order behind the inner loop is not known here.
        source == sink || (places[0] < places[1] && places[0].0 < 2)
    }

    /// Whether both accesses are in the first or the last iteration, and one is in the same as the other.
    fn is_in_one_iteration(&self, it: &NestDependence) -> bool {
        let places = [it.source, it.sink].map(|it| self.place(it).0);
        it.span == Span::Within && places[0] == places[1]
    }

    /// The iterations that an outer one needs so that a dependence has a distance that is enough; none if it never has.
    fn row_for(&self, it: &NestDependence) -> Option<u64> {
        let Span::Outer { distance, .. } = it.span else {
            return None;
        };
        let shift = self.shift(it)?;
        let most = ENOUGH.saturating_add_signed(-shift.min(0));
        (most <= 4 * ENOUGH).then(|| most.div_ceil(distance))
    }

    /// How much further the sink is in its execution of the inner loop than the source, at least.
    fn shift(&self, it: &NestDependence) -> Option<i64> {
        let Span::Outer { shift, .. } = it.span else {
            return None;
        };
        match (self.place(it.source).0, self.place(it.sink).0) {
            (0 | 1, 0 | 1) => shift,
            // The source is in the first iteration.
            (0, _) => Some(0),
            // In which iteration the outer one ends is not known.
            _ => None,
        }
    }

    /// The distance in the one loop, in which an outer iteration has at least `row` iterations.
    fn distance(&self, it: &NestDependence, row: u64) -> u64 {
        match it.span {
            Span::Inner(distance) => distance,
            Span::Within => 1,
            Span::Outer { distance, .. } => {
                let rows = row.saturating_mul(distance);
                let far = |shift: i64| rows.saturating_add_signed(shift.min(1)).max(1);
                self.shift(it).map_or(1, far)
            }
        }
    }
}

/// What distances mean for each object by itself.
fn promises(
    kernel: &Kernel,
    nest: &Nest,
    distances: &[(&NestDependence, u64)],
) -> Vec<Independence> {
    let mut names: BTreeMap<&str, bool> = BTreeMap::new();
    let insts = nest.outer.blocks.iter();
    for &inst in insts.flat_map(|&it| &kernel.block(it).insts) {
        let data = kernel.inst(inst);
        let writes = data.access_effect().is_some_and(|it| it.kind.writes());
        for object in data.objects().into_iter().flat_map(|it| it.iter()) {
            *names.entry(&kernel.objects[object].name).or_default() |= writes;
        }
    }
    let mut promises = Vec::new();
    for (name, _) in names.into_iter().filter(|&(_, is_written)| is_written) {
        let is_meant = |objects: &ObjectSet| {
            let mut objects = objects.iter();
            objects.all(|it| kernel.objects[it].name == name)
        };
        for conflict in Conflict::ALL {
            let kind = DependenceKind::from(conflict);
            let own = distances
                .iter()
                .filter(|(it, _)| it.kind == kind && it.objects.iter().any(is_meant));
            let least = own.map(|&(_, distance)| distance).min();
            if least == Some(1) {
                continue;
            }
            promises.push(Independence {
                array: Some(name.into()),
                safe_length: least.map(|it| u32::try_from(it).unwrap_or(u32::MAX)),
                conflict: Some(conflict),
            });
        }
    }
    promises
}
