//! The units of real kernels.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use sluice_circuit::target::Target;
use sluice_circuit::unit::UnitKind;
use sluice_driver::{CompileArgs, Design, compile};
use sluice_kernel::Program;
use sluice_kernel::plan::Plan;

/// A unit of a kernel.
pub struct Sample {
    /// The kernel and the unit's name in its circuit.
    pub name: String,
    /// The unit.
    pub kind: Box<dyn UnitKind>,
}

/// The kernel files of a folder of this project, in order.
pub fn files(folder: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "cl") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The designs of a file's kernels, each by itself; kernels that have no circuit are left out.
pub fn designs(file: &Path, target: &Target, plan: &Plan) -> Vec<Design> {
    let args = CompileArgs {
        file: file.to_owned(),
        kernel: None,
        clang: Vec::new(),
    };
    // Some files of the tests are compiled with options of their own.
    let Ok(compiled) = compile(&args) else {
        return Vec::new();
    };
    let kernels = compiled.program.kernels().iter();
    let programs = kernels.map(|kernel| Program::of(kernel.clone()));
    programs
        .filter_map(|program| Design::of(program, target, plan).ok())
        .collect()
}

/// By kind, the distinct units of all kernels of files.
pub fn units(
    files: &[PathBuf],
    target: &Target,
    plan: &Plan,
) -> BTreeMap<String, BTreeMap<String, Sample>> {
    let mut kinds: BTreeMap<String, BTreeMap<String, Sample>> = BTreeMap::new();
    for design in files.iter().flat_map(|file| designs(file, target, plan)) {
        let shell = design.into_shell();
        let circuit = shell.circuit;
        let kernel = circuit.name.clone();
        for data in circuit.into_units() {
            let samples = kinds.entry(data.kind.word().to_string()).or_default();
            let parameters = format!("{:?}", data.kind);
            samples.entry(parameters).or_insert_with(|| Sample {
                name: format!("{kernel}: {}", data.name),
                kind: data.kind,
            });
        }
    }
    kinds
}
