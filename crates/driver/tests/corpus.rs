//! Every kernel of `tests/run` and of the examples: the interpreter gives the results written
//! there, from optimised and unoptimised IR, and so does PoCL.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sluice_driver::{Case, Mismatch, Session, TestFile};
use sluice_kernel::items::{self, Looped};
use sluice_kernel::launch::{Buffer, Memory};
use sluice_kernel::plan::{Plan, WorkItems};
use sluice_kernel::prepare::order::{self, STEPS};
use sluice_kernel::{Kernel, Program, interp, passes, verify};
use sluice_oracle::{self as oracle, Implementation, Job, build_binary, run_isolated};

/// The kernel files, in order.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files: Vec<PathBuf> = ["tests/run", "examples"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(root.join(folder)).expect("the folder exists"))
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cl"))
        .collect();
    files.sort();
    files
}

/// Checks every case of every file and panics with all that is wrong.
fn check_all(check: impl Fn(&TestFile, &Case) -> Vec<String> + Sync) {
    let files = files();
    assert!(
        files.len() >= 80,
        "only {} kernel files were found",
        files.len()
    );
    let next = std::sync::atomic::AtomicUsize::new(0);
    let wrong = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) =
                    files.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    let file = TestFile::read(path).unwrap_or_else(|error| panic!("{error}"));
                    for case in &file.cases {
                        for what in check(&file, case) {
                            let name = path.file_name().expect("a file").display();
                            let entry = format!("{name}:{}: {what}", case.line);
                            wrong.lock().expect("no checker panicked").push(entry);
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no checker panicked");
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn compile(case: &Case) -> Result<Kernel, String> {
    let source = case
        .compile
        .source()
        .map_err(|failure| failure.to_string())?;
    let compiled = sluice_frontend::compile(&source, &case.compile.options())
        .map_err(|error| error.to_string())?;
    let [kernel] = <[Kernel; 1]>::try_from(compiled.kernels)
        .map_err(|kernels| format!("{} kernels: the launch must name one", kernels.len()))?;
    Ok(kernel)
}

fn bind(program: &Program, case: &Case) -> Result<Session, String> {
    Session::bind(program, [&case.launch]).map_err(|failure| failure.to_string())
}

fn interpret(
    program: &Program,
    case: &Case,
    checks: interp::Checks,
) -> Result<Vec<Mismatch>, String> {
    let kernel = &program.kernels()[0];
    verify::verify(kernel).map_err(|errors| errors.to_string())?;
    let before = bind(program, case)?;
    let after = bind(program, case)?;
    let options = interp::Options {
        checks,
        ..interp::Options::default()
    };
    let outcome = interp::run(kernel, after.launch(), &after.memory, &options)
        .map_err(|fault| fault.to_string())?;
    let printed = String::from_utf8_lossy(&outcome.printed);
    Ok(case.expect.check(program, &before, &after, &printed))
}

/// What a kernel prints on the interpreter, if work-items may also print it in the order given.
fn in_order_of_work_items(
    program: &Program,
    session: &Session,
    printed: Vec<u8>,
) -> Result<Vec<u8>, String> {
    let options = interp::Options::default();
    let outcome = interp::run(
        &program.kernels()[0],
        session.launch(),
        &session.memory,
        &options,
    );
    let expected = outcome.map_err(|fault| fault.to_string())?.printed;
    let sorted = |text: &[u8]| {
        let mut lines: Vec<Vec<u8>> = text.split(|&it| it == b'\n').map(Vec::from).collect();
        lines.sort_unstable();
        lines
    };
    match sorted(&expected) == sorted(&printed) {
        true => Ok(expected),
        false => Ok(printed),
    }
}

fn texts(result: Result<Vec<Mismatch>, String>) -> Vec<String> {
    match result {
        Ok(mismatches) => mismatches.iter().map(Mismatch::to_string).collect(),
        Err(error) => vec![error],
    }
}

#[test]
fn optimised_ir_gives_the_expected_results() {
    check_all(|_, case| {
        texts(compile(case).and_then(|kernel| {
            let program = Program::of(passes::optimise(kernel));
            interpret(&program, case, interp::Checks::default())
        }))
    });
}

#[test]
fn unoptimised_ir_gives_the_expected_results_and_passes_every_check() {
    check_all(|_, case| {
        texts(compile(case).and_then(|kernel| {
            let program = Program::of(passes::skip(kernel));
            interpret(&program, case, interp::Checks::ALL)
        }))
    });
}

#[test]
fn printed_ir_parses_back_to_the_same_kernel() {
    check_all(|_, case| {
        let round_trip = compile(case).and_then(|kernel| {
            let kernel = passes::optimise(kernel);
            let parsed = sluice_kernel::text::parse(&kernel.to_string())
                .map_err(|error| error.to_string())?;
            match parsed == *kernel {
                true => Ok(Vec::new()),
                false => Err("parse(print(kernel)) differs from the kernel".into()),
            }
        });
        texts(round_trip)
    });
}

#[test]
fn pocl_gives_the_expected_results() {
    let binary = build_binary().unwrap_or_else(|error| panic!("{error}"));
    let pocl = Implementation::pocl(binary);
    check_all(|file, case| {
        texts(compile(case).and_then(|kernel| {
            let program = Program::of(passes::skip(kernel));
            let before = bind(&program, case)?;
            let source = oracle::Program {
                source: &file.source,
                options: &case.compile.clang,
            };
            let job = Job::of_launch(
                source,
                &program.kernels()[0],
                before.launch(),
                &before.memory,
            );
            let isolated = run_isolated(&pocl, &job, Duration::from_secs(60))
                .map_err(|error| error.to_string())?;
            let mut memory = Memory::new();
            for bytes in &isolated.outcome.buffers {
                memory.add(Buffer::from_bytes(bytes));
            }
            let after = Session {
                launches: before.launches.clone(),
                memory,
                variables: None,
            };
            Ok(case
                .expect
                .check(&program, &before, &after, &isolated.printed))
        }))
    });
}

#[test]
fn prepared_ir_gives_the_expected_results() {
    check_all(|_, case| {
        texts(
            compile(case).and_then(|kernel| {
                interpret_prepared(&Program::of(passes::optimise(kernel)), case, 1)
            }),
        )
    });
}

#[test]
fn kernels_in_lanes_give_the_expected_results() {
    let packed = AtomicUsize::new(0);
    check_all(|_, case| {
        texts(compile(case).and_then(|kernel| {
            let program = Program::of(passes::optimise(kernel));
            let most = bind(&program, case)?.launch().range.most_lanes();
            let mut mismatches = Vec::new();
            for lanes in [2, 4, 8, 16] {
                if lanes <= most {
                    packed.fetch_add(1, Ordering::Relaxed);
                    mismatches.extend(
                        interpret_prepared(&program, case, lanes)
                            .map_err(|error| format!("{lanes} lanes: {error}"))?,
                    );
                }
            }
            Ok(mismatches)
        }))
    });
    let packed = packed.into_inner();
    assert!(packed > 500, "only {packed} launches had lanes");
}

#[test]
fn work_items_as_loops_give_the_expected_results() {
    let counts = Mutex::new(BTreeMap::<&str, usize>::new());
    check_all(|_, case| {
        texts(compile(case).and_then(|kernel| {
            let program = Program::of(passes::optimise(kernel));
            let kernel = &program.kernels()[0];
            let why = items::why_not(kernel, kernel.lanes.unwrap_or(1));
            let outcome = why.map_or("looped", |(why, _)| why.name());
            *counts
                .lock()
                .expect("no checker panicked")
                .entry(outcome)
                .or_default() += 1;
            if why.is_some() {
                return Ok(Vec::new());
            }
            let mut mismatches = Vec::new();
            for form in [Looped::Launch, Looped::Group] {
                for step in ["loop_items", last_step()] {
                    let found = interpret_looped(&program, case, form, step);
                    mismatches.extend(found.map_err(|error| format!("{form:?} {step}: {error}"))?);
                }
            }
            Ok(mismatches)
        }))
    });
    let counts = counts.into_inner().expect("no checker panicked");
    println!("{counts:?}");
    assert!(counts["looped"] > 400, "{counts:?}");
}

/// Runs a kernel whose work-items have become iterations, as it is behind a step of its preparation.
fn interpret_looped(
    program: &Program,
    case: &Case,
    form: Looped,
    step: &str,
) -> Result<Vec<Mismatch>, String> {
    let session = bind(program, case)?;
    let plan = Plan::for_launch(session.launch(), &session.memory);
    let plan = plan.with_work_items(WorkItems::Looped(form));
    interpret_behind(program, case, &plan, step)
}

fn last_step() -> &'static str {
    STEPS.last().expect("there are steps").name
}

/// Runs a kernel as it is behind the last step of its preparation.
fn interpret_prepared(program: &Program, case: &Case, lanes: u32) -> Result<Vec<Mismatch>, String> {
    let session = bind(program, case)?;
    let plan = Plan::for_launch(session.launch(), &session.memory).with_lanes(lanes);
    interpret_behind(program, case, &plan, last_step())
}

/// Runs a kernel as it is behind a step of its preparation.
fn interpret_behind(
    program: &Program,
    case: &Case,
    plan: &Plan,
    step: &str,
) -> Result<Vec<Mismatch>, String> {
    let kernel = &program.kernels()[0];
    let before = bind(program, case)?;
    let after = bind(program, case)?;
    let prepared = order::kernel_after(kernel, plan, step).expect("a step");
    let prepared = prepared.map_err(|refusal| refusal.to_string())?;
    verify::verify(&prepared.kernel).map_err(|errors| errors.to_string())?;
    let launch = prepared.launch(after.launch());
    let options = interp::Options::default();
    let outcome = interp::run(&prepared.kernel, &launch, &after.memory, &options)
        .map_err(|fault| fault.to_string())?;
    let printed = match plan.otherwise.lanes {
        Some(1) | None => outcome.printed,
        Some(_) => in_order_of_work_items(program, &bind(program, case)?, outcome.printed)?,
    };
    let printed = String::from_utf8_lossy(&printed);
    Ok(case.expect.check(program, &before, &after, &printed))
}
