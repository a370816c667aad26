//! Host programs: compiled, and run on one implementation or the other.
#![allow(dead_code, reason = "each test file uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The checkout.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the crate is in a checkout")
}

/// The runtime: `cargo test` puts it beside the tests.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its path");
    let folder = test.parent().expect("target/PROFILE/deps");
    let library = folder.join("libsluice_opencl.so");
    assert!(library.exists(), "{} is not built", library.display());
    library
}

/// Who runs the kernels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vendor {
    /// PoCL, as Debian installs it.
    Pocl,
    /// Sluice.
    Sluice,
}

/// What a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ended {
    /// The exit code; none for a signal.
    pub code: Option<i32>,
    /// What it wrote.
    pub stdout: String,
}

/// A folder of a program's own, with the file that names the runtime to the ICD loader. It is written once:
/// tests of one program run at the same time, and the loader must not find half of it.
fn new_folder() -> TempDir {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder can be made");
    let icd = format!("{}\n", library().display());
    std::fs::write(folder.path().join("sluice.icd"), icd).expect("the folder can be written");
    folder
}

/// A compiled program with a folder of its own.
pub struct Program {
    folder: TempDir,
    binary: PathBuf,
}

impl Program {
    /// Compiles a C or C++ program; warnings are errors.
    pub fn compile(source: &Path) -> Program {
        let folder = new_folder();
        let binary = folder.path().join("program");
        let (compiler, standard) = match source.extension() {
            Some(extension) if extension == "cpp" => ("c++", "-std=c++11"),
            _ => ("cc", "-std=c11"),
        };
        let output = Command::new(compiler)
            .args([standard, "-Wall", "-Wextra", "-Werror", "-O1"])
            .arg("-DCL_TARGET_OPENCL_VERSION=120")
            .arg(source)
            .arg("-o")
            .arg(&binary)
            .args(["-lOpenCL", "-lm"])
            .output()
            .expect("a C compiler is installed");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {messages}", source.display());
        Program { folder, binary }
    }

    /// A program that is installed, or a script.
    pub fn installed(binary: &str) -> Program {
        Program {
            folder: new_folder(),
            binary: binary.into(),
        }
    }

    /// Runs it; what it writes to standard error is shown if it fails.
    pub fn run(&self, vendor: Vendor, arguments: &[&str]) -> Ended {
        let output = self.command(vendor).args(arguments).output();
        let output = output.expect("the program can be run");
        let errors = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            eprintln!("{} on {vendor:?}: {errors}", self.binary.display());
        }
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        }
    }

    /// Runs it on Sluice with variables in its environment.
    pub fn run_with(&self, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = self.command(Vendor::Sluice);
        command.envs(environment.iter().copied()).args(arguments);
        command.output().expect("the program can be run")
    }

    /// The command that runs it.
    pub fn command(&self, vendor: Vendor) -> Command {
        let mut command = Command::new(&self.binary);
        let folder = self.folder.path();
        match vendor {
            Vendor::Pocl => {
                command
                    .env("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
                    .env("OPENCL_PLATFORM", "Portable")
                    .env("POCL_CACHE_DIR", folder.join("pocl"));
            }
            Vendor::Sluice => {
                command
                    .env("OCL_ICD_VENDORS", folder)
                    .env("OPENCL_PLATFORM", "Sluice")
                    .env("SLUICE_CACHE_DIR", folder.join("cache"));
            }
        }
        command
    }
}
