//! Contexts.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use opencl_sys::{
    CL_CONTEXT_DEVICES, CL_CONTEXT_INTEROP_USER_SYNC, CL_CONTEXT_NUM_DEVICES, CL_CONTEXT_PLATFORM,
    CL_CONTEXT_PROPERTIES, CL_CONTEXT_REFERENCE_COUNT, CL_DEVICE_NOT_FOUND, CL_INVALID_PROPERTY,
    CL_INVALID_VALUE, cl_context, cl_context_info, cl_context_properties, cl_device_id,
    cl_device_type, cl_int, cl_uint,
};

use super::devices::is_wanted;
use crate::calls::{Call, UserData};
use crate::code::{Answer, Code, require};
use crate::context::{Context, Notify};
use crate::device::Device;
use crate::handles::{self, find, find_all, publish, references};
use crate::platform::Platform;
use crate::pointers::{Query, answer, create, flatten, properties};

/// The type of the program's function for problems.
type NotifyFunction =
    Option<unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>;

pub(crate) unsafe extern "C" fn clCreateContext(
    given: *const cl_context_properties,
    count: cl_uint,
    devices: *const cl_device_id,
    notify: NotifyFunction,
    data: *mut c_void,
    code: *mut cl_int,
) -> cl_context {
    create(code, || {
        let properties = checked_properties(given)?;
        require(!devices.is_null() && count > 0, CL_INVALID_VALUE)?;
        let mut all: Vec<Arc<Device>> = Vec::new();
        for device in find_all::<Device>(devices, count)? {
            if !all.iter().any(|it| Arc::ptr_eq(it, &device)) {
                all.push(device);
            }
        }
        let notify = checked_notify(notify, data)?;
        Ok(publish(Arc::new(Context::new(all, properties, notify))))
    })
}

pub(crate) unsafe extern "C" fn clCreateContextFromType(
    given: *const cl_context_properties,
    kind: cl_device_type,
    notify: NotifyFunction,
    data: *mut c_void,
    code: *mut cl_int,
) -> cl_context {
    create(code, || {
        let properties = checked_properties(given)?;
        let notify = checked_notify(notify, data)?;
        let device = Device::get()?;
        require(is_wanted(&device, kind)?, CL_DEVICE_NOT_FOUND)?;
        Ok(publish(Arc::new(Context::new(
            vec![device],
            properties,
            notify,
        ))))
    })
}

unsafe fn checked_properties(
    given: *const cl_context_properties,
) -> Answer<Vec<cl_context_properties>> {
    let list = properties(given);
    let mut seen = Vec::new();
    for &(key, value) in &list {
        require(!seen.contains(&key), CL_INVALID_PROPERTY)?;
        seen.push(key);
        match key {
            CL_CONTEXT_PLATFORM => find::<Platform>(value as *mut c_void).map(drop)?,
            CL_CONTEXT_INTEROP_USER_SYNC => require((0..=1).contains(&value), CL_INVALID_PROPERTY)?,
            _ => return Err(Code(CL_INVALID_PROPERTY)),
        }
    }
    Ok(match given.is_null() {
        true => Vec::new(),
        false => flatten(&list),
    })
}

fn checked_notify(notify: NotifyFunction, data: *mut c_void) -> Answer<Option<Notify>> {
    require(notify.is_some() || data.is_null(), CL_INVALID_VALUE)?;
    let data = UserData(data);
    Ok(notify.map(|function| Notify { function, data }))
}

pub(crate) unsafe extern "C" fn clRetainContext(context: cl_context) -> cl_int {
    answer(|| handles::retain::<Context>(context))
}

pub(crate) unsafe extern "C" fn clReleaseContext(context: cl_context) -> cl_int {
    answer(|| handles::release::<Context>(context))
}

pub(crate) unsafe extern "C" fn clGetContextInfo(
    context: cl_context,
    name: cl_context_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let context = find::<Context>(context)?;
        let query = Query::new(size, value, size_ret);
        let devices: Vec<cl_device_id> = context.devices.iter().map(|it| it.pointer()).collect();
        match name {
            CL_CONTEXT_REFERENCE_COUNT => query.one(references(&*context)),
            CL_CONTEXT_NUM_DEVICES => query.one(devices.len() as cl_uint),
            CL_CONTEXT_DEVICES => query.all(&devices),
            CL_CONTEXT_PROPERTIES => query.all(&context.properties),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

pub(crate) unsafe extern "C" fn clSetContextDestructorCallback(
    context: cl_context,
    function: Option<unsafe extern "C" fn(cl_context, *mut c_void)>,
    data: *mut c_void,
) -> cl_int {
    answer(|| {
        let context = find::<Context>(context)?;
        let function = function.ok_or(Code(CL_INVALID_VALUE))?;
        let data = UserData(data);
        context.destructor_callbacks.add(Call { function, data });
        Ok(())
    })
}
