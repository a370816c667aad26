//! A store: takes an address and data, and gives a token when memory has them.
//!
//! When that is depends on what lies behind the port: if it keeps its requests in order, a write is
//! done when it was accepted; otherwise, when it is acknowledged.

use crate::access::{Access, Enable, clear, copy_piece};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, Queue, SKID, SKID_DEPTH, TALLY};
use crate::sim::Io;
use crate::text::{choices, parameters};
use crate::token_queue::TokenQueue;
use crate::unit::{
    DEEPEST, Fields, Model, Module, Origin, Passage, Port, Question, UnitKind, require,
};
use crate::units::fifo::{self, bits_of};
use crate::units::load::{Vector, transfers};
use crate::verilog::Source;

/// The store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// What it writes.
    pub vector: Vector,
    /// The port that it writes through.
    pub access: Access,
    /// Stores whose requests were all accepted and whose token was not yet taken. One per cycle
    /// needs two, and as many more as cycles pass from a request to its acknowledgement.
    pub outstanding: u32,
    /// When it is done.
    pub done: Done,
    /// Whether each token is a store. One that is none sends no request.
    pub enable: Enable,
}

/// When a write is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    /// When its request was accepted.
    Accepted,
    /// When memory says so: with one token for each request, in the order of the requests.
    Acknowledged,
}

impl Store {
    /// Addresses and data.
    pub const IN: Input<Store> = Input::new(0, "in");
    /// The memory's acknowledgements, if there are any ([`Done::Acknowledged`]).
    pub const ACKNOWLEDGED: Input<Store> = Input::new(1, "acknowledged");
    /// Tokens of stores that are done.
    pub const OUT: Output<Store> = Output::new(0, "out");
    /// Requests to the memory.
    pub const REQUEST: Output<Store> = Output::new(1, "request");
}

impl Done {
    /// The input for acknowledgements, if there are any.
    fn input(self) -> Option<Port> {
        match self {
            Done::Accepted => None,
            Done::Acknowledged => Some(Store::ACKNOWLEDGED.carrying(Fields::NONE)),
        }
    }
}

const SOURCE: Source = Source {
    file: "sluice_store.v",
    text: include_str!("store.v"),
};

const REQUESTS: Source = Source {
    file: "sluice_store_requests.v",
    text: include_str!("store_requests.v"),
};

const ACKNOWLEDGED_SOURCE: Source = Source {
    file: "sluice_store_acknowledged.v",
    text: include_str!("store_acknowledged.v"),
};

parameters! { UnitKind Store { vector, access, outstanding, done, enable } }
choices! { Done { Accepted = "accepted", Acknowledged = "acknowledged" } }

impl UnitKind for Store {
    fn check(&self) -> Result<(), String> {
        self.vector.check()?;
        self.access.check()?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million stores may be accepted and not taken",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(IN, OUT)])
    }

    fn module(&self) -> Module {
        let (name, sources) = match self.done {
            Done::Accepted => ("sluice_store", vec![SKID, TALLY, REQUESTS, SOURCE]),
            Done::Acknowledged => {
                let mut sources = vec![SKID, TALLY, REQUESTS, ACKNOWLEDGED_SOURCE];
                if self.enable == Enable::Field {
                    sources.extend([fifo::QUEUE_MEMORY, fifo::SOURCE]);
                }
                ("sluice_store_acknowledged", sources)
            }
        };
        Module {
            name: name.into(),
            parameters: self
                .vector
                .parameters(self.access, self.outstanding, self.enable),
            sources,
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        let address = Fields::new([self.access.address_bits]);
        let fields = address.followed_by(&self.vector.fields());
        let data = Store::IN.carrying(fields.followed_by(&self.enable.fields()));
        [data].into_iter().chain(self.done.input()).collect()
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Store::OUT.carrying(Fields::NONE),
            Store::REQUEST.carrying(self.access.request()),
        ]
    }

    fn origin(&self, output: usize) -> Origin {
        match output {
            OUT => Origin::Input(IN),
            _ => Origin::Unit,
        }
    }

    fn questions(&self) -> Vec<Question> {
        let question = |_| Question {
            asked: REQUEST,
            answered: ACKNOWLEDGED,
        };
        self.done.input().map(question).into_iter().collect()
    }

    /// To the token that says it is done, when memory accepts at once. What passes from the last
    /// request to its acknowledgement is the memory's, and not counted here.
    fn latency(&self) -> u32 {
        1 + self.vector.beats(self.access)
    }

    fn capacity(&self) -> u32 {
        self.outstanding + SKID_DEPTH as u32
    }

    fn area(&self) -> Area {
        let (size, beats) = (8 * self.vector.bytes(), self.vector.beats(self.access));
        let (address, grain) = (self.access.address_bits, self.vector.grain(self.access));
        let pieces = self.access.bytes / grain;
        let guarded = u32::from(self.enable != Enable::Always);
        let split = u32::from(beats > 1);
        let [counters, order] = match (self.done, self.enable) {
            (Done::Accepted, _) => [0, 0],
            (Done::Acknowledged, Enable::Always) => [
                2 * bits_of(self.outstanding) + bits_of(self.outstanding * beats),
                0,
            ],
            (Done::Acknowledged, _) => [2 * bits_of(self.outstanding), 1],
        };
        Area::of(
            "store",
            [
                ("units", 1),
                ("split bits", split * size),
                ("split address bits", split * address),
                ("beat bits", beats.next_power_of_two().trailing_zeros()),
                (
                    "masked bytes",
                    if pieces > 1 { self.access.bytes } else { 0 },
                ),
                ("counter bits", counters),
                ("guards", guarded),
            ],
        ) + elastic::skid_area(size + address + guarded)
            + fifo::area(1, self.outstanding * beats) * order
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            kind: self.clone(),
            grain: self.vector.grain(self.access),
            beats: self.vector.beats(self.access),
            tokens: TokenQueue::new(self.inputs()[IN].fields.len()),
            is_passing: false,
            order: Queue::default(),
            beat: 0,
            owed: 0,
            awaited: 0,
            acknowledged: 0,
            done: 0,
            packed: vec![0; self.vector.words(self.access)],
            copies: copies(self.vector.grain(self.access), self.access.bytes),
        })
    }
}

/// The bits where copies of `grain` bytes start in a word, of which `bytes` are there.
fn copies(grain: u32, bytes: u32) -> u64 {
    let starts = (0..bytes.min(8)).step_by(grain as usize);
    starts.map(|byte| 1 << (8 * byte)).sum()
}

const IN: usize = Store::IN.index();
const ACKNOWLEDGED: usize = Store::ACKNOWLEDGED.index();
const OUT: usize = Store::OUT.index();
const REQUEST: usize = Store::REQUEST.index();

/// What a store that is acknowledged waits for.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum InFlight {
    #[default]
    Request,
    /// Nothing: the token is no store.
    Nothing,
}

struct Behaviour {
    kind: Store,
    grain: u32,
    beats: u32,
    tokens: TokenQueue,
    /// Whether the first token is no store, and passes at the next edge.
    is_passing: bool,
    /// What is acknowledged next, if some tokens are no stores.
    order: Queue<InFlight>,
    /// Requests accepted for the first token.
    beat: u32,
    /// Stores accepted and not taken.
    owed: u32,
    /// Requests accepted and not acknowledged.
    awaited: u32,
    /// Requests acknowledged of the first store that is not done.
    acknowledged: u32,
    /// Stores acknowledged and not taken.
    done: u32,
    packed: Vec<u64>,
    /// Where copies of the data start in the word of a request: a bit each.
    copies: u64,
}

impl Behaviour {
    /// Counts what is acknowledged; gives how many stores are done and not taken.
    fn acknowledge(&mut self, io: &mut Io<'_>, passed: bool) -> u32 {
        self.done -= u32::from(io.given(OUT));
        if io.takes(ACKNOWLEDGED) {
            self.acknowledged += 1;
            if self.acknowledged == self.beats {
                self.acknowledged = 0;
                self.done += 1;
            }
        }
        match self.kind.enable {
            Enable::Always => {
                self.awaited += u32::from(io.given(REQUEST));
                self.awaited -= u32::from(io.takes(ACKNOWLEDGED));
                io.accept(ACKNOWLEDGED, self.awaited != 0);
            }
            Enable::Field => self.keep_order(io, passed),
        }
        self.done
    }

    /// Goes on to what is acknowledged next.
    fn keep_order(&mut self, io: &mut Io<'_>, passed: bool) {
        let head = self.order.head();
        let left = match head {
            Some(InFlight::Nothing) => {
                self.done += 1;
                head
            }
            Some(InFlight::Request) => head.filter(|_| io.takes(ACKNOWLEDGED)),
            None => None,
        };
        let asked = io.given(REQUEST).then_some(InFlight::Request);
        let entering = asked.or(passed.then_some(InFlight::Nothing));
        self.order.clock(left, entering);
        let head = self.order.head();
        io.accept(ACKNOWLEDGED, head == Some(InFlight::Request));
        if self.order.moves() || head == Some(InFlight::Nothing) {
            io.wake(io.cycle() + 1);
        }
    }

    /// Whether the first token is a store.
    fn is_enabled(&self) -> bool {
        match self.kind.enable {
            Enable::Always => true,
            Enable::Field => self.tokens.front().last() != Some(&0),
        }
    }

    /// Writes the request for the first token's next beat.
    fn prepare(&mut self, request: &mut [u64]) {
        let (access, vector) = (self.kind.access, self.kind.vector);
        let token = &self.tokens.front()[..1 + vector.lanes as usize];
        if let (&[address, value], [write, to, mask, data]) = (token, &mut *request)
            && self.beats == 1
        {
            let before = address as u32 & (access.bytes - 1) & !(self.grain - 1);
            let address = address & access.address_mask();
            (*write, *to) = (1, address);
            *mask = u64::MAX >> (64 - vector.bytes()) << before;
            *data = value.wrapping_mul(self.copies);
            return;
        }
        if self.beat == 0 {
            for (lane, &value) in token[1..].iter().enumerate() {
                copy_piece(&[value], 0, &mut self.packed, lane, vector.lane_bits / 8);
            }
        }
        let address =
            token[0].wrapping_add((self.beat * self.grain).into()) & access.address_mask();
        let piece = (address & u64::from(access.bytes - 1)) >> self.grain.trailing_zeros();
        let bytes = (vector.bytes() - self.beat * self.grain).min(self.grain);
        let [write, to, mask, data @ ..] = request else {
            unreachable!("a request has an address and a mask");
        };
        (*write, *to) = (1, address);
        *mask = u64::MAX >> (64 - bytes) << (piece as u32 * self.grain);
        clear(data);
        for place in 0..(access.bytes >> self.grain.trailing_zeros()) as usize {
            let beat = self.beat as usize;
            copy_piece(&self.packed, beat, data, place, self.grain);
        }
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.tokens.clear();
        self.packed.fill(0);
        (self.beat, self.owed) = (0, 0);
        (self.awaited, self.acknowledged, self.done) = (0, 0, 0);
        self.is_passing = false;
        self.order.clear();
        io.accept(IN, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.given(OUT) {
            self.owed -= 1;
        }
        if io.given(REQUEST) {
            self.beat += 1;
            if self.beat == self.beats {
                self.beat = 0;
                self.owed += 1;
                self.tokens.pop();
            }
        }
        let passed = std::mem::take(&mut self.is_passing);
        if passed {
            self.owed += 1;
            self.tokens.pop();
        }
        if let Some(token) = io.taken(IN) {
            self.tokens.push(token);
        }
        let done = match self.kind.done {
            Done::Accepted => self.owed,
            Done::Acknowledged => self.acknowledge(io, passed),
        };
        if !self.tokens.is_empty() && self.owed < self.kind.outstanding && !io.offering(REQUEST) {
            if self.is_enabled() {
                self.prepare(io.offer_place(REQUEST));
            } else {
                self.is_passing = true;
                io.wake(io.cycle() + 1);
            }
        }
        if done != 0 && !io.offering(OUT) {
            io.offer(OUT, &[]);
        }
        io.accept(IN, self.tokens.len() < SKID_DEPTH);
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let kinds = [Done::Accepted, Done::Acknowledged].into_iter();
    let kinds = kinds.flat_map(|done| [Enable::Always, Enable::Field].map(|enable| (done, enable)));
    let choices = kinds.flat_map(|kind| {
        let transfers = transfers([1, 2, 3, 4, 2, 2, 7, 8, 2, 16]);
        transfers.map(move |transfer| (transfer, kind))
    });
    choices
        .map(|((vector, access, outstanding), (done, enable))| {
            Box::new(Store {
                vector,
                access,
                outstanding,
                done,
                enable,
            }) as Box<dyn UnitKind>
        })
        .collect()
}
