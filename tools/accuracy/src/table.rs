//! Findings as Markdown and as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::functions::{self, Bound, Form, Function};
use crate::inputs::{Arguments, Density};
use crate::measure::{Disagreement, Finding};
use crate::number::Type;

/// The text that all tables share.
const TERMS: &str = "\
Bounds are those of the full profile: the OpenCL C 3.0 specification's tables \"ULP Values for Single Precision
Built-in Math Functions\" and \"ULP Values for Double Precision Built-in Math Functions\", and for half that of
`cl_khr_fp16`. Division and square root, which OpenCL lets be 2.5 and 3 ulp off in float, are held to correct
rounding. *exact* means the one right result on every bit; *free* that the specification leaves the error open:
infinities, NaNs and zeros are checked all the same, except for the trigonometric `native_` functions. `half_` and
`native_` functions may take subnormal arguments and give subnormal results as zeros; the trigonometric ones count
up to 2^16.

An error is given in units in the last place as OpenCL defines them, subnormals included; *wrong* is a NaN, an
infinity or a zero in the place of another kind of result, or with the wrong sign. The reference is the C library
in double for float and half, and in binary128 for double.
";

const SAMPLED: &str = "\
# Accuracy of the builtin mathematics

Written by `cargo run --release -p sluice-accuracy -- --write`; the command fails if a function is beyond its bound.
What functions of one float do on all of them is in [another table](accuracy-of-all-floats.md).
";

const SAMPLES: &str = "\
Float functions of one argument are tried on one number of each 1024 neighbours and on a million more where
functions are hard; half functions of one argument on every number.
";

const EXHAUSTIVE: &str = "\
# Accuracy of the builtin mathematics on every float

Written by `cargo run --release -p sluice-accuracy -- --exhaustive --write`, which takes hours and fails if a function
is beyond its bound: the functions of one argument, each on all 2^32 floats, the special ones twice. With `--only` it
measures single functions anew. [Another table](accuracy.md) has all functions and types.
";

const HEAD: &str = "\
| function | type | inputs | worst error (ulp) | at | bound (ulp) | |
| --- | --- | ---: | ---: | --- | ---: | --- |
";

/// The findings as a page of Markdown.
pub fn markdown(findings: &[Finding], density: Density) -> String {
    merged("", findings, density)
}

/// The page with these findings in the place of older ones.
pub fn merged(page: &str, findings: &[Finding], density: Density) -> String {
    let mut rows: BTreeMap<[&str; 2], &str> = page
        .lines()
        .filter_map(|line| Some((key(line)?, line)))
        .collect();
    let new: Vec<String> = findings.iter().map(row).collect();
    rows.extend(new.iter().filter_map(|row| Some((key(row)?, row.as_str()))));
    let (title, inputs) = match density {
        Density::Quick | Density::Dense => (SAMPLED, SAMPLES),
        Density::Exhaustive => (EXHAUSTIVE, ""),
    };
    let mut text = format!("{title}\n{TERMS}{inputs}\n{HEAD}");
    // In the order of the functions; what is no function any more is left out.
    for function in functions::all() {
        if let Some(row) = rows.get(&[shown(&function), function.ty.name()]) {
            text.push_str(row);
            text.push('\n');
        }
    }
    text
}

/// The function and type of a row.
fn key(row: &str) -> Option<[&str; 2]> {
    let (name, rest) = row.strip_prefix("| `")?.split_once("` | ")?;
    Some([name, rest.split_once(" | ")?.0])
}

/// The function as the table names it.
fn shown(function: &Function) -> &'static str {
    function.expression.unwrap_or(function.name)
}

fn row(finding: &Finding) -> String {
    let Finding {
        function,
        inputs,
        worst,
        ..
    } = finding;
    let error = worst.map_or("0".into(), |case| error(case.error));
    let at = worst.map_or(String::new(), |case| arguments(function, case.arguments));
    format!(
        "| `{}` | {} | {inputs} | {error} | {at} | {} | {} |",
        shown(function),
        function.ty.name(),
        bound(function.bound),
        verdict(finding)
    )
}

fn error(ulps: f64) -> String {
    match ulps {
        f64::INFINITY => "wrong".into(),
        _ if ulps < 1000.0 => format!("{ulps:.3}"),
        _ => format!("{ulps:.3e}"),
    }
}

fn bound(bound: Bound) -> String {
    match bound {
        Bound::Exact => "exact".into(),
        Bound::Ulps(ulps) => format!("{ulps}"),
        Bound::Free | Bound::FreeRange => "free".into(),
    }
}

fn verdict(finding: &Finding) -> String {
    let differs = finding
        .disagreement
        .as_ref()
        .map(|disagreement| match disagreement {
            Disagreement::Result { arguments: at, .. } => {
                let arguments = arguments(&finding.function, *at);
                format!("**the interpreter differs** at {arguments}")
            }
            Disagreement::Fault(fault) => format!("**the interpreter stops**: {fault}"),
        });
    let beyond = match finding.beyond {
        0 => None,
        1 => Some("**beyond** on one input".to_owned()),
        count => Some(format!("**beyond** on {count} inputs")),
    };
    match (beyond, differs) {
        (None, None) => "holds".into(),
        (Some(only), None) | (None, Some(only)) => only,
        (Some(beyond), Some(differs)) => format!("{beyond}; {differs}"),
    }
}

/// The arguments as numbers and bits.
pub fn arguments(function: &Function, [x, y, z]: Arguments) -> String {
    let number = |bits: u64| number(function.ty, bits);
    match function.form {
        Form::Unary | Form::ToInteger | Form::TwoResults | Form::AndInteger => number(x),
        Form::Binary | Form::BinaryAndInteger => format!("{}, {}", number(x), number(y)),
        Form::Ternary => format!("{}, {}, {}", number(x), number(y), number(z)),
        Form::WithInteger => format!("{}, {}", number(x), y as u32 as i32),
        Form::FromInteger => format!("{x:#x}"),
    }
}

fn number(ty: Type, bits: u64) -> String {
    let digits = ty.bits() as usize / 4;
    let value = match ty {
        Type::Float => format!("{:e}", f32::from_bits(bits as u32)),
        Type::Double => format!("{:e}", f64::from_bits(bits)),
        Type::Half => format!("{:e}", ty.value(bits) as f32),
    };
    format!("{value} (`{bits:0digits$x}`)")
}

/// A finding for programs.
#[derive(Serialize)]
struct Row<'f> {
    function: &'f str,
    #[serde(rename = "type")]
    ty: Type,
    inputs: u64,
    /// Absent if infinite.
    worst_ulps: Option<f64>,
    wrong: bool,
    arguments: Option<[String; 3]>,
    results: Option<[String; 2]>,
    bound_ulps: Option<f64>,
    beyond: u64,
    /// The first arguments, results and errors beyond the bound.
    examples: Vec<([String; 3], [String; 2], f64)>,
    interpreter_agrees: bool,
    holds: bool,
}

/// The findings as JSON.
pub fn json(findings: &[Finding]) -> String {
    let rows: Vec<Row<'_>> = findings.iter().map(json_row).collect();
    serde_json::to_string_pretty(&rows).expect("numbers and text can be written")
}

fn json_row(finding: &Finding) -> Row<'_> {
    let worst = finding.worst.map_or(0.0, |case| case.error);
    let hexadecimal = |bits: u64| format!("{bits:#x}");
    Row {
        function: finding.function.name,
        ty: finding.function.ty,
        inputs: finding.inputs,
        worst_ulps: worst.is_finite().then_some(worst),
        wrong: worst.is_infinite(),
        arguments: finding.worst.map(|case| case.arguments.map(hexadecimal)),
        results: finding.worst.map(|case| case.found.map(hexadecimal)),
        bound_ulps: match finding.function.bound {
            Bound::Exact => Some(0.0),
            Bound::Ulps(ulps) => Some(ulps),
            Bound::Free | Bound::FreeRange => None,
        },
        beyond: finding.beyond,
        examples: finding
            .examples
            .iter()
            .map(|case| {
                let arguments = case.arguments.map(hexadecimal);
                (arguments, case.found.map(hexadecimal), case.error)
            })
            .collect(),
        interpreter_agrees: finding.disagreement.is_none(),
        holds: finding.holds(),
    }
}
