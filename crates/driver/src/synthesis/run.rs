//! The tools, one after the other: Yosys, and for chips that it knows nextpnr and ecppack.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

use sluice_cache::Store;
use sluice_synth::job::JobError;
use sluice_synth::netlist::Netlist;
use sluice_synth::nextpnr::{self, Placed, Wish};
use sluice_synth::phase::{phase, title};
use sluice_synth::tools::Tool;
use sluice_synth::{Design, ecppack, scan, yosys};

use super::cache::{self, Record, WorkFolder};
use super::lock::Lock;
use crate::board::Board;
use crate::files::write_file;
use crate::fit;
use crate::output::warn;
use crate::progress::Progress;

/// What is to be synthesised.
pub(crate) struct Request<'a> {
    /// The design's name.
    pub(crate) name: &'a str,
    /// The design.
    pub(crate) design: &'a Design,
    /// Its target.
    pub(crate) board: &'a Board,
    /// nextpnr's seed, if it is not its own.
    pub(crate) seed: Option<u32>,
    /// Where logs are written to if a tool fails.
    pub(crate) logs: Option<&'a Path>,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Synthesised {
    /// The cells.
    pub(crate) netlist: Netlist,
    /// Clock and critical path, if it was placed and routed.
    pub(crate) placed: Option<Placed>,
    /// How it was obtained.
    pub(crate) record: Record,
    /// Whether it comes from the build cache.
    pub(crate) is_cached: bool,
    /// The files.
    pub(crate) folder: PathBuf,
    /// Keeps the files, if they are in no cache.
    _work: Option<WorkFolder>,
}

/// Runs the tools on a design, or takes what came of an earlier run from the build cache.
pub(crate) fn synthesise(
    request: &Request<'_>,
    progress: &Progress,
) -> Result<Synthesised, JobError> {
    let tools = request.tools();
    for tool in &tools {
        tool.find()?;
    }
    let scratch = work_folder(None)?;
    let mut versions = BTreeMap::new();
    for tool in tools {
        versions.insert(tool.name().to_owned(), tool.version(&scratch.0)?);
    }
    drop(scratch);
    let Some(store) = cache::store() else {
        let work = work_folder(None)?;
        let record = request.run(&work.0, versions, progress)?;
        return load(work.0.clone(), record, Some(work));
    };
    let entry = request.entry_name(&versions);
    let folder = store.folder.join(&entry);
    let waiting = || {
        warn(format_args!(
            "{}: another process synthesises the same design; waiting for its result\n",
            request.name
        ));
    };
    let _lock = Lock::take(&cache::lock_path(&store, &entry), waiting)?;
    if let Some(record) = cache::read(&folder) {
        sluice_cache::mark_as_used(&folder);
        let loaded = load(folder, record, None)?;
        return Ok(Synthesised {
            is_cached: true,
            ..loaded
        });
    }
    store.discard(&entry);
    let work = work_folder(Some(&store))?;
    let record = request.run(&work.0, versions, progress)?;
    match fs::rename(&work.0, &folder) {
        Ok(()) => {
            store.trim(&entry);
            load(folder, record, None)
        }
        // As good, but for the next run.
        Err(_) => load(work.0.clone(), record, Some(work)),
    }
}

/// An empty folder, in the cache if there is one.
fn work_folder(store: Option<&Store>) -> Result<WorkFolder, JobError> {
    let made = match store {
        Some(store) => {
            let path = store.unfinished();
            fs::create_dir(&path).map(|()| WorkFolder(path))
        }
        None => {
            let made = tempfile::Builder::new().prefix("sluice-synth-").tempdir();
            made.map(|folder| WorkFolder(folder.keep()))
        }
    };
    made.map_err(|error| system("a folder for temporary files", error))
}

fn system(name: &'static str, error: io::Error) -> JobError {
    JobError::System { name, error }
}

/// Reads results.
fn load(
    folder: PathBuf,
    record: Record,
    work: Option<WorkFolder>,
) -> Result<Synthesised, JobError> {
    let netlist = Netlist::read(&folder.join(yosys::NETLIST))?;
    let placed = match folder.join(nextpnr::REPORT).exists() {
        true => Some(nextpnr::read(&folder)?),
        false => None,
    };
    Ok(Synthesised {
        netlist,
        placed,
        record,
        is_cached: false,
        folder,
        _work: work,
    })
}

impl Request<'_> {
    /// The tools that are needed.
    fn tools(&self) -> Vec<Tool> {
        match self.board.open_tools {
            Some(_) => vec![Tool::Yosys, Tool::NextpnrEcp5, Tool::Ecppack],
            None => vec![Tool::Yosys],
        }
    }

    /// The name of the entry in the cache: by what decides the results.
    fn entry_name(&self, versions: &BTreeMap<String, String>) -> String {
        let script = yosys::script(self.design, &self.board.target);
        let mut device = format!("{:?} {}", self.board.open_tools, self.board.mhz);
        if let Some(seed) = self.seed {
            device += &format!(" {seed}");
        }
        // What does not fit is not placed.
        let chip = format!("{:?}", self.board.chip);
        let sluice = env!("CARGO_PKG_VERSION");
        let versions = versions.iter().flat_map(|(tool, version)| [tool, version]);
        let files = self.design.files.iter();
        let files = files.flat_map(|file| [file.name.as_str(), &file.text]);
        let parts = [sluice, &script, &device, &chip];
        let versions = versions.map(String::as_str);
        cache::entry_name(self.name, parts.into_iter().chain(versions).chain(files))
    }

    /// Runs the tools in a folder.
    fn run(
        &self,
        folder: &Path,
        versions: BTreeMap<String, String>,
        progress: &Progress,
    ) -> Result<Record, JobError> {
        let start = Instant::now();
        let ran = self.run_tools(folder, progress);
        if ran.is_err() {
            self.keep_logs(folder);
        }
        ran?;
        let seconds = start.elapsed().as_secs_f64();
        let kept = [yosys::NETLIST, nextpnr::REPORT, ecppack::BITSTREAM];
        cache::complete(folder, &kept, versions, seconds)
            .map_err(|error| system("the results of synthesis", error))
    }

    fn run_tools(&self, folder: &Path, progress: &Progress) -> Result<(), JobError> {
        let said = |text: &str| progress.set(format!("{}: {text}", self.name));
        let listener = |tool: Tool, line: &str| {
            if let Some(text) = phase(tool, line) {
                said(&text);
            }
        };
        said(title(Tool::Yosys));
        let target = &self.board.target;
        let netlist = yosys::map(self.design, target, folder, &mut |line| {
            listener(Tool::Yosys, line);
        })?;
        let Some(device) = &self.board.open_tools else {
            return Ok(());
        };
        let cells = Netlist::read(&netlist)?.cells_in(scan::INSTANCE);
        // The command says what there is too little of.
        if fit::check_cost(&cells.cost(target.family), 1, self.board).is_err() {
            return Ok(());
        }
        said(title(Tool::NextpnrEcp5));
        let wish = Wish {
            mhz: self.board.mhz,
            seed: self.seed,
        };
        nextpnr::place(&netlist, device, wish, folder, &mut |line| {
            listener(Tool::NextpnrEcp5, line);
        })?;
        said(title(Tool::Ecppack));
        ecppack::pack(folder).map(drop)
    }

    /// Copies the logs of a run that has failed.
    fn keep_logs(&self, folder: &Path) {
        let Some(logs) = self.logs else {
            return;
        };
        for tool in self.tools() {
            let name = sluice_synth::job::log_name(tool.name());
            if let Ok(text) = fs::read(folder.join(&name)) {
                // The failure is what is reported.
                let _ = write_file(logs, &name, text);
            }
        }
    }
}
