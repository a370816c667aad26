//! Builtins with constant operands: constant folding gives the same results as run time.

use sluice_conformance::families::{common, convert, float, integer, operators, relational};
use sluice_conformance::types::Type;
use sluice_conformance::{Check, Executor, assert_conforming};

fn check(checks: impl IntoIterator<Item = Check>) {
    assert_conforming(checks.into_iter().collect(), Executor::Compiler);
}

#[test]
fn integer_functions() {
    check(integer::checks());
}

#[test]
fn relational_functions() {
    check(relational::checks());
}

#[test]
fn operators() {
    check(Type::ALL.into_iter().flat_map(operators::of_type));
}

#[test]
fn conversions() {
    let types = [Type::Char, Type::Ushort, Type::Int, Type::Ulong];
    check(
        types
            .into_iter()
            .chain(Type::FLOATS)
            .flat_map(convert::conversions),
    );
}

#[test]
fn exact_functions() {
    check(Type::FLOATS.into_iter().flat_map(float::of_type));
}

#[test]
fn common_functions() {
    check(Type::FLOATS.into_iter().flat_map(common::of_type));
}
