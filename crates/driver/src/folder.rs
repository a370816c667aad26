//! Files that commands write.

use std::path::Path;

use crate::failure::Failure;

/// Writes a file into a folder, which is made if it is not there.
pub(crate) fn write_file(
    folder: &Path,
    name: &str,
    contents: impl AsRef<[u8]>,
) -> Result<(), Failure> {
    let path = folder.join(name);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&path, contents))
        .map_err(|source| Failure::File {
            action: "write",
            path: path.display().to_string(),
            source,
        })
}
