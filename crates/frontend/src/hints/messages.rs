//! clang's warnings, without those about attributes that are hints.

use super::Directive;

/// Drops what clang says about unknown attributes that `hints` reads, from messages in whole lines.
pub(crate) fn without_hints(messages: &str) -> String {
    let mut kept = String::new();
    let mut dropped = 0;
    let mut is_dropping = false;
    for line in messages.split_inclusive('\n') {
        let begins = [" warning: ", " error: ", " note: "].iter();
        if begins.clone().any(|it| plain(line).contains(it)) {
            is_dropping = is_about_hint(line);
            dropped += u64::from(is_dropping);
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

fn is_about_hint(line: &str) -> bool {
    let name = line.split_once("unknown attribute '");
    let name = name.and_then(|(_, rest)| rest.split_once('\''));
    line.contains("-Wunknown-attributes") && name.is_some_and(|(it, _)| Directive::is_attribute(it))
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
