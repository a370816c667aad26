//! Events: what they know, how they end, who waits for them.

use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use crate::support::events::*;
use crate::support::*;
use opencl_sys::*;

#[test]
fn a_user_event_is_the_programs() {
    let session = Session::new();
    let event = user_event(&session);
    assert!(info::<cl_command_queue>(clGetEventInfo, *event, CL_EVENT_COMMAND_QUEUE).is_null());
    assert_eq!(
        info::<cl_context>(clGetEventInfo, *event, CL_EVENT_CONTEXT),
        *session.context
    );
    assert_eq!(
        info::<u32>(clGetEventInfo, *event, CL_EVENT_COMMAND_TYPE),
        CL_COMMAND_USER
    );
    assert_eq!(status(*event), CL_SUBMITTED);
    set_status(*event, CL_COMPLETE);
    assert_eq!(status(*event), CL_COMPLETE);
    check(wait(*event));
}

#[test]
fn a_user_event_ends_once() {
    let session = Session::new();
    for end in [CL_COMPLETE, -1, -1000, cl_int::MIN] {
        let event = user_event(&session);
        for wrong in [CL_RUNNING, CL_SUBMITTED, CL_QUEUED, 4, cl_int::MAX] {
            assert_code!(CL_INVALID_VALUE, clSetUserEventStatus(*event, wrong));
        }
        set_status(*event, end);
        assert_code!(
            CL_INVALID_OPERATION,
            clSetUserEventStatus(*event, CL_COMPLETE)
        );
        assert_code!(CL_INVALID_OPERATION, clSetUserEventStatus(*event, -7));
        assert_eq!(status(*event), end);
        let code = if end == CL_COMPLETE { CL_SUCCESS } else { LOST };
        assert_eq!(wait(*event), code);
    }
}

#[test]
fn of_two_threads_that_end_a_user_event_one_does() {
    let session = Session::new();
    let events: Vec<Owned> = (0..2000).map(|_| user_event(&session)).collect();
    let arrived = AtomicUsize::new(0);
    // Both come to each event at the same time; how many they ended.
    let end_all = || {
        let mut ended = 0;
        for (at, event) in events.iter().enumerate() {
            arrived.fetch_add(1, SeqCst);
            while arrived.load(SeqCst) < 2 * (at + 1) {
                std::thread::yield_now();
            }
            match call!(clSetUserEventStatus(**event, CL_COMPLETE)) {
                CL_SUCCESS => ended += 1,
                code => assert_eq!(code, CL_INVALID_OPERATION),
            }
        }
        ended
    };
    let ended = std::thread::scope(|scope| {
        let other = scope.spawn(end_all);
        end_all() + other.join().expect("a thread")
    });
    assert_eq!(ended, events.len());
}

#[test]
fn only_user_events_are_ended_by_the_program() {
    let session = Session::new();
    let event = marker(*session.queue, &[]);
    for other in [*event, null_mut(), *session.context, *session.queue] {
        assert_code!(CL_INVALID_EVENT, clSetUserEventStatus(other, CL_COMPLETE));
    }
    for other in [null_mut(), *session.queue, session.device] {
        assert_refused!(CL_INVALID_CONTEXT, clCreateUserEvent(other));
    }
}

#[test]
fn references_are_counted() {
    let session = Session::new();
    for event in [user_event(&session), marker(*session.queue, &[])] {
        assert_eq!(references(*event), 1);
        check(call!(clRetainEvent(*event)));
        check(call!(clRetainEvent(*event)));
        assert_eq!(references(*event), 3);
        check(call!(clReleaseEvent(*event)));
        check(call!(clReleaseEvent(*event)));
        assert_eq!(references(*event), 1);
    }
}

#[test]
fn a_released_event_still_holds_its_waiters() {
    let session = Session::new();
    let buffer = session.buffer(&[1]);
    let gate = user_event(&session);
    // Each is waited for by the next only, and has no other reference.
    let first = write(*session.queue, *buffer, &[2], &[*gate]);
    let other = session.queue(0);
    let second = write(*other, *buffer, &[3], &[*first]);
    drop(first);
    set_status(*gate, CL_COMPLETE);
    drop(gate);
    check(wait(*second));
    assert_eq!(session.read(*buffer, 1), [3]);
}

#[test]
fn every_command_says_what_it_is() {
    let session = Session::new();
    let queue = *session.queue;
    let program = session.build("kernel void f(global uint* a) { a[0] += 1; }");
    let kernel = kernel(*program, "f");
    let (a, b) = (session.buffer(&[1; 64]), session.buffer(&[2; 64]));
    set_argument(*kernel, 0, *a);
    let mut events = [null_mut::<std::ffi::c_void>(); 15];
    let [
        e0,
        e1,
        e2,
        e3,
        e4,
        e5,
        e6,
        e7,
        e8,
        e9,
        e10,
        e11,
        e12,
        e13,
        e14,
    ] = &mut events;
    let mut host = [0_u32; 64];
    let room: *mut std::ffi::c_void = host.as_mut_ptr().cast();
    let (zero, region, one) = ([0_usize; 3], [4_usize, 1, 1], 1_usize);
    let (o, r) = (zero.as_ptr(), region.as_ptr());
    let pattern = 5_u32;
    let from = (&raw const pattern).cast();
    let mapped = |event| {
        let flags = CL_MAP_READ;
        make!(clEnqueueMapBuffer(
            queue,
            *a,
            CL_TRUE,
            flags,
            0,
            4,
            0,
            null(),
            event
        ))
        .expect("a map")
    };
    check(call!(clEnqueueReadBuffer(
        queue,
        *a,
        CL_FALSE,
        0,
        4,
        room,
        0,
        null(),
        e0
    )));
    check(call!(clEnqueueWriteBuffer(
        queue,
        *a,
        CL_FALSE,
        0,
        4,
        room,
        0,
        null(),
        e1
    )));
    check(call!(clEnqueueCopyBuffer(
        queue,
        *a,
        *b,
        0,
        0,
        4,
        0,
        null(),
        e2
    )));
    check(call!(clEnqueueFillBuffer(
        queue,
        *a,
        from,
        4,
        0,
        8,
        0,
        null(),
        e3
    )));
    check(call!(clEnqueueReadBufferRect(
        queue,
        *a,
        CL_FALSE,
        o,
        o,
        r,
        0,
        0,
        0,
        0,
        room,
        0,
        null(),
        e4
    )));
    check(call!(clEnqueueWriteBufferRect(
        queue,
        *a,
        CL_FALSE,
        o,
        o,
        r,
        0,
        0,
        0,
        0,
        room,
        0,
        null(),
        e5
    )));
    check(call!(clEnqueueCopyBufferRect(
        queue,
        *a,
        *b,
        o,
        o,
        r,
        0,
        0,
        0,
        0,
        0,
        null(),
        e6
    )));
    let map = mapped(e7);
    check(call!(clEnqueueUnmapMemObject(
        queue,
        *a,
        map,
        0,
        null(),
        e8
    )));
    check(call!(clEnqueueMigrateMemObjects(
        queue,
        1,
        &*a,
        0,
        0,
        null(),
        e9
    )));
    check(call!(clEnqueueNDRangeKernel(
        queue,
        *kernel,
        1,
        null(),
        &one,
        null(),
        0,
        null(),
        e10
    )));
    check(call!(clEnqueueMarkerWithWaitList(queue, 0, null(), e11)));
    check(call!(clEnqueueBarrierWithWaitList(queue, 0, null(), e12)));
    #[allow(deprecated)] // Programs for OpenCL 1.2 call these.
    {
        check(call!(clEnqueueTask(queue, *kernel, 0, null(), e13)));
        check(call!(clEnqueueMarker(queue, e14)));
    }
    check(call!(clFinish(queue)));
    let kinds = [
        CL_COMMAND_READ_BUFFER,
        CL_COMMAND_WRITE_BUFFER,
        CL_COMMAND_COPY_BUFFER,
        CL_COMMAND_FILL_BUFFER,
        CL_COMMAND_READ_BUFFER_RECT,
        CL_COMMAND_WRITE_BUFFER_RECT,
        CL_COMMAND_COPY_BUFFER_RECT,
        CL_COMMAND_MAP_BUFFER,
        CL_COMMAND_UNMAP_MEM_OBJECT,
        CL_COMMAND_MIGRATE_MEM_OBJECTS,
        CL_COMMAND_NDRANGE_KERNEL,
        CL_COMMAND_MARKER,
        CL_COMMAND_BARRIER,
        CL_COMMAND_TASK,
        CL_COMMAND_MARKER,
    ];
    for (event, kind) in events.into_iter().map(Owned::event).zip(kinds) {
        assert_eq!(
            info::<u32>(clGetEventInfo, *event, CL_EVENT_COMMAND_TYPE),
            kind
        );
        assert_eq!(
            info::<cl_context>(clGetEventInfo, *event, CL_EVENT_CONTEXT),
            *session.context
        );
        assert_eq!(
            info::<cl_command_queue>(clGetEventInfo, *event, CL_EVENT_COMMAND_QUEUE),
            queue
        );
        assert_eq!((status(*event), references(*event)), (CL_COMPLETE, 1));
    }
}

#[test]
fn unknown_questions_and_other_objects_are_refused() {
    let session = Session::new();
    let event = user_event(&session);
    for name in [0, 0xdead, CL_PROFILING_COMMAND_START] {
        assert_eq!(
            ask(clGetEventInfo, *event, name),
            CL_INVALID_VALUE,
            "{name:#x}"
        );
    }
    for other in [null_mut(), *session.context, *session.queue] {
        assert_eq!(
            ask(clGetEventInfo, other, CL_EVENT_CONTEXT),
            CL_INVALID_EVENT
        );
        assert_code!(CL_INVALID_EVENT, clRetainEvent(other));
        assert_code!(CL_INVALID_EVENT, clReleaseEvent(other));
    }
    set_status(*event, CL_COMPLETE);
}
