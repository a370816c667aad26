//! The convention of every operator's module.
//!
//! The module `sluice_x` stands in the file `sluice_x.v`. Its ports are `clk`, the inputs and the
//! outputs; there is no reset, no valid and no stall. Its parameter `REGS` has a bit per pipeline
//! step, lowest first: a set bit puts a register behind the step. The result of the operands of a
//! cycle appears as many cycles later as bits are set.

use std::fmt::Write;

use crate::operators::{Operator, Regs};

/// The clock port.
pub const CLOCK: &str = "clk";

/// The parameter that places the registers.
pub const REGS: &str = "REGS";

/// A Verilog file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source {
    /// The file's name.
    pub file: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// The text of an instance; each connection is a port and the expression it is connected to.
pub fn instance(
    operator: &dyn Operator,
    regs: Regs,
    name: &str,
    connections: &[(&str, &str)],
) -> String {
    let mut text = format!("{} #(", operator.module());
    for (parameter, value) in operator.parameters() {
        write!(text, ".{parameter}({value}), ").expect("strings accept all text");
    }
    write!(text, ".{REGS}({regs})) {name} (.{CLOCK}({CLOCK})").expect("strings accept all text");
    for (port, expression) in connections {
        write!(text, ", .{port}({expression})").expect("strings accept all text");
    }
    text.push_str(");\n");
    text
}

/// The words of Verilog-2005, and of its successor, which tools refuse as well.
const KEYWORDS: &str = "\
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic \
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle \
    checker class clocking cmos config const constraint context continue cover covergroup \
    coverpoint cross deassign default defparam design disable dist do edge else end endcase \
    endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface \
    endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable \
    endtask enum event eventually expect export extends extern final first_match for force \
    foreach forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone \
    ignore_bins illegal_bins implements implies import incdir include initial inout input inside \
    instance int integer interconnect interface intersect join join_any join_none large let \
    liblist library local localparam logic longint macromodule matches medium modport module \
    nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1 null or output \
    package packed parameter pmos posedge primitive priority program property protected pull0 \
    pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase \
    randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos \
    rpmos rtran rtranif0 rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared \
    sequence shortint shortreal showcancelled signed small soft solve specify specparam static \
    string strong strong0 strong1 struct super supply0 supply1 sync_accept_on sync_reject_on \
    table tagged task this throughout time timeprecision timeunit tran tranif0 tranif1 tri tri0 \
    tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with untyped \
    use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard \
    wire with within wor xnor xor";

/// The words that are nobody's name.
pub(crate) fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.split_ascii_whitespace()
}

/// Whether a name can be part of one of Verilog's.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
