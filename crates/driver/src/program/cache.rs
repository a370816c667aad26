//! The build cache: binaries with their logs, named by everything that decides what they are.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use sluice_cache::Store;
use sluice_frontend::envelope::{Damage, Envelope};
use sluice_frontend::{Source, clang_program, preprocess};
use xxhash_rust::xxh3::Xxh3;

use super::binary::{Binary, Contents, FORMAT};
use super::{Destination, Header, Input, Keep, NoKernels, Passes, Request, SOURCE_NAME, with};
use crate::cli::MemoryChoice;

const ENVELOPE: Envelope = Envelope {
    magic: *b"\x89built.\n",
    version: FORMAT,
};

/// How much is kept if the user does not say.
const MEBIBYTES: u64 = 256;

/// Programs that were built before, by this process or another.
#[derive(Clone, Debug)]
pub struct BuildCache {
    store: Store,
}

impl BuildCache {
    /// The cache that the environment chooses: `programs` in `SLUICE_CACHE_DIR` or the user's cache folder, of
    /// at most `SLUICE_CACHE_SIZE` MiB; none if `SLUICE_CACHE` is 0.
    pub fn from_environment() -> Option<BuildCache> {
        let folder = sluice_cache::folder()?;
        let limit = sluice_cache::limit(MEBIBYTES);
        Some(BuildCache::at(folder.join("programs"), limit))
    }

    /// A cache of at most `limit` bytes in a folder of its own.
    pub fn at(folder: impl Into<PathBuf>, limit: u64) -> BuildCache {
        let folder = folder.into();
        let store = Store { folder, limit };
        BuildCache { store }
    }

    fn get(&self, key: &Key) -> Option<(Contents, String)> {
        let bytes = self.store.get(&key.name())?;
        // A damaged entry is as good as none; it will be replaced.
        let (log, binary) = open(&bytes).ok()?;
        Some((Binary::from_bytes(binary).ok()?.contents, log.to_owned()))
    }

    fn put(&self, key: &Key, log: &str, binary: &Binary) {
        let entry = ENVELOPE.write().text(log).bytes(&binary.to_bytes()).seal();
        self.store.put(&key.name(), &entry);
    }
}

fn open(bytes: &[u8]) -> Result<(&str, &[u8]), Damage> {
    let mut fields = ENVELOPE.read(bytes)?;
    let (log, binary) = (fields.text()?, fields.bytes()?);
    fields.end()?;
    Ok((log, binary))
}

/// One entry of a cache, or nothing where there is no cache.
pub(super) struct Entry<'c>(Option<(Keep<'c>, Key)>);

impl<'c> Entry<'c> {
    /// The entry under a key, which is only made for a cache.
    pub fn of(keep: Option<Keep<'c>>, key: impl FnOnce(&Destination) -> Option<Key>) -> Entry<'c> {
        Entry(keep.and_then(|keep| Some((keep, key(keep.destination)?))))
    }

    pub fn get(&self) -> Option<(Contents, String)> {
        let (keep, key) = self.0.as_ref()?;
        keep.cache.get(key)
    }

    pub fn put(&self, options: &[String], log: &str, contents: impl FnOnce() -> Contents) {
        if let Some((Keep { cache, destination }, key)) = &self.0 {
            let binary = Binary {
                target: destination.target.clone(),
                datapaths: destination.datapaths,
                options: options.join(" "),
                contents: contents(),
            };
            cache.put(key, log, &binary);
        }
    }
}

/// A hash over everything that decides a result.
pub(super) struct Key(u128);

impl Key {
    fn name(&self) -> String {
        format!("{:032x}", self.0)
    }

    /// Of a program. There is none if it was built already, or if its source cannot be preprocessed: compiling
    /// it will say why.
    pub fn of_request(request: &Request<'_>, destination: &Destination) -> Option<Key> {
        let options = &request.options.clang_args;
        let mut parts = match request.input {
            Input::Program(_) => return None,
            Input::Source(source) => {
                let mut parts = Parts::of(b"build", options, destination);
                parts.feed_source(source, &[], options)?;
                parts
            }
            Input::Objects(objects) => {
                let mut parts = Parts::of(b"link", options, destination);
                objects.iter().for_each(|it| parts.feed(&it.to_bytes()));
                parts
            }
        };
        let kernels = request.options.kernels.iter();
        kernels.for_each(|name| parts.feed(name.as_bytes()));
        let (runs, may_be_empty) = (Passes::Run, NoKernels::Allowed);
        parts.feed(&[
            u8::from(request.passes == runs),
            u8::from(request.no_kernels == may_be_empty),
        ]);
        Some(parts.key())
    }

    /// Of a part. There is none if it cannot be preprocessed.
    pub fn of_part(
        source: &str,
        headers: &[Header],
        options: &[String],
        destination: &Destination,
    ) -> Option<Key> {
        let mut parts = Parts::of(b"compile", options, destination);
        let source = Source::from_text(SOURCE_NAME, source);
        parts.feed_source(&source, headers, options)?;
        Some(parts.key())
    }
}

/// Whether what is compiled may change while source and options stay the same.
fn depends_on_others(source: &str, options: &[String]) -> bool {
    const WORDS: [&str; 5] = ["include", "import", "embed", "__DATE__", "__TIME"];
    let depends = |text: &str| WORDS.iter().any(|word| text.contains(word));
    // A word may go on in the next line.
    let spliced = source.contains('\\') && depends(&without_splices(source));
    depends(source)
        || spliced
        || options
            .iter()
            .any(|option| depends(option) || option == "-isystem")
}

/// The source with lines joined that end in a backslash.
fn without_splices(source: &str) -> String {
    let mut joined = String::with_capacity(source.len());
    for line in source.lines() {
        match line.trim_end().strip_suffix('\\') {
            Some(part) => joined += part,
            None => {
                joined += line;
                joined.push('\n');
            }
        }
    }
    joined
}

/// The parts of a key, each fed with its length, so that none can pass for two.
struct Parts(Xxh3);

impl Parts {
    /// What every key has.
    fn of(task: &[u8], options: &[String], destination: &Destination) -> Parts {
        let mut parts = Parts(Xxh3::new());
        parts.feed(task);
        parts.feed(&FORMAT.to_le_bytes());
        parts.feed(env!("CARGO_PKG_VERSION").as_bytes());
        parts.feed(env!("SLUICE_SOURCES").as_bytes());
        parts.feed(compiler().as_bytes());
        let Destination {
            target,
            datapaths,
            banks,
            lanes,
            memory,
            plan,
            group_items,
        } = destination;
        parts.feed(target.as_bytes());
        let (banks, lanes) = (banks.unwrap_or(0), lanes.unwrap_or(0));
        for number in [*datapaths, banks, lanes, *group_items] {
            parts.feed(&number.to_le_bytes());
        }
        parts.feed(memory.map_or("", MemoryChoice::name).as_bytes());
        parts.feed(plan.as_deref().unwrap_or("").as_bytes());
        parts.feed(&options.len().to_le_bytes());
        options.iter().for_each(|it| parts.feed(it.as_bytes()));
        parts
    }

    /// The source, and what it includes.
    fn feed_source(
        &mut self,
        source: &Source,
        headers: &[Header],
        options: &[String],
    ) -> Option<()> {
        self.feed(source.text.as_bytes());
        if depends_on_others(&source.text, options) {
            let text = preprocess(source, headers, &with(options)).ok()?;
            self.feed(text.as_bytes());
        }
        Some(())
    }

    fn feed(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn key(self) -> Key {
        Key(self.0.digest128())
    }
}

/// Which clang is run: another one under the same name has another size or time.
fn compiler() -> String {
    let program = clang_program();
    let found = match Path::new(&program).components().count() {
        1 => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let mut candidates = std::env::split_paths(&path).map(|folder| folder.join(&program));
            candidates.find(|candidate| candidate.is_file())
        }
        _ => Some(PathBuf::from(&program)),
    };
    let metadata = found.and_then(|path| path.metadata().ok());
    let stamp = metadata.map(|metadata| {
        let time = metadata.modified().ok();
        let time = time.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        (metadata.len(), time)
    });
    format!("{} {stamp:?}", program.to_string_lossy())
}
