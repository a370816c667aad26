//! Headers in memory, written to temporary files while clang runs.

use std::path::{Component, Path, PathBuf};

use tempfile::TempDir;

use crate::diagnostics::{Code, Diagnostic, Error};

/// A folder of headers, removed when it is dropped.
pub(super) struct Headers {
    _folder: TempDir,
    /// What include names are relative to.
    pub base: PathBuf,
}

impl Headers {
    /// Writes the headers under the names by which they are included.
    pub fn write(headers: &[(String, String)]) -> Result<Option<Headers>, Error> {
        if headers.is_empty() {
            return Ok(None);
        }
        if let Some((name, _)) = headers.iter().find(|(name, _)| !is_writable(name)) {
            return Err(Diagnostic::new(
                Code::HeaderName,
                format!("a header cannot be included as `{name}`"),
            )
            .help("give it a relative name")
            .into());
        }
        write(headers).map(Some).map_err(Error::Headers)
    }
}

/// Whether the name is that of a file in a folder of our own, or above it by a few levels.
fn is_writable(name: &str) -> bool {
    let path = Path::new(name);
    let is_file = path.file_name().is_some() && !name.ends_with('/');
    is_file && path.is_relative() && !name.contains('\0')
}

fn write(headers: &[(String, String)]) -> std::io::Result<Headers> {
    let folder = tempfile::Builder::new().prefix("sluice-").tempdir()?;
    // Deep enough that every `..` of a name stays inside of the temporary folder.
    let ups = |name: &str| {
        let components = Path::new(name).components();
        components.filter(|it| *it == Component::ParentDir).count()
    };
    let depth = headers.iter().map(|(name, _)| ups(name)).max().unwrap_or(0);
    let base = (0..depth).fold(folder.path().to_owned(), |path, _| path.join("in"));
    std::fs::create_dir_all(&base)?;
    for (name, text) in headers {
        // `a/../b` is found only if there is an `a`.
        let mut path = base.clone();
        for component in Path::new(name)
            .parent()
            .into_iter()
            .flat_map(Path::components)
        {
            path.push(component);
            std::fs::create_dir_all(&path)?;
        }
        std::fs::write(base.join(name), text)?;
    }
    Ok(Headers {
        _folder: folder,
        base,
    })
}
