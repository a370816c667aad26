//! Programs built, compiled apart and linked, and what becomes of them.

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::support::*;

/// What the kernel `store` stores.
pub fn stored(session: &Session, program: cl_program) -> u32 {
    let (out, store) = (session.buffer(&[0]), kernel(program, "store"));
    set_argument(*store, 0, *out);
    drop(session.launch(*store, 1));
    session.read(*out, 1)[0]
}

/// The answer to a query of a build.
pub fn build_info(session: &Session, program: cl_program, name: cl_uint) -> Vec<u8> {
    let bytes = answer(|size, room, written| {
        call!(clGetProgramBuildInfo(
            program,
            session.device,
            name,
            size,
            room,
            written
        ))
    });
    bytes.expect("an answer")
}

/// How a build went.
pub fn status(session: &Session, program: cl_program) -> cl_build_status {
    values(&build_info(session, program, CL_PROGRAM_BUILD_STATUS))[0]
}

/// What a build made.
pub fn kind(session: &Session, program: cl_program) -> cl_program_binary_type {
    values(&build_info(session, program, CL_PROGRAM_BINARY_TYPE))[0]
}

/// Compiles a program, with headers by the names that they are included by.
pub fn compile(program: cl_program, options: &str, headers: &[(&str, &Owned)]) -> cl_int {
    let options = CString::new(options).expect("no zeros");
    let names = headers
        .iter()
        .map(|(name, _)| CString::new(*name).expect("no zeros"));
    let names: Vec<CString> = names.collect();
    let names: Vec<*const c_char> = names.iter().map(|name| name.as_ptr()).collect();
    let programs: Vec<cl_program> = headers.iter().map(|(_, program)| ***program).collect();
    let (names, programs) = match headers.is_empty() {
        true => (null(), null()),
        false => (names.as_ptr(), programs.as_ptr()),
    };
    let count = headers.len() as cl_uint;
    call!(clCompileProgram(
        program,
        0,
        null(),
        options.as_ptr(),
        count,
        programs,
        names,
        None,
        null_mut()
    ))
}

/// A program that was compiled and not linked.
pub fn object(session: &Session, source: &str) -> Owned {
    let program = session.program(source);
    let code = compile(*program, "", &[]);
    assert_eq!(code, CL_SUCCESS, "{}", session.log(*program));
    program
}

/// A link gives a program, or a code, or both if there is a log to be had.
pub fn link(session: &Session, options: &str, inputs: &[&Owned]) -> (Option<Owned>, cl_int) {
    let inputs: Vec<cl_program> = inputs.iter().map(|input| ***input).collect();
    let options = CString::new(options).expect("no zeros");
    let mut code = 1;
    let linked = call!(clLinkProgram(
        *session.context,
        0,
        null(),
        options.as_ptr(),
        inputs.len() as cl_uint,
        inputs.as_ptr(),
        None,
        null_mut(),
        &mut code
    ));
    let linked = (!linked.is_null()).then(|| Owned::new(linked, clReleaseProgram));
    (linked, code)
}

/// What a link that works gives.
pub fn linked(session: &Session, options: &str, inputs: &[&Owned]) -> Owned {
    let (program, code) = link(session, options, inputs);
    let log = program.as_ref().map(|program| session.log(**program));
    assert_eq!(code, CL_SUCCESS, "{log:?}");
    program.expect("a program")
}

/// Builds a program.
pub fn build(program: cl_program, options: &str) -> cl_int {
    let options = CString::new(options).expect("no zeros in options");
    call!(clBuildProgram(
        program,
        0,
        null(),
        options.as_ptr(),
        None,
        null_mut()
    ))
}

/// A text that tells of a build.
pub fn build_text(session: &Session, program: cl_program, name: cl_uint) -> String {
    let mut bytes = build_info(session, program, name);
    assert_eq!(bytes.pop(), Some(0));
    String::from_utf8(bytes).expect("Sluice speaks UTF-8")
}
