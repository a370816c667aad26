//! What a program says and refuses while it is being built.
#![allow(unsafe_code)] // The API is C.

#[path = "api/support/mod.rs"]
mod support;

use std::ffi::c_void;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Sender, channel};

use opencl_sys::*;
use support::*;

/// # Safety
///
/// The data are a sender that outlives the build.
unsafe extern "C" fn built(program: cl_program, data: *mut c_void) {
    // SAFETY: the caller's.
    let sender = unsafe { &*data.cast::<Sender<usize>>() };
    sender.send(program as usize).expect("the receiver waits");
}

/// A compiler that begins to work when the folder has a file `go`.
fn patient_compiler(folder: &Path) {
    let script = folder.join("clang");
    let go = folder.join("go");
    let text = format!(
        "#!/bin/sh\nwhile [ ! -e '{}' ]; do sleep 0.01; done\nexec clang-19 \"$@\"\n",
        go.display()
    );
    fs::write(&script, text).expect("written");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("executable");
    set("SLUICE_CLANG", script);
    set("SLUICE_CACHE", "0");
}

#[test]
fn a_program_that_is_being_built_cannot_be_built_again_until_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    patient_compiler(folder.path());
    let session = Session::new();
    let source = c"kernel void f(global uint *a) { a[0] = 1; }";
    let made = make!(clCreateProgramWithSource(
        *session.context,
        1,
        &source.as_ptr(),
        null()
    ));
    let program = Owned::new(made.expect("a program"), clReleaseProgram);
    let status = || -> cl_build_status {
        let mut status = 1;
        check(call!(clGetProgramBuildInfo(
            *program,
            session.device,
            CL_PROGRAM_BUILD_STATUS,
            size_of::<cl_build_status>(),
            (&raw mut status).cast(),
            null_mut()
        )));
        status
    };
    assert_eq!(status(), CL_BUILD_NONE);
    let (sender, receiver) = channel();
    let data = (&raw const sender).cast_mut().cast();
    assert_code!(
        CL_SUCCESS,
        clBuildProgram(*program, 0, null(), null(), Some(built), data)
    );
    assert_eq!(status(), CL_BUILD_IN_PROGRESS);
    let again = || {
        call!(clBuildProgram(
            *program,
            0,
            null(),
            null(),
            None,
            null_mut()
        ))
    };
    assert_eq!(again(), CL_INVALID_OPERATION);
    assert_code!(
        CL_INVALID_OPERATION,
        clCompileProgram(
            *program,
            0,
            null(),
            null(),
            0,
            null(),
            null_mut(),
            None,
            null_mut()
        )
    );
    assert_refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(*program, c"f".as_ptr())
    );
    fs::write(folder.path().join("go"), "").expect("written");
    assert_eq!(receiver.recv(), Ok(*program as usize));
    assert_eq!(status(), CL_BUILD_SUCCESS);
    assert_eq!(again(), CL_SUCCESS);
    drop(kernel(*program, "f"));
}

#[test]
fn all_tests_hold_on_the_other_executor() {
    run_on_the_other_executor("all_tests_hold_on_the_other_executor");
}
