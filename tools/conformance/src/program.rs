//! Checks as OpenCL C: one kernel for each, which calls all of its forms.

use std::fmt::Write;

use crate::check::{Check, Form, OPERANDS, Shape};
use crate::types::Type;

/// Where the operands of kernels come from.
#[derive(Clone, Copy)]
pub enum Supply<'a> {
    /// Buffers with this number of operands: each work-item makes one call.
    Buffers(usize),
    /// Literals for these, by check and operand: one work-item makes all calls.
    Literals(&'a [Vec<Vec<u64>>]),
}

/// A program with the kernels `check0`, `check1`, ...
pub fn source(checks: &[Check], supply: Supply<'_>) -> String {
    let mut text = String::from(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
         #pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\
         #pragma OPENCL FP_CONTRACT OFF\n",
    );
    for (index, check) in checks.iter().enumerate() {
        text.push_str(&signature(index, check));
        text.push_str(&match supply {
            Supply::Buffers(count) => calls_from_buffers(check, count),
            Supply::Literals(columns) => calls_with_literals(check, &columns[index]),
        });
        text.push_str("}\n");
    }
    text
}

/// How often a form is called if each operand has `count` elements.
pub fn calls(form: &Form, count: usize) -> usize {
    let sizes = form.operands.iter().map(|shape| shape.len());
    count / sizes.max().expect("every builtin has an operand")
}

/// How many work-items a check needs.
pub fn work_items(check: &Check, count: usize) -> usize {
    let calls = check.forms.iter().map(|form| calls(form, count));
    calls.max().expect("a check has forms")
}

fn signature(index: usize, check: &Check) -> String {
    let operands = check.operands.iter().zip(OPERANDS).enumerate();
    let operands = operands.map(|(at, (type_, name))| {
        let space = match check.forms[0].operands[at] {
            Shape::Vector(_) | Shape::Block(_) => "global const",
            Shape::Constant(_) => "constant",
        };
        format!("{space} {} *p{name}", type_.name())
    });
    let results = check.forms.iter().enumerate();
    let results = results.map(|(at, form)| format!("global {} *r{at}", form.result.name()));
    let parameters: Vec<String> = operands.chain(results).collect();
    format!(
        "kernel void check{index}({}) {{\n{}",
        parameters.join(", "),
        check.declarations,
    )
}

fn calls_from_buffers(check: &Check, count: usize) -> String {
    let mut text = String::from("  const size_t i = get_global_id(0);\n");
    let items = work_items(check, count);
    for (at, form) in check.forms.iter().enumerate() {
        // A form that all work-items call may contain barriers.
        if calls(form, count) < items {
            let _ = write!(text, "  if (i < {}) ", calls(form, count));
        }
        let operands = check.operands.iter().zip(OPERANDS).zip(&form.operands);
        let operands: Vec<String> = operands
            .map(|((&type_, name), &shape)| from_buffer(type_, name, shape))
            .collect();
        let _ = writeln!(text, "  {{ {} {} }}", operands.join(" "), call(at, form));
    }
    text
}

fn from_buffer(type_: Type, name: &str, shape: Shape) -> String {
    let element = type_.name();
    match shape {
        Shape::Vector(1) => format!("const {element} {name} = p{name}[i];"),
        Shape::Vector(lanes) => format!(
            "const {} {name} = vload{lanes}(i, p{name});",
            type_.vector(lanes)
        ),
        Shape::Block(elements) => {
            format!("global const {element} *{name} = p{name} + {elements} * i;")
        }
        Shape::Constant(elements) => {
            format!("constant {element} *{name} = p{name} + {elements} * i;")
        }
    }
}

fn calls_with_literals(check: &Check, columns: &[Vec<u64>]) -> String {
    let mut text = String::new();
    for (at, form) in check.forms.iter().enumerate() {
        for index in 0..calls(form, columns[0].len()) {
            let _ = write!(text, "  {{ const size_t i = {index}; ");
            for (operand, shape) in form.operands.iter().enumerate() {
                let lanes = &columns[operand][index * shape.len()..(index + 1) * shape.len()];
                text.push_str(&literal(check.operands[operand], OPERANDS[operand], lanes));
            }
            let _ = writeln!(text, "{} }}", call(at, form));
        }
    }
    text
}

fn literal(type_: Type, name: &str, lanes: &[u64]) -> String {
    let lanes_text: Vec<String> = lanes
        .iter()
        .map(|bits| {
            format!(
                "as_{}(({}){bits:#x}UL)",
                type_.name(),
                type_.unsigned().name()
            )
        })
        .collect();
    let vector = type_.vector(lanes.len());
    format!(
        "const {vector} {name} = ({vector})({}); ",
        lanes_text.join(", ")
    )
}

/// The statements of a form, between its operands and the buffer of its results.
fn call(at: usize, form: &Form) -> String {
    let type_ = form.result;
    let (before, after) = match form.result_shape {
        Shape::Vector(1) => (
            format!("{} result;", type_.name()),
            format!("r{at}[i] = result;"),
        ),
        Shape::Vector(lanes) => (
            format!("{} result;", type_.vector(lanes)),
            format!("vstore{lanes}(result, i, r{at});"),
        ),
        Shape::Block(elements) | Shape::Constant(elements) => (
            format!("global {} *result = r{at} + {elements} * i;", type_.name()),
            String::new(),
        ),
    };
    format!("{before} {} {after}", form.statements)
}
