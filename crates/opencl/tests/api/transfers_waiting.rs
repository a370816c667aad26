//! What transfers wait for.

use std::ffi::c_void;
use std::ptr::null_mut;

use crate::commands::{check_wait_list, user_event};
use crate::support::*;
use opencl_sys::*;

const SIZE: usize = 64;

fn buffer(session: &Session, flags: cl_mem_flags) -> Owned {
    let made = make!(clCreateBuffer(*session.context, flags, SIZE, null_mut()));
    Owned::new(made.expect("a buffer"), clReleaseMemObject)
}

#[test]
fn a_transfer_that_blocks_tells_of_what_it_waited_for() {
    let session = Session::new();
    let mem = buffer(&session, 0);
    let mut host = [0_u8; SIZE];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let failed = user_event(&session);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*failed, -1));
    let (queue, mem) = (*session.queue, *mem);
    assert_code!(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, room, 1, &*failed, null_mut())
    );
    assert_code!(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 4, room, 1, &*failed, null_mut())
    );
}

#[test]
fn transfers_wait_for_the_events_of_their_list() {
    let session = Session::new();
    let (first, second) = (buffer(&session, 0), buffer(&session, 0));
    let mut host = [0_u8; SIZE];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let (queue, first, second) = (*session.queue, *first, *second);
    check_wait_list(&session, CL_COMMAND_READ_BUFFER, |count, list, event| {
        call!(clEnqueueReadBuffer(
            queue, first, CL_FALSE, 0, 4, room, count, list, event
        ))
    });
    check_wait_list(&session, CL_COMMAND_WRITE_BUFFER, |count, list, event| {
        call!(clEnqueueWriteBuffer(
            queue, first, CL_FALSE, 0, 4, room, count, list, event
        ))
    });
    check_wait_list(&session, CL_COMMAND_COPY_BUFFER, |count, list, event| {
        call!(clEnqueueCopyBuffer(
            queue, first, second, 0, 0, 4, count, list, event
        ))
    });
    check_wait_list(&session, CL_COMMAND_FILL_BUFFER, |count, list, event| {
        call!(clEnqueueFillBuffer(
            queue, first, room, 4, 0, 4, count, list, event
        ))
    });
    check_wait_list(
        &session,
        CL_COMMAND_MIGRATE_MEM_OBJECTS,
        |count, list, event| {
            call!(clEnqueueMigrateMemObjects(
                queue, 1, &first, 0, count, list, event
            ))
        },
    );
}
