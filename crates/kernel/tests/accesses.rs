//! Access analysis: files with a kernel and what is known of its accesses.
//!
//! A file in `tests/accesses` holds a kernel and behind the line `; ----` the complete result of the
//! analysis. `SLUICE_BLESS=1` writes the second part anew. That the results are true is shown by
//! comparison with the addresses of launches: `tools/fuzz/tests/accesses.rs`.

use std::path::{Path, PathBuf};

use sluice_kernel::Kernel;
use sluice_kernel::analysis::access::{Accesses, Conditions};
use sluice_kernel::ir::Object;
use sluice_kernel::launch::{Argument, BufferId, Launch, NdRange};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accesses");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn accesses(path: &Path, input: &str) -> String {
    let name = path.display();
    let kernel = parse(input).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    Accesses::of(&kernel).to_string()
}

#[test]
fn files_have_the_accesses_that_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = accesses(&path, input);
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

/// The kernel of a file, and the conditions under which no work-item reads what another one writes to
/// an object.
fn conditions(name: &str, object: u32) -> (Kernel, Conditions) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/accesses");
    let text = std::fs::read_to_string(folder.join(name)).expect("the file is there");
    let (input, _) = text.split_once(SEPARATOR).expect("it has two parts");
    let kernel = parse(input).unwrap_or_else(|error| panic!("{error:?}"));
    let flow = Accesses::of(&kernel).read_after_write_of(Object::from_u32(object));
    let conditions = flow.others.conditions().expect("there are conditions");
    (kernel, conditions.clone())
}

fn launch(global: [u64; 3], args: &[Argument]) -> Launch {
    let range = NdRange {
        dims: 3,
        global,
        local: [1; 3],
        offset: [0; 3],
    };
    Launch {
        range,
        args: args.to_vec(),
    }
}

fn number(value: u64) -> Argument {
    Argument::Value([value].into_iter().collect())
}

#[test]
fn a_second_dimension_that_the_address_does_not_have_breaks_the_conditions() {
    let (kernel, conditions) = conditions("one_dimension.ir", 1);
    assert!(conditions.hold(&kernel, &launch([1 << 20, 1, 1], &[])));
    assert!(!conditions.hold(&kernel, &launch([1 << 10, 2, 1], &[])));
}

#[test]
fn rows_that_wrap_break_the_conditions() {
    let (kernel, conditions) = conditions("rows_of_symbolic_width.ir", 2);
    let buffer = Argument::Buffer(BufferId::from_u32(0));
    let holds = |global, width| {
        let buffers = [buffer.clone(), buffer.clone(), buffer.clone()];
        let args = [&buffers[..], &[number(width), number(8)]].concat();
        conditions.hold(&kernel, &launch(global, &args))
    };
    assert!(holds([1 << 10, 1 << 10, 1], 1 << 10));
    assert!(holds([1, 1 << 12, 1], 1 << 19));
    // Row 2^12 begins where row 0 does.
    assert!(!holds([1, (1 << 12) + 1, 1], 1 << 20));
    // Ids from 2^31 on are negative: they pass the guard and are not less than the width.
    assert!(!holds([(1 << 31) + 1, 2, 1], 1 << 10));
}
