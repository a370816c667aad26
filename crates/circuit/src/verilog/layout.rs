//! Lines and expressions.

/// The longest line, where there is a choice.
pub(super) const LONGEST_LINE: usize = 100;

/// Text in as many lines as it needs.
pub(crate) fn wrapped(start: &str, text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && start.len() + line.len() + 1 + word.len() > LONGEST_LINE {
            lines += &format!("{start}{line}\n");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines + &format!("{start}{line}\n")
}

/// Lines as one writes them: `kernel.cl:3,5-7`. The lines ascend.
pub(crate) fn source_lines(source: Option<&str>, lines: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if line <= *last + 1 => *last = line,
            Some(_) | None => ranges.push((line, line)),
        }
    }
    let range = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let ranges = ranges.iter().map(range).collect::<Vec<_>>().join(",");
    match source {
        Some(file) => format!("{file}:{ranges}"),
        None => format!("line {ranges}"),
    }
}

/// Verilog side by side, the first one lowest; a bit that means nothing, if there is none.
pub(crate) fn concatenate(parts: impl Iterator<Item = String>) -> String {
    let mut parts: Vec<String> = parts.collect();
    parts.reverse();
    match parts.is_empty() {
        true => "1'b0".into(),
        false => format!("{{{}}}", parts.join(", ")),
    }
}
