//! Diagnostics as users see them: each test compares a complete rendered message.

use std::time::Duration;

use miette::{GraphicalReportHandler, GraphicalTheme};
use sluice_frontend::{Error, Options, Source, compile, llvm_ir};

fn refuse_with(options: &Options, text: &str) -> Error {
    let source = Source::from_text("kernel.cl", text);
    llvm_ir(&source, options).expect_err("the program is refused")
}

fn options(arguments: &[&str]) -> Options {
    Options {
        clang_args: arguments.iter().map(ToString::to_string).collect(),
        ..Options::default()
    }
}

fn render(error: &Error) -> String {
    let handler =
        GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor()).with_width(100);
    let mut text = String::new();
    assert!(!error.diagnostics().is_empty(), "{error}");
    for diagnostic in error.diagnostics() {
        handler
            .render_report(&mut text, diagnostic)
            .expect("a string can be written to");
    }
    text
}

fn refuse(text: &str) -> String {
    render(&refuse_with(&Options::default(), text))
}

#[test]
fn direct_recursion() {
    insta::assert_snapshot!(refuse(
        "int factorial(int n) {\n    return n < 2 ? 1 : n * factorial(n - 1);\n}\n\
         kernel void k(global int *x) {\n    *x = factorial(*x);\n}\n"
    ));
}

#[test]
fn mutual_recursion() {
    insta::assert_snapshot!(refuse(
        "int odd(int n);\nint even(int n) {\n    return n == 0 || odd(n - 1);\n}\n\
         int odd(int n) {\n    return n != 0 && even(n - 1);\n}\n\
         kernel void k(global int *x) {\n    *x = even(*x);\n}\n"
    ));
}

#[test]
fn image_argument() {
    insta::assert_snapshot!(refuse(
        "kernel void blur(read_only image2d_t from, sampler_t how, global float4 *to) {\n\
         \x20   to[0] = read_imagef(from, how, (float2)(0, 0));\n}\n"
    ));
}

#[test]
fn pipe_argument() {
    let text = "kernel void drain(read_only pipe int from, global int *to) {\n    read_pipe(from, to);\n}\n";
    insta::assert_snapshot!(render(&refuse_with(&options(&["-cl-std=CL2.0"]), text)));
}

#[test]
fn unknown_function() {
    insta::assert_snapshot!(refuse(
        "float weigh(float x);\nkernel void k(global float *x) {\n    x[0] = weigh(x[1]) + 1;\n}\n"
    ));
}

#[test]
fn function_pointer() {
    let text = "int twice(int x) { return 2 * x; }\nint thrice(int x) { return 3 * x; }\n\
         kernel void k(global int *x) {\n    *x = (*x ? twice : thrice)(*x);\n}\n";
    let error = refuse_with(&Options::default(), text);
    assert!(matches!(error, Error::Rejected { .. }), "{error:?}");
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn inline_assembly() {
    insta::assert_snapshot!(refuse("kernel void k() {\n    __asm__(\"nop\");\n}\n"));
}

#[test]
fn variadic_function() {
    insta::assert_snapshot!(refuse(
        "#pragma OPENCL EXTENSION __cl_clang_variadic_functions : enable\n\
         int first(int n, ...) {\n    return n;\n}\n\
         kernel void k(global int *x) {\n    *x = first(2, *x, 3);\n}\n"
    ));
}

#[test]
fn variables_that_are_too_large() {
    let text =
        "global int words[1 << 25];\nkernel void k(global int *x) {\n    *x = words[*x]++;\n}\n";
    let source = Source::from_text("kernel.cl", text);
    let error = compile(&source, &options(&["-cl-std=CL2.0"])).expect_err("64 MiB at most");
    insta::assert_snapshot!(render(&error));
}

#[test]
fn unknown_kernel() {
    let asked = Options {
        kernels: vec!["middle".to_owned()],
        ..Options::default()
    };
    insta::assert_snapshot!(render(&refuse_with(
        &asked,
        "kernel void first() {}\nkernel void last() {}\n"
    )));
}

#[test]
fn no_kernel() {
    insta::assert_snapshot!(refuse("int twice(int x) { return 2 * x; }\n"));
}

#[test]
fn unknown_build_option() {
    insta::assert_snapshot!(render(&refuse_with(
        &options(&["-fancy", "-D"]),
        "kernel void k() {}\n"
    )));
}

#[test]
fn several_mistakes_are_reported_in_the_order_of_the_source() {
    insta::assert_snapshot!(refuse(
        "float weigh(float);\nfloat judge(float);\n\
         kernel void k(global float *x) {\n    x[0] = judge(x[1]);\n    x[1] = weigh(x[0]);\n}\n"
    ));
}

#[test]
fn clangs_errors_are_passed_on_as_they_are() {
    let error = refuse_with(
        &Options::default(),
        "kernel void k(global int *x) {\n    *x = y;\n}\n",
    );
    assert!(matches!(error, Error::Rejected { .. }), "{error:?}");
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn missing_clang_names_the_package() {
    let missing = Options {
        clang: Some("/nonexistent/clang".into()),
        ..Options::default()
    };
    let error = refuse_with(&missing, "kernel void k() {}\n");
    assert!(matches!(error, Error::ClangMissing { .. }), "{error:?}");
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn a_clang_that_hangs_is_stopped() {
    let options = Options {
        // Without an end, whatever its arguments are.
        clang: Some(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/endless-clang").into()),
        patience: Some(Duration::from_millis(100)),
        ..Options::default()
    };
    let error = sluice_frontend::compile(&Source::from_text("kernel.cl", ""), &options)
        .expect_err("clang hangs");
    let text = error.to_string().replace(env!("CARGO_MANIFEST_DIR"), "");
    insta::assert_snapshot!(text);
}

#[test]
fn unreadable_source_names_the_file() {
    let error = Source::from_file("/nonexistent/kernel.cl").expect_err("there is no such file");
    insta::assert_snapshot!(error.to_string());
}

#[test]
fn only_the_selected_kernel_is_checked() {
    let text = "float weigh(float);\nkernel void bad(global float *x) { *x = weigh(*x); }\n\
                kernel void good(global float *x) { *x += 1; }\n";
    let selected = Options {
        kernels: vec!["good".to_owned()],
        ..Options::default()
    };
    let ir = llvm_ir(&Source::from_text("kernel.cl", text), &selected)
        .expect("the good kernel compiles");
    assert!(!ir.contains("@bad"), "{ir}");
}

#[test]
fn what_the_device_lacks_is_named_with_help() {
    let refuse_2 = |text| render(&refuse_with(&options(&["-cl-std=CL2.0"]), text));
    let sampler = "kernel void k(sampler_t how, global int *to) {\n    to[0] = 1;\n}\n";
    let queue = "kernel void k(queue_t others, global int *to) {\n    to[0] = 1;\n}\n";
    let enqueued = "kernel void k(global int *x) {\n    enqueue_kernel(get_default_queue(), \
         CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1),\n                   ^{ x[0] = 1; });\n}\n";
    let block = "kernel void k(global int *x) {\n    int (^next)(int) = ^(int y) { return y + 1; };\n    \
         *x = next(*x);\n}\n";
    let mut all = refuse(sampler);
    for text in [queue, enqueued, block] {
        all += &refuse_2(text);
    }
    for text in [
        "kernel void k(global int *x) {\n    long double y = *x;\n    *x = y * y;\n}\n",
        "kernel void k(constant char *format) {\n    printf(format, 1);\n}\n",
    ] {
        let read = compile(&Source::from_text("kernel.cl", text), &Options::default());
        all += &render(&read.expect_err("the program is refused"));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn help_follows_clangs_own_errors() {
    let programs = [
        "int twice(int x) { return 2 * x; }\nconstant int (*table[1])(int) = {twice};\nkernel void k(global int *x) { *x = table[0](*x); }\n",
        "int sum(int n, ...) { return n; }\nkernel void k(global int *x) { *x = sum(1, 2); }\n",
        "kernel void k(global int *x, int n) { int y[n]; y[0] = *x; *x = y[n - 1]; }\n",
        "kernel void k(global int *x, int n) { int *y = __builtin_alloca(n); *x = *y; }\n",
        "kernel void k(global int *x) { int *y = malloc(4); *x = *y; }\n",
        "global int count;\nkernel void k(global int *x) { *x = count++; }\n",
        "kernel void k(global int *x) { static int n; *x = n++; }\n",
        "kernel void k(global int *x) { *x = sub_group_reduce_add(*x); }\n",
        "kernel void k(global float *x) { atomic_add(x, 1.0f); }\n",
        "kernel void k(global ulong *x) { __int128 y = *x; *x = y >> 64; }\n",
        "kernel void k(global int *x) { bool4 y = x[0] > 1; *x = y.x; }\n",
        "kernel void k(global int *x, size_t n) { *x = n; }\n",
        "kernel void k(global int *global *x) { **x = 1; }\n",
        "class A { int x; };\nkernel void k(global int *x) { *x = 1; }\n",
        "template <typename T> T twice(T x) { return x + x; }\nkernel void k(global int *x) { *x = 1; }\n",
        "channel int c;\nkernel void k(global int *x) { *x = read_channel_intel(c); }\n",
        "kernel void k(read_only pipe int from, global int *x) { read_pipe(from, x); }\n",
    ];
    let mut all = String::new();
    for text in programs {
        let error = refuse_with(&Options::default(), text);
        assert!(matches!(error, Error::Rejected { .. }), "{error:?}");
        let text = error.to_string();
        let told = text
            .lines()
            .filter(|line| line.contains("error: ") || line.starts_with("help: "));
        told.for_each(|line| all += &format!("{line}\n"));
        all += "\n";
    }
    let text = "kernel void k(global int *x) { enqueue_kernel(x); }\n";
    let error = refuse_with(&options(&["-cl-std=CL3.0"]), text).to_string();
    all += &format!("{error}\n");
    insta::assert_snapshot!(all);
}

#[test]
fn unknown_language_version() {
    insta::assert_snapshot!(render(&refuse_with(
        &options(&["-cl-std=CL2.1"]),
        "kernel void k() {}\n"
    )));
}

#[test]
fn a_clang_that_crashes_names_the_location() {
    let crashing = Options {
        clang: Some(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/crashing-clang").into()),
        ..Options::default()
    };
    let error = refuse_with(&crashing, "kernel void k() {}\n");
    assert!(matches!(error, Error::ClangCrashed { .. }), "{error:?}");
    let text = error.to_string().replace(env!("CARGO_MANIFEST_DIR"), "");
    insta::assert_snapshot!(text);
}
