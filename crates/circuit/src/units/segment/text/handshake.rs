//! When tokens enter a segment, in Verilog: when all inputs have one and all outputs have room, an interval
//! apart, and several times if they are repeated.

use std::fmt::Write;

use super::{active, concatenated, net};
use crate::units::segment::Segment;

/// A token enters when all inputs have one and all outputs have room; then it moves a cycle a cycle.
pub(super) fn handshake(segment: &Segment) -> String {
    let rooms: Vec<String> = (0..segment.graph.outputs.len())
        .map(|o| format!("out{o}_room"))
        .collect();
    let valids: Vec<String> = (0..segment.graph.inputs.len())
        .map(|i| format!("in{i}_valid"))
        .collect();
    let mut text = format!("    wire {};\n", rooms.join(", "));
    let mut conditions = rooms;
    if segment.interval() > 1 {
        text.push_str("    wire open; // the last token is far enough ahead\n");
        conditions.push("open".into());
    }
    let (free, enter) = match segment.repeats() {
        true => {
            text.push_str("    wire free;  // a token can come to the register\n");
            text.push_str("    wire again; // the token in the register enters once more\n");
            text.push_str("    wire token_valid;\n");
            let token = net(segment.input_bits(), "token");
            writeln!(text, "    wire {token};").expect("strings take all text");
            conditions.push("token_valid".into());
            ("free".to_string(), conditions.join(" && "))
        }
        false => {
            let free = conditions.join(" && ");
            let enter = format!("{free} && {}", valids.join(" && "));
            (free, enter)
        }
    };
    for index in 0..valids.len() {
        let others = valids
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let others: String = others.map(|(_, valid)| format!(" && {valid}")).collect();
        writeln!(text, "    assign in{index}_ready = {free}{others};")
            .expect("strings take all text");
    }
    writeln!(text, "    wire enter = {enter};").expect("strings take all text");
    let length = segment.schedule.length();
    let next = match length {
        0 | 1 => "enter".to_string(),
        2 => "{valid[1], enter}".to_string(),
        length => format!("{{valid[{}:1], enter}}", length - 1),
    };
    if length > 0 {
        write!(
            text,
            "    reg [{length}:1] valid; // by cycle\n    always @(posedge clk)\n        \
             valid <= rst ? {length}'d0 : {next};\n"
        )
        .expect("strings take all text");
    }
    text + &pace(segment, &valids)
}

/// What keeps tokens apart, and holds those that enter several times.
fn pace(segment: &Segment, valids: &[String]) -> String {
    let mut text = String::new();
    if segment.interval() > 1 {
        write!(
            text,
            "    sluice_interval #(.CYCLES({})) pace (\n        \
             .clk(clk), .rst(rst), .enter(enter), .open(open)\n    );\n",
            segment.interval()
        )
        .expect("strings take all text");
    }
    if let Some(cycle) = segment.schedule.repeat {
        let inputs = segment.graph.inputs.iter().enumerate();
        let inputs = inputs.filter(|(_, fields)| !fields.is_empty());
        let mut tokens: Vec<String> = inputs.map(|(index, _)| format!("in{index}")).collect();
        if tokens.is_empty() {
            tokens.push("1'b0".into());
        }
        tokens.reverse();
        write!(
            text,
            "    sluice_buffer #(.WIDTH({})) tokens (\n        \
             .clk(clk), .rst(rst), .in_valid({}), .in_ready(free), .in({}),\n        \
             .out_valid(token_valid), .out_ready({} && !again), .out(token)\n    );\n",
            segment.input_bits(),
            valids.join(" && "),
            concatenated(&tokens),
            active(cycle),
        )
        .expect("strings take all text");
    }
    text
}
