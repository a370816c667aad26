//! A segment as Verilog: a section per cycle with what waits for it and what happens in it, then
//! the outputs.

mod handshake;
mod states;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::Segment;
use super::graph::{Graph, Kind, Operand};
use super::inline::Term;
use super::names::{Names, base, verb};
use super::schedule::OperationTime;
use super::storage::{Column, Means, Memory, Queue, Storage, Wait};
use crate::unit::{UnitKind, UnitPart};
use crate::verilog;
use crate::verilog::{Ports, instance, source_lines, wrapped};
use handshake::handshake;
use states::HistoryNets;

/// The text of the segment's module.
pub(super) fn emit(segment: &Segment) -> String {
    Writer::complete(segment).module()
}

/// The operations in the segment's module, by the names of their instances and nets.
pub(super) fn parts(segment: &Segment) -> Vec<UnitPart> {
    let parts = Writer::complete(segment).parts;
    let part = parts.into_iter().map(|(name, index)| {
        let operation = &segment.graph.operations[index as usize];
        UnitPart {
            name,
            kind: verb(operation),
            line: operation.line,
        }
    });
    part.collect()
}

/// Where in the text, and so in time, a value is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum At {
    /// Whenever: it does not change.
    Always,
    Cycle(u32),
    /// In the register at the end of an output.
    Output(usize),
}

struct Writer<'a> {
    segment: &'a Segment,
    graph: &'a Graph,
    storage: &'a Storage,
    /// By length of delay lines: the net that says which place is read and written.
    phases: BTreeMap<u32, String>,
    names: Names,
    /// By value and place: the net that holds it there.
    nets: BTreeMap<(Operand, At), String>,
    /// By history.
    histories: Vec<HistoryNets>,
    /// Instances and nets that are operations.
    parts: Vec<(String, u32)>,
    body: String,
}

macro_rules! line {
    ($writer:expr, $($text:tt)*) => {
        writeln!($writer.body, $($text)*).expect("strings take all text")
    };
}

use line;

impl<'a> Writer<'a> {
    /// A writer that has written everything but the module's head and end.
    fn complete(segment: &'a Segment) -> Writer<'a> {
        let mut writer = Writer::new(segment);
        writer.always_there();
        writer.histories();
        for cycle in 0..=segment.schedule.length() {
            writer.cycle(cycle);
        }
        for output in 0..segment.graph.outputs.len() {
            writer.output(output);
        }
        writer
    }

    fn new(segment: &'a Segment) -> Writer<'a> {
        let graph = &segment.graph;
        let mut names = Names::new(graph);
        let lengths = segment.storage.delay_lengths().into_iter();
        let phases = lengths.map(|cycles| (cycles, names.unique(&format!("phase{cycles}"))));
        let phases = phases.collect();
        Writer {
            segment,
            graph,
            storage: &segment.storage,
            phases,
            names,
            nets: BTreeMap::new(),
            histories: Vec::new(),
            parts: Vec::new(),
            body: String::new(),
        }
    }

    /// The fields of the inputs, and what depends on constants only.
    fn always_there(&mut self) {
        let mut low = 0;
        for (port, fields) in self.graph.inputs.iter().enumerate() {
            let all = match self.segment.repeats() {
                true => Term::Net("token".into(), self.segment.input_bits()),
                false => {
                    low = 0;
                    Term::Net(format!("in{port}"), fields.bits())
                }
            };
            for (field, width) in fields.widths().enumerate() {
                let operand = Operand::Input {
                    port: port as u32,
                    field: field as u32,
                };
                let name = match self.graph.names.get(&operand) {
                    Some(name) => self.names.unique(name),
                    None => self.names.unique(&format!("in{port}_{field}")),
                };
                line!(
                    self,
                    "    wire {} = {};",
                    net(width, &name),
                    all.part(low, width)
                );
                self.nets.insert((operand, At::Cycle(0)), name);
                low += width;
            }
        }
        let mut heading = "\n    // From constants\n";
        for (index, time) in self.segment.schedule.operations.iter().enumerate() {
            if let OperationTime::Invariant { .. } = time {
                self.body.push_str(std::mem::take(&mut heading));
                self.operation(index as u32, At::Always);
            }
        }
    }

    /// What waits for a cycle, and what happens in it.
    fn cycle(&mut self, cycle: u32) {
        let before = self.body.len();
        line!(self, "\n    // Cycle {cycle}");
        let heading = self.body.len();
        let mut moves = String::new();
        for (&value, waits) in &self.storage.waits {
            if let Some(&wait) = waits
                .iter()
                .find(|wait| wait.from < cycle && cycle <= wait.to)
            {
                match wait.means {
                    Means::Registers => moves.push_str(&self.register(value, cycle)),
                    Means::DelayLine if cycle == wait.to => self.delay_line(value, wait),
                    Means::DelayLine => {}
                }
            }
        }
        if !moves.is_empty() {
            line!(self, "    always @(posedge clk) begin\n{moves}    end");
        }
        for (index, time) in self.segment.schedule.operations.iter().enumerate() {
            if let OperationTime::At(slot) = time
                && slot.cycle == cycle
            {
                self.operation(index as u32, At::Cycle(cycle));
            }
        }
        self.left_in(cycle);
        // Operators may take many cycles in which nothing else happens.
        if self.body.len() == heading {
            self.body.truncate(before);
        }
    }

    /// Declares the register of a value in a cycle; its assignment is the result.
    fn register(&mut self, value: Operand, cycle: u32) -> String {
        let before = self.nets[&(value, At::Cycle(cycle - 1))].clone();
        let name = self.later(value, cycle);
        line!(self, "    reg  {};", net(self.graph.width(value), &name));
        format!("        {name} <= {before};\n")
    }

    fn delay_line(&mut self, value: Operand, wait: Wait) {
        let before = self.nets[&(value, At::Cycle(wait.from))].clone();
        let name = self.later(value, wait.to);
        let unit = self.names.unique(&format!("{name}_line"));
        let (width, cycles) = (self.graph.width(value), wait.to - wait.from);
        line!(self, "    wire {};", net(width, &name));
        line!(
            self,
            "    sluice_delay #(.WIDTH({width}), .CYCLES({cycles}), .ADDRESS({})) {unit} (\n        \
             .clk(clk), .place({}), .in({before}), .out({name})\n    );",
            address_bits(cycles - 1),
            self.phases[&cycles],
        );
    }

    /// The net of a value in a later cycle than the one in which it comes to be.
    fn later(&mut self, value: Operand, cycle: u32) -> String {
        let done = self.segment.schedule.done(value).expect("it waits");
        let name = format!("{}_at{cycle}", self.nets[&(value, At::Cycle(done))]);
        let name = self.names.unique(&name);
        self.nets.insert((value, At::Cycle(cycle)), name.clone());
        name
    }

    fn operation(&mut self, index: u32, at: At) {
        let operation = &self.graph.operations[index as usize];
        if let Kind::State { .. } = operation.kind {
            return self.state(index, at);
        }
        let operands = operation.operands.iter();
        let terms: Vec<Term> = operands.map(|&operand| self.term(operand, at)).collect();
        let base = base(operation, index as usize);
        let source = operation
            .line
            .map(|line| format!(" // line {line}"))
            .unwrap_or_default();
        match &operation.kind {
            Kind::State { .. } => unreachable!("states are written apart"),
            Kind::Inline(inline) => {
                let name = self.names.unique(&base);
                let expression = inline.expression(&terms);
                line!(
                    self,
                    "    wire {} = {expression};{source}",
                    net(inline.result(), &name)
                );
                self.parts.push((name.clone(), index));
                self.insert_result(index, 0, name);
            }
            Kind::Operator(operator) => {
                let (inputs, outputs) = (operator.inputs(), operator.outputs());
                let mut connections = vec![(verilog::CLOCK.into(), verilog::CLOCK.into())];
                for (port, term) in inputs.iter().zip(&terms) {
                    connections.push((port.name.to_string(), term.text()));
                }
                for (output, port) in (0..).zip(&outputs) {
                    let name = match outputs.len() {
                        1 => self.names.unique(&base),
                        _ => self.names.unique(&format!("{base}_{}", port.name)),
                    };
                    line!(self, "    wire {};{source}", net(port.width, &name));
                    connections.push((port.name.to_string(), name.clone()));
                    self.insert_result(index, output, name);
                }
                let regs = self.segment.regs(index);
                let unit = self.names.unique(&format!("{base}_unit"));
                let mut parameters = operator.parameters();
                let text: Vec<(&str, String)> = parameters
                    .drain(..)
                    .map(|(name, value)| (name, value.to_string()))
                    .chain([(verilog::REGS, regs.to_string())])
                    .collect();
                let text = instance(operator.module(), &text, &unit, &[connections]);
                self.body.push_str(&text);
                self.parts.push((unit, index));
            }
        }
    }

    fn insert_result(&mut self, operation: u32, output: u32, name: String) {
        let value = Operand::Result { operation, output };
        let at = self
            .segment
            .schedule
            .done(value)
            .map_or(At::Always, At::Cycle);
        self.nets.insert((value, at), name);
    }

    /// A value as it is read at a place. Extensions are written where they are read first.
    fn term(&mut self, operand: Operand, at: At) -> Term {
        let width = self.graph.width(operand);
        let at = match self.segment.schedule.done(self.graph.base(operand)) {
            Some(_) => at,
            None => At::Always,
        };
        match operand {
            Operand::Literal { bits, width } => return Term::Literal(bits, width),
            Operand::Constant(index) => {
                return Term::Net(self.graph.constants[index as usize].name.clone(), width);
            }
            Operand::Input { .. } | Operand::Result { .. } => {}
        }
        if let Some(name) = self.nets.get(&(operand, at)) {
            return Term::Net(name.clone(), width);
        }
        let Operand::Result { operation, .. } = operand else {
            unreachable!("{operand:?} waits for {at:?}");
        };
        let name = self.extension(operation, at);
        Term::Net(name, width)
    }

    fn extension(&mut self, index: u32, at: At) -> String {
        let operation = &self.graph.operations[index as usize];
        let Kind::Inline(inline) = &operation.kind else {
            unreachable!("operators are no extensions");
        };
        assert!(inline.is_extension(), "operation {index} has a net {at:?}");
        let inner = self.term(operation.operands[0], at);
        let base = base(operation, index as usize);
        let name = match at {
            At::Always => base,
            At::Cycle(cycle) => format!("{base}_at{cycle}"),
            At::Output(output) => format!("out{output}_{base}"),
        };
        let name = self.names.unique(&name);
        let expression = inline.expression(&[inner]);
        let source = operation
            .line
            .map(|line| format!(" // line {line}"))
            .unwrap_or_default();
        line!(
            self,
            "    wire {} = {expression};{source}",
            net(inline.result(), &name)
        );
        let value = Operand::Result {
            operation: index,
            output: 0,
        };
        self.nets.insert((value, at), name.clone());
        name
    }

    fn output(&mut self, output: usize) {
        let queue = &self.storage.queues[output];
        line!(
            self,
            "\n    // Output {output}, complete in cycle {}",
            queue.latency
        );
        let address = address_bits(queue.depth);
        let first = format!("out{output}_first, out{output}_first_next");
        line!(self, "    wire {};", net(address, &first));
        let columns = queue.columns.iter().enumerate();
        let mut stored: Vec<String> = columns
            .map(|(index, column)| self.column(output, queue, index, column))
            .collect();
        if stored.is_empty() {
            stored.push("1'b0".into());
        }
        stored.reverse();
        let bits = queue.bits(self.graph).max(1);
        line!(
            self,
            "    wire {};",
            net(bits, &format!("out{output}_head"))
        );
        line!(
            self,
            "    sluice_segment_queue #(.WIDTH({bits}), .DEPTH({}), .ADDRESS({address}), .BLOCK({})) out{output}_queue (\n        \
             .clk(clk), .rst(rst), .enter(enter), .room(out{output}_room), .push({}),\n        \
             .first(out{output}_first), .first_next(out{output}_first_next), .stored({}),\n        \
             .out_valid(out{output}_valid), .out_ready(out{output}_ready), .out(out{output}_head)\n    );",
            queue.depth,
            u32::from(queue.is_block()),
            active(queue.latency),
            concatenated(&stored),
        );
        self.head(output, queue, bits);
    }

    /// A column's memory; the net of what it holds is the result.
    fn column(&mut self, output: usize, queue: &Queue, index: usize, column: &Column) -> String {
        let at = At::Cycle(column.cycle);
        let values = column.values.iter().rev();
        let values: Vec<String> = values.map(|&value| self.term(value, at).text()).collect();
        let stored = self.names.unique(&format!("out{output}_stored{index}"));
        let unit = self.names.unique(&format!("out{output}_column{index}"));
        let bits = column.bits(self.graph);
        let (block, first) = match column.memory {
            Memory::Distributed => (0, "first"),
            Memory::Block => (1, "first_next"),
        };
        line!(self, "    wire {};", net(bits, &stored));
        line!(
            self,
            "    sluice_segment_column #(.WIDTH({bits}), .DEPTH({}), .ADDRESS({}), .BLOCK({block})) {unit} (\n        \
             .clk(clk), .rst(rst), .write({}), .in({}),\n        \
             .first(out{output}_{first}), .stored({stored})\n    );",
            queue.depth,
            address_bits(queue.depth),
            active(column.cycle),
            concatenated(&values),
        );
        stored
    }

    /// The fields, from the register at the end of the queue.
    fn head(&mut self, output: usize, queue: &Queue, bits: u32) {
        let head = Term::Net(format!("out{output}_head"), bits);
        let mut low = 0;
        for &value in queue.columns.iter().flat_map(|column| &column.values) {
            let width = self.graph.width(value);
            let done = self
                .segment
                .schedule
                .done(value)
                .expect("what is stored has a time");
            let name = format!("out{output}_{}", self.nets[&(value, At::Cycle(done))]);
            let name = self.names.unique(&name);
            line!(
                self,
                "    wire {} = {};",
                net(width, &name),
                head.part(low, width)
            );
            self.nets.insert((value, At::Output(output)), name);
            low += width;
        }
        let fields = self.graph.outputs[output].fields.iter().rev();
        let mut fields: Vec<String> = fields
            .map(|&field| self.term(field, At::Output(output)).text())
            .collect();
        if fields.is_empty() {
            fields.push("1'b0".into());
        }
        line!(self, "    assign out{output} = {};", concatenated(&fields));
    }

    fn module(mut self) -> String {
        let mut text = header(self.segment);
        text.push_str("`default_nettype none\n\n");
        // A line per operation that uses a value in part would hide the rest.
        text.push_str("/* verilator lint_off UNUSEDSIGNAL */ // some values are used in part\n");
        // Verilator may know more of the operands than the graph says.
        text.push_str("/* verilator lint_off UNSIGNED */ // some comparisons have one outcome\n");
        let name = self.segment.module_name();
        let ports = ports(self.segment);
        write!(text, "module {name} (\n{ports});\n").expect("strings take all text");
        text.push_str(&handshake(self.segment));
        for (cycles, place) in &self.phases {
            let (depth, address) = (cycles - 1, address_bits(cycles - 1));
            let unit = self.names.unique(&format!("{place}_unit"));
            write!(
                text,
                "    wire {};\n    sluice_phase #(.DEPTH({depth}), .ADDRESS({address})) {unit} (\n        \
                 .clk(clk), .rst(rst), .place({place})\n    );\n",
                net(address, place)
            )
            .expect("strings take all text");
        }
        text.push_str(&self.body);
        text.push_str("endmodule\n/* verilator lint_on UNSIGNED */\n/* verilator lint_on UNUSEDSIGNAL */\n\n`default_nettype wire\n");
        text
    }
}

/// What the module is.
fn header(segment: &Segment) -> String {
    let operations = segment.schedule.operations.iter();
    let operations = operations
        .filter(|&&time| time != OperationTime::Unused)
        .count();
    let graph = &segment.graph;
    let about = match graph.about.as_str() {
        "" => &graph.name,
        about => about,
    };
    let lines = graph
        .operations
        .iter()
        .filter_map(|operation| operation.line);
    let lines: Vec<u32> = lines.collect::<BTreeSet<u32>>().into_iter().collect();
    let lines = match lines.is_empty() {
        true => String::new(),
        false => format!(", {}", source_lines(graph.source.as_deref(), &lines)),
    };
    let cycles = segment.latency();
    let interval = match segment.interval() {
        1 => String::new(),
        interval => format!(", a token every {interval} cycles"),
    };
    let about = format!("{about}{lines}: {operations} operations in {cycles} cycles{interval}.");
    wrapped("// ", &about) + "// Generated by Sluice.\n"
}

/// The ports, in the order of the convention.
fn ports(segment: &Segment) -> String {
    let mut ports = Ports::new();
    for wire in &segment.graph.constants {
        ports.constant(wire);
    }
    for port in segment.inputs() {
        ports.input(&port.name, &port.fields);
    }
    for port in segment.outputs() {
        ports.output(&port.name, &port.fields);
    }
    ports.text()
}

/// The net that says whether a token is in a cycle.
fn active(cycle: u32) -> String {
    match cycle {
        0 => "enter".into(),
        _ => format!("valid[{cycle}]"),
    }
}

/// Nets side by side, the highest one first.
fn concatenated(nets: &[String]) -> String {
    match nets {
        [net] => net.clone(),
        _ => format!("{{{}}}", nets.join(", ")),
    }
}

fn address_bits(depth: u32) -> u32 {
    depth.max(2).next_power_of_two().trailing_zeros()
}

/// A declaration's range and name. Values have up to 64 bits: their names stand in a column.
fn net(width: u32, name: &str) -> String {
    let range = match width {
        1 => String::new(),
        _ => format!("[{}:0]", width - 1),
    };
    format!("{range:<6} {name}")
}
