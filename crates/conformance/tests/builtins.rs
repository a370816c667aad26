//! Every builtin on the interpreter, against its reference.

use sluice_conformance::families::{convert, integer, relational};
use sluice_conformance::types::Type;
use sluice_conformance::{Check, Executor, assert_conforming};

fn check(checks: Vec<Check>) {
    assert_conforming(checks, Executor::Interpreter);
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
fn conversions_to_small_integers() {
    let types = [Type::Char, Type::Uchar, Type::Short, Type::Ushort];
    check(types.into_iter().flat_map(convert::conversions).collect());
}

#[test]
fn conversions_to_large_integers() {
    let types = [Type::Int, Type::Uint, Type::Long, Type::Ulong];
    check(types.into_iter().flat_map(convert::conversions).collect());
}

#[test]
fn conversions_to_floats() {
    check(
        Type::FLOATS
            .into_iter()
            .flat_map(convert::conversions)
            .collect(),
    );
}

#[test]
fn casts() {
    check(Type::ALL.into_iter().flat_map(convert::casts).collect());
}

#[test]
fn views_of_the_same_bits() {
    check(Type::ALL.into_iter().flat_map(convert::views).collect());
}
