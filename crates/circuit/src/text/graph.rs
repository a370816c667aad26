//! Segments in the text form: the graph, operation by operation, and the target, from which the
//! schedule follows.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use super::cursor::Cursor;
use super::lex::{ParseError, Token};
use super::parameter::{Parameter, quoted, word};
use super::parse::{fields, width};
use super::print;
use crate::operators;
use crate::target::Target;
use crate::unit::Wire;
use crate::units::segment::{
    Graph, Inline, InlineOp, Kind, Operand, OperandWidth, Operation, Output, Segment, State,
};

impl Parameter for Segment {
    fn print(&self, out: &mut String) {
        let graph = self.graph();
        write!(out, "{{\n  name {}\n", word(&graph.name)).expect("strings take all text");
        if !graph.about.is_empty() {
            line(out, format_args!("about {}", quoted(&graph.about)));
        }
        if let Some(source) = &graph.source {
            line(out, format_args!("source {}", word(source)));
        }
        out.push_str("  target ");
        self.target().print(out);
        out.push('\n');
        for wire in &graph.constants {
            line(
                out,
                format_args!("constant {}: {}", word(&wire.name), wire.width),
            );
        }
        for (at, widths) in graph.inputs.iter().enumerate() {
            let port = at as u32;
            let name = |field: usize| {
                let field = field as u32;
                graph.names.get(&Operand::Input { port, field })
            };
            line(
                out,
                format_args!("input in{at}{}", print::fields(widths, name)),
            );
        }
        for (at, operation) in graph.operations.iter().enumerate() {
            print_operation(out, graph, at, operation);
        }
        for state in &graph.states {
            let next = state.next.map(|next| operand(graph, next));
            let next = next.expect("check: it is set");
            line(out, format_args!("next v{}: {next}", state.operation));
        }
        if let Some(again) = graph.repeat {
            line(out, format_args!("repeat {}", operand(graph, again)));
        }
        for (at, output) in graph.outputs.iter().enumerate() {
            let colon = if output.fields.is_empty() { "" } else { ": " };
            let fields = operands(graph, &output.fields);
            line(
                out,
                format_args!("output out{at} depth {}{colon}{fields}", output.depth),
            );
        }
        out.push('}');
    }

    fn parse(cursor: &mut Cursor<'_>) -> Result<Segment, ParseError> {
        let pos = cursor.pos();
        cursor.punct('{')?;
        cursor.end_of_line()?;
        cursor.keyword("name")?;
        let mut graph = Graph::new(cursor.name("the segment's name")?);
        cursor.end_of_line()?;
        if cursor.eat_word("about") {
            graph.about = cursor.name("what the segment is")?;
            cursor.end_of_line()?;
        }
        if cursor.eat_word("source") {
            graph.source = Some(cursor.name("the file of the source")?);
            cursor.end_of_line()?;
        }
        cursor.keyword("target")?;
        let target_pos = cursor.pos();
        let target = Target::parse(cursor)?;
        check_target(&target).map_err(|why| target_pos.error(why))?;
        cursor.end_of_line()?;
        let mut parser = GraphParser {
            graph,
            cursor,
            results: BTreeMap::new(),
        };
        while !parser.cursor.eat('}') {
            parser.statement()?;
        }
        let graph = parser.graph;
        graph.check().map_err(|why| pos.error(why))?;
        Ok(Segment::schedule(graph, &target))
    }
}

/// A schedule needs a clock that ticks, and delays.
fn check_target(target: &Target) -> Result<(), &'static str> {
    let is_time = |time: f64| time.is_finite() && time > 0.0;
    match is_time(target.period) && is_time(target.grade) && is_time(target.delays().dsp) {
        true => Ok(()),
        false => Err("a target's period and grade are positive"),
    }
}

fn line(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(out, "  {arguments}").expect("strings take all text");
}

fn print_operation(out: &mut String, graph: &Graph, at: usize, operation: &Operation) {
    write!(out, "  v{at}").expect("strings take all text");
    if let Some(name) = &operation.name {
        write!(out, ".{}", word(name)).expect("strings take all text");
    }
    out.push_str(" = ");
    match &operation.kind {
        Kind::Inline(inline) => inline.op.print(out),
        Kind::Operator(operator) => {
            write!(out, "{} ", operator.word()).expect("strings take all text");
            operator.print_parameters(out);
        }
        Kind::State { width } => {
            write!(out, "state {{width: {width}}}").expect("strings take all text");
        }
    }
    if !operation.operands.is_empty() {
        write!(out, " {}", operands(graph, &operation.operands)).expect("strings take all text");
    }
    if let Some(line) = operation.line {
        write!(out, " !{line}").expect("strings take all text");
    }
    out.push('\n');
}

fn operands(graph: &Graph, operands: &[Operand]) -> String {
    let texts: Vec<String> = operands.iter().map(|&it| operand(graph, it)).collect();
    texts.join(", ")
}

fn operand(graph: &Graph, operand: Operand) -> String {
    match operand {
        Operand::Input { port, field } => format!("in{port}.{field}"),
        Operand::Constant(index) => format!("${}", word(&graph.constants[index as usize].name)),
        Operand::Literal { bits, width } if bits < 1024 => format!("{bits}:{width}"),
        Operand::Literal { bits, width } => format!("{bits:#x}:{width}"),
        Operand::Result { operation, output } => {
            let results = graph.operations[operation as usize].result_widths().len();
            match results {
                1 => format!("v{operation}"),
                _ => format!("v{operation}.{output}"),
            }
        }
    }
}

struct GraphParser<'c, 's> {
    graph: Graph,
    cursor: &'c mut Cursor<'s>,
    /// By the number in the text: the operation.
    results: BTreeMap<u32, u32>,
}

impl GraphParser<'_, '_> {
    fn statement(&mut self) -> Result<(), ParseError> {
        let what = "`constant`, `input`, `next`, `repeat`, `output`, an operation such as `v0 = add \
                    in0.0, in0.1`, or `}`";
        if self.cursor.at_numbered("v") {
            self.operation()?;
        } else if self.cursor.eat_word("constant") {
            self.constant()?;
        } else if self.cursor.eat_word("input") {
            self.input()?;
        } else if self.cursor.eat_word("next") {
            self.next()?;
        } else if self.cursor.eat_word("repeat") {
            self.repeat()?;
        } else if self.cursor.eat_word("output") {
            self.output()?;
        } else {
            return Err(self.cursor.expected(what));
        }
        self.cursor.end_of_line()
    }

    fn constant(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let name = self.cursor.name("the constant's name")?;
        if self.graph.constants.iter().any(|wire| wire.name == name) {
            return Err(pos.error(format!("`{name}` is declared twice")));
        }
        self.cursor.punct(':')?;
        let width = width(self.cursor)?;
        self.graph.constants.push(Wire { name, width });
        Ok(())
    }

    fn input(&mut self) -> Result<(), ParseError> {
        self.cursor
            .keyword(&format!("in{}", self.graph.inputs.len()))?;
        let (fields, names) = fields(self.cursor)?;
        let operands = self.graph.add_input(fields);
        let named = operands.into_iter().zip(names);
        let named = named.filter_map(|(field, name)| Some((field, name?)));
        self.graph.names.extend(named);
        Ok(())
    }

    fn output(&mut self) -> Result<(), ParseError> {
        self.cursor
            .keyword(&format!("out{}", self.graph.outputs.len()))?;
        self.cursor.keyword("depth")?;
        let depth = self.cursor.number("a depth")?;
        let fields = match self.cursor.eat(':') {
            true => self.operands()?,
            false => Vec::new(),
        };
        self.graph.outputs.push(Output { fields, depth });
        Ok(())
    }

    /// What tokens leave as a state.
    fn next(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let value = self.operand()?;
        let mut states = self.graph.states.iter();
        let Some(state) = states.position(|state| state.value() == value) else {
            return Err(pos.error("only states have a next value"));
        };
        self.cursor.punct(':')?;
        let next = self.operand()?;
        match self.graph.states[state].next.replace(next) {
            None => Ok(()),
            Some(_) => Err(pos.error("its next value is given twice")),
        }
    }

    fn repeat(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let again = self.operand()?;
        match self.graph.repeat.replace(again) {
            None => Ok(()),
            Some(_) => Err(pos.error("a segment repeats its tokens by one condition")),
        }
    }

    fn operation(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let number = self.cursor.numbered("v", "an operation's number")?;
        let name = match self.cursor.eat('.') {
            true => Some(self.cursor.name("a name")?),
            false => None,
        };
        self.cursor.punct('=')?;
        let known = match *self.cursor.peek() {
            Token::Word(word) => operators::parser(word),
            _ => return Err(self.cursor.expected("an operation")),
        };
        let (kind, operands) = match known {
            None if self.cursor.eat_word("state") => (self.state()?, Vec::new()),
            Some(parse) => {
                self.cursor.advance();
                let operator = parse(self.cursor)?;
                (Kind::Operator(Arc::from(operator)), self.operands()?)
            }
            None => self.expression()?,
        };
        let line = match self.cursor.eat('!') {
            true => Some(self.cursor.number("a source line")?),
            false => None,
        };
        let is_state = matches!(kind, Kind::State { .. });
        let at = self.graph.add(Operation {
            kind,
            operands,
            name,
            line,
        });
        if is_state {
            let (operation, next) = (at, None);
            self.graph.states.push(State { operation, next });
        }
        self.graph
            .check_operation(at as usize)
            .map_err(|why| pos.error(why))?;
        match self.results.insert(number, at) {
            None => Ok(()),
            Some(_) => Err(pos.error(format!("`v{number}` is defined twice"))),
        }
    }

    /// The width of a state.
    fn state(&mut self) -> Result<Kind, ParseError> {
        self.cursor.punct('{')?;
        self.cursor.keyword("width")?;
        self.cursor.punct(':')?;
        let width = width(self.cursor)?;
        self.cursor.punct('}')?;
        Ok(Kind::State { width })
    }

    /// An operation without a module; its width is that of its operands.
    fn expression(&mut self) -> Result<(Kind, Vec<Operand>), ParseError> {
        let op = InlineOp::parse(self.cursor)?;
        let pos = self.cursor.pos();
        let operands = self.operands()?;
        let wanted = Inline { op, width: 1 }.operands();
        if wanted.len() != operands.len() {
            let (wanted, found) = (wanted.len(), operands.len());
            return Err(pos.error(format!("expected {wanted} operands, found {found}")));
        }
        let full = wanted.iter().position(|width| *width == OperandWidth::Full);
        let full = full.expect("each has an operand of its width");
        let width = self.graph.width(operands[full]);
        Ok((Kind::Inline(Inline { op, width }), operands))
    }

    fn operands(&mut self) -> Result<Vec<Operand>, ParseError> {
        let mut operands = vec![self.operand()?];
        while self.cursor.eat(',') {
            operands.push(self.operand()?);
        }
        Ok(operands)
    }

    fn operand(&mut self) -> Result<Operand, ParseError> {
        let pos = self.cursor.pos();
        let operand = if self.cursor.eat('$') {
            let name = self.cursor.name("a constant's name")?;
            let index = self
                .graph
                .constants
                .iter()
                .position(|wire| wire.name == name);
            let index = index.ok_or_else(|| pos.error(format!("no constant `{name}` above")))?;
            Operand::Constant(index as u32)
        } else if self.cursor.at_numbered("in") {
            let port = self.cursor.numbered("in", "an input")?;
            self.cursor.punct('.')?;
            let field = self.cursor.number("a field's number")?;
            Operand::Input { port, field }
        } else if self.cursor.at_numbered("v") {
            let number = self.cursor.numbered("v", "a result")?;
            let operation = self.results.get(&number);
            let &operation =
                operation.ok_or_else(|| pos.error(format!("no operation `v{number}` above")))?;
            let output = match self.cursor.eat('.') {
                true => self.cursor.number("a result's number")?,
                false => 0,
            };
            Operand::Result { operation, output }
        } else if matches!(self.cursor.peek(), Token::Number(_)) {
            let bits = self.cursor.bits()?;
            self.cursor.punct(':')?;
            let width = width(self.cursor)?;
            Operand::Literal { bits, width }
        } else {
            let what = "an operand such as `in0.0`, `$n`, `v0` or `7:32`";
            return Err(self.cursor.expected(what));
        };
        let operations = self.graph.operations.len();
        self.graph
            .check_operand(operand, operations)
            .map_err(|why| pos.error(why))?;
        Ok(operand)
    }
}
