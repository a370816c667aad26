//! The delays of an ECP5: those of operators' steps and of expressions after place and route, and the
//! parameters of [`Delays`] that fit them best.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use sluice_circuit::family::{Delays, ECP5, Linear};
use sluice_circuit::operators::count::{Count, Counted};
use sluice_circuit::operators::{self, Operator, Regs, Tile};
use sluice_circuit::target::Target;
use sluice_circuit::units::segment::{Inline, InlineOp};
use sluice_synth::nextpnr::Wish;
use sluice_synth::tools::Tool;
use sluice_synth::{Design, nextpnr, yosys};

use crate::clocks::device;
use crate::depths::depths;
use crate::fit;
use crate::measurements::{Key, Measurements, versions};
use crate::probe::{self, INSTANCE, Probe};

#[derive(clap::Args)]
pub struct Args {
    /// Operators whose paths are compared with the fit; they have no part in it
    operators: Vec<String>,
    /// The widths of these operators [default: all]
    #[arg(long = "width", value_name = "BITS")]
    widths: Vec<u32>,
    /// They have a register behind each step, instead of those for 140 MHz
    #[arg(long)]
    steps: bool,
}

/// Probes on a chip at once; there are 16 wires for clocks.
const PROBES: usize = 12;

/// What nextpnr is told to reach.
const WISH: Wish = Wish {
    mhz: 200.0,
    seed: None,
};

/// By probe, by path between registers: the longest one in nanoseconds, registers included.
#[derive(Serialize, Deserialize)]
struct Measured(Vec<Vec<f64>>);

/// How long a path takes by a family's delays; none if there is no logic on it.
type Delay = dyn Fn(&Delays) -> Option<f64>;

/// A path: what it takes by a family's delays, and what it took.
struct Sample {
    name: String,
    path: usize,
    /// Without what registers take.
    delay: Rc<Delay>,
    ns: f64,
}

impl Sample {
    fn estimate(&self, delays: &Delays) -> f64 {
        delays.register + (self.delay)(delays).unwrap_or(0.0)
    }
}

pub fn run(args: &Args) -> Result<(), Box<dyn Error>> {
    let mut samples = measure_all(expressions())?;
    samples.extend(measure_all(parts())?);
    let delays = fit(&samples);
    let error = summary(&samples, &delays);
    show(&samples, &delays);
    println!("{delays:?}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::write(
        root.join("crates/circuit/src/family/delays.rs"),
        table(&delays, &error),
    )?;
    for kind in &args.operators {
        show(&measure_all(operators(kind, args))?, &delays);
    }
    Ok(())
}

/// The samples, those that take longer than estimated at the end.
fn show(samples: &[Sample], delays: &Delays) {
    let excess = |sample: &Sample| sample.ns - sample.estimate(delays);
    let mut samples: Vec<&Sample> = samples.iter().collect();
    samples.sort_by(|a, b| excess(a).total_cmp(&excess(b)));
    for sample in &samples {
        println!(
            "{:+.2} {:.2} measured {:.2} estimated  {}, path {}",
            excess(sample),
            sample.ns,
            sample.estimate(delays),
            sample.name,
            sample.path
        );
    }
    let longest = samples.iter().map(|sample| sample.ns).fold(0.0, f64::max);
    println!("the longest path takes {longest:.2} ns");
}

/// The operators of a kind.
fn operators(kind: &str, args: &Args) -> Vec<Probe> {
    let all = operators::catalog().into_iter();
    let samples = all.filter(|(name, _)| *name == kind);
    let is_wide =
        |operator: &dyn Operator| args.widths.is_empty() || args.widths.contains(&widest(operator));
    let mut probes = Vec::new();
    for operator in samples.flat_map(|(_, samples)| samples) {
        if is_typical(&*operator) && is_wide(&*operator) {
            let regs = match args.steps {
                true => Regs::all(operator.steps(&ECP5.delays).len()),
                false => operator.pipeline(&Target::ECP5),
            };
            probes.push(Probe::operator(operator, regs));
        }
    }
    probes
}

/// Measures probes, some at a time.
fn measure_all(mut probes: Vec<Probe>) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut samples = Vec::new();
    while !probes.is_empty() {
        let batch: Vec<Probe> = probes.drain(..probes.len().min(PROBES)).collect();
        samples.extend(measure(&batch)?);
    }
    Ok(samples)
}

/// Whether an operator is built of an ECP5's multipliers.
fn is_typical(operator: &dyn Operator) -> bool {
    let other = [Tile::DSP48E, Tile::ULTRASCALE, Tile::ARRIA10].map(|tile| format!("{tile:?}"));
    let text = format!("{operator:?}");
    !other.iter().any(|tile| text.contains(tile.as_str()))
}

fn widest(operator: &dyn Operator) -> u32 {
    let widths = operator.inputs().into_iter().map(|port| port.width);
    widths.max().expect("an operator has operands")
}

/// Expressions as segments chain them.
fn expressions() -> Vec<Probe> {
    let delay = |op, width: u32| move |ns: &Delays| Inline { op, width }.delay(ns);
    let mut probes = Vec::new();
    for width in [8, 16, 32, 64] {
        let add = delay(InlineOp::Add, width);
        let less = delay(InlineOp::Ult, width);
        let equal = delay(InlineOp::Eq, width);
        let select = delay(InlineOp::Select, width);
        let and = delay(InlineOp::And, width);
        let max = delay(InlineOp::SMax, width);
        let operands = ["a", "b", "c", "d"].map(|name| (name, width));
        let mut probe = |name: &str, text: &str, bits, delay: Box<dyn Fn(&Delays) -> f64>| {
            let name = format!("{name}, {width} bits");
            probes.push(Probe::expression(&name, &operands, (text, bits), delay));
        };
        probe("add", "a + b", width, Box::new(add));
        probe("less", "a < b", 1, Box::new(less));
        probe("equal", "a == b", 1, Box::new(equal));
        probe("and", "a & b", width, Box::new(and));
        probe("select", "c[0] ? a : b", width, Box::new(select));
        probe(
            "max",
            "$signed(a) < $signed(b) ? b : a",
            width,
            Box::new(max),
        );
        probe(
            "add less",
            "(a + b) < c",
            1,
            Box::new(move |ns| add(ns) + less(ns)),
        );
        probe(
            "less select",
            "a < b ? c : d",
            width,
            Box::new(move |ns| less(ns) + select(ns)),
        );
        probe(
            "equal select",
            "a == b ? c : d",
            width,
            Box::new(move |ns| equal(ns) + select(ns)),
        );
        probe(
            "less select add",
            "(a < b ? c : d) + a",
            width,
            Box::new(move |ns| less(ns) + select(ns) + add(ns)),
        );
        probe(
            "select select",
            "c[0] ? a : d[0] ? b : c",
            width,
            Box::new(move |ns| 2.0 * select(ns)),
        );
    }
    probes
}

/// Parts of operators.
fn parts() -> Vec<Probe> {
    let operands = |width| ["a", "b", "c", "d"].map(|name| (name, width));
    let mut probes = Vec::new();
    let mut probe = |name: &str, width: u32, text: &str, bits, delay: fn(&Delays) -> f64| {
        let name = format!("{name}, {width} bits");
        let operands = operands(width);
        probes.push(Probe::expression(&name, &operands, (text, bits), delay));
    };
    probe("shift by 2", 32, "a << b[1:0]", 32, |ns| ns.shift(2));
    probe("shift by 3", 32, "a << b[2:0]", 32, |ns| ns.shift(3));
    probe("shift by 4", 32, "a >> b[3:0]", 32, |ns| ns.shift(4));
    probe("shift by 5", 32, "a << b[4:0]", 32, |ns| ns.shift(5));
    probe("shift by 4", 64, "a << b[3:0]", 64, |ns| ns.shift(4));
    probe("shift by 6", 64, "a << b[5:0]", 64, |ns| ns.shift(6));
    probe("shift add", 32, "(a << b[4:0]) + c", 32, |ns| {
        ns.shift(5) + ns.carry(32)
    });
    probe("add shift", 32, "(a + b) << c[4:0]", 32, |ns| {
        ns.carry(32) + ns.shift(5)
    });
    probe("less shift", 8, "{a, b, c, d} << (a - b)", 32, |ns| {
        ns.carry(8) + ns.shift(5)
    });
    probe("multiply", 18, "a * b", 18, |ns| ns.dsp);
    probe("multiply", 16, "{16'd0, a} * b", 32, |ns| ns.dsp);
    probe("multiply add", 16, "{16'd0, a} * b + {c, d}", 32, |ns| {
        ns.dsp + ns.carry(32)
    });
    probe("select multiply", 18, "(c[0] ? a : d) * b", 18, |ns| {
        ns.shift(1) + ns.dsp
    });
    probe("any", 8, "|{a, b}", 1, |ns| ns.tree(16));
    probe("any", 16, "|{a, b}", 1, |ns| ns.tree(32));
    probe("any", 64, "|a", 1, |ns| ns.tree(64));
    probe("any select", 32, "|a ? b : c", 32, |ns| {
        ns.tree(32) + ns.shift(1)
    });
    probe("add exclusive-or add", 16, "((a + b) ^ c) + d", 16, |ns| {
        2.0 * ns.carry(16) + ns.lut
    });
    probe("add exclusive-or add", 32, "((a + b) ^ c) + d", 32, |ns| {
        2.0 * ns.carry(32) + ns.lut
    });
    probe("add exclusive-or add", 64, "((a + b) ^ c) + d", 64, |ns| {
        2.0 * ns.carry(64) + ns.lut
    });
    for counted in Counted::ALL {
        for width in [16, 32, 64] {
            probes.push(Probe::operator(
                Box::new(Count { width, counted }),
                Regs::NONE,
            ));
        }
    }
    probes
}

/// Places probes on one chip.
fn place(probes: &[Probe], design: &Design) -> Result<Measured, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let netlist = yosys::map(design, &Target::ECP5, folder, &mut |_| ())?;
    let arrivals = nextpnr::arrivals(&netlist, &device(), WISH, folder, &mut |_| ())?;
    let mut measured = Vec::new();
    for index in 0..probes.len() {
        let instance = probe::instance(index);
        let operands = format!("{instance}.inputs");
        let depths = depths(&netlist, |cell| cell.starts_with(&operands))?;
        let mine = [
            format!("{instance}.{INSTANCE}."),
            format!("{instance}.captured"),
        ];
        let mut paths = Vec::new();
        for arrival in &arrivals {
            let is_mine = mine.iter().any(|start| arrival.cell.starts_with(start));
            if let Some(&depth) = depths.get(&arrival.cell).filter(|_| is_mine) {
                paths.resize(paths.len().max(depth), 0.0);
                let longest: &mut f64 = &mut paths[depth - 1];
                *longest = longest.max(arrival.ns);
            }
        }
        measured.push(paths);
    }
    Ok(Measured(measured))
}

fn measure(probes: &[Probe]) -> Result<Vec<Sample>, Box<dyn Error>> {
    let design = probe::design(probes);
    let tools = versions(&[Tool::Yosys, Tool::NextpnrEcp5])?;
    let context = format!("{tools}delays {} {:?}", WISH.mhz, device());
    let key = Key::of_design("probes", &context, &design);
    let mut kept = Measurements::open("delays")?;
    let Measured(measured) = match kept.get(&key) {
        Some(measured) => measured,
        None => {
            let measured = place(probes, &design)?;
            kept.put(&key, &measured)?;
            measured
        }
    };
    let samples = probes.iter().zip(measured).flat_map(|(probe, measured)| {
        let paths = measured.into_iter().enumerate();
        paths.map(|(path, ns)| {
            let all = probe.paths.clone();
            Sample {
                name: probe.name.clone(),
                path,
                delay: Rc::new(move |delays| all(delays)[path]),
                ns,
            }
        })
    });
    Ok(samples.collect())
}

/// The number of parameters.
const PARAMETERS: usize = 10;

/// Delays with these parameters.
fn with(parameters: &[f64]) -> Delays {
    let linear = |at: usize| Linear {
        base: parameters[at],
        per_bit: parameters[at + 1],
    };
    Delays {
        register: parameters[0],
        lut: parameters[1],
        dsp: parameters[2],
        fan_out: parameters[3],
        carry: linear(4),
        shift: linear(6),
        lzc: linear(8),
    }
}

fn fit(samples: &[Sample]) -> Delays {
    let rows: Vec<fit::Row> = samples
        .iter()
        .map(|sample| fit::Row {
            value: sample.ns,
            counts: coefficients(sample).into_iter().enumerate().collect(),
        })
        .collect();
    with(&fit::fit(&rows, &[fit::Expected::NOTHING; PARAMETERS]))
}

/// How often each parameter counts in a sample.
fn coefficients(sample: &Sample) -> Vec<f64> {
    let unit = |at| {
        let mut parameters = [0.0; PARAMETERS];
        parameters[at] = 1.0;
        sample.estimate(&with(&parameters))
    };
    (0..PARAMETERS).map(unit).collect()
}

fn summary(samples: &[Sample], delays: &Delays) -> String {
    let count = samples.len() as f64;
    let error = |sample: &Sample| sample.estimate(delays) - sample.ns;
    let squares: f64 = samples.iter().map(|it| error(it) * error(it)).sum();
    let near = samples.iter().filter(|it| error(it).abs() <= 0.15 * it.ns);
    format!(
        "{} paths, {:.2} ns root mean square error, {:.0} % within 15 %",
        samples.len(),
        (squares / count).sqrt(),
        100.0 * near.count() as f64 / count
    )
}

fn table(delays: &Delays, summary: &str) -> String {
    let linear = |name: &str, it: &Linear| {
        format!(
            "    {name}: Linear {{\n        base: {:.3},\n        per_bit: {:.4},\n    }},\n",
            it.base, it.per_bit
        )
    };
    let mut text = format!(
        "//! Written by `sluice-calibrate delays`: {summary}.\n\n\
         use super::{{Delays, Linear}};\n\n\
         /// Delays of an ECP5 of speed grade 8 after place and route with nextpnr.\n\
         pub const ECP5: Delays = Delays {{\n"
    );
    for (name, value) in [
        ("lut", delays.lut),
        ("dsp", delays.dsp),
        ("register", delays.register),
        ("fan_out", delays.fan_out),
    ] {
        writeln!(text, "    {name}: {value:.3},").expect("a string grows");
    }
    text += &linear("carry", &delays.carry);
    text += &linear("shift", &delays.shift);
    text += &linear("lzc", &delays.lzc);
    text + "};\n"
}
