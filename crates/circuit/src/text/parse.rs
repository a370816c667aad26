//! The parser. What would make no circuit is an error with its place, never a panic.

use std::collections::BTreeMap;

use super::cursor::Cursor;
use super::lex::{ParseError, Pos, Syntax, Token, Words};
use crate::circuit::{Channel, Circuit, Constant, End, ModuleGroupData, Side, Unit, UnitData};
use crate::unit::{Fields, Port, UnitKind};
use crate::units;

/// How circuits are written.
const SYNTAX: Syntax = Syntax {
    words: Words::Plain,
    punctuation: ":,.=$!{}[]",
};

/// Reads the text of a circuit.
///
/// # Errors
///
/// The first place where the text is none.
pub fn parse(source: &str) -> Result<Circuit, ParseError> {
    let mut cursor = Cursor::new(SYNTAX, source)?;
    cursor.keyword("circuit")?;
    let pos = cursor.pos();
    let name = cursor.name("the circuit's name")?;
    cursor.end_of_line()?;
    let circuit = Circuit::new(name.clone());
    check_name(&name, &circuit.name, pos)?;
    let mut parser = Parser {
        circuit,
        cursor,
        constants: BTreeMap::new(),
        channels: BTreeMap::new(),
        groups: Vec::new(),
        group_names: BTreeMap::new(),
    };
    if parser.cursor.eat_word("source") {
        parser.circuit.source = Some(parser.cursor.name("the file of the source")?);
        parser.cursor.end_of_line()?;
    }
    while *parser.cursor.peek() != Token::End {
        parser.declaration()?;
    }
    parser.add_groups()?;
    Ok(parser.circuit)
}

struct Parser<'s> {
    circuit: Circuit,
    cursor: Cursor<'s>,
    constants: BTreeMap<String, Constant>,
    channels: BTreeMap<String, Channel>,
    groups: Vec<Members>,
    /// The place of a group among them.
    group_names: BTreeMap<String, usize>,
}

/// A group with its units so far, and the place of its name.
struct Members {
    group: ModuleGroupData,
    /// The name of the group that it is in, and where that stands.
    within: Option<(Pos, String)>,
    units: Vec<Unit>,
    pos: Pos,
}

/// What a line behind a unit's first one connects.
enum Connection {
    Constant(Constant),
    /// With the place of its name.
    From(Channel, Pos),
    To(Channel, Pos),
    Drives(Constant, Pos),
}

/// The connections of a unit by the name of its port, each with the place of that name.
type Connections = BTreeMap<String, (Connection, Pos)>;

impl Parser<'_> {
    fn declaration(&mut self) -> Result<(), ParseError> {
        let what = "`constant`, `channel`, `input`, `output`, `discard`, `group` or `unit`";
        let pos = self.cursor.pos();
        match self.cursor.word(what, Some)? {
            "constant" => self.constant(),
            "channel" => self.channel(),
            "input" => self.environment(Side::From, Circuit::add_input),
            "output" => self.environment(Side::To, Circuit::add_output),
            "discard" => self.environment(Side::To, Circuit::discard),
            "group" => self.group(),
            "unit" => self.unit(),
            other => Err(pos.error(format!("expected {what}, found `{other}`"))),
        }
    }

    fn constant(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let name = self.cursor.name("the constant's name")?;
        self.cursor.punct(':')?;
        let width = width(&mut self.cursor)?;
        let constant = self.circuit.add_constant(name.clone(), width);
        define(&mut self.constants, name.clone(), constant, pos)?;
        check_name(&name, &self.circuit.constants()[constant].name, pos)?;
        self.cursor.end_of_line()
    }

    fn channel(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let name = self.cursor.name("the channel's name")?;
        let (fields, names) = fields(&mut self.cursor)?;
        let channel = self.circuit.add_channel(name.clone(), fields);
        define(&mut self.channels, name.clone(), channel, pos)?;
        check_name(&name, &self.circuit.channels()[channel].name, pos)?;
        if names.iter().any(Option::is_some) {
            let names: Option<Vec<String>> = names.into_iter().collect();
            let names = names.ok_or_else(|| pos.error("some fields have names and some do not"))?;
            self.circuit.name_fields(channel, names);
        }
        self.cursor.end_of_line()
    }

    fn group(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let name = self.cursor.name("the group's name")?;
        let about = match self.cursor.peek() {
            Token::Text(_) => self.cursor.name("what it is")?,
            _ => String::new(),
        };
        let within = match self.cursor.eat_word("in") {
            true => Some((self.cursor.pos(), self.cursor.name("a group")?)),
            false => None,
        };
        let lines = lines(&mut self.cursor)?;
        define(&mut self.group_names, name.clone(), self.groups.len(), pos)?;
        self.groups.push(Members {
            group: ModuleGroupData {
                name,
                about,
                lines,
                within: None,
            },
            within,
            units: Vec::new(),
            pos,
        });
        self.cursor.end_of_line()
    }

    /// Groups are added once their units are known.
    fn add_groups(&mut self) -> Result<(), ParseError> {
        let mut added = Vec::new();
        let mut inner = Vec::new();
        for members in std::mem::take(&mut self.groups) {
            let name = members.group.name.clone();
            let group = self.circuit.add_group(members.group, members.units);
            check_name(&name, &self.circuit.groups()[group].name, members.pos)?;
            inner.extend(members.within.map(|within| (group, within)));
            added.push(group);
        }
        for (group, (pos, name)) in inner {
            let outer = self.group_names.get(&name).map(|&at| added[at]);
            let outer = outer.ok_or_else(|| pos.error(format!("there is no group `{name}`")))?;
            if !self.circuit.put_within(group, outer) {
                return Err(pos.error(format!("`{name}` is in the group itself")));
            }
        }
        Ok(())
    }

    /// An end of a channel that is at no unit.
    fn environment(
        &mut self,
        side: Side,
        connect: impl Fn(&mut Circuit, Channel),
    ) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let channel = find(&mut self.cursor, "a channel", &self.channels)?;
        self.check_open(channel, side, pos)?;
        connect(&mut self.circuit, channel);
        self.cursor.end_of_line()
    }

    fn check_open(&self, channel: Channel, side: Side, pos: Pos) -> Result<(), ParseError> {
        let data = &self.circuit.channels()[channel];
        let place = match side {
            Side::From => "comes from",
            Side::To => "goes to",
        };
        match data.end(side) {
            End::Open => Ok(()),
            End::Unit(..) | End::Environment(_) | End::Discarded => {
                Err(pos.error(format!("`{}` {place} two places", data.name)))
            }
        }
    }

    fn unit(&mut self) -> Result<(), ParseError> {
        let pos = self.cursor.pos();
        let name = self.cursor.name("the unit's name")?;
        let group = match self.cursor.eat_word("in") {
            true => Some(find(&mut self.cursor, "a group", &self.group_names)?),
            false => None,
        };
        self.cursor.punct(':')?;
        let parse = self.cursor.word("a unit's kind", units::parser)?;
        let kind = parse(&mut self.cursor)?;
        let lines = lines(&mut self.cursor)?;
        self.cursor.end_of_line()?;
        let mut connections = self.connections()?;
        let driven = self.driven(&*kind, &mut connections, pos)?;
        let data = self.connect(name.clone(), kind, lines, &mut connections, pos)?;
        if let Some((port, (_, pos))) = connections.into_iter().next() {
            let word = data.kind.word();
            return Err(pos.error(format!("a {word} of these parameters has no `{port}`")));
        }
        let unit = self.circuit.any_unit(data.name, data.kind);
        let unit = unit.lines(data.lines).constants(data.constants);
        let unit = unit.inputs_in_order(data.inputs);
        let unit = unit.outputs_in_order(data.outputs).drives(driven);
        let unit = unit.add().unit;
        check_name(&name, &self.circuit.units()[unit].name, pos)?;
        if let Some(group) = group {
            self.groups[group].units.push(unit);
        }
        Ok(())
    }

    /// The lines behind a unit's first one.
    fn connections(&mut self) -> Result<Connections, ParseError> {
        let mut connections = BTreeMap::new();
        while matches!(
            self.cursor.peek_second(),
            Token::From | Token::To | Token::Punct('=')
        ) {
            let pos = self.cursor.pos();
            let port = self.cursor.name("a port")?;
            let arrow = self.cursor.peek().clone();
            self.cursor.advance();
            let named = self.cursor.pos();
            let connection = match arrow {
                Token::From => {
                    let channel = find(&mut self.cursor, "a channel", &self.channels)?;
                    Connection::From(channel, named)
                }
                Token::To if self.is_constant() => {
                    let constant = find(&mut self.cursor, "a constant", &self.constants)?;
                    Connection::Drives(constant, named)
                }
                Token::To => {
                    let channel = find(&mut self.cursor, "a channel", &self.channels)?;
                    Connection::To(channel, named)
                }
                _ => Connection::Constant(find(&mut self.cursor, "a constant", &self.constants)?),
            };
            self.cursor.end_of_line()?;
            if connections.contains_key(&port) {
                return Err(pos.error(format!("`{port}` is connected twice")));
            }
            connections.insert(port, (connection, pos));
        }
        Ok(connections)
    }

    /// Whether the next token names a constant.
    fn is_constant(&self) -> bool {
        match self.cursor.peek() {
            Token::Word(name) => self.constants.contains_key(*name),
            Token::Text(name) => self.constants.contains_key(name),
            _ => false,
        }
    }

    /// The constants that a unit drives, which are taken out of `connections`.
    fn driven(
        &self,
        kind: &dyn UnitKind,
        connections: &mut Connections,
        pos: Pos,
    ) -> Result<Vec<Constant>, ParseError> {
        let mut driven = Vec::new();
        for wire in kind.drives() {
            let Some((Connection::Drives(constant, pos), _)) = connections.remove(&wire.name)
            else {
                return Err(pos.error(format!("a line `{} -> ...` is missing", wire.name)));
            };
            let found = &self.circuit.constants()[constant];
            if found.width != wire.width {
                let message = format!(
                    "`{}` has {} bits, not {}",
                    found.name, found.width, wire.width
                );
                return Err(pos.error(message));
            }
            if self.circuit.is_driven(constant) || driven.contains(&constant) {
                return Err(pos.error(format!("`{}` is driven twice", found.name)));
            }
            driven.push(constant);
        }
        Ok(driven)
    }

    /// The unit with what its ports are connected to, which is taken out of `connections`.
    fn connect(
        &self,
        name: String,
        kind: Box<dyn UnitKind>,
        lines: Vec<u32>,
        connections: &mut Connections,
        pos: Pos,
    ) -> Result<UnitData, ParseError> {
        let missing = |port: &str, arrow: &str| {
            pos.error(format!("`{name}` needs a line `{port} {arrow} ...`"))
        };
        let mut constants = Vec::new();
        for wire in kind.constants() {
            match connections.remove(&wire.name) {
                Some((Connection::Constant(constant), _)) => constants.push(constant),
                _ => return Err(missing(&wire.name, "=")),
            }
        }
        let mut inputs = Vec::new();
        for port in kind.inputs() {
            let Some((Connection::From(channel, pos), _)) = connections.remove(&port.name) else {
                return Err(missing(&port.name, "<-"));
            };
            self.check_end(channel, &port, Side::To, pos)?;
            check_once(&inputs, channel, pos)?;
            inputs.push(channel);
        }
        let mut outputs = Vec::new();
        for port in kind.outputs() {
            let Some((Connection::To(channel, pos), _)) = connections.remove(&port.name) else {
                return Err(missing(&port.name, "->"));
            };
            self.check_end(channel, &port, Side::From, pos)?;
            check_once(&outputs, channel, pos)?;
            outputs.push(channel);
        }
        Ok(UnitData {
            name,
            kind,
            lines,
            inputs,
            outputs,
            constants,
        })
    }

    /// A channel can have this end at this port.
    fn check_end(
        &self,
        channel: Channel,
        port: &Port,
        side: Side,
        pos: Pos,
    ) -> Result<(), ParseError> {
        let data = &self.circuit.channels()[channel];
        if data.fields != port.fields {
            let (name, carried) = (&data.name, &data.fields);
            let (port, wanted) = (&port.name, &port.fields);
            return Err(pos.error(format!(
                "`{name}` carries {carried}, the port `{port}` {wanted}"
            )));
        }
        self.check_open(channel, side, pos)
    }
}

fn check_once(channels: &[Channel], channel: Channel, pos: Pos) -> Result<(), ParseError> {
    match channels.contains(&channel) {
        true => Err(pos.error("a channel has one end on each side")),
        false => Ok(()),
    }
}

/// A circuit gives what has no good name another one; in a text that would be misleading.
fn check_name(wanted: &str, given: &str, pos: Pos) -> Result<(), ParseError> {
    match wanted == given {
        true => Ok(()),
        false => Err(pos.error(format!(
            "`{wanted}` is taken or no identifier of Verilog: try `{given}`"
        ))),
    }
}

fn define<T>(
    names: &mut BTreeMap<String, T>,
    name: String,
    value: T,
    pos: Pos,
) -> Result<(), ParseError> {
    if names.contains_key(&name) {
        return Err(pos.error(format!("`{name}` is declared twice")));
    }
    names.insert(name, value);
    Ok(())
}

fn find<T: Copy>(
    cursor: &mut Cursor<'_>,
    what: &str,
    names: &BTreeMap<String, T>,
) -> Result<T, ParseError> {
    let pos = cursor.pos();
    let name = cursor.name(what)?;
    let found = names.get(&name);
    found
        .copied()
        .ok_or_else(|| pos.error(format!("`{name}` is not {what} declared above")))
}

/// The width of a field or constant.
pub(super) fn width(cursor: &mut Cursor<'_>) -> Result<u32, ParseError> {
    let pos = cursor.pos();
    match cursor.number("a width")? {
        width @ 1..=64 => Ok(width),
        width => Err(pos.error(format!("a width is 1 to 64 bits, not {width}"))),
    }
}

/// What [`fields`](super::print::fields) writes, with the names of those that have one.
pub(super) fn fields(cursor: &mut Cursor<'_>) -> Result<(Fields, Vec<Option<String>>), ParseError> {
    let (mut widths, mut names) = (Vec::new(), Vec::new());
    let mut follows = cursor.eat(':');
    while follows {
        names.push(match cursor.peek() {
            Token::Word(_) | Token::Text(_) => Some(cursor.name("a field's name")?),
            _ => None,
        });
        widths.push(width(cursor)?);
        follows = cursor.eat(',');
    }
    Ok((Fields::new(widths), names))
}

/// Source lines behind `!`.
fn lines(cursor: &mut Cursor<'_>) -> Result<Vec<u32>, ParseError> {
    let mut lines = Vec::new();
    if cursor.eat('!') {
        lines.push(cursor.number("a source line")?);
        while cursor.eat(',') {
            lines.push(cursor.number("a source line")?);
        }
    }
    Ok(lines)
}
