//! Files that commands read and write: read up to a limit, written whole or not at all.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The longest text that is read: an IR or target file.
const LONGEST_TEXT: u64 = 64 << 20;

/// The most bytes that are read from a pipe or device, which may have no end.
const LONGEST_STREAM: u64 = 256 << 20;

/// Reads a text file; `-` is standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    let bytes = match path == Path::new("-") {
        true => read_up_to(io::stdin().lock(), LONGEST_TEXT),
        false => File::open(path).and_then(|file| read_up_to(file, LONGEST_TEXT)),
    };
    let text = bytes.and_then(|bytes| {
        String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
    });
    let path = match path == Path::new("-") {
        true => Path::new("standard input"),
        false => path,
    };
    text.map_err(|source| failure("read", path, source))
}

/// Reads OpenCL C; `-` is standard input.
pub(crate) fn read_source(path: &Path) -> Result<String, Failure> {
    let text = match path == Path::new("-") {
        true => sluice_frontend::read_text(io::stdin().lock(), Path::new("<stdin>"))?,
        false => {
            let file = File::open(path).map_err(|source| failure("read", path, source))?;
            sluice_frontend::read_text(file, path)?
        }
    };
    // Editors put a byte-order mark before a text to say that it is UTF-8.
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Reads a file of at most `most` bytes, and less of what is no regular file.
pub(crate) fn read_bytes(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    match metadata.is_file() {
        true if metadata.len() > most => Err(too_long(most)),
        true => read_up_to(file, most),
        false => read_up_to(file, most.min(LONGEST_STREAM)),
    }
}

fn read_up_to(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(too_long(most)),
        false => Ok(bytes),
    }
}

fn too_long(most: u64) -> io::Error {
    let message = format!("it has more than {most} bytes");
    io::Error::new(io::ErrorKind::FileTooLarge, message)
}

/// Writes a file into a folder, which is made if it is not there.
pub(crate) fn write_file(
    folder: &Path,
    name: &str,
    contents: impl AsRef<[u8]>,
) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|source| failure("make", folder, source))?;
    write_path(&folder.join(name), contents)
}

/// Writes a file. One that is there is replaced when the new one is complete; a device or pipe is
/// written directly.
pub(crate) fn write_path(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let write = || match Replacement::of(path) {
        None => fs::write(path, contents.as_ref()),
        Some(file) => {
            fs::write(&file.unfinished, contents.as_ref())?;
            file.complete()
        }
    };
    write().map_err(|source| failure("write", path, source))
}

/// Checks that there is a folder for a file that is to be written later.
pub(crate) fn check_folder(path: &Path) -> Result<(), Failure> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(failure("write", path, io::ErrorKind::NotADirectory.into())),
        Err(source) => Err(failure("write", path, source)),
    }
}

/// A file in the making: it has another name until it is complete, and is removed if it never is.
pub(crate) struct Replacement {
    /// Where to write.
    pub(crate) unfinished: PathBuf,
    path: PathBuf,
}

impl Replacement {
    /// For the file at `path`; none if that is a device or pipe, or has no place for another name.
    pub(crate) fn of(path: &Path) -> Option<Replacement> {
        // Of a symbolic link, the file that it refers to is replaced.
        let path = match fs::canonicalize(path) {
            Ok(path) if fs::metadata(&path).is_ok_and(|it| !it.is_file()) => return None,
            Ok(path) => path,
            Err(_) => path.to_owned(),
        };
        let name = format!(".sluice-{}.tmp", std::process::id());
        Some(Replacement {
            unfinished: path.with_file_name(name),
            path,
        })
    }

    /// Gives the file its name.
    pub(crate) fn complete(self) -> io::Result<()> {
        fs::rename(&self.unfinished, &self.path)
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // If it is complete, there is nothing to remove.
        let _ = fs::remove_file(&self.unfinished);
    }
}

fn failure(action: &'static str, path: &Path, source: io::Error) -> Failure {
    Failure::File {
        action,
        path: path.display().to_string(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read_to_the_end() {
        let error = read_bytes(Path::new("/dev/zero"), 1000).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 1000 bytes");
        assert!(read_bytes(Path::new("/dev/null"), 1000).unwrap().is_empty());
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        for text in ["one", "two"] {
            write_file(folder.path(), "a", text).unwrap();
            assert_eq!(fs::read_to_string(folder.path().join("a")).unwrap(), text);
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path().join("a"), &link).unwrap();
        write_path(&link, "three").unwrap();
        assert_eq!(
            fs::read_to_string(folder.path().join("a")).unwrap(),
            "three"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_device_is_written_and_not_replaced() {
        write_path(Path::new("/dev/null"), "x").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let failure = write_path(Path::new("/dev/full"), "x").unwrap_err();
        assert_eq!(failure.to_string(), "cannot write /dev/full");
    }
}
