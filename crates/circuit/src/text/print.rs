//! The printer.

use std::fmt::Write;

use super::parameter::word;
use crate::circuit::{Channel, ChannelData, Circuit, End, Side, Unit};
use crate::unit::Fields;

/// The text of a circuit.
pub fn print(circuit: &Circuit) -> String {
    let mut out = format!("circuit {}\n", word(&circuit.name));
    for wire in circuit.constants().values() {
        line(
            &mut out,
            format_args!("constant {}: {}", word(&wire.name), wire.width),
        );
    }
    out.push('\n');
    for channel in circuit.channels().values() {
        line(
            &mut out,
            format_args!(
                "channel {}{} ; {} -> {}",
                word(&channel.name),
                widths(&channel.fields),
                end(circuit, channel, Side::From),
                end(circuit, channel, Side::To),
            ),
        );
    }
    out.push('\n');
    let discarded = circuit.channels().iter();
    let discarded = discarded.filter(|(_, data)| data.to == End::Nobody);
    let discarded: Vec<Channel> = discarded.map(|(channel, _)| channel).collect();
    for (keyword, channels) in [
        ("input", circuit.inputs()),
        ("output", circuit.outputs()),
        ("discard", &discarded),
    ] {
        for &channel in channels {
            let name = word(&circuit.channels()[channel].name);
            line(&mut out, format_args!("{keyword} {name}"));
        }
    }
    for at in circuit.units().keys() {
        out.push('\n');
        print_unit(&mut out, circuit, at);
    }
    out
}

fn line(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    writeln!(out, "{arguments}").expect("strings take all text");
}

/// Where a channel comes from or goes to, for readers: the units' own lines say it to the parser.
fn end(circuit: &Circuit, channel: &ChannelData, side: Side) -> String {
    let (unit, port) = match channel.end(side) {
        End::Unit(unit, port) => (&circuit.units()[unit], port),
        End::Outside(_) => return "outside".into(),
        end @ (End::Nobody | End::Open) => return end.to_string(),
    };
    let ports = match side {
        Side::From => unit.kind.outputs(),
        Side::To => unit.kind.inputs(),
    };
    format!("{}.{}", unit.name, ports[port as usize].name)
}

/// `: 32, 1`, or nothing if there are no fields.
pub(super) fn widths(fields: &Fields) -> String {
    let widths: Vec<String> = fields.widths().map(|width| width.to_string()).collect();
    match widths.is_empty() {
        true => String::new(),
        false => format!(": {}", widths.join(", ")),
    }
}

fn print_unit(out: &mut String, circuit: &Circuit, at: Unit) {
    let unit = &circuit.units()[at];
    write!(out, "unit {}: {} ", word(&unit.name), unit.kind.word()).expect("strings take all text");
    unit.kind.print_parameters(out);
    if !unit.lines.is_empty() {
        let lines: Vec<String> = unit.lines.iter().map(u32::to_string).collect();
        write!(out, " !{}", lines.join(", ")).expect("strings take all text");
    }
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
