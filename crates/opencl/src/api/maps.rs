//! Mapping buffers.

use std::ffi::c_void;

use opencl_sys::{
    CL_COMMAND_MAP_BUFFER, CL_COMMAND_UNMAP_MEM_OBJECT,
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_FALSE, CL_INVALID_OPERATION, CL_INVALID_VALUE,
    CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION, cl_bool, cl_command_queue, cl_event,
    cl_int, cl_map_flags, cl_mem, cl_uint,
};

use super::buffers::buffer_for;
use super::transfers::{UNREADABLE, UNWRITABLE, transfer};
use super::{Waits, enqueue, enqueue_after, wait_list};
use crate::code::{Code, require};
use crate::handles::find;
use crate::pointers::{answer, create};
use crate::queue::Queue;

pub(crate) unsafe extern "C" fn clEnqueueMapBuffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
    code: *mut cl_int,
) -> *mut c_void {
    create(code, || {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, buffer)?;
        let events = wait_list(&queue.context, count, events)?;
        require(size > 0, CL_INVALID_VALUE)?;
        mem.check_range(offset, size)?;
        let (access, overwrite) = (CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION);
        let contradicts = flags & access != 0 && flags & overwrite != 0;
        require(
            flags & !(access | overwrite) == 0 && !contradicts,
            CL_INVALID_VALUE,
        )?;
        let reads = flags & CL_MAP_READ != 0;
        let writes = flags & (CL_MAP_WRITE | overwrite) != 0;
        require(!reads || mem.flags & UNREADABLE == 0, CL_INVALID_OPERATION)?;
        require(!writes || mem.flags & UNWRITABLE == 0, CL_INVALID_OPERATION)?;
        let map = mem.map(offset, size, flags)?;
        let length = match flags & overwrite {
            0 => queue.device.transfer(size),
            _ => 0,
        };
        let mapped = mem.clone();
        let command = transfer(&queue, CL_COMMAND_MAP_BUFFER, length, move || {
            mapped.fetch(&map)
        });
        let enqueued = enqueue_after(&queue, command, &events, event);
        if blocking != CL_FALSE && enqueued.wait() < 0 {
            // The program has no pointer that it could take back.
            mem.unmap(map.pointer.get().cast())?;
            return Err(Code(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST));
        }
        Ok(map.pointer.get().cast())
    })
}

pub(crate) unsafe extern "C" fn clEnqueueUnmapMemObject(
    queue: cl_command_queue,
    memory: cl_mem,
    pointer: *mut c_void,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, memory)?;
        wait_list(&queue.context, count, events)?;
        let map = mem.unmap(pointer)?;
        let length = match map.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) {
            0 => 0,
            _ => queue.device.transfer(map.size),
        };
        let command = transfer(&queue, CL_COMMAND_UNMAP_MEM_OBJECT, length, move || {
            mem.take_over(&map);
        });
        enqueue(
            &queue,
            command,
            Waits {
                count,
                events,
                event,
            },
        )
        .map(drop)
    })
}
