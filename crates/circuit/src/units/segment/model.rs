//! The behaviour of a segment: a token is computed when it enters, and then waits for its time.

use super::Segment;
use super::program::Program;
use crate::sim::Io;
use crate::unit::Model;

/// The behaviour.
pub(super) struct Behaviour {
    program: Program,
    outputs: Vec<Waiting>,
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
        Behaviour {
            program: Program::of(&segment.graph),
            outputs: outputs.collect(),
        }
    }
}

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
        self.outputs.iter_mut().for_each(Waiting::clear);
        io.accept(0, true);
    }

    fn configure(&mut self, constants: &[u64]) {
        self.program.set_constants(constants);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        let enters = io.takes(0);
        if enters {
            let all = "tokens are taken from all inputs at once";
            self.program.run(|port| io.taken(port).expect(all));
        }
        let entering = enters.then_some(&self.program);
        let mut room = true;
        for (port, output) in self.outputs.iter_mut().enumerate() {
            output.clock(port, io, entering);
            room &= output.held < output.capacity;
        }
        io.accept(0, room);
    }
}
