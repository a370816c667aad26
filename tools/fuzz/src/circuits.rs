//! Compares a program's circuit with the interpreter.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::target::Target;
use sluice_circuit::text::{parse, print};
use sluice_circuit::verify::verify;
use sluice_circuit::verilog::emit;
use sluice_driver::{Agreement, Design, check_agreement};
use sluice_generator::Program;
use sluice_kernel::plan::Plan;
use sluice_kernel::{Optimised, Program as Kernels};

use crate::plans::random_plan;
use crate::{Choice, Circuits, Finding, Outcome, bind};

/// Compares the circuit of an optimised kernel with the interpreter, on memories of several kinds.
pub(crate) fn check(
    kernel: &Optimised,
    program: &Program,
    circuits: Circuits<'_>,
) -> Result<Outcome, Finding> {
    // A panic is a finding like others: the next seeds and smaller programs are still tried. No state
    // of the panicking call is used afterwards.
    let found = catch_unwind(AssertUnwindSafe(|| compare(kernel, program, circuits)));
    found.unwrap_or_else(|panic| Err(Finding::Panic(message(&*panic))))
}

fn compare(
    kernel: &Optimised,
    program: &Program,
    Circuits { choice, executors }: Circuits<'_>,
) -> Result<Outcome, Finding> {
    let session = bind(kernel, program);
    let kernels = Kernels::of(kernel.clone());
    let plan = match choice {
        Choice::Datapaths(datapaths) => Plan::default().with_datapaths(datapaths),
        Choice::RandomPlan(seed) => random_plan(kernel, seed).map_err(Finding::Plan)?,
    };
    let fitted = plan.clone().fit(session.launch(), &session.memory);
    match Design::of(kernels.clone(), &Target::ECP5, &fitted) {
        Ok(design) => check_form(design.lowered.circuit()).map_err(Finding::Form)?,
        Err(refusal) => return Ok(Outcome::NoCircuit(refusal.what.into_owned())),
    }
    let bind = || Ok(bind(kernel, program));
    match check_agreement(&kernels, &bind, plan, executors) {
        Ok(Agreement::Agreed { .. }) => Ok(Outcome::Agreed),
        Ok(Agreement::Refused(refusal)) => Ok(Outcome::NoCircuit(refusal.what.into_owned())),
        Ok(Agreement::Disagreed(what)) => {
            let what: Vec<String> = what.iter().map(ToString::to_string).collect();
            Err(Finding::Circuit(what.join("; ")))
        }
        Err(failure) => Err(Finding::Circuit(failure.to_string())),
    }
}

/// Checks the circuit's invariants, and that printing and parsing it keeps text and Verilog identical.
fn check_form(circuit: &Circuit) -> Result<(), String> {
    verify(circuit).map_err(|problems| problems[0].to_string())?;
    let text = print(circuit);
    let again = parse(&text).map_err(|error| error.to_string())?;
    if print(&again) != text {
        return Err("printing and parsing changes its text".into());
    }
    match emit(&again) == emit(circuit) {
        true => Ok(()),
        false => Err("printing and parsing changes its Verilog".into()),
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".into())
}
