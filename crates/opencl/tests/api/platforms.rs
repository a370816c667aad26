//! The platform: what the loader finds, and what it says of itself.

use std::ffi::{CStr, c_char, c_void};
use std::mem::transmute;
use std::ptr::null_mut;

use crate::support::*;
use opencl_sys::*;

/// `CL_PLATFORM_ICD_SUFFIX_KHR`.
const ICD_SUFFIX: cl_platform_info = 0x0920;

#[test]
fn the_loader_finds_one_platform() {
    let mut count = 0;
    check(call!(clGetPlatformIDs(0, null_mut(), &mut count)));
    assert_eq!(count, 1);
    let mut platforms = [null_mut(); 3];
    check(call!(clGetPlatformIDs(
        3,
        platforms.as_mut_ptr(),
        &mut count
    )));
    assert_eq!(count, 1);
    assert!(!platforms[0].is_null() && platforms[1].is_null());
}

#[test]
fn platforms_need_somewhere_to_go() {
    let mut platform = null_mut();
    let mut count = 0;
    assert_code!(
        CL_INVALID_VALUE,
        clGetPlatformIDs(0, null_mut(), null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clGetPlatformIDs(1, null_mut(), null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clGetPlatformIDs(0, &mut platform, null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clGetPlatformIDs(0, &mut platform, &mut count)
    );
}

#[test]
fn the_platform_says_what_it_is() {
    let (platform, _) = device();
    let ask = |name| text(clGetPlatformInfo, platform, name);
    assert_eq!(ask(CL_PLATFORM_PROFILE), "FULL_PROFILE");
    assert!(ask(CL_PLATFORM_VERSION).starts_with("OpenCL 3.0 "));
    assert_eq!(ask(CL_PLATFORM_NAME), "Sluice");
    assert!(!ask(CL_PLATFORM_VENDOR).is_empty());
    assert!(!ask(ICD_SUFFIX).is_empty());
    let version: u32 = info(clGetPlatformInfo, platform, CL_PLATFORM_NUMERIC_VERSION);
    assert_eq!((version >> 22, version >> 12 & 0x3ff), (3, 0));
    // No clock of the host goes with the device's: the functions that ask for both refuse.
    let resolution: u64 = info(
        clGetPlatformInfo,
        platform,
        CL_PLATFORM_HOST_TIMER_RESOLUTION,
    );
    assert_eq!(resolution, 0);
}

#[test]
fn the_platforms_extensions_are_those_of_its_device() {
    let (platform, device) = device();
    let listed = text(clGetPlatformInfo, platform, CL_PLATFORM_EXTENSIONS);
    let with_versions: Vec<cl_name_version> = infos(
        clGetPlatformInfo,
        platform,
        CL_PLATFORM_EXTENSIONS_WITH_VERSION,
    );
    let names: Vec<String> = with_versions.iter().map(name_of).collect();
    assert_eq!(names, listed.split_whitespace().collect::<Vec<_>>());
    assert!(names.iter().any(|name| name == "cl_khr_icd"));
    let of_device = text(clGetDeviceInfo, device, CL_DEVICE_EXTENSIONS);
    for name in names.iter().filter(|name| *name != "cl_khr_icd") {
        assert!(of_device.split_whitespace().any(|it| it == name), "{name}");
    }
}

#[test]
fn unknown_questions_and_platforms_are_refused() {
    let (platform, device) = device();
    for name in [0, 0xdead, CL_DEVICE_NAME] {
        assert_eq!(
            ask(clGetPlatformInfo, platform, name),
            CL_INVALID_VALUE,
            "{name:#x}"
        );
    }
    assert_eq!(
        ask(clGetPlatformInfo, device, CL_PLATFORM_NAME),
        CL_INVALID_PLATFORM
    );
    let mut found = null_mut();
    let kind = CL_DEVICE_TYPE_ALL;
    assert_code!(
        CL_INVALID_PLATFORM,
        clGetDeviceIDs(device, kind, 1, &mut found, null_mut())
    );
}

#[test]
fn the_compiler_can_be_unloaded_and_comes_back() {
    let session = Session::new();
    check(call!(clUnloadPlatformCompiler(session.platform)));
    drop(session.build("kernel void f(global uint* a) { a[0] = 1; }"));
    // The loader takes its default platform for null, so null does not get here.
    assert_code!(
        CL_INVALID_PLATFORM,
        clUnloadPlatformCompiler(session.device)
    );
}

#[test]
fn functions_of_extensions_that_are_not_offered_are_not_there() {
    let (platform, _) = device();
    for name in [
        c"clNoSuchFunctionKHR",
        c"clCreateFromGLBuffer",
        c"clCreateCommandQueueWithPropertiesKHR",
    ] {
        let found = call!(clGetExtensionFunctionAddressForPlatform(
            platform,
            name.as_ptr()
        ));
        assert!(found.is_null(), "{name:?}");
    }
}

unsafe extern "C" {
    /// As the specification has it; the declaration of `opencl_sys` lacks the result.
    #[link_name = "clGetExtensionFunctionAddress"]
    fn extension_function(name: *const c_char) -> *mut c_void;
}

#[test]
fn the_function_of_the_extension_that_is_offered_is_there_and_works() {
    let (platform, _) = device();
    let found = call!(clGetExtensionFunctionAddressForPlatform(
        platform,
        c"clIcdGetPlatformIDsKHR".as_ptr()
    ));
    assert!(!found.is_null());
    type GetPlatforms = unsafe extern "C" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;
    // SAFETY: the name is that of a function of this type.
    let get_platforms: GetPlatforms = unsafe { transmute(found) };
    let (mut given, mut count) = (null_mut(), 0);
    // SAFETY: there is room for one platform and for the number.
    check(unsafe { get_platforms(1, &mut given, &mut count) });
    assert_eq!((given, count), (platform, 1));
}

#[test]
fn a_name_that_ends_as_the_platforms_names_reaches_it_and_is_refused() {
    // The loader chooses the platform by the name's end.
    let names: [&CStr; 2] = [c"clNoSuchFunctionSLUICE", c"clNoSuchFunctionKHR"];
    for name in names {
        let found = call!(extension_function(name.as_ptr()));
        assert!(found.is_null(), "{name:?}");
    }
}
