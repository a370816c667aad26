//! A load: takes an address and gives what memory holds there.

use crate::access::{Access, Enable, clear, copy_piece, piece};
use crate::area::Area;
use crate::connect::{Input, Output};
use crate::elastic::{self, PortQueue, Queue, SKID, SKID_DEPTH, Skid};
use crate::sim::Io;
use crate::text::parameters;
use crate::token_queue::copy_token;
use crate::unit::{
    DEEPEST, Fields, Model, Module, Origin, Passage, Port, Question, UnitKind, require,
};
use crate::units::fifo;
use crate::verilog::Source;

/// What a load or store moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector {
    /// Elements.
    pub lanes: u32,
    /// Bits of an element: 8, 16, 32 or 64.
    pub lane_bits: u32,
    /// What the address is known to be a multiple of, in bytes: a power of two.
    pub alignment: u32,
}

impl Vector {
    /// Bytes of all elements.
    pub fn bytes(&self) -> u32 {
        self.lanes * self.lane_bits / 8
    }

    /// Why it makes no sense, if it does not.
    pub(crate) fn check(&self) -> Result<(), String> {
        require((1..=16).contains(&self.lanes), "a vector has 1 to 16 lanes")?;
        require(
            matches!(self.lane_bits, 8 | 16 | 32 | 64),
            "an element in memory has 8, 16, 32 or 64 bits",
        )?;
        require(
            self.alignment.is_power_of_two(),
            "an alignment is a power of two",
        )
    }

    /// The fields of the elements.
    pub(crate) fn fields(&self) -> Fields {
        assert!(
            matches!(self.lane_bits, 8 | 16 | 32 | 64),
            "an element in memory has 8, 16, 32 or 64 bits, not {}",
            self.lane_bits
        );
        Fields::new(std::iter::repeat_n(self.lane_bits, self.lanes as usize))
    }

    /// Bytes per request: what surely lies within the width of the port.
    pub fn grain(&self, access: Access) -> u32 {
        assert!(
            self.alignment.is_power_of_two(),
            "alignments are powers of two"
        );
        self.alignment.min(access.bytes)
    }

    /// Requests per access.
    pub fn beats(&self, access: Access) -> u32 {
        self.bytes().div_ceil(self.grain(access))
    }

    /// The parameters of a module that moves it through a port.
    pub(crate) fn parameters(
        &self,
        access: Access,
        outstanding: u32,
        enable: Enable,
    ) -> Vec<(&'static str, u64)> {
        let sizes = [
            ("SIZE", self.bytes().into()),
            ("GRAIN", self.grain(access).into()),
            ("BYTES", access.bytes.into()),
            ("ADDRESS", access.address_bits.into()),
            ("OUTSTANDING", outstanding.into()),
        ];
        sizes.into_iter().chain(enable.parameter()).collect()
    }

    /// Words that hold all beats.
    pub(crate) fn words(&self, access: Access) -> usize {
        (self.grain(access) * self.beats(access)).div_ceil(8) as usize
    }
}

/// The load.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Load {
    /// What it reads.
    pub vector: Vector,
    /// The port that it reads through.
    pub access: Access,
    /// Loads in flight: requested, or read and not yet taken.
    pub outstanding: u32,
    /// Places for results. With one for each load in flight, responses never wait here; with fewer, the
    /// memory has to be one that others do not wait for.
    pub results: u32,
    /// Whether each token is a load. One that is none sends no request.
    pub enable: Enable,
}

impl Load {
    /// Addresses.
    pub const IN: Input<Load> = Input::new(0, "in");
    /// The memory's answers.
    pub const RESPONSE: Input<Load> = Input::new(1, "response");
    /// What was read.
    pub const OUT: Output<Load> = Output::new(0, "out");
    /// Requests to the memory.
    pub const REQUEST: Output<Load> = Output::new(1, "request");

    /// Whether results stand in a block memory: distributed ones are cheap as long as they are shallow.
    fn is_deep(&self) -> bool {
        self.results >= 64 && self.results * self.vector.bytes() >= 256
    }

    /// Whether all that is in flight is the same: whole responses are wanted, and each token is a load.
    fn is_counted(&self) -> bool {
        self.vector.grain(self.access) == self.access.bytes && self.enable == Enable::Always
    }
}

const SOURCE: Source = Source {
    file: "sluice_load.v",
    text: include_str!("load.v"),
};

parameters! { UnitKind Load { vector, access, outstanding, results, enable } }

impl UnitKind for Load {
    fn check(&self) -> Result<(), String> {
        self.vector.check()?;
        self.access.check()?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million loads may be in flight",
        )?;
        require(
            (1..=self.outstanding).contains(&self.results),
            "there are 1 or more places for results, and no more than loads in flight",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between(vec![(IN, OUT)])
    }

    fn module(&self) -> Module {
        Module {
            name: "sluice_load".into(),
            parameters: self
                .vector
                .parameters(self.access, self.outstanding, self.enable)
                .into_iter()
                .chain([("RESULTS", self.results.into())])
                .chain(self.is_deep().then_some(("BLOCK", 1)))
                .collect(),
            sources: fifo::ANY_FIFO.into_iter().chain([SKID, SOURCE]).collect(),
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        let address = Fields::new([self.access.address_bits]);
        vec![
            Load::IN.carrying(address.followed_by(&self.enable.fields())),
            Load::RESPONSE.carrying(self.access.response()),
        ]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![
            Load::OUT.carrying(self.vector.fields()),
            Load::REQUEST.carrying(self.access.request()),
        ]
    }

    fn origin(&self, output: usize) -> Origin {
        match output {
            OUT => Origin::Input(IN),
            _ => Origin::Unit,
        }
    }

    fn questions(&self) -> Vec<Question> {
        vec![Question {
            asked: REQUEST,
            answered: RESPONSE,
        }]
    }

    /// One cycle to the first request and two from the last response, three through a block memory; what lies between is the
    /// memory's, two cycles at least, or one where whole responses are wanted: one that comes sooner waits.
    fn latency(&self) -> u32 {
        2 + self.vector.beats(self.access) + u32::from(self.is_deep())
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
        // Which piece of a response is wanted waits in a queue.
        let flight = pieces.trailing_zeros() + guarded;
        Area::of(
            "load",
            [
                ("units", 1),
                ("credit bits", fifo::bits_of(self.outstanding)),
                ("bits that are not wanted", 8 * grain * (pieces - 1)),
                ("collected bits", size - size / beats),
                ("split address bits", split * address),
                ("beat bits", beats.next_power_of_two().trailing_zeros()),
                ("guarded bits", guarded * size),
            ],
        ) + elastic::skid_area(address + guarded)
            + fifo::any_area(size, self.results, self.is_deep())
            + match flight {
                0 => Area::default(),
                _ => fifo::area(flight, self.outstanding * beats),
            }
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            kind: self.clone(),
            is_deep: self.is_deep(),
            lane_mask: u64::MAX >> (64 - self.vector.lane_bits),
            grain: self.vector.grain(self.access),
            beats: self.vector.beats(self.access),
            tokens: Skid::default(),
            is_passing: false,
            beat: 0,
            credits: self.outstanding,
            flights: Flights {
                is_counted: self.is_counted(),
                queue: Queue::default(),
                count: 0,
            },
            collected: vec![0; self.vector.words(self.access)],
            collected_beats: 0,
            lanes: vec![0; self.vector.lanes as usize],
            out: PortQueue::new(OUT, self.vector.lanes as usize),
            has_sent: false,
        })
    }
}

const IN: usize = Load::IN.index();
const RESPONSE: usize = Load::RESPONSE.index();
const OUT: usize = Load::OUT.index();
const REQUEST: usize = Load::REQUEST.index();

#[derive(Clone, Copy, Default)]
struct Token {
    address: u64,
    is_enabled: bool,
}

struct Behaviour {
    kind: Load,
    grain: u32,
    beats: u32,
    tokens: Skid<Token>,
    /// Whether the first token is no load, and passes at the next edge.
    is_passing: bool,
    /// Requests sent for the first address.
    beat: u32,
    credits: u32,
    flights: Flights,
    collected: Vec<u64>,
    collected_beats: u32,
    lanes: Vec<u64>,
    out: PortQueue,
    /// Whether results stand in a block memory.
    is_deep: bool,
    /// The bits of a lane.
    lane_mask: u64,
    /// Whether a result is being written to a block memory.
    has_sent: bool,
}

/// Requests and tokens that are no loads, in flight.
struct Flights {
    /// By request: which piece of the response it asked for. Nothing for a token that is no load.
    queue: Queue<Option<u8>>,
    /// Whether they are all the same, and only counted.
    is_counted: bool,
    count: u32,
}

impl Flights {
    /// The oldest one.
    fn head(&self) -> Option<Option<u8>> {
        match self.is_counted {
            true => (self.count > 0).then_some(Some(0)),
            false => self.queue.head(),
        }
    }

    fn clock(&mut self, landed: Option<Option<u8>>, begun: Option<Option<u8>>) {
        match self.is_counted {
            true => {
                self.count += u32::from(begun.is_some());
                self.count -= u32::from(landed.is_some());
            }
            false => self.queue.clock(landed, begun),
        }
    }

    /// Whether the next edge brings one to the head.
    fn moves(&self) -> bool {
        !self.is_counted && self.queue.moves()
    }

    fn clear(&mut self) {
        self.queue.clear();
        self.count = 0;
    }
}

impl Behaviour {
    /// The request that stood was accepted; gives its piece.
    fn requested(&mut self) -> u8 {
        if self.beat == 0 {
            self.credits -= 1;
        }
        self.beat += 1;
        let first = self.tokens.front().expect("it was asked for");
        let address = first.address;
        if self.beat == self.beats {
            self.beat = 0;
            self.tokens.pop();
        } else {
            first.address =
                address.wrapping_add(self.grain.into()) & self.kind.access.address_mask();
        }
        ((address & u64::from(self.kind.access.bytes - 1)) >> self.grain.trailing_zeros()) as u8
    }

    /// What has come is what the oldest token in flight waits for; gives that. A token that is no load
    /// needs room for its result.
    fn answer(&mut self, io: &Io<'_>, room: bool) -> Option<Option<u8>> {
        let head = self.flights.head()?;
        match head {
            Some(offset) if io.takes(RESPONSE) => self.collect(io, offset),
            Some(_) => return None,
            None if !room => return None,
            None => {
                self.lanes.fill(0);
                self.give();
            }
        }
        Some(head)
    }

    /// The first token sends a request or, if it is no load, passes.
    fn ask(&mut self, io: &mut Io<'_>) {
        self.is_passing = false;
        let Some(&mut Token {
            address,
            is_enabled,
        }) = self.tokens.front()
        else {
            return;
        };
        if (self.beat == 0 && self.credits == 0) || io.offering(REQUEST) {
            return;
        }
        if !is_enabled {
            self.is_passing = true;
            return;
        }
        let [write, asked, mask, data @ ..] = io.offer_place(REQUEST) else {
            unreachable!("a request has an address and a mask");
        };
        (*write, *asked, *mask) = (0, address, 0);
        clear(data);
    }

    /// Whether there is a place for a result.
    fn has_room(&self) -> bool {
        self.out.stored() + usize::from(self.has_sent) < self.kind.results as usize
    }

    /// The lanes are a result.
    fn give(&mut self) {
        copy_token(&self.lanes, self.out.send());
        self.sent();
    }

    /// A result is on its way: into a block memory it takes a cycle more.
    fn sent(&mut self) {
        match self.is_deep {
            true => self.has_sent = true,
            false => self.out.arrive(),
        }
    }

    /// A response came.
    fn collect(&mut self, io: &Io<'_>, offset: u8) {
        let data = io.taken(RESPONSE).expect("the caller saw it");
        if self.lanes.len() == 1 && self.beats == 1 {
            // A piece is as long as the alignment allows, which may be more than the lane.
            let offset = usize::from(offset);
            let lane = match self.grain {
                grain @ ..8 => piece(data, offset, grain),
                grain => data[offset * (grain as usize / 8)],
            };
            self.out.send()[0] = lane & self.lane_mask;
            return self.sent();
        }
        let place = self.collected_beats as usize;
        copy_piece(data, offset.into(), &mut self.collected, place, self.grain);
        self.collected_beats += 1;
        if self.collected_beats == self.beats {
            self.collected_beats = 0;
            let bytes = self.kind.vector.lane_bits / 8;
            for (lane, value) in self.lanes.iter_mut().enumerate() {
                copy_piece(&self.collected, lane, std::slice::from_mut(value), 0, bytes);
            }
            self.give();
        }
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.tokens.clear();
        self.is_passing = false;
        self.flights.clear();
        self.out.clear();
        self.has_sent = false;
        self.lanes.fill(0);
        (self.beat, self.collected_beats) = (0, 0);
        self.credits = self.kind.outstanding;
        io.accept(IN, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if io.given(OUT) {
            self.credits += 1;
        }
        let room = self.has_room();
        self.out.clock(io);
        if std::mem::take(&mut self.has_sent) {
            self.out.arrive();
        }
        let answered = self.answer(io, room);
        let mut requested = io.given(REQUEST).then(|| Some(self.requested()));
        if self.is_passing {
            self.credits -= 1;
            self.tokens.pop();
            requested = Some(None);
        }
        self.flights.clock(answered, requested);
        if let Some(token) = io.taken(IN) {
            self.tokens.push(Token {
                address: token[0],
                is_enabled: token.get(1) != Some(&0),
            });
        }
        self.ask(io);
        let head = self.flights.head();
        io.accept(IN, self.tokens.has_room());
        io.accept(RESPONSE, matches!(head, Some(Some(_))) && self.has_room());
        let is_passed = head == Some(None) && self.has_room();
        if self.has_sent
            || self.out.moves(io)
            || self.flights.moves()
            || self.is_passing
            || is_passed
        {
            io.wake(io.cycle() + 1);
        }
    }
}

/// Kinds of accesses for tests of loads and stores: what, through which port, and the
/// number outstanding.
pub(crate) fn transfers(outstanding: [u32; 10]) -> impl Iterator<Item = (Vector, Access, u32)> {
    let choices = [
        // lanes, bits, alignment, bytes of the port
        (1, 8, 1, 4),
        (1, 16, 1, 1),
        (1, 32, 4, 4),
        (1, 32, 1, 8),
        (1, 64, 8, 64),
        (4, 32, 16, 16),
        (4, 32, 4, 16),
        (3, 32, 16, 8),
        (16, 32, 64, 64),
        (16, 64, 16, 32),
    ];
    let choices = choices.into_iter().zip(outstanding);
    choices.map(|((lanes, lane_bits, alignment, bytes), outstanding)| {
        let vector = Vector {
            lanes,
            lane_bits,
            alignment,
        };
        let address_bits = 20 + lanes;
        (
            vector,
            Access {
                bytes,
                address_bits,
            },
            outstanding,
        )
    })
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    transfers([1, 3, 70, 8, 5, 2, 17, 4, 2, 3])
        .flat_map(|transfer| [Enable::Always, Enable::Field].map(|enable| (transfer, enable)))
        .map(|((vector, access, outstanding), enable)| {
            Box::new(Load {
                vector,
                access,
                outstanding,
                results: match vector.lanes {
                    1 => outstanding,
                    _ => outstanding.min(2),
                },
                enable,
            }) as Box<dyn UnitKind>
        })
        .collect()
}
