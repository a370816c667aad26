//! The printer.

use std::fmt::Write;

use super::parameter::{quoted, word};
use crate::circuit::{Channel, ChannelData, Circuit, End, Side, Unit};
use crate::unit::Fields;

/// The text of a circuit.
pub fn print(circuit: &Circuit) -> String {
    let mut out = format!("circuit {}\n", word(&circuit.name));
    if let Some(source) = &circuit.source {
        line(&mut out, format_args!("source {}", word(source)));
    }
    for wire in circuit.constants().values() {
        line(
            &mut out,
            format_args!("constant {}: {}", word(&wire.name), wire.width),
        );
    }
    out.push('\n');
    for (at, channel) in circuit.channels() {
        let names = circuit.field_names(at);
        line(
            &mut out,
            format_args!(
                "channel {}{} ; {} -> {}",
                word(&channel.name),
                fields(&channel.fields, |field| names.get(field)),
                end(circuit, channel, Side::From),
                end(circuit, channel, Side::To),
            ),
        );
    }
    out.push('\n');
    print_boundary(&mut out, circuit);
    print_groups(&mut out, circuit);
    for at in circuit.units().keys() {
        out.push('\n');
        print_unit(&mut out, circuit, at);
    }
    out
}

/// The ends of channels that are at no unit.
fn print_boundary(out: &mut String, circuit: &Circuit) {
    let discarded = circuit.channels().iter();
    let discarded = discarded.filter(|(_, data)| data.to == End::Discarded);
    let discarded: Vec<Channel> = discarded.map(|(channel, _)| channel).collect();
    for (keyword, channels) in [
        ("input", circuit.inputs()),
        ("output", circuit.outputs()),
        ("discard", &discarded),
    ] {
        for &channel in channels {
            let name = word(&circuit.channels()[channel].name);
            line(out, format_args!("{keyword} {name}"));
        }
    }
}

fn print_groups(out: &mut String, circuit: &Circuit) {
    if !circuit.groups().is_empty() {
        out.push('\n');
    }
    for group in circuit.groups().values() {
        let about = match group.about.is_empty() {
            true => String::new(),
            false => format!(" {}", quoted(&group.about)),
        };
        let (name, lines) = (word(&group.name), lines(&group.lines));
        let within = group.within.map(|it| word(&circuit.groups()[it].name));
        let within = within.map_or(String::new(), |name| format!(" in {name}"));
        line(out, format_args!("group {name}{about}{within}{lines}"));
    }
}

fn line(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(out, "{arguments}").expect("strings take all text");
}

/// Where a channel comes from or goes to, for readers: the units' own lines say it to the parser.
fn end(circuit: &Circuit, channel: &ChannelData, side: Side) -> String {
    let (unit, port) = match channel.end(side) {
        End::Unit(unit, port) => (&circuit.units()[unit], port),
        End::Environment(_) => return "environment".into(),
        end @ (End::Discarded | End::Open) => return end.to_string(),
    };
    let ports = match side {
        Side::From => unit.kind.outputs(),
        Side::To => unit.kind.inputs(),
    };
    format!("{}.{}", unit.name, ports[port as usize].name)
}

/// `: x 32, 1`, or nothing if there are no fields; names stand before those that have one.
pub(super) fn fields<'n>(fields: &Fields, name: impl Fn(usize) -> Option<&'n String>) -> String {
    let field = |(at, width): (usize, u32)| match name(at) {
        Some(name) => format!("{} {width}", word(name)),
        None => width.to_string(),
    };
    let fields: Vec<String> = fields.widths().enumerate().map(field).collect();
    match fields.is_empty() {
        true => String::new(),
        false => format!(": {}", fields.join(", ")),
    }
}

/// Source lines behind `!`, or nothing.
fn lines(lines: &[u32]) -> String {
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    match lines.is_empty() {
        true => String::new(),
        false => format!(" !{}", lines.join(", ")),
    }
}

fn print_unit(out: &mut String, circuit: &Circuit, at: Unit) {
    let unit = &circuit.units()[at];
    let group = match circuit.group(at) {
        Some(group) => format!(" in {}", word(&circuit.groups()[group].name)),
        None => String::new(),
    };
    let (name, kind) = (word(&unit.name), unit.kind.word());
    write!(out, "unit {name}{group}: {kind} ").expect("strings take all text");
    unit.kind.print_parameters(out);
    out.push_str(&lines(&unit.lines));
    out.push('\n');
    let channel = |&channel: &Channel| word(&circuit.channels()[channel].name);
    for (wire, &constant) in unit.kind.constants().iter().zip(&unit.constants) {
        let read = word(&circuit.constants()[constant].name);
        line(out, format_args!("  {} = {read}", word(&wire.name)));
    }
    for (wire, constant) in unit.kind.drives().iter().zip(circuit.driven_by(at)) {
        let driven = word(&circuit.constants()[constant].name);
        line(out, format_args!("  {} -> {driven}", word(&wire.name)));
    }
    for (port, from) in unit.kind.inputs().iter().zip(&unit.inputs) {
        line(
            out,
            format_args!("  {} <- {}", word(&port.name), channel(from)),
        );
    }
    for (port, to) in unit.kind.outputs().iter().zip(&unit.outputs) {
        line(
            out,
            format_args!("  {} -> {}", word(&port.name), channel(to)),
        );
    }
}
