//! What a circuit occupies: by unit, by group, by source line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;

use crate::circuit::{Circuit, UnitData};
use crate::cost::Cost;
use crate::family::{Family, Resources};
use crate::verilog::source_lines;

/// What a circuit occupies, as its units estimate it for a family of chips.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    /// The circuit.
    pub circuit: String,
    /// The file of the source.
    pub source: Option<String>,
    /// The family.
    pub family: &'static str,
    /// What its resources are called.
    pub resources: Resources,
    /// Everything together.
    pub total: Cost,
    /// By group, in the circuit's order.
    pub groups: Vec<GroupReport>,
    /// By unit, in the circuit's order.
    pub units: Vec<UnitReport>,
    /// By source line, ascending: what is there for that line alone.
    pub lines: Vec<LineReport>,
    /// What is there for several lines, or for none.
    pub shared: Cost,
    /// The units whose tokens are kept more than one cycle apart, in the circuit's order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recurrences: Vec<RecurrenceReport>,
}

/// What keeps the tokens of a unit apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RecurrenceReport {
    /// The unit.
    pub unit: String,
    /// The least number of cycles from one token to the next.
    pub interval: u32,
    /// The operations that depend on each other in a ring, because of which it is not smaller.
    pub operations: Vec<String>,
    /// Their source lines, ascending.
    pub lines: Vec<u32>,
}

/// What a group occupies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GroupReport {
    /// Its name.
    pub name: String,
    /// What it is, in a few words.
    pub about: String,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
    /// What its units occupy.
    pub cost: Cost,
}

/// What a unit occupies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct UnitReport {
    /// Its name.
    pub name: String,
    /// What kind of unit it is.
    pub kind: String,
    /// The group that it belongs to.
    pub group: Option<String>,
    /// Source lines that it works for.
    pub lines: Vec<u32>,
    /// Cycles from taking a token to offering what comes of it.
    pub latency: u32,
    /// Tokens that it holds before it stops taking more.
    pub capacity: u32,
    /// What it occupies.
    pub cost: Cost,
}

/// What a source line occupies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineReport {
    /// The line.
    pub line: u32,
    /// What is there for it alone.
    pub cost: Cost,
}

impl Report {
    /// What a circuit occupies on chips of a family.
    pub fn of(circuit: &Circuit, family: &Family) -> Report {
        let units: Vec<UnitReport> = circuit
            .units()
            .iter()
            .map(|(unit, data)| {
                let group = circuit.group(unit);
                unit_report(
                    data,
                    group.map(|group| circuit.groups()[group].name.clone()),
                    family,
                )
            })
            .collect();
        let groups = circuit.groups().values().map(|group| GroupReport {
            name: group.name.clone(),
            about: group.about.clone(),
            lines: group.lines.clone(),
            cost: units
                .iter()
                .filter(|unit| unit.group.as_ref() == Some(&group.name))
                .map(|unit| unit.cost)
                .sum(),
        });
        let mut by_line: BTreeMap<u32, Cost> = BTreeMap::new();
        let mut shared = Cost::default();
        for unit in circuit.units().values() {
            shared += attribute(unit, family, &mut by_line);
        }
        Report {
            circuit: circuit.name.clone(),
            source: circuit.source.clone(),
            family: family.name,
            resources: family.resources,
            total: units.iter().map(|unit| unit.cost).sum(),
            groups: groups.collect(),
            lines: by_line
                .into_iter()
                .map(|(line, cost)| LineReport { line, cost })
                .collect(),
            shared,
            units,
            recurrences: circuit
                .units()
                .values()
                .filter_map(recurrence_report)
                .collect(),
        }
    }
}

fn unit_report(data: &UnitData, group: Option<String>, family: &Family) -> UnitReport {
    UnitReport {
        name: data.name.clone(),
        kind: data.kind.word().to_string(),
        group,
        lines: data.lines.clone(),
        latency: data.kind.latency(),
        capacity: data.kind.capacity(),
        cost: data.kind.cost(family),
    }
}

fn recurrence_report(data: &UnitData) -> Option<RecurrenceReport> {
    let recurrence = data.kind.recurrence()?;
    let operations = recurrence.operations.iter();
    let lines: BTreeSet<u32> = operations.clone().filter_map(|it| it.line).collect();
    Some(RecurrenceReport {
        unit: data.name.clone(),
        interval: recurrence.interval,
        operations: operations.map(|it| it.name.clone()).collect(),
        lines: lines.into_iter().collect(),
    })
}

/// Adds what a unit occupies to its lines; the rest is the result.
fn attribute(unit: &UnitData, family: &Family, by_line: &mut BTreeMap<u32, Cost>) -> Cost {
    let all = unit.kind.cost(family);
    if let [line] = unit.lines[..] {
        *by_line.entry(line).or_default() += all;
        return Cost::default();
    }
    let mut rest = all;
    for (line, cost) in unit.kind.cost_by_line(family) {
        *by_line.entry(line).or_default() += cost;
        rest = rest - cost;
    }
    rest
}

/// How a column of a table is set.
#[derive(Clone, Copy)]
enum Column {
    Text(&'static str),
    Number(&'static str),
}

fn cells(cost: &Cost) -> [String; 4] {
    cost.counts().map(|number| number.to_string())
}

/// What is bigger comes first; names decide among equals, so that there is one order.
fn rank(cost: &Cost) -> impl Ord + use<> {
    std::cmp::Reverse(cost.counts())
}

fn table(f: &mut fmt::Formatter<'_>, columns: &[Column], rows: &[Vec<String>]) -> fmt::Result {
    let heads: Vec<String> = columns
        .iter()
        .map(|column| match *column {
            Column::Text(head) | Column::Number(head) => head.to_string(),
        })
        .collect();
    let width = |at: usize| {
        let cells = rows
            .iter()
            .chain([&heads])
            .map(|row| row[at].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    for row in std::iter::once(&heads).chain(rows) {
        let mut line = String::new();
        for ((cell, column), &width) in row.iter().zip(columns).zip(&widths) {
            line += &match column {
                Column::Text(_) => format!("{cell:<width$}  "),
                Column::Number(_) => format!("{cell:>width$}  "),
            };
        }
        writeln!(f, "{}", line.trim_end())?;
    }
    Ok(())
}

impl Report {
    fn place(&self, lines: &[u32]) -> String {
        match lines.is_empty() {
            true => String::new(),
            false => source_lines(self.source.as_deref(), lines),
        }
    }

    fn write_groups(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut groups: Vec<&GroupReport> = self.groups.iter().collect();
        groups.sort_by_key(|group| (rank(&group.cost), &group.name));
        let row = |name: &str, cost: &Cost, about: &str, lines: String| {
            let ends = [about.to_string(), lines];
            let costs = cells(cost).into_iter();
            std::iter::once(name.to_string())
                .chain(costs)
                .chain(ends)
                .collect()
        };
        let mut rows: Vec<Vec<String>> = groups
            .iter()
            .map(|group| {
                row(
                    &group.name,
                    &group.cost,
                    &group.about,
                    self.place(&group.lines),
                )
            })
            .collect();
        let others = self.units.iter().filter(|unit| unit.group.is_none());
        let others: Cost = others.map(|unit| unit.cost).sum();
        rows.push(row("(none)", &others, "between the groups", String::new()));
        rows.push(row("total", &self.total, "", String::new()));
        let mut columns = vec![Column::Text("group")];
        columns.extend(self.resources.names().map(Column::Number));
        columns.extend([Column::Text("what"), Column::Text("source")]);
        table(f, &columns, &rows)
    }

    fn write_units(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut units: Vec<&UnitReport> = self.units.iter().collect();
        units.sort_by_key(|unit| (rank(&unit.cost), &unit.name));
        let row = |unit: &&UnitReport| {
            let mut row = vec![unit.name.clone(), unit.kind.clone()];
            row.extend(cells(&unit.cost));
            row.extend([unit.latency.to_string(), unit.capacity.to_string()]);
            row.push(unit.group.clone().unwrap_or_default());
            row.push(self.place(&unit.lines));
            row
        };
        let rows: Vec<Vec<String>> = units.iter().map(row).collect();
        let mut columns = vec![Column::Text("unit"), Column::Text("kind")];
        columns.extend(self.resources.names().map(Column::Number));
        columns.extend([Column::Number("latency"), Column::Number("capacity")]);
        columns.extend([Column::Text("group"), Column::Text("source")]);
        table(f, &columns, &rows)
    }

    fn write_recurrences(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |it: &RecurrenceReport| {
            let operations = it.operations.join(", ");
            vec![
                it.unit.clone(),
                it.interval.to_string(),
                operations,
                self.place(&it.lines),
            ]
        };
        let rows: Vec<Vec<String>> = self.recurrences.iter().map(row).collect();
        let columns = [
            Column::Text("recurrence in"),
            Column::Number("interval"),
            Column::Text("operations"),
            Column::Text("source"),
        ];
        table(f, &columns, &rows)
    }

    fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<&LineReport> = self.lines.iter().collect();
        lines.sort_by_key(|line| (rank(&line.cost), line.line));
        let row = |name: String, cost: &Cost| {
            let costs = cells(cost).into_iter();
            std::iter::once(name).chain(costs).collect::<Vec<String>>()
        };
        let mut rows: Vec<Vec<String>> = lines
            .iter()
            .map(|line| row(self.place(&[line.line]), &line.cost))
            .collect();
        rows.push(row("(several or none)".into(), &self.shared));
        rows.push(row("total".into(), &self.total));
        let mut columns = vec![Column::Text("source line")];
        columns.extend(self.resources.names().map(Column::Number));
        table(f, &columns, &rows)
    }
}

/// Tables for people, what is biggest first.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Some(source) => writeln!(f, "{} ({source}), estimated\n", self.circuit)?,
            None => writeln!(f, "{}, estimated\n", self.circuit)?,
        }
        if !self.groups.is_empty() {
            self.write_groups(f)?;
            writeln!(f)?;
        }
        self.write_lines(f)?;
        writeln!(f)?;
        if !self.recurrences.is_empty() {
            self.write_recurrences(f)?;
            writeln!(f)?;
        }
        self.write_units(f)
    }
}
