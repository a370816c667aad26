//! Plans as TOML, to be read again.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use super::file::{Factor, Name, Number, NumberOrWord, PlanFile, Reasons};

impl Display for PlanFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tables = Tables { f, is_first: true };
        for (name, entry) in &self.bitstream {
            let kernels: Vec<String> = entry.kernels.iter().map(|it| quoted(&it.text)).collect();
            tables.begin(&["bitstream", &name.text])?;
            tables.line(
                "kernels",
                format!("[{}]", kernels.join(", ")),
                &entry.reason,
            )?;
            tables.number("banks", &entry.banks, &entry.reason)?;
            tables.number("line_bytes", &entry.line_bytes, &entry.reason)?;
        }
        for (name, entry) in &self.kernel {
            let reasons = &entry.reason;
            tables.begin(&["kernel", &name.text])?;
            tables.number("datapaths", &entry.datapaths, reasons)?;
            tables.word("items", &entry.items, reasons)?;
            tables.number("lanes", &entry.lanes, reasons)?;
            tables.number("work_group", &entry.work_group, reasons)?;
            tables.number("dimensions", &entry.dimensions, reasons)?;
            tables.word("buffers", &entry.buffers, reasons)?;
            tables.word("memory", &entry.memory, reasons)?;
            tables.number("latency", &entry.latency, reasons)?;
            tables.number("cache_bytes", &entry.cache_bytes, reasons)?;
            tables.number("on_chip_bytes", &entry.on_chip_bytes, reasons)?;
            tables.number("local_bytes", &entry.local_bytes, reasons)?;
            tables.number("barrier_bits", &entry.barrier_bits, reasons)?;
            for (object, entry) in &entry.object {
                tables.begin(&["kernel", &name.text, "object", &object.text])?;
                tables.number("cache_bytes", &entry.cache_bytes, &entry.reason)?;
                tables.number("latency", &entry.latency, &entry.reason)?;
                tables.number("bank", &entry.bank, &entry.reason)?;
                tables.word("memory", &entry.memory, &entry.reason)?;
                tables.number("copy_bytes", &entry.copy_bytes, &entry.reason)?;
            }
            for (access, entry) in in_source_order(&entry.access) {
                tables.begin(&["kernel", &name.text, "access", &access.text])?;
                tables.word("memory", &entry.memory, &entry.reason)?;
                tables.number("latency", &entry.latency, &entry.reason)?;
            }
            for (argument, entry) in &entry.argument {
                tables.begin(&["kernel", &name.text, "argument", &argument.text])?;
                tables.number("bits", &entry.bits, &entry.reason)?;
            }
            for (loop_, entry) in in_source_order(&entry.loops) {
                tables.begin(&["kernel", &name.text, "loop", &loop_.text])?;
                tables.word("way", &entry.way, &entry.reason)?;
                tables.flag("coalesce", entry.coalesce, &entry.reason)?;
                tables.factor("unroll", &entry.unroll, &entry.reason)?;
            }
        }
        Ok(())
    }
}

/// Entries by line and number, not by the letters of these.
fn in_source_order<T>(entries: &BTreeMap<Name, T>) -> Vec<(&Name, &T)> {
    let mut entries: Vec<(&Name, &T)> = entries.iter().collect();
    let key = |name: &Name| {
        let (line, number) = name.text.split_once('.').unwrap_or((&name.text, "0"));
        (line.parse::<u32>().ok(), number.parse::<u32>().ok())
    };
    entries.sort_by_key(|(name, _)| key(name));
    entries
}

struct Tables<'f, 'a> {
    f: &'f mut fmt::Formatter<'a>,
    is_first: bool,
}

impl Tables<'_, '_> {
    fn begin(&mut self, path: &[&str]) -> fmt::Result {
        if !std::mem::take(&mut self.is_first) {
            writeln!(self.f)?;
        }
        let path: Vec<String> = path.iter().map(|part| key(part)).collect();
        writeln!(self.f, "[{}]", path.join("."))
    }

    fn number(&mut self, key: &str, number: &Option<Number>, reasons: &Reasons) -> fmt::Result {
        match number {
            Some(number) => self.line(key, number.value, reasons),
            None => Ok(()),
        }
    }

    fn word(&mut self, key: &str, word: &Option<Name>, reasons: &Reasons) -> fmt::Result {
        match word {
            Some(word) => self.line(key, quoted(&word.text), reasons),
            None => Ok(()),
        }
    }

    fn flag(&mut self, key: &str, flag: Option<bool>, reasons: &Reasons) -> fmt::Result {
        match flag {
            Some(flag) => self.line(key, flag, reasons),
            None => Ok(()),
        }
    }

    fn factor(&mut self, key: &str, factor: &Option<Factor>, reasons: &Reasons) -> fmt::Result {
        match factor.as_ref().map(|it| &it.what) {
            Some(NumberOrWord::Number(number)) => self.line(key, number, reasons),
            Some(NumberOrWord::Word(word)) => self.line(key, quoted(word), reasons),
            None => Ok(()),
        }
    }

    fn line(&mut self, key: &str, value: impl Display, reasons: &Reasons) -> fmt::Result {
        writeln!(self.f, "{key} = {value}")?;
        match reasons.get(&Name::from(key)) {
            Some(reason) => writeln!(self.f, "reason.{key} = {}", quoted(reason)),
            None => Ok(()),
        }
    }
}

/// A part of a key: bare where TOML allows it.
fn key(text: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match !text.is_empty() && text.chars().all(is_bare) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
