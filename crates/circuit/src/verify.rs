//! The invariants of circuits. Simulator, emitter and all other users of a circuit rely on them.
//!
//! - C1. Names are identifiers and no words of Verilog. In the circuit's module all are different:
//!   those of constants, units, groups and channels, each channel's also with `_valid` and `_ready`
//!   behind it, `clk` and `rst`.
//! - C2. Modules that have one name are one module: their texts are the same, and none has the
//!   circuit's name or that of a group's module.
//! - C3. A unit's parameters make sense: [`UnitKind::check`](crate::unit::UnitKind::check).
//! - C4. A channel has two ends, at least one of them at a unit. A unit has a channel per port, and
//!   that channel's end is this port.
//! - C5. What a channel carries is what the ports at its ends carry.
//! - C6. A unit reads a constant per wire, and the wire's width is the constant's.
//! - C7. Tokens can come to every unit: a way leads there from an input of the circuit.
//! - C8. A cycle of channels is a loop with a gate, or passes credits.
//!   - Tokens come into a loop only behind the entry of one gate, and what leaves it comes to an exit
//!     of that gate, through those of gates inside, or is discarded: otherwise the gate would count
//!     wrong, and more tokens would circle than there is room for. Copies of tokens that stay in the
//!     cycle may leave it if they come to no gate. What repeats tokens in a loop is followed by what
//!     drops some of them, before they come back to it.
//!   - On a cycle that passes credits, every other unit gives one token for each that it takes there,
//!     and without the credits there is no cycle but loops with gates. Then the tokens on the cycle
//!     are as many as at the beginning: those of the credits, which have a place for each of them. So
//!     a token that comes back is always taken, and as long as a token is missing at the credits it is
//!     in one of the other units, each of which can give it: they wait for each other along the cycle
//!     only up to the credits.
//!
//!   Requests and responses are no cycle: they do not go on ([`Passage`](crate::unit::Passage)). What
//!   tokens leave for each other inside a segment is no channel.
//!
//! Nothing has to be checked so that no signal depends on itself within a cycle: what a unit drives
//! depends on its registers, and the one exception ends after one step. A joined input's `ready`
//! depends on its siblings' `valid`, and a `valid` on registers only. That units keep to this, their
//! comparison with their Verilog shows.

mod loops;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cranelift_entity::EntitySet;

use crate::circuit::{Channel, Circuit, End, Side, Unit, UnitData};
use crate::unit::Port;
use crate::verilog::{group_module, is_identifier, is_keyword};
/// An invariant that does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The number of the invariant.
    pub rule: u32,
    /// Where.
    pub place: String,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "C{} at {}: {}", self.rule, self.place, self.message)
    }
}

impl std::error::Error for Problem {}

/// Checks all invariants.
///
/// # Errors
///
/// Every problem, in the order of the invariants. Parts of a circuit that others depend on are
/// looked at first: the rest is checked once these are right.
pub fn verify(circuit: &Circuit) -> Result<(), Vec<Problem>> {
    let mut verifier = Verifier {
        circuit,
        problems: Vec::new(),
    };
    verifier.names();
    verifier.parameters();
    if verifier.problems.is_empty() {
        verifier.modules();
        verifier.connections();
    }
    if verifier.problems.is_empty() {
        verifier.reach();
        verifier.problems.extend(loops::check(circuit));
    }
    match verifier.problems.is_empty() {
        true => Ok(()),
        false => Err(verifier.problems),
    }
}

struct Verifier<'a> {
    circuit: &'a Circuit,
    problems: Vec<Problem>,
}

impl Verifier<'_> {
    fn problem(&mut self, rule: u32, place: String, message: impl Into<String>) {
        let message = message.into();
        self.problems.push(Problem {
            rule,
            place,
            message,
        });
    }

    fn names(&mut self) {
        let circuit = self.circuit;
        let mut taken: BTreeSet<String> = ["clk", "rst"].map(String::from).into();
        let constants = circuit.constants().values();
        let constants =
            constants.map(|it| (format!("constant `{}`", it.name), &it.name, &[""][..]));
        let channels = circuit.channels().values();
        let channels = channels.map(|it| {
            let suffixes = &["", "_valid", "_ready"][..];
            (format!("channel `{}`", it.name), &it.name, suffixes)
        });
        let units = circuit.units().values();
        let units = units.map(|it| (unit_place(it), &it.name, &[""][..]));
        let groups = circuit.groups().values();
        let groups = groups.map(|it| (format!("group `{}`", it.name), &it.name, &[""][..]));
        let module = (
            format!("circuit `{}`", circuit.name),
            &circuit.name,
            &[][..],
        );
        for (place, name, suffixes) in [module]
            .into_iter()
            .chain(constants)
            .chain(channels)
            .chain(units)
            .chain(groups)
        {
            if !is_identifier(name) {
                self.problem(1, place.clone(), "the name is no identifier");
            }
            if is_keyword(name) {
                self.problem(1, place.clone(), "the name is a word of Verilog");
            }
            for suffix in suffixes {
                let name = format!("{name}{suffix}");
                if taken.contains(&name) {
                    self.problem(1, place.clone(), format!("the name `{name}` is taken"));
                }
                taken.insert(name);
            }
        }
    }

    fn modules(&mut self) {
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for unit in self.circuit.units().values() {
            let module = unit.kind.module();
            let library = module.sources.iter().map(|source| {
                let name = source.file.strip_suffix(".v").unwrap_or(source.file);
                (name.to_string(), source.text.to_string())
            });
            let own = module.text.map(|text| (module.name, text));
            for (name, text) in library.chain(own) {
                if name == self.circuit.name {
                    self.problem(2, unit_place(unit), "its module has the circuit's name");
                }
                if texts.get(&name).is_some_and(|known| *known != text) {
                    let message = format!("there is another module `{name}`");
                    self.problem(2, unit_place(unit), message);
                }
                texts.insert(name, text);
            }
        }
        for (group, data) in self.circuit.groups() {
            let name = group_module(self.circuit, group);
            if texts.contains_key(&name) {
                let message = format!("there is another module `{name}`");
                self.problem(2, format!("group `{}`", data.name), message);
            }
        }
    }

    fn parameters(&mut self) {
        for unit in self.circuit.units().values() {
            if let Err(why) = unit.kind.check() {
                self.problem(3, unit_place(unit), why);
            }
        }
    }

    fn connections(&mut self) {
        for (channel, data) in self.circuit.channels() {
            let place = || format!("channel `{}`", data.name);
            if data.from == End::Open {
                self.problem(4, place(), "it comes from nowhere");
            }
            if data.to == End::Open {
                self.problem(4, place(), "it goes nowhere");
            }
            let at_unit = |end: End| matches!(end, End::Unit(..));
            if !at_unit(data.from) && !at_unit(data.to) {
                self.problem(4, place(), "no unit is at its ends");
            }
            if !self.is_listed(channel) {
                self.problem(4, place(), "a port at its end has another channel");
            }
        }
        for (unit, data) in self.circuit.units() {
            let ports = (data.kind.inputs(), data.kind.outputs());
            let to = |at| (End::Unit(unit, at), Side::To);
            let from = |at| (End::Unit(unit, at), Side::From);
            self.ports(data, &ports.0, &data.inputs, to);
            self.ports(data, &ports.1, &data.outputs, from);
            self.constants(data);
        }
    }

    /// Whether those at a channel's ends know it.
    fn is_listed(&self, channel: Channel) -> bool {
        let data = &self.circuit.channels()[channel];
        let listed = |end: End, side: Side| {
            let circuit = self.circuit;
            let (list, at) = match (end, side) {
                (End::Unit(unit, at), Side::From) => (&circuit.units()[unit].outputs[..], at),
                (End::Unit(unit, at), Side::To) => (&circuit.units()[unit].inputs[..], at),
                (End::Environment(at), Side::From) => (circuit.inputs(), at),
                (End::Environment(at), Side::To) => (circuit.outputs(), at),
                (End::Discarded | End::Open, _) => return true,
            };
            list.get(at as usize) == Some(&channel)
        };
        listed(data.from, Side::From) && listed(data.to, Side::To)
    }

    fn ports(
        &mut self,
        unit: &UnitData,
        ports: &[Port],
        channels: &[Channel],
        end: impl Fn(u32) -> (End, Side),
    ) {
        if ports.len() != channels.len() {
            let (ports, channels) = (ports.len(), channels.len());
            let message = format!("{channels} channels at {ports} ports");
            self.problem(4, unit_place(unit), message);
        }
        for (at, (port, &channel)) in (0..).zip(ports.iter().zip(channels)) {
            let data = &self.circuit.channels()[channel];
            let (expected, side) = end(at);
            if data.end(side) != expected {
                let message = format!("`{}` does not end at the port `{}`", data.name, port.name);
                self.problem(4, unit_place(unit), message);
            }
            if data.fields != port.fields {
                let (name, carried) = (&data.name, &data.fields);
                let (port, wanted) = (&port.name, &port.fields);
                let message = format!("`{name}` carries {carried}, the port `{port}` {wanted}");
                self.problem(5, unit_place(unit), message);
            }
        }
    }

    fn constants(&mut self, unit: &UnitData) {
        let wires = unit.kind.constants();
        if wires.len() != unit.constants.len() {
            let (wires, constants) = (wires.len(), unit.constants.len());
            let message = format!("{constants} constants at {wires} wires");
            self.problem(6, unit_place(unit), message);
        }
        for (wire, &constant) in wires.iter().zip(&unit.constants) {
            match self.circuit.constants().get(constant) {
                None => self.problem(6, unit_place(unit), format!("there is no {constant}")),
                Some(data) if data.width != wire.width => {
                    let message = format!(
                        "`{}` has {} bits, the wire `{}` {}",
                        data.name, data.width, wire.name, wire.width
                    );
                    self.problem(6, unit_place(unit), message);
                }
                Some(_) => {}
            }
        }
    }

    fn reach(&mut self) {
        let circuit = self.circuit;
        let mut reached: EntitySet<Unit> = EntitySet::new();
        let mut pending: Vec<Channel> = circuit.inputs().to_vec();
        while let Some(channel) = pending.pop() {
            if let End::Unit(unit, _) = circuit.channels()[channel].to
                && reached.insert(unit)
            {
                pending.extend(&circuit.units()[unit].outputs);
            }
        }
        for (unit, data) in circuit.units() {
            if !reached.contains(unit) {
                self.problem(7, unit_place(data), "no token comes here");
            }
        }
    }
}

fn unit_place(unit: &UnitData) -> String {
    format!("unit `{}`", unit.name)
}
