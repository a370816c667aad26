//! What each build option changes: the operations of small kernels with it and without it. Without it, nothing
//! may be changed that the option would allow.

use sluice_frontend::{Compiled, Error, Options, Source, compile};

fn build(text: &str, arguments: &[&str]) -> Result<Compiled, Error> {
    let options = Options {
        clang_args: arguments.iter().map(ToString::to_string).collect(),
        ..Options::default()
    };
    compile(&Source::from_text("kernel.cl", text), &options)
}

/// The IR of the only kernel.
fn kernel(text: &str, arguments: &[&str]) -> String {
    let compiled = build(text, arguments).unwrap_or_else(|error| panic!("{error}"));
    compiled.kernels[0].to_string()
}

/// How often an operation stands in the kernel of that body, which has `x` and `y` to read and write.
fn count(operation: &str, body: &str, arguments: &[&str]) -> usize {
    let text = format!("kernel void k(global float *x, global double *y) {{ {body} }}\n");
    let text = kernel(&text, arguments);
    let lines = text.lines().filter_map(|line| line.split_once(" = "));
    lines
        .filter(|(_, right)| right.split(' ').next() == Some(operation))
        .count()
}

/// The value of an expression of the preprocessor, as the constant that the kernel stores.
fn is_defined(name: &str, arguments: &[&str]) -> bool {
    let text =
        format!("#ifdef {name}\nkernel void yes() {{}}\n#else\nkernel void no() {{}}\n#endif\n");
    kernel(&text, arguments).contains("\"yes\"")
}

const RELAXED: &[&str] = &["-cl-fast-relaxed-math"];

#[test]
fn relaxed_options_define_their_macros() {
    for name in ["__FAST_RELAXED_MATH__", "__FINITE_MATH_ONLY__"] {
        assert!(is_defined(name, RELAXED), "{name}");
    }
    assert!(!is_defined("__FAST_RELAXED_MATH__", &[]));
    let finite = |arguments: &[&str]| {
        let text = "#if __FINITE_MATH_ONLY__ == 1\nkernel void yes() {}\n#else\nkernel void no() {}\n#endif\n";
        kernel(text, arguments).contains("\"yes\"")
    };
    assert!(finite(&["-cl-finite-math-only"]) && finite(RELAXED));
    assert!(!finite(&[]) && !finite(&["-cl-mad-enable"]));
}

#[test]
fn relaxed_functions_of_float_are_native_where_their_bound_is_absolute() {
    let body = "x[0] = sin(x[1]) + exp(x[2]);";
    let used = |name, arguments| count(name, body, arguments);
    assert_eq!((used("sin", &[]), used("native_sin", &[])), (1, 0));
    assert_eq!((used("sin", RELAXED), used("native_sin", RELAXED)), (0, 1));
    assert_eq!((used("exp", &[]), used("exp", RELAXED)), (1, 1));
}

#[test]
fn products_and_sums_are_fused_where_allowed() {
    let body = "x[0] = x[1] * x[2] + x[3];";
    assert_eq!(count("fma", body, &[]), 0);
    for option in [
        "-cl-mad-enable",
        "-cl-unsafe-math-optimizations",
        "-cl-fast-relaxed-math",
    ] {
        assert_eq!(count("fma", body, &[option]), 1, "{option}");
    }
    for option in ["-cl-finite-math-only", "-cl-no-signed-zeros", "-w"] {
        assert_eq!(count("fma", body, &[option]), 0, "{option}");
    }
    let mad = "x[0] = mad(x[1], x[2], x[3]);";
    assert_eq!(count("fma", mad, &["-cl-mad-enable"]), 1);
}

#[test]
fn sums_are_reassociated_where_allowed() {
    let body = "x[0] = (x[1] + 1.0f) - 1.0f;";
    assert_eq!(count("fadd", body, &[]) + count("fsub", body, &[]), 2);
    for option in ["-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"] {
        assert_eq!(count("fadd", body, &[option]), 0, "{option}");
        assert_eq!(count("fsub", body, &[option]), 0, "{option}");
    }
}

#[test]
fn zeros_may_lose_their_sign_where_allowed() {
    let body = "x[0] = x[1] + 0.0f;";
    assert_eq!(count("fadd", body, &[]), 1);
    for option in [
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-fast-relaxed-math",
    ] {
        assert_eq!(count("fadd", body, &[option]), 0, "{option}");
    }
    assert_eq!(count("fadd", body, &["-cl-finite-math-only"]), 1);
}

#[test]
fn there_are_no_infinities_and_nans_where_the_options_say_so() {
    let compared = "x[0] = x[1] == x[1] ? 1.0f : 2.0f;";
    let comparisons = |options: &[&str]| {
        ["foeq", "fuo", "ford", "funo", "fune"].map(|name| count(name, compared, options))
    };
    assert_eq!(comparisons(&[]).iter().sum::<usize>(), 1);
    for option in ["-cl-finite-math-only", "-cl-fast-relaxed-math"] {
        assert_eq!(comparisons(&[option]).iter().sum::<usize>(), 0, "{option}");
    }
    let product = "x[0] = x[1] * 0.0f;";
    assert_eq!(count("fmul", product, &[]), 1);
    assert_eq!(count("fmul", product, RELAXED), 0);
}

#[test]
fn constants_are_single_where_the_option_says_so() {
    let body = "x[0] = x[1] * 0.1;";
    assert_eq!(count("fpext", body, &[]), 1);
    assert_eq!(count("fpext", body, &["-cl-single-precision-constant"]), 0);
}

#[test]
fn division_is_correctly_rounded_with_the_option_and_without() {
    let text = "kernel void k(global float *x) { x[0] = sqrt(x[1] / x[2]); }\n";
    let option = "-cl-fp32-correctly-rounded-divide-sqrt";
    assert_eq!(kernel(text, &[]), kernel(text, &[option]));
}

#[test]
fn kernels_say_whether_they_flush_subnormals() {
    let text = "kernel void k(global float *x) { x[0] *= x[1]; }\n";
    let line = "subnormals flushed\n";
    for option in [
        "-cl-denorms-are-zero",
        "-cl-unsafe-math-optimizations",
        "-cl-fast-relaxed-math",
    ] {
        assert!(kernel(text, &[option]).contains(line), "{option}");
    }
    for option in ["-w", "-cl-mad-enable", "-cl-finite-math-only"] {
        assert!(!kernel(text, &[option]).contains(line), "{option}");
    }
}

#[test]
fn kernels_say_whether_sums_may_be_reassociated() {
    let text = "kernel void k(global float *x) { x[0] += x[1]; }\n";
    let line = "reassociation allowed\n";
    for option in ["-cl-unsafe-math-optimizations", "-cl-fast-relaxed-math"] {
        assert!(kernel(text, &[option]).contains(line), "{option}");
    }
    for option in [
        "-w",
        "-cl-mad-enable",
        "-cl-finite-math-only",
        "-cl-denorms-are-zero",
    ] {
        assert!(!kernel(text, &[option]).contains(line), "{option}");
    }
}

#[test]
fn nothing_is_merged_without_optimisation() {
    let body = "float a = x[1] * x[2], b = x[1] * x[2]; x[0] = a + b;";
    assert_eq!(count("fmul", body, &[]), 1);
    assert_eq!(count("fmul", body, &["-cl-opt-disable"]), 2);
    let unrolled = "float s = 0; for (int i = 1; i < 4; i++) s += x[i]; x[0] = s;";
    assert_eq!(count("load", unrolled, &[]), 3);
    assert_eq!(count("load", unrolled, &["-cl-opt-disable"]), 1);
}

#[test]
fn an_unroll_hint_is_followed_or_a_warning() {
    let text = |body: &str| {
        format!(
            "kernel void k(global int *x, int n) {{\n  int s = 0;\n#pragma unroll 2\n{body}\n  x[0] = s;\n}}\n"
        )
    };
    let followed = text("  for (int i = 0; i < n; i++) s = s * 3 + x[i];");
    let built = build(&followed, &[]).expect("it compiles");
    assert_eq!(built.warnings, "");
    let barrier = "  for (int i = 0; i < n; i++) { s += x[i]; barrier(CLK_LOCAL_MEM_FENCE); }";
    let built = build(&text(barrier), &[]).expect("it compiles");
    let warning = ":4:3: warning: LLVM does not unroll this loop as the hint asks\nhelp: ";
    assert!(built.warnings.contains(warning), "{}", built.warnings);
    assert_eq!(built.warnings.lines().count(), 2, "{}", built.warnings);
}

#[test]
fn warnings_are_told_silenced_or_errors() {
    let text = "#warning odd\nkernel void k(global float *x) { x[0] = 1; }\n";
    let told = build(text, &[]).expect("it is only a warning");
    assert!(told.warnings.contains("odd"), "{}", told.warnings);
    let silent = build(text, &["-w"]).expect("it is only a warning");
    assert_eq!(silent.warnings, "");
    let error = build(text, &["-Werror"]).expect_err("now it is an error");
    assert!(matches!(error, Error::Rejected { .. }), "{error:?}");
}

/// Options that are accepted must not be warnings of clang's, which `-Werror` makes errors.
#[test]
fn options_by_themselves_cause_no_warning() {
    let text = "kernel void k(global float *x) { x[0] = x[1] * x[2] + x[3] / x[4]; }\n";
    for option in [
        "-cl-denorms-are-zero",
        "-cl-fast-relaxed-math",
        "-cl-finite-math-only",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-kernel-arg-info",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-opt-disable",
        "-cl-single-precision-constant",
        "-cl-strict-aliasing",
        "-cl-uniform-work-group-size",
        "-cl-unsafe-math-optimizations",
        "-cl-no-subgroup-ifp",
        "-cl-ext=-cl_khr_fp16",
        "-cl-std=CL1.0",
        "-cl-std=CL1.1",
        "-cl-std=CL1.2",
        "-cl-std=CL2.0",
        "-cl-std=CL3.0",
        "-DX=1",
        "-I.",
        "-w",
    ] {
        let built = build(text, &["-Werror", option]);
        let built = built.unwrap_or_else(|error| panic!("{option}: {error}"));
        assert_eq!(built.warnings, "", "{option}");
    }
}

#[test]
fn an_extension_can_be_taken_away() {
    assert!(is_defined("cl_khr_fp16", &[]));
    assert!(!is_defined("cl_khr_fp16", &["-cl-ext=-cl_khr_fp16"]));
}

#[test]
fn languages_have_their_version_and_the_device_its_own() {
    let version = |standard: &str, wanted: u32| {
        let text = format!(
            "#if __OPENCL_C_VERSION__ == {wanted} && __OPENCL_VERSION__ == 300\n\
             kernel void yes() {{}}\n#else\nkernel void no() {{}}\n#endif\n"
        );
        kernel(&text, &[standard]).contains("\"yes\"")
    };
    for (standard, wanted) in [
        ("-cl-std=CL1.1", 110),
        ("-cl-std=CL1.2", 120),
        ("-cl-std=CL2.0", 200),
        ("-cl-std=CL3.0", 300),
    ] {
        assert!(version(standard, wanted), "{standard}");
    }
}
