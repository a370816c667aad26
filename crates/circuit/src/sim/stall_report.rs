//! What was seen of stalls, by unit, source line and channel.

use std::collections::BTreeMap;
use std::fmt;

use cranelift_entity::{EntityRef, SecondaryMap};

use super::topology::Topology;
use crate::circuit::{Channel, Circuit, Unit};

/// Where tokens stood in a run, and because of whom.
///
/// A stalled cycle is a cycle of one channel in which a token stands there and is not taken, be it
/// that the consumer does not take, or that another input of a joining one is missing. It has one
/// cause: from the consumer on to the unit that does not take its longest-standing output, or that
/// does not give the input or the answer that it needs, until a unit waits for no other or the environment
/// is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stalls {
    /// Cycles of the run.
    pub cycles: u64,
    /// Stalled cycles of all channels together.
    pub stalled: u64,
    /// The units that caused any, held any up or were held up, the worst cause first. All that they
    /// caused is `stalled`.
    pub units: Vec<UnitStalls>,
    /// The source lines of the causes, the worst first. A unit that works for several lines counts
    /// for each; one that works for none (a cache, external memory) counts for the unit with lines
    /// that was nearest to it on the way from the stalled channel.
    pub lines: Vec<LineStalls>,
    /// Stalled cycles that no source line can be blamed for.
    pub without_line: u64,
    /// How each channel was used.
    pub channels: SecondaryMap<Channel, ChannelUse>,
}

/// A unit's part in stalls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitStalls {
    /// The unit; `None` is the environment.
    pub unit: Option<Unit>,
    /// Its name.
    pub name: String,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
    /// Stalled cycles, anywhere, that it is the cause of.
    pub caused: u64,
    /// Stalled cycles at its inputs: it held others up, if only because it was held up itself.
    pub held_up_others: u64,
    /// Stalled cycles at its outputs: it was held up.
    pub was_held_up: u64,
}

/// A source line's part in stalls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineStalls {
    /// The line.
    pub line: u32,
    /// Stalled cycles that units working for it caused.
    pub caused: u64,
}

/// How a channel was used: each cycle is one of three.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChannelUse {
    /// Cycles in which a token passed: the number of tokens.
    pub passed: u64,
    /// Cycles in which a token stood and was not taken.
    pub stalled: u64,
    /// Cycles without a token.
    pub idle: u64,
}

/// The names and source lines of units, the environment last.
#[derive(Debug)]
pub(super) struct Names(Vec<(String, Vec<u32>)>);

impl Names {
    pub(super) fn of(circuit: &Circuit) -> Names {
        let units = circuit.units().values();
        let mut names: Vec<_> = units
            .map(|unit| (unit.name.clone(), unit.lines.clone()))
            .collect();
        names.push(("the environment".into(), Vec::new()));
        names.push(("a discarded output".into(), Vec::new()));
        Names(names)
    }

    pub(super) fn has_lines(&self, unit: u32) -> bool {
        !self.0[unit as usize].1.is_empty()
    }

    pub(super) fn name(&self, unit: u32) -> &str {
        &self.0[unit as usize].0
    }

    pub(super) fn lines(&self, unit: u32) -> &[u32] {
        &self.0[unit as usize].1
    }
}

impl Stalls {
    /// Puts together what was counted: by unit what it caused, by unit what is blamed on its lines,
    /// and what on none.
    pub(super) fn new(
        topology: &Topology,
        names: &Names,
        cycles: u64,
        channels: Vec<ChannelUse>,
        (caused, blamed, without_line): (&[u64], &[u64], u64),
    ) -> Stalls {
        let stalled = |of: &[u32]| of.iter().map(|&c| channels[c as usize].stalled).sum();
        let units = (0..topology.unit_count() as u32).map(|unit| UnitStalls {
            unit: topology.unit(unit),
            name: names.name(unit).into(),
            lines: names.lines(unit).into(),
            caused: caused[unit as usize],
            held_up_others: stalled(topology.inputs(unit)),
            was_held_up: stalled(topology.outputs(unit)),
        });
        let concerned =
            |unit: &UnitStalls| unit.caused + unit.held_up_others + unit.was_held_up > 0;
        let mut units: Vec<UnitStalls> = units.filter(concerned).collect();
        units.sort_by_key(|unit| std::cmp::Reverse(unit.caused));
        let mut lines = BTreeMap::new();
        for (unit, &cycles) in blamed.iter().enumerate() {
            for &line in names.lines(unit as u32).iter().filter(|_| cycles > 0) {
                *lines.entry(line).or_insert(0) += cycles;
            }
        }
        let lines = lines.into_iter();
        let mut lines: Vec<_> = lines
            .map(|(line, caused)| LineStalls { line, caused })
            .collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.caused));
        let mut by_channel = SecondaryMap::new();
        for (channel, &used) in channels.iter().enumerate() {
            by_channel[Channel::new(channel)] = used;
        }
        Stalls {
            cycles,
            stalled: channels.iter().map(|channel| channel.stalled).sum(),
            units,
            lines,
            without_line,
            channels: by_channel,
        }
    }
}

impl fmt::Display for Stalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} cycles, {} stalled", self.cycles, self.stalled)?;
        let percent = |part: u64| 100.0 * part as f64 / self.stalled.max(1) as f64;
        for line in &self.lines {
            let share = percent(line.caused);
            writeln!(f, "{:>10} {share:5.1} %  line {}", line.caused, line.line)?;
        }
        if self.without_line > 0 {
            let share = percent(self.without_line);
            writeln!(f, "{:>10} {share:5.1} %  no line", self.without_line)?;
        }
        for unit in self.units.iter().filter(|unit| unit.caused > 0) {
            let share = percent(unit.caused);
            writeln!(f, "{:>10} {share:5.1} %  {}", unit.caused, unit.name)?;
        }
        Ok(())
    }
}
