//! Wait lists, markers and barriers: what is refused, who waits for whom.

use std::ptr::{null, null_mut};

use crate::support::events::*;
use crate::support::*;
use opencl_sys::*;

const OUT_OF_ORDER: u64 = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

#[test]
fn waiting_needs_events_of_one_context() {
    let (session, elsewhere) = (Session::new(), Session::new());
    let (here, there) = (user_event(&session), user_event(&elsewhere));
    set_status(*here, CL_COMPLETE);
    set_status(*there, CL_COMPLETE);
    assert_code!(CL_INVALID_VALUE, clWaitForEvents(0, &*here));
    assert_code!(CL_INVALID_VALUE, clWaitForEvents(0, null()));
    assert_code!(CL_INVALID_VALUE, clWaitForEvents(1, null()));
    assert_code!(
        CL_INVALID_CONTEXT,
        clWaitForEvents(2, [*here, *there].as_ptr())
    );
    for other in [null_mut(), *session.queue] {
        assert_code!(CL_INVALID_EVENT, clWaitForEvents(1, &other));
        assert_code!(
            CL_INVALID_EVENT,
            clWaitForEvents(2, [*here, other].as_ptr())
        );
    }
    check(call!(clWaitForEvents(2, [*here, *here].as_ptr())));
}

/// The codes of all that enqueues, given a wait list.
fn enqueue_all(session: &Session, count: u32, list: *const cl_event) -> Vec<cl_int> {
    let queue = *session.queue;
    let program = session.build("kernel void f(global uint* a) { a[0] += 1; }");
    let kernel = kernel(*program, "f");
    let (a, b) = (session.buffer(&[1; 64]), session.buffer(&[2; 64]));
    set_argument(*kernel, 0, *a);
    let mut host = [0_u32; 64];
    let room: *mut std::ffi::c_void = host.as_mut_ptr().cast();
    let (zero, region, one) = ([0_usize; 3], [4_usize, 1, 1], 1_usize);
    let (o, r) = (zero.as_ptr(), region.as_ptr());
    let none = null_mut();
    let (map, unmap) = {
        let flags = CL_MAP_READ;
        let map = make!(clEnqueueMapBuffer(
            queue,
            *a,
            CL_TRUE,
            flags,
            0,
            4,
            0,
            null(),
            none
        ));
        let map = map.expect("a map");
        let refused = make!(clEnqueueMapBuffer(
            queue, *a, CL_TRUE, flags, 0, 4, count, list, none
        ));
        let unmap = call!(clEnqueueUnmapMemObject(queue, *a, map, count, list, none));
        check(call!(clEnqueueUnmapMemObject(
            queue,
            *a,
            map,
            0,
            null(),
            none
        )));
        (refused.map(drop).err().unwrap_or(CL_SUCCESS), unmap)
    };
    let codes = vec![
        call!(clEnqueueReadBuffer(
            queue, *a, CL_TRUE, 0, 4, room, count, list, none
        )),
        call!(clEnqueueWriteBuffer(
            queue, *a, CL_TRUE, 0, 4, room, count, list, none
        )),
        call!(clEnqueueCopyBuffer(
            queue, *a, *b, 0, 0, 4, count, list, none
        )),
        call!(clEnqueueFillBuffer(
            queue, *a, room, 4, 0, 8, count, list, none
        )),
        call!(clEnqueueReadBufferRect(
            queue, *a, CL_TRUE, o, o, r, 0, 0, 0, 0, room, count, list, none
        )),
        call!(clEnqueueWriteBufferRect(
            queue, *a, CL_TRUE, o, o, r, 0, 0, 0, 0, room, count, list, none
        )),
        call!(clEnqueueCopyBufferRect(
            queue, *a, *b, o, o, r, 0, 0, 0, 0, count, list, none
        )),
        call!(clEnqueueMigrateMemObjects(
            queue, 1, &*a, 0, count, list, none
        )),
        call!(clEnqueueNDRangeKernel(
            queue,
            *kernel,
            1,
            null(),
            &one,
            null(),
            count,
            list,
            none
        )),
        call!(clEnqueueMarkerWithWaitList(queue, count, list, none)),
        call!(clEnqueueBarrierWithWaitList(queue, count, list, none)),
        map,
        unmap,
    ];
    check(call!(clFinish(queue)));
    codes
}

#[test]
fn wrong_wait_lists_are_refused_by_all_that_enqueues() {
    let (session, elsewhere) = (Session::new(), Session::new());
    let (here, there) = (user_event(&session), user_event(&elsewhere));
    let cases: [(cl_int, u32, &[cl_event]); 6] = [
        (CL_INVALID_EVENT_WAIT_LIST, 0, &[*here]),
        (CL_INVALID_EVENT_WAIT_LIST, 1, &[]),
        (CL_INVALID_EVENT_WAIT_LIST, 1, &[null_mut()]),
        (CL_INVALID_EVENT_WAIT_LIST, 2, &[*here, *session.queue]),
        (CL_INVALID_CONTEXT, 1, &[*there]),
        (CL_INVALID_CONTEXT, 2, &[*here, *there]),
    ];
    for (code, count, events) in cases {
        let list = if events.is_empty() {
            null()
        } else {
            events.as_ptr()
        };
        let codes = enqueue_all(&session, count, list);
        assert_eq!(codes, vec![code; codes.len()], "{count} of {events:?}");
    }
    let codes = enqueue_all(&session, 0, null());
    assert_eq!(codes, vec![CL_SUCCESS; codes.len()]);
}

#[test]
#[allow(deprecated)] // Programs for OpenCL 1.2 call these.
fn markers_and_barriers_refuse_what_they_cannot_take() {
    let (session, elsewhere) = (Session::new(), Session::new());
    let there = user_event(&elsewhere);
    let mut event = null_mut();
    for other in [null_mut(), *session.context, session.device] {
        assert_code!(
            CL_INVALID_COMMAND_QUEUE,
            clEnqueueMarkerWithWaitList(other, 0, null(), &mut event)
        );
        assert_code!(
            CL_INVALID_COMMAND_QUEUE,
            clEnqueueBarrierWithWaitList(other, 0, null(), &mut event)
        );
        assert_code!(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(other, &mut event));
        assert_code!(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(other));
        assert_code!(
            CL_INVALID_COMMAND_QUEUE,
            clEnqueueWaitForEvents(other, 1, [*there].as_mut_ptr())
        );
    }
    let queue = *session.queue;
    assert_code!(CL_INVALID_VALUE, clEnqueueMarker(queue, null_mut()));
    assert_code!(
        CL_INVALID_VALUE,
        clEnqueueWaitForEvents(queue, 0, null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clEnqueueWaitForEvents(queue, 1, null_mut())
    );
    assert_code!(
        CL_INVALID_EVENT,
        clEnqueueWaitForEvents(queue, 1, [null_mut()].as_mut_ptr())
    );
    assert_code!(
        CL_INVALID_EVENT,
        clEnqueueWaitForEvents(queue, 1, [queue].as_mut_ptr())
    );
    assert_code!(
        CL_INVALID_CONTEXT,
        clEnqueueWaitForEvents(queue, 1, [*there].as_mut_ptr())
    );
    set_status(*there, CL_COMPLETE);
}

#[test]
fn a_command_waits_for_events_of_other_queues() {
    let session = Session::new();
    let buffer = session.buffer(&[0; 4]);
    let gate = user_event(&session);
    let queues: Vec<Owned> = (0..4).map(|_| session.queue(0)).collect();
    let mut last = write(*queues[0], *buffer, &[1], &[*gate]);
    for (queue, words) in queues[1..].iter().zip([&[2_u32][..], &[3], &[4]]) {
        last = write(**queue, *buffer, words, &[*last]);
    }
    assert!(status(*last) > CL_COMPLETE);
    set_status(*gate, CL_COMPLETE);
    check(wait(*last));
    assert_eq!(session.read(*buffer, 1), [4]);
}

#[test]
fn what_waits_for_a_failed_event_fails_and_does_nothing() {
    for properties in [0, OUT_OF_ORDER] {
        let session = Session::with_queue(properties);
        let queue = *session.queue;
        let buffer = session.buffer(&[1]);
        let gate = user_event(&session);
        let first = write(queue, *buffer, &[2], &[*gate]);
        let second = marker(queue, &[*first]);
        let third = write(queue, *buffer, &[3], &[*second]);
        set_status(*gate, -42);
        for event in [&first, &second, &third] {
            assert_eq!(wait(**event), LOST);
            assert!(status(**event) < 0);
        }
        // An event that has failed already fails as well.
        let late = write(queue, *buffer, &[4], &[*gate]);
        assert_eq!(wait(*late), LOST);
        let mut host = 9_u32;
        let room = (&raw mut host).cast();
        assert_code!(
            LOST,
            clEnqueueReadBuffer(queue, *buffer, CL_TRUE, 0, 4, room, 1, &*gate, null_mut())
        );
        assert_eq!(host, 9);
        // The commands' own states say that they failed; the queue finishes.
        assert_code!(CL_SUCCESS, clFinish(queue));
        let other = session.queue(0);
        assert_eq!(read(*other, *buffer, 1), [1]);
    }
}

#[test]
fn a_marker_waits_for_what_it_says_and_holds_up_no_other() {
    let session = Session::with_queue(OUT_OF_ORDER);
    let queue = *session.queue;
    let buffers = [
        session.buffer(&[0]),
        session.buffer(&[0]),
        session.buffer(&[0]),
    ];
    let gate = user_event(&session);
    let held = write(queue, *buffers[0], &[1], &[*gate]);
    let free = write(queue, *buffers[1], &[2], &[]);
    let behind_free = marker(queue, &[*free]);
    let behind_all = marker(queue, &[]);
    let after = write(queue, *buffers[2], &[3], &[]);
    check(wait(*behind_free));
    check(wait(*after));
    assert!(status(*behind_all) > CL_COMPLETE && status(*held) > CL_COMPLETE);
    set_status(*gate, CL_COMPLETE);
    check(wait(*behind_all));
    assert_eq!(status(*held), CL_COMPLETE);
}

#[test]
fn a_barrier_waits_for_all_before_and_holds_all_behind() {
    let session = Session::with_queue(OUT_OF_ORDER);
    let queue = *session.queue;
    let buffer = session.buffer(&[0, 0]);
    for _ in 0..20 {
        let gate = user_event(&session);
        let before = write(queue, *buffer, &[1, 1], &[*gate]);
        let between = barrier(queue, &[]);
        let after = write(queue, *buffer, &[2], &[]);
        assert!(
            [&before, &between, &after]
                .iter()
                .all(|it| status(***it) > CL_COMPLETE)
        );
        set_status(*gate, CL_COMPLETE);
        check(wait(*after));
        assert_eq!(
            (status(*before), status(*between)),
            (CL_COMPLETE, CL_COMPLETE)
        );
        assert_eq!(session.read(*buffer, 2), [2, 1]);
    }
}

#[test]
fn a_barrier_with_a_list_holds_all_behind_until_the_list_has_ended() {
    let session = Session::with_queue(OUT_OF_ORDER);
    let queue = *session.queue;
    let buffer = session.buffer(&[0, 0]);
    let (gate, other) = (user_event(&session), user_event(&session));
    let unlisted = write(queue, *session.buffer(&[0]), &[1], &[*other]);
    let between = barrier(queue, &[*gate]);
    let after = write(queue, *buffer, &[2], &[]);
    assert!(status(*between) > CL_COMPLETE && status(*after) > CL_COMPLETE);
    set_status(*gate, CL_COMPLETE);
    check(wait(*after));
    // What is not in its list need not have ended.
    assert!(status(*unlisted) > CL_COMPLETE);
    set_status(*other, CL_COMPLETE);
    check(call!(clFinish(queue)));
}

#[test]
#[allow(deprecated)] // Programs for OpenCL 1.2 call these.
fn the_barriers_of_opencl_1_1_hold_too() {
    let session = Session::with_queue(OUT_OF_ORDER);
    let queue = *session.queue;
    let buffer = session.buffer(&[0]);
    let (gate, other) = (user_event(&session), user_event(&session));
    let first = write(queue, *buffer, &[1], &[*gate]);
    check(call!(clEnqueueBarrier(queue)));
    let second = write(queue, *buffer, &[2], &[]);
    check(call!(clEnqueueWaitForEvents(
        queue,
        2,
        [*other, *second].as_mut_ptr()
    )));
    let third = write(queue, *buffer, &[3], &[]);
    set_status(*gate, CL_COMPLETE);
    check(wait(*second));
    assert_eq!(status(*first), CL_COMPLETE);
    assert!(status(*third) > CL_COMPLETE);
    set_status(*other, CL_COMPLETE);
    check(wait(*third));
    assert_eq!(session.read(*buffer, 1), [3]);
}
