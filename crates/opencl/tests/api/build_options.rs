//! Options of builds.

use crate::builds::*;
use crate::support::*;
use opencl_sys::*;

/// A kernel that stores what `VALUE` is defined to be.
const VALUE: &str = "kernel void store(global int *out) { out[0] = VALUE; }";

#[test]
fn warnings_are_in_the_log_of_a_build_that_works() {
    let session = Session::new();
    let source = "#warning slippery\nkernel void store(global int *out) { out[0] = 7; }";
    for (options, is_said) in [("", true), ("-w", false)] {
        let program = session.build_with(source, options);
        let log = session.log(*program);
        assert_eq!(log.contains("slippery"), is_said, "{options}: {log}");
        assert_eq!(stored(&session, *program), 7);
    }
    let program = session.program(source);
    assert_eq!(build(*program, "-Werror"), CL_BUILD_PROGRAM_FAILURE);
}

#[test]
fn macros_can_be_defined_in_every_way_of_writing_them() {
    let session = Session::new();
    let cases = [
        ("-DVALUE=5", 5),
        ("-D VALUE=5", 5),
        ("  -D   VALUE=5  ", 5),
        ("-D\tVALUE=6", 6),
        ("-DVALUE", 1),
        ("-D VALUE=\"3 + 4\"", 7),
        ("-D \"VALUE=3 + 5\"", 8),
        ("-D 'VALUE=3 + 6'", 9),
        ("-DVALUE=3\\ +\\ 7", 10),
        ("-DVALUE=VAL2 -DVAL2=11", 11),
        ("-DVALUE=1 -UVALUE -DVALUE=12", 12),
        ("-DVALUE=sizeof(\\\"four\\\")", 5),
        ("-DVALUE=f(13) -D'f(x)=(x)'", 13),
    ];
    for (options, expected) in cases {
        let program = session.build_with(VALUE, options);
        assert_eq!(stored(&session, *program), expected, "{options}");
        assert_eq!(
            build_text(&session, *program, CL_PROGRAM_BUILD_OPTIONS),
            options
        );
    }
}

#[test]
fn headers_are_found_where_the_options_say() {
    let session = Session::new();
    let folder = std::env::temp_dir().join(format!("sluice headers {}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    std::fs::write(folder.join("value.h"), "#define VALUE 77\n").expect("as above");
    let source = format!("#include \"value.h\"\n{VALUE}");
    for options in [
        format!("-I \"{}\"", folder.display()),
        format!("-I'{}'", folder.display()),
    ] {
        let program = session.build_with(&source, &options);
        assert_eq!(stored(&session, *program), 77);
    }
    let program = session.program(&source);
    assert_eq!(build(*program, ""), CL_BUILD_PROGRAM_FAILURE);
    assert!(session.log(*program).contains("value.h"));
    std::fs::remove_dir_all(&folder).expect("it is there");
}

#[test]
fn every_standard_option_is_taken() {
    let session = Session::new();
    let options = [
        "-cl-single-precision-constant",
        "-cl-denorms-are-zero",
        "-cl-fp32-correctly-rounded-divide-sqrt",
        "-cl-opt-disable",
        "-cl-strict-aliasing",
        "-cl-uniform-work-group-size",
        "-cl-no-subgroup-ifp",
        "-cl-mad-enable",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-kernel-arg-info",
        "-w",
        "-Werror",
        "-g",
        "-cl-std=CL1.1",
        "-cl-std=CL1.2",
        "-cl-std=CL3.0",
    ];
    for option in options {
        let program = session.program(VALUE);
        let code = build(*program, &format!("{option} -DVALUE=21"));
        assert_eq!(code, CL_SUCCESS, "{option}: {}", session.log(*program));
        assert_eq!(stored(&session, *program), 21, "{option}");
    }
}

#[test]
fn options_that_are_none_are_refused() {
    let session = Session::new();
    for options in [
        "-cl-no-such-option",
        "-frobnicate",
        "-cl-std=CL9.9",
        "nonsense.c",
    ] {
        let program = session.program("kernel void store(global int *out) { out[0] = 1; }");
        assert_eq!(
            build(*program, options),
            CL_INVALID_BUILD_OPTIONS,
            "{options}"
        );
    }
}
