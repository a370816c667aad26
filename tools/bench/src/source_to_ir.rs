//! The time from source to optimised IR, clang included, over the kernels of `tests/run`.

use std::error::Error;
use std::path::Path;

use sluice_driver::{TestFile, compile};

/// The goal for the median.
const GOAL: f64 = 0.4;

pub fn measure() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let mut times = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "cl") {
            continue;
        }
        let file = TestFile::read(&path)?;
        let case = file.cases.first().ok_or("a test file has launches")?;
        let seconds = compile(&case.compile)?.elapsed.as_secs_f64();
        times.push((
            seconds,
            path.file_stem().unwrap_or_default().display().to_string(),
        ));
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!(
        "From source to optimised IR, {} kernels (goal: median under {GOAL} s)\n",
        times.len()
    );
    for (what, index) in [
        ("fastest", 0),
        ("median", times.len() / 2),
        ("90 %", times.len() * 9 / 10),
        ("slowest", times.len() - 1),
    ] {
        let (seconds, name) = &times[index];
        println!("{what:<8} {seconds:.3} s  {name}");
    }
    Ok(())
}
