//! The entry points, by chapter of the specification. Each checks its arguments in the order in which
//! the specification lists the codes, as far as it matters, and has the rest done by the objects.
//!
//! Their bodies are unsafe as a whole: what a pointer must be is what the specification says of the
//! argument.
#![allow(unsafe_op_in_unsafe_fn, non_snake_case, clippy::too_many_arguments)]

pub(crate) mod absent;
pub(crate) mod buffers;
pub(crate) mod contexts;
pub(crate) mod device_info;
pub(crate) mod devices;
pub(crate) mod events;
pub(crate) mod kernels;
pub(crate) mod launches;
pub(crate) mod maps;
pub(crate) mod platforms;
pub(crate) mod programs;
pub(crate) mod queues;
pub(crate) mod rectangles;
pub(crate) mod transfers;

use std::sync::Arc;

use opencl_sys::{
    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST,
    cl_bool, cl_event, cl_uint,
};

use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::event::Event;
use crate::handles::{find_all, publish};
use crate::pointers::put;
use crate::queue::{Command, Queue};

/// The events that a command is to wait for.
unsafe fn wait_list(
    context: &Arc<Context>,
    count: cl_uint,
    events: *const cl_event,
) -> Answer<Vec<Arc<Event>>> {
    require((count == 0) == events.is_null(), CL_INVALID_EVENT_WAIT_LIST)?;
    let events = find_all::<Event>(events, count).map_err(|_| Code(CL_INVALID_EVENT_WAIT_LIST))?;
    let is_ours = |event: &Arc<Event>| Arc::ptr_eq(&event.context, context);
    require(events.iter().all(is_ours), CL_INVALID_CONTEXT)?;
    Ok(events)
}

/// The last three arguments of whatever enqueues a command.
struct Waits {
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
}

/// Enqueues a command, and gives its event to the program if it wants it.
unsafe fn enqueue(queue: &Arc<Queue>, command: Command, waits: Waits) -> Answer<Arc<Event>> {
    let events = wait_list(&queue.context, waits.count, waits.events)?;
    Ok(enqueue_after(queue, command, &events, waits.event))
}

/// As [`enqueue`], after events that are known.
unsafe fn enqueue_after(
    queue: &Arc<Queue>,
    command: Command,
    events: &[Arc<Event>],
    event: *mut cl_event,
) -> Arc<Event> {
    let enqueued = queue.enqueue(command, events);
    if !event.is_null() {
        put(event, publish(enqueued.clone()));
    }
    enqueued
}

/// As [`enqueue`], and waits for the command if it blocks.
unsafe fn enqueue_and_wait(
    queue: &Arc<Queue>,
    command: Command,
    blocking: cl_bool,
    waits: Waits,
) -> Answer {
    let events = wait_list(&queue.context, waits.count, waits.events)?;
    if blocking == opencl_sys::CL_FALSE {
        enqueue_after(queue, command, &events, waits.event);
        return Ok(());
    }
    let event = enqueue_after(queue, command, &events, waits.event);
    match event.wait() {
        opencl_sys::CL_COMPLETE => queue.check(),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST => {
            Err(Code(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
        }
        _ => Err(Code::RESOURCES),
    }
}
