//! Which units of kernels are measured: a few of each kind, common ones and others that differ from
//! them most, and segments with all operations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sluice_circuit::access::Access;
use sluice_circuit::family::{ECP5, Family};
use sluice_circuit::operators::{self, Operator};
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::local_memory::{Banks, Collisions, LocalMemory};
use sluice_circuit::units::segment::{Graph, Kind, Operand, Operation, Segment};

/// Units by their text, with the number of times that each occurs.
pub type Units = BTreeMap<String, (Box<dyn UnitKind>, u32)>;

/// Units of a kind that are chosen because they are common.
const COMMON: usize = 2;

/// How many units are measured.
struct Extent {
    /// Of a kind, the common ones included.
    of_a_kind: usize,
    /// Caches, and memory ports: they take minutes.
    large: usize,
    /// Operators of a kind, alone.
    alone: usize,
    /// Segments that are chosen for their terms.
    segments: usize,
    /// Segments of all sizes.
    segments_by_size: usize,
    /// Whether each term has a sample.
    every_term: bool,
}

/// For the ECP5.
const MANY: Extent = Extent {
    of_a_kind: 4,
    large: 3,
    alone: 4,
    segments: 26,
    segments_by_size: 26,
    every_term: true,
};

/// For other families: what no sample has is expected to take what it does on a family that is alike.
const FEW: Extent = Extent {
    of_a_kind: 3,
    large: 3,
    alone: 1,
    segments: 12,
    segments_by_size: 8,
    every_term: false,
};

/// Samples in which a term of segments should occur.
const OCCURRENCES: f64 = 4.0;

/// The part of a kind's units, by occurrence, that are not too large to be measured.
const TYPICAL: f64 = 0.9;

/// Units that are measured, by kind and size.
pub fn choose(units: Units, target: &Target) -> Vec<Box<dyn UnitKind>> {
    let mut by_kind: BTreeMap<&'static str, Vec<Candidate>> = BTreeMap::new();
    for (kind, times) in units.into_values() {
        let candidate = Candidate::new(kind, times, target.family);
        let word = candidate.kind.word();
        by_kind.entry(word).or_default().push(candidate);
    }
    let extent = match *target.family == ECP5 {
        true => MANY,
        false => FEW,
    };
    let chosen = by_kind.into_iter().rev().flat_map(|(word, candidates)| {
        let candidates = typical(candidates);
        match word {
            "segment" => choose_segments(candidates, &extent),
            "cache" | "memory_port" => choose_different(candidates, COMMON, extent.large),
            _ => choose_different(candidates, COMMON, extent.of_a_kind),
        }
    });
    let chosen = chosen.chain(operators_alone(target, extent.alone));
    let chosen = chosen.map(|it| it.kind).chain(queues());
    let mut chosen: Vec<_> = chosen.chain([shared_memory()]).collect();
    if extent.every_term {
        fill(&mut chosen, target);
    }
    chosen
}

/// All units of kernels, and those that are measured beside them.
pub fn all(units: Units, target: &Target) -> Vec<Box<dyn UnitKind>> {
    let kinds = units.into_values().map(|(kind, _)| kind);
    let alone = all_alone(target).into_iter().flatten();
    let kinds = kinds.chain(queues()).chain([shared_memory()]);
    let mut all: Vec<_> = kinds.chain(alone).collect();
    fill(&mut all, target);
    all
}

/// Queues of all depths, for the terms of distributed memories.
fn queues() -> impl Iterator<Item = Box<dyn UnitKind>> {
    let shapes = [
        (16, 8),
        (40, 28),
        (24, 50),
        (40, 120),
        (16, 200),
        (24, 300),
        (8, 600),
    ];
    shapes.into_iter().map(|(bits, depth)| {
        let fields = Fields::new([bits]);
        Box::new(Fifo { fields, depth }) as Box<dyn UnitKind>
    })
}

/// A local memory that many share, with words of the usual width.
fn shared_memory() -> Box<dyn UnitKind> {
    Box::new(LocalMemory {
        access: Access {
            bytes: 4,
            address_bits: 12,
        },
        bytes: 4096,
        readers: 9,
        writers: 5,
        banks: Banks::of_digits(16, 10),
        known: Vec::new(),
        collisions: Collisions::Wait,
    })
}

/// Units of the catalogs, and operators alone, with terms that none of the others has.
fn fill(chosen: &mut Vec<Box<dyn UnitKind>>, target: &Target) {
    let keys = |kind: &dyn UnitKind| -> Vec<Key> {
        let terms = kind.area().terms(target.family).into_iter();
        terms.map(|term| (term.owner, term.name)).collect()
    };
    let mut covered: BTreeSet<Key> = chosen.iter().flat_map(|it| keys(&**it)).collect();
    let units = units::catalog()
        .into_iter()
        .flat_map(|(_, samples)| samples);
    let alone = all_alone(target).into_iter().flatten();
    for kind in alone.chain(units) {
        let terms = keys(&*kind);
        if terms.iter().any(|key| !covered.contains(key)) {
            covered.extend(terms);
            chosen.push(kind);
        }
    }
}

/// Operators of all kinds, each with parameters that differ much.
fn operators_alone(target: &Target, of_a_kind: usize) -> Vec<Candidate> {
    let candidate = |kind| Candidate::new(kind, 1, target.family);
    let choose = |alone: Vec<_>| {
        let candidates = alone.into_iter().map(candidate).collect();
        choose_different(candidates, 0, of_a_kind)
    };
    all_alone(target).into_iter().flat_map(choose).collect()
}

/// Each operator of the catalog alone, by kind.
fn all_alone(target: &Target) -> Vec<Vec<Box<dyn UnitKind>>> {
    let mut at = 0;
    let mut alone = |operator| {
        at += 1;
        alone(at, operator, target)
    };
    let kinds = operators::catalog().into_iter();
    kinds
        .map(|(_, samples)| samples.into_iter().map(&mut alone).collect())
        .collect()
}

/// A segment with one operator.
fn alone(at: usize, operator: Box<dyn Operator>, target: &Target) -> Box<dyn UnitKind> {
    let mut graph = Graph::new(format!("alone{at}"));
    let widths = operator.inputs().into_iter().map(|port| port.width);
    let operands = graph.add_input(Fields::new(widths));
    let outputs = operator.outputs().len() as u32;
    let operation = graph.add(Operation {
        kind: Kind::Operator(Arc::from(operator)),
        operands,
        name: None,
        line: None,
    });
    let results = (0..outputs).map(|output| Operand::Result { operation, output });
    graph.add_output(&results.collect::<Vec<_>>(), 0);
    Box::new(Segment::schedule(graph, target))
}

/// An owner and one of its terms.
type Key = (&'static str, &'static str);

struct Candidate {
    kind: Box<dyn UnitKind>,
    times: u32,
    terms: BTreeMap<(&'static str, &'static str), f64>,
}

impl Candidate {
    fn new(kind: Box<dyn UnitKind>, times: u32, family: &Family) -> Candidate {
        let mut terms = BTreeMap::new();
        for term in kind.area().terms(family) {
            *terms.entry((term.owner, term.name)).or_insert(0.0) += term.count;
        }
        Candidate { kind, times, terms }
    }

    fn size(&self) -> f64 {
        self.terms.values().sum()
    }

    /// How different two are: by the logarithms of their terms.
    fn distance(&self, other: &Candidate) -> f64 {
        let log = |terms: &BTreeMap<_, f64>, key| terms.get(key).map_or(0.0, |it| it.ln_1p());
        let keys = self.terms.keys().chain(other.terms.keys());
        keys.map(|key| (log(&self.terms, key) - log(&other.terms, key)).powi(2))
            .sum()
    }
}

/// Those that are not larger than most.
fn typical(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| a.size().total_cmp(&b.size()));
    let all: u32 = candidates.iter().map(|it| it.times).sum();
    let mut room = f64::from(all) * TYPICAL;
    let fits = |it: &Candidate| {
        let fits = room > 0.0;
        room -= f64::from(it.times);
        fits
    };
    candidates.into_iter().take_while(fits).collect()
}

/// The most common ones, then those that differ most from what is chosen.
fn choose_different(mut candidates: Vec<Candidate>, common: usize, most: usize) -> Vec<Candidate> {
    candidates.sort_by_key(|it| std::cmp::Reverse(it.times));
    let mut rest = candidates.split_off(candidates.len().min(common));
    let mut chosen = candidates;
    while chosen.len() < most && !rest.is_empty() {
        let nearest = |it: &Candidate| {
            let distances = chosen.iter().map(|other| it.distance(other));
            distances.fold(f64::INFINITY, f64::min)
        };
        let distances: Vec<f64> = rest.iter().map(nearest).collect();
        let farthest = (0..rest.len())
            .max_by(|&a, &b| distances[a].total_cmp(&distances[b]))
            .expect("there are some");
        chosen.push(rest.swap_remove(farthest));
    }
    chosen
}

/// Those that have terms of which there are few, small ones first; then some of each size.
fn choose_segments(mut candidates: Vec<Candidate>, extent: &Extent) -> Vec<Candidate> {
    let mut covered: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut chosen: Vec<Candidate> = Vec::new();
    while chosen.len() < extent.segments && !candidates.is_empty() {
        let gain = |it: &Candidate| -> f64 {
            let terms = it.terms.keys();
            let wanted = terms.map(|key| {
                let times = covered.get(key).copied().unwrap_or(0.0);
                if times < OCCURRENCES {
                    1.0 / (1.0 + times)
                } else {
                    0.02 / (1.0 + times)
                }
            });
            wanted.sum::<f64>() / it.size().max(200.0).sqrt()
        };
        let gains: Vec<f64> = candidates.iter().map(gain).collect();
        let best = (0..candidates.len())
            .max_by(|&a, &b| gains[a].total_cmp(&gains[b]))
            .expect("there are some");
        let next = candidates.swap_remove(best);
        for &key in next.terms.keys() {
            *covered.entry(key).or_default() += 1.0;
        }
        chosen.push(next);
    }
    candidates.sort_by(|a, b| a.size().total_cmp(&b.size()));
    let distance = (candidates.len() / extent.segments_by_size).max(1);
    let by_size = candidates.into_iter().step_by(distance);
    chosen.into_iter().chain(by_size).collect()
}
