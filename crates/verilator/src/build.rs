//! Builds a design into a shared library in the cache.
//!
//! The library's directory is named by a hash of the design, the shim and the tools' versions. It
//! is made under a temporary name and renamed when complete, so that concurrent builds of the same
//! design both succeed and an interrupted one leaves nothing that looks finished. Another process
//! may delete it at any time to make room; then it is built again. A checksum is stored beside each
//! library: if it does not match, loading the damaged library could crash the process, so it is
//! built again, too.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::{fs, io};

use sluice_cache::Store;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_128;

use crate::shim::shim;
use crate::{Design, Effort, Trace};

/// Why a design could not be built.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A tool is not installed.
    #[error("`{tool}` was not found: install the Debian package `{package}`")]
    MissingTool {
        /// The program.
        tool: &'static str,
        /// The package that contains it.
        package: &'static str,
    },
    /// A tool reported errors.
    #[error("`{tool}` failed on the design `{design}`:\n{messages}")]
    ToolFailed {
        /// The program.
        tool: &'static str,
        /// The top module.
        design: String,
        /// What it wrote.
        messages: String,
    },
    /// The cache could not be read or written.
    #[error("cannot use the build cache at {path}: {source}")]
    Cache {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The finished library could not be loaded.
    #[error("cannot load {path}: {source}")]
    Load {
        /// The library.
        path: PathBuf,
        /// The reason.
        source: libloading::Error,
    },
}

impl BuildError {
    /// Whether the reason may be that a part of the cache was deleted while it was needed.
    pub(crate) fn may_be_gone(&self) -> bool {
        match self {
            BuildError::Load { path, .. } => !path.exists(),
            BuildError::Cache { source, .. } => source.kind() == io::ErrorKind::NotFound,
            // Linking is where the runtime's object is needed.
            BuildError::ToolFailed { tool, .. } => *tool == COMPILER.name,
            BuildError::MissingTool { .. } => false,
        }
    }
}

struct Tool {
    name: &'static str,
    package: &'static str,
}

const VERILATOR: Tool = Tool {
    name: "verilator",
    package: "verilator",
};
const COMPILER: Tool = Tool {
    name: "g++",
    package: "g++",
};

/// Compiles in 0.4 of the time that g++ takes, where nothing is optimised.
const QUICK_COMPILER: Tool = Tool {
    name: "clang++-19",
    package: "clang-19",
};

/// The optimisation of the code that runs in each cycle: -O2 runs no faster and compiles for twice
/// as long.
const FAST: &str = "-O1";
/// The optimisation of code that runs once.
const SLOW: &str = "-O0";

/// How the code that runs in each cycle is compiled.
fn compiler(effort: Effort) -> (&'static Tool, &'static str) {
    match effort {
        Effort::QuickBuild => (&QUICK_COMPILER, SLOW),
        Effort::FastRun => (&COMPILER, FAST),
    }
}

/// The path of the design's shared library, built if it is not in the cache.
pub fn shared_library(design: &Design, cache_dir: &Path) -> Result<PathBuf, BuildError> {
    let tools = Toolchain::find()?;
    let shim = shim(design);
    let key = key(design, &shim, &tools.version);
    cached(
        cache_dir,
        &format!("{}-{key:032x}", design.top),
        "model.so",
        |dir| {
            let runtime = tools.runtime(design.trace, cache_dir)?;
            tools.verilate(design, dir)?;
            tools.compile(design, &shim, dir, &runtime)
        },
    )
}

/// The default size limit of the cache.
const MEBIBYTES: u64 = 2048;

/// The file of that name in a directory of the cache, made by `make` if it is not there or damaged.
fn cached(
    cache_dir: &Path,
    entry: &str,
    file: &str,
    make: impl FnOnce(&Path) -> Result<(), BuildError>,
) -> Result<PathBuf, BuildError> {
    let store = Store {
        folder: cache_dir.to_owned(),
        limit: sluice_cache::limit(MEBIBYTES),
    };
    let finished = cache_dir.join(entry);
    let done = finished.join(file);
    if is_intact(&done) {
        sluice_cache::mark_as_used(&finished);
        return Ok(done);
    }
    store.discard(entry);
    let unfinished = store.unfinished();
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source| BuildError::Cache { path, source }
    };
    fs::create_dir_all(&unfinished).map_err(at(&unfinished))?;
    if let Err(error) = make(&unfinished) {
        fs::remove_dir_all(&unfinished).map_err(at(&unfinished))?;
        return Err(error);
    }
    keep_only(&unfinished, file).map_err(at(&unfinished))?;
    let made = unfinished.join(file);
    let bytes = fs::read(&made).map_err(at(&made))?;
    write(&checksum_file(&made), &checksum(&bytes))?;
    // Losing the race against another build of the same entry is as good as winning it.
    if let Err(source) = fs::rename(&unfinished, &finished) {
        if !done.exists() {
            return Err(BuildError::Cache { path: done, source });
        }
        fs::remove_dir_all(&unfinished).map_err(at(&unfinished))?;
    }
    store.trim(entry);
    Ok(done)
}

/// Whether a file is there and as it was made.
fn is_intact(file: &Path) -> bool {
    let expected = fs::read_to_string(checksum_file(file));
    match (fs::read(file), expected) {
        (Ok(bytes), Ok(expected)) => checksum(&bytes) == expected,
        (Err(_), _) | (_, Err(_)) => false,
    }
}

/// Where the checksum of a file is.
fn checksum_file(file: &Path) -> PathBuf {
    file.with_extension("checksum")
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:032x} {}\n", xxh3_128(bytes), bytes.len())
}

/// Deletes everything else in a directory: intermediate files of the build.
fn keep_only(dir: &Path, file: &str) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_name() == file {
            continue;
        }
        match entry.file_type()?.is_dir() {
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// FNV-1a over everything that decides the library's contents.
fn key(design: &Design, shim: &str, version: &str) -> u128 {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut feed = |text: &str| {
        for byte in text.bytes().chain([0xff]) {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
        }
    };
    feed(version);
    feed(shim);
    feed(design.top);
    feed(compiler(design.effort).1);
    for (name, text) in design.sources {
        feed(name);
        feed(text);
    }
    for (name, value) in design.parameters {
        feed(name);
        feed(&value.to_string());
    }
    hash
}

struct Toolchain {
    version: String,
    include: PathBuf,
}

impl Toolchain {
    fn find() -> Result<&'static Self, BuildError> {
        static TOOLCHAIN: OnceLock<Toolchain> = OnceLock::new();
        if let Some(found) = TOOLCHAIN.get() {
            return Ok(found);
        }
        let ask = |tool: &Tool, question: &[&str]| {
            let output = run(tool, "version", Command::new(tool.name).args(question))?;
            Ok::<_, BuildError>(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        };
        let verilator = ask(&VERILATOR, &["--version"])?;
        let root = ask(&VERILATOR, &["--getenv", "VERILATOR_ROOT"])?;
        let compiler = ask(&COMPILER, &["-dumpfullversion"])?;
        Ok(TOOLCHAIN.get_or_init(|| Self {
            version: format!("{verilator} g++ {compiler}"),
            include: Path::new(&root).join("include"),
        }))
    }

    /// Verilator's own C++, compiled once for all designs.
    fn runtime(&self, trace: Trace, cache_dir: &Path) -> Result<PathBuf, BuildError> {
        let (name, files): (_, &[&str]) = match trace {
            Trace::Off => ("runtime", &["verilated.cpp", "verilated_threads.cpp"]),
            Trace::Vcd => (
                "runtime-vcd",
                &[
                    "verilated.cpp",
                    "verilated_threads.cpp",
                    "verilated_vcd_c.cpp",
                ],
            ),
        };
        let digest = self.version.bytes().fold(0u32, |sum, byte| {
            sum.wrapping_mul(31).wrapping_add(byte.into())
        });
        cached(
            cache_dir,
            &format!("{name}-{digest:08x}"),
            "runtime.o",
            |dir| {
                let lines = files.iter().map(|file| format!("#include \"{file}\"\n"));
                write(&dir.join("runtime.cpp"), &lines.collect::<String>())?;
                self.object("verilator runtime", dir, "runtime", &COMPILER, FAST)
            },
        )
    }

    fn verilate(&self, design: &Design, dir: &Path) -> Result<(), BuildError> {
        let mut command = Command::new(VERILATOR.name);
        command.current_dir(dir);
        command.args([
            "--cc",
            "--prefix",
            "Vmodel",
            "--Mdir",
            "obj",
            "--top-module",
            design.top,
        ]);
        command.args([
            "--x-assign",
            "fast",
            "--x-initial",
            "fast",
            "--noassert",
            "-O3",
        ]);
        command.args(["-Wno-fatal", "-Wno-lint", "-Wno-style"]);
        match design.effort {
            // Operations on wide signals stay calls: half the code, a third of the memory.
            Effort::QuickBuild => {
                command.arg("-fno-expand");
            }
            Effort::FastRun => {}
        }
        match design.trace {
            Trace::Off => {}
            Trace::Vcd => {
                // Without the second, signals whose names begin with an underscore are left out.
                command.args(["--trace", "--trace-underscore"]);
            }
        }
        for (name, value) in design.parameters {
            command.arg(format!("-G{name}={value}"));
        }
        for (name, text) in design.sources {
            write(&dir.join(name), text)?;
            command.arg(name);
        }
        run(&VERILATOR, design.top, &mut command).map(drop)
    }

    fn compile(
        &self,
        design: &Design,
        shim: &str,
        dir: &Path,
        runtime: &Path,
    ) -> Result<(), BuildError> {
        write(&dir.join("shim.cpp"), shim)?;
        let (slow, mut fast) = generated_files(&dir.join("obj"))?;
        fast.push_str("#include \"shim.cpp\"\n");
        write(&dir.join("fast.cpp"), &fast)?;
        write(&dir.join("slow.cpp"), &slow)?;
        let (compiler, fast) = compiler(design.effort);
        self.object(design.top, dir, "fast", compiler, fast)?;
        self.object(design.top, dir, "slow", compiler, SLOW)?;
        let mut link = Command::new(COMPILER.name);
        link.current_dir(dir)
            .args(["-shared", "-o", "model.so", "fast.o", "slow.o"]);
        link.arg(
            fs::canonicalize(runtime).map_err(|source| BuildError::Cache {
                path: runtime.to_owned(),
                source,
            })?,
        );
        run(&COMPILER, design.top, link.arg("-lpthread")).map(drop)
    }

    fn object(
        &self,
        design: &str,
        dir: &Path,
        stem: &str,
        compiler: &Tool,
        optimise: &str,
    ) -> Result<(), BuildError> {
        let mut command = Command::new(compiler.name);
        command.current_dir(dir);
        command.args([
            "-std=c++17",
            "-fPIC",
            "-w",
            "-fvisibility=default",
            optimise,
        ]);
        command.args(["-I.", "-Iobj"]);
        for folder in [self.include.clone(), self.include.join("vltstd")] {
            command.arg("-I").arg(folder);
        }
        for macro_ in [
            "VM_COVERAGE=0",
            "VM_SC=0",
            "VM_TRACE_FST=0",
            "VM_TRACE_VCD=1",
        ] {
            command.arg(format!("-D{macro_}"));
        }
        command.args(["-c", &format!("{stem}.cpp"), "-o", &format!("{stem}.o")]);
        run(compiler, design, &mut command).map(drop)
    }
}

/// `#include` lines for the generated files: those that run once, and those that run every cycle.
fn generated_files(dir: &Path) -> Result<(String, String), BuildError> {
    let at = |source| BuildError::Cache {
        path: dir.to_owned(),
        source,
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(at)? {
        names.push(
            entry
                .map_err(at)?
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    names.retain(|name| name.ends_with(".cpp"));
    names.sort();
    let runs_once = |name: &String| name.contains("__Slow") || name.contains("__Syms");
    let (slow, fast): (Vec<_>, Vec<_>) = names.into_iter().partition(runs_once);
    let include = |names: Vec<String>| {
        let lines = names
            .iter()
            .map(|name| format!("#include \"obj/{name}\"\n"));
        lines.collect()
    };
    Ok((include(slow), include(fast)))
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    fs::write(path, text).map_err(|source| BuildError::Cache {
        path: path.to_owned(),
        source,
    })
}

fn run(tool: &Tool, design: &str, command: &mut Command) -> Result<Output, BuildError> {
    let output = command.output().map_err(|_| BuildError::MissingTool {
        tool: tool.name,
        package: tool.package,
    })?;
    if output.status.success() {
        return Ok(output);
    }
    Err(BuildError::ToolFailed {
        tool: tool.name,
        design: design.to_owned(),
        messages: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}
