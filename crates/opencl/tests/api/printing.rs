//! What kernels print comes out where the program itself prints, when the command has ended.

use std::process::Command;

use crate::support::*;
use opencl_sys::*;

/// Tells a test that it is the process whose output is looked at.
const CHILD: &str = "SLUICE_TEST_PRINTS";

/// What the test of this name prints between its marks when it runs in a process of its own.
fn printed_by(test: &str) -> String {
    let program = std::env::current_exe().expect("a test has a file");
    let output = Command::new(program)
        .args([
            "--exact",
            &format!("printing::{test}"),
            "--nocapture",
            "--test-threads=1",
        ])
        .env(CHILD, "1")
        .output()
        .expect("the test can be run");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let between = text
        .split_once("<<<")
        .and_then(|(_, rest)| rest.split_once(">>>"));
    between.expect("both marks").0.to_owned()
}

/// Prints where the kernels do.
fn print(text: &str) {
    let text = std::ffi::CString::new(text).expect("no zeros");
    // SAFETY: the format has one string.
    unsafe {
        libc::printf(c"%s".as_ptr(), text.as_ptr());
    }
}

/// In a process of its own: runs the kernel between the marks. Here: checks what was printed there.
fn check_printed(test: &str, source: &str, items: usize, expected: &str) {
    if std::env::var_os(CHILD).is_none() {
        assert_eq!(printed_by(test), expected);
        return;
    }
    let session = Session::new();
    let program = session.build(source);
    let say = kernel(*program, "say");
    print("<<<");
    drop(session.launch(*say, items));
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
    print(">>>");
    // SAFETY: flushes every stream.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

#[test]
fn every_conversion_prints_as_in_c() {
    let source = r#"kernel void say() {
        printf("%d %i %u %o %x %X|", -5, 6, 7u, 8, 0xab, 0xcd);
        printf("%5d|%-5d|%05d|%+d|% d|%#x|%.3d|", 42, 42, 42, 42, 42, 42, 7);
        printf("%c%c|%s|%%|", 'o', 'k', "text");
        printf("%ld %lu %hd %hhd|", -1L << 40, 1UL << 63, (short)-3, (char)-4);
        printf("%f %.2f %e %g %a|", 1.5f, 2.25f, 1000.0f, 0.5f, 1.0f);
        printf("%f %F|", INFINITY, -INFINITY);
        printf("\n");
    }"#;
    let expected = concat!(
        "-5 6 7 10 ab CD|",
        "   42|42   |00042|+42| 42|0x2a|007|",
        "ok|text|%|",
        "-1099511627776 9223372036854775808 -3 -4|",
        "1.500000 2.25 1.000000e+03 0.5 0x1p+0|",
        "inf -INF|\n"
    );
    check_printed("every_conversion_prints_as_in_c", source, 1, expected);
}

#[test]
fn vectors_print_their_lanes() {
    let source = r#"kernel void say() {
        printf("%v4d|%v2hlx|%v3hhd|", (int4)(1, -2, 3, -4), (uint2)(10, 255), (char3)(1, 2, 3));
        printf("%v4hlf|%v2hlg|%.1v2hlf", (float4)(1, 2, 3, 4), (float2)(0.5f, 8), (float2)(1, 2));
    }"#;
    let expected = "1,-2,3,-4|a,ff|1,2,3|1.000000,2.000000,3.000000,4.000000|0.5,8|1.0,2.0";
    check_printed("vectors_print_their_lanes", source, 1, expected);
}

#[test]
fn every_work_item_prints_its_lines_whole() {
    if std::env::var_os(CHILD).is_some() {
        let source =
            r#"kernel void say() { printf("item %d has %d\n", (int)get_global_id(0), 7); }"#;
        check_printed("", source, 8, "");
        return;
    }
    let printed = printed_by("every_work_item_prints_its_lines_whole");
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    let expected: Vec<String> = (0..8).map(|at| format!("item {at} has 7")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn as_much_can_be_printed_as_the_device_says() {
    let test = "as_much_can_be_printed_as_the_device_says";
    let most = info::<usize>(clGetDeviceInfo, device().1, CL_DEVICE_PRINTF_BUFFER_SIZE);
    let lines = most.div_ceil(4096);
    if std::env::var_os(CHILD).is_some() {
        let source = r#"kernel void say() { printf("%4095u\n", (uint)get_global_id(0)); }"#;
        check_printed("", source, lines, "");
        return;
    }
    let printed = printed_by(test);
    let mut numbers: Vec<usize> = printed
        .lines()
        .map(|line| {
            assert_eq!(line.len(), 4095);
            line.trim_start().parse().expect("a number")
        })
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, Vec::from_iter(0..lines));
}

#[test]
fn commands_print_in_their_order_and_between_what_the_program_prints() {
    let test = "commands_print_in_their_order_and_between_what_the_program_prints";
    if std::env::var_os(CHILD).is_none() {
        assert_eq!(printed_by(test), "a0b1c2d");
        return;
    }
    let session = Session::new();
    let program = session.build(r#"kernel void say(int what) { printf("%d", what); }"#);
    let say = kernel(*program, "say");
    print("<<<");
    for (at, letter) in ["a", "b", "c"].into_iter().enumerate() {
        print(letter);
        set_argument(*say, 0, at as i32);
        drop(session.launch(*say, 1));
        assert_code!(CL_SUCCESS, clFinish(*session.queue));
    }
    print("d>>>");
    // SAFETY: flushes every stream.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}
