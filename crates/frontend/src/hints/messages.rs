//! clang's warnings, without those about attributes that are hints.

use super::Directive;

/// Attributes of memory that change nothing here, and why.
const WITHOUT_EFFECT: [(&[&str], &str); 6] = [
    (
        &["memory", "register"],
        "arrays whose indices are all known are registers, others memories",
    ),
    (
        &["singlepump", "doublepump"],
        "memories have the clock of the circuit",
    ),
    (
        &[
            "numreadports",
            "numwriteports",
            "numports_readonly_writeonly",
            "simple_dual_port",
        ],
        "each access has a port of its own",
    ),
    (
        &["max_replicates", "private_copies", "max_concurrency"],
        "there is a copy for each resident work-group or work-item",
    ),
    (
        &[
            "bank_bits",
            "bank",
            "merge",
            "force_pow2_depth",
            "xcl_array_partition",
            "xcl_array_reshape",
        ],
        "the addresses of accesses choose the banks, or `numbanks`",
    ),
    (&["xcl_dataflow"], "work-items always overlap"),
];

/// Drops what clang says about unknown attributes that `hints` reads, from messages in whole lines, and makes
/// notes of what it says about those of memory.
pub(crate) fn without_hints(messages: &str) -> String {
    let mut kept = String::new();
    let mut dropped = 0;
    let mut is_dropping = false;
    for line in messages.split_inclusive('\n') {
        let begins = [" warning: ", " error: ", " note: "].iter();
        if begins.clone().any(|it| plain(line).contains(it)) {
            let attribute = unknown_attribute(line);
            is_dropping = attribute.is_some_and(Directive::is_attribute);
            dropped += u64::from(is_dropping);
            if let Some(note) = attribute.and_then(|attribute| note(line, attribute)) {
                kept += &note;
                dropped += 1;
                continue;
            }
        }
        let count = plain(line);
        let count = count.trim_end().strip_suffix(" generated.");
        match count.and_then(|count| count.split_once(' ')) {
            Some((count, "warning" | "warnings")) if dropped > 0 => {
                let left = count.parse::<u64>().unwrap_or(0).saturating_sub(dropped);
                kept += &match left {
                    0 => String::new(),
                    1 => "1 warning generated.\n".to_owned(),
                    left => format!("{left} warnings generated.\n"),
                };
            }
            _ if is_dropping => {}
            _ => kept += line,
        }
    }
    kept
}

/// The attribute that a line says to be unknown.
fn unknown_attribute(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("unknown attribute '")?;
    let (name, rest) = rest.split_once('\'')?;
    rest.contains("-Wunknown-attributes").then_some(name)
}

/// A note in the place of a warning of an attribute, if it is about memory.
fn note(line: &str, attribute: &str) -> Option<String> {
    let mut known = WITHOUT_EFFECT.iter();
    let (_, why) = known.find(|(names, _)| names.contains(&attribute))?;
    let line = plain(line);
    let (place, _) = line.split_once(" warning: ")?;
    Some(format!(
        "{place} note: `{attribute}` has no effect: {why}\n"
    ))
}

/// A line without the codes that colour it.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\x1b' => {
                rest.by_ref().find(|c| c.is_alphabetic());
            }
            c => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT_HINT: &str = "k.cl:1:1: warning: unknown attribute 'xcl_pipeline_loop' ignored [-Wunknown-attributes]\n\
                              \x20   1 | text\n      |  ^\n";
    const OTHER: &str = "k.cl:2:1: warning: unknown attribute 'xcl_other' ignored [-Wunknown-attributes]\n    2 | text\n";

    #[test]
    fn attributes_of_memory_become_notes() {
        let about = ABOUT_HINT.replace("xcl_pipeline_loop", "doublepump");
        assert_eq!(
            without_hints(&format!("{about}{OTHER}2 warnings generated.\n")),
            format!(
                "k.cl:1:1: note: `doublepump` has no effect: memories have the clock of the circuit\n    1 | text\n      \
                 |  ^\n{OTHER}1 warning generated.\n"
            )
        );
    }

    #[test]
    fn other_warnings_stay() {
        let both = format!("{ABOUT_HINT}{OTHER}2 warnings generated.\n");
        assert_eq!(
            without_hints(&both),
            format!("{OTHER}1 warning generated.\n")
        );
        let one = format!("{ABOUT_HINT}1 warning generated.\n");
        assert_eq!(without_hints(&one), "");
        let other = format!("{OTHER}1 warning generated.\n");
        assert_eq!(without_hints(&other), other);
    }
}
