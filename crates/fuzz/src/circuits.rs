//! What a program's circuit says.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sluice_driver::{Agreement, Opinions, check_prepared};
use sluice_generator::Program;
use sluice_kernel::Kernel;

use crate::{Finding, Verdict, prepare};

/// Compares the circuit of an optimised kernel with the interpreter, on memories of several kinds.
pub(crate) fn judge(
    kernel: &Kernel,
    program: &Program,
    opinions: Opinions<'_>,
) -> Result<Verdict, Finding> {
    // A panic is a finding like others: the next seeds and smaller programs are still tried. Nothing
    // that was under way is used afterwards.
    let found = catch_unwind(AssertUnwindSafe(|| {
        check_prepared(kernel, &|| Ok(prepare(kernel, program)), opinions)
    }));
    let found = found.map_err(|panic| Finding::Panic(message(&*panic)))?;
    match found {
        Ok(Agreement::Agreed { .. }) => Ok(Verdict::Agreed),
        Ok(Agreement::Refused(refusal)) => Ok(Verdict::NoCircuit(refusal.what)),
        Ok(Agreement::Disagreed(what)) => {
            let what: Vec<String> = what.iter().map(ToString::to_string).collect();
            Err(Finding::Circuit(what.join("; ")))
        }
        Err(failure) => Err(Finding::Circuit(failure.to_string())),
    }
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".into())
}
