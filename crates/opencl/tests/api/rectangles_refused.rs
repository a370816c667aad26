//! Boxes of bytes that are refused, and what boxes wait for.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::boxes::*;
use crate::commands::{check_wait_list, user_event};
use crate::support::*;
use opencl_sys::*;

/// Boxes that a buffer of 64 bytes does not have, or that are none: region, origin, pitches.
const WRONG: [([usize; 3], [usize; 3], usize, usize); 12] = [
    ([0, 1, 1], [0, 0, 0], 0, 0),
    ([1, 0, 1], [0, 0, 0], 0, 0),
    ([1, 1, 0], [0, 0, 0], 0, 0),
    ([65, 1, 1], [0, 0, 0], 0, 0),
    ([8, 8, 1], [1, 0, 0], 8, 0),
    ([8, 8, 1], [0, 1, 0], 8, 0),
    ([4, 4, 4], [0, 0, 1], 4, 16),
    ([4, 2, 2], [0, 0, 0], 8, 56),
    // Rows that overlap, and slices that do so and are no number of rows.
    ([8, 2, 1], [0, 0, 0], 7, 0),
    ([4, 4, 2], [0, 0, 0], 4, 13),
    ([1, 1, 1], [usize::MAX, 0, 0], 0, 0),
    ([2, 2, 2], [0, usize::MAX / 2, 0], 4, 8),
];

#[test]
fn boxes_that_do_not_fit_are_refused() {
    let session = Session::new();
    let (mem, other) = (buffer(&session, &[0; 64]), buffer(&session, &[0; 64]));
    let mut host = [0_u8; 256];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let smallest = Layout::new([0; 3], 0, 0);
    for (region, origin, row, slice) in WRONG {
        let layout = Layout::new(origin, row, slice);
        let it = Transfer {
            region,
            buffer: layout,
            host: smallest,
        };
        assert_eq!(
            read_box(How::now(*session.queue), *mem, it, room),
            CL_INVALID_VALUE,
            "{region:?} {layout:?}"
        );
        assert_eq!(
            write_box(How::now(*session.queue), *mem, it, room),
            CL_INVALID_VALUE,
            "{region:?} {layout:?}"
        );
        let code = copy_box(
            How::now(*session.queue),
            region,
            (*mem, layout),
            (*other, smallest),
        );
        assert_eq!(code, CL_INVALID_VALUE, "from {region:?} {layout:?}");
        let code = copy_box(
            How::now(*session.queue),
            region,
            (*mem, smallest),
            (*other, layout),
        );
        assert_eq!(code, CL_INVALID_VALUE, "to {region:?} {layout:?}");
    }
    // The last byte is in.
    let last = Layout::new([0, 6, 0], 8, 0);
    let it = Transfer {
        region: [8, 2, 1],
        buffer: last,
        host: smallest,
    };
    assert_eq!(
        read_box(How::now(*session.queue), *mem, it, room),
        CL_SUCCESS
    );
}

#[test]
fn pitches_of_the_host_are_checked_too() {
    let session = Session::new();
    let mem = buffer(&session, &[0; 64]);
    let mut host = [0_u8; 256];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let smallest = Layout::new([0; 3], 0, 0);
    for (row, slice) in [(3, 0), (4, 13), (5, 9)] {
        let layout = Layout {
            row,
            slice,
            ..smallest
        };
        let it = Transfer {
            region: [4, 4, 2],
            buffer: smallest,
            host: layout,
        };
        assert_eq!(
            read_box(How::now(*session.queue), *mem, it, room),
            CL_INVALID_VALUE,
            "{layout:?}"
        );
        assert_eq!(
            write_box(How::now(*session.queue), *mem, it, room),
            CL_INVALID_VALUE,
            "{layout:?}"
        );
    }
    let it = Transfer {
        region: [4, 4, 2],
        buffer: smallest,
        host: smallest,
    };
    assert_eq!(
        read_box(How::now(*session.queue), *mem, it, null_mut()),
        CL_INVALID_VALUE
    );
    assert_eq!(
        write_box(How::now(*session.queue), *mem, it, null()),
        CL_INVALID_VALUE
    );
}

#[test]
fn slices_of_copies_are_rows_and_the_same_buffer_has_one_pitch() {
    let session = Session::new();
    let (mem, other) = (buffer(&session, &[0; 64]), buffer(&session, &[0; 64]));
    let layout = |origin, row, slice| Layout::new(origin, row, slice);
    let plain = layout([0; 3], 4, 8);
    // Large enough, but not a number of rows.
    let odd = layout([0; 3], 4, 11);
    let region = [4, 2, 2];
    assert_eq!(
        copy_box(
            How::now(*session.queue),
            region,
            (*mem, odd),
            (*other, plain)
        ),
        CL_INVALID_VALUE
    );
    assert_eq!(
        copy_box(
            How::now(*session.queue),
            region,
            (*mem, plain),
            (*other, odd)
        ),
        CL_INVALID_VALUE
    );
    let apart = layout([0, 0, 2], 5, 15);
    assert_eq!(
        copy_box(
            How::now(*session.queue),
            region,
            (*mem, plain),
            (*mem, apart)
        ),
        CL_INVALID_VALUE
    );
}

#[test]
fn handles_of_other_things_and_contexts_are_refused() {
    let session = Session::new();
    let mem = buffer(&session, &[0; 64]);
    let other = Session::new();
    let foreign = buffer(&other, &[0; 64]);
    let mut host = [0_u8; 64];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let here = Layout::new([0; 3], 0, 0);
    let there = Layout {
        origin: [9, 0, 0],
        ..here
    };
    let it = Transfer {
        region: [1; 3],
        buffer: here,
        host: here,
    };
    let refuse = |code, queue, first: cl_mem, second: cl_mem| {
        let how = How::now(queue);
        assert_eq!(read_box(how, first, it, room), code);
        assert_eq!(write_box(how, first, it, room), code);
        assert_eq!(
            copy_box(how, it.region, (first, here), (second, there)),
            code
        );
        assert_eq!(
            copy_box(how, it.region, (second, here), (first, there)),
            code
        );
    };
    for queue in [null_mut(), *session.context, *mem] {
        refuse(CL_INVALID_COMMAND_QUEUE, queue, *mem, *mem);
    }
    for wrong in [null_mut(), *session.context, *session.queue] {
        refuse(CL_INVALID_MEM_OBJECT, *session.queue, wrong, *mem);
    }
    refuse(CL_INVALID_CONTEXT, *session.queue, *foreign, *mem);
}

#[test]
fn the_host_may_do_what_the_flags_say() {
    let session = Session::new();
    let rules = [
        (CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION),
        (CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS),
        (
            CL_MEM_HOST_NO_ACCESS,
            CL_INVALID_OPERATION,
            CL_INVALID_OPERATION,
        ),
    ];
    let mut host = [0_u8; 64];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let smallest = Layout::new([0; 3], 0, 0);
    let it = Transfer {
        region: [4, 2, 2],
        buffer: smallest,
        host: smallest,
    };
    for (flags, reading, writing) in rules {
        let made = make!(clCreateBuffer(*session.context, flags, 64, null_mut()));
        let mem = Owned::new(made.expect("a buffer"), clReleaseMemObject);
        assert_eq!(read_box(How::now(*session.queue), *mem, it, room), reading);
        assert_eq!(write_box(How::now(*session.queue), *mem, it, room), writing);
        let other = buffer(&session, &[0; 64]);
        let code = copy_box(
            How::now(*session.queue),
            it.region,
            (*mem, smallest),
            (*other, smallest),
        );
        assert_eq!(code, CL_SUCCESS);
    }
}

#[test]
fn boxes_wait_for_the_events_of_their_list() {
    let session = Session::new();
    let (first, second) = (buffer(&session, &[0; 64]), buffer(&session, &[0; 64]));
    let mut host = [0_u8; 64];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let here = Layout::new([0; 3], 0, 0);
    let it = Transfer {
        region: [2; 3],
        buffer: here,
        host: here,
    };
    let queue = *session.queue;
    let later = |count, list, event| How {
        queue,
        blocking: CL_FALSE,
        count,
        list,
        event,
    };
    check_wait_list(
        &session,
        CL_COMMAND_READ_BUFFER_RECT,
        |count, list, event| read_box(later(count, list, event), *first, it, room),
    );
    check_wait_list(
        &session,
        CL_COMMAND_WRITE_BUFFER_RECT,
        |count, list, event| write_box(later(count, list, event), *first, it, room),
    );
    check_wait_list(
        &session,
        CL_COMMAND_COPY_BUFFER_RECT,
        |count, list, event| {
            copy_box(
                later(count, list, event),
                it.region,
                (*first, here),
                (*second, here),
            )
        },
    );
    let failed = user_event(&session);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*failed, -1));
    let after = How {
        count: 1,
        list: &*failed,
        ..How::now(queue)
    };
    let code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    assert_eq!(read_box(after, *first, it, room), code);
    assert_eq!(write_box(after, *first, it, room), code);
}
