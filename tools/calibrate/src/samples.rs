//! Which units of kernels are measured: a few of each kind, common ones and others that differ from
//! them most, and segments with all operations.

use std::collections::BTreeMap;

use sluice_circuit::family::Family;
use sluice_circuit::unit::UnitKind;

/// Units by their text, with the number of times that each occurs.
pub type Units = BTreeMap<String, (Box<dyn UnitKind>, u32)>;

/// Units of a kind: the most common ones, and all.
const COMMON: usize = 2;
const MOST: usize = 6;

/// Caches and memory ports take minutes.
const MOST_LARGE: usize = 4;

/// Segments.
const SEGMENTS: usize = 40;

/// Samples in which a term of segments should occur.
const OCCURRENCES: f64 = 4.0;

/// The quantities beyond which a unit takes too long to map.
const LARGEST: f64 = 8_000.0;

/// Units that are measured, by kind and size.
pub fn choose(units: Units, family: &Family) -> Vec<Box<dyn UnitKind>> {
    let mut by_kind: BTreeMap<&'static str, Vec<Candidate>> = BTreeMap::new();
    for (kind, times) in units.into_values() {
        let candidate = Candidate::new(kind, times, family);
        if candidate.size() <= LARGEST {
            by_kind
                .entry(candidate.kind.word())
                .or_default()
                .push(candidate);
        }
    }
    let chosen = by_kind
        .into_iter()
        .flat_map(|(word, candidates)| match word {
            "segment" => choose_segments(candidates),
            "cache" | "memory_port" => choose_different(candidates, MOST_LARGE),
            _ => choose_different(candidates, MOST),
        });
    chosen.map(|it| it.kind).collect()
}

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

/// The most common ones, then those that differ most from what is chosen.
fn choose_different(mut candidates: Vec<Candidate>, most: usize) -> Vec<Candidate> {
    candidates.sort_by_key(|it| std::cmp::Reverse(it.times));
    let mut rest = candidates.split_off(candidates.len().min(COMMON));
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

/// Those that have terms of which there are few, small ones first.
fn choose_segments(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut covered: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut chosen: Vec<Candidate> = Vec::new();
    while chosen.len() < SEGMENTS && !candidates.is_empty() {
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
    chosen
}
