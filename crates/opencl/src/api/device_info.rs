//! What a device says of itself.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::*;

use crate::code::{Answer, Code};
use crate::device::Device;
use crate::handles::{find, references};
use crate::memory::PART_ALIGN;
use crate::platform::{EXTENSIONS, OPENCL, Platform, named, version};
use crate::pointers::{Query, answer};
use crate::settings::LOCAL_BYTES;

/// `CL_DEVICE_DOUBLE_FP_CONFIG` and `CL_DEVICE_HALF_FP_CONFIG`.
const DOUBLE_FP_CONFIG: cl_device_info = 0x1032;
const HALF_FP_CONFIG: cl_device_info = 0x1033;

/// Most bytes of a kernel's arguments.
const PARAMETER_BYTES: usize = 4096;

/// The features of OpenCL C 3.0 that the compiler offers.
const FEATURES: [&str; 8] = [
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_fp64",
    "__opencl_c_generic_address_space",
    "__opencl_c_int64",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_work_group_collective_functions",
];

/// Bytes of one variable at program scope, and of all that a program may well have.
const VARIABLE_BYTES: usize = 1 << 16;
const ALL_VARIABLES_BYTES: usize = 1 << 20;

pub(crate) unsafe extern "C" fn clGetDeviceInfo(
    device: cl_device_id,
    name: cl_device_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let device = find::<Device>(device)?;
        let query = Query::new(size, value, size_ret);
        let parts = [
            identity, limits, memory, arithmetic, compiler, partition, absent,
        ];
        let answers = parts.iter().find_map(|part| part(&device, name, query));
        answers.unwrap_or(Err(Code(CL_INVALID_VALUE)))
    })
}

fn identity(device: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    let board = &device.settings.board;
    Some(match name {
        CL_DEVICE_TYPE => query.one(device.settings.kind),
        // The first letters of the name: there is no PCI vendor.
        CL_DEVICE_VENDOR_ID => query.one(u32::from_be_bytes(*b"\0Slu")),
        CL_DEVICE_NAME => query.string(&format!("Sluice {}", board.name)),
        CL_DEVICE_VENDOR => query.string("Sluice"),
        CL_DRIVER_VERSION => query.string(env!("CARGO_PKG_VERSION")),
        CL_DEVICE_PROFILE => query.string("FULL_PROFILE"),
        CL_DEVICE_VERSION => query.string(&format!("OpenCL 3.0 Sluice {}", board.name)),
        CL_DEVICE_NUMERIC_VERSION => query.one(OPENCL),
        CL_DEVICE_PLATFORM => query.one(Platform::get().pointer()),
        CL_DEVICE_EXTENSIONS => query.string(&EXTENSIONS.join(" ")),
        CL_DEVICE_EXTENSIONS_WITH_VERSION => {
            query.all(&EXTENSIONS.map(|name| named(name, version(1, 0, 0))))
        }
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => query.string(""),
        CL_DEVICE_AVAILABLE | CL_DEVICE_ENDIAN_LITTLE => query.truth(true),
        CL_DEVICE_MAX_CLOCK_FREQUENCY => query.one(board.mhz.round() as u32),
        // Cycles: at least a nanosecond.
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => {
            query.one((1000.0 / board.mhz).round().max(1.0) as usize)
        }
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            query.one(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_EXECUTION_CAPABILITIES => query.one(CL_EXEC_KERNEL),
        CL_DEVICE_REFERENCE_COUNT => query.one(match device.parent {
            None => 1,
            Some(_) => references(&**device),
        }),
        _ => return None,
    })
}

fn limits(device: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    let items = device.settings.group_items as usize;
    Some(match name {
        CL_DEVICE_MAX_COMPUTE_UNITS => query.one(device.datapaths),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => query.one(3_u32),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => query.one(items),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => query.all(&[items; 3]),
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => query.one(1_usize),
        CL_DEVICE_MAX_PARAMETER_SIZE => query.one(PARAMETER_BYTES),
        CL_DEVICE_PRINTF_BUFFER_SIZE => query.one(1_usize << 24),
        CL_DEVICE_MAX_CONSTANT_ARGS => query.one(32_u32),
        _ => return None,
    })
}

fn memory(device: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    let bytes = device.settings.board.memory_bytes;
    let cache = u64::from(device.settings.board.figures.cache_bytes);
    Some(match name {
        CL_DEVICE_ADDRESS_BITS => query.one(64_u32),
        CL_DEVICE_GLOBAL_MEM_SIZE
        | CL_DEVICE_MAX_MEM_ALLOC_SIZE
        | CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => query.one(bytes),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => query.one(8 * PART_ALIGN as u32),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => query.one(PART_ALIGN as u32),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => query.one(CL_READ_WRITE_CACHE),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => query.one(device.settings.board.line_bytes()),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => query.one(cache),
        CL_DEVICE_LOCAL_MEM_TYPE => query.one(CL_LOCAL),
        CL_DEVICE_LOCAL_MEM_SIZE => query.one(LOCAL_BYTES),
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE => query.one(VARIABLE_BYTES),
        CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => query.one(ALL_VARIABLES_BYTES),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT | CL_DEVICE_HOST_UNIFIED_MEMORY => query.truth(false),
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => query.one(ATOMICS),
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => {
            query.one(ATOMICS | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM)
        }
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => query.one(0_u32),
        _ => return None,
    })
}

const ATOMICS: cl_device_atomic_capabilities = CL_DEVICE_ATOMIC_ORDER_RELAXED
    | CL_DEVICE_ATOMIC_ORDER_ACQ_REL
    | CL_DEVICE_ATOMIC_ORDER_SEQ_CST
    | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
    | CL_DEVICE_ATOMIC_SCOPE_DEVICE;

fn arithmetic(_: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    let usual = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_FMA;
    Some(match name {
        CL_DEVICE_SINGLE_FP_CONFIG => query.one(usual | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
        // OpenCL demands all roundings of double. Programs can choose one only in conversions, which have them all;
        // arithmetic rounds to nearest, as the language says.
        DOUBLE_FP_CONFIG => query.one(usual | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF),
        HALF_FP_CONFIG => query.one(usual),
        // A pipeline takes one work-item per cycle, whatever its width.
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => query.one(1_u32),
        _ => return None,
    })
}

fn compiler(_: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    let versions = [
        version(1, 0, 0),
        version(1, 1, 0),
        version(1, 2, 0),
        version(3, 0, 0),
    ];
    Some(match name {
        CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE => query.truth(true),
        CL_DEVICE_OPENCL_C_VERSION => query.string("OpenCL C 1.2 Sluice"),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS => query.all(&versions.map(|it| named("OpenCL C", it))),
        CL_DEVICE_OPENCL_C_FEATURES => query.all(&FEATURES.map(|it| named(it, version(3, 0, 0)))),
        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT
        | CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT => query.truth(true),
        CL_DEVICE_BUILT_IN_KERNELS | CL_DEVICE_IL_VERSION => query.string(""),
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION | CL_DEVICE_ILS_WITH_VERSION => {
            query.all::<cl_name_version>(&[])
        }
        _ => return None,
    })
}

fn partition(device: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    let parent = device.parent.as_ref();
    let is_divisible = device.datapaths > 1;
    Some(match name {
        CL_DEVICE_PARENT_DEVICE => {
            query.one(parent.map_or(std::ptr::null_mut(), |parent| parent.pointer()))
        }
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => query.one(device.datapaths),
        CL_DEVICE_PARTITION_PROPERTIES => match is_divisible {
            true => query.all(&[CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS]),
            false => query.one(0_isize),
        },
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN => query.one(0_u64),
        CL_DEVICE_PARTITION_TYPE => match device.partition.is_empty() {
            true => query.one(0_isize),
            false => query.all(&device.partition),
        },
        _ => return None,
    })
}

/// What the device does not have.
fn absent(_: &Arc<Device>, name: cl_device_info, query: Query) -> Option<Answer> {
    Some(match name {
        CL_DEVICE_IMAGE_SUPPORT
        | CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT
        | CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS
        | CL_DEVICE_PIPE_SUPPORT => query.truth(false),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => query.truth(true),
        CL_DEVICE_MAX_READ_IMAGE_ARGS
        | CL_DEVICE_MAX_WRITE_IMAGE_ARGS
        | CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS
        | CL_DEVICE_MAX_SAMPLERS
        | CL_DEVICE_IMAGE_PITCH_ALIGNMENT
        | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
        | CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE
        | CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE
        | CL_DEVICE_MAX_ON_DEVICE_QUEUES
        | CL_DEVICE_MAX_ON_DEVICE_EVENTS
        | CL_DEVICE_MAX_PIPE_ARGS
        | CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS
        | CL_DEVICE_PIPE_MAX_PACKET_SIZE
        | CL_DEVICE_MAX_NUM_SUB_GROUPS => query.one(0_u32),
        CL_DEVICE_IMAGE2D_MAX_WIDTH
        | CL_DEVICE_IMAGE2D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_WIDTH
        | CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_DEPTH
        | CL_DEVICE_IMAGE_MAX_BUFFER_SIZE
        | CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => query.one(0_usize),
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES
        | CL_DEVICE_SVM_CAPABILITIES
        | CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => query.one(0_u64),
        _ => return None,
    })
}
