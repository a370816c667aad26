//! Every kernel of `tests/run` that can become a circuit: interpreter and simulator leave the same
//! memory, the Verilog too, and simulator and Verilog take the same cycles, whatever memory does.

use std::path::{Path, PathBuf};

use sluice_driver::{Agreement, Case, CircuitExecutors, TestFile, check_agreement, compile};
use sluice_kernel::Program;
use sluice_kernel::items::{self, Looped};
use sluice_kernel::plan::{MemoryUnit, Plan, Unroll, WorkItems, names};
use sluice_kernel::prepare::order::loop_choices;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    files
}

fn program(case: &Case) -> Program {
    let compiled = compile(&case.compile).unwrap_or_else(|failure| panic!("{failure}"));
    compiled.program
}

/// Launches that were compared, and what was found.
fn check(
    cases: &[(PathBuf, Case)],
    plan: &Plan,
    executors: CircuitExecutors<'_>,
) -> (usize, Vec<String>) {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (path, case) in cases {
        let program = program(case);
        let bind = || case.bind(&program);
        let found = check_agreement(&program, &bind, plan.clone(), executors)
            .unwrap_or_else(|failure| panic!("{failure}"));
        let name = path.file_name().expect("a file").display();
        match found {
            Agreement::Refused(why) => println!("{name}:{}: {why}", case.line),
            Agreement::Agreed { .. } => checked += 1,
            Agreement::Disagreed(what) => {
                checked += 1;
                wrong.extend(
                    what.iter()
                        .map(|what| format!("{name}:{}: {what}", case.line)),
                );
            }
        }
    }
    (checked, wrong)
}

fn cases() -> Vec<(PathBuf, Case)> {
    let cases = files().into_iter().flat_map(|path| {
        let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
        let cases = file.cases.into_iter();
        cases
            .map(move |case| (path.clone(), case))
            .collect::<Vec<_>>()
    });
    cases.collect()
}

#[test]
fn simulator_and_interpreter_agree() {
    let cases = cases();
    let plans = [
        (1, None),
        (4, None),
        (2, Some(MemoryUnit::Cache)),
        (1, Some(MemoryUnit::Stream)),
        (2, Some(MemoryUnit::Shared)),
        (1, Some(MemoryUnit::Uniform)),
        (2, Some(MemoryUnit::Copy)),
    ];
    for (datapaths, memory) in plans {
        let plan = Plan::default().with_datapaths(datapaths);
        let plan = plan.with_memory(memory);
        let (checked, wrong) = check(&cases, &plan, CircuitExecutors::Simulator);
        assert!(
            wrong.is_empty(),
            "{} of {checked} wrong:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        assert_eq!(checked, cases.len(), "all have circuits");
    }
}

/// The lanes that a launch does not allow are left out: [`Plan::fit`].
#[test]
fn simulator_and_interpreter_agree_with_lanes() {
    let cases = cases();
    let choices = [
        (4, MemoryUnit::Cache),
        (8, MemoryUnit::Stream),
        (4, MemoryUnit::Copy),
    ];
    for (lanes, memory) in choices {
        let plan = Plan::default().with_lanes(lanes).with_memory(memory);
        let (checked, wrong) = check(&cases, &plan, CircuitExecutors::Simulator);
        assert!(
            wrong.is_empty(),
            "{} of {checked} wrong with {lanes} lanes:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        // Lanes multiply accesses: some objects have more than a memory serves.
        assert!(checked + 16 >= cases.len(), "only {checked} have circuits");
    }
}

/// The plan that unrolls each loop by a factor, wherever that is legal; how many loops these are.
fn unrolling(program: &Program, by: Unroll) -> (Plan, usize) {
    let mut plan = Plan::default();
    let mut count = 0;
    for kernel in program.kernels() {
        for named in names::loops(kernel) {
            let mut wanted = plan.kernel(&kernel.name).clone();
            wanted.unroll.insert(named.key, by);
            if loop_choices(kernel, &wanted).is_ok() {
                *plan.kernel_mut(&kernel.name) = wanted;
                count += 1;
            }
        }
    }
    (plan, count)
}

#[test]
fn simulator_and_interpreter_agree_on_unrolled_loops() {
    for by in [Unroll::By(4), Unroll::Full] {
        let (mut checked, mut loops, mut wrong) = (0, 0, Vec::new());
        for case in cases() {
            let (plan, count) = unrolling(&program(&case.1), by);
            if count > 0 {
                let found = check(&[case], &plan, CircuitExecutors::Simulator);
                checked += found.0;
                loops += count;
                wrong.extend(found.1);
            }
        }
        assert!(
            wrong.is_empty(),
            "{} of {checked} wrong, {by:?}:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        let least = if by == Unroll::Full { 10 } else { 200 };
        assert!(
            checked > least && loops > least,
            "{checked} launches, {loops} loops"
        );
    }
}

/// Every 24th launch with loops that can be unrolled.
#[test]
fn verilog_agrees_on_unrolled_loops() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let is_unrolled = |(_, case): &(PathBuf, Case)| unrolling(&program(case), Unroll::By(4)).1 > 0;
    let all: Vec<(PathBuf, Case)> = cases().into_iter().filter(is_unrolled).collect();
    let mut wrong = Vec::new();
    for case in all.into_iter().step_by(24) {
        let (plan, _) = unrolling(&program(&case.1), Unroll::By(4));
        wrong.extend(check(&[case], &plan, CircuitExecutors::SimulatorAndRtl(&cache)).1);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Launches of kernels whose results do not depend on the order of work-items: those can become loops.
fn cases_for_loops() -> Vec<(PathBuf, Case)> {
    let is_legal = |(_, case): &(PathBuf, Case)| {
        let program = program(case);
        let mut kernels = program.kernels().iter();
        kernels.all(|kernel| items::why_not(kernel, kernel.lanes.unwrap_or(1)).is_none())
    };
    cases().into_iter().filter(is_legal).collect()
}

#[test]
fn simulator_and_interpreter_agree_on_loops_over_work_items() {
    let cases = cases_for_loops();
    assert!(cases.len() > 400, "only {} launches", cases.len());
    for form in [Looped::Launch, Looped::Group] {
        let plan = Plan::default().with_work_items(WorkItems::Looped(form));
        let (checked, wrong) = check(&cases, &plan, CircuitExecutors::Simulator);
        assert!(
            wrong.is_empty(),
            "{} of {checked} wrong, {form:?}:\n{}",
            wrong.len(),
            wrong.join("\n")
        );
        assert!(checked + 8 >= cases.len(), "only {checked} have circuits");
    }
}

/// Barriers in branches and nested loops, and private arrays that live across them.
#[test]
fn verilog_agrees_on_loops_over_work_items() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let names = [
        "barrier_uniform_branch.cl",
        "barrier_nested_loops.cl",
        "barrier_private_arrays.cl",
    ];
    let is_named = |(path, _): &(PathBuf, Case)| names.iter().any(|name| path.ends_with(name));
    let some: Vec<_> = cases().into_iter().filter(is_named).collect();
    assert!(some.len() >= names.len(), "only {} launches", some.len());
    for form in [Looped::Launch, Looped::Group] {
        let plan = Plan::default().with_work_items(WorkItems::Looped(form));
        let (checked, wrong) = check(&some, &plan, CircuitExecutors::SimulatorAndRtl(&cache));
        assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
        assert_eq!(checked, some.len(), "all have circuits");
    }
}

/// Building Verilog takes seconds: here every 32nd launch, all of them with `make rtl`.
#[test]
fn verilog_agrees_in_memory_and_cycles() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let one = Plan::default();
    let caches = one.clone().with_memory(MemoryUnit::Cache);
    let streams = one.clone().with_memory(MemoryUnit::Stream);
    // Where the choice begins, the distance between its launches, and the plan.
    let choices = [
        (0, 32, one.clone()),
        (40, 150, one.with_datapaths(2)),
        (8, 96, caches),
        (16, 96, streams),
    ];
    for (first, step, plan) in choices {
        let some: Vec<_> = cases().into_iter().skip(first).step_by(step).collect();
        let (checked, wrong) = check(&some, &plan, CircuitExecutors::SimulatorAndRtl(&cache));
        assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
        assert_eq!(checked, some.len(), "all have circuits");
    }
}

/// Chosen launches: neighbours that share tokens, and memory units that rules choose rarely.
#[test]
fn verilog_agrees_on_lanes_and_rare_memory_units() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let in_lanes = [
        ("atomics_every_operation.cl", 25),
        ("convert_saturated.cl", 4),
        ("huffman_decode.cl", 4),
        ("loop_many_exits.cl", 3),
        ("pattern_count_tiles.cl", 11),
        ("stencil_2d_bytes.cl", 12),
    ];
    let one = Plan::default();
    let shared = one.clone().with_memory(MemoryUnit::Shared);
    let uniform = one.clone().with_memory(MemoryUnit::Uniform);
    let copies = one.clone().with_memory(MemoryUnit::Copy);
    let tables = [
        ("small_tables_anywhere.cl", 4),
        ("small_tables_anywhere.cl", 12),
        ("small_tables_anywhere.cl", 15),
        ("small_tables_fixed.cl", 9),
    ];
    let all = cases();
    let named = |names: &[(&str, usize)]| -> Vec<(PathBuf, Case)> {
        let is_named = |(path, case): &&(PathBuf, Case)| {
            let mut names = names.iter();
            names.any(|(name, line)| path.ends_with(name) && case.line == *line)
        };
        all.iter().filter(is_named).cloned().collect()
    };
    let choices = [
        (named(&in_lanes), one.clone().with_lanes(4)),
        (named(&[("jacobi.cl", 4)]), shared),
        (named(&[("jacobi.cl", 4)]), uniform),
        (named(&tables), copies.clone().with_datapaths(2)),
        (named(&tables), copies.with_lanes(4)),
    ];
    for (some, plan) in choices {
        assert!(!some.is_empty(), "the launches are there");
        let (checked, wrong) = check(&some, &plan, CircuitExecutors::SimulatorAndRtl(&cache));
        assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
        assert_eq!(checked, some.len(), "all have circuits");
    }
}

/// Ports, modules and files are named after the source, whose names may be any identifiers of C: here
/// one kernel of each kind, all of them with `make rtl`.
#[test]
fn verilog_agrees_whatever_the_names() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let names = ["_names__", "clk", "\u{e9}t\u{e9}"];
    let named = cases().into_iter().filter(|(_, case)| {
        let kernel = case.compile.kernel.as_deref();
        kernel.is_some_and(|kernel| names.contains(&kernel))
    });
    let named: Vec<_> = named.collect();
    let plan = Plan::default();
    let (checked, wrong) = check(&named, &plan, CircuitExecutors::SimulatorAndRtl(&cache));
    assert!(wrong.is_empty(), "wrong:\n{}", wrong.join("\n"));
    assert_eq!(checked, names.len(), "all have circuits");
}
