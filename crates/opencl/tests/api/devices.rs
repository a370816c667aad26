//! The device: how it is found, and what it says of itself.

use std::ptr::null_mut;

use crate::support::*;
use opencl_sys::*;

fn one<T: Plain>(name: cl_device_info) -> T {
    info(clGetDeviceInfo, device().1, name)
}

fn string(name: cl_device_info) -> String {
    text(clGetDeviceInfo, device().1, name)
}

fn is_true(name: cl_device_info) -> bool {
    match one::<cl_bool>(name) {
        CL_FALSE => false,
        CL_TRUE => true,
        other => panic!("{other} is no cl_bool"),
    }
}

#[test]
fn the_device_is_found_by_its_kinds() {
    let (platform, device) = device();
    for kind in [
        CL_DEVICE_TYPE_ACCELERATOR,
        CL_DEVICE_TYPE_DEFAULT,
        CL_DEVICE_TYPE_ALL,
    ] {
        for kind in [kind, kind | CL_DEVICE_TYPE_GPU] {
            let (mut found, mut count) = ([null_mut(); 2], 0);
            check(call!(clGetDeviceIDs(
                platform,
                kind,
                2,
                found.as_mut_ptr(),
                &mut count
            )));
            assert_eq!((found, count), ([device, null_mut()], 1), "{kind:#x}");
        }
    }
    assert_eq!(
        one::<cl_device_type>(CL_DEVICE_TYPE),
        CL_DEVICE_TYPE_ACCELERATOR
    );
}

#[test]
fn devices_that_are_not_there_are_not_found() {
    let (platform, _) = device();
    let kinds = [
        CL_DEVICE_TYPE_CPU,
        CL_DEVICE_TYPE_GPU,
        CL_DEVICE_TYPE_CUSTOM,
        CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_CUSTOM,
    ];
    for kind in kinds {
        let mut found = null_mut();
        let mut count = 7;
        assert_code!(
            CL_DEVICE_NOT_FOUND,
            clGetDeviceIDs(platform, kind, 1, &mut found, &mut count)
        );
        assert_eq!((found, count), (null_mut(), 0));
        assert_code!(
            CL_DEVICE_NOT_FOUND,
            clGetDeviceIDs(platform, kind, 0, null_mut(), &mut count)
        );
    }
    for kind in [0, 1 << 20, CL_DEVICE_TYPE_ACCELERATOR | 1 << 20] {
        let mut count = 0;
        assert_code!(
            CL_INVALID_DEVICE_TYPE,
            clGetDeviceIDs(platform, kind, 0, null_mut(), &mut count)
        );
    }
}

#[test]
fn devices_need_somewhere_to_go() {
    let (platform, _) = device();
    let kind = CL_DEVICE_TYPE_ALL;
    let (mut found, mut count) = (null_mut(), 0);
    assert_code!(
        CL_INVALID_VALUE,
        clGetDeviceIDs(platform, kind, 0, null_mut(), null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clGetDeviceIDs(platform, kind, 1, null_mut(), null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clGetDeviceIDs(platform, kind, 0, &mut found, &mut count)
    );
    check(call!(clGetDeviceIDs(
        platform,
        kind,
        0,
        null_mut(),
        &mut count
    )));
    assert_eq!(count, 1);
}

#[test]
fn the_device_has_a_name_and_versions() {
    assert_eq!(one::<cl_platform_id>(CL_DEVICE_PLATFORM), device().0);
    assert!(string(CL_DEVICE_NAME).starts_with("Sluice "));
    assert!(!string(CL_DEVICE_VENDOR).is_empty());
    one::<u32>(CL_DEVICE_VENDOR_ID);
    assert!(
        string(CL_DRIVER_VERSION)
            .split('.')
            .all(|part| part.parse::<u32>().is_ok())
    );
    assert_eq!(string(CL_DEVICE_PROFILE), "FULL_PROFILE");
    assert!(string(CL_DEVICE_VERSION).starts_with("OpenCL 3.0 "));
    assert_eq!(one::<u32>(CL_DEVICE_NUMERIC_VERSION) >> 22, 3);
    string(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED);
    assert!(is_true(CL_DEVICE_AVAILABLE));
    assert_eq!(
        is_true(CL_DEVICE_ENDIAN_LITTLE),
        cfg!(target_endian = "little")
    );
}

#[test]
fn the_device_compiles_and_links() {
    assert!(is_true(CL_DEVICE_COMPILER_AVAILABLE));
    assert!(is_true(CL_DEVICE_LINKER_AVAILABLE));
    assert!(string(CL_DEVICE_OPENCL_C_VERSION).starts_with("OpenCL C 1.2 "));
    let device = device().1;
    let versions: Vec<cl_name_version> =
        infos(clGetDeviceInfo, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    assert!(versions.iter().all(|it| name_of(it) == "OpenCL C"));
    let versions: Vec<(u32, u32)> = versions
        .iter()
        .map(|it| (it.version >> 22, it.version >> 12 & 0x3ff))
        .collect();
    // What a device of OpenCL 3.0 compiles at least.
    for version in [(1, 0), (1, 1), (1, 2), (3, 0)] {
        assert!(versions.contains(&version), "{version:?}");
    }
    assert_eq!(string(CL_DEVICE_BUILT_IN_KERNELS), "");
    assert_eq!(string(CL_DEVICE_IL_VERSION), "");
    for name in [
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
        CL_DEVICE_ILS_WITH_VERSION,
    ] {
        assert!(infos::<cl_name_version>(clGetDeviceInfo, device, name).is_empty());
    }
}

#[test]
fn extensions_are_listed_twice_alike() {
    let listed = string(CL_DEVICE_EXTENSIONS);
    let named: Vec<cl_name_version> = infos(
        clGetDeviceInfo,
        device().1,
        CL_DEVICE_EXTENSIONS_WITH_VERSION,
    );
    let names: Vec<String> = named.iter().map(name_of).collect();
    assert_eq!(names, listed.split_whitespace().collect::<Vec<_>>());
    assert!(named.iter().all(|it| it.version >> 22 >= 1));
    // OpenCL 1.1 made these part of every full profile.
    for name in [
        "cl_khr_byte_addressable_store",
        "cl_khr_global_int32_base_atomics",
        "cl_khr_global_int32_extended_atomics",
        "cl_khr_local_int32_base_atomics",
        "cl_khr_local_int32_extended_atomics",
    ] {
        assert!(names.iter().any(|it| it == name), "{name}");
    }
}

/// Every feature that the device lists is a macro of its compiler, and only those.
#[test]
fn features_are_what_the_compiler_defines() {
    let session = Session::new();
    let named: Vec<cl_name_version> =
        infos(clGetDeviceInfo, session.device, CL_DEVICE_OPENCL_C_FEATURES);
    let names: Vec<String> = named.iter().map(name_of).collect();
    let known = [
        "3d_image_writes",
        "atomic_order_acq_rel",
        "atomic_order_seq_cst",
        "atomic_scope_all_devices",
        "atomic_scope_device",
        "device_enqueue",
        "fp64",
        "generic_address_space",
        "images",
        "int64",
        "pipes",
        "program_scope_global_variables",
        "read_write_images",
        "subgroups",
        "work_group_collective_functions",
    ];
    let known = known.map(|it| format!("__opencl_c_{it}"));
    assert!(names.iter().all(|it| known.contains(it)), "{names:?}");
    let mut source = "kernel void f(global uint* a) {\n".to_owned();
    for (at, name) in known.iter().enumerate() {
        source += &format!("#ifdef {name}\na[{at}] = 1;\n#else\na[{at}] = 0;\n#endif\n");
    }
    source += "}\n";
    let program = session.build_with(&source, "-cl-std=CL3.0");
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[9; 16]);
    set_argument(*kernel, 0, *buffer);
    drop(session.launch(*kernel, 1));
    let defined = session.read(*buffer, known.len());
    for (name, defined) in known.iter().zip(defined) {
        assert_eq!(defined == 1, names.contains(name), "{name}");
    }
}

#[test]
fn limits_are_at_least_those_of_a_full_profile() {
    let size = one::<usize>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    assert!(size >= 1);
    assert!(one::<u32>(CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
    assert!(one::<u32>(CL_DEVICE_MAX_CLOCK_FREQUENCY) > 0);
    let dims = one::<u32>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
    assert!(dims >= 3);
    let sizes: Vec<usize> = infos(clGetDeviceInfo, device().1, CL_DEVICE_MAX_WORK_ITEM_SIZES);
    assert_eq!(sizes.len(), dims as usize);
    assert!(sizes.iter().all(|&it| (1..=size).contains(&it)));
    assert!(one::<usize>(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) >= 1);
    assert!(one::<usize>(CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    assert!(one::<usize>(CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1 << 20);
    assert!(one::<u32>(CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
    assert!(one::<usize>(CL_DEVICE_PROFILING_TIMER_RESOLUTION) >= 1);
    let queue: u64 = one(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
    assert_eq!(
        queue,
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE
    );
    assert_eq!(one::<u64>(CL_DEVICE_EXECUTION_CAPABILITIES), CL_EXEC_KERNEL);
}

#[test]
fn memory_is_at_least_that_of_a_full_profile() {
    let global = one::<u64>(CL_DEVICE_GLOBAL_MEM_SIZE);
    let most = one::<u64>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    assert!(most >= (global / 4).clamp(32 << 20, 1 << 30) && most <= global);
    assert!(one::<u64>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 << 10);
    assert!(one::<u64>(CL_DEVICE_LOCAL_MEM_SIZE) >= 32 << 10);
    assert_eq!(one::<u32>(CL_DEVICE_LOCAL_MEM_TYPE), CL_LOCAL);
    assert!([32, 64].contains(&one::<u32>(CL_DEVICE_ADDRESS_BITS)));
    // In bits, that of the largest type: long16.
    let align = one::<u32>(CL_DEVICE_MEM_BASE_ADDR_ALIGN);
    assert!(align >= 1024 && align.is_power_of_two());
    assert!(one::<u32>(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE) >= 128);
    assert_eq!(
        one::<u32>(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE),
        CL_READ_WRITE_CACHE
    );
    assert!(one::<u32>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE) > 0);
    assert!(one::<u64>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE) > 0);
    assert!(!is_true(CL_DEVICE_ERROR_CORRECTION_SUPPORT));
    assert!(!is_true(CL_DEVICE_HOST_UNIFIED_MEMORY));
    for name in [
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT,
        CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
        CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT,
    ] {
        one::<u32>(name);
    }
    let least = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
    assert_eq!(
        one::<u64>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES) & least,
        least
    );
    let least = least | CL_DEVICE_ATOMIC_ORDER_ACQ_REL;
    assert_eq!(
        one::<u64>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES) & least,
        least
    );
}

#[test]
fn arithmetic_is_at_least_that_of_a_full_profile() {
    let single = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    assert_eq!(one::<u64>(CL_DEVICE_SINGLE_FP_CONFIG) & single, single);
    let double = single | CL_FP_FMA | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_DENORM;
    assert_eq!(one::<u64>(CL_DEVICE_DOUBLE_FP_CONFIG) & double, double);
    let half = one::<u64>(CL_DEVICE_HALF_FP_CONFIG);
    assert!(half & single == single || half & (CL_FP_ROUND_TO_ZERO | CL_FP_INF_NAN) != 0);
    let extensions = string(CL_DEVICE_EXTENSIONS);
    for (name, has) in [
        (CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, true),
        (CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, true),
        (CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, true),
        (CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, true),
        (CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, true),
        (
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
            extensions.contains("cl_khr_fp64"),
        ),
        (
            CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
            extensions.contains("cl_khr_fp16"),
        ),
        (CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, true),
        (CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, true),
        (CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, true),
        (CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, true),
        (CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, true),
        (
            CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
            extensions.contains("cl_khr_fp64"),
        ),
        (
            CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF,
            extensions.contains("cl_khr_fp16"),
        ),
    ] {
        assert_eq!(one::<u32>(name) > 0, has, "{name:#x}");
    }
}

#[test]
fn what_the_device_does_not_have_is_answered_with_nothing() {
    for name in [
        CL_DEVICE_IMAGE_SUPPORT,
        CL_DEVICE_PIPE_SUPPORT,
        CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
    ] {
        assert!(!is_true(name), "{name:#x}");
    }
    for name in [
        CL_DEVICE_MAX_READ_IMAGE_ARGS,
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS,
        CL_DEVICE_MAX_SAMPLERS,
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
        CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT,
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE,
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
        CL_DEVICE_MAX_ON_DEVICE_QUEUES,
        CL_DEVICE_MAX_ON_DEVICE_EVENTS,
        CL_DEVICE_MAX_PIPE_ARGS,
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS,
        CL_DEVICE_PIPE_MAX_PACKET_SIZE,
        CL_DEVICE_MAX_NUM_SUB_GROUPS,
    ] {
        assert_eq!(one::<u32>(name), 0, "{name:#x}");
    }
    for name in [
        CL_DEVICE_IMAGE2D_MAX_WIDTH,
        CL_DEVICE_IMAGE2D_MAX_HEIGHT,
        CL_DEVICE_IMAGE3D_MAX_WIDTH,
        CL_DEVICE_IMAGE3D_MAX_HEIGHT,
        CL_DEVICE_IMAGE3D_MAX_DEPTH,
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE,
    ] {
        assert_eq!(one::<usize>(name), 0, "{name:#x}");
    }
    for name in [
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
        CL_DEVICE_SVM_CAPABILITIES,
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
    ] {
        assert_eq!(one::<u64>(name), 0, "{name:#x}");
    }
    is_true(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC);
    is_true(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT);
    is_true(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT);
    let variable = one::<usize>(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE);
    assert!(variable >= 64 << 10);
    assert!(one::<usize>(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE) >= variable);
}

#[test]
fn a_device_of_one_datapath_has_no_parts() {
    let (_, device) = device();
    assert_eq!(one::<u32>(CL_DEVICE_MAX_COMPUTE_UNITS), 1);
    assert!(one::<cl_device_id>(CL_DEVICE_PARENT_DEVICE).is_null());
    let kinds: Vec<isize> = infos(clGetDeviceInfo, device, CL_DEVICE_PARTITION_PROPERTIES);
    assert_eq!(kinds, [0]);
    let how: Vec<isize> = infos(clGetDeviceInfo, device, CL_DEVICE_PARTITION_TYPE);
    assert!(how.is_empty() || how == [0], "{how:?}");
    let list = [CL_DEVICE_PARTITION_EQUALLY, 1, 0];
    let code = call!(clCreateSubDevices(
        device,
        list.as_ptr(),
        0,
        null_mut(),
        null_mut()
    ));
    assert!(
        [CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED].contains(&code),
        "{code}"
    );
}

#[test]
fn the_whole_device_is_not_counted() {
    let (_, device) = device();
    for _ in 0..3 {
        check(call!(clReleaseDevice(device)));
        check(call!(clRetainDevice(device)));
        check(call!(clReleaseDevice(device)));
        assert_eq!(one::<u32>(CL_DEVICE_REFERENCE_COUNT), 1);
    }
}

#[test]
fn unknown_questions_and_other_objects_are_refused() {
    let session = Session::new();
    for name in [0, 0x0fff, 0xdead, CL_PLATFORM_NAME, CL_CONTEXT_DEVICES] {
        assert_eq!(
            ask(clGetDeviceInfo, session.device, name),
            CL_INVALID_VALUE,
            "{name:#x}"
        );
    }
    for other in [null_mut(), session.platform, *session.context] {
        assert_eq!(
            ask(clGetDeviceInfo, other, CL_DEVICE_NAME),
            CL_INVALID_DEVICE
        );
        assert_code!(CL_INVALID_DEVICE, clRetainDevice(other));
        assert_code!(CL_INVALID_DEVICE, clReleaseDevice(other));
    }
}

#[test]
fn the_hosts_clock_does_not_go_with_the_devices() {
    let (platform, device) = device();
    let (mut first, mut second) = (0, 0);
    let (ours, theirs) = (&raw mut first, &raw mut second);
    assert_code!(
        CL_INVALID_OPERATION,
        clGetDeviceAndHostTimer(device, ours, theirs)
    );
    assert_code!(CL_INVALID_OPERATION, clGetHostTimer(device, theirs));
    let resolution: u64 = info(
        clGetPlatformInfo,
        platform,
        CL_PLATFORM_HOST_TIMER_RESOLUTION,
    );
    assert_eq!(resolution, 0, "there is no timer");
    for (ours, theirs) in [
        (null_mut(), theirs),
        (ours, null_mut()),
        (null_mut(), null_mut()),
    ] {
        assert_code!(
            CL_INVALID_OPERATION,
            clGetDeviceAndHostTimer(device, ours, theirs)
        );
        assert_code!(CL_INVALID_OPERATION, clGetHostTimer(device, theirs));
    }
    for other in [null_mut(), platform] {
        assert_code!(
            CL_INVALID_DEVICE,
            clGetDeviceAndHostTimer(other, ours, theirs)
        );
        assert_code!(CL_INVALID_DEVICE, clGetHostTimer(other, theirs));
    }
}
