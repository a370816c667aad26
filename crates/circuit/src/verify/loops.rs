//! Cycles of channels: each is a loop behind a gate, or passes credits (C8).

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
            let gated = ways.gate(circuit, &cycle);
            let outcome = match credits(circuit, &cycle) {
                Some(outcome) if gated.is_err() => outcome,
                Some(_) | None => gated,
            };
            match outcome {
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
                Passage::Gate | Passage::Credits => {
                    (0..inputs.min(outputs)).map(|at| (at, at)).collect()
                }
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
                if !leaves(circuit, to, gate) && !self.is_copy(circuit, to, cycle) {
                    let name = &circuit.channels()[to].name;
                    let message = format!("its cycle is left by `{name}`, which passes no gate");
                    return Err((channel, message));
                }
            }
        }
        self.repeated_tokens_are_dropped(circuit, cycle)?;
        Ok(heads)
    }

    /// Whether a channel carries copies of tokens that stay in a cycle, which come to no gate: its unit
    /// sends each token to an output in the cycle, too.
    fn is_copy(&self, circuit: &Circuit, channel: Channel, cycle: &BTreeSet<Channel>) -> bool {
        let End::Unit(unit, port) = circuit.channels()[channel].from else {
            return false;
        };
        let unit = &circuit.units()[unit];
        let sends_each =
            |output: usize| matches!(unit.kind.origin(output), Origin::Each | Origin::Series);
        let mut outputs = unit.outputs.iter().enumerate();
        let stays = outputs.any(|(at, it)| cycle.contains(it) && sends_each(at));
        let reached = self.reached([channel].into(), |_| true);
        let passes_gate = reached.iter().any(|&it| match circuit.channels()[it].to {
            End::Unit(unit, _) => is_gate(circuit, unit),
            End::Environment(_) | End::Discarded | End::Open => false,
        });
        sends_each(port as usize) && stays && !passes_gate
    }

    /// The channels that tokens come to from some, these included, through those channels alone.
    fn reached(
        &self,
        from: BTreeSet<Channel>,
        through: impl Fn(Channel) -> bool,
    ) -> BTreeSet<Channel> {
        let mut pending: Vec<Channel> = from.iter().copied().collect();
        let mut reached = from;
        while let Some(channel) = pending.pop() {
            for &to in self.to[channel].iter().filter(|&&to| through(to)) {
                if reached.insert(to) {
                    pending.push(to);
                }
            }
        }
        reached
    }

    /// In a loop, what repeats tokens is followed by what drops some of them.
    fn repeated_tokens_are_dropped(
        &self,
        circuit: &Circuit,
        cycle: &BTreeSet<Channel>,
    ) -> Result<(), (Channel, String)> {
        for &channel in cycle.iter().filter(|&&it| is_repeated(circuit, it)) {
            let through = |to| cycle.contains(&to) && !drops_some(circuit, to);
            for &to in &self.reached([channel].into(), through) {
                if self.to[to].contains(&channel) {
                    let message = "all its tokens come back to where they are repeated".into();
                    return Err((channel, message));
                }
            }
        }
        Ok(())
    }
}

/// Whether a channel's tokens are several for each that its unit takes.
fn is_repeated(circuit: &Circuit, channel: Channel) -> bool {
    match circuit.channels()[channel].from {
        End::Unit(unit, port) => circuit.units()[unit].kind.origin(port as usize) == Origin::Series,
        End::Environment(_) | End::Discarded | End::Open => false,
    }
}

/// Whether a channel's unit drops some of the tokens that come to it.
fn drops_some(circuit: &Circuit, channel: Channel) -> bool {
    let End::Unit(unit, port) = circuit.channels()[channel].from else {
        return false;
    };
    let unit = &circuit.units()[unit];
    match unit.kind.origin(port as usize) {
        Origin::Among(_) => true,
        Origin::Any => unit.outputs.iter().any(|&it| is_dropped(circuit, it)),
        Origin::Each
        | Origin::Series
        | Origin::Input(_)
        | Origin::Complete(_)
        | Origin::Lent { .. }
        | Origin::Unit => false,
    }
}

/// Whether nothing comes of a channel's tokens.
fn is_dropped(circuit: &Circuit, channel: Channel) -> bool {
    match circuit.channels()[channel].to {
        End::Discarded => true,
        End::Unit(unit, _) => circuit.units()[unit].outputs.is_empty(),
        End::Environment(_) | End::Open => false,
    }
}

/// The channels of a cycle that come from credits, if there are some; or what is wrong, and where.
fn credits(
    circuit: &Circuit,
    cycle: &BTreeSet<Channel>,
) -> Option<Result<BTreeSet<Channel>, (Channel, String)>> {
    let mut heads = BTreeSet::new();
    let mut problem = None;
    for &channel in cycle {
        let End::Unit(unit, port) = circuit.channels()[channel].from else {
            continue;
        };
        let unit = &circuit.units()[unit];
        if unit.kind.passage() == Passage::Credits {
            heads.insert(channel);
            continue;
        }
        let is_inside = |channel: &Channel| cycle.contains(channel);
        let is_one_for_one = match unit.kind.origin(port as usize) {
            Origin::Each => true,
            // Some of its ports outside would let tokens in or out.
            Origin::Any => unit.inputs.iter().chain(&unit.outputs).all(is_inside),
            Origin::Input(input) | Origin::Complete(input) | Origin::Lent { to: input, .. } => {
                is_inside(&unit.inputs[input])
            }
            Origin::Series | Origin::Among(_) | Origin::Unit => false,
        };
        if !is_one_for_one && problem.is_none() {
            let message = format!(
                "its cycle passes credits, and `{}` does not give one token for each that it takes",
                unit.name
            );
            problem = Some((channel, message));
        }
    }
    match (heads.is_empty(), problem) {
        (true, _) => None,
        (false, Some(problem)) => Some(Err(problem)),
        (false, None) => Some(Ok(heads)),
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
            End::Unit(unit, _) => return circuit.units()[unit].outputs.is_empty(),
            End::Environment(_) | End::Open => return false,
        }
    }
    false
}
