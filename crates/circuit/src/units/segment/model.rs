//! The behaviour of a segment: a token is computed when it enters, and then waits for its time.
//! What it leaves for the next one is there at once: none enters before it could be used.

use super::Segment;
use super::program::Program;
use crate::sim::Io;
use crate::unit::Model;

/// The behaviour of a segment that takes each token once.
pub(super) struct Behaviour {
    program: Program,
    outputs: Vec<Waiting>,
    interval: u64,
    /// The first cycle in which the next token may enter.
    open_at: u64,
}

/// The behaviour of a segment that repeats its tokens.
pub(super) struct Repeating {
    program: Program,
    outputs: Vec<Waiting>,
    interval: u64,
    open_at: u64,
    /// Cycles from entering until it is known whether the tokens enter again.
    decided_after: u64,
    /// At the end of which cycle the tokens leave that have entered for the last time.
    leave_at: Option<u64>,
    /// Whether there are tokens that enter; the program has them.
    is_full: bool,
    /// By input, the token behind these.
    next: Vec<Vec<u64>>,
    is_next_full: bool,
}

/// The tokens on their way to the outputs of a segment.
fn outputs(segment: &Segment) -> Vec<Waiting> {
    let queues = segment.storage.queues.iter();
    let outputs = queues.zip(&segment.graph.outputs).map(|(queue, output)| {
        let capacity = queue.depth as usize + 1;
        Waiting {
            latency: queue.moves_after().into(),
            capacity,
            stride: 1 + output.fields.len(),
            held: 0,
            words: vec![0; capacity * (1 + output.fields.len())],
            first: 0,
            end: 0,
            len: 0,
            woken: 0,
        }
    });
    outputs.collect()
}

/// The tokens on their way to an output, in a ring.
struct Waiting {
    /// Cycles from entering until the token can move into the register at the end.
    latency: u64,
    capacity: usize,
    /// Words of a place in the ring: from which edge on the token can move into the register, then
    /// its fields.
    stride: usize,
    /// Tokens that have entered and are not yet taken.
    held: usize,
    words: Vec<u64>,
    /// Where the first token is, and where the next one comes.
    first: usize,
    end: usize,
    len: usize,
    /// The cycle for which a call is asked for last.
    woken: u64,
}

impl Behaviour {
    pub(super) fn new(segment: &Segment) -> Behaviour {
        Behaviour {
            program: Program::of(&segment.graph),
            outputs: outputs(segment),
            interval: segment.interval().into(),
            open_at: 0,
        }
    }
}

impl Repeating {
    pub(super) fn new(segment: &Segment) -> Repeating {
        let decided = segment.schedule.repeat;
        Repeating {
            program: Program::of(&segment.graph),
            outputs: outputs(segment),
            interval: segment.interval().into(),
            open_at: 0,
            decided_after: decided.expect("the segment repeats its tokens").into(),
            leave_at: None,
            is_full: false,
            next: vec![Vec::new(); segment.graph.inputs.len()],
            is_next_full: false,
        }
    }

    /// The tokens that stand behind those that enter, or that come just now, enter from now on.
    fn advance(&mut self, io: &Io<'_>) {
        if self.is_next_full {
            let next = &self.next;
            self.program.load(|port| &next[port]);
            (self.is_full, self.is_next_full) = (true, false);
        } else if io.takes(0) {
            self.program.load(|port| io.taken(port).expect(ALL_AT_ONCE));
            self.is_full = true;
        } else {
            self.is_full = false;
        }
    }

    /// Keeps the tokens that come just now.
    fn keep(&mut self, io: &Io<'_>) {
        for (port, next) in self.next.iter_mut().enumerate() {
            next.clear();
            next.extend_from_slice(io.taken(port).expect(ALL_AT_ONCE));
        }
        self.is_next_full = true;
    }
}

const ALL_AT_ONCE: &str = "tokens are taken from all inputs at once";

impl Waiting {
    fn clear(&mut self) {
        (self.held, self.first, self.end) = (0, 0, 0);
        (self.len, self.woken) = (0, 0);
    }

    /// A place for a token that enters in this cycle.
    #[inline]
    fn push(&mut self, cycle: u64) -> &mut [u64] {
        let start = self.end;
        self.end += self.stride;
        if self.end == self.words.len() {
            self.end = 0;
        }
        self.len += 1;
        self.held += 1;
        let [moves_at, token @ ..] = &mut self.words[start..start + self.stride] else {
            unreachable!("a place has a word for the time");
        };
        *moves_at = cycle + self.latency;
        token
    }

    /// The first token, and from which edge on it can move into the register.
    #[inline]
    fn front(&self) -> Option<(u64, &[u64])> {
        if self.len == 0 {
            return None;
        }
        let (&moves_at, token) = self.words[self.first..self.first + self.stride].split_first()?;
        Some((moves_at, token))
    }

    /// A clock edge: the first token moves into the register if it can, then another one enters.
    #[inline]
    fn clock(&mut self, port: usize, io: &mut Io<'_>, entering: Option<&Program>) {
        let cycle = io.cycle();
        self.held -= usize::from(io.given(port));
        let mut free = !io.offering(port);
        if free
            && let Some((moves_at, token)) = self.front()
            && moves_at <= cycle
        {
            io.offer(port, token);
            self.first += self.stride;
            if self.first == self.words.len() {
                self.first = 0;
            }
            self.len -= 1;
            free = false;
        }
        if let Some(program) = entering {
            program.output(port, self.push(cycle));
        }
        // Asks for the edge at which the first token can move, if the register is free for it.
        if free && let Some((moves_at, _)) = self.front() {
            let at = moves_at.max(cycle + 1);
            if at != self.woken {
                self.woken = at;
                io.wake(at);
            }
        }
    }
}

impl Model for Behaviour {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.program.set_constants(constants);
        self.program.clear_states();
        self.outputs.iter_mut().for_each(Waiting::clear);
        self.open_at = 0;
        io.accept(0, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        self.program.set_constants(constants);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let enters = io.takes(0);
        if enters {
            self.program.run(|port| io.taken(port).expect(ALL_AT_ONCE));
        }
        let entering = enters.then_some(&self.program);
        let mut room = true;
        for (port, output) in self.outputs.iter_mut().enumerate() {
            output.clock(port, io, entering);
            room &= output.held < output.capacity;
        }
        if enters {
            self.program.leave_states();
            if self.interval > 1 {
                self.open_at = io.cycle() + self.interval;
                io.wake(self.open_at - 1);
            }
        }
        io.accept(0, room && io.cycle() + 1 >= self.open_at);
    }
}

impl Model for Repeating {
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>) {
        self.program.set_constants(constants);
        self.program.clear_states();
        self.outputs.iter_mut().for_each(Waiting::clear);
        (self.open_at, self.leave_at) = (0, None);
        (self.is_full, self.is_next_full) = (false, false);
        io.accept(0, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        self.program.set_constants(constants);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let cycle = io.cycle();
        let has_room = |outputs: &[Waiting]| outputs.iter().all(|it| it.held < it.capacity);
        let enters = self.is_full && cycle >= self.open_at && has_room(&self.outputs);
        if enters {
            self.program.compute();
            self.open_at = cycle + self.interval;
            if !self.program.repeats() {
                self.leave_at = Some(cycle + self.decided_after);
            }
        }
        let entering = enters.then_some(&self.program);
        for (port, output) in self.outputs.iter_mut().enumerate() {
            output.clock(port, io, entering);
        }
        if enters {
            self.program.leave_states();
        }
        if self.leave_at == Some(cycle) {
            self.leave_at = None;
            self.advance(io);
        } else if !self.is_full {
            self.advance(io);
        } else if io.takes(0) {
            self.keep(io);
        }
        io.accept(0, !self.is_next_full);
        if let Some(leave_at) = self.leave_at {
            io.wake(leave_at);
        }
        if self.is_full && has_room(&self.outputs) {
            io.wake(self.open_at.max(cycle + 1));
        }
    }
}
