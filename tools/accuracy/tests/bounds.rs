//! Every function of the mathematics within OpenCL's bound, and the same on the machine and on the interpreter.

use std::path::Path;

use sluice_accuracy::{Density, Finding, Function, Program, Type, functions, table};

fn assert_within_bounds(ty: Type) {
    let all = functions::all();
    let of_type: Vec<_> = all
        .into_iter()
        .filter(|function| function.ty == ty)
        .collect();
    let mut beyond: Vec<Finding> = Vec::new();
    for group in of_type.chunks(16) {
        let program = Program::compile(group).expect("the kernels compile");
        for function in program.functions() {
            let finding = program.measure(function, Density::Quick, &|_| {});
            let finding = finding.expect("every function has a kernel");
            if !finding.holds() {
                beyond.push(finding);
            }
        }
    }
    assert!(beyond.is_empty(), "{}", table::json(&beyond));
}

#[test]
fn float_functions_are_within_their_bounds() {
    assert_within_bounds(Type::Float);
}

#[test]
fn double_functions_are_within_their_bounds() {
    assert_within_bounds(Type::Double);
}

#[test]
fn half_functions_are_within_their_bounds() {
    assert_within_bounds(Type::Half);
}

/// The page of docs has a row for each of the functions, and all hold.
fn assert_page_holds(page: &str, functions: impl Iterator<Item = Function>) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(page);
    let page = std::fs::read_to_string(page).expect("the table is in the repository");
    let mut rows = page.lines().filter(|line| line.starts_with("| `"));
    for function in functions {
        let name = function.expression.unwrap_or(function.name);
        let start = format!("| `{name}` | {} |", function.ty.name());
        let row = rows.next().expect("a row per function");
        assert!(row.starts_with(&start), "{row}");
        assert!(row.ends_with("| holds |"), "{row}");
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn the_committed_table_shows_every_function_within_its_bound() {
    assert_page_holds("accuracy.md", functions::all().into_iter());
}

#[test]
fn the_committed_table_of_all_floats_shows_every_function_within_its_bound() {
    let of_one_float = functions::all()
        .into_iter()
        .filter(Function::is_of_one_float);
    assert_page_holds("accuracy-of-all-floats.md", of_one_float);
}

#[test]
fn new_findings_replace_the_rows_of_old_ones() {
    let all = functions::all();
    let finding = |name: &str, inputs: u64| {
        let function = all
            .iter()
            .find(|it| it.name == name && it.ty == Type::Float);
        Finding {
            function: *function.expect("a function of that name"),
            inputs,
            worst: None,
            beyond: 0,
            examples: Vec::new(),
            disagreement: None,
        }
    };
    let density = Density::Exhaustive;
    let old = table::markdown(&[finding("floor", 1), finding("recip", 2)], density);
    let page = table::merged(&old, &[finding("recip", 3), finding("ceil", 4)], density);
    let rows: Vec<&str> = page
        .lines()
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert_eq!(
        rows,
        [
            "| `ceil` | float | 4 | 0 |  | exact | holds |",
            "| `floor` | float | 1 | 0 |  | exact | holds |",
            "| `1 / x` | float | 3 | 0 |  | exact | holds |",
        ]
    );
}
