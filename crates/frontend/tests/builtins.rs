//! Builtins through the whole pipeline: only intrinsics and primitives are left, and every call was resolved.

mod catalogue;

use std::collections::BTreeSet;

use catalogue::{Prototype, program, prototypes};
use sluice_frontend::primitives::Primitive;
use sluice_frontend::{Error, Options, Source, llvm_ir};

fn options(standard: &str) -> Options {
    Options {
        clang_args: vec![format!("-cl-std={standard}")],
        ..Options::default()
    }
}

fn called(ir: &str) -> BTreeSet<String> {
    ir.lines()
        .filter(|line| line.contains("call "))
        .filter_map(|line| line.split('@').nth(1))
        .filter_map(|rest| rest.split('(').next())
        .map(|name| name.trim_matches('"').to_owned())
        .collect()
}

fn compile(standard: &str, prototypes: &[Prototype]) -> String {
    match llvm_ir(
        &Source::from_text("calls.cl", program(prototypes)),
        &options(standard),
    ) {
        Ok(ir) => ir,
        Err(Error::Program(diagnostics)) => {
            let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
            panic!("{standard}: {}", lines.join("\n"))
        }
        Err(error) => panic!("{standard}: {error}"),
    }
}

fn assert_only_primitives_are_left(standard: &str, all: &[Prototype]) {
    for chunk in all.chunks(1000) {
        for name in called(&compile(standard, chunk)) {
            assert!(
                name.starts_with("llvm.") || Primitive::from_symbol(&name).is_some(),
                "{standard}: a call of {name} is left"
            );
        }
    }
}

/// What a version of the language adds to the first one, where the bulk is tested.
fn added_in(standard: &str) -> Vec<Prototype> {
    let known: BTreeSet<Prototype> = prototypes("CL1.2").into_iter().collect();
    let added: Vec<Prototype> = prototypes(standard)
        .into_iter()
        .filter(|prototype| !known.contains(prototype))
        .collect();
    assert!(!added.is_empty(), "{standard} adds functions");
    added
}

fn conversions_and_others() -> (Vec<Prototype>, Vec<Prototype>) {
    prototypes("CL1.2")
        .into_iter()
        .partition(|prototype| prototype.name.starts_with("convert_"))
}

#[test]
fn opencl_1_2_conversions_leave_only_primitives() {
    assert_only_primitives_are_left("CL1.2", &conversions_and_others().0);
}

#[test]
fn opencl_1_2_builtins_leave_only_primitives() {
    assert_only_primitives_are_left("CL1.2", &conversions_and_others().1);
}

#[test]
fn what_opencl_2_0_adds_leaves_only_primitives() {
    assert_only_primitives_are_left("CL2.0", &added_in("CL2.0"));
}

#[test]
fn what_opencl_3_0_adds_leaves_only_primitives() {
    assert_only_primitives_are_left("CL3.0", &added_in("CL3.0"));
}

#[test]
fn printf_stays_with_its_vector_arguments() {
    let text = "kernel void k(global float4 *x) { printf(\"%v4f %d\\n\", x[0], 3); }";
    let ir = llvm_ir(&Source::from_text("k.cl", text), &Options::default()).expect("it compiles");
    assert_eq!(called(&ir), BTreeSet::from(["printf".to_owned()]));
}

#[test]
fn mad_is_fused_only_where_the_options_allow_it() {
    let text = "kernel void k(global float4 *x) { x[0] = mad(x[0], x[1], x[2]); }";
    let with = |arguments: &[&str]| {
        let clang_args = arguments.iter().map(ToString::to_string).collect();
        let options = Options {
            clang_args,
            ..Options::default()
        };
        called(&llvm_ir(&Source::from_text("k.cl", text), &options).expect("it compiles"))
    };
    assert_eq!(with(&[]), BTreeSet::new());
    assert_eq!(
        with(&["-cl-mad-enable"]),
        BTreeSet::from(["llvm.fmuladd.f32".to_owned()])
    );
}
