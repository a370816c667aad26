//! Identifiers of Verilog for names of the source: legal, no keyword, and each taken once.

use std::collections::{BTreeMap, BTreeSet};

/// The words of Verilog-2005 and of its successor, which tools refuse as identifiers.
const KEYWORDS: &str = "
    accept_on alias always always_comb always_ff always_latch and assert assign assume automatic
    before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle
    checker class clocking cmos config const constraint context continue cover covergroup
    coverpoint cross deassign default defparam design disable dist do edge else end endcase
    endchecker endclass endclocking endconfig endfunction endgenerate endgroup endinterface
    endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
    endtask enum event eventually expect export extends extern final first_match for force foreach
    forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins
    illegal_bins implements implies import incdir include initial inout input inside instance int
    integer interconnect interface intersect join join_any join_none large let liblist library
    local localparam logic longint macromodule matches medium modport module nand negedge nettype
    new nexttime nmos nor noshowcancelled not notif0 notif1 null or output package packed
    parameter pmos posedge primitive priority program property protected pull0 pull1 pulldown
    pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos real
    realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
    s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
    showcancelled signed small soft solve specify specparam static string strong strong0 strong1
    struct super supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout
    time timeprecision timeunit tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type
    typedef union unique unique0 unsigned until until_with untyped use uwire var vectored virtual
    void wait wait_order wand weak weak0 weak1 while wildcard wire with within wor xnor xor
";

/// Names that are taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Identifiers {
    taken: BTreeSet<String>,
    /// The number to try next for a name that was wished for before.
    next: BTreeMap<String, u32>,
}

impl Identifiers {
    /// These names are taken.
    pub(crate) fn reserve(&mut self, names: impl IntoIterator<Item = String>) {
        self.taken.extend(names);
    }

    /// Takes this name, or one like it.
    pub(crate) fn take(&mut self, name: &str) -> String {
        self.take_with(name, &[""])
    }

    /// Takes a name with each of these endings, one of which may be empty: this name, or one like
    /// it.
    pub(crate) fn take_with(&mut self, name: &str, endings: &[&str]) -> String {
        let name = legal(name);
        let number = self.next.entry(name.clone()).or_insert(1);
        loop {
            let candidate = match *number {
                1 => name.clone(),
                number => format!("{name}_{number}"),
            };
            *number += 1;
            let all = || endings.iter().map(|ending| format!("{candidate}{ending}"));
            if !is_keyword(&candidate) && !all().any(|name| self.taken.contains(&name)) {
                self.taken.extend(all());
                return candidate;
            }
        }
    }
}

/// An identifier like a name: other characters than letters, digits and `_` become `_`.
pub(crate) fn legal(name: &str) -> String {
    let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().map(legal).collect();
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name,
        Some(_) | None => format!("_{name}"),
    }
}

/// Whether a name can be part of one of Verilog's.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether Verilog has this word for itself.
pub(crate) fn is_keyword(name: &str) -> bool {
    KEYWORDS.split_whitespace().any(|word| word == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal_and_unique() {
        let mut names = Identifiers::default();
        names.reserve(["clk".into()]);
        let wishes = ["a", "a", "a_2", "a", "wire", "3x", "p.x y", "", "clk"];
        let taken = wishes.map(|wish| names.take(wish));
        let expected = [
            "a", "a_2", "a_2_2", "a_3", "wire_2", "_3x", "p_x_y", "_", "clk_2",
        ];
        assert_eq!(taken, expected);
    }

    #[test]
    fn a_channel_takes_all_of_its_wires() {
        let mut names = Identifiers::default();
        names.take("x_valid");
        assert_eq!(names.take_with("x", &["", "_valid"]), "x_2");
        assert_eq!(names.take("x_2_valid"), "x_2_valid_2");
    }
}
