//! Events, markers and barriers, as the tests of synchronization enqueue them.

use std::ptr::null_mut;

use opencl_sys::*;

use super::{Owned, call, check, info, wait_list};

/// What `clWaitForEvents` says when one has failed.
pub const LOST: cl_int = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;

/// How far an event is.
pub fn status(event: cl_event) -> cl_int {
    info(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS)
}

/// How many references the program has to an event.
pub fn references(event: cl_event) -> u32 {
    info(clGetEventInfo, event, CL_EVENT_REFERENCE_COUNT)
}

/// Ends a user event.
pub fn set_status(event: cl_event, status: cl_int) {
    check(call!(clSetUserEventStatus(event, status)));
}

/// Waits for an event; the code.
pub fn wait(event: cl_event) -> cl_int {
    call!(clWaitForEvents(1, &event))
}

/// Writes words to a buffer's beginning, without blocking.
pub fn write(
    queue: cl_command_queue,
    buffer: cl_mem,
    words: &'static [u32],
    waits: &[cl_event],
) -> Owned {
    let (count, list) = wait_list(waits);
    let mut event = null_mut();
    let (size, from) = (size_of_val(words), words.as_ptr().cast());
    check(call!(clEnqueueWriteBuffer(
        queue, buffer, CL_FALSE, 0, size, from, count, list, &mut event
    )));
    Owned::event(event)
}

/// Enqueues a marker.
pub fn marker(queue: cl_command_queue, waits: &[cl_event]) -> Owned {
    let (count, list) = wait_list(waits);
    let mut event = null_mut();
    check(call!(clEnqueueMarkerWithWaitList(
        queue, count, list, &mut event
    )));
    Owned::event(event)
}

/// Enqueues a barrier.
pub fn barrier(queue: cl_command_queue, waits: &[cl_event]) -> Owned {
    let (count, list) = wait_list(waits);
    let mut event = null_mut();
    check(call!(clEnqueueBarrierWithWaitList(
        queue, count, list, &mut event
    )));
    Owned::event(event)
}
