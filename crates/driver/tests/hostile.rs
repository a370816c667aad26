//! Hostile inputs: each case of `tests/hostile` gets its message, in bounded time and memory, and leaves no file.
//!
//! `tests/hostile/README.md` has the format. `HOSTILE=text` runs only the cases whose path holds the text;
//! `HOSTILE_BLESS=1` writes what was found into the case files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;

const SUFFIX: &str = "case";
const SECONDS: u64 = 20;
/// How much longer than its processor time a command may take: the machine may be busy.
const PATIENCE: u64 = 15;
const MEBIBYTES: u64 = 4096;

/// One case file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Case {
    /// Comments, as they stand.
    comments: String,
    /// A command for the shell.
    command: String,
    seconds: u64,
    mebibytes: u64,
    found: Found,
}

/// What a command leaves behind.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
struct Found {
    exit: i32,
    stdout: String,
    stderr: String,
}

impl Case {
    fn parse(text: &str) -> Result<Case, String> {
        let (head, found) = text.split_once("--- ").unwrap_or((text, ""));
        let mut case = Case {
            comments: String::new(),
            command: String::new(),
            seconds: SECONDS,
            mebibytes: MEBIBYTES,
            found: Found::default(),
        };
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is no number"));
        for line in head.lines() {
            match line.split_once(": ") {
                _ if line.starts_with('#') => case.comments += &format!("{line}\n"),
                Some(("command", command)) => case.command = command.to_owned(),
                Some(("seconds", seconds)) => case.seconds = number(seconds)?,
                Some(("mebibytes", mebibytes)) => case.mebibytes = number(mebibytes)?,
                Some(("exit", exit)) => {
                    let exit = exit.parse();
                    case.found.exit = exit.map_err(|_| format!("`{line}`: no exit code"))?;
                }
                Some(_) | None => return Err(format!("`{line}` is no line of a case")),
            }
        }
        for section in found.split("--- ").filter(|it| !it.is_empty()) {
            match section.split_once('\n') {
                Some(("stdout", text)) => case.found.stdout = text.to_owned(),
                Some(("stderr", text)) => case.found.stderr = text.to_owned(),
                Some(_) | None => return Err(format!("`--- {section}` is no section of a case")),
            }
        }
        match case.command.is_empty() {
            true => Err("there is no command".to_owned()),
            false => Ok(case),
        }
    }

    fn print(&self) -> String {
        let mut text = format!("{}command: {}\n", self.comments, self.command);
        if self.seconds != SECONDS {
            text += &format!("seconds: {}\n", self.seconds);
        }
        if self.mebibytes != MEBIBYTES {
            text += &format!("mebibytes: {}\n", self.mebibytes);
        }
        text += &format!("exit: {}\n", self.found.exit);
        for (name, section) in [
            ("stdout", &self.found.stdout),
            ("stderr", &self.found.stderr),
        ] {
            if !section.is_empty() {
                text += &format!("--- {name}\n{section}");
            }
        }
        text
    }

    /// Runs the command among copies of the files in `folder`. An error is a file that it wrote.
    fn run(&self, folder: &Path) -> Result<Found, String> {
        let sandbox = Sandbox::with_files_of(folder).expect("the temporary folder is writable");
        let before = sandbox.contents();
        // The shell limits itself: what it starts inherits that.
        let script = format!(
            "ulimit -c 0; ulimit -t {}; ulimit -v {}; {}",
            self.seconds,
            self.mebibytes * 1024,
            self.command
        );
        let bin = Path::new(env!("CARGO_BIN_EXE_sluice"));
        let bin = bin.parent().expect("it is in a folder").to_owned();
        let mut path = vec![bin];
        path.extend(std::env::split_paths(
            &std::env::var_os("PATH").expect("there is one"),
        ));
        let output = Command::new("timeout")
            .args([
                "--signal=KILL",
                &(self.seconds * PATIENCE).to_string(),
                "sh",
                "-c",
                &script,
            ])
            .current_dir(sandbox.0.path().join("work"))
            .env(
                "PATH",
                std::env::join_paths(path).expect("no path has a colon"),
            )
            .env("HOME", sandbox.0.path().join("home"))
            .env("TMPDIR", sandbox.0.path().join("temporary"))
            .env("SLUICE_CACHE", "0")
            .stdin(std::process::Stdio::null())
            .output()
            .expect("coreutils have `timeout`");
        let here = sandbox.0.path().display().to_string();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&here, "SANDBOX");
        let written = sandbox.contents();
        if written != before {
            let names = written.keys().filter(|name| !before.contains_key(*name));
            return Err(format!(
                "files were written: {:?}",
                names.collect::<Vec<_>>()
            ));
        }
        Ok(Found {
            exit: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        })
    }
}

/// A folder with everything that a case may see: files in `work`, and an empty `home` and `temporary`.
struct Sandbox(TempDir);

impl Sandbox {
    fn with_files_of(folder: &Path) -> io::Result<Sandbox> {
        let sandbox = tempfile::Builder::new().prefix("hostile-").tempdir()?;
        for name in ["work", "home", "temporary"] {
            fs::create_dir(sandbox.path().join(name))?;
        }
        for file in files_in(folder) {
            let name = file.file_name().expect("it is a file");
            if file.extension().is_none_or(|it| it != SUFFIX) {
                fs::copy(&file, sandbox.path().join("work").join(name))?;
            }
        }
        Ok(Sandbox(sandbox))
    }

    /// All files with their contents.
    fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut contents = BTreeMap::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("it is readable").flatten() {
                let path = entry.path();
                let bytes = match path.is_dir() {
                    true => Vec::new(),
                    false => fs::read(&path).unwrap_or_default(),
                };
                if path.is_dir() {
                    folders.push(path.clone());
                }
                contents.insert(path, bytes);
            }
        }
        contents
    }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let listed = fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut files: Vec<PathBuf> = listed.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn cases() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile");
    let folders = fs::read_dir(root).expect("the corpus is there");
    let folders = folders
        .flatten()
        .map(|it| it.path())
        .filter(|it| it.is_dir());
    let mut cases: Vec<PathBuf> = folders.flat_map(|folder| files_in(&folder)).collect();
    cases.retain(|path| path.extension().is_some_and(|it| it == SUFFIX));
    let wanted = std::env::var("HOSTILE").unwrap_or_default();
    cases.retain(|path| path.to_string_lossy().contains(&wanted));
    cases.sort();
    cases
}

/// What is wrong with a case, if anything is.
fn problem(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).expect("it was listed");
    let case = match Case::parse(&text) {
        Ok(case) => case,
        Err(problem) => return Some(problem),
    };
    let folder = path.parent().expect("cases are in folders");
    let found = match case.run(folder) {
        Ok(found) => found,
        Err(problem) => return Some(problem),
    };
    if found == case.found {
        return None;
    }
    let is = Case { found, ..case };
    if std::env::var_os("HOSTILE_BLESS").is_some() {
        fs::write(path, is.print()).expect("the corpus is writable");
        return None;
    }
    Some(format!("expected:\n{text}\nfound:\n{}", is.print()))
}

#[test]
fn hostile_inputs_get_their_messages() {
    let cases = cases();
    assert!(!cases.is_empty(), "no case was found");
    let (next, problems) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some(path) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(problem) = problem(path) {
                let problem = format!("{}: {problem}", path.display());
                problems
                    .lock()
                    .expect("no worker panics with it")
                    .push(problem);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(worker);
        }
    });
    let problems = problems.into_inner().expect("no worker panics with it");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn cases_are_printed_as_they_are_written() {
    let text =
        "# Why.\ncommand: sluice ir x.cl\nseconds: 3\nexit: 1\n--- stdout\na\n--- stderr\nb\nc\n";
    let case = Case::parse(text).expect("it is a case");
    assert_eq!(case.found.stderr, "b\nc\n");
    assert_eq!(case.print(), text);
    Case::parse("exit: 1\n").expect_err("there is no command");
    Case::parse("command: x\nexit: one\n").expect_err("that is no number");
}
