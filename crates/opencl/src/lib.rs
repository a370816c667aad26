//! The OpenCL runtime: `libsluice_opencl.so`, which the system's ICD loader finds and calls.
//!
//! The C boundary is in `api` and `pointers`; behind it are objects that know each other. See
//! `docs/decisions/0007-opencl-runtime.md`.
#![allow(unsafe_code)]

mod api;
mod build_once;
mod calls;
mod code;
mod context;
mod device;
mod device_memory;
mod dispatch;
mod engine;
mod event;
mod handles;
mod kernel;
mod kernel_code;
mod memory;
mod notices;
mod options;
mod platform;
mod pointers;
mod printing;
mod program;
mod queue;
mod settings;
mod totals;
mod watch;
mod waves;
mod workers;

use std::ffi::{c_char, c_void};

use opencl_sys::{cl_int, cl_platform_id, cl_platform_info, cl_uint};

/// The platforms: how the loader begins.
///
/// # Safety
///
/// As `clGetPlatformIDs`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clIcdGetPlatformIDsKHR(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { api::platforms::clGetPlatformIDs(entries, platforms, count) }
}

/// What the loader asks for before it has the dispatch table.
///
/// # Safety
///
/// As the specification says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    // SAFETY: the caller's.
    unsafe { api::platforms::clGetExtensionFunctionAddress(name) }
}

/// What the loader asks for before it has the dispatch table.
///
/// # Safety
///
/// As the specification says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformInfo(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { api::platforms::clGetPlatformInfo(platform, name, size, value, size_ret) }
}
