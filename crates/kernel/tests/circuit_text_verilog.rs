//! Circuits of kernels come back from their text with all that their Verilog says: groups, lines,
//! and names of the source.

use std::fs;
use std::path::{Path, PathBuf};

use sluice_circuit::circuit::Circuit;
use sluice_circuit::target::Target;
use sluice_circuit::text;
use sluice_circuit::verify::verify;
use sluice_circuit::verilog::emit;
use sluice_kernel::lower::lower;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Optimised, Program};

/// Circuits by the name of the kernel's file, ascending.
fn circuits() -> Vec<(String, Circuit)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verilog");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    let circuit = |path: PathBuf| {
        let name = path.file_stem().expect("a file").display().to_string();
        let text = fs::read_to_string(&path).expect("the file can be read");
        let kernel = Optimised::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let lowered = prepare(&Program::of(kernel), &Plan::default(), &Target::ECP5)
            .and_then(|it| lower(&it));
        let lowered = lowered.unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        (name, lowered.into_circuit())
    };
    paths.into_iter().map(circuit).collect()
}

#[test]
fn verilog_of_kernels_comes_back_from_the_text_of_their_circuits() {
    let circuits = circuits();
    assert!(!circuits.is_empty());
    for (name, circuit) in circuits {
        assert_eq!(verify(&circuit), Ok(()), "{name}");
        let text = text::print(&circuit);
        let again = text::parse(&text).unwrap_or_else(|error| panic!("{name}: {error} in\n{text}"));
        assert_eq!(text::print(&again), text, "{name}");
        assert!(
            emit(&again) == emit(&circuit),
            "{name}: other Verilog of\n{text}"
        );
        for kept in [
            "\nsource ",
            "\ngroup line",
            " in line",
            "\n  about ",
            "\n  source ",
        ] {
            assert!(text.contains(kept), "{name}: no `{kept}` in\n{text}");
        }
    }
}
