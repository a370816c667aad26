//! Measurements, kept in files of the repository: a line each, with what was measured, a hash of
//! everything that the result depends on, and the result. So what has not changed is measured once,
//! on any machine.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sluice_synth::Design;
use sluice_synth::tools::Tool;
use xxhash_rust::xxh3::Xxh3;

/// A file of measurements.
pub struct Measurements {
    path: PathBuf,
    /// The results, as JSON.
    results: BTreeMap<Key, String>,
    /// Those that were asked for.
    used: BTreeSet<Key>,
}

/// What was measured.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The kind of unit or operator.
    kind: String,
    /// Of all that the result depends on.
    hash: u64,
}

impl Key {
    /// Something of a kind; the result depends on `parts`.
    pub fn new<'p>(kind: &str, parts: impl IntoIterator<Item = &'p str>) -> Key {
        let mut hash = Xxh3::new();
        for part in parts {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        }
        Key {
            kind: kind.to_owned(),
            hash: hash.digest(),
        }
    }

    /// A design that is measured in a context: by these tools, for this target, with these options.
    pub fn of_design(kind: &str, context: &str, design: &Design) -> Key {
        let files = design.files.iter();
        let files = files.flat_map(|file| [file.name.as_str(), &file.text]);
        let apart = design.apart.iter().map(String::as_str);
        let parts = [context, &design.top].into_iter().chain(apart).chain(files);
        Key::new(kind, parts)
    }
}

impl Measurements {
    /// Those of a file in `tools/calibrate/measured`; none if there is no such file yet.
    pub fn open(name: &str) -> Result<Measurements, Box<dyn Error>> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("measured");
        Measurements::read(folder.join(format!("{name}.txt")))
    }

    fn read(path: PathBuf) -> Result<Measurements, Box<dyn Error>> {
        Ok(Measurements {
            results: read_lines(&path)?,
            used: BTreeSet::new(),
            path,
        })
    }

    /// What was measured before; none if that is nothing, or cannot be read.
    pub fn get<T: DeserializeOwned>(&mut self, key: &Key) -> Option<T> {
        self.used.insert(key.clone());
        serde_json::from_str(self.results.get(key)?).ok()
    }

    /// Keeps what was measured now.
    pub fn put<T: Serialize>(&mut self, key: &Key, result: &T) -> Result<(), Box<dyn Error>> {
        self.used.insert(key.clone());
        // Another process may have measured others meanwhile.
        self.results.extend(read_lines(&self.path)?);
        let text = serde_json::to_string(result)?;
        self.results.insert(key.clone(), text);
        self.write()
    }

    /// Forgets what was not asked for.
    pub fn forget_others(&mut self) -> Result<(), Box<dyn Error>> {
        self.results.retain(|key, _| self.used.contains(key));
        self.write()
    }

    fn write(&self) -> Result<(), Box<dyn Error>> {
        let mut text = String::new();
        for (Key { kind, hash }, result) in &self.results {
            writeln!(text, "{kind} {hash:016x} {result}")?;
        }
        let folder = self.path.parent().expect("a file in a folder");
        fs::create_dir_all(folder)?;
        // Complete or as before, also if this is interrupted.
        let new = self.path.with_extension("new");
        fs::write(&new, text)?;
        fs::rename(&new, &self.path)?;
        Ok(())
    }
}

/// The lines of a file; none if there is no such file.
fn read_lines(path: &Path) -> Result<BTreeMap<Key, String>, Box<dyn Error>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        read => read?,
    };
    let line = |(at, line): (usize, &str)| {
        read_line(line).ok_or_else(|| format!("{}:{}: {line}", path.display(), at + 1).into())
    };
    text.lines().enumerate().map(line).collect()
}

fn read_line(line: &str) -> Option<(Key, String)> {
    let mut words = line.splitn(3, ' ');
    let kind = words.next()?.to_owned();
    let hash = u64::from_str_radix(words.next()?, 16).ok()?;
    Some((Key { kind, hash }, words.next()?.to_owned()))
}

/// The versions of tools, without what depends on who has built them.
pub fn versions(tools: &[Tool]) -> Result<String, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let mut text = String::new();
    for tool in tools {
        let version = tool.version(folder.path())?;
        let (short, _) = version.split_once(" (").unwrap_or((&version, ""));
        write!(text, "{} {short} ", tool.name())?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measurements_are_kept_in_sorted_lines() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("measured/clocks.txt");
        let open = || Measurements::read(path.clone()).expect("it is read");
        let [fork, fifo] = ["fork", "fifo"].map(|kind| Key::new(kind, [kind]));
        open().put(&fork, &vec![1.5]).expect("it is written");
        open().put(&fifo, &vec![2.5, 3.0]).expect("it is written");
        let text = fs::read_to_string(&path).expect("there is a file");
        let [first, second] = text.lines().collect::<Vec<_>>()[..] else {
            panic!("two lines: {text}");
        };
        assert!(first.starts_with("fifo ") && first.ends_with(" [2.5,3.0]"));
        assert!(second.starts_with("fork ") && second.ends_with(" [1.5]"));
        let mut kept = open();
        assert_eq!(kept.get(&fork), Some(vec![1.5]));
        kept.forget_others().expect("it is written");
        assert_eq!(open().get::<Vec<f64>>(&fifo), None);
        assert_eq!(open().get(&fork), Some(vec![1.5]));
    }

    #[test]
    fn keys_tell_where_parts_end() {
        assert_ne!(Key::new("fork", ["ab", "c"]), Key::new("fork", ["a", "bc"]));
        assert_eq!(Key::new("fork", ["ab"]), Key::new("fork", ["ab"]));
    }

    #[test]
    fn a_line_that_is_not_one_is_an_error() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("clocks.txt");
        fs::write(&path, "fork 12zz {}\n").expect("it is written");
        let error = Measurements::read(path).err().expect("an error");
        assert!(error.to_string().ends_with("clocks.txt:1: fork 12zz {}"));
    }
}
