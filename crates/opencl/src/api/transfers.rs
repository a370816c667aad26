//! Reading, writing, filling and copying buffers.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_COMMAND_COPY_BUFFER, CL_COMMAND_FILL_BUFFER, CL_COMMAND_MIGRATE_MEM_OBJECTS,
    CL_COMMAND_READ_BUFFER, CL_COMMAND_WRITE_BUFFER, CL_INVALID_CONTEXT, CL_INVALID_OPERATION,
    CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP, CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY,
    CL_MEM_HOST_WRITE_ONLY, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, CL_MIGRATE_MEM_OBJECT_HOST,
    cl_bool, cl_command_queue, cl_command_type, cl_event, cl_int, cl_mem, cl_mem_flags,
    cl_mem_migration_flags, cl_uint,
};

use super::buffers::buffer_for;
use super::{Waits, enqueue, enqueue_and_wait};
use crate::code::require;
use crate::engine::Nanoseconds;
use crate::event::Work;
use crate::handles::{find, find_all};
use crate::memory::Mem;
use crate::pointers::{HostPointer, answer, copy, list};
use crate::queue::{Command, Dependency, Queue};

/// What a host may not do with a buffer of these flags.
pub(super) const UNREADABLE: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
pub(super) const UNWRITABLE: cl_mem_flags = CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/// A command that moves bytes.
pub(super) fn transfer(
    queue: &Queue,
    kind: cl_command_type,
    length: Nanoseconds,
    body: impl FnOnce() + Send + 'static,
) -> Command {
    let work: Work = Box::new(move || {
        body();
        Ok(length.into())
    });
    Command {
        kind,
        engine: queue.device.link.clone(),
        dependency: Dependency::QueueOrder,
        work,
    }
}

pub(crate) unsafe extern "C" fn clEnqueueReadBuffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: usize,
    size: usize,
    pointer: *mut c_void,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, buffer)?;
        let host = HostPointer::new(pointer)?;
        mem.check_range(offset, size)?;
        require(mem.flags & UNREADABLE == 0, CL_INVALID_OPERATION)?;
        let length = queue.device.transfer(size);
        let command = transfer(&queue, CL_COMMAND_READ_BUFFER, length, move || {
            copy(mem.pointer(offset), host.get(), size);
        });
        enqueue_and_wait(
            &queue,
            command,
            blocking,
            Waits {
                count,
                events,
                event,
            },
        )
    })
}

pub(crate) unsafe extern "C" fn clEnqueueWriteBuffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    offset: usize,
    size: usize,
    pointer: *const c_void,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, buffer)?;
        let host = HostPointer::new(pointer)?;
        mem.check_range(offset, size)?;
        require(mem.flags & UNWRITABLE == 0, CL_INVALID_OPERATION)?;
        let length = queue.device.transfer(size);
        let command = transfer(&queue, CL_COMMAND_WRITE_BUFFER, length, move || {
            copy(host.get(), mem.pointer(offset), size);
            mem.buffer.mark_initialised();
        });
        enqueue_and_wait(
            &queue,
            command,
            blocking,
            Waits {
                count,
                events,
                event,
            },
        )
    })
}

pub(crate) unsafe extern "C" fn clEnqueueCopyBuffer(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_offset: usize,
    to_offset: usize,
    size: usize,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let (from, to) = (buffer_for(&queue, from)?, buffer_for(&queue, to)?);
        from.check_range(from_offset, size)?;
        to.check_range(to_offset, size)?;
        let (first, second) = (from.pointer(from_offset), to.pointer(to_offset));
        let apart = (first as usize).abs_diff(second as usize);
        require(apart >= size, CL_MEM_COPY_OVERLAP)?;
        let length = queue.device.copy(size);
        let command = transfer(&queue, CL_COMMAND_COPY_BUFFER, length, move || {
            copy(from.pointer(from_offset), to.pointer(to_offset), size);
            to.buffer.mark_initialised();
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

pub(crate) unsafe extern "C" fn clEnqueueFillBuffer(
    queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, buffer)?;
        mem.check_range(offset, size)?;
        let sizes = [1, 2, 4, 8, 16, 32, 64, 128];
        require(
            !pattern.is_null()
                && sizes.contains(&pattern_size)
                && offset.is_multiple_of(pattern_size)
                && size.is_multiple_of(pattern_size),
            CL_INVALID_VALUE,
        )?;
        let pattern = list(pattern.cast::<u8>(), pattern_size)?;
        let length = queue.device.copy(size) / 2;
        let command = transfer(&queue, CL_COMMAND_FILL_BUFFER, length, move || {
            fill(&mem, offset, size, &pattern);
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

/// Doubles what is filled until all is.
unsafe fn fill(mem: &Mem, offset: usize, size: usize, pattern: &[u8]) {
    if size == 0 {
        return;
    }
    let start = mem.pointer(offset);
    copy(pattern.as_ptr(), start, pattern.len());
    let mut done = pattern.len();
    while done < size {
        let now = done.min(size - done);
        copy(start, start.add(done), now);
        done += now;
    }
    mem.buffer.mark_initialised();
}

/// All memory is where it is.
pub(crate) unsafe extern "C" fn clEnqueueMigrateMemObjects(
    queue: cl_command_queue,
    objects: cl_uint,
    memories: *const cl_mem,
    flags: cl_mem_migration_flags,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let known = CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;
        require(
            objects > 0 && !memories.is_null() && flags & !known == 0,
            CL_INVALID_VALUE,
        )?;
        let kept = find_all::<Mem>(memories, objects)?;
        let is_ours = |mem: &Arc<Mem>| Arc::ptr_eq(&mem.context, &queue.context);
        require(kept.iter().all(is_ours), CL_INVALID_CONTEXT)?;
        let command = transfer(&queue, CL_COMMAND_MIGRATE_MEM_OBJECTS, 0, move || {
            drop(kept)
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
