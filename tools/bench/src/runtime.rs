//! The OpenCL runtime: what a launch costs beside the simulation itself, and how long programs wait for
//! their build.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

use sluice_driver::ExecReport;

/// Microseconds that a launch of an empty kernel may cost beside the simulation.
const GOAL: f64 = 100.0;

const PROGRAMS: [&str; 4] = [
    "examples/saxpy.cl",
    "tests/run/spmv_formats.cl",
    "tests/run/nbody_tiles.cl",
    "tests/run/sha256_block.cl",
];

pub fn measure() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let sources = sources()?;
    let host = compile(folder.path())?;
    let library = library()?;
    std::fs::write(
        folder.path().join("sluice.icd"),
        library.display().to_string(),
    )?;
    let report = folder.path().join("report.json");
    let output = Command::new(host)
        .args(&sources)
        .env("OCL_ICD_VENDORS", folder.path())
        .env("SLUICE_CACHE_DIR", folder.path().join("cache"))
        .env("SLUICE_REPORT", &report)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text.lines().map(str::parse).collect::<Result<_, _>>()?;
    let (launch, builds) = figures.split_last().ok_or("the program prints figures")?;
    println!("clBuildProgram, circuits included\n");
    println!("{:<14} {:>10} {:>10}", "program", "new", "again");
    for (path, times) in sources.iter().zip(builds.chunks_exact(2)) {
        let name = path.file_stem().unwrap_or_default().display();
        let [new, again] = [times[0], times[1]].map(|time| format!("{:.1} ms", time / 1e3));
        println!("{name:<14} {new:>10} {again:>10}");
    }
    let report: ExecReport = serde_json::from_str(&std::fs::read_to_string(report)?)?;
    let nothing = report.kernels.iter().find(|it| it.kernel == "nothing");
    let nothing = nothing.ok_or("the report has the kernel")?;
    let simulation = 1e6 * nothing.host_seconds / nothing.launches as f64;
    println!(
        "\nA launch of an empty kernel, enqueued and waited for: {launch:.1} us, {simulation:.1} us of \
         them the simulation;\nbeside it {:.1} us (goal: under {GOAL})",
        launch - simulation
    );
    Ok(())
}

fn sources() -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let paths = PROGRAMS.map(|name| folder.join(name));
    match paths.iter().find(|path| !path.exists()) {
        Some(path) => Err(format!("{} is not there", path.display()).into()),
        None => Ok(paths.to_vec()),
    }
}

fn compile(folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let source = folder.join("overhead.c");
    std::fs::write(&source, include_str!("runtime/overhead.c"))?;
    let binary = folder.join("overhead");
    let status = Command::new("cc")
        .args(["-O2", "-DCL_TARGET_OPENCL_VERSION=120"])
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .arg("-lOpenCL")
        .status()?;
    match status.success() {
        true => Ok(binary),
        false => Err("the host program does not compile".into()),
    }
}

/// The runtime, built as this program is.
fn library() -> Result<PathBuf, Box<dyn Error>> {
    let status = Command::new("cargo")
        .args(["build", "--quiet", "--release", "-p", "sluice-opencl"])
        .status()?;
    if !status.success() {
        return Err("the runtime does not build".into());
    }
    let folder = std::env::current_exe()?;
    let folder = folder.parent().ok_or("a program is in a folder")?;
    Ok(folder.join("libsluice_opencl.so"))
}
