//! A store: takes an address and data, and gives a token when memory has them.

use crate::access::{Access, clear, copy_piece};
use crate::elastic::{SKID, SKID_DEPTH};
use crate::operators::Cost;
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::TokenQueue;
use crate::unit::{DEEPEST, Fields, Model, Module, Origin, Passage, Port, UnitKind, require};
use crate::units::load::{VECTORS, Vector};
use crate::verilog::Source;

/// The store.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// What it writes.
    pub vector: Vector,
    /// The port that it writes through.
    pub access: Access,
    /// Stores that are done and not yet taken. One per cycle needs two.
    pub outstanding: u32,
}

const SOURCE: Source = Source {
    file: "sluice_store.v",
    text: include_str!("store.v"),
};

parameters! { UnitKind Store { vector, access, outstanding } }

impl UnitKind for Store {
    fn check(&self) -> Result<(), String> {
        self.vector.check()?;
        self.access.check()?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million stores may be done and not taken",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(IN, OUT)])
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_store".into(),
            parameters: vec![
                ("SIZE", self.vector.bytes().into()),
                ("GRAIN", self.vector.grain(self.access).into()),
                ("BYTES", self.access.bytes.into()),
                ("ADDRESS", self.access.address_bits.into()),
                ("OUTSTANDING", self.outstanding.into()),
            ],
            sources: vec![SKID, SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        let address = Fields::new([self.access.address_bits]);
        vec![Port::new("in", address.followed_by(&self.vector.fields()))]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Port::new("out", Fields::NONE),
            Port::new("request", self.access.request()),
        ]
    }

    fn origin(&self, output: usize) -> Origin {
        match output {
            OUT => Origin::Input(IN),
            _ => Origin::Unit,
        }
    }

    /// To the token that says it is done, when memory accepts at once.
    fn latency(&self) -> u32 {
        1 + self.vector.beats(self.access)
    }

    fn capacity(&self) -> u32 {
        self.outstanding + SKID_DEPTH as u32
    }

    fn cost(&self) -> Cost {
        let (size, beats) = (8 * self.vector.bytes(), self.vector.beats(self.access));
        let address = self.access.address_bits;
        let split = if beats > 1 { size } else { 0 };
        Cost {
            luts: address + size + split + 20,
            ffs: 2 * (address + size) + beats.ilog2() + 5,
            ..Cost::default()
        }
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            kind: self.clone(),
            grain: self.vector.grain(self.access),
            beats: self.vector.beats(self.access),
            tokens: TokenQueue::new(1 + self.vector.lanes as usize),
            beat: 0,
            owed: 0,
            packed: vec![0; self.vector.words(self.access)],
        })
    }
}

const IN: usize = 0;
const OUT: usize = 0;
const REQUEST: usize = 1;

struct Behaviour {
    kind: Store,
    grain: u32,
    beats: u32,
    tokens: TokenQueue,
    /// Requests accepted for the first token.
    beat: u32,
    /// Stores done and not taken.
    owed: u32,
    packed: Vec<u64>,
}

impl Behaviour {
    /// Writes the request for the first token's next beat.
    fn prepare(&mut self, request: &mut [u64]) {
        let (access, vector) = (self.kind.access, self.kind.vector);
        let token = self.tokens.front();
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
        if let Some(token) = io.taken(IN) {
            self.tokens.push(token);
        }
        if !self.tokens.is_empty() && self.owed < self.kind.outstanding && !io.offering(REQUEST) {
            self.prepare(io.offer_place(REQUEST));
        }
        if self.owed != 0 && !io.offering(OUT) {
            io.offer(OUT, &[]);
        }
        io.accept(IN, self.tokens.len() < SKID_DEPTH);
    }
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let choices = VECTORS.iter().zip([1, 2, 3, 4, 2, 2, 7, 8, 2, 16]);
    choices
        .map(|(&(lanes, lane_bits, alignment, bytes), outstanding)| {
            Box::new(Store {
                vector: Vector {
                    lanes,
                    lane_bits,
                    alignment,
                },
                access: Access {
                    bytes,
                    address_bits: 20 + lanes,
                },
                outstanding,
            }) as Box<dyn UnitKind>
        })
        .collect()
}
