//! Identifiers of Verilog for names of the source: legal, no keyword, and each taken once.
//!
//! Every name that reaches Verilog, a report or a file name comes through here. Names of ASCII
//! letters, digits and underscores stay as they are. `$` and characters beyond ASCII are written as C
//! writes them, without the backslash: `u0024`, `u00E9`. A name that is too long for file names keeps
//! its beginning, followed by a hash of the whole. Names that are keywords of Verilog, or that have
//! become equal to one that is taken, get a number.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

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

/// Identifiers of modules for names that are used side by side, such as those of a program's kernels:
/// all different, in the order of the names. Those of the library begin with `sluice_`, and Verilator
/// knows no module that is called as its clock.
pub fn distinct<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = Identifiers::default();
    taken.reserve(["clk".into(), "rst".into()]);
    let identifier = |name: &str| match name.starts_with("sluice_") {
        true => taken.take(&format!("kernel_{name}")),
        false => taken.take(name),
    };
    names.into_iter().map(identifier).collect()
}

/// The longest identifier: `DESIGN_GROUP.v` must be a file name, of at most 255 bytes.
const LONGEST: usize = 100;

/// How much of a longer name stands before its hash.
const KEPT: usize = 80;

/// An identifier like a name.
pub(crate) fn legal(name: &str) -> String {
    let mut identifier = String::with_capacity(name.len());
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        identifier.push('_');
    }
    for c in name.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => identifier.push(c),
            '$' | '\u{80}'.. => {
                write!(identifier, "u{:04X}", u32::from(c)).expect("strings accept all text")
            }
            _ => identifier.push('_'),
        }
    }
    match identifier.len() {
        ..=LONGEST => identifier,
        _ => format!("{}_{:016x}", &identifier[..KEPT], fingerprint(&identifier)),
    }
}

/// FNV-1a: the same on every machine and in every version, as the names of modules must be.
pub(crate) fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
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
    fn any_identifier_of_c_becomes_one_of_verilog() {
        for (name, expected) in [
            ("_fict_", "_fict_"),
            ("a__b", "a__b"),
            ("a$b", "au0024b"),
            ("\u{e9}t\u{e9}", "u00E9tu00E9"),
            ("\u{1f980}", "u1F980"),
        ] {
            assert_eq!(legal(name), expected);
            assert_eq!(legal(expected), expected);
        }
        assert_eq!(
            distinct(["a$", "au0024", "reg", "clk", "sluice_x", "kernel_sluice_x"]),
            [
                "au0024",
                "au0024_2",
                "reg_2",
                "clk_2",
                "kernel_sluice_x",
                "kernel_sluice_x_2"
            ]
        );
    }

    #[test]
    fn long_names_are_shortened_and_stay_different() {
        let names = [1000, 1001].map(|length| legal(&"x".repeat(length)));
        assert_ne!(names[0], names[1]);
        for name in names {
            assert!(name.len() <= LONGEST && name.starts_with("xxxx"));
            assert_eq!(legal(&name), name);
        }
        let longest = "x".repeat(LONGEST);
        assert_eq!(legal(&longest), longest);
    }

    #[test]
    fn a_channel_takes_all_of_its_wires() {
        let mut names = Identifiers::default();
        names.take("x_valid");
        assert_eq!(names.take_with("x", &["", "_valid"]), "x_2");
        assert_eq!(names.take("x_2_valid"), "x_2_valid_2");
    }
}
