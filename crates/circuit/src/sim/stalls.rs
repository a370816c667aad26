//! Stalls: where tokens stand, for how long, and because of whom.
//!
//! In each cycle a channel is *idle* (no token stands there), *passes* its token on at the cycle's
//! end, or is *stalled*: a token stands there and is not taken, because the consumer does not take
//! or, if it joins, because another of its inputs is missing. Every stalled channel has, in every
//! cycle, one unit as its cause: the one where the steps of [`super::waits`] end. Where these come
//! back to where they were, the unit there is the cause.
//!
//! A token that stood and passes in this very cycle still holds its producer up where no other token
//! does. So room that moves up a full pipeline is not the fault of the units that it passes.
//!
//! This is exact in each cycle, and costs only where something changes: a channel is looked at when
//! it changes, the steps are done anew only when a change touches a unit that they came by, and
//! what they found counts for as many cycles as it stays true.

use super::stall_report::{ChannelUse, Names, Stalls};
use super::topology::Topology;
use super::waits::{Cause, Channels, State, Waits};
use super::wires::Wires;
use crate::circuit::Circuit;

/// What is known of a channel.
#[derive(Clone, Debug)]
struct Track {
    /// The first cycle in this state.
    since: u64,
    /// The last cycle in which a token passes, plus one.
    passes_in: u64,
    /// Cycles in which a token passed, and in which one was stalled, before `since`.
    passed: u64,
    stalled: u64,
    state: State,
    /// The token that passes has stood before.
    waited: bool,
    /// Its consumer takes tokens.
    taking: bool,
}

impl Track {
    /// Cycles in which a token passed or was stalled before `cycle`.
    fn counts(&self, cycle: u64) -> (u64, u64) {
        let now = cycle - self.since;
        match self.state {
            State::Idle => (self.passed, self.stalled),
            State::Stalled => (self.passed, self.stalled + now),
            State::Passes => (self.passed + now, self.stalled),
        }
    }
}

/// The channels in a cycle.
struct Now<'a> {
    tracks: &'a [Track],
    cycle: u64,
}

impl Channels for Now<'_> {
    fn state(&self, channel: u32) -> State {
        self.tracks[channel as usize].state
    }

    fn is_taking(&self, channel: u32) -> bool {
        self.tracks[channel as usize].taking
    }

    fn passed(&self, channel: u32) -> u64 {
        self.tracks[channel as usize].counts(self.cycle).0
    }

    fn stands(&self, channel: u32) -> Option<u64> {
        let track = &self.tracks[channel as usize];
        match track.state {
            State::Stalled => Some(track.since),
            State::Passes if track.waited => Some(self.cycle),
            State::Passes | State::Idle => None,
        }
    }
}

/// What a search has found: a cause, and the unit nearest to it on the way that works for a source
/// line, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Found {
    cause: u32,
    user: u32,
}

/// No unit.
const NONE: u32 = u32::MAX;

/// Watches the channels.
#[derive(Debug)]
pub(super) struct Observer {
    topology: Topology,
    names: Names,
    tracks: Vec<Track>,
    /// By unit: stalled channels at its inputs.
    stalled_inputs: Vec<u32>,
    /// The units with such inputs, and by unit its place among them.
    holding: Vec<u32>,
    places: Vec<u32>,
    searches: Searches,
    /// By unit: stalled cycles it is the cause of, and those it is the nearest of with a line.
    caused: Vec<u64>,
    used: Vec<u64>,
    /// Stalled cycles without a source line.
    without_line: u64,
}

/// The searches for causes, and what they have found.
#[derive(Debug)]
struct Searches {
    /// By question (why a unit does not take; behind them, why a channel's token is missing): when
    /// it was asked and answered last.
    marks: Vec<u64>,
    found: Vec<Found>,
    /// By unit: the last round of searches that came by.
    visited: Vec<u64>,
    round: u64,
    path: Vec<u32>,
    /// What holds from `since` on: causes, and how many stalled channels have each.
    since: u64,
    current: Vec<(Found, u32)>,
}

impl Observer {
    /// Begins with what is driven in the first cycle.
    pub(super) fn new(circuit: &Circuit, wires: &Wires) -> Observer {
        assert_eq!(wires.cycle, 0, "tokens are counted from the beginning");
        let topology = Topology::of(circuit);
        let (units, channels) = (topology.unit_count(), topology.channel_count());
        let track = Track {
            since: 0,
            passes_in: 0,
            passed: 0,
            stalled: 0,
            state: State::Idle,
            waited: false,
            taking: false,
        };
        let nothing = Found {
            cause: NONE,
            user: NONE,
        };
        let mut observer = Observer {
            names: Names::of(circuit),
            tracks: vec![track; channels],
            stalled_inputs: vec![0; units],
            holding: Vec::new(),
            places: vec![0; units],
            searches: Searches {
                marks: vec![0; units + channels],
                found: vec![nothing; units + channels],
                visited: vec![0; units],
                round: 0,
                path: Vec::new(),
                since: 0,
                current: Vec::new(),
            },
            caused: vec![0; units],
            used: vec![0; units],
            without_line: 0,
            topology,
        };
        observer.look(wires, 0..channels as u32);
        observer
    }

    /// What is driven in the cycle to come has been decided.
    pub(super) fn settled(&mut self, wires: &Wires) {
        self.look(wires, wires.settled());
    }

    /// Takes note of these channels and of those where tokens pass.
    fn look(&mut self, wires: &Wires, changed: impl Iterator<Item = u32>) {
        let mut touched = false;
        let mark = wires.cycle + 1;
        for channel in wires.firing() {
            self.tracks[channel as usize].passes_in = mark;
            touched |= self.note(channel, State::Passes, true, wires.cycle);
        }
        for channel in changed {
            if self.tracks[channel as usize].passes_in == mark {
                continue;
            }
            let (valid, ready) = wires.driven(channel);
            let state = if valid { State::Stalled } else { State::Idle };
            touched |= self.note(channel, state, ready, wires.cycle);
        }
        if touched {
            self.count_causes(wires.cycle);
            self.search(wires.cycle);
        } else if cfg!(debug_assertions) {
            self.check(wires.cycle);
        }
    }

    /// What was found before is what would be found now.
    fn check(&mut self, cycle: u64) {
        let before = self.searches.current.clone();
        self.search(cycle);
        assert_eq!(before, self.searches.current, "causes change by changes");
    }

    /// Takes note of a channel's state; gives whether causes may have changed.
    fn note(&mut self, channel: u32, state: State, taking: bool, cycle: u64) -> bool {
        let track = &mut self.tracks[channel as usize];
        if track.state == state && track.taking == taking && !track.waited {
            return false;
        }
        let before = track.state;
        if before != state {
            (track.passed, track.stalled) = track.counts(cycle);
            (track.since, track.state) = (cycle, state);
        }
        track.waited = before == State::Stalled && state == State::Passes;
        track.taking = taking;
        let consumer = self.topology.consumer(channel);
        if before != state {
            match (before, state) {
                (State::Stalled, _) => self.unlist(consumer),
                (_, State::Stalled) => self.list(consumer),
                (State::Idle | State::Passes, State::Idle | State::Passes) => {}
            }
        }
        let visited = |unit: u32| self.searches.visited[unit as usize] == self.searches.round;
        state == State::Stalled
            || before == State::Stalled
            || visited(consumer)
            || visited(self.topology.producer(channel))
    }

    /// One more input of a unit is stalled.
    fn list(&mut self, unit: u32) {
        let inputs = &mut self.stalled_inputs[unit as usize];
        *inputs += 1;
        if *inputs == 1 {
            self.places[unit as usize] = self.holding.len() as u32;
            self.holding.push(unit);
        }
    }

    /// One input of a unit less is stalled.
    fn unlist(&mut self, unit: u32) {
        let inputs = &mut self.stalled_inputs[unit as usize];
        *inputs -= 1;
        if *inputs == 0 {
            let place = self.places[unit as usize];
            self.holding.swap_remove(place as usize);
            if let Some(&moved) = self.holding.get(place as usize) {
                self.places[moved as usize] = place;
            }
        }
    }

    /// What was found last has been true until `cycle`.
    fn count_causes(&mut self, cycle: u64) {
        let cycles = cycle - self.searches.since;
        self.searches.since = cycle;
        for &(found, channels) in &self.searches.current {
            let stalled = cycles * u64::from(channels);
            self.caused[found.cause as usize] += stalled;
            match found.user {
                NONE => self.without_line += stalled,
                user => self.used[user as usize] += stalled,
            }
        }
    }

    /// Finds the causes of all stalled channels.
    fn search(&mut self, cycle: u64) {
        self.searches.round += 1;
        self.searches.current.clear();
        for place in 0..self.holding.len() {
            let unit = self.holding[place];
            let found = self.find(unit, cycle);
            if found.user == NONE {
                self.blame_producers(unit, found);
            } else {
                let channels = self.stalled_inputs[unit as usize];
                self.searches.current.push((found, channels));
            }
        }
    }

    /// Where no unit on the way from a unit has a line, its producers may have one.
    fn blame_producers(&mut self, unit: u32, found: Found) {
        for &input in self.topology.inputs(unit) {
            if self.tracks[input as usize].state == State::Stalled {
                let producer = self.topology.producer(input);
                let user = match self.names.has_lines(producer) {
                    true => producer,
                    false => NONE,
                };
                self.searches.current.push((Found { user, ..found }, 1));
            }
        }
    }

    /// The answer to a question, found anew at most once a round.
    fn find(&mut self, question: u32, cycle: u64) -> Found {
        let (asked, answered) = (2 * self.searches.round, 2 * self.searches.round + 1);
        self.searches.path.clear();
        let mut at = question;
        let mut found = loop {
            let mark = self.searches.marks[at as usize];
            if mark == answered {
                break self.searches.found[at as usize];
            }
            let unit = self.unit_of(at);
            self.searches.path.push(at);
            if mark == asked {
                break self.ends(unit);
            }
            self.searches.marks[at as usize] = asked;
            self.searches.visited[unit as usize] = self.searches.round;
            match self.step(at, cycle) {
                Cause::Untaken(output) => at = self.topology.consumer(output),
                Cause::Missing(input) => at = self.topology.unit_count() as u32 + input,
                Cause::Itself => at = unit,
                Cause::Ends => break self.ends(unit),
            }
        };
        while let Some(at) = self.searches.path.pop() {
            let unit = self.unit_of(at);
            if found.user == NONE && self.names.has_lines(unit) {
                found.user = unit;
            }
            self.searches.marks[at as usize] = answered;
            self.searches.found[at as usize] = found;
        }
        found
    }

    /// A search ends at a unit.
    fn ends(&self, unit: u32) -> Found {
        Found {
            cause: unit,
            user: NONE,
        }
    }

    /// The unit that a question is about: the one that does not take or does not give.
    fn unit_of(&self, question: u32) -> u32 {
        match question.checked_sub(self.topology.unit_count() as u32) {
            None => question,
            Some(channel) => self.topology.producer(channel),
        }
    }

    fn step(&self, question: u32, cycle: u64) -> Cause {
        let waits = Waits {
            topology: &self.topology,
            channels: &Now {
                tracks: &self.tracks,
                cycle,
            },
        };
        match question.checked_sub(self.topology.unit_count() as u32) {
            None => waits.why_not_taken(question),
            Some(channel) => waits.why_missing(channel),
        }
    }

    /// What was seen before `cycle`.
    pub(super) fn report(&mut self, cycle: u64) -> Stalls {
        self.count_causes(cycle);
        let channels = self.tracks.iter().map(|track| {
            let (passed, stalled) = track.counts(cycle);
            ChannelUse {
                passed,
                stalled,
                idle: cycle - passed - stalled,
            }
        });
        Stalls::new(
            &self.topology,
            &self.names,
            cycle,
            channels.collect(),
            (&self.caused, &self.used, self.without_line),
        )
    }
}
