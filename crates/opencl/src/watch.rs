//! Launches that the interpreter runs beside the device, on copies of their memory: for the checks that
//! only it has, and to compare results.

use std::collections::BTreeSet;
use std::sync::Mutex;

use sluice_driver::{
    Execution, ExecutionError, ExecutionOptions, Executor, Session, first_difference,
};
use sluice_kernel::Program;
use sluice_kernel::interp::{self, Checks, Fault, Findings};

use crate::settings::Settings;

/// Places of a launch that are reported at most.
const MOST_FINDINGS: usize = 100;

/// What a kernel has been found doing.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Kinds and places of what was said: it is not said again.
    said: Mutex<BTreeSet<String>>,
}

/// What a launch is to leave, if it is compared.
#[derive(Debug)]
pub(crate) struct Before {
    expected: Option<Result<Session, String>>,
    faults: Vec<Fault>,
}

/// What became of it.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    pub(crate) messages: Vec<String>,
    pub(crate) counts: Counts,
}

/// How often something was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// What the checks report, each place once per launch.
    pub(crate) findings: u64,
    /// Launches whose results are not the interpreter's.
    pub(crate) disagreements: u64,
}

impl Watch {
    /// Runs a launch on the interpreter, as far as that is asked for; its memory stays as it is.
    pub(crate) fn before(
        &self,
        program: &Program,
        session: &Session,
        settings: &Settings,
    ) -> Before {
        let faults = match settings.checks == Checks::NONE {
            true => Vec::new(),
            false => faults(program, &copy(session), settings),
        };
        let expected = settings.compare.then(|| {
            let copy = copy(session);
            let run = run(program, &copy, options(settings, Checks::NONE));
            run.map(|_| copy).map_err(|error| error.to_string())
        });
        Before { expected, faults }
    }

    /// Compares what the device has left, and says what is new.
    pub(crate) fn after(
        &self,
        program: &Program,
        session: &Session,
        settings: &Settings,
        before: Before,
    ) -> Watched {
        let mut watched = Watched::default();
        let mut said = self.said.lock().unwrap_or_else(|it| it.into_inner());
        for fault in before.faults {
            watched.counts.findings += 1;
            if said.insert(place(&fault)) {
                let message = format!("kernel `{}`: {fault}", program.name());
                watched.messages.push(message);
            }
        }
        let difference = before.expected.and_then(|expected| match expected {
            Ok(expected) => first_difference(program, &expected, session),
            Err(fault) => Some(format!("it stops: {fault}")),
        });
        if let Some(difference) = difference {
            watched.counts.disagreements += 1;
            watched.messages.push(format!(
                "kernel `{}`: {} differs from the interpreter: {difference}",
                program.name(),
                settings.executor.name()
            ));
        }
        watched
    }
}

/// The kind of a fault and where it is: what makes two of them the same.
fn place(fault: &Fault) -> String {
    match fault.place() {
        Some(place) => format!("{:?} {place}", std::mem::discriminant(fault)),
        None => fault.to_string(),
    }
}

fn copy(session: &Session) -> Session {
    Session {
        launches: session.launches.clone(),
        memory: session.memory.duplicate(),
        variables: session.variables,
    }
}

/// What the checks report of a launch.
fn faults(program: &Program, session: &Session, settings: &Settings) -> Vec<Fault> {
    let findings = Findings::new(MOST_FINDINGS);
    let options = interp::Options {
        findings: Some(&findings),
        ..options(settings, settings.checks)
    };
    let ended = match run(program, session, options) {
        Err(ExecutionError::Fault(fault)) => Some(*fault),
        Err(_) | Ok(_) => None,
    };
    let found = findings.list().into_iter().map(|finding| finding.fault);
    found.chain(ended).collect()
}

fn run(
    program: &Program,
    session: &Session,
    interpreter: interp::Options<'_>,
) -> Result<Execution, ExecutionError> {
    let options = ExecutionOptions {
        interpreter,
        ..ExecutionOptions::default()
    };
    Executor::Interpreter(program).run(session, &options)
}

fn options(settings: &Settings, checks: Checks) -> interp::Options<'static> {
    interp::Options {
        checks,
        threads: settings.threads,
        // The device prints it.
        print: Some(&|_| {}),
        ..interp::Options::default()
    }
}
