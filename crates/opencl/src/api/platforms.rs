//! Platforms.

use std::ffi::{CStr, c_char, c_void};

use opencl_sys::{
    CL_INVALID_VALUE, CL_PLATFORM_EXTENSIONS, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
    CL_PLATFORM_HOST_TIMER_RESOLUTION, CL_PLATFORM_NAME, CL_PLATFORM_NUMERIC_VERSION,
    CL_PLATFORM_PROFILE, CL_PLATFORM_VENDOR, CL_PLATFORM_VERSION, cl_int, cl_platform_id,
    cl_platform_info, cl_uint,
};

use crate::code::{Code, require};
use crate::handles::find;
use crate::platform::{EXTENSIONS, OPENCL, Platform, named, version};
use crate::pointers::{Query, answer, put};

/// `CL_PLATFORM_ICD_SUFFIX_KHR`.
const ICD_SUFFIX: cl_platform_info = 0x0920;

pub(crate) unsafe extern "C" fn clGetPlatformIDs(
    entries: cl_uint,
    platforms: *mut cl_platform_id,
    count: *mut cl_uint,
) -> cl_int {
    answer(|| {
        require(platforms.is_null() || entries > 0, CL_INVALID_VALUE)?;
        require(!platforms.is_null() || !count.is_null(), CL_INVALID_VALUE)?;
        put(platforms, Platform::get().pointer());
        put(count, 1);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn clGetPlatformInfo(
    platform: cl_platform_id,
    name: cl_platform_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        if !platform.is_null() {
            find::<Platform>(platform)?;
        }
        let query = Query::new(size, value, size_ret);
        match name {
            CL_PLATFORM_PROFILE => query.string("FULL_PROFILE"),
            CL_PLATFORM_VERSION => query.string("OpenCL 3.0 Sluice"),
            CL_PLATFORM_NUMERIC_VERSION => query.one(OPENCL),
            CL_PLATFORM_NAME | CL_PLATFORM_VENDOR => query.string("Sluice"),
            CL_PLATFORM_EXTENSIONS => query.string(&EXTENSIONS.join(" ")),
            CL_PLATFORM_EXTENSIONS_WITH_VERSION => {
                query.all(&EXTENSIONS.map(|name| named(name, version(1, 0, 0))))
            }
            CL_PLATFORM_HOST_TIMER_RESOLUTION => query.one(0_u64),
            ICD_SUFFIX => query.string("SLUICE"),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

pub(crate) unsafe extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *mut c_void {
    if name.is_null() {
        return std::ptr::null_mut();
    }
    match CStr::from_ptr(name).to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clGetPlatformIDs as *mut c_void,
        _ => std::ptr::null_mut(),
    }
}

pub(crate) unsafe extern "C" fn clGetExtensionFunctionAddressForPlatform(
    platform: cl_platform_id,
    name: *const c_char,
) -> *mut c_void {
    match find::<Platform>(platform) {
        Ok(_) => clGetExtensionFunctionAddress(name),
        Err(_) => std::ptr::null_mut(),
    }
}

pub(crate) unsafe extern "C" fn clUnloadCompiler() -> cl_int {
    opencl_sys::CL_SUCCESS
}

pub(crate) unsafe extern "C" fn clUnloadPlatformCompiler(platform: cl_platform_id) -> cl_int {
    answer(|| find::<Platform>(platform).map(drop))
}
