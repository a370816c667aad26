//! Several datapaths in the Verilog: they are instances of one module, so that the text hardly grows
//! with their number, all tools read it, and it behaves as the simulator does.

use std::fs;
use std::path::Path;
use std::process::Command;

use sluice_circuit::target::Target;
use sluice_circuit::verilog::{File, emit};
use sluice_driver::{
    Agreement, CircuitExecutors, CompileArgs, Design, TestFile, check_agreement, compile,
};
use sluice_kernel::plan::Plan;

/// The Verilog of one of the kernels that are measured.
fn verilog(kernel: &str, datapaths: u32) -> Vec<File> {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/bench/kernels");
    let args = CompileArgs {
        file: kernels.join(format!("{kernel}.cl")),
        kernel: None,
        clang: Vec::new(),
    };
    let compiled = compile(&args).unwrap_or_else(|failure| panic!("{failure}"));
    let plan = Plan::default().with_datapaths(datapaths);
    let design = Design::of(compiled.program, &Target::ECP5, &plan);
    let design = design.unwrap_or_else(|refusal| panic!("{refusal}"));
    emit(design.lowered.circuit())
}

fn length(files: &[File]) -> usize {
    files.iter().map(|file| file.text.len()).sum()
}

#[test]
fn sixteen_datapaths_have_at_most_half_as_much_text_again_as_one() {
    for kernel in ["vector_add", "matrix_multiply"] {
        let [one, sixteen] = [1, 16].map(|datapaths| length(&verilog(kernel, datapaths)));
        assert!(
            2 * sixteen <= 3 * one,
            "{kernel}: {sixteen} bytes with 16 datapaths, {one} with one"
        );
    }
}

#[test]
fn all_tools_read_arrays_of_datapaths() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("copies");
    fs::create_dir_all(&folder).expect("the folder is made");
    let files = verilog("matrix_multiply", 3);
    let top = &files[0].text;
    assert!(top.contains("matrix_multiply_path path [2:0] (\n"), "{top}");
    for file in &files {
        fs::write(folder.join(&file.name), &file.text).expect("the file is written");
    }
    let top = "matrix_multiply";
    let script = format!("hierarchy -check -top {top}; proc");
    let tools: [(&str, &[&str]); 3] = [
        (
            "verilator",
            &[
                "--lint-only",
                "-Wall",
                "-Wno-DECLFILENAME",
                "--top-module",
                top,
            ],
        ),
        ("iverilog", &["-g2005", "-Wall", "-tnull", "-s", top]),
        ("yosys", &["-q", "-f", "verilog", "-p", &script]),
    ];
    for (tool, arguments) in tools {
        let names = files.iter().map(|file| &file.name);
        let mut command = Command::new(tool);
        command.current_dir(&folder).args(arguments).args(names);
        let output = command.output().unwrap_or_else(|error| {
            panic!("`{tool}` does not run ({error}): install the Debian package `{tool}`")
        });
        let messages = [output.stdout, output.stderr].concat();
        let messages = String::from_utf8_lossy(&messages);
        assert!(
            output.status.success() && messages.is_empty(),
            "{tool}: {messages}"
        );
    }
}

#[test]
fn arrays_of_datapaths_behave_as_the_simulator_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    // Prints leave the circuit by ports of their own; atomics share a cache.
    for file in ["printf_in_loop.cl", "atomics_global.cl"] {
        let file = TestFile::read(&folder.join(file)).unwrap_or_else(|failure| panic!("{failure}"));
        for case in &file.cases {
            let program = case.program().unwrap_or_else(|failure| panic!("{failure}"));
            let bind = || case.bind(&program);
            let plan = Plan::default().with_datapaths(3);
            let executors = CircuitExecutors::SimulatorAndRtl(&cache);
            let found = check_agreement(&program, &bind, plan, executors)
                .unwrap_or_else(|failure| panic!("{failure}"));
            assert!(
                matches!(found, Agreement::Agreed { .. }),
                "{}: {found:?}",
                case.line
            );
        }
    }
}
