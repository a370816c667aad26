//! Atomic operations: one unit per memory, for all instructions that change words there at once.
//!
//! Operations are taken one per cycle, in turn from those who want, and take effect in this order.
//! Each one enters the window, reads, computes when the response comes, writes, and leaves the
//! window when its write is done. If an earlier one on the same word is in the window, what memory
//! answers is too old: then it computes with that one's result, so that operations on one word
//! follow each other as fast as those on different ones. An instruction's result has a place kept
//! for it from the start, so results that are not taken stall no other operation.
//!
//! Memory performs writes in the order in which it accepted them, and acknowledges them in this
//! order; reads may pass writes. An operation on 32 bits waits until those on 64 bits are done, and the
//! other way round: to compare words of different widths would take too long for one cycle.
//!
//! One operation per cycle needs a window as long as an operation is in it: five cycles, and what
//! memory takes to answer a read and to acknowledge a write.

mod model;

use crate::access::{Access, Enable};
use crate::area::Area;
use crate::arith::{mask, signed};
use crate::connect::{Input, Output};
use crate::elastic::{self, LOWEST, SKID, SKID_DEPTH, TALLY};
use crate::family::memories::Memory;
use crate::text::{Listed, choices, parameters, record};
use crate::unit::{
    DEEPEST, Fields, Model, Module, Origin, Passage, Port, Question, UnitKind, require,
};
use crate::units::arbiter::{CHOOSE, GATHER, ROUND_ROBIN};
use crate::units::fifo;
use crate::units::store::Done;
use crate::verilog::{Source, concatenate, same_connections, wrap};

/// The unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atomics {
    /// The port to memory: reads and writes have a channel each.
    pub access: Access,
    /// The instructions, 1 to [`Atomics::MOST_OPERATIONS`].
    pub operations: Vec<Operation>,
    /// Operations under way, 2 to 64.
    pub window: u32,
    /// Of each instruction: operations under way, or done and not yet taken.
    pub outstanding: u32,
    /// When a write is done.
    pub done: Done,
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// With the word.
    pub kind: Kind,
    /// Of the word: 32 or 64, at an address that is a multiple of its bytes.
    pub bits: u32,
    /// Whether each token is an operation. One that is none goes the same way, so that results stay
    /// in order, and writes no byte.
    pub enable: Enable,
}

/// What becomes of the word. Its number is the one in Verilog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The operand is added.
    Add,
    /// The operand is subtracted.
    Sub,
    /// Only bits that are set in the operand stay set.
    And,
    /// Bits that are set in the operand are set.
    Or,
    /// Bits that are set in the operand change.
    Xor,
    /// The operand takes its place.
    Xchg,
    /// The lesser of it and the operand, as signed numbers.
    SMin,
    /// The greater of it and the operand, as signed numbers.
    SMax,
    /// The lesser of it and the operand.
    UMin,
    /// The greater of it and the operand.
    UMax,
    /// The second operand takes its place if it equals the first.
    CmpXchg,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Kind::Add,
        Kind::Sub,
        Kind::And,
        Kind::Or,
        Kind::Xor,
        Kind::Xchg,
        Kind::SMin,
        Kind::SMax,
        Kind::UMin,
        Kind::UMax,
        Kind::CmpXchg,
    ];
}

impl Operation {
    /// What it leaves in memory, given what was there; `replacement` is the second operand of one
    /// that compares.
    pub fn result(&self, old: u64, operand: u64, replacement: u64) -> u64 {
        let (ones, number) = (mask(self.bits), |value| signed(self.bits, value));
        match self.kind {
            Kind::Add => old.wrapping_add(operand) & ones,
            Kind::Sub => old.wrapping_sub(operand) & ones,
            Kind::And => old & operand,
            Kind::Or => old | operand,
            Kind::Xor => old ^ operand,
            Kind::Xchg => operand,
            Kind::SMin => number(old).min(number(operand)) as u64 & ones,
            Kind::SMax => number(old).max(number(operand)) as u64 & ones,
            Kind::UMin => old.min(operand),
            Kind::UMax => old.max(operand),
            Kind::CmpXchg if old == operand => replacement,
            Kind::CmpXchg => old,
        }
    }

    fn operands(&self) -> u32 {
        match self.kind {
            Kind::CmpXchg => 2,
            Kind::Add | Kind::Sub | Kind::And | Kind::Or | Kind::Xor | Kind::Xchg => 1,
            Kind::SMin | Kind::SMax | Kind::UMin | Kind::UMax => 1,
        }
    }

    fn bytes(&self) -> u32 {
        self.bits / 8
    }
}

const SOURCE: Source = Source {
    file: "sluice_atomics.v",
    text: include_str!("atomics.v"),
};

/// The operations under way.
const WINDOW: Source = Source {
    file: "sluice_atomics_window.v",
    text: include_str!("atomics_window.v"),
};

/// What an operation computes.
const COMPUTE: Source = Source {
    file: "sluice_atomics_compute.v",
    text: include_str!("atomics_compute.v"),
};

parameters! { UnitKind Atomics { access, operations, window, outstanding, done } }
record! { Operation { kind, bits, enable } }
impl Listed for Operation {}
choices! {
    Kind {
        Add = "add",
        Sub = "sub",
        And = "and",
        Or = "or",
        Xor = "xor",
        Xchg = "xchg",
        SMin = "smin",
        SMax = "smax",
        UMin = "umin",
        UMax = "umax",
        CmpXchg = "cmpxchg",
    }
}

impl Atomics {
    /// Most instructions of one unit.
    pub const MOST_OPERATIONS: usize = 2048;

    /// The address and operands of an instruction.
    pub const fn input(operation: usize) -> Input<Atomics> {
        Input::numbered(operation, "in_#", operation)
    }

    /// What was there before, for an instruction.
    pub const fn out(operation: usize) -> Output<Atomics> {
        Output::numbered(operation, "out_#", operation)
    }

    /// The memory's answers to reads.
    pub fn response(&self) -> Input<Atomics> {
        Input::new(self.operations.len(), "response")
    }

    /// The memory's acknowledgements of writes, if there are any ([`Done::Acknowledged`]).
    pub fn acknowledged(&self) -> Input<Atomics> {
        Input::new(self.operations.len() + 1, "acknowledged")
    }

    /// Reads.
    pub fn read(&self) -> Output<Atomics> {
        Output::new(self.operations.len(), "read")
    }

    /// Writes.
    pub fn write(&self) -> Output<Atomics> {
        Output::new(self.operations.len() + 1, "write")
    }

    /// The widest word.
    fn bits(&self) -> u32 {
        let bits = self.operations.iter().map(|it| it.bits);
        bits.max().expect("check: there are operations")
    }

    /// Whether words of several widths overlap.
    fn is_mixed(&self) -> bool {
        let bits = self.bits();
        self.operations.iter().any(|it| it.bits != bits)
    }

    /// Whether some tokens are no operations.
    fn is_guarded(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|it| it.enable == Enable::Field)
    }

    /// Operands of the one that has most.
    fn operands(&self) -> u32 {
        let operands = self.operations.iter().map(Operation::operands);
        operands.max().expect("check: there are operations")
    }

    /// The input of an instruction in the shape that all have: operands as wide as the widest.
    fn token_text(&self, at: usize) -> String {
        let Operation { bits, enable, .. } = self.operations[at];
        let (address, own) = (self.access.address_bits, self.operations[at].operands());
        let field = |low: u32, width: u32| format!("in_{at}[{}:{low}]", low + width - 1);
        let padding = |width: u32| (width > 0).then(|| format!("{{{width}{{1'b0}}}}"));
        let mut parts = vec![field(0, address)];
        for operand in 0..own {
            parts.push(field(address + operand * bits, bits));
            parts.extend(padding(self.bits() - bits));
        }
        parts.extend(padding((self.operands() - own) * self.bits()));
        match enable {
            Enable::Field => parts.push(format!("in_{at}[{}]", address + own * bits)),
            Enable::Always if self.is_guarded() => parts.push("1'b1".into()),
            Enable::Always => {}
        }
        concatenate(parts.into_iter())
    }

    /// The parameters of the module of the library.
    fn parameter_text(&self) -> String {
        let count = self.operations.len();
        let number = count.next_power_of_two().trailing_zeros().max(1);
        let numbers = [
            ("COUNT", count as u32),
            ("NUMBER", number),
            ("BITS", self.bits()),
            ("MIXED", self.is_mixed().into()),
            ("OPERANDS", self.operands()),
            ("BYTES", self.access.bytes),
            ("ADDRESS", self.access.address_bits),
            ("WINDOW", self.window),
            ("OUTSTANDING", self.outstanding),
            ("ACKNOWLEDGED", (self.done == Done::Acknowledged).into()),
            ("GUARDED", self.is_guarded().into()),
        ];
        let numbers = numbers.map(|(name, value)| format!("        .{name}({value}),\n"));
        let kinds = self.operations.iter().map(|it| it.kind as u32);
        let used = kinds.clone().fold(0, |used, kind| used | 1 << kind);
        let kinds = concatenate(kinds.map(|kind| format!("4'd{kind}")));
        let wide = self.operations.iter();
        let wide = concatenate(wide.map(|it| format!("1'b{}", u32::from(it.bits == 64))));
        format!(
            "{}        .KINDS({kinds}),\n        .WIDE({wide}),\n        .USED(11'd{used})\n",
            numbers.concat()
        )
    }

    /// Connections of channels side by side.
    fn channel_text(&self) -> String {
        let count = self.operations.len();
        let each = |name: &str, ending: &str| {
            concatenate((0..count).map(|at| format!("{name}_{at}{ending}")))
        };
        let channels = ["response", "read", "write"];
        let channels = channels.map(|name| format!("        {},\n", same_connections(name)));
        let acknowledged = match self.done {
            Done::Accepted => {
                "        .acknowledged_valid(1'b0), .acknowledged_ready(unused_acknowledged),\n"
            }
            Done::Acknowledged => {
                "        .acknowledged_valid(acknowledged_valid), .acknowledged_ready(acknowledged_ready),\n"
            }
        };
        format!(
            "        .clk(clk), .rst(rst),\n        .in_valid({}),\n        .in_ready({}),\n\
             \x20       .in({}),\n{}{acknowledged}        .out_valid({}),\n        .out_ready({}),\n\
             \x20       .out(results)\n",
            each("in", "_valid"),
            each("in", "_ready"),
            concatenate((0..count).map(|at| self.token_text(at))),
            channels.concat(),
            each("out", "_valid"),
            each("out", "_ready"),
        )
    }

    /// Each instruction's part of the results, and the bits that are not read.
    fn result_text(&self) -> String {
        let bits = self.bits();
        let mut text = format!(
            "    wire [{}:0] results;\n",
            self.operations.len() as u32 * bits - 1
        );
        let mut unread = Vec::new();
        for (at, operation) in (0..).zip(&self.operations) {
            let (low, end) = (at * bits, at * bits + operation.bits);
            text += &format!("    assign out_{at} = results[{}:{low}];\n", end - 1);
            if operation.bits < bits {
                unread.push(format!("results[{}:{end}]", (at + 1) * bits - 1));
            }
        }
        if !unread.is_empty() {
            let unread = concatenate(unread.into_iter());
            text += &format!("    wire unused_results = &{{1'b0, {unread}}};\n");
        }
        text + match self.done {
            Done::Accepted => "    wire unused_acknowledged;\n",
            Done::Acknowledged => "    wire unused_acknowledgement = acknowledged[0];\n",
        }
    }
}

impl UnitKind for Atomics {
    fn check(&self) -> Result<(), String> {
        self.access.check()?;
        require(
            (1..=Atomics::MOST_OPERATIONS).contains(&self.operations.len()),
            "there are 1 to 2048 atomic operations",
        )?;
        let is_word = |it: &Operation| matches!(it.bits, 32 | 64);
        require(
            self.operations.iter().all(is_word),
            "an atomic operation has 32 or 64 bits",
        )?;
        require(
            self.bits() <= 8 * self.access.bytes,
            "the port is at least as wide as the word of an atomic operation",
        )?;
        require(
            (2..=64).contains(&self.window),
            "2 to 64 atomic operations may be under way",
        )?;
        require(
            (1..=DEEPEST).contains(&self.outstanding),
            "1 to a million results may wait",
        )
    }

    fn passage(&self) -> Passage {
        Passage::Between((0..self.operations.len()).map(|at| (at, at)).collect())
    }

    fn module(&self) -> Module {
        let body = format!(
            "{}    sluice_atomics #(\n{}    ) atomics (\n{}    );\n",
            self.result_text(),
            self.parameter_text(),
            self.channel_text(),
        );
        let sources = [
            fifo::MEMORY,
            fifo::QUEUE_MEMORY,
            fifo::SOURCE,
            SKID,
            TALLY,
            LOWEST,
            ROUND_ROBIN,
            GATHER,
            CHOOSE,
            WINDOW,
            COMPUTE,
            SOURCE,
        ];
        wrap(self, "sluice_atomics", &body, sources)
    }

    /// An address and operands for each, then the memory's responses and acknowledgements.
    fn inputs(&self) -> Vec<Port> {
        let operations = self.operations.iter().enumerate().map(|(at, it)| {
            let operands = std::iter::repeat_n(it.bits, it.operands() as usize);
            let widths = [self.access.address_bits].into_iter().chain(operands);
            let fields = Fields::new(widths).followed_by(&it.enable.fields());
            Atomics::input(at).carrying(fields)
        });
        let response = self.response().carrying(self.access.response());
        let acknowledged = match self.done {
            Done::Accepted => None,
            Done::Acknowledged => Some(self.acknowledged().carrying(Fields::NONE)),
        };
        operations.chain([response]).chain(acknowledged).collect()
    }

    /// What was there before, for each, then what is asked of memory.
    fn outputs(&self) -> Vec<Port> {
        let operations = self.operations.iter().enumerate();
        let operations =
            operations.map(|(at, it)| Atomics::out(at).carrying(Fields::new([it.bits])));
        let requests = [self.read(), self.write()].map(|port| port.carrying(self.access.request()));
        operations.chain(requests).collect()
    }

    fn origin(&self, output: usize) -> Origin {
        match output < self.operations.len() {
            true => Origin::Input(output),
            false => Origin::Unit,
        }
    }

    fn questions(&self) -> Vec<Question> {
        let question = |asked: Output<Atomics>, answered: Input<Atomics>| Question {
            asked: asked.index(),
            answered: answered.index(),
        };
        let read = question(self.read(), self.response());
        match self.done {
            Done::Accepted => vec![read],
            Done::Acknowledged => vec![read, question(self.write(), self.acknowledged())],
        }
    }

    /// Three cycles to the read, three from the response to the write, two from its being done to
    /// the result. What lies between is the memory's.
    fn latency(&self) -> u32 {
        8
    }

    /// Of one instruction.
    fn capacity(&self) -> u32 {
        self.outstanding + SKID_DEPTH as u32
    }

    fn area(&self) -> Area {
        let (count, bits) = (self.operations.len() as u32, self.bits());
        let address = self.access.address_bits;
        let token = address + self.operands() * bits;
        let [slot, number] =
            [self.window, count].map(|states| states.next_power_of_two().trailing_zeros().max(1));
        let own = Area::of(
            "atomics",
            [
                ("units", 1),
                ("operations", count),
                ("operation bits", count * bits),
                ("window address bits", self.window * address),
                ("bits", bits),
                ("chosen bits", (count - 1) * token),
            ],
        );
        let queues = fifo::area(number + token + slot + 2, self.window)
            + fifo::area(1 + bits + address, self.window)
            + fifo::area(number + bits, self.window)
            + Area::memory(Memory::distributed(bits, self.window));
        let operations = elastic::skid_area(token) + fifo::area(bits, self.outstanding);
        own + queues + operations * count
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(model::Behaviour::new(self))
    }
}

/// The choices for tests: few words, so that operations meet.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    let operation = |kind, bits| Operation {
        kind,
        bits,
        enable: Enable::Always,
    };
    let guarded = |kind, bits| Operation {
        enable: Enable::Field,
        ..operation(kind, bits)
    };
    let all = |bits: [u32; 2]| {
        let kinds = Kind::ALL.into_iter().enumerate();
        let operations = kinds.map(|(at, kind)| operation(kind, bits[at % 2]));
        operations.collect::<Vec<_>>()
    };
    let port = |bytes, address_bits| Access {
        bytes,
        address_bits,
    };
    let add = operation(Kind::Add, 32);
    let exchange = |bits| operation(Kind::CmpXchg, bits);
    [
        (port(4, 4), vec![add], 16, 16, Done::Acknowledged),
        (port(4, 3), vec![add], 2, 1, Done::Accepted),
        (port(4, 5), all([32, 32]), 16, 3, Done::Accepted),
        (port(8, 6), all([64, 64]), 13, 5, Done::Acknowledged),
        (port(8, 4), vec![exchange(64)], 64, 64, Done::Accepted),
        (port(8, 5), all([32, 64]), 24, 4, Done::Acknowledged),
        (port(16, 6), all([64, 32]), 7, 2, Done::Accepted),
        (
            port(64, 7),
            vec![exchange(32), add],
            8,
            8,
            Done::Acknowledged,
        ),
        (
            port(16, 33),
            vec![add, exchange(64)],
            32,
            16,
            Done::Accepted,
        ),
        (port(4, 4), vec![add; 66], 16, 1, Done::Acknowledged),
        (
            port(4, 5),
            vec![guarded(Kind::Add, 32)],
            16,
            16,
            Done::Acknowledged,
        ),
        (
            port(8, 5),
            vec![guarded(Kind::CmpXchg, 64), add, guarded(Kind::Xchg, 32)],
            8,
            4,
            Done::Accepted,
        ),
    ]
    .map(|(access, operations, window, outstanding, done)| {
        Box::new(Atomics {
            access,
            operations,
            window,
            outstanding,
            done,
        }) as Box<dyn UnitKind>
    })
    .into()
}
