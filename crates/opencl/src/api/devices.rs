//! Devices and parts of them.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use opencl_sys::{
    CL_DEVICE_NOT_FOUND, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_ALL, CL_DEVICE_TYPE_CPU,
    CL_DEVICE_TYPE_CUSTOM, CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_GPU, CL_INVALID_DEVICE_TYPE,
    CL_INVALID_OPERATION, CL_INVALID_VALUE, cl_command_queue, cl_context, cl_device_id,
    cl_device_partition_property, cl_device_type, cl_int, cl_platform_id, cl_uint, cl_ulong,
};

use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::device::Device;
use crate::handles::{self, find, publish};
use crate::platform::Platform;
use crate::pointers::{answer, put};

/// Whether a device of its kind was asked for.
pub(super) fn is_wanted(device: &Device, kind: cl_device_type) -> Answer<bool> {
    let known = CL_DEVICE_TYPE_DEFAULT
        | CL_DEVICE_TYPE_CPU
        | CL_DEVICE_TYPE_GPU
        | CL_DEVICE_TYPE_ACCELERATOR
        | CL_DEVICE_TYPE_CUSTOM;
    if kind == CL_DEVICE_TYPE_ALL {
        IS_FOUND.store(true, Relaxed);
        return Ok(true);
    }
    require(kind != 0 && kind & !known == 0, CL_INVALID_DEVICE_TYPE)?;
    let is_wanted = kind & (device.settings.kind | CL_DEVICE_TYPE_DEFAULT) != 0;
    match is_wanted {
        true => IS_FOUND.store(true, Relaxed),
        false => advise(kind),
    }
    Ok(is_wanted)
}

/// Whether the program has found the device: then it knows what it does when it asks for others.
static IS_FOUND: AtomicBool = AtomicBool::new(false);

/// Tells a program in search of a GPU or CPU how to find the device.
fn advise(kind: cl_device_type) {
    let choice = match kind {
        kind if kind & CL_DEVICE_TYPE_GPU != 0 => "gpu",
        kind if kind & CL_DEVICE_TYPE_CPU != 0 => "cpu",
        _ => return,
    };
    static SAID: Once = Once::new();
    if !IS_FOUND.load(Relaxed) {
        SAID.call_once(|| {
            eprintln!(
                "sluice: the program asks for a device of another type; with \
                 SLUICE_DEVICE_TYPE={choice} it finds this one"
            );
        });
    }
}

pub(crate) unsafe extern "C" fn clGetDeviceIDs(
    platform: cl_platform_id,
    kind: cl_device_type,
    entries: cl_uint,
    devices: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    answer(|| {
        if !platform.is_null() {
            find::<Platform>(platform)?;
        }
        require(devices.is_null() || entries > 0, CL_INVALID_VALUE)?;
        require(!devices.is_null() || !count.is_null(), CL_INVALID_VALUE)?;
        let found = Device::get().and_then(|device| match is_wanted(&device, kind)? {
            true => Ok(device),
            false => Err(Code(CL_DEVICE_NOT_FOUND)),
        });
        put(count, cl_uint::from(found.is_ok()));
        put(devices, found?.pointer());
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn clCreateSubDevices(
    device: cl_device_id,
    properties: *const cl_device_partition_property,
    entries: cl_uint,
    devices: *mut cl_device_id,
    count: *mut cl_uint,
) -> cl_int {
    answer(|| {
        let device = find::<Device>(device)?;
        let how = partition(properties)?;
        let parts = device.split(&how)?;
        require(
            devices.is_null() || entries as usize >= parts.len(),
            CL_INVALID_VALUE,
        )?;
        put(count, parts.len() as cl_uint);
        if !devices.is_null() {
            for (at, part) in parts.into_iter().enumerate() {
                put(devices.add(at), publish(part));
            }
        }
        Ok(())
    })
}

/// The list with its end: what ends it depends on how it begins.
unsafe fn partition(
    properties: *const cl_device_partition_property,
) -> Answer<Vec<cl_device_partition_property>> {
    require(!properties.is_null(), CL_INVALID_VALUE)?;
    let first = properties.read();
    let mut list = vec![first];
    match first {
        opencl_sys::CL_DEVICE_PARTITION_BY_COUNTS => {
            let mut at = properties.add(1);
            while at.read() != opencl_sys::CL_DEVICE_PARTITION_BY_COUNTS_LIST_END {
                list.push(at.read());
                at = at.add(1);
            }
            list.extend([at.read(), at.add(1).read()]);
        }
        opencl_sys::CL_DEVICE_PARTITION_EQUALLY => {
            list.extend([properties.add(1).read(), properties.add(2).read()]);
        }
        _ => return Err(Code(CL_INVALID_VALUE)),
    }
    Ok(list)
}

/// The whole device is always there; only its parts are counted.
unsafe fn is_whole(device: cl_device_id) -> Answer<bool> {
    Ok(find::<Device>(device)?.parent.is_none())
}

pub(crate) unsafe extern "C" fn clRetainDevice(device: cl_device_id) -> cl_int {
    answer(|| match is_whole(device)? {
        true => Ok(()),
        false => handles::retain::<Device>(device),
    })
}

pub(crate) unsafe extern "C" fn clReleaseDevice(device: cl_device_id) -> cl_int {
    answer(|| match is_whole(device)? {
        true => Ok(()),
        false => handles::release::<Device>(device),
    })
}

/// The device's clock is that of a simulation: it has nothing to do with the host's. Without timers,
/// that is the answer whatever else is passed.
pub(crate) unsafe extern "C" fn clGetDeviceAndHostTimer(
    device: cl_device_id,
    _device_time: *mut cl_ulong,
    _host_time: *mut cl_ulong,
) -> cl_int {
    answer(|| {
        find::<Device>(device)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}

pub(crate) unsafe extern "C" fn clGetHostTimer(
    device: cl_device_id,
    _host_time: *mut cl_ulong,
) -> cl_int {
    answer(|| {
        find::<Device>(device)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}

/// There are no queues on the device.
pub(crate) unsafe extern "C" fn clSetDefaultDeviceCommandQueue(
    context: cl_context,
    device: cl_device_id,
    _queue: cl_command_queue,
) -> cl_int {
    answer(|| {
        let context = find::<Context>(context)?;
        context.require(&find::<Device>(device)?)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}
