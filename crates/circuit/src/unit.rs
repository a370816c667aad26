//! What a hardware unit is: one declaration that simulator, Verilog emitter, estimator and
//! documentation all read.
//!
//! Units exchange tokens over channels. A channel has `valid`, `ready` and data; a token passes at
//! a clock edge at which both are high. **What a unit drives depends on its registers only**, never
//! combinationally on what it is driven with: so the clock does not depend on the size of the
//! design, and a cycle is simulated in one pass. The one exception are the inputs of a *joining*
//! unit: it takes a token from all of them at once, and each one's `ready` may look at the others'
//! `valid`.
//!
//! In Verilog, channel `x` is the ports `x_valid`, `x_ready` and `x`: its fields side by side, the
//! first one lowest (one bit that means nothing, if there are no fields). Beside the channels there are `clk`, a synchronous
//! `rst`, and constants: wires that do not change while a kernel runs.

use std::fmt;

use smallvec::SmallVec;

use crate::area::Area;
use crate::clock;
use crate::cost::Cost;
use crate::family::{ECP5, Family};
use crate::sim::Io;
use crate::target::Target;
use crate::text::Declared;
use crate::verilog::Source;

/// The widths of a token's fields, each 1 to 64 bits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Fields(SmallVec<[u8; 8]>);

impl Fields {
    /// A token without data: only its arrival counts.
    pub const NONE: Fields = Fields(SmallVec::new_const());

    /// Fields of these widths.
    pub fn new(widths: impl IntoIterator<Item = u32>) -> Fields {
        let widths = widths.into_iter().map(|width| {
            assert!(
                (1..=64).contains(&width),
                "a field has 1 to 64 bits, not {width}"
            );
            width as u8
        });
        Fields(widths.collect())
    }

    /// Number of fields.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The widths, in order.
    pub fn widths(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.0.iter().map(|&width| width.into())
    }

    /// Bits of all fields together.
    pub fn bits(&self) -> u32 {
        self.widths().sum()
    }

    /// These fields, then those.
    pub fn followed_by(&self, others: &Fields) -> Fields {
        Fields(self.0.iter().chain(&others.0).copied().collect())
    }
}

/// The widths as a list.
impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.widths()).finish()
    }
}

/// An end of a channel at a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Its name in Verilog.
    pub name: String,
    /// What its tokens carry.
    pub fields: Fields,
}

impl Port {
    /// A port.
    pub fn new(name: impl Into<String>, fields: Fields) -> Port {
        Port {
            name: name.into(),
            fields,
        }
    }
}

/// A wire that does not change while a kernel runs: an argument, a size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wire {
    /// Its name in Verilog.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
}

/// How a unit takes tokens from its inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intake {
    /// From each input by itself.
    Separate,
    /// From all inputs at once.
    Joined,
}

/// Where the tokens of an output come from. So counting tells whether a unit has a token that
/// another unit waits for, or waits for one itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// One for each that the inputs brought together.
    Each,
    /// One or more for each that the inputs brought together, one after another.
    Series,
    /// One, here or at another output, for each that any input brought.
    Any,
    /// One for each that this input brought.
    Input(usize),
    /// Some of those that this input brought.
    Among(usize),
    /// One for each that this input brought, when all others have come that belong to it: if it has
    /// none to give, it waits for that input.
    Complete(usize),
    /// One for each that input `to` brought, which gets something on loan: if none is left, it waits
    /// for input `back`.
    Lent {
        /// Who gets it.
        to: usize,
        /// Where it comes back.
        back: usize,
    },
    /// Counting does not tell: the unit may have tokens at any time.
    Unit,
}

/// An output at which a unit asks others, and the input that brings one answer to each question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    /// The output.
    pub asked: usize,
    /// The input.
    pub answered: usize,
}

/// The Verilog of a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// The module's name.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<(&'static str, u64)>,
    /// The files of the library that it needs.
    pub sources: Vec<Source>,
    /// Its own text, if it is made for this unit alone; otherwise it is one of `sources`.
    pub text: Option<String>,
}

/// A part of a unit's Verilog.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitPart {
    /// The name of its instance, or of the net that it drives.
    pub name: String,
    /// What it does, in a word.
    pub kind: String,
    /// The source line that it works for, if it is known.
    pub line: Option<u32>,
}

/// What keeps the tokens of a unit apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// The least number of cycles from one token to the next.
    pub interval: u32,
    /// The operations that depend on each other in a ring, because of which it is not smaller.
    pub operations: Vec<UnitPart>,
}

/// How tokens pass a unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passage {
    /// From every input to every output.
    Through,
    /// From these inputs to these outputs. At other ports it asks for something and is answered, or
    /// is asked and answers: what passes there does not go on.
    Between(Vec<(usize, usize)>),
    /// From each input to the output of the same number, and it counts them from output 0 to where
    /// they come back at another input: the number of tokens in a loop.
    Gate,
    /// From its input to its output, and it begins with as many tokens as it has places for.
    Credits,
}

/// Requires that a unit's or operator's parameters keep a rule.
pub(crate) fn require(holds: bool, rule: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(rule.into()) }
}

/// The most tokens that a queue may be made for.
pub(crate) const DEEPEST: u32 = 1 << 20;

/// A unit with its parameters.
pub trait UnitKind: Declared + fmt::Debug + Send + Sync {
    /// Why its parameters make no sense, if they do not. A unit that breaks these rules has no
    /// other properties: the other functions may panic.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// How tokens pass it.
    fn passage(&self) -> Passage {
        Passage::Through
    }

    /// Its Verilog.
    fn module(&self) -> Module;

    /// The channels that it takes tokens from.
    fn inputs(&self) -> Vec<Port>;

    /// The channels that it gives tokens to.
    fn outputs(&self) -> Vec<Port>;

    /// The constants that it reads.
    fn constants(&self) -> Vec<Wire> {
        Vec::new()
    }

    /// The constants that it drives: it may change them while no unit that reads them is active.
    /// After reset they are zero.
    fn drives(&self) -> Vec<Wire> {
        Vec::new()
    }

    /// How it takes tokens.
    fn intake(&self) -> Intake {
        Intake::Separate
    }

    /// Where the tokens of an output come from.
    fn origin(&self, _output: usize) -> Origin {
        Origin::Unit
    }

    /// What it asks others.
    fn questions(&self) -> Vec<Question> {
        Vec::new()
    }

    /// Cycles after a reset in which it gets ready: no tokens come until then.
    fn settling(&self) -> u32 {
        0
    }

    /// Cycles from taking a token to offering what comes of it, when nothing stalls.
    fn latency(&self) -> u32;

    /// How many tokens it holds, at least, before it stops taking more, when its outputs are not taken.
    fn capacity(&self) -> u32;

    /// What it consists of.
    fn area(&self) -> Area;

    /// What it occupies on chips of a family.
    fn cost(&self, family: &Family) -> Cost {
        self.area().cost(family)
    }

    /// What of that single source lines occupy, if it knows; a line may come several times.
    fn cost_by_line(&self, _family: &Family) -> Vec<(u32, Cost)> {
        Vec::new()
    }

    /// What its longest path takes on a target, alone on a chip, in nanoseconds.
    fn delay(&self, target: &Target) -> f64 {
        clock::unit_delay(self.word(), self.cost(&ECP5).logic, target)
    }

    /// What keeps its tokens more than one cycle apart, if something does.
    fn recurrence(&self) -> Option<Recurrence> {
        None
    }

    /// What its Verilog consists of, as far as source lines are known of the parts.
    fn parts(&self) -> Vec<UnitPart> {
        Vec::new()
    }

    /// Its behaviour, cycle for cycle that of the Verilog.
    fn model(&self) -> Box<dyn Model>;
}

/// The behaviour of a unit.
pub trait Model: Send {
    /// Puts the unit into its state after reset, the constants as given in the order of
    /// [`UnitKind::constants`]. Says on `io` what it drives in the first cycle.
    fn reset(&mut self, constants: &[u64], io: &mut Io<'_>);

    /// New values of the constants, from the next edge on, which the unit sees. It is called only
    /// while the unit is at rest, and only if it has constants that another unit drives.
    fn configure(&mut self, constants: &[u64]) {
        assert!(
            constants.is_empty(),
            "the model of a unit with constants takes new ones"
        );
    }

    /// A clock edge. It is called at every edge at which a token passes one of the unit's ports, for
    /// which the unit has asked with [`Io::wake`], or which is the first with new constants; at
    /// other edges nothing happens to it.
    fn clock(&mut self, io: &mut Io<'_>);

    /// What the unit waits for, for reports on circuits that do not finish.
    fn status(&self) -> Status {
        Status::Other
    }
}

/// What a unit waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// By slot, tokens of a work-group that has not come completely.
    Gathering(Vec<u32>),
    /// Work-items that have not ended.
    Remaining(u64),
    /// Something that is not told.
    Other,
}
