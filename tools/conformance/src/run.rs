//! Runs checks: compiles their kernels, launches them, and compares every lane of every result.

use std::fmt;

use sluice_circuit::target::Target;
use sluice_frontend::{Options, Source};
use sluice_kernel::launch::simulate;
use sluice_kernel::launch::{Argument, Buffer, BufferId, Launch, Memory, NdRange};
use sluice_kernel::lower::lower;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Optimised, Program, interp, passes};

use crate::check::{Check, Expected, Form, Shape};
use crate::exact::to_f64;
use crate::operands::{GRANULE, operands};
use crate::program::{Supply, calls, source, work_items};
use crate::types::{Kind, Type, from_bytes, to_bytes};

/// What executes the kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executor {
    /// The interpreter.
    Interpreter,
    /// The kernel's circuit, simulated.
    Circuit,
    /// The compiler: the operands are literals, so that constant folding computes the results.
    Compiler,
}

/// How many operands there are unless [`VARIABLE`] says otherwise.
const USUAL_COUNT: usize = 8 * GRANULE;

/// The number of operands for circuits: enough to compare them with the interpreter.
const CIRCUIT_COUNT: usize = 2 * GRANULE;

/// The number of operands that a program has as literals.
const LITERAL_COUNT: usize = 24;

/// The environment variable that multiplies the number of operands.
pub const VARIABLE: &str = "SLUICE_CONFORMANCE";

/// The number of checks per program: clang and LLVM have a fixed cost for each program.
const PROGRAM: usize = 48;

/// A lane that is not what it should be.
struct Wrong {
    check: String,
    form: String,
    operands: String,
    lane: usize,
    got: String,
    expected: String,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Wrong {
            check,
            form,
            operands,
            lane,
            got,
            expected,
        } = self;
        write!(
            f,
            "{check} as ({form}), operands {operands}: lane {lane} is {got}, expected {expected}"
        )
    }
}

/// Runs every check and panics if one fails.
pub fn assert_conforming(checks: Vec<Check>, executor: Executor) {
    assert!(!checks.is_empty(), "there is something to check");
    let number = checks.len();
    let report = failures(checks, executor);
    assert!(
        report.is_empty(),
        "{} of {number} checks fail:\n{}",
        report.len(),
        report.join("\n")
    );
}

/// Runs every check; reports for each failing one the number of wrong lanes and the first of them.
pub fn failures(mut checks: Vec<Check>, executor: Executor) -> Vec<String> {
    let factor: usize = match std::env::var(VARIABLE) {
        Ok(factor) => factor
            .parse()
            .unwrap_or_else(|_| panic!("{VARIABLE}={factor}: should be a number")),
        Err(_) => 1,
    };
    let count = factor.max(1)
        * match executor {
            Executor::Interpreter | Executor::Compiler => USUAL_COUNT,
            Executor::Circuit => CIRCUIT_COUNT,
        };
    if executor == Executor::Compiler {
        checks.iter_mut().for_each(keep_foldable);
        checks.retain(|check| !check.forms.is_empty());
    }
    checks.sort_by_key(|check| check.standard);
    let alike = checks.chunk_by(|a, b| a.standard == b.standard);
    alike
        .flat_map(|alike| alike.chunks(PROGRAM))
        .flat_map(|chunk| run_program(chunk, count, executor))
        .collect()
}

/// Keeps scalars and the narrowest odd vectors: the others are the same to the compiler.
fn keep_foldable(check: &mut Check) {
    let is_foldable = |shape: &Shape| matches!(shape, Shape::Vector(1 | 3));
    check
        .forms
        .retain(|form| form.operands.iter().all(is_foldable) && is_foldable(&form.result_shape));
}

/// Runs checks as one program; gives a paragraph for each that fails.
fn run_program(checks: &[Check], count: usize, executor: Executor) -> Vec<String> {
    let mut columns: Vec<Vec<Vec<u64>>> = checks
        .iter()
        .map(|check| operands(&check.operands, check.domain, count))
        .collect();
    let supply = match executor {
        Executor::Interpreter | Executor::Circuit => {
            // Types with many edges have more operands than were asked for; the others repeat theirs.
            let longest = columns.iter().map(|columns| columns[0].len()).max();
            let longest = longest.expect("a program has checks");
            resize(&mut columns, longest);
            Supply::Buffers(longest)
        }
        Executor::Compiler => {
            resize(&mut columns, LITERAL_COUNT);
            Supply::Literals(&columns)
        }
    };
    let kernels = compile(checks, supply);
    assert_eq!(kernels.len(), checks.len(), "a kernel for each check");
    checks
        .iter()
        .zip(&kernels)
        .zip(&columns)
        .filter_map(|((check, kernel), columns)| run_check(check, kernel, columns, executor))
        .collect()
}

/// Cuts or repeats every column to a length.
fn resize(columns: &mut [Vec<Vec<u64>>], length: usize) {
    for column in columns.iter_mut().flatten() {
        *column = column.iter().copied().cycle().take(length).collect();
    }
}

fn compile(checks: &[Check], supply: Supply<'_>) -> Vec<Optimised> {
    let text = source(checks, supply);
    let options = Options {
        clang_args: vec!["-w".into(), checks[0].standard.option().into()],
        ..Options::default()
    };
    let compiled = sluice_frontend::compile(&Source::from_text("checks.cl", &*text), &options);
    let kernels = match compiled {
        Ok(compiled) => compiled.kernels,
        Err(error) => panic!("{} and others: {error}\n{text}", checks[0].name),
    };
    kernels.into_iter().map(passes::optimise).collect()
}

fn run_check(
    check: &Check,
    kernel: &Optimised,
    columns: &[Vec<u64>],
    executor: Executor,
) -> Option<String> {
    let count = columns[0].len();
    let mut memory = Memory::new();
    let mut args = Vec::new();
    for (column, &type_) in columns.iter().zip(&check.operands) {
        args.push(Argument::Buffer(
            memory.add(Buffer::from_bytes(&to_bytes(type_, column))),
        ));
    }
    let results: Vec<BufferId> = check
        .forms
        .iter()
        .map(|form| {
            let bytes = calls(form, count) * form.result_shape.len() * form.result.bytes();
            memory.add(Buffer::from_bytes(&vec![0xA5; bytes]))
        })
        .collect();
    args.extend(results.iter().copied().map(Argument::Buffer));
    let items = match executor {
        Executor::Interpreter | Executor::Circuit => work_items(check, count),
        Executor::Compiler => 1,
    };
    let launch = Launch {
        range: NdRange::new(kernel, &[items as u64]),
        args,
    };
    if let Err(reason) = execute(kernel, &launch, &memory, executor) {
        return Some(format!("{}: {reason}", check.name));
    }
    let mut wrong = Vec::new();
    for (form, &id) in check.forms.iter().zip(&results) {
        let results = from_bytes(form.result, &memory.buffer(id).to_bytes());
        wrong.extend(compare(check, form, columns, &results, executor));
    }
    if wrong.is_empty() {
        return None;
    }
    let shown: Vec<String> = wrong.iter().take(6).map(ToString::to_string).collect();
    Some(format!(
        "{} lanes of {}:\n  {}",
        wrong.len(),
        check.name,
        shown.join("\n  ")
    ))
}

fn execute(
    kernel: &Optimised,
    launch: &Launch,
    memory: &Memory,
    executor: Executor,
) -> Result<(), String> {
    match executor {
        Executor::Interpreter | Executor::Compiler => {
            interp::run(kernel, launch, memory, &interp::Options::default())
                .map(|_| ())
                .map_err(|fault| fault.to_string())
        }
        Executor::Circuit => {
            let plan = Plan::for_launch(launch, memory);
            let lowered = prepare(&Program::of(kernel.clone()), &plan, &Target::ECP5)
                .and_then(|it| lower(&it))
                .map_err(|why| why.to_string())?;
            let options = simulate::Options {
                limit: simulate::CycleLimit::Cycles(20_000_000),
                ..simulate::Options::default()
            };
            simulate::simulate(kernel, &lowered, launch, memory, &options)
                .map(|_| ())
                .map_err(|stopped| stopped.to_string())
        }
    }
}

fn compare(
    check: &Check,
    form: &Form,
    columns: &[Vec<u64>],
    results: &[u64],
    executor: Executor,
) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    let width = form.result_shape.len();
    for (call, got) in results.chunks(width).enumerate() {
        let lanes: Vec<&[u64]> = columns
            .iter()
            .zip(&form.operands)
            .map(|(column, shape)| &column[call * shape.len()..(call + 1) * shape.len()])
            .collect();
        let expected = (form.reference)(&lanes);
        assert_eq!(
            expected.len(),
            got.len(),
            "{}: one expected value per lane",
            check.name
        );
        for (lane, (&got, expected)) in got.iter().zip(expected).enumerate() {
            if !is_as_expected(form.result, got, expected, executor) {
                wrong.push(Wrong {
                    check: check.name.clone(),
                    form: form.name.clone(),
                    operands: show_operands(check, &lanes, lane),
                    lane,
                    got: show(form.result, got),
                    expected: show_expected(form.result, expected),
                });
            }
        }
    }
    wrong
}

/// Whether a lane is what is expected.
fn is_as_expected(type_: Type, got: u64, expected: Expected, executor: Executor) -> bool {
    let both_nan = |bits| type_.is_nan(bits) && type_.is_nan(got);
    let is_zero = |bits: u64| bits & !type_.top() == 0;
    match expected {
        Expected::Bits(bits) => got == bits,
        Expected::Number(bits) => got == bits || both_nan(bits),
        Expected::Value(bits) => got == bits || both_nan(bits) || (is_zero(bits) && is_zero(got)),
        Expected::Ulps(bits, most) => match type_.is_nan(bits) || type_.is_nan(got) {
            true => both_nan(bits),
            false => rank(type_, got).abs_diff(rank(type_, bits)) <= u128::from(most),
        },
        Expected::Between(low, high) => {
            let got = to_f64(type_, got);
            low <= got && got <= high
        }
        Expected::Open(bits) => got == bits || executor == Executor::Compiler,
        Expected::Anything => true,
    }
}

/// Floats in order: neighbours differ by one, and the zeros are the same.
fn rank(type_: Type, bits: u64) -> i128 {
    let magnitude = i128::from(bits & !type_.top());
    match bits & type_.top() {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// The operands of a lane, or all of them if the lanes are not each other's.
fn show_operands(check: &Check, lanes: &[&[u64]], lane: usize) -> String {
    let shown = lanes.iter().zip(&check.operands).map(|(lanes, &type_)| {
        let around = match lanes.len() {
            0..=4 => lanes,
            _ => &lanes[lane.min(lanes.len() - 1)..=lane.min(lanes.len() - 1)],
        };
        let values: Vec<String> = around.iter().map(|&bits| show(type_, bits)).collect();
        format!("[{}]", values.join(" "))
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn show(type_: Type, bits: u64) -> String {
    match type_.kind() {
        Kind::Signed | Kind::Unsigned => type_.integer(bits).to_string(),
        Kind::Float => format!("{:e} ({bits:#x})", to_f64(type_, bits)),
    }
}

fn show_expected(type_: Type, expected: Expected) -> String {
    match expected {
        Expected::Bits(bits) | Expected::Open(bits) => format!("exactly {}", show(type_, bits)),
        Expected::Number(bits) | Expected::Value(bits) => show(type_, bits),
        Expected::Ulps(bits, most) => format!("{} within {most} ulps", show(type_, bits)),
        Expected::Between(low, high) => format!("from {low:e} to {high:e}"),
        Expected::Anything => "anything".to_owned(),
    }
}
