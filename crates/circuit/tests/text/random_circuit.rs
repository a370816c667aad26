//! Random circuits without cycles: each unit takes channels that no unit takes yet.

use sluice_circuit::circuit::{Channel, Circuit, Constant, ModuleGroupData, Unit};
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::segment::{Graph, InlineOp, Segment};
use sluice_circuit::units::select::{Policy, Select};

use crate::random_environment::SplitMix64;

struct Builder {
    circuit: Circuit,
    /// The channels that no unit takes.
    open: Vec<Channel>,
    random: SplitMix64,
}

/// The circuit of a seed.
pub fn of(seed: u64) -> Circuit {
    let mut builder = Builder {
        circuit: Circuit::new(format!("random_{seed}")),
        open: Vec::new(),
        random: SplitMix64(seed),
    };
    for at in 0..2 + builder.below(3) {
        let widths: Vec<u32> = (0..builder.below(4))
            .map(|_| [1, 7, 32, 64][builder.below(4)])
            .collect();
        let channel = builder
            .circuit
            .add_channel(format!("given_{at}"), Fields::new(widths));
        builder.circuit.add_input(channel);
        let fields = builder.circuit.channels()[channel].fields.clone();
        // No channel goes from the environment to the environment.
        builder.add(Buffer { fields }, vec![channel]);
    }
    for _ in 0..4 + builder.below(12) {
        builder.unit();
    }
    for (at, channel) in std::mem::take(&mut builder.open).into_iter().enumerate() {
        match at % 3 {
            2 => builder.circuit.discard(channel),
            _ => builder.circuit.add_output(channel),
        }
    }
    describe(&mut builder.circuit, seed);
    builder.circuit
}

/// Says where most circuits come from: a file, names of fields, and groups that do not stand
/// together.
fn describe(circuit: &mut Circuit, seed: u64) {
    circuit.source = (!seed.is_multiple_of(4)).then(|| format!("file {seed}.cl"));
    let channels: Vec<Channel> = circuit.channels().keys().collect();
    for (at, &channel) in channels.iter().enumerate() {
        let fields = circuit.channels()[channel].fields.len();
        if at % 3 != 0 {
            let names = (0..fields).map(|field| format!("value{}", ["", ".x", " é\""][field % 3]));
            circuit.name_fields(channel, names.collect());
        }
    }
    for number in 0..seed as usize % 4 {
        let units: Vec<Unit> = circuit.units().keys().collect();
        let units = units.into_iter().skip(number).step_by(4);
        let group = ModuleGroupData {
            name: "line".into(),
            about: ["", "block", "the head of a \"loop\""][number].into(),
            lines: (0..number as u32).collect(),
            within: None,
        };
        circuit.add_group(group, units);
    }
}

impl Builder {
    fn below(&mut self, bound: usize) -> usize {
        (self.random.next() % bound as u64) as usize
    }

    fn take(&mut self) -> (Channel, Fields) {
        let at = self.below(self.open.len());
        let channel = self.open.swap_remove(at);
        (channel, self.circuit.channels()[channel].fields.clone())
    }

    /// Another channel with these fields, if there is one.
    fn take_like(&mut self, fields: &Fields) -> Option<Channel> {
        let channels = self.circuit.channels();
        let at = self
            .open
            .iter()
            .position(|&it| channels[it].fields == *fields)?;
        Some(self.open.swap_remove(at))
    }

    fn unit(&mut self) {
        let (channel, fields) = self.take();
        let all: Vec<usize> = (0..fields.len()).collect();
        match self.below(6) {
            0 => self.add(Buffer { fields }, vec![channel]),
            1 => {
                let depth = 1 + self.below(20) as u32;
                self.add(Fifo { fields, depth }, vec![channel]);
            }
            2 => {
                let part = all[..self.below(all.len() + 1)].to_vec();
                let outputs = vec![all, part];
                self.add(Fork { fields, outputs }, vec![channel]);
            }
            3 if !self.open.is_empty() => {
                let (other, others) = self.take();
                let inputs = vec![fields, others];
                self.add(Join { inputs }, vec![channel, other]);
            }
            4 => match self.take_like(&fields) {
                Some(other) => {
                    let policy = [Policy::RoundRobin, Policy::FirstInputFirst][self.below(2)];
                    let inputs = 2;
                    let select = Select {
                        fields,
                        inputs,
                        policy,
                    };
                    self.add(select, vec![channel, other]);
                }
                None => self.branch(channel, &fields),
            },
            _ => self.segment(channel, fields),
        }
    }

    fn branch(&mut self, channel: Channel, fields: &Fields) {
        let mut widths = fields.widths();
        match widths.next() {
            Some(1) => {
                let fields = Fields::new(widths);
                let on_true = (0..fields.len()).rev().collect();
                let on_false = (0..fields.len()).step_by(2).collect();
                let branch = Branch {
                    fields,
                    on_true,
                    on_false,
                };
                self.add(branch, vec![channel]);
            }
            Some(_) | None => self.open.push(channel),
        }
    }

    /// A condition before the fields, each of which has one added to it.
    fn segment(&mut self, channel: Channel, fields: Fields) {
        let number = self.circuit.units().len();
        let mut graph = Graph::new(format!("segment_{number}"));
        let n = graph.add_constant("n", 32);
        let low = graph.add_inline(InlineOp::Slice { low: 0, bits: 1 }, 32, &[n]);
        let mut results = vec![low];
        graph.about = ["", "Circuit random: \"it\""][number % 2].into();
        graph.source = (!number.is_multiple_of(3)).then(|| "random.cl".into());
        for (at, value) in graph.add_input(fields).into_iter().enumerate() {
            if at % 2 == number % 2 {
                graph.names.insert(value, format!("field.{at}"));
            }
            let width = graph.width(value);
            let one = sluice_circuit::units::segment::Operand::Literal { bits: 1, width };
            let sum = graph.add_inline(InlineOp::Add, width, &[value, one]);
            results[0] = match width {
                1 => graph.add_inline(InlineOp::Xor, 1, &[results[0], value]),
                _ => results[0],
            };
            results.push(sum);
        }
        graph.add_output(&results, self.below(9) as u32);
        self.add(Segment::schedule(graph, &Target::ECP5), vec![channel]);
    }

    fn add(&mut self, kind: impl UnitKind + 'static, inputs: Vec<Channel>) {
        let number = self.circuit.units().len();
        let name = format!("u{number}");
        let wires = kind.constants().into_iter();
        let constants: Vec<Constant> = wires
            .map(|wire| {
                let name = format!("{name}_{}", wire.name);
                self.circuit.add_constant(name, wire.width)
            })
            .collect();
        let ports = kind.outputs().into_iter();
        let outputs: Vec<Channel> = ports
            .map(|port| {
                let name = format!("{name}_{}", port.name);
                self.circuit.add_channel(name, port.fields)
            })
            .collect();
        self.open.extend(&outputs);
        let lines = (0..number as u32 % 3).collect();
        self.circuit
            .unit(name, kind)
            .lines(lines)
            .inputs_in_order(inputs)
            .outputs_in_order(outputs)
            .constants(constants)
            .add();
    }
}
