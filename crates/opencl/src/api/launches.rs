//! Launching kernels.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_COMMAND_NDRANGE_KERNEL, CL_COMMAND_TASK, CL_INVALID_CONTEXT, CL_INVALID_GLOBAL_OFFSET,
    CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_INVALID_WORK_DIMENSION,
    CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_OUT_OF_RESOURCES, cl_command_queue,
    cl_command_type, cl_event, cl_int, cl_kernel, cl_mem, cl_uint,
};
use sluice_kernel::launch::NdRange;

use super::{Waits, enqueue, wait_list};
use crate::code::{Answer, Code, require};
use crate::handles::find;
use crate::kernel::Kernel;
use crate::pointers::{answer, list};
use crate::queue::{Command, Dependency, Queue};
use crate::settings::LOCAL_BYTES;

/// What the program says of an index space.
struct Given {
    dims: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
}

pub(crate) unsafe extern "C" fn clEnqueueNDRangeKernel(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dims: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let given = Given {
        dims,
        offset,
        global,
        local,
    };
    let waits = Waits {
        count,
        events,
        event,
    };
    answer(|| launch(queue, kernel, CL_COMMAND_NDRANGE_KERNEL, given, waits))
}

pub(crate) unsafe extern "C" fn clEnqueueTask(
    queue: cl_command_queue,
    kernel: cl_kernel,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let given = Given {
        dims: 1,
        offset: std::ptr::null(),
        global: &1,
        local: &1,
    };
    let waits = Waits {
        count,
        events,
        event,
    };
    answer(|| launch(queue, kernel, CL_COMMAND_TASK, given, waits))
}

unsafe fn launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    kind: cl_command_type,
    given: Given,
    waits: Waits,
) -> Answer {
    let queue = find::<Queue>(queue)?;
    let kernel = find::<Kernel>(kernel)?;
    let context = queue.context.clone();
    require(
        Arc::ptr_eq(&kernel.program.context, &context),
        CL_INVALID_CONTEXT,
    )?;
    wait_list(&context, waits.count, waits.events)?;
    let code = kernel.code(&queue.device)?.clone();
    let arguments = kernel.arguments()?;
    let range = index_space(&queue, &kernel, given)?;
    let local = kernel.local_bytes(range.group_size());
    require(local <= LOCAL_BYTES, CL_OUT_OF_RESOURCES)?;
    let engine = code.engine.clone();
    let work = move || {
        let (args, memory, kept) = arguments.into_parts();
        // A launch of no work-items does nothing.
        let took = match range.work_items() {
            0 => Ok(0.into()),
            _ => code.run(&context, range, args, memory),
        };
        kept.iter().for_each(|mem| mem.buffer.mark_initialised());
        took
    };
    let command = Command {
        kind,
        engine,
        dependency: Dependency::QueueOrder,
        work: Box::new(work),
    };
    enqueue(&queue, command, waits).map(drop)
}

unsafe fn index_space(queue: &Queue, kernel: &Kernel, given: Given) -> Answer<NdRange> {
    let dims = given.dims as usize;
    require((1..=3).contains(&dims), CL_INVALID_WORK_DIMENSION)?;
    if given.global.is_null() {
        // As if it were zero: since OpenCL 2.1 that is a launch of no work-items.
        return Ok(NdRange::new(kernel.ir(), &[0; 3][..dims]));
    }
    let sizes = |first: *const usize| {
        let sizes = list(first, dims)?.into_iter();
        Ok(sizes.map(|size| size as u64).collect::<Vec<_>>())
    };
    let global = sizes(given.global)?;
    // What an id has room for.
    let most = u64::from(u32::MAX);
    require(
        global.iter().all(|&size| size <= most),
        CL_INVALID_GLOBAL_WORK_SIZE,
    )?;
    let mut range = NdRange::new(kernel.ir(), &global);
    range
        .check_total()
        .map_err(|_| Code(CL_INVALID_GLOBAL_WORK_SIZE))?;
    for (dim, offset) in sizes(given.offset)?.into_iter().enumerate() {
        let end = offset.checked_add(global[dim]);
        require(end.is_some_and(|end| end <= most), CL_INVALID_GLOBAL_OFFSET)?;
        range.offset[dim] = offset;
    }
    let required = kernel
        .ir()
        .work_group_size
        .required
        .map(|it| it.map(u64::from));
    if given.local.is_null() {
        require(
            required.is_none_or(|it| divides(&it, &range)),
            CL_INVALID_WORK_GROUP_SIZE,
        )?;
    } else {
        let local = sizes(given.local)?;
        range.local = [1; 3];
        range.local[..dims].copy_from_slice(&local);
        let most = u64::from(queue.device.settings.group_items);
        let items = local
            .iter()
            .try_fold(1_u64, |all, &size| all.checked_mul(size));
        let fits = items.is_some_and(|items| items <= most) || required.is_some();
        require(
            local.iter().all(|&size| size > 0),
            CL_INVALID_WORK_GROUP_SIZE,
        )?;
        require(
            local.iter().all(|&size| size <= most) || required.is_some(),
            CL_INVALID_WORK_ITEM_SIZE,
        )?;
        require(
            fits && required.is_none_or(|it| it == range.local) && divides(&range.local, &range),
            CL_INVALID_WORK_GROUP_SIZE,
        )?;
    }
    Ok(range)
}

fn divides(local: &[u64; 3], range: &NdRange) -> bool {
    (0..3).all(|dim| local[dim] > 0 && range.global[dim].is_multiple_of(local[dim]))
}

/// The device runs no functions of the host.
pub(crate) unsafe extern "C" fn clEnqueueNativeKernel(
    queue: cl_command_queue,
    function: Option<unsafe extern "C" fn(*mut c_void)>,
    _args: *mut c_void,
    _args_size: usize,
    _mem_count: cl_uint,
    _mems: *const cl_mem,
    _places: *mut *const c_void,
    _count: cl_uint,
    _events: *const cl_event,
    _event: *mut cl_event,
) -> cl_int {
    answer(|| {
        find::<Queue>(queue)?;
        require(function.is_some(), CL_INVALID_VALUE)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}
