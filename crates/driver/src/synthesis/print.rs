//! Reports as text.

use std::fmt;

use sluice_synth::phase::title;
use sluice_synth::tools::Tool;

use super::path::{LongWire, SourceLine, Step};
use super::report::{ClockSource, Report, UnitArea};
use crate::fit::{Usage, usage_of};

/// The columns of numbers.
const WIDTH: usize = 9;

impl Report {
    /// The whole report: what the terminal shows, then the units.
    pub(crate) fn text(&self) -> String {
        format!("{self}\n{}", self.unit_table())
    }

    fn areas(&self) -> String {
        let usage = usage_of(self.area.counts(), &self.chip, &self.resources);
        let mut text = format!(
            "{:<14}{:>WIDTH$}  {:>WIDTH$}  of the chip\n",
            "", "measured", "estimate"
        );
        for (usage, estimate) in usage.iter().zip(self.estimate.area.counts()) {
            let Usage { resource, used, .. } = usage;
            text += &format!(
                "  {resource:<12}{used:>WIDTH$}  {estimate:>WIDTH$}  {:>9.1} %\n",
                usage.percent()
            );
        }
        text
    }

    fn clock(&self) -> String {
        let wanted = format!("the target's is {} MHz", self.target_mhz);
        match self.clock_source {
            ClockSource::Placed => format!(
                "clock: {:.1} MHz reached, {:.1} MHz estimated; {wanted}\n",
                self.mhz, self.estimate.mhz
            ),
            ClockSource::Estimated => {
                format!(
                    "clock: {:.1} MHz ({}); {wanted}\n",
                    self.mhz, self.clock_basis
                )
            }
        }
    }

    fn path(&self) -> String {
        if self.critical_path.is_empty() {
            return String::new();
        }
        let steps = self.critical_path.iter();
        let (logic, routing) = steps.fold((0.0, 0.0), |(logic, routing), step| {
            (logic + step.logic_ns, routing + step.routing_ns)
        });
        let mut text = format!(
            "\ncritical path: {:.2} ns, {logic:.2} in logic and {routing:.2} in routing\n   logic  routing\n",
            logic + routing
        );
        for step in &self.critical_path {
            text += &step.to_string();
        }
        if let Some(wire) = &self.longest_wire {
            text += &wire.to_string();
        }
        text
    }

    fn footer(&self) -> String {
        let tools = [Tool::Yosys, Tool::NextpnrEcp5, Tool::Ecppack].into_iter();
        let named = tools.filter_map(|tool| {
            let version = self.tools.get(tool.name())?;
            let title = title(tool);
            let is_named = version.to_lowercase().contains(&title.to_lowercase());
            Some(match is_named {
                true => version.clone(),
                false => format!("{title} {version}"),
            })
        });
        let tools = named.collect::<Vec<String>>().join(", ");
        match self.cached {
            true => format!("from the build cache; {tools} took {:.0} s\n", self.seconds),
            false => format!("{tools}: {:.0} s\n", self.seconds),
        }
    }

    /// Measured areas beside their estimates, the largest unit first.
    fn unit_table(&self) -> String {
        let mut heads = vec!["unit".to_owned(), "kind".to_owned()];
        for name in self.resources.names() {
            heads.extend([name.to_owned(), "estimate".to_owned()]);
        }
        let row = |unit: &UnitArea| {
            let mut row = vec![unit.unit.clone().unwrap_or_default(), unit.kind.clone()];
            for (measured, estimate) in unit.area.counts().iter().zip(unit.estimate.counts()) {
                row.extend([measured.to_string(), estimate.to_string()]);
            }
            row
        };
        let rows: Vec<Vec<String>> = self.units.iter().map(row).collect();
        let width = |at: usize| {
            let cells = rows
                .iter()
                .chain([&heads])
                .map(|row| row[at].chars().count());
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        let mut text = String::new();
        for row in std::iter::once(&heads).chain(&rows) {
            let cells = row.iter().zip(&widths).enumerate();
            let cells: Vec<String> = cells
                .map(|(at, (cell, &width))| match at {
                    0 | 1 => format!("{cell:<width$}"),
                    _ => format!("{cell:>width$}"),
                })
                .collect();
            text += cells.join("  ").trim_end();
            text.push('\n');
        }
        text
    }
}

/// What the terminal shows.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.clock_source {
            ClockSource::Placed => "placed and routed",
            ClockSource::Estimated => "mapped, not placed",
        };
        writeln!(f, "{} on {}, {how}", self.design, self.target)?;
        write!(f, "{}{}{}", self.areas(), self.clock(), self.path())?;
        if !self.advice.is_empty() {
            writeln!(f, "what would help:")?;
        }
        for line in &self.advice {
            writeln!(f, "  {line}")?;
        }
        write!(f, "{}", self.footer())
    }
}

/// A line.
impl fmt::Display for LongWire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inputs = match self.fan_out {
            Some(1) => " to 1 input".into(),
            Some(count) => format!(" to {count} inputs"),
            None => String::new(),
        };
        writeln!(
            f,
            "longest wire: {:.2} ns over {} columns and rows, {}{inputs}",
            self.ns, self.distance, self.net
        )
    }
}

/// A line with the times and the unit, then its source lines.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "  {:>6.2}  {:>7.2}  ", self.logic_ns, self.routing_ns)?;
        match &self.unit {
            Some(unit) => writeln!(f, "{unit} ({})", self.kind)?,
            None => writeln!(f, "{}", self.kind)?,
        }
        for SourceLine { file, line, text } in &self.lines {
            writeln!(
                f,
                "{:20}{}",
                "",
                format!("{file}:{line}: {text}").trim_end()
            )?;
        }
        Ok(())
    }
}
