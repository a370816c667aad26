//! Whole host programs, compiled against the system's headers and loader: on Sluice they print what they
//! print on PoCL, also with several work-items in a token.

mod programs;

use std::path::PathBuf;

use programs::{Ended, Program, Vendor};

/// One test for each program of `tests/programs`.
macro_rules! agree_with_pocl {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                agrees_with_pocl(stringify!($name));
            }
        )*

        #[test]
        fn every_program_is_tested() {
            let files = programs::folder().join("tests/programs");
            let mut found: Vec<String> = std::fs::read_dir(files)
                .expect("the folder is there")
                .map(|entry| entry.expect("it can be listed").path())
                .filter(|path| path.extension().is_some_and(|it| it == "c" || it == "cpp"))
                .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
                .collect();
            found.sort();
            assert_eq!(found, [$(stringify!($name)),*]);
        }
    };
}

agree_with_pocl! {
    back_propagation
    bitonic_sort
    breadth_first_search
    collatz_print
    conjugate_gradient
    correlation
    edge_filter
    fft
    floyd_warshall
    gaussian_elimination
    histogram
    hotspot
    jacobi_2d
    k_means
    lu_decomposition
    matrix_chain
    monte_carlo_threads
    motion_search
    needleman_wunsch
    pathfinder
    prefix_scan
    stencil_3d
}

fn source(name: &str) -> PathBuf {
    let folder = programs::folder().join("tests/programs");
    let c = folder.join(name).with_extension("c");
    match c.exists() {
        true => c,
        false => c.with_extension("cpp"),
    }
}

fn agrees_with_pocl(name: &str) {
    let program = Program::compile(&source(name));
    let expected = program.run(Vendor::Pocl, &[]);
    for (device, lanes) in [("sim", "1"), ("sim", "4"), ("interp", "1")] {
        let settings = [("SLUICE_DEVICE", device), ("SLUICE_LANES", lanes)];
        let output = program.run_with(&settings, &[]);
        let found = Ended {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            found, expected,
            "{name} on Sluice's {device} with {lanes} lanes, and on PoCL: {errors}"
        );
        assert!(found.stdout.ends_with("ok\n"), "{name}: {}", found.stdout);
    }
}
