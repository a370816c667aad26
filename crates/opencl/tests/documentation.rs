//! The code that `docs/adding-an-api-function.md` quotes is that of the files it names.

use std::path::Path;

/// The last file that is named before each Rust block, and the block.
fn quotes(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.match_indices("```rust\n").map(|(start, fence)| {
        let (before, code) = (&page[..start], &page[start + fence.len()..]);
        let file = before.rfind("`crates/").expect("a file is named above");
        let file = before[file + 1..].split('`').next().expect("its end");
        let code = code.split("```").next().expect("the block has an end");
        (file, code)
    });
    blocks.collect()
}

#[test]
fn the_quoted_code_is_in_the_files() {
    let quotes = quotes(include_str!("../../../docs/adding-an-api-function.md"));
    assert_eq!(quotes.len(), 5, "blocks");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, code) in quotes {
        let text = std::fs::read_to_string(root.join(file)).expect("the file is there");
        assert!(text.contains(code), "{file} does not contain\n{code}");
    }
}
