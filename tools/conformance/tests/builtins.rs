//! Every builtin on the interpreter, against its reference.

use sluice_conformance::check::Standard;
use sluice_conformance::families::{
    async_copy, common, convert, float, geometric, integer, memory, operators, relational, vector,
};
use sluice_conformance::types::Type;
use sluice_conformance::{Check, Executor, assert_conforming};

fn check(checks: impl IntoIterator<Item = Check>) {
    assert_conforming(checks.into_iter().collect(), Executor::Interpreter);
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
    check(types.into_iter().flat_map(convert::conversions));
}

#[test]
fn conversions_to_large_integers() {
    let types = [Type::Int, Type::Uint, Type::Long, Type::Ulong];
    check(types.into_iter().flat_map(convert::conversions));
}

#[test]
fn conversions_to_floats() {
    check(Type::FLOATS.into_iter().flat_map(convert::conversions));
}

#[test]
fn casts() {
    check(Type::ALL.into_iter().flat_map(convert::casts));
}

#[test]
fn views_of_the_same_bits() {
    check(Type::ALL.into_iter().flat_map(convert::views));
}

#[test]
fn operators() {
    check(Type::ALL.into_iter().flat_map(operators::of_type));
}

/// Nothing of the language's first version is another function in the last.
#[test]
fn functions_of_the_last_version() {
    let checks = integer::of_type(Type::Int)
        .into_iter()
        .chain(relational::comparisons(Type::Double))
        .chain(convert::between(Type::Float, Type::Uchar))
        .chain(float::with_second_result(Type::Float))
        .chain(async_copy::of_type(Type::Short))
        .filter(|check| check.standard == Standard::V12);
    check(checks.map(|check| check.since(Standard::V30)));
}

#[test]
fn exact_functions_of_halves() {
    check(float::of_type(Type::Half));
}

#[test]
fn exact_functions_of_floats() {
    check(float::of_type(Type::Float));
}

#[test]
fn exact_functions_of_doubles() {
    check(float::of_type(Type::Double));
}

#[test]
fn common_functions() {
    check(Type::FLOATS.into_iter().flat_map(common::of_type));
}

#[test]
fn geometric_functions() {
    check(Type::FLOATS.into_iter().flat_map(geometric::of_type));
}

#[test]
fn loads_and_stores_of_vectors() {
    check(Type::ALL.into_iter().flat_map(memory::of_type));
}

#[test]
fn loads_and_stores_of_halves() {
    check(memory::halves());
}

#[test]
fn shuffles() {
    check(Type::ALL.into_iter().flat_map(vector::shuffles));
}

#[test]
fn selections_of_lanes() {
    check(Type::ALL.into_iter().flat_map(vector::selections));
    check(Type::ALL.map(vector::steps));
    check(Type::ALL.map(vector::literals));
}

#[test]
fn async_copies() {
    check(Type::ALL.into_iter().flat_map(async_copy::of_type));
}
