//! A graph as a circuit with a handshake per operation.

use std::collections::BTreeMap;

use sluice_circuit::area::Area;
use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::potentials::Potentials;
use sluice_circuit::sim::Io;
use sluice_circuit::text::Declared;
use sluice_circuit::unit::{Fields, Intake, Model, Module, Port, UnitKind};
use sluice_circuit::units::buffer::Buffer;
use sluice_circuit::units::fifo::Fifo;
use sluice_circuit::units::segment::{Graph, Inline, InlineOp, Kind, Operand};

/// From this slack on a queue is smaller than buffers in a row.
const QUEUE_FROM: i64 = 3;

/// Takes a token from each input at once, and gives what comes of them to all outputs, each of
/// which takes it when it wants.
#[derive(Clone, Debug)]
struct Elastic {
    inputs: Vec<Fields>,
    /// The operation; none passes all fields on.
    operation: Option<Inline>,
    /// By output: the fields that it gets.
    outputs: Vec<Vec<usize>>,
}

/// Who uses a value: which operand of which node.
#[derive(Clone, Copy)]
struct Use {
    from: usize,
    field: usize,
    to: usize,
}

/// The circuit. Its nodes are the input, the operations, and the output.
pub fn circuit(graph: &Graph) -> Circuit {
    assert!(
        graph.inputs.len() == 1 && graph.outputs.len() == 1,
        "one input, one output"
    );
    let end = graph.operations.len() + 1;
    let mut uses = Vec::new();
    let operands = graph.operations.iter().map(|operation| &operation.operands);
    let operands = operands.chain([&graph.outputs[0].fields]);
    for (to, operands) in (1..).zip(operands) {
        for &operand in operands {
            let (from, field) = match operand {
                Operand::Input { field, .. } => (0, field as usize),
                Operand::Result { operation, .. } => (operation as usize + 1, 0),
                Operand::Constant(_) | Operand::Literal { .. } => panic!("operands are values"),
            };
            uses.push(Use { from, field, to });
        }
    }
    let slacks = slacks(end + 1, &uses);
    let mut circuit = Circuit::new("elastic");
    let word = || Fields::new([32]);
    let mut before: BTreeMap<usize, Vec<Channel>> = BTreeMap::new();
    let mut behind: BTreeMap<usize, Vec<(usize, Channel)>> = BTreeMap::new();
    for (&Use { from, field, to }, slack) in uses.iter().zip(slacks) {
        let start = circuit.add_channel(format!("v{from}_to_{to}"), word());
        behind.entry(from).or_default().push((field, start));
        let balanced = balance(&mut circuit, start, slack);
        before.entry(to).or_default().push(balanced);
    }
    let input = circuit.add_channel("in", graph.inputs[0].clone());
    circuit.add_input(input);
    before.insert(0, vec![input]);
    let output = circuit.add_channel("out", graph.output_fields(0));
    circuit.add_output(output);
    for node in 0..=end {
        let operation = match node {
            0 => None,
            node if node == end => None,
            node => match &graph.operations[node - 1].kind {
                Kind::Inline(inline) => Some(*inline),
                Kind::Operator(_) | Kind::State { .. } => panic!("operations are expressions"),
            },
        };
        let inputs = before.remove(&node).expect("every node has an input");
        let (fields, outputs): (Vec<Vec<usize>>, Vec<Channel>) = match node == end {
            true => (vec![(0..inputs.len()).collect()], vec![output]),
            false => {
                let behind = behind.remove(&node).expect("every value is used");
                behind
                    .into_iter()
                    .map(|(field, channel)| (vec![field], channel))
                    .unzip()
            }
        };
        let shapes = inputs
            .iter()
            .map(|&input| circuit.channels()[input].fields.clone());
        let kind = Elastic {
            inputs: shapes.collect(),
            operation,
            outputs: fields,
        };
        add(&mut circuit, format!("node_{node}"), kind, inputs, outputs);
    }
    circuit
}

/// By use: cycles that the value waits, with the fewest bits waiting.
fn slacks(nodes: usize, uses: &[Use]) -> Vec<i64> {
    let mut program = Potentials::new();
    let nodes: Vec<_> = (0..nodes).map(|_| program.add_node()).collect();
    for it in uses {
        program.at_least(nodes[it.from], nodes[it.to], 1);
        program.weigh(nodes[it.from], nodes[it.to], 32);
    }
    let times = program
        .solve(nodes[0])
        .expect("operations follow their operands");
    let slack = |it: &Use| times.of(nodes[it.to]) - times.of(nodes[it.from]) - 1;
    uses.iter().map(slack).collect()
}

/// Lets a channel hold the tokens that would else stop a longer way.
fn balance(circuit: &mut Circuit, mut channel: Channel, slack: i64) -> Channel {
    let fields = circuit.channels()[channel].fields.clone();
    if slack >= QUEUE_FROM {
        let next = circuit.add_channel_like("balanced", channel);
        let depth = slack as u32;
        add(
            circuit,
            "queue".into(),
            Fifo { fields, depth },
            vec![channel],
            vec![next],
        );
        return next;
    }
    for _ in 0..slack {
        let next = circuit.add_channel_like("balanced", channel);
        let buffer = Buffer {
            fields: fields.clone(),
        };
        add(circuit, "buffer".into(), buffer, vec![channel], vec![next]);
        channel = next;
    }
    channel
}

fn add(
    circuit: &mut Circuit,
    name: String,
    kind: impl UnitKind + 'static,
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
) {
    circuit
        .unit(name, kind)
        .inputs_in_order(inputs)
        .outputs_in_order(outputs)
        .add();
}

impl Elastic {
    fn result(&self) -> Fields {
        match &self.operation {
            Some(inline) => Fields::new([inline.result()]),
            None => {
                let none = Fields::NONE;
                self.inputs.iter().fold(none, |all, it| all.followed_by(it))
            }
        }
    }

    fn expression(&self) -> String {
        use InlineOp::*;
        let Some(inline) = &self.operation else {
            let inputs = (0..self.inputs.len()).rev().map(|at| format!("in{at}"));
            return format!("{{{}}}", inputs.collect::<Vec<_>>().join(", "));
        };
        match inline.op {
            Add => "in0 + in1".into(),
            Sub => "in0 - in1".into(),
            And => "in0 & in1".into(),
            Or => "in0 | in1".into(),
            Xor => "in0 ^ in1".into(),
            SMin => "$signed(in0) < $signed(in1) ? in0 : in1".into(),
            UMax => "in0 < in1 ? in1 : in0".into(),
            ShiftLeft { by } => format!("in0 << {by}"),
            other => panic!("{other:?} is not measured"),
        }
    }

    fn body(&self, bits: u32) -> String {
        let valids = |but: Option<usize>| -> String {
            let inputs = (0..self.inputs.len()).filter(|&at| Some(at) != but);
            inputs.map(|at| format!(" && in{at}_valid")).collect()
        };
        let count = self.outputs.len();
        let top = bits - 1;
        let mut text = format!(
            "    reg [{top}:0] head, next;\n    reg next_full;\n    reg [{}:0] pending;\n    \
             wire [{top}:0] result = {};\n    wire enter = !next_full{};\n",
            count - 1,
            self.expression(),
            valids(None)
        );
        for at in 0..self.inputs.len() {
            text += &format!(
                "    assign in{at}_ready = !next_full{};\n",
                valids(Some(at))
            );
        }
        let ready = (0..count).rev().map(|at| format!("out{at}_ready"));
        let ready = ready.collect::<Vec<_>>().join(", ");
        text += &format!(
            "    wire [{}:0] left = pending & ~{{{ready}}};\n    \
             always @(posedge clk) begin\n        if (!next_full) next <= result;\n        \
             if (left == 0) begin\n            head <= next_full ? next : result;\n            \
             pending <= {{{count}{{next_full || enter}}}};\n            next_full <= 1'b0;\n        \
             end else begin\n            pending <= left;\n            if (enter) next_full <= 1'b1;\n        \
             end\n        if (rst) begin\n            pending <= {count}'d0;\n            \
             next_full <= 1'b0;\n        end\n    end\n",
            count - 1
        );
        let widths: Vec<u32> = self.result().widths().collect();
        for (at, fields) in self.outputs.iter().enumerate() {
            let parts = fields.iter().rev().map(|&field| {
                let low: u32 = widths[..field].iter().sum();
                format!("head[{}:{low}]", low + widths[field] - 1)
            });
            let parts = parts.collect::<Vec<_>>().join(", ");
            text += &format!(
                "    assign out{at}_valid = pending[{at}];\n    assign out{at} = {{{parts}}};\n"
            );
        }
        text
    }
}

impl Declared for Elastic {
    fn word(&self) -> &'static str {
        "elastic"
    }

    fn print_parameters(&self, _: &mut String) {}
}

impl UnitKind for Elastic {
    fn module(&self) -> Module {
        let mut ports = vec!["input wire clk".to_string(), "input wire rst".to_string()];
        for port in self.inputs() {
            let (name, bits) = (&port.name, port.fields.bits());
            ports.push(format!("input wire {name}_valid"));
            ports.push(format!("output wire {name}_ready"));
            ports.push(format!("input wire [{}:0] {name}", bits - 1));
        }
        for port in self.outputs() {
            let (name, bits) = (&port.name, port.fields.bits());
            ports.push(format!("output wire {name}_valid"));
            ports.push(format!("input wire {name}_ready"));
            ports.push(format!("output wire [{}:0] {name}", bits - 1));
        }
        let operation = match self.operation.map(|inline| inline.op) {
            None => format!("pass_{}", self.inputs.len()),
            Some(op) => {
                let name = format!("{op:?}").to_lowercase();
                name.chars().filter(char::is_ascii_alphanumeric).collect()
            }
        };
        let name = format!("elastic_{operation}_{}", self.outputs.len());
        let body = self.body(self.result().bits());
        let ports = ports.join(",\n    ");
        let text = format!("module {name} (\n    {ports}\n);\n{body}endmodule\n");
        Module {
            name,
            text: Some(text),
            parameters: Vec::new(),
            sources: Vec::new(),
        }
    }

    fn inputs(&self) -> Vec<Port> {
        let inputs = self.inputs.iter().enumerate();
        inputs
            .map(|(at, fields)| Port::new(format!("in{at}"), fields.clone()))
            .collect()
    }

    fn outputs(&self) -> Vec<Port> {
        let widths: Vec<u32> = self.result().widths().collect();
        let outputs = self.outputs.iter().enumerate();
        let port = |(at, fields): (usize, &Vec<usize>)| {
            let fields = Fields::new(fields.iter().map(|&field| widths[field]));
            Port::new(format!("out{at}"), fields)
        };
        outputs.map(port).collect()
    }

    fn intake(&self) -> Intake {
        Intake::Joined
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        2
    }

    // The styles are compared by what Yosys makes of them.
    fn area(&self) -> Area {
        Area::default()
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            unit: self.clone(),
            waiting: Vec::new(),
            token: Vec::new(),
        })
    }
}

struct Behaviour {
    unit: Elastic,
    /// What stands behind the token at the outputs; empty if nothing does.
    waiting: Vec<u64>,
    token: Vec<u64>,
}

impl Behaviour {
    fn offer(&self, io: &mut Io<'_>, token: &[u64]) {
        for (port, fields) in self.unit.outputs.iter().enumerate() {
            let part: Vec<u64> = fields.iter().map(|&field| token[field]).collect();
            io.offer(port, &part);
        }
    }

    fn is_offering(&self, io: &Io<'_>) -> bool {
        (0..self.unit.outputs.len()).any(|port| io.offering(port))
    }
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.waiting.clear();
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        if !self.waiting.is_empty() && !self.is_offering(io) {
            let token = std::mem::take(&mut self.waiting);
            self.offer(io, &token);
        }
        self.token.clear();
        for part in (0..self.unit.inputs.len()).map_while(|input| io.taken(input)) {
            self.token.extend_from_slice(part);
        }
        if !self.token.is_empty() {
            let result = match self.unit.operation {
                Some(inline) => {
                    let second = self.token.get(1).copied().unwrap_or(0);
                    vec![inline.evaluate(self.token[0], second, 0)]
                }
                None => self.token.clone(),
            };
            match self.is_offering(io) {
                true => self.waiting = result,
                false => self.offer(io, &result),
            }
        }
        io.accept(0, self.waiting.is_empty());
    }
}
