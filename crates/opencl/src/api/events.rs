//! Events, markers and barriers.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_COMMAND_BARRIER, CL_COMMAND_MARKER, CL_COMMAND_USER, CL_COMPLETE,
    CL_EVENT_COMMAND_EXECUTION_STATUS, CL_EVENT_COMMAND_QUEUE, CL_EVENT_COMMAND_TYPE,
    CL_EVENT_CONTEXT, CL_EVENT_REFERENCE_COUNT, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
    CL_INVALID_CONTEXT, CL_INVALID_EVENT, CL_INVALID_OPERATION, CL_INVALID_VALUE,
    CL_PROFILING_COMMAND_COMPLETE, CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_QUEUED,
    CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_INFO_NOT_AVAILABLE,
    CL_QUEUE_PROFILING_ENABLE, CL_RUNNING, CL_SUBMITTED, cl_command_queue, cl_command_type,
    cl_context, cl_event, cl_event_info, cl_int, cl_profiling_info, cl_uint,
};

use super::{Waits, enqueue};
use crate::calls::UserData;
use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::event::{Callback, Event};
use crate::handles::{self, Object, find, find_all, publish, references};
use crate::pointers::{Query, answer, create};
use crate::queue::{Command, Dependency, Queue};

pub(crate) unsafe extern "C" fn clWaitForEvents(count: cl_uint, events: *const cl_event) -> cl_int {
    answer(|| {
        require(count > 0 && !events.is_null(), CL_INVALID_VALUE)?;
        let events = find_all::<Event>(events, count)?;
        let is_one = |event: &Arc<Event>| Arc::ptr_eq(&event.context, &events[0].context);
        require(events.iter().all(is_one), CL_INVALID_CONTEXT)?;
        let worst = events.iter().map(|event| event.wait()).min();
        require(
            worst == Some(CL_COMPLETE),
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        )
    })
}

pub(crate) unsafe extern "C" fn clGetEventInfo(
    event: cl_event,
    name: cl_event_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let event = find::<Event>(event)?;
        let query = Query::new(size, value, size_ret);
        match name {
            CL_EVENT_COMMAND_QUEUE => {
                let queue = event.queue.as_ref().map(|queue| queue.handle().pointer());
                query.one(queue.unwrap_or(std::ptr::null_mut()))
            }
            CL_EVENT_CONTEXT => query.one(event.context.pointer()),
            CL_EVENT_COMMAND_TYPE => query.one(event.command),
            CL_EVENT_COMMAND_EXECUTION_STATUS => query.one(event.status()),
            CL_EVENT_REFERENCE_COUNT => query.one(references(&*event)),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

pub(crate) unsafe extern "C" fn clRetainEvent(event: cl_event) -> cl_int {
    answer(|| handles::retain::<Event>(event))
}

pub(crate) unsafe extern "C" fn clReleaseEvent(event: cl_event) -> cl_int {
    answer(|| handles::release::<Event>(event))
}

pub(crate) unsafe extern "C" fn clGetEventProfilingInfo(
    event: cl_event,
    name: cl_profiling_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let event = find::<Event>(event)?;
        let is_profiled = |queue: &Arc<Queue>| queue.properties & CL_QUEUE_PROFILING_ENABLE != 0;
        require(
            event.queue.as_ref().is_some_and(is_profiled) && event.status() == CL_COMPLETE,
            CL_PROFILING_INFO_NOT_AVAILABLE,
        )?;
        let query = Query::new(size, value, size_ret);
        let times = event.times();
        match name {
            CL_PROFILING_COMMAND_QUEUED | CL_PROFILING_COMMAND_SUBMIT => query.one(times.queued),
            CL_PROFILING_COMMAND_START => query.one(times.start),
            CL_PROFILING_COMMAND_END | CL_PROFILING_COMMAND_COMPLETE => query.one(times.end),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

pub(crate) unsafe extern "C" fn clCreateUserEvent(
    context: cl_context,
    code: *mut cl_int,
) -> cl_event {
    create(code, || {
        let context = find::<Context>(context)?;
        Ok(publish(Event::of_program(&context)))
    })
}

pub(crate) unsafe extern "C" fn clSetUserEventStatus(event: cl_event, status: cl_int) -> cl_int {
    answer(|| {
        let event = find::<Event>(event)?;
        require(event.command == CL_COMMAND_USER, CL_INVALID_EVENT)?;
        require(status <= CL_COMPLETE, CL_INVALID_VALUE)?;
        require(event.end_by_program(status), CL_INVALID_OPERATION)
    })
}

pub(crate) unsafe extern "C" fn clSetEventCallback(
    event: cl_event,
    when: cl_int,
    function: Option<unsafe extern "C" fn(cl_event, cl_int, *mut c_void)>,
    data: *mut c_void,
) -> cl_int {
    answer(|| {
        let event = find::<Event>(event)?;
        let function = function.ok_or(Code(CL_INVALID_VALUE))?;
        let known = [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE];
        require(known.contains(&when), CL_INVALID_VALUE)?;
        event.set_callback(Callback {
            when,
            function,
            data: UserData(data),
        });
        Ok(())
    })
}

unsafe fn enqueue_nothing(
    queue: cl_command_queue,
    kind: cl_command_type,
    dependency: Dependency,
    waits: Waits,
) -> Answer {
    let queue = find::<Queue>(queue)?;
    let command = Command {
        kind,
        // It takes no time, and nothing else waits for it there.
        engine: Arc::default(),
        dependency,
        work: Box::new(|| Ok(0.into())),
    };
    enqueue(&queue, command, waits).map(drop)
}

pub(crate) unsafe extern "C" fn clEnqueueMarkerWithWaitList(
    queue: cl_command_queue,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let dependency = match count {
        0 => Dependency::Marker,
        _ => Dependency::QueueOrder,
    };
    let waits = Waits {
        count,
        events,
        event,
    };
    answer(|| enqueue_nothing(queue, CL_COMMAND_MARKER, dependency, waits))
}

pub(crate) unsafe extern "C" fn clEnqueueBarrierWithWaitList(
    queue: cl_command_queue,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    let dependency = match count {
        0 => Dependency::Barrier,
        _ => Dependency::BarrierOfList,
    };
    let waits = Waits {
        count,
        events,
        event,
    };
    answer(|| enqueue_nothing(queue, CL_COMMAND_BARRIER, dependency, waits))
}

pub(crate) unsafe extern "C" fn clEnqueueMarker(
    queue: cl_command_queue,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        find::<Queue>(queue)?;
        require(!event.is_null(), CL_INVALID_VALUE)?;
        let waits = Waits {
            count: 0,
            events: std::ptr::null(),
            event,
        };
        enqueue_nothing(queue, CL_COMMAND_MARKER, Dependency::Marker, waits)
    })
}

pub(crate) unsafe extern "C" fn clEnqueueWaitForEvents(
    queue: cl_command_queue,
    count: cl_uint,
    events: *const cl_event,
) -> cl_int {
    answer(|| {
        find::<Queue>(queue)?;
        require(count > 0 && !events.is_null(), CL_INVALID_VALUE)?;
        find_all::<Event>(events, count)?;
        let waits = Waits {
            count,
            events,
            event: std::ptr::null_mut(),
        };
        enqueue_nothing(queue, CL_COMMAND_BARRIER, Dependency::BarrierOfList, waits)
    })
}

pub(crate) unsafe extern "C" fn clEnqueueBarrier(queue: cl_command_queue) -> cl_int {
    let waits = Waits {
        count: 0,
        events: std::ptr::null(),
        event: std::ptr::null_mut(),
    };
    answer(|| enqueue_nothing(queue, CL_COMMAND_BARRIER, Dependency::Barrier, waits))
}
