//! Callbacks of events: when they come, what they are told, what they may do.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use crate::support::*;
use opencl_sys::*;

/// What a callback was told: which it was, for which event, with which status.
type Call = (usize, usize, cl_int);

/// Data of a callback that reports; it outlives the call, which takes it.
struct Report {
    number: usize,
    to: Sender<Call>,
}

unsafe extern "C" fn report(event: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: `watch` gave the box away to one call.
    let report = unsafe { Box::from_raw(data.cast::<Report>()) };
    let call = (report.number, event as usize, status);
    report.to.send(call).expect("the test waits for it");
}

fn watch(event: cl_event, when: cl_int, number: usize, to: &Sender<Call>) {
    let data = Box::into_raw(Box::new(Report {
        number,
        to: to.clone(),
    }));
    check(call!(clSetEventCallback(
        event,
        when,
        Some(report),
        data.cast()
    )));
}

/// The next call; a callback that does not come is a failure, not a test that never ends.
fn next(calls: &Receiver<Call>) -> Call {
    calls
        .recv_timeout(Duration::from_secs(60))
        .expect("a callback comes")
}

fn held_marker(session: &Session, gate: &Owned) -> Owned {
    let mut event = null_mut();
    check(call!(clEnqueueMarkerWithWaitList(
        *session.queue,
        1,
        &**gate,
        &mut event
    )));
    Owned::event(event)
}

#[test]
fn each_status_is_told_once() {
    let (to, calls) = channel();
    let session = Session::new();
    let gate = user_event(&session);
    let event = held_marker(&session, &gate);
    let handle = *event as usize;
    for (number, when) in [CL_COMPLETE, CL_RUNNING, CL_SUBMITTED]
        .into_iter()
        .enumerate()
    {
        watch(*event, when, number, &to);
    }
    check(call!(clSetUserEventStatus(*gate, CL_COMPLETE)));
    let mut told = [next(&calls), next(&calls), next(&calls)];
    told.sort_unstable();
    let expected = [
        (0, handle, CL_COMPLETE),
        (1, handle, CL_RUNNING),
        (2, handle, CL_SUBMITTED),
    ];
    assert_eq!(told, expected);
    check(call!(clFinish(*session.queue)));
    drop((event, gate, session, to));
    assert!(calls.recv().is_err(), "no callback runs twice");
}

#[test]
fn all_callbacks_of_a_status_come() {
    let (to, calls) = channel();
    let session = Session::new();
    let gate = user_event(&session);
    let event = held_marker(&session, &gate);
    (0..20).for_each(|number| watch(*event, CL_COMPLETE, number, &to));
    check(call!(clSetUserEventStatus(*gate, CL_COMPLETE)));
    let mut numbers: Vec<usize> = (0..20).map(|_| next(&calls).0).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, Vec::from_iter(0..20));
}

#[test]
fn what_has_ended_is_told_at_once() {
    let (to, calls) = channel();
    let session = Session::new();
    let gate = user_event(&session);
    let event = held_marker(&session, &gate);
    check(call!(clSetUserEventStatus(*gate, CL_COMPLETE)));
    check(call!(clFinish(*session.queue)));
    for when in [CL_SUBMITTED, CL_RUNNING, CL_COMPLETE] {
        for event in [*event, *gate] {
            watch(event, when, 0, &to);
            assert_eq!(next(&calls), (0, event as usize, when));
        }
    }
}

#[test]
fn a_failure_is_told_with_its_code() {
    let (to, calls) = channel();
    let session = Session::new();
    let gate = user_event(&session);
    let event = held_marker(&session, &gate);
    watch(*gate, CL_COMPLETE, 1, &to);
    watch(*event, CL_COMPLETE, 2, &to);
    check(call!(clSetUserEventStatus(*gate, -77)));
    let mut told = [next(&calls), next(&calls)];
    told.sort_unstable();
    assert_eq!(told[0], (1, *gate as usize, -77));
    assert_eq!((told[1].0, told[1].1), (2, *event as usize));
    assert!(told[1].2 < 0, "{told:?}");
    // Also to those who ask later.
    watch(*gate, CL_COMPLETE, 3, &to);
    assert_eq!(next(&calls), (3, *gate as usize, -77));
}

#[test]
fn the_event_may_be_released_before_it_is_told() {
    let (to, calls) = channel();
    let session = Session::new();
    let gate = user_event(&session);
    let event = held_marker(&session, &gate);
    let handle = *event as usize;
    watch(*event, CL_COMPLETE, 0, &to);
    drop(event);
    check(call!(clSetUserEventStatus(*gate, CL_COMPLETE)));
    assert_eq!(next(&calls), (0, handle, CL_COMPLETE));
}

/// What a callback of the next test works with.
struct Chain {
    queue: Owned,
    buffer: Owned,
    gate: Owned,
    words: [u32; 2],
    to: Sender<Call>,
}

/// Enqueues a write, opens a gate, and has the next callback called: none of which blocks.
unsafe extern "C" fn go_on(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: the test gave the box away to one call.
    let chain = unsafe { Box::from_raw(data.cast::<Chain>()) };
    let from = chain.words.as_ptr().cast();
    let mut event = null_mut();
    // SAFETY: the words live as long as the chain, which the last callback waits with.
    let codes = unsafe {
        [
            clEnqueueWriteBuffer(
                *chain.queue,
                *chain.buffer,
                CL_FALSE,
                0,
                8,
                from,
                1,
                &*chain.gate,
                &mut event,
            ),
            clSetUserEventStatus(*chain.gate, CL_COMPLETE),
            clFlush(*chain.queue),
        ]
    };
    assert_eq!(codes, [CL_SUCCESS; 3]);
    assert_eq!(status, CL_COMPLETE);
    let data = Box::into_raw(chain).cast();
    // SAFETY: as above.
    let code = unsafe { clSetEventCallback(event, CL_COMPLETE, Some(finish), data) };
    assert_eq!(code, CL_SUCCESS);
    drop(Owned::event(event));
}

unsafe extern "C" fn finish(event: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: `go_on` gave the box away to this call.
    let Chain {
        queue,
        buffer,
        gate,
        to,
        ..
    } = *unsafe { Box::from_raw(data.cast::<Chain>()) };
    drop((queue, buffer, gate));
    to.send((0, event as usize, status))
        .expect("the test waits for it");
}

#[test]
fn a_callback_may_enqueue_release_and_end_user_events() {
    let (to, calls) = channel();
    let session = Session::new();
    let buffer = session.buffer(&[0, 0]);
    check(call!(clRetainMemObject(*buffer)));
    let first = user_event(&session);
    let chain = Chain {
        queue: session.queue(0),
        buffer: Owned::new(*buffer, clReleaseMemObject),
        gate: user_event(&session),
        words: [11, 22],
        to,
    };
    let data = Box::into_raw(Box::new(chain)).cast();
    check(call!(clSetEventCallback(
        *first,
        CL_COMPLETE,
        Some(go_on),
        data
    )));
    check(call!(clSetUserEventStatus(*first, CL_COMPLETE)));
    assert_eq!(next(&calls).2, CL_COMPLETE);
    assert_eq!(session.read(*buffer, 2), [11, 22]);
}

#[test]
fn the_last_references_may_go_in_a_callback() {
    for _ in 0..50 {
        let (to, calls) = channel();
        let session = Session::new();
        let gate = user_event(&session);
        let event = held_marker(&session, &gate);
        watch(*event, CL_COMPLETE, 0, &to);
        check(call!(clSetUserEventStatus(*gate, CL_COMPLETE)));
        // The context may go here or with the command, on a thread of its own.
        drop((event, gate, session));
        assert_eq!(next(&calls).2, CL_COMPLETE);
    }
}

#[test]
fn what_cannot_be_told_is_refused() {
    let session = Session::new();
    let event = user_event(&session);
    for when in [CL_QUEUED, 4, -1, cl_int::MAX, cl_int::MIN] {
        assert_code!(
            CL_INVALID_VALUE,
            clSetEventCallback(*event, when, Some(report), null_mut())
        );
    }
    assert_code!(
        CL_INVALID_VALUE,
        clSetEventCallback(*event, CL_COMPLETE, None, null_mut())
    );
    for other in [null_mut(), *session.queue, *session.context] {
        assert_code!(
            CL_INVALID_EVENT,
            clSetEventCallback(other, CL_COMPLETE, Some(report), null_mut())
        );
    }
    check(call!(clSetUserEventStatus(*event, CL_COMPLETE)));
    check(call!(clEnqueueBarrierWithWaitList(
        *session.queue,
        0,
        null(),
        null_mut()
    )));
}
