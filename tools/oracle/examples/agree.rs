//! Runs random programs on PoCL in several ways that must agree: as they are, without optimisation, and in
//! work-groups of another size where the results do not depend on it. A disagreement shows a program
//! that is not well defined, or a fault of PoCL; its text is printed, shrunk.
//!
//! ```text
//! cargo run -p sluice-oracle --example agree -- FIRST-SEED COUNT [print | job]
//! ```
//!
//! `print` shows the programs instead, `job` the input of the binary `sluice-oracle`, one line for each.
//! PoCL keeps what it compiles in the user's cache: `POCL_CACHE_DIR` names another place.

use std::process::ExitCode;

use sluice_generator::{Profile, Program, generate, shrink};
use sluice_oracle::{Job, Oracle, OracleError, Outcome};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |position: usize, default: u64| {
        arguments
            .get(position)
            .map_or(default, |text| text.parse().expect("a number"))
    };
    let (first, count) = (number(0, 0), number(1, 100));
    let profile = Profile::default();
    match arguments.get(2).map(String::as_str) {
        Some("print") => {
            (first..first + count).for_each(|seed| println!("{}", generate(seed, &profile).source));
            return ExitCode::SUCCESS;
        }
        Some("job") => {
            let jobs = (first..first + count).map(|seed| Job::from(&generate(seed, &profile)));
            jobs.for_each(|job| {
                println!(
                    "{}",
                    serde_json::to_string(&job).expect("a job is plain data")
                )
            });
            return ExitCode::SUCCESS;
        }
        Some(_) | None => {}
    }
    let oracle = match Oracle::pocl() {
        Ok(oracle) => oracle,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let mut disagreements = 0;
    for seed in first..first + count {
        let program = generate(seed, &profile);
        if let Some(why) = disagreement(&oracle, &program) {
            disagreements += 1;
            let kind = Kind::of(&why);
            let small = shrink(program, &mut |smaller| {
                disagreement(&oracle, smaller).is_some_and(|why| Kind::of(&why) == kind)
            });
            println!(
                "seed {seed}: {}\n{}",
                disagreement(&oracle, &small).unwrap_or(why),
                small.source
            );
        }
    }
    println!("{count} seeds from {first}, {disagreements} disagreements");
    if disagreements == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// What sort of disagreement it is, so that shrinking does not turn one into another.
#[derive(PartialEq)]
enum Kind {
    Error,
    Difference,
}

impl Kind {
    fn of(why: &str) -> Kind {
        if why.starts_with("buffer") {
            Kind::Difference
        } else {
            Kind::Error
        }
    }
}

fn disagreement(oracle: &Oracle, program: &Program) -> Option<String> {
    let mut jobs = vec![Job::from(program)];
    let mut plain = Job::from(program);
    plain.options.push_str(" -cl-opt-disable");
    jobs.push(plain);
    if !program.depends_on_group_size() {
        let single = vec![1; program.work_dim as usize];
        jobs.push(Job {
            local: Some(single),
            ..Job::from(program)
        });
    }
    let outcomes: Result<Vec<Outcome>, OracleError> =
        jobs.iter().map(|job| oracle.run(job)).collect();
    let outcomes = match outcomes {
        Ok(outcomes) => outcomes,
        Err(error) => return Some(error.to_string()),
    };
    for (way, outcome) in outcomes.iter().enumerate().skip(1) {
        for (index, (a, b)) in outcomes[0].buffers.iter().zip(&outcome.buffers).enumerate() {
            if let Some(byte) = (0..a.len()).find(|&byte| a[byte] != b[byte]) {
                let element = program.buffers[index].element;
                let size = (element.scalar.bytes() * element.lanes) as usize;
                return Some(format!(
                    "buffer {index} ({element}) differs at element {} in way {way}",
                    byte / size
                ));
            }
        }
    }
    None
}
