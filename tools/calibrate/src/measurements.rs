//! Measurements, kept in `target/calibrate` under a hash of what was measured.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use sluice_synth::Design;
use xxhash_rust::xxh3::Xxh3;

/// The measurements of a tool.
pub struct Measurements {
    folder: PathBuf,
    /// What they depend on beside the design: versions, targets, options.
    context: String,
}

impl Measurements {
    /// Measurements that depend on `context` and a design.
    pub fn new(context: String) -> Measurements {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Measurements {
            folder: root.join("target/calibrate"),
            context,
        }
    }

    /// What was measured of a design before, or is measured now.
    pub fn get<T: Serialize + DeserializeOwned>(
        &self,
        design: &Design,
        measure: impl FnOnce(&Path) -> Result<T, Box<dyn Error>>,
    ) -> Result<T, Box<dyn Error>> {
        if let Some(kept) = self.kept(design) {
            return Ok(kept);
        }
        let folder = tempfile::tempdir()?;
        let measured = measure(folder.path())?;
        fs::create_dir_all(&self.folder)?;
        fs::write(self.file(design), serde_json::to_vec(&measured)?)?;
        Ok(measured)
    }

    /// What was measured of a design before.
    pub fn kept<T: DeserializeOwned>(&self, design: &Design) -> Option<T> {
        let bytes = fs::read(self.file(design)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    fn file(&self, design: &Design) -> PathBuf {
        self.folder.join(format!("{:032x}.json", self.key(design)))
    }

    fn key(&self, design: &Design) -> u128 {
        let mut hash = Xxh3::new();
        let mut add = |text: &str| {
            hash.update(text.as_bytes());
            hash.update(&[0]);
        };
        add(&self.context);
        add(&design.top);
        design.apart.iter().for_each(|module| add(module));
        for file in &design.files {
            add(&file.name);
            add(&file.text);
        }
        hash.digest128()
    }
}
