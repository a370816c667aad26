//! Transformations of loops: files with a kernel and what becomes of it.
//!
//! A file in `tests/loops` holds lines `; transform: NAME HEADER`, a kernel, and behind the line `; ----` the text
//! after the transformations have run in that order and dead code was removed, or why the last one was refused.
//! `SLUICE_BLESS=1` writes the second part anew. Random loop nests: `tools/fuzz/tests/loops.rs`.

use std::path::{Path, PathBuf};

use sluice_kernel::Kernel;
use sluice_kernel::ir::Block;
use sluice_kernel::loops::{Refused, TRANSFORMATIONS};
use sluice_kernel::passes::remove_dead_code;
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loops");
    let list = |dir: &Path| {
        let entries = std::fs::read_dir(dir).expect("the folder is there");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    list(&root).iter().flat_map(|folder| list(folder)).collect()
}

/// Applies the transformation of a line `NAME HEADER`.
fn apply(kernel: &mut Kernel, line: &str) -> Result<(), Refused> {
    let (name, header) = line.split_once(' ').expect("a name and a block");
    let header = header
        .trim()
        .strip_prefix('b')
        .and_then(|it| it.parse().ok());
    let header = Block::from_u32(header.expect("a block"));
    let by_name = TRANSFORMATIONS.iter().find(|it| it.name == name);
    let transformation = by_name.unwrap_or_else(|| panic!("no transformation {name}"));
    let before = kernel.clone();
    let result = (transformation.run)(kernel, header);
    match result {
        Ok(()) => verify(kernel).unwrap_or_else(|errors| panic!("{name}: {errors}\n{kernel}")),
        Err(_) => assert_eq!(*kernel, before, "{name} was refused and changed the kernel"),
    }
    result
}

fn transformed(input: &str) -> String {
    let mut kernel = parse(input).unwrap_or_else(|error| panic!("{error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
    let lines = input.lines();
    let lines: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("; transform: "))
        .collect();
    assert!(!lines.is_empty(), "no `; transform: NAME HEADER`");
    for line in lines {
        if let Err(refused) = apply(&mut kernel, line) {
            return format!("; refused: {refused}\n");
        }
    }
    let _ = remove_dead_code(&mut kernel);
    kernel.compact();
    kernel.to_string()
}

#[test]
fn files_become_what_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = transformed(input);
        if actual == expected {
            continue;
        }
        if bless {
            std::fs::write(&path, format!("{input}{SEPARATOR}{actual}")).unwrap();
        } else {
            failures += &format!("{}\n{actual}\n", path.display());
        }
    }
    assert!(failures.is_empty(), "not as the files say:\n{failures}");
}

#[test]
fn every_transformation_has_files() {
    for transformation in TRANSFORMATIONS {
        let own = files();
        let own = own.iter().filter(|path| {
            let folder = path.parent().and_then(Path::file_name);
            folder.is_some_and(|folder| folder == transformation.name)
        });
        let name = transformation.name;
        assert!(own.count() >= 3, "tests/loops/{name} has too few");
    }
}
