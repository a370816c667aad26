//! Cycles of channels: each is a loop behind a gate (C8).

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;

use super::Problem;
use crate::circuit::{Channel, Circuit, End, Unit};
use crate::unit::{Origin, Passage};

/// What is wrong with the circuit's cycles.
pub(super) fn check(circuit: &Circuit) -> Vec<Problem> {
    let ways = Ways::of(circuit);
    let mut problems = Vec::new();
    let all: Vec<Channel> = circuit.channels().keys().collect();
    let mut pending = vec![all];
    while let Some(channels) = pending.pop() {
        for cycle in ways.cycles(&channels) {
            match ways.gate(circuit, &cycle) {
                // Without the channels at the head only the cycles inside are left.
                Ok(heads) => {
                    let inside = cycle.into_iter().filter(|it| !heads.contains(it));
                    pending.push(inside.collect());
                }
                Err((channel, message)) => problems.push(Problem {
                    rule: 8,
                    place: format!("channel `{}`", circuit.channels()[channel].name),
                    message,
                }),
            }
        }
    }
    problems
}

/// By channel: those to which its tokens go on, and those from which they come.
struct Ways {
    to: SecondaryMap<Channel, Vec<Channel>>,
    from: SecondaryMap<Channel, Vec<Channel>>,
}

impl Ways {
    fn of(circuit: &Circuit) -> Ways {
        let mut ways = Ways {
            to: SecondaryMap::new(),
            from: SecondaryMap::new(),
        };
        for unit in circuit.units().values() {
            let (inputs, outputs) = (unit.inputs.len(), unit.outputs.len());
            let pairs: Vec<(usize, usize)> = match unit.kind.passage() {
                Passage::Through => (0..inputs)
                    .flat_map(|input| (0..outputs).map(move |output| (input, output)))
                    .collect(),
                Passage::Between(pairs) => pairs,
                Passage::Gate => (0..inputs.min(outputs)).map(|at| (at, at)).collect(),
            };
            for (input, output) in pairs {
                let (from, to) = (unit.inputs[input], unit.outputs[output]);
                ways.to[from].push(to);
                ways.from[to].push(from);
            }
        }
        ways
    }

    /// Among these channels, the largest sets in which every one leads to every one.
    fn cycles(&self, among: &[Channel]) -> Vec<BTreeSet<Channel>> {
        let among: BTreeSet<Channel> = among.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut finished = Vec::new();
        for &channel in &among {
            self.finish(channel, &among, &mut seen, &mut finished);
        }
        // Those that lead to the last one finished are, as far as they are left, its set.
        let mut left = among;
        let mut sets = Vec::new();
        for &channel in finished.iter().rev() {
            if !left.remove(&channel) {
                continue;
            }
            let mut set = BTreeSet::from([channel]);
            let mut pending = vec![channel];
            while let Some(channel) = pending.pop() {
                for &from in &self.from[channel] {
                    if left.remove(&from) {
                        set.insert(from);
                        pending.push(from);
                    }
                }
            }
            if set.len() > 1 || self.to[channel].contains(&channel) {
                sets.push(set);
            }
        }
        sets
    }

    /// Appends what can be reached, each channel behind all that it leads to.
    fn finish(
        &self,
        start: Channel,
        among: &BTreeSet<Channel>,
        seen: &mut BTreeSet<Channel>,
        finished: &mut Vec<Channel>,
    ) {
        if !seen.insert(start) {
            return;
        }
        let mut path = vec![(start, 0)];
        while let Some((channel, next)) = path.last_mut() {
            match self.to[*channel].get(*next) {
                Some(&to) => {
                    *next += 1;
                    if among.contains(&to) && seen.insert(to) {
                        path.push((to, 0));
                    }
                }
                None => {
                    finished.push(*channel);
                    path.pop();
                }
            }
        }
    }

    /// The channels of a cycle that come right behind its gate; or what is wrong, and where.
    fn gate(
        &self,
        circuit: &Circuit,
        cycle: &BTreeSet<Channel>,
    ) -> Result<BTreeSet<Channel>, (Channel, String)> {
        let mut gate: Option<Unit> = None;
        let mut heads = BTreeSet::new();
        for &channel in cycle {
            for &from in self.from[channel].iter().filter(|it| !cycle.contains(it)) {
                let entry = entry(circuit, from);
                if entry.is_none() || gate.is_some_and(|gate| entry != Some(gate)) {
                    let name = &circuit.channels()[from].name;
                    let message = format!("`{name}` leads into its cycle, and not behind the gate");
                    return Err((channel, message));
                }
                gate = entry;
                heads.insert(channel);
            }
        }
        let Some(gate) = gate else {
            let first = cycle.first().expect("a cycle has a channel");
            return Err((*first, "no gate lets tokens into its cycle".into()));
        };
        for &channel in cycle {
            for &to in self.to[channel].iter().filter(|it| !cycle.contains(it)) {
                if !leaves(circuit, to, gate) && !is_copy(circuit, to, cycle) {
                    let name = &circuit.channels()[to].name;
                    let message = format!("its cycle is left by `{name}`, which passes no gate");
                    return Err((channel, message));
                }
            }
        }
        Ok(heads)
    }
}

/// The gate whose entry a channel comes from.
fn entry(circuit: &Circuit, channel: Channel) -> Option<Unit> {
    match circuit.channels()[channel].from {
        End::Unit(unit, 0) => is_gate(circuit, unit).then_some(unit),
        End::Unit(..) | End::Environment(_) | End::Discarded | End::Open => None,
    }
}

fn is_gate(circuit: &Circuit, unit: Unit) -> bool {
    circuit.units()[unit].kind.passage() == Passage::Gate
}

/// Whether what leaves a cycle by a channel passes its gate, or goes nowhere.
fn leaves(circuit: &Circuit, mut channel: Channel, gate: Unit) -> bool {
    // A way out passes each gate once.
    for _ in 0..circuit.units().len() {
        match circuit.channels()[channel].to {
            End::Unit(unit, at) if at > 0 && unit == gate => return true,
            End::Unit(unit, at) if at > 0 && is_gate(circuit, unit) => {
                channel = circuit.units()[unit].outputs[at as usize];
            }
            End::Discarded => return true,
            End::Unit(..) | End::Environment(_) | End::Open => return false,
        }
    }
    false
}

/// Whether a channel to the environment carries copies of tokens that stay in a cycle: its unit sends each token to
/// an output in the cycle, too.
fn is_copy(circuit: &Circuit, channel: Channel, cycle: &BTreeSet<Channel>) -> bool {
    let data = &circuit.channels()[channel];
    let (End::Unit(unit, port), End::Environment(_)) = (data.from, data.to) else {
        return false;
    };
    let unit = &circuit.units()[unit];
    let sends_each = |output: usize| unit.kind.origin(output) == Origin::Each;
    let mut outputs = unit.outputs.iter().enumerate();
    sends_each(port as usize) && outputs.any(|(at, it)| cycle.contains(it) && sends_each(at))
}
