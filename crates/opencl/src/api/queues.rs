//! Command queues.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_INVALID_COMMAND_QUEUE, CL_INVALID_OPERATION, CL_INVALID_QUEUE_PROPERTIES, CL_INVALID_VALUE,
    CL_QUEUE_CONTEXT, CL_QUEUE_DEVICE, CL_QUEUE_DEVICE_DEFAULT, CL_QUEUE_ON_DEVICE,
    CL_QUEUE_ON_DEVICE_DEFAULT, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
    CL_QUEUE_PROPERTIES, CL_QUEUE_PROPERTIES_ARRAY, CL_QUEUE_REFERENCE_COUNT, CL_QUEUE_SIZE,
    cl_bool, cl_command_queue, cl_command_queue_info, cl_command_queue_properties, cl_context,
    cl_device_id, cl_int, cl_queue_properties,
};

use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::device::Device;
use crate::handles::{self, find, publish, references};
use crate::pointers::{Query, answer, create, flatten, properties};
use crate::queue::Queue;

const OFFERED: cl_command_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
const ON_DEVICE: cl_command_queue_properties = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

pub(crate) unsafe extern "C" fn clCreateCommandQueue(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
    code: *mut cl_int,
) -> cl_command_queue {
    create(code, || make(context, device, properties, None))
}

pub(crate) unsafe extern "C" fn clCreateCommandQueueWithProperties(
    context: cl_context,
    device: cl_device_id,
    given: *const cl_queue_properties,
    code: *mut cl_int,
) -> cl_command_queue {
    create(code, || {
        let list = properties(given);
        let mut bits = 0;
        for &(key, value) in &list {
            match key as cl_command_queue_info {
                CL_QUEUE_PROPERTIES => bits = value,
                // Only for queues on the device.
                CL_QUEUE_SIZE => return Err(Code(CL_INVALID_QUEUE_PROPERTIES)),
                _ => return Err(Code(CL_INVALID_VALUE)),
            }
        }
        let list = match given.is_null() {
            true => Vec::new(),
            false => flatten(&list),
        };
        make(context, device, bits, Some(list))
    })
}

fn make(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
    given: Option<Vec<cl_queue_properties>>,
) -> Answer<cl_command_queue> {
    let context = find::<Context>(context)?;
    let device = find::<Device>(device)?;
    context.require(&device)?;
    require(properties & !(OFFERED | ON_DEVICE) == 0, CL_INVALID_VALUE)?;
    require(properties & ON_DEVICE == 0, CL_INVALID_QUEUE_PROPERTIES)?;
    let queue = Queue::new(context, device, properties, given);
    Ok(publish(Arc::new(queue)))
}

pub(crate) unsafe extern "C" fn clRetainCommandQueue(queue: cl_command_queue) -> cl_int {
    answer(|| handles::retain::<Queue>(queue))
}

pub(crate) unsafe extern "C" fn clReleaseCommandQueue(queue: cl_command_queue) -> cl_int {
    answer(|| handles::release::<Queue>(queue))
}

pub(crate) unsafe extern "C" fn clGetCommandQueueInfo(
    queue: cl_command_queue,
    name: cl_command_queue_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let query = Query::new(size, value, size_ret);
        match name {
            CL_QUEUE_CONTEXT => query.one(queue.context.pointer()),
            CL_QUEUE_DEVICE => query.one(queue.device.pointer()),
            CL_QUEUE_REFERENCE_COUNT => query.one(references(&*queue)),
            CL_QUEUE_PROPERTIES => query.one(queue.properties),
            CL_QUEUE_PROPERTIES_ARRAY => query.all(queue.given.as_deref().unwrap_or_default()),
            // Of queues on the device.
            CL_QUEUE_SIZE => Err(Code(CL_INVALID_COMMAND_QUEUE)),
            CL_QUEUE_DEVICE_DEFAULT => query.one(std::ptr::null_mut::<c_void>()),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

/// Gone since OpenCL 1.1.
pub(crate) unsafe extern "C" fn clSetCommandQueueProperty(
    queue: cl_command_queue,
    _properties: cl_command_queue_properties,
    _enable: cl_bool,
    _old: *mut cl_command_queue_properties,
) -> cl_int {
    answer(|| {
        find::<Queue>(queue)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}

/// Commands start as soon as they can.
pub(crate) unsafe extern "C" fn clFlush(queue: cl_command_queue) -> cl_int {
    answer(|| find::<Queue>(queue).map(drop))
}

pub(crate) unsafe extern "C" fn clFinish(queue: cl_command_queue) -> cl_int {
    answer(|| find::<Queue>(queue)?.finish())
}
