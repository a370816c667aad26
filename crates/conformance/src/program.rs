//! Checks as OpenCL C: one kernel for each, which calls all of its forms.

use std::fmt::Write;

use crate::check::{Check, Form, OPERANDS, Shape};

/// A program with the kernels `check0`, `check1`, ... for `count` operands each.
pub fn source(checks: &[Check], count: usize) -> String {
    let mut text = String::from(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
         #pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\
         #pragma OPENCL FP_CONTRACT OFF\n",
    );
    for (index, check) in checks.iter().enumerate() {
        text.push_str(&kernel(index, check, count));
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

fn kernel(index: usize, check: &Check, count: usize) -> String {
    let operands = check.operands.iter().zip(OPERANDS).enumerate();
    let operands = operands.map(|(place, (type_, name))| {
        let space = match check.forms[0].operands[place] {
            Shape::Vector(_) | Shape::Block(_) => "global const",
            Shape::Constant(_) => "constant",
        };
        format!("{space} {} *p{name}", type_.name())
    });
    let results = check.forms.iter().enumerate();
    let results = results.map(|(place, form)| format!("global {} *r{place}", form.result.name()));
    let parameters: Vec<String> = operands.chain(results).collect();
    let mut text = format!(
        "kernel void check{index}({}) {{\n{}  const size_t i = get_global_id(0);\n",
        parameters.join(", "),
        check.declarations,
    );
    let items = work_items(check, count);
    for (place, form) in check.forms.iter().enumerate() {
        // Barriers may stand in a form that everybody calls.
        if calls(form, count) < items {
            let _ = write!(text, "  if (i < {}) ", calls(form, count));
        }
        let _ = writeln!(text, "  {{ {} }}", body(check, place, form));
    }
    text.push_str("}\n");
    text
}

fn body(check: &Check, place: usize, form: &Form) -> String {
    let mut text = String::new();
    for ((type_, name), shape) in check.operands.iter().zip(OPERANDS).zip(&form.operands) {
        let value = match shape {
            Shape::Vector(1) => format!("const {} {name} = p{name}[i];", type_.name()),
            Shape::Vector(lanes) => format!(
                "const {} {name} = vload{lanes}(i, p{name});",
                type_.vector(*lanes)
            ),
            Shape::Block(elements) => format!(
                "global const {} *{name} = p{name} + {elements} * i;",
                type_.name()
            ),
            Shape::Constant(elements) => format!(
                "constant {} *{name} = p{name} + {elements} * i;",
                type_.name()
            ),
        };
        text.push_str(&value);
        text.push(' ');
    }
    let type_ = form.result;
    let (before, after) = match form.result_shape {
        Shape::Vector(1) => (
            format!("{} result;", type_.name()),
            format!("r{place}[i] = result;"),
        ),
        Shape::Vector(lanes) => (
            format!("{} result;", type_.vector(lanes)),
            format!("vstore{lanes}(result, i, r{place});"),
        ),
        Shape::Block(elements) | Shape::Constant(elements) => (
            format!(
                "global {} *result = r{place} + {elements} * i;",
                type_.name()
            ),
            String::new(),
        ),
    };
    text + &format!("{before} {} {after}", form.statements)
}
