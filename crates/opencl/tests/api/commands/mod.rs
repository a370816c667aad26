//! What holds for everything that enqueues a command.

use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::support::{Owned, Session, assert_code, call, check, info, make};

/// An event of the program.
pub fn user_event(session: &Session) -> Owned {
    Owned::event(make!(clCreateUserEvent(*session.context)).expect("an event"))
}

/// How far a command is.
pub fn status(event: cl_event) -> cl_int {
    info(clGetEventInfo, event, CL_EVENT_COMMAND_EXECUTION_STATUS)
}

/// Checks the last three arguments of a function that enqueues a command of a kind into the session's
/// queue, again and again: which lists are refused, that the command waits for those of the list,
/// and that it fails with them.
pub fn check_wait_list(
    session: &Session,
    kind: cl_command_type,
    enqueue: impl Fn(cl_uint, *const cl_event, *mut cl_event) -> cl_int,
) {
    let gate = user_event(session);
    let refused = |code, count, list: &[cl_event]| {
        let list = if list.is_empty() {
            null()
        } else {
            list.as_ptr()
        };
        assert_eq!(enqueue(count, list, null_mut()), code, "a list of {count}");
    };
    refused(CL_INVALID_EVENT_WAIT_LIST, 1, &[]);
    refused(CL_INVALID_EVENT_WAIT_LIST, 0, &[*gate]);
    refused(CL_INVALID_EVENT_WAIT_LIST, 2, &[*gate, null_mut()]);
    refused(CL_INVALID_EVENT_WAIT_LIST, 1, &[*session.queue]);
    let other = Session::new();
    let foreign = user_event(&other);
    refused(CL_INVALID_CONTEXT, 1, &[*foreign]);

    let mut event = null_mut();
    check(enqueue(1, &*gate, &mut event));
    let event = Owned::event(event);
    assert!(status(*event) > CL_RUNNING, "it waits");
    let queue: cl_command_queue = info(clGetEventInfo, *event, CL_EVENT_COMMAND_QUEUE);
    assert_eq!(queue, *session.queue);
    let found: cl_command_type = info(clGetEventInfo, *event, CL_EVENT_COMMAND_TYPE);
    assert_eq!(found, kind);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*gate, CL_COMPLETE));
    assert_code!(CL_SUCCESS, clWaitForEvents(1, &*event));
    assert_eq!(status(*event), CL_COMPLETE);

    let failed = user_event(session);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*failed, -77));
    let mut event = null_mut();
    check(enqueue(1, &*failed, &mut event));
    let event = Owned::event(event);
    assert_code!(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clWaitForEvents(1, &*event)
    );
    assert!(status(*event) < 0, "it fails with what it waits for");
    // Whether the queue tells of failures of commands is not what is asked here.
    call!(clFinish(*session.queue));
}
