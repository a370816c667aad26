//! Compiling apart and linking.

use std::ptr::{null, null_mut};

use crate::builds::*;
use crate::callbacks::{Calls, note};
use crate::support::*;
use opencl_sys::*;

const STORE: &str = "kernel void store(global int *out) { out[0] = 23; }";
/// A kernel that needs a function of another part.
const CALLER: &str = "int f(int x);
    kernel void store(global int *out) { out[0] = f(20); }";
const CALLEE: &str = "int f(int x) { return x + 5; }";

#[test]
fn parts_that_were_compiled_apart_are_linked_to_a_program() {
    let session = Session::new();
    let (caller, callee) = (object(&session, CALLER), object(&session, CALLEE));
    for part in [&caller, &callee] {
        assert_eq!(status(&session, **part), CL_BUILD_SUCCESS);
        assert_eq!(
            kind(&session, **part),
            CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT
        );
        assert_refused!(
            CL_INVALID_PROGRAM_EXECUTABLE,
            clCreateKernel(**part, c"store".as_ptr())
        );
    }
    let program = linked(&session, "", &[&caller, &callee]);
    assert_eq!(status(&session, *program), CL_BUILD_SUCCESS);
    assert_eq!(kind(&session, *program), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_eq!(text(clGetProgramInfo, *program, CL_PROGRAM_SOURCE), "");
    let devices = infos::<cl_device_id>(clGetProgramInfo, *program, CL_PROGRAM_DEVICES);
    assert_eq!(devices, [session.device]);
    let context: cl_context = info(clGetProgramInfo, *program, CL_PROGRAM_CONTEXT);
    assert_eq!(context, *session.context);
    assert_eq!(stored(&session, *program), 25);
    // The parts may be used again.
    assert_eq!(
        stored(&session, *linked(&session, "", &[&callee, &caller])),
        25
    );
}

#[test]
fn a_single_part_is_linked_to_a_program() {
    let session = Session::new();
    let program = linked(&session, "", &[&object(&session, STORE)]);
    assert_eq!(stored(&session, *program), 23);
}

#[test]
fn a_library_is_linked_like_a_part() {
    let session = Session::new();
    let more = object(&session, "int g(int x) { return 2 * x; }");
    let library = linked(
        &session,
        "-create-library",
        &[&object(&session, CALLEE), &more],
    );
    assert_eq!(kind(&session, *library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    assert_eq!(status(&session, *library), CL_BUILD_SUCCESS);
    assert_refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(*library, c"store".as_ptr())
    );
    let caller = object(
        &session,
        "int f(int x); int g(int x);
        kernel void store(global int *out) { out[0] = g(f(1)); }",
    );
    let program = linked(&session, "", &[&caller, &library]);
    assert_eq!(stored(&session, *program), 12);
    let enabled = "-create-library -enable-link-options";
    drop(linked(&session, enabled, &[&object(&session, CALLEE)]));
}

#[test]
fn embedded_headers_are_included_by_their_names() {
    let session = Session::new();
    let value = session.program("#include \"inner/more.h\"\n#define VALUE (MORE + 1)\n");
    let more = session.program("#define MORE 60\n");
    let source = "#include \"value.h\"\n#include <inner/more.h>
        kernel void store(global int *out) { out[0] = VALUE + MORE; }";
    let program = session.program(source);
    let headers = [("value.h", &value), ("inner/more.h", &more)];
    let code = compile(*program, "", &headers);
    assert_eq!(code, CL_SUCCESS, "{}", session.log(*program));
    assert_eq!(stored(&session, *linked(&session, "", &[&program])), 121);
    // Other headers, another object.
    let other = session.program("#define MORE 1000\n");
    assert_eq!(
        compile(
            *program,
            "",
            &[("value.h", &value), ("inner/more.h", &other)]
        ),
        CL_SUCCESS
    );
    assert_eq!(stored(&session, *linked(&session, "", &[&program])), 2001);
    assert_eq!(
        compile(*program, "", &headers[..1]),
        CL_COMPILE_PROGRAM_FAILURE
    );
    assert!(
        session.log(*program).contains("more.h"),
        "{}",
        session.log(*program)
    );
}

#[test]
fn a_failed_compilation_has_a_status_and_a_log() {
    let session = Session::new();
    let program = session.program("kernel void store(global int *out) { out[0] = nowhere; }");
    assert_eq!(compile(*program, "", &[]), CL_COMPILE_PROGRAM_FAILURE);
    assert_eq!(status(&session, *program), CL_BUILD_ERROR);
    assert_eq!(kind(&session, *program), CL_PROGRAM_BINARY_TYPE_NONE);
    assert!(session.log(*program).contains("nowhere"));
    assert_eq!(link(&session, "", &[&program]).1, CL_INVALID_OPERATION);
}

#[test]
fn compile_options_are_checked_and_kept() {
    let session = Session::new();
    let program = session.program("kernel void store(global int *out) { out[0] = VALUE; }");
    assert_eq!(
        compile(*program, "-frobnicate", &[]),
        CL_INVALID_COMPILER_OPTIONS
    );
    assert_eq!(compile(*program, "-DVALUE=34", &[]), CL_SUCCESS);
    let options = build_info(&session, *program, CL_PROGRAM_BUILD_OPTIONS);
    assert_eq!(options, b"-DVALUE=34\0");
    assert_eq!(stored(&session, *linked(&session, "", &[&program])), 34);
}

#[test]
fn compiling_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let (program, header) = (session.program(STORE), session.program("#define A 1"));
    let (program, header) = (*program, *header);
    let device = session.device;
    let name = c"a.h".as_ptr();
    let call =
        |program, count, devices: *const cl_device_id, headers, list: *const cl_program, names| {
            call!(clCompileProgram(
                program,
                count,
                devices,
                null(),
                headers,
                list,
                names,
                None,
                null_mut()
            ))
        };
    let names = &raw const name;
    assert_eq!(
        call(null_mut(), 0, null(), 0, null(), null()),
        CL_INVALID_PROGRAM
    );
    assert_eq!(
        call(*session.queue, 0, null(), 0, null(), null()),
        CL_INVALID_PROGRAM
    );
    assert_eq!(
        call(program, 1, null(), 0, null(), null()),
        CL_INVALID_VALUE
    );
    assert_eq!(
        call(program, 0, &device, 0, null(), null()),
        CL_INVALID_VALUE
    );
    assert_eq!(
        call(program, 1, &*session.queue, 0, null(), null()),
        CL_INVALID_DEVICE
    );
    assert_eq!(
        call(program, 0, null(), 0, &header, null()),
        CL_INVALID_VALUE
    );
    assert_eq!(call(program, 0, null(), 0, null(), names), CL_INVALID_VALUE);
    assert_eq!(call(program, 0, null(), 1, null(), names), CL_INVALID_VALUE);
    assert_eq!(
        call(program, 0, null(), 1, &header, null()),
        CL_INVALID_VALUE
    );
    let mut data = 0_u32;
    let data = (&raw mut data).cast();
    assert_code!(
        CL_INVALID_VALUE,
        clCompileProgram(program, 0, null(), null(), 0, null(), null(), None, data)
    );
    assert_eq!(call(program, 1, &device, 1, &header, names), CL_SUCCESS);
}

#[test]
fn a_link_that_misses_something_fails_with_a_log() {
    let session = Session::new();
    let (caller, callee) = (object(&session, CALLER), object(&session, CALLEE));
    let (program, code) = link(&session, "", &[&caller]);
    assert_eq!(code, CL_LINK_PROGRAM_FAILURE);
    if let Some(program) = program {
        assert_eq!(status(&session, *program), CL_BUILD_ERROR);
        assert!(
            session.log(*program).contains('f'),
            "{}",
            session.log(*program)
        );
    }
    let again = object(&session, "int f(int x) { return x; }");
    let (_, code) = link(&session, "", &[&caller, &callee, &again]);
    assert_eq!(code, CL_LINK_PROGRAM_FAILURE, "two of the same name");
}

#[test]
fn every_link_option_is_taken_and_no_other() {
    let session = Session::new();
    let part = object(&session, STORE);
    let options = [
        "-cl-denorms-are-zero",
        "-cl-no-signed-zeros",
        "-cl-unsafe-math-optimizations",
        "-cl-finite-math-only",
        "-cl-fast-relaxed-math",
        "-cl-no-subgroup-ifp",
    ];
    for option in options {
        assert_eq!(
            stored(&session, *linked(&session, option, &[&part])),
            23,
            "{option}"
        );
    }
    for option in ["-frobnicate", "-DVALUE=1"] {
        let (program, code) = link(&session, option, &[&part]);
        assert_eq!(
            (program.is_none(), code),
            (true, CL_INVALID_LINKER_OPTIONS),
            "{option}"
        );
    }
}

#[test]
fn linking_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let part = object(&session, STORE);
    let (context, device, part) = (*session.context, session.device, *part);
    let refused =
        |code, context, count, devices: *const cl_device_id, inputs, list: *const cl_program| {
            assert_refused!(
                code,
                clLinkProgram(
                    context,
                    count,
                    devices,
                    null(),
                    inputs,
                    list,
                    None,
                    null_mut()
                )
            );
        };
    refused(CL_INVALID_CONTEXT, null_mut(), 0, null(), 1, &part);
    refused(CL_INVALID_CONTEXT, *session.queue, 0, null(), 1, &part);
    refused(CL_INVALID_VALUE, context, 1, null(), 1, &part);
    refused(CL_INVALID_VALUE, context, 0, &device, 1, &part);
    refused(CL_INVALID_DEVICE, context, 1, &context, 1, &part);
    refused(CL_INVALID_VALUE, context, 0, null(), 0, null());
    refused(CL_INVALID_VALUE, context, 0, null(), 1, null());
    refused(CL_INVALID_VALUE, context, 0, null(), 0, &part);
    refused(
        CL_INVALID_PROGRAM,
        context,
        0,
        null(),
        2,
        [part, null_mut()].as_ptr(),
    );
    refused(CL_INVALID_PROGRAM, context, 0, null(), 1, &*session.queue);
    let never_compiled = session.program(STORE);
    refused(
        CL_INVALID_OPERATION,
        context,
        0,
        null(),
        2,
        [part, *never_compiled].as_ptr(),
    );
    let mut data = 0_u32;
    let data = (&raw mut data).cast();
    assert_refused!(
        CL_INVALID_VALUE,
        clLinkProgram(context, 0, null(), null(), 1, &part, None, data)
    );
}

#[test]
fn compilations_and_links_call_back_when_they_have_ended() {
    let session = Session::new();
    let calls = Calls::new();
    let program = session.program(STORE);
    let data = calls.data(1);
    assert_code!(
        CL_SUCCESS,
        clCompileProgram(
            *program,
            0,
            null(),
            null(),
            0,
            null(),
            null(),
            Some(note),
            data
        )
    );
    assert_eq!(calls.next(), 1);
    assert_eq!(status(&session, *program), CL_BUILD_SUCCESS);
    let data = calls.data(2);
    let made = make!(clLinkProgram(
        *session.context,
        0,
        null(),
        null(),
        1,
        &*program,
        Some(note),
        data
    ));
    let linked = Owned::new(made.expect("a program"), clReleaseProgram);
    assert_eq!(calls.next(), 2);
    assert_eq!(status(&session, *linked), CL_BUILD_SUCCESS);
    assert_eq!(stored(&session, *linked), 23);
    assert_eq!(calls.seen(), None);
}
