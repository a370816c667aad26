//! Who waits for whom: what a watchdog says of a deadlock.

use std::collections::BTreeSet;
use std::fmt;

use cranelift_entity::EntityRef;

use super::topology::Topology;
use super::waits::{Cause, Channels, State, Waits};
use super::wires::Wires;
use crate::circuit::{Channel, Circuit, Unit};
use crate::unit::Origin;

/// Who waits for whom, and the ring of those who wait for each other, if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// From this cycle on nothing has happened.
    pub since: u64,
    /// Units that wait for each other in a ring, each for the next and the last for the first:
    /// a deadlock. Empty if there is none: then a unit waits for the environment, or for nothing.
    pub ring: Vec<Wait>,
    /// All others who wait.
    pub others: Vec<Wait>,
}

/// A unit that waits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wait {
    /// Who waits.
    pub who: Party,
    /// For whom.
    pub whom: Party,
    /// At which channel.
    pub channel: Channel,
    /// Its name.
    pub channel_name: String,
    /// What for.
    pub why: Why,
}

/// What a unit waits for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Why {
    /// That the token it offers is taken.
    Taking,
    /// That a token that it needs is given.
    Giving,
}

/// A unit of the circuit, or its environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    /// The unit; `None` is the environment.
    pub unit: Option<Unit>,
    /// Its name.
    pub name: String,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
}

/// The channels when nothing happens: a token that stands is stalled.
struct Still<'a> {
    topology: &'a Topology,
    wires: &'a Wires,
}

impl Channels for Still<'_> {
    fn state(&self, channel: u32) -> State {
        let passes = |channel| {
            let (valid, ready) = self.wires.driven(channel);
            valid && ready
        };
        let consumer = self.topology.consumer(channel);
        let all = self.topology.inputs(consumer);
        let joined = self.topology.is_joining(consumer);
        match self.wires.driven(channel) {
            (false, _) => State::Idle,
            (true, true) if !joined || all.iter().all(|&it| passes(it)) => State::Passes,
            (true, _) => State::Stalled,
        }
    }

    fn is_taking(&self, channel: u32) -> bool {
        self.wires.driven(channel).1
    }

    fn passed(&self, channel: u32) -> u64 {
        self.wires.passed(channel)
    }

    /// Of the outputs of a unit the one that has passed fewest tokens is the one that keeps it from
    /// giving more.
    fn stands(&self, channel: u32) -> Option<u64> {
        (self.state(channel) == State::Stalled).then(|| self.wires.passed(channel))
    }
}

/// A wait while it is searched: who, at which channel, what for.
type Found = (u32, u32, Why);

/// A question, as in [`super::waits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    NotTaking(u32),
    Missing(u32),
}

pub(super) fn waiting(circuit: &Circuit, wires: &Wires, since: u64) -> Waiting {
    let topology = Topology::of(circuit);
    let search = Search {
        waits: Waits {
            topology: &topology,
            channels: &Still {
                topology: &topology,
                wires,
            },
        },
    };
    let (mut all, mut ring) = (BTreeSet::new(), Vec::new());
    for channel in 0..topology.channel_count() as u32 {
        if let Some((found, question)) = search.beginning(channel) {
            let (found, closed) = search.follow(found, question);
            if ring.is_empty() {
                ring = closed;
            }
            all.extend(found);
        }
    }
    let wait = |&found: &Found| wait(circuit, &topology, found);
    let others = all.iter().filter(|found| !ring.contains(found));
    Waiting {
        since,
        others: others.map(wait).collect(),
        ring: ring.iter().map(wait).collect(),
    }
}

struct Search<'a> {
    waits: Waits<'a, Still<'a>>,
}

impl Search<'_> {
    /// What there is to ask about a channel: why its token is not taken, or, if its producer holds
    /// tokens that are not complete, why it has none.
    fn beginning(&self, channel: u32) -> Option<(Vec<Found>, Question)> {
        let Waits { topology, channels } = self.waits;
        let producer = topology.producer(channel);
        if channels.state(channel) == State::Stalled {
            let wait = (producer, channel, Why::Taking);
            return Some((vec![wait], Question::NotTaking(topology.consumer(channel))));
        }
        match topology.origin(channel) {
            Origin::Complete(port) => {
                let brought = channels.passed(topology.inputs(producer)[port]);
                let holds = brought > channels.passed(channel);
                holds.then(|| (Vec::new(), Question::Missing(channel)))
            }
            Origin::Each
            | Origin::Series
            | Origin::Any
            | Origin::Input(_)
            | Origin::Among(_)
            | Origin::Lent { .. }
            | Origin::Unit => None,
        }
    }

    /// Follows from the first question on. Gives all waits on the way, and those of the ring that
    /// the way ends in.
    fn follow(&self, mut found: Vec<Found>, mut question: Question) -> (Vec<Found>, Vec<Found>) {
        let topology = self.waits.topology;
        let mut asked: Vec<(Question, usize)> = Vec::new();
        loop {
            if let Some(&(_, first)) = asked.iter().find(|(it, _)| *it == question) {
                let ring = from_first_unit(found[first..].to_vec());
                return (found, ring);
            }
            asked.push((question, found.len()));
            let (unit, step) = match question {
                Question::NotTaking(unit) => (unit, self.waits.why_not_taken(unit)),
                Question::Missing(channel) => {
                    let unit = topology.producer(channel);
                    (unit, self.waits.why_missing(channel))
                }
            };
            question = match step {
                Cause::Untaken(output) => {
                    found.push((unit, output, Why::Taking));
                    Question::NotTaking(topology.consumer(output))
                }
                Cause::Missing(input) => {
                    found.push((unit, input, Why::Giving));
                    Question::Missing(input)
                }
                Cause::Itself => Question::NotTaking(unit),
                Cause::Ends => return (found, Vec::new()),
            };
        }
    }
}

/// A ring that begins with its first unit, wherever it was entered.
fn from_first_unit(mut ring: Vec<Found>) -> Vec<Found> {
    let first = (0..ring.len()).min_by_key(|&at| ring[at]);
    ring.rotate_left(first.unwrap_or(0));
    ring
}

fn wait(circuit: &Circuit, topology: &Topology, (who, channel, why): Found) -> Wait {
    let whom = match why {
        Why::Taking => topology.consumer(channel),
        Why::Giving => topology.producer(channel),
    };
    let party = |unit: u32| match topology.unit(unit) {
        Some(unit) => Party {
            unit: Some(unit),
            name: circuit.units()[unit].name.clone(),
            lines: circuit.units()[unit].lines.clone(),
        },
        None => Party {
            unit: None,
            name: "the environment".into(),
            lines: Vec::new(),
        },
    };
    let channel = Channel::new(channel as usize);
    Wait {
        who: party(who),
        whom: party(whom),
        channel,
        channel_name: circuit.channels()[channel].name.clone(),
        why,
    }
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "nothing has happened since cycle {}", self.since)?;
        if !self.ring.is_empty() {
            writeln!(f, "these wait for each other in a ring:")?;
            self.ring.iter().try_for_each(|it| writeln!(f, "  {it}"))?;
        }
        if !self.others.is_empty() {
            let also = if self.ring.is_empty() { "" } else { " too" };
            writeln!(f, "these wait{also}:")?;
            self.others
                .iter()
                .try_for_each(|it| writeln!(f, "  {it}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.why {
            Why::Taking => "take",
            Why::Giving => "give",
        };
        let (who, whom, channel) = (&self.who, &self.whom, &self.channel_name);
        write!(f, "{who} waits for {whom} to {verb} {channel}")
    }
}

impl fmt::Display for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines.iter().map(u32::to_string).collect();
        let lines = lines.join(", ");
        match self.lines.len() {
            0 => write!(f, "{}", self.name),
            1 => write!(f, "{} (line {lines})", self.name),
            _ => write!(f, "{} (lines {lines})", self.name),
        }
    }
}
