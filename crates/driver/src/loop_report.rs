//! How the iterations of a kernel's loops go through the circuit, for people and for scripts.

use std::fmt;

use serde::Serialize;
use sluice_kernel::lower::{Interface, LoopDescription, LoopLimit};

/// A loop.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LoopReport {
    line: u32,
    /// `recirculating`, `parallel` or `pipelined`.
    way: &'static str,
    /// Iterations of the source that one of its iterations consists of, if it is unrolled.
    #[serde(skip_serializing_if = "Option::is_none")]
    unroll: Option<u32>,
    /// Whether it only does the iterations that unrolling has left over.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    rest: bool,
    /// Why it is not unrolled though the source asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_unrolled: Option<String>,
    /// Cycles from the start of an iteration to that of the next one, if iterations overlap; where external memory limits
    /// it, as many as it takes if caches have all lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<u32>,
    /// Iterations that are under way at once, if they follow each other in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    in_flight: Option<u32>,
    /// What the interval is due to, if it is more than 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    limited_by: Option<String>,
    /// What would make the interval smaller.
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'static str>,
    /// Why the loop has this way and no other one.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
}

/// An argument of which the circuit takes only the low bits: it is for launches in which the others are zero.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SmallArgument {
    name: String,
    bits: u32,
}

impl SmallArgument {
    /// Those of a kernel, in the order of its parameters.
    pub(crate) fn all(interface: &Interface) -> Vec<SmallArgument> {
        let arguments = interface.small_arguments.iter();
        let small = arguments.map(|it| SmallArgument {
            name: it.name.clone(),
            bits: it.bits,
        });
        small.collect()
    }
}

impl fmt::Display for SmallArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} below 2^{}", self.name, self.bits)
    }
}

/// The lines about loops: which launches they are for, and each of them.
pub(crate) struct LoopLines<'r>(pub(crate) &'r [LoopReport], pub(crate) &'r [SmallArgument]);

impl fmt::Display for LoopLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoopLines(loops, arguments) = self;
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        match (loops.is_empty(), arguments.is_empty()) {
            (true, _) => {}
            (false, true) => writeln!(f, "loops")?,
            (false, false) => writeln!(f, "loops, in launches with {}", arguments.join(", "))?,
        }
        loops.iter().try_for_each(|it| writeln!(f, "  {it}"))
    }
}

impl LoopReport {
    /// Those of a kernel, in the order of the source.
    pub(crate) fn all(interface: &Interface) -> Vec<LoopReport> {
        interface.loop_ways.iter().map(LoopReport::of).collect()
    }

    fn of(described: &LoopDescription) -> LoopReport {
        let timing = described.timing.as_ref();
        let limited_by = timing.and_then(|timing| timing.limit.as_ref());
        LoopReport {
            line: described.key.map_or(0, |key| key.line),
            way: described.way.name(),
            unroll: Some(described.copies).filter(|&copies| copies > 1),
            rest: described.is_rest,
            not_unrolled: described.not_unrolled.clone(),
            interval: timing.map(|timing| timing.interval),
            in_flight: timing
                .filter(|timing| timing.latency > 0)
                .map(|timing| timing.latency.div_ceil(timing.interval)),
            limited_by: limited_by.map(limit),
            advice: limited_by.and_then(|limit| advice(limit, described.keeps_order)),
            reason: described.reason.clone(),
        }
    }
}

/// What keeps iterations apart.
fn limit(limit: &LoopLimit) -> String {
    match limit {
        LoopLimit::Values { lines, operations } => format!(
            "what {} from one iteration to the next: {}",
            verb(lines, "computes", "compute"),
            operations.join(", ")
        ),
        LoopLimit::Port(lines) => format!(
            "the one port for what {}",
            verb(lines, "accesses", "access")
        ),
        LoopLimit::Memory {
            lines,
            distance,
            is_external,
        } => format!(
            "{}: what {} {}",
            match is_external {
                true => "external memory, more where a cache does not have the line",
                false => "memory on the chip",
            },
            verb(lines, "accesses", "access"),
            match distance {
                1 => "may be needed by the next iteration".into(),
                _ => format!("may be needed {distance} iterations later"),
            }
        ),
    }
}

/// What would bring iterations closer together, if anything is known to.
fn advice(limit: &LoopLimit, keeps_order: bool) -> Option<&'static str> {
    match limit {
        LoopLimit::Values { .. } if keeps_order => Some(
            "`-cl-fast-relaxed-math`, if the order of the operations does not matter: partial results take turns",
        ),
        LoopLimit::Values { .. } | LoopLimit::Port(_) => None,
        LoopLimit::Memory {
            is_external: true, ..
        } => Some(
            "`#pragma ivdep`, if iterations never access the same place; or a copy in private or local memory, \
             which answers sooner",
        ),
        LoopLimit::Memory {
            is_external: false, ..
        } => Some("`#pragma ivdep`, if iterations never access the same place"),
    }
}

fn verb(lines: &[u32], one: &str, many: &str) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &numbers[..] {
        [] => format!("the loop {one}"),
        [line] => format!("line {line} {one}"),
        [first @ .., last] => format!("lines {} and {last} {many}", first.join(", ")),
    }
}

impl fmt::Display for LoopReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LoopReport { line, way, .. } = self;
        write!(f, "line {line}: {way}")?;
        match (self.unroll, self.rest) {
            (Some(copies), _) => write!(f, ", unrolled by {copies}")?,
            (None, true) => f.write_str(", what unrolling leaves over")?,
            (None, false) => {}
        }
        match self.interval {
            Some(1) => write!(f, ", an iteration per cycle")?,
            Some(interval) => write!(f, ", an iteration every {interval} cycles")?,
            None => {}
        }
        if let Some(limited_by) = &self.limited_by {
            write!(f, ", limited by {limited_by}")?;
        }
        match &*self.reason {
            "" => {}
            reason => write!(f, " ({reason})")?,
        }
        if let Some(why) = &self.not_unrolled {
            write!(f, "; not unrolled: {why}")?;
        }
        match self.advice {
            Some(advice) => write!(f, "; what would help: {advice}"),
            None => Ok(()),
        }
    }
}
