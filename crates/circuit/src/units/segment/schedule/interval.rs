//! The smallest interval between tokens: bounds between what tokens leave and those that read it, and how
//! states are read so that they fit.

use std::collections::{BTreeMap, VecDeque};

use super::{Bound, History, OperationTime, Read, Scheduler, Tap};
use crate::family::Delays;
use crate::units::segment::history::Chain;

/// A schedule with the smallest interval: the earliest one.
pub(super) struct Paced {
    pub(super) interval: u32,
    pub(super) limiting: Vec<u32>,
    pub(super) bounds: Vec<Bound>,
    pub(super) earliest: Vec<u32>,
}

impl Scheduler<'_> {
    pub(super) fn is_state(&self, operation: u32) -> bool {
        self.reads.contains_key(&operation)
    }

    /// The smallest interval, and the earliest schedule with it.
    pub(super) fn smallest_interval(&mut self) -> Paced {
        let inside = self.bounds_within_tokens();
        let mut limiting = Vec::new();
        for interval in 1.. {
            match self.fit(interval, &inside) {
                Ok((bounds, earliest)) => {
                    return Paced {
                        interval,
                        limiting,
                        bounds,
                        earliest,
                    };
                }
                Err(ring) => limiting = ring,
            }
        }
        unreachable!("with an interval of the schedule's length tokens do not meet");
    }

    /// All bounds and the earliest schedule with an interval; or operations that do not fit it.
    fn fit(&mut self, interval: u32, inside: &[Bound]) -> Result<(Vec<Bound>, Vec<u32>), Vec<u32>> {
        let states = self.chains.all.iter().flat_map(|chain| &chain.states);
        self.reads = states.map(|&(state, _)| (state, Read::Direct)).collect();
        loop {
            let mut bounds = inside.to_vec();
            self.bounds_between_tokens(interval, &mut bounds);
            match self.earliest(&bounds, interval) {
                Ok(earliest) => {
                    for bound in &mut bounds {
                        (bound.least, bound.distance) = (bound.at(interval), 0);
                    }
                    return Ok((bounds, earliest));
                }
                Err(ring) if self.hasten(&ring) => {}
                Err(ring) => return Err(self.operations_of(&ring)),
            }
        }
    }

    /// The operations of a ring of bounds, in their order. What a bound passes over is filled in.
    fn operations_of(&self, ring: &[Bound]) -> Vec<u32> {
        let repeat = self.repeat_node();
        let mut operations = Vec::new();
        for bound in ring.iter().filter(|bound| bound.from < repeat) {
            operations.push(bound.from as u32);
            if bound.to <= repeat {
                operations.extend(self.operations_between(bound.from as u32, bound.to as u32));
            }
        }
        operations
    }

    /// The operations on the shortest way by which one depends on another, both left out.
    fn operations_between(&self, from: u32, to: u32) -> Vec<u32> {
        let mut before: BTreeMap<u32, u32> = BTreeMap::new();
        let mut pending = VecDeque::from([from]);
        while let Some(operation) = pending.pop_front() {
            let consumers = self.consumers[operation as usize].iter().copied();
            let bypasses = self.bypasses[operation as usize].iter();
            for user in consumers.chain(bypasses.map(|&(state, _)| state)) {
                before.entry(user).or_insert_with(|| {
                    pending.push_back(user);
                    operation
                });
            }
        }
        let mut between = Vec::new();
        let mut at = before.get(&to);
        while let Some(&operation) = at.filter(|&&operation| operation != from) {
            between.push(operation);
            at = before.get(&operation);
        }
        between.reverse();
        between
    }

    /// Lets a state of a ring of bounds be read earlier, if one can.
    fn hasten(&mut self, ring: &[Bound]) -> bool {
        let mut best: Option<(u32, Read)> = None;
        let mut most = 0;
        for (index, chain) in self.chains.all.iter().enumerate() {
            let node = self.write_node(index);
            for &(state, distance) in &chain.states {
                let is_in_ring = |bound: &Bound| bound.from == node && bound.to == state as usize;
                if !ring.iter().any(is_in_ring) {
                    continue;
                }
                let can_bypass = self.timed_source(chain.next).is_some();
                let (read, gain) = match self.reads[&state] {
                    Read::Direct if distance > 1 => (Read::Selected, distance),
                    Read::Direct | Read::Selected if can_bypass => (Read::Bypassed, 1),
                    Read::Direct | Read::Selected | Read::Bypassed => continue,
                };
                if gain > most {
                    (best, most) = (Some((state, read)), gain);
                }
            }
        }
        best.inspect(|&(state, read)| {
            self.reads.insert(state, read);
        })
        .is_some()
    }

    /// What depends on how states are read, and on the interval.
    fn bounds_between_tokens(&mut self, interval: u32, bounds: &mut Vec<Bound>) {
        if self.chains.all.is_empty() && self.graph.repeat.is_none() {
            return;
        }
        let start = self.start_node();
        self.bypasses.iter_mut().for_each(Vec::clear);
        for index in 0..self.chains.all.len() {
            self.bound_history(index, bounds);
        }
        let is_bypassing = self.reads.values().any(|&read| read == Read::Bypassed);
        for from in self.timed() {
            if is_bypassing || self.is_state(from) {
                self.bound_chains(from, bounds);
            }
        }
        if self.graph.repeat.is_some() {
            let latest = i64::from(interval) - 1;
            bounds.push(Bound::new(self.repeat_node(), start, -latest));
        }
    }

    /// When the states of a chain are written and read.
    fn bound_history(&mut self, index: usize, bounds: &mut Vec<Bound>) {
        let Chain { next, states } = self.chains.all[index].clone();
        let write = self.write_node(index);
        let source = self.timed_source(next);
        if let Some(source) = source {
            let latency = self.spans[source as usize].latency();
            bounds.push(Bound::new(source as usize, write, latency));
        }
        for (state, distance) in states {
            bounds.push(Bound::new(state as usize, write, 0));
            let (tokens, least) = match self.reads[&state] {
                Read::Direct => (1, 1),
                Read::Selected => (distance, 1),
                Read::Bypassed => (distance, 0),
            };
            bounds.push(Bound {
                from: write,
                to: state as usize,
                least,
                distance: tokens,
            });
            if self.reads[&state] == Read::Bypassed {
                let source = source.expect("what has a time is bypassed") as usize;
                let latency = i64::from(self.spans[source].latency());
                bounds.push(Bound::new(write, source, -latency));
                self.bypasses[source].push((state, distance));
            }
        }
    }

    pub(super) fn distance(&self, state: u32) -> u32 {
        let mut states = self.chains.all.iter().flat_map(|chain| &chain.states);
        let found = states.find(|(operation, _)| *operation == state);
        found.expect("states with a time are in a chain").1
    }

    /// What it takes to select a state among some values that are all in registers.
    pub(super) fn selection(&self, state: u32, values: u32) -> f64 {
        let width = self.graph.operations[state as usize].result_widths()[0];
        selection(&self.delays, values, width)
    }

    /// By node, the earliest cycle; or a ring of bounds that contradict each other.
    fn earliest(&self, bounds: &[Bound], interval: u32) -> Result<Vec<u32>, Vec<Bound>> {
        let start = self.start_node();
        let mut cycles = vec![0; start + 1];
        // By node, the bound because of which it is not earlier.
        let mut reasons: Vec<Option<u32>> = vec![None; start + 1];
        loop {
            let mut changed = false;
            // Most bounds stand in the order of the operations that they come from.
            for (index, bound) in (0..).zip(bounds) {
                let least = cycles[bound.from] + bound.at(interval);
                if cycles[bound.to] < least {
                    cycles[bound.to] = least;
                    reasons[bound.to] = Some(index);
                    changed = true;
                }
            }
            if !changed {
                return Ok(cycles.into_iter().map(|cycle| cycle as u32).collect());
            }
            if let Some(ring) = ring(bounds, &reasons, start) {
                return Err(ring);
            }
        }
    }

    /// The histories, with these cycles of nodes.
    pub(super) fn histories(&self, cycles: &[u32], interval: u32) -> Vec<History> {
        let chains = self.chains.all.iter().enumerate();
        let history = |(index, chain): (usize, &Chain)| {
            let cycle = cycles[self.write_node(index)];
            let tap = |&(operation, distance): &(u32, u32)| Tap {
                operation,
                distance,
                ahead: (cycle - cycles[operation as usize]) / interval,
            };
            History {
                next: chain.next,
                cycle,
                depth: chain.states.iter().map(|state| state.1).max().unwrap_or(0),
                taps: chain.states.iter().map(tap).collect(),
            }
        };
        chains.map(history).collect()
    }

    /// By state, when in its cycle it is there.
    pub(super) fn state_times(
        &self,
        histories: &[History],
        times: &[OperationTime],
    ) -> BTreeMap<u32, f64> {
        let mut found = BTreeMap::new();
        for history in histories {
            for tap in &history.taps {
                let values = tap.registers() + u32::from(tap.is_bypassed());
                let mut time = self.selection(tap.operation, values);
                if tap.is_bypassed()
                    && let Some(source) = self.timed_source(history.next)
                    && let OperationTime::At(slot) = times[source as usize]
                {
                    time = time.max(slot.ready + self.delays.lut);
                }
                found.insert(tap.operation, time);
            }
        }
        found
    }
}

/// A ring of bounds each of which is the reason of the next.
fn ring(bounds: &[Bound], reasons: &[Option<u32>], start: usize) -> Option<Vec<Bound>> {
    let reason = |node: usize| reasons[node].map(|index| bounds[index as usize]);
    // All nodes that have no other reason are not before the start.
    let before = |node: usize| match reason(node) {
        Some(bound) => Some(bound.from),
        None if node != start => Some(start),
        None => None,
    };
    let mut seen = vec![usize::MAX; reasons.len()];
    for first in 0..reasons.len() {
        let mut at = Some(first);
        while let Some(node) = at.filter(|&node| seen[node] == usize::MAX) {
            seen[node] = first;
            at = before(node);
        }
        if let Some(node) = at.filter(|&node| seen[node] == first) {
            let mut ring = Vec::new();
            let mut at = node;
            loop {
                ring.extend(reason(at));
                at = before(at).expect("every node of a ring has one before it");
                if at == node {
                    break;
                }
            }
            ring.reverse();
            return Some(ring);
        }
    }
    None
}

/// What it takes to select one of some values in registers: the select lines have a fan-out.
fn selection(delays: &Delays, values: u32, width: u32) -> f64 {
    match values {
        0 | 1 => 0.0,
        _ => {
            let levels = values.next_power_of_two().trailing_zeros();
            delays.shift(levels) + delays.fan_out * f64::from(width) / 64.0
        }
    }
}
