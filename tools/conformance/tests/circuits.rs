//! A selection of the builtins, one type or two of each family, on their circuits.

use sluice_conformance::families::{
    async_copy, common, convert, float, geometric, integer, memory, operators, relational, vector,
};
use sluice_conformance::types::Type;
use sluice_conformance::{Check, Executor, assert_conforming};

fn check(checks: impl IntoIterator<Item = Check>) {
    assert_conforming(checks.into_iter().collect(), Executor::Circuit);
}

#[test]
fn integer_functions() {
    check(integer::of_type(Type::Short));
    check(integer::of_type(Type::Ulong));
}

#[test]
fn relational_functions() {
    check(relational::comparisons(Type::Float));
    check(relational::selections(Type::Uchar));
    check(relational::any_and_all(Type::Long));
}

#[test]
fn conversions() {
    check(convert::between(Type::Float, Type::Char));
    check(convert::between(Type::Ulong, Type::Float));
    check(convert::between(Type::Double, Type::Half));
    check(convert::views(Type::Ushort));
}

#[test]
fn operators() {
    check(operators::of_type(Type::Char));
    check(operators::of_type(Type::Long));
    check(operators::of_type(Type::Double));
}

#[test]
fn exact_functions() {
    check(float::of_type(Type::Half));
    check(float::scalings(Type::Float));
    check(float::choices(Type::Double));
}

#[test]
fn common_functions() {
    check(common::of_type(Type::Float));
}

#[test]
fn geometric_functions() {
    check(geometric::of_type(Type::Half));
    check(geometric::of_type(Type::Float));
}

#[test]
fn loads_and_stores() {
    check(memory::of_type(Type::Ushort));
}

#[test]
fn lanes_of_vectors() {
    check(vector::shuffles(Type::Int));
    check(vector::selections(Type::Char));
}

#[test]
fn async_copies() {
    check(async_copy::of_type(Type::Float));
}
