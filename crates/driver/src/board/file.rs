//! Target files: their fields, and what these may be.

use std::ops::{Range, RangeInclusive};

use serde::Deserialize;
use sluice_circuit::family::{self, Family};
use sluice_kernel::plan::Plan;
use sluice_synth::nextpnr::{Device, PACKAGES, SIZES};
use toml::Spanned;

use super::Chip;

/// A target file, checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) description: String,
    pub(super) clock: Clock,
    chip: ChipFields,
    pub(super) memory: Memory,
    pub(super) host: Host,
    pub(super) defaults: Defaults,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Clock {
    pub(super) mhz: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChipFields {
    family: Spanned<String>,
    grade: Option<Number>,
    logic: Number,
    registers: Number,
    multipliers: Number,
    block_memories: Number,
    open_tools: Option<OpenTools>,
}

/// The chip as open tools know it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenTools {
    size: Spanned<String>,
    speed: Number,
    package: Spanned<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Memory {
    pub(super) gigabytes: Number,
    pub(super) channels: Option<Number>,
    pub(super) gigabytes_per_second: Number,
    pub(super) row_hit_ns: Number,
    pub(super) row_miss_ns: Number,
    pub(super) row_change_ns: Number,
    pub(super) banks: Number,
    pub(super) row_bytes: Number,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Host {
    pub(super) gigabytes_per_second: Number,
}

/// What circuits are built for where no plan says otherwise.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Defaults {
    pub(super) latency: Number,
    pub(super) cache_bytes: Number,
}

/// A number with its place in the file.
#[derive(Deserialize)]
#[serde(transparent)]
pub(super) struct Number(Spanned<f64>);

/// What is wrong with a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Mistake {
    pub(super) message: String,
    pub(super) span: Option<Range<usize>>,
    /// What is allowed, and why.
    pub(super) help: Option<String>,
}

/// Which numbers a field may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Count,
    PowerOfTwo,
    Quantity,
}

/// What a field may be.
struct Rule<'f> {
    field: &'static str,
    number: &'f Number,
    kind: Kind,
    range: RangeInclusive<f64>,
    why: &'static str,
}

impl File {
    /// Reads a file.
    pub(super) fn read(text: &str) -> Result<File, Mistake> {
        let file: File = toml::from_str(text).map_err(|error| Mistake {
            message: error.message().trim().to_owned(),
            span: error.span(),
            help: None,
        })?;
        match file.rules().iter().find_map(|rule| rule.broken(text)) {
            Some(mistake) => Err(mistake),
            None => Ok(file),
        }
    }

    /// The chip's family.
    pub(super) fn family(&self) -> Result<&'static Family, Mistake> {
        let name = &self.chip.family;
        Family::find(name.get_ref()).ok_or_else(|| {
            let names: Vec<&str> = Family::names().collect();
            Mistake {
                message: format!("no family `{}`", name.get_ref()),
                span: Some(name.span()),
                help: Some(format!("families are {}", names.join(", "))),
            }
        })
    }

    /// The chip's speed grade.
    pub(super) fn grade(&self) -> f64 {
        self.chip.grade.as_ref().map_or(1.0, Number::value)
    }

    /// What the chip has.
    pub(super) fn chip(&self) -> Chip {
        let chip = &self.chip;
        Chip {
            logic: chip.logic.count(),
            registers: chip.registers.count(),
            multipliers: chip.multipliers.count(),
            block_memories: chip.block_memories.count(),
        }
    }

    /// The chip as open tools know it.
    pub(super) fn open_tools(&self) -> Result<Option<Device>, Mistake> {
        let Some(tools) = &self.chip.open_tools else {
            return Ok(None);
        };
        let family = &self.chip.family;
        if family.get_ref() != family::ECP5.name {
            return Err(Mistake {
                message: "chip.open_tools is for chips of the family ecp5".into(),
                span: Some(family.span()),
                help: Some(
                    "leave the table out: areas are measured, the clock is estimated".into(),
                ),
            });
        }
        Ok(Some(Device {
            size: known("chip.open_tools.size", &tools.size, &SIZES)?,
            speed: tools.speed.count(),
            package: known("chip.open_tools.package", &tools.package, &PACKAGES)?,
        }))
    }

    /// What each field may be; `docs/targets.md` has the same ranges.
    fn rules(&self) -> Vec<Rule<'_>> {
        let mut rules = Vec::new();
        let mut rule = |field, number, kind, range, why| {
            rules.push(Rule {
                field,
                number,
                kind,
                range,
                why,
            });
        };
        let (clock, chip, memory) = (&self.clock, &self.chip, &self.memory);
        use Kind::{Count, PowerOfTwo, Quantity};
        let why = "circuits are pipelined for this clock";
        rule("clock.mhz", &clock.mhz, Quantity, 1.0..=5000.0, why);
        if let Some(grade) = &chip.grade {
            let why = "delays are this multiple of the family's";
            rule("chip.grade", grade, Quantity, 0.01..=100.0, why);
        }
        if let Some(tools) = &chip.open_tools {
            let why = "nextpnr knows these speed grades";
            rule("chip.open_tools.speed", &tools.speed, Count, 6.0..=8.0, why);
        }
        let why = "every circuit needs some";
        rule("chip.logic", &chip.logic, Count, 1.0..=1e8, why);
        rule("chip.registers", &chip.registers, Count, 1.0..=1e8, why);
        let why = "no chip has more";
        rule("chip.multipliers", &chip.multipliers, Count, 0.0..=1e7, why);
        rule(
            "chip.block_memories",
            &chip.block_memories,
            Count,
            0.0..=1e7,
            why,
        );
        let why = "buffers are placed there";
        rule(
            "memory.gigabytes",
            &memory.gigabytes,
            Quantity,
            0.001..=4096.0,
            why,
        );
        let why = "a transfer has to end";
        let number = &memory.gigabytes_per_second;
        rule(
            "memory.gigabytes_per_second",
            number,
            Quantity,
            0.001..=1e5,
            why,
        );
        let number = &self.host.gigabytes_per_second;
        rule(
            "host.gigabytes_per_second",
            number,
            Quantity,
            0.001..=1e5,
            why,
        );
        let why = "answers come after their requests, and within a millisecond";
        rule(
            "memory.row_hit_ns",
            &memory.row_hit_ns,
            Quantity,
            0.0..=1e6,
            why,
        );
        rule(
            "memory.row_miss_ns",
            &memory.row_miss_ns,
            Quantity,
            0.0..=1e6,
            why,
        );
        rule(
            "memory.row_change_ns",
            &memory.row_change_ns,
            Quantity,
            0.0..=1e6,
            why,
        );
        let why = "a circuit has at most one memory port for each";
        let most = f64::from(Plan::MOST_BANKS);
        if let Some(channels) = &memory.channels {
            rule("memory.channels", channels, Count, 1.0..=most, why);
        }
        let why = "the simulator keeps an open row for each";
        rule("memory.banks", &memory.banks, Count, 1.0..=65536.0, why);
        let defaults = &self.defaults;
        let why = "in cycles: the circuit has room for as many accesses";
        rule(
            "defaults.latency",
            &defaults.latency,
            Count,
            1.0..=65536.0,
            why,
        );
        let why = "bytes of each cache";
        let most = f64::from(1 << 26);
        rule(
            "defaults.cache_bytes",
            &defaults.cache_bytes,
            PowerOfTwo,
            128.0..=most,
            why,
        );
        let why = "a row has at least a line of 64 bytes";
        rule(
            "memory.row_bytes",
            &memory.row_bytes,
            Count,
            64.0..=f64::from(1 << 24),
            why,
        );
        rules
    }
}

/// A word that must be one of a list.
fn known(field: &str, word: &Spanned<String>, list: &[&str]) -> Result<String, Mistake> {
    let value = word.get_ref();
    match list.contains(&value.as_str()) {
        true => Ok(value.clone()),
        false => Err(Mistake {
            message: format!("{field} cannot be `{value}`"),
            span: Some(word.span()),
            help: Some(format!("one of {}", list.join(", "))),
        }),
    }
}

impl Number {
    /// Its value.
    pub(super) fn value(&self) -> f64 {
        *self.0.get_ref()
    }

    /// Its value as a count, which its rule has made sure that it is.
    pub(super) fn count(&self) -> u32 {
        self.value() as u32
    }
}

impl Rule<'_> {
    /// Why the field breaks it, if it does.
    fn broken(&self, text: &str) -> Option<Mistake> {
        let value = self.number.value();
        let is_right = match self.kind {
            Kind::Quantity => true,
            Kind::Count => value.fract() == 0.0,
            Kind::PowerOfTwo => value.fract() == 0.0 && (value as u64).is_power_of_two(),
        };
        if is_right && self.range.contains(&value) {
            return None;
        }
        let what = match self.kind {
            Kind::Count => "a whole number",
            Kind::PowerOfTwo => "a power of two",
            Kind::Quantity => "a number",
        };
        let (least, most) = (self.range.start(), self.range.end());
        let span = self.number.0.span();
        Some(Mistake {
            message: format!("{} cannot be {}", self.field, &text[span.clone()]),
            span: Some(span),
            help: Some(format!("{what} from {least} to {most}: {}", self.why)),
        })
    }
}
