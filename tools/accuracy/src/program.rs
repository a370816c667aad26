//! The kernels in which one work-item applies a function to buffers: one per function, all of one shape. Every
//! argument and result is the bits of a number in a `ulong`.

use std::fmt::Write;

use sluice_frontend::Source;

use crate::functions::{Form, Function};
use crate::number::Type;

/// One program with a kernel per function.
pub fn source(functions: &[Function]) -> Source {
    let mut text = String::from(
        "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
    );
    for function in functions {
        kernel(&mut text, function);
    }
    Source::from_text("accuracy.cl", text)
}

fn kernel(text: &mut String, function: &Function) {
    let ty = function.ty.name();
    let unsigned = unsigned(function.ty);
    let call = match function.expression {
        Some(expression) => expression.to_owned(),
        None => format!("{}({})", function.name, arguments(function.form)),
    };
    let (result, second) = match function.form {
        Form::TwoResults => (ty, Some(ty)),
        Form::AndInteger | Form::BinaryAndInteger => (ty, Some("int")),
        Form::ToInteger => ("int", None),
        Form::Unary | Form::Binary | Form::Ternary | Form::WithInteger | Form::FromInteger => {
            (ty, None)
        }
    };
    let mut line = |line: &str| writeln!(text, "{line}").expect("writing to a string");
    line(&format!(
        "kernel void {}(global const ulong *restrict a, global const ulong *restrict b,",
        function.kernel()
    ));
    line(
        "    global const ulong *restrict c, global ulong *restrict r, global ulong *restrict s, ulong n) {",
    );
    line("  for (ulong i = 0; i < n; i++) {");
    for (name, buffer) in [("x", "a"), ("y", "b"), ("z", "c")] {
        line(&format!(
            "    {ty} {name} = as_{ty}(({unsigned}){buffer}[i]);"
        ));
    }
    line("    int k = (int)b[i];");
    line(&format!("    {unsigned} code = ({unsigned})a[i];"));
    if let Some(second) = second {
        line(&format!("    {second} other;"));
    }
    line(&format!("    {result} value = {call};"));
    line(&format!("    r[i] = {};", bits(result, "value")));
    if let Some(second) = second {
        line(&format!("    s[i] = {};", bits(second, "other")));
    }
    line("  }\n}");
}

fn arguments(form: Form) -> &'static str {
    match form {
        Form::Unary | Form::ToInteger => "x",
        Form::Binary => "x, y",
        Form::Ternary => "x, y, z",
        Form::WithInteger => "x, k",
        Form::FromInteger => "code",
        Form::TwoResults | Form::AndInteger => "x, &other",
        Form::BinaryAndInteger => "x, y, &other",
    }
}

fn unsigned(ty: Type) -> &'static str {
    match ty {
        Type::Float => "uint",
        Type::Double => "ulong",
        Type::Half => "ushort",
    }
}

fn bits(ty: &str, value: &str) -> String {
    let unsigned = match ty {
        "half" => "ushort",
        "double" => "ulong",
        _ => "uint",
    };
    format!("as_{unsigned}({value})")
}
