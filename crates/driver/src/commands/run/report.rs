//! What `sluice run` says about a launch.

use std::time::Duration;

use serde::Serialize;
use sluice_circuit::sim::Stalls;
use sluice_kernel::Kernel;

use super::Ran;
use crate::board::Board;
use crate::cli::{Clock, RunArgs};
use crate::element::{components, format_scalar};
use crate::exec_report::duration;
use crate::executor::Work;
use crate::launch::{Session, distinct_buffers};
use crate::loop_report::{LoopLines, LoopReport, SmallArgument};
use crate::memory_report::AccessReport;

/// How many components of a buffer the summary shows.
const SHOWN: usize = 8;

/// A launch and what it took.
pub(super) struct Report<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) kernel: &'a Kernel,
    pub(super) session: &'a Session,
    pub(super) ran: Ran,
    pub(super) compile: Duration,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Json<'a> {
    kernel: &'a str,
    device: &'static str,
    global: [u64; 3],
    local: [u64; 3],
    work_items: u64,
    #[serde(flatten)]
    took: JsonTook<'a>,
    compile_seconds: f64,
    run_seconds: f64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum JsonTook<'a> {
    Instructions {
        instructions: u64,
        out_of_bounds: u64,
    },
    Cycles {
        target: &'a str,
        mhz: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        estimated_mhz: Option<f64>,
        datapaths: u32,
        lanes: u32,
        cycles: u64,
        device_seconds: f64,
        bytes_read: u64,
        bytes_written: u64,
        out_of_bounds: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        stalls: Option<JsonStalls<'a>>,
        accesses: &'a [AccessReport],
        loops: &'a [LoopReport],
        small_arguments: &'a [SmallArgument],
        build_seconds: f64,
    },
}

/// Stalled cycles with their causes, the worst first.
#[derive(Serialize)]
struct JsonStalls<'a> {
    /// Of all channels together.
    cycles: u64,
    units: Vec<JsonUnit<'a>>,
    lines: Vec<JsonLine>,
}

#[derive(Serialize)]
struct JsonUnit<'a> {
    unit: &'a str,
    lines: &'a [u32],
    cycles: u64,
}

#[derive(Serialize)]
struct JsonLine {
    line: u32,
    cycles: u64,
}

impl JsonStalls<'_> {
    fn of(stalls: &Stalls) -> JsonStalls<'_> {
        let units = stalls.units.iter().filter(|unit| unit.caused > 0);
        let units = units.map(|unit| JsonUnit {
            unit: &unit.name,
            lines: &unit.lines,
            cycles: unit.caused,
        });
        let lines = stalls.lines.iter().map(|line| JsonLine {
            line: line.line,
            cycles: line.caused,
        });
        JsonStalls {
            cycles: stalls.stalled,
            units: units.collect(),
            lines: lines.collect(),
        }
    }
}

impl Report<'_> {
    /// One JSON object.
    pub(super) fn json(&self) -> String {
        let range = &self.session.launch().range;
        let (execution, board) = (&self.ran.execution, &self.ran.board);
        let out_of_bounds = execution.violations.count();
        let took = match execution.work {
            Work::Instructions(instructions) => JsonTook::Instructions {
                instructions,
                out_of_bounds,
            },
            Work::Cycles(cycles) => JsonTook::Cycles {
                target: &board.name,
                mhz: board.mhz,
                estimated_mhz: self.ran.estimated_mhz,
                datapaths: execution.datapaths.unwrap_or(1),
                lanes: execution.lanes.unwrap_or(1),
                cycles,
                device_seconds: seconds(cycles, board),
                bytes_read: execution.traffic.read,
                bytes_written: execution.traffic.written,
                out_of_bounds,
                stalls: execution.stalls.as_ref().map(JsonStalls::of),
                accesses: &self.ran.accesses,
                loops: &self.ran.loops,
                small_arguments: &self.ran.small_arguments,
                build_seconds: self.ran.times.build.as_secs_f64(),
            },
        };
        let json = Json {
            kernel: &self.kernel.name,
            device: self.args.device.name(),
            global: range.global,
            local: range.local,
            work_items: range.work_items(),
            took,
            compile_seconds: self.compile.as_secs_f64(),
            run_seconds: self.ran.times.run.as_secs_f64(),
        };
        serde_json::to_string(&json).expect("a report is plain data")
    }

    /// A summary for people.
    pub(super) fn text(&self) -> String {
        let range = &self.session.launch().range;
        let groups: u64 = range.num_groups().iter().product();
        let mut text = format!(
            "{}: {} in {} of {}, ",
            self.kernel.name,
            counted(range.work_items(), "work-item"),
            counted(groups, "group"),
            range.group_size(),
        );
        text += &match self.ran.execution.work {
            Work::Instructions(instructions) => self.interpreted(instructions),
            Work::Cycles(cycles) => self.executed(cycles),
        };
        for (argument, _) in distinct_buffers(self.session) {
            text += &buffer_line(self.kernel, self.session, argument);
        }
        text
    }

    fn interpreted(&self, instructions: u64) -> String {
        let mut text = format!(
            "{} on {}\ncompiled in {:.3} s, ran in {:.3} s\n",
            counted(instructions, "instruction"),
            self.args.device.name(),
            self.compile.as_secs_f64(),
            self.ran.times.run.as_secs_f64(),
        );
        let violations = self.ran.execution.violations.count();
        if violations > 0 {
            let accesses = counted_as(violations, "access", "accesses");
            text += &format!("{accesses} out of bounds had no effect\n");
        }
        text
    }

    fn executed(&self, cycles: u64) -> String {
        let (execution, board) = (&self.ran.execution, &self.ran.board);
        let items = self.session.launch().range.work_items();
        let mut text = format!(
            "{} on {}{}, {:.3} work-items per cycle\n\
             {} at {} MHz on {}{}\n\
             compiled in {:.3} s, built in {:.3} s, ran in {:.3} s\n",
            counted(cycles, "cycle"),
            self.args.device.name(),
            self.copies(),
            items as f64 / cycles.max(1) as f64,
            duration(seconds(cycles, board)),
            board.mhz,
            board.name,
            self.estimate(),
            self.compile.as_secs_f64(),
            self.ran.times.build.as_secs_f64(),
            self.ran.times.run.as_secs_f64(),
        );
        if self.args.check {
            text += "the interpreter agrees\n";
        }
        text += &format!(
            "{} read, {} written\n",
            bytes(execution.traffic.read),
            bytes(execution.traffic.written)
        );
        if let Some(violations) = execution.violations.describe() {
            text += &format!("{} {violations}; that had no effect\n", self.kernel.name);
        }
        // The iterations of loops are what a single work-item has to overlap.
        if items == 1 {
            text += &LoopLines(&self.ran.loops, &self.ran.small_arguments).to_string();
        }
        if let Some(stalls) = &execution.stalls {
            text += &stall_lines(stalls);
        }
        text
    }
}

impl Report<'_> {
    /// Datapaths and lanes, where there are several.
    fn copies(&self) -> String {
        let execution = &self.ran.execution;
        let several = |count: Option<u32>, what: &str| {
            let count = count.filter(|&count| count > 1)?;
            Some(format!("{count} {what}"))
        };
        let parts = [
            several(execution.datapaths, "datapaths"),
            several(execution.lanes, "lanes"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true => String::new(),
            false => format!(" with {}", parts.join(" of ")),
        }
    }

    /// The clock that the circuit is expected to reach, or that it is the one above.
    fn estimate(&self) -> String {
        match (self.args.clock, self.ran.estimated_mhz) {
            (Clock::Target, Some(mhz)) => format!(", estimated {mhz} MHz"),
            (Clock::Estimated, _) => ", estimated".to_owned(),
            (Clock::Target, None) => String::new(),
        }
    }
}

fn seconds(cycles: u64, board: &Board) -> f64 {
    cycles as f64 / (board.mhz * 1e6)
}

fn bytes(count: u64) -> String {
    match count {
        ..10_000 => format!("{count} bytes"),
        10_000..10_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// How many causes of stalls the summary shows.
const CAUSES: usize = 4;

/// The worst causes of stalls.
fn stall_lines(stalls: &Stalls) -> String {
    if stalls.stalled == 0 {
        return "no stalls\n".into();
    }
    let mut text = String::from("stalls by cause, cycles of all channels together:\n");
    let share = |caused: u64| 100.0 * caused as f64 / stalls.stalled as f64;
    let causes = stalls.units.iter().filter(|unit| unit.caused > 0);
    for unit in causes.take(CAUSES) {
        let lines: Vec<String> = unit.lines.iter().map(u32::to_string).collect();
        let place = match lines.is_empty() {
            true => String::new(),
            false => format!(" (line {})", lines.join(", ")),
        };
        let share = share(unit.caused);
        text += &format!("  {share:5.1} %  {}{place}\n", unit.name);
    }
    if !stalls.lines.is_empty() {
        text += "and by the source line nearest to the cause:\n";
    }
    for line in stalls.lines.iter().take(CAUSES) {
        let share = share(line.caused);
        text += &format!("  {share:5.1} %  line {}\n", line.line);
    }
    text
}

fn counted(count: u64, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

fn counted_as(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn buffer_line(kernel: &Kernel, session: &Session, argument: usize) -> String {
    let (buffer, pointee) = session
        .buffer(kernel, argument)
        .expect("distinct_buffers lists buffers only");
    let bytes = buffer.to_bytes();
    let mut shown: Vec<String> = components(pointee, &bytes)
        .take(SHOWN)
        .map(|(scalar, bits)| format_scalar(scalar, bits))
        .collect();
    let count = components(pointee, &bytes).count();
    if count > SHOWN {
        shown.push("...".into());
    }
    let param = &kernel.params[argument];
    format!(
        "  {argument}: {} {} = {} ({count})\n",
        param.type_name,
        param.name,
        shown.join(" "),
    )
}
