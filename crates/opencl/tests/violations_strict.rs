//! As `violations`, for programs that want such launches to fail.
#![allow(unsafe_code)] // The C API.

#[path = "api/support/mod.rs"]
mod support;

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, Once};

use opencl_sys::*;
use support::*;

/// What a context has complained of.
type Complaints = Mutex<Vec<String>>;

/// # Safety
///
/// The data are [`Complaints`], which outlive the context.
unsafe extern "C" fn complain(
    message: *const c_char,
    _private: *const c_void,
    _size: usize,
    data: *mut c_void,
) {
    // SAFETY: the message is a string, as the specification says; the data are the caller's.
    let (message, complaints) = unsafe { (CStr::from_ptr(message), &*data.cast::<Complaints>()) };
    let mut complaints = complaints.lock().expect("no thread panics with it");
    complaints.push(message.to_string_lossy().into_owned());
}

const SOURCE: &CStr = c"
    kernel void put(global uint *data, uint at) { data[at] = 1; }
    kernel void fetch(global uint *data, uint at) { data[0] = data[at]; }";

/// Launches a kernel on a buffer of four words, for each index: which of the launches fail, and what
/// the context has complained of.
fn failures(name: &str, indices: &[u32]) -> (Vec<bool>, Vec<String>) {
    static STRICT: Once = Once::new();
    // The setting is the process's: before any test calls the API.
    STRICT.call_once(|| set("SLUICE_CHECK", "strict"));
    let complaints = Complaints::default();
    let data = (&raw const complaints).cast_mut().cast();
    let (_, device) = device();
    let made = make!(clCreateContext(null(), 1, &device, Some(complain), data));
    let context = Owned::new(made.expect("a context"), clReleaseContext);
    let queue = new_queue(*context, device, 0);
    let made = make!(clCreateProgramWithSource(
        *context,
        1,
        &SOURCE.as_ptr(),
        null()
    ));
    let program = Owned::new(made.expect("a program"), clReleaseProgram);
    assert_code!(
        CL_SUCCESS,
        clBuildProgram(*program, 0, null(), null(), None, null_mut())
    );
    let made = make!(clCreateBuffer(*context, 0, 16, null_mut()));
    let buffer = Owned::new(made.expect("a buffer"), clReleaseMemObject);
    let kernel = kernel(*program, name);
    set_argument(*kernel, 0, *buffer);
    let fails = |&at: &u32| {
        set_argument(*kernel, 1, at);
        let event = launch(*queue, *kernel, 1, &[]);
        let code = call!(clWaitForEvents(1, &*event));
        let status: cl_int = info(clGetEventInfo, *event, CL_EVENT_COMMAND_EXECUTION_STATUS);
        let failed = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        assert_eq!(
            code,
            if status < 0 { failed } else { CL_SUCCESS },
            "at {at}: {status}"
        );
        status < 0
    };
    let failed = indices.iter().map(fails).collect();
    let complaints = complaints.lock().expect("no thread panics with it").clone();
    (failed, complaints)
}

#[test]
fn a_launch_that_writes_outside_fails_and_the_context_tells_why() {
    let (failed, complaints) = failures("put", &[3, 4, 0, 1 << 20]);
    assert_eq!(failed, [false, true, false, true]);
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert!(
        complaints.iter().all(|it| it.contains("put")),
        "{complaints:?}"
    );
}

#[test]
fn a_launch_that_reads_outside_fails_however_near() {
    let (failed, complaints) = failures("fetch", &[3, 1 << 20, 0, 16, 4]);
    assert_eq!(failed, [false, true, false, true, true]);
    assert_eq!(complaints.len(), 3, "{complaints:?}");
}

#[test]
fn all_tests_hold_on_the_other_executor() {
    run_on_the_other_executor("all_tests_hold_on_the_other_executor");
}
