//! nextpnr: from cells to places and wires on a chip, and the clock that they reach.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::job::{Job, JobError};
use crate::tools::Tool;

/// The sizes of chips that nextpnr-ecp5 knows, those with serial links included.
pub const SIZES: [&str; 10] = [
    "12k", "25k", "45k", "85k", "um-25k", "um-45k", "um-85k", "um5g-25k", "um5g-45k", "um5g-85k",
];

/// The packages that it knows.
pub const PACKAGES: [&str; 6] = [
    "CABGA256",
    "CABGA381",
    "CABGA554",
    "CABGA756",
    "CSFBGA285",
    "TQFP144",
];

/// A chip as nextpnr-ecp5 knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Device {
    /// Its size, one of [`SIZES`].
    pub size: String,
    /// Its speed grade, 6 to 8.
    pub speed: u32,
    /// Its package, one of [`PACKAGES`].
    pub package: String,
}

/// What came of placing and routing.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    /// The clock that it reaches.
    pub mhz: f64,
    /// The longest path from register to register, if there is one.
    pub path: Vec<Leg>,
    /// Places of each kind that are taken, with their number on the chip.
    pub utilization: Vec<(String, u64, u64)>,
}

/// A part of a path.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Leg {
    /// What it is: `clk-to-q`, `logic`, `routing`, `setup`.
    #[serde(rename = "type")]
    pub kind: String,
    /// How long it takes, in nanoseconds.
    pub delay: f64,
    /// Where it starts.
    pub from: Pin,
    /// Where it ends.
    pub to: Pin,
    /// The net, if it is a wire.
    #[serde(default)]
    pub net: Option<String>,
}

impl Leg {
    /// Whether it is a wire, and not a cell.
    pub fn is_routing(&self) -> bool {
        self.kind == "routing"
    }
}

/// A pin of a cell.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct Pin {
    /// The cell, with the names of the instances that it is in.
    pub cell: String,
    /// Where it is placed.
    pub loc: (i32, i32),
    /// The pin.
    pub port: String,
}

#[derive(Deserialize)]
struct JsonReport {
    critical_paths: Vec<JsonPath>,
    fmax: std::collections::BTreeMap<String, JsonClock>,
    utilization: std::collections::BTreeMap<String, JsonUse>,
}

#[derive(Deserialize)]
struct JsonDetails {
    detailed_net_timings: Vec<JsonNet>,
}

#[derive(Deserialize)]
struct JsonNet {
    endpoints: Vec<JsonEnd>,
}

#[derive(Deserialize)]
struct JsonEnd {
    cell: String,
    /// Shortest and longest path.
    delay: (f64, f64),
}

#[derive(Deserialize)]
struct JsonPath {
    from: String,
    to: String,
    path: Vec<Leg>,
}

#[derive(Deserialize)]
struct JsonClock {
    achieved: f64,
}

#[derive(Deserialize)]
struct JsonUse {
    available: u64,
    used: u64,
}

/// What a run of nextpnr is asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wish {
    /// The clock, in MHz.
    pub mhz: f64,
    /// Where its random choices begin, if not where they do by default: another seed gives another
    /// placement, a few percent faster or slower.
    pub seed: Option<u32>,
}

/// Places and routes a netlist in `folder`; the configuration of the chip is
/// `chip.config` there.
pub fn place(
    netlist: &Path,
    device: &Device,
    wish: Wish,
    folder: &Path,
    listener: &mut dyn FnMut(&str),
) -> Result<Placed, JobError> {
    job(netlist, device, wish, folder)?.run(listener)?;
    read(folder)
}

/// When the last change of a value arrives at a cell, after place and route.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrival {
    /// The cell.
    pub cell: String,
    /// From the clock's edge on, in nanoseconds.
    pub ns: f64,
}

/// Places and routes a netlist like [`place`]; when values arrive at registers is the result.
pub fn arrivals(
    netlist: &Path,
    device: &Device,
    wish: Wish,
    folder: &Path,
    listener: &mut dyn FnMut(&str),
) -> Result<Vec<Arrival>, JobError> {
    let name = Tool::NextpnrEcp5.name();
    let mut job = job(netlist, device, wish, folder)?;
    job.command.arg("--detailed-timing-report");
    job.run(listener)?;
    let text = fs::read_to_string(folder.join(REPORT))
        .map_err(|error| JobError::System { name, error })?;
    let report: JsonDetails =
        serde_json::from_str(&text).map_err(|error| JobError::Unexpected {
            name,
            message: format!("its report cannot be read: {error}"),
        })?;
    let nets = report.detailed_net_timings.into_iter();
    let ends = nets.flat_map(|net| net.endpoints);
    let arrival = |end: JsonEnd| Arrival {
        cell: end.cell,
        ns: end.delay.1,
    };
    Ok(ends.map(arrival).collect())
}

fn job(netlist: &Path, device: &Device, wish: Wish, folder: &Path) -> Result<Job, JobError> {
    let name = Tool::NextpnrEcp5.name();
    let mut job = Job::new(name, &Tool::NextpnrEcp5.find()?, folder);
    job.command
        .arg(format!("--{}", device.size))
        .args(["--speed", &device.speed.to_string()])
        .args(["--package", &device.package])
        .args(["--freq", &wish.mhz.to_string()])
        .arg("--timing-allow-fail")
        .arg("--lpf-allow-unconstrained")
        .arg("--json")
        .arg(netlist.file_name().expect("a netlist is a file"))
        .args(["--report", REPORT, "--textcfg", CONFIG]);
    if let Some(seed) = wish.seed {
        job.command.args(["--seed", &seed.to_string()]);
    }
    Ok(job)
}

/// What came of an earlier run in `folder`.
pub fn read(folder: &Path) -> Result<Placed, JobError> {
    let name = Tool::NextpnrEcp5.name();
    let text = fs::read_to_string(folder.join(REPORT))
        .map_err(|error| JobError::System { name, error })?;
    parse(&text).map_err(|message| JobError::Unexpected { name, message })
}

/// The file with nextpnr's report.
pub const REPORT: &str = "place.json";

/// The file with the chip's configuration.
pub const CONFIG: &str = "chip.config";

fn parse(text: &str) -> Result<Placed, String> {
    let report: JsonReport = serde_json::from_str(text)
        .map_err(|error| format!("its report cannot be read: {error}"))?;
    let clock = report.fmax.values().map(|clock| clock.achieved);
    let mhz = clock.reduce(f64::min).ok_or("its report has no clock")?;
    let inside = report
        .critical_paths
        .into_iter()
        .find(|path| path.from.contains("posedge") && path.to.contains("posedge"));
    let utilization = report.utilization.into_iter();
    Ok(Placed {
        mhz,
        path: inside.map(|path| path.path).unwrap_or_default(),
        utilization: utilization
            .map(|(kind, it)| (kind, it.used, it.available))
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the report on two registers with an exclusive or between them.
    const REPORT_TEXT: &str = r#"{
        "critical_paths": [
            {"from": "<async>", "to": "posedge clk", "path": []},
            {"from": "posedge clk", "to": "posedge clk", "path": [
                {"delay": 0.395, "type": "clk-to-q",
                 "from": {"cell": "x_TRELLIS_FF_Q_4", "loc": [58, 26], "port": "Q"},
                 "to": {"cell": "x_TRELLIS_FF_Q_4", "loc": [58, 26], "port": "Q"}},
                {"delay": 0.679, "type": "routing", "net": "x[3]", "sources": ["t.v:1.70-1.71"],
                 "from": {"cell": "x_TRELLIS_FF_Q_4", "loc": [58, 26], "port": "Q"},
                 "to": {"cell": "q_LUT4_Z_4", "loc": [58, 25], "port": "D"}}]}],
        "fmax": {"clk": {"achieved": 728.86, "constraint": 140.0}},
        "utilization": {"DP16KD": {"available": 208, "used": 3}},
        "detailed_net_timings": []
    }"#;

    #[test]
    fn a_report_has_clock_path_and_utilization() {
        let placed = parse(REPORT_TEXT).expect("it is a report");
        assert_eq!(placed.mhz, 728.86);
        let [first, second] = &placed.path[..] else {
            panic!("two legs: {placed:?}");
        };
        assert_eq!((first.kind.as_str(), first.delay), ("clk-to-q", 0.395));
        assert_eq!(second.net.as_deref(), Some("x[3]"));
        assert_eq!(second.to.cell, "q_LUT4_Z_4");
        assert_eq!(second.to.loc, (58, 25));
        assert_eq!(placed.utilization, [("DP16KD".into(), 3, 208)]);
    }

    #[test]
    fn a_report_without_a_clock_is_refused() {
        let text = r#"{"critical_paths": [], "fmax": {}, "utilization": {}}"#;
        assert_eq!(parse(text), Err("its report has no clock".into()));
        assert!(
            parse("{")
                .expect_err("it is cut off")
                .contains("cannot be read")
        );
    }
}
