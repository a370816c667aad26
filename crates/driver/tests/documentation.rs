//! The files and folders that the documentation names exist, and contain what it says is in them.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of the repository that hold tracked files.
const FOLDERS: [&str; 7] = [
    "crates", "tools", "tests", "docs", "examples", "scripts", ".ci",
];

/// The endings of files that the documentation names without their folder.
const ENDINGS: [&str; 6] = [".rs", ".md", ".v", ".sv", ".cl", ".toml"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files below a folder, relative to the root of the repository.
fn files_below(folder: &str, files: &mut Vec<String>) {
    let entries = fs::read_dir(root().join(folder)).expect("the folder can be listed");
    for entry in entries {
        let entry = entry.expect("the folder can be listed");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        match entry.file_type().expect("entries have a type").is_dir() {
            true => files_below(&path, files),
            false => files.push(path),
        }
    }
}

/// The pages: those at the root, and all of `docs`.
fn pages(files: &[String]) -> Vec<String> {
    let mut pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
        .map(str::to_owned)
        .to_vec();
    let is_page = |file: &&String| file.starts_with("docs/") && file.ends_with(".md");
    pages.extend(files.iter().filter(is_page).cloned());
    pages
}

/// What stands in backticks, and of code blocks the names of Rust files.
fn quoted(text: &str) -> Vec<&str> {
    let (mut quoted, mut is_code) = (Vec::new(), false);
    for part in text.split("```") {
        match is_code {
            true => quoted.extend(part.split_whitespace().filter(|word| word.ends_with(".rs"))),
            false => quoted.extend(part.split('`').skip(1).step_by(2)),
        }
        is_code = !is_code;
    }
    quoted
}

/// The targets of links to files, without anchors.
fn links(text: &str) -> Vec<&str> {
    let targets = text.split("](").skip(1);
    let targets = targets.filter_map(|rest| rest.split([')', '#']).next());
    targets
        .filter(|target| !target.is_empty() && !target.contains("://"))
        .collect()
}

/// Whether words like `UNIT.sv` and `tests/run/*.cl` stand for several files.
fn is_pattern(word: &str) -> bool {
    let is_placeholder = |part: &str| {
        part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()) && part != "README"
    };
    word.contains(['*', '<', '{', '$']) || word.split(['/', '.', '-']).any(is_placeholder)
}

/// Whether a quoted word names a file or folder that does not exist. Pages may leave out the first folders of a path.
fn is_missing(word: &str, files: &[String]) -> bool {
    let word = word.trim_end_matches('/');
    let first = word.split('/').next().unwrap_or(word);
    let is_path = FOLDERS.contains(&first) && word.contains('/')
        || ENDINGS.iter().any(|ending| word.ends_with(ending)) && !ENDINGS.contains(&word);
    if !is_path || word.contains(char::is_whitespace) || is_pattern(word) {
        return false;
    }
    let end = format!("/{word}");
    !root().join(word).exists() && !files.iter().any(|file| file.ends_with(&end))
}

#[test]
fn paths_in_the_documentation_exist() {
    let mut files = Vec::new();
    for folder in FOLDERS {
        files_below(folder, &mut files);
    }
    let mut missing = Vec::new();
    for page in pages(&files) {
        let text = fs::read_to_string(root().join(&page)).expect("pages are UTF-8");
        let words = quoted(&text).into_iter();
        missing.extend(
            words
                .filter(|word| is_missing(word, &files))
                .map(|word| format!("{page}: `{word}`")),
        );
        let folder = root().join(&page);
        let folder = folder.parent().expect("a page is in a folder");
        missing.extend(
            links(&text)
                .into_iter()
                .filter(|target| !folder.join(target).exists())
                .map(|target| format!("{page}: ({target})")),
        );
    }
    assert!(
        missing.is_empty(),
        "named in the documentation, but missing:\n{}",
        missing.join("\n")
    );
}

/// The names and files of all phrases "`name` in `file.rs`".
fn located(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split('`').collect();
    let phrases = parts.windows(3).skip(1).step_by(2);
    phrases
        .filter(|part| part[1].trim() == "in" && part[2].ends_with(".rs"))
        .map(|part| (part[0], part[2]))
        .collect()
}

#[test]
fn functions_are_in_the_files_that_the_architecture_names() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is UTF-8");
    let located = located(&text);
    assert!(located.len() > 10, "the path of a kernel is listed");
    for (name, file) in located {
        let code = fs::read_to_string(root().join(file)).unwrap_or_default();
        let name = name.rsplit("::").next().unwrap_or(name);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let mut words = code.split(|c| !is_word(c));
        assert!(
            words.any(|word| word == name),
            "`{name}` is not in `{file}`"
        );
    }
}

#[test]
fn missing_paths_are_found() {
    let files = ["crates/circuit/src/verilog/emit.rs".to_owned()];
    let text = "`verilog/emit.rs`, `crates/driver/`, `gone.rs`, `crates/gone`, `NAME.rs`\n\
                ```\ncrates/circuit/src/verilog/emit.rs also_gone.rs\n```\n`.rs`\n";
    let missing = quoted(text)
        .into_iter()
        .filter(|word| is_missing(word, &files));
    assert_eq!(
        missing.collect::<Vec<_>>(),
        ["gone.rs", "crates/gone", "also_gone.rs"]
    );
    assert_eq!(links("[a](b.md#c), [d](https://e.f), [g](#h)"), ["b.md"]);
    assert_eq!(
        located("`a.rs` has `b` in `c/d.rs`, `e::f`\nin `g.rs` and `h` in `i`"),
        [("b", "c/d.rs"), ("e::f", "g.rs")]
    );
}
