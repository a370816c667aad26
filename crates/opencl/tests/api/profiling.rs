//! Profiling: times are the simulated device's, and go with the order of commands.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use crate::support::events::*;
use crate::support::*;
use opencl_sys::*;

const PROFILED: u64 = CL_QUEUE_PROFILING_ENABLE;
const OUT_OF_ORDER: u64 = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

const SOURCE: &str = "
    kernel void longer(global uint* a) { for (uint at = 0; at < 50; ++at) a[0] = a[0] * 3 + at; }
    kernel void shorter(global uint* a) { a[get_global_id(0)] += 1; }
";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Times {
    queued: u64,
    submit: u64,
    start: u64,
    end: u64,
}

/// The times of an event that has ended, in the order that they must have.
fn times(event: cl_event) -> Times {
    let time = |name| info::<u64>(clGetEventProfilingInfo, event, name);
    let times = Times {
        queued: time(CL_PROFILING_COMMAND_QUEUED),
        submit: time(CL_PROFILING_COMMAND_SUBMIT),
        start: time(CL_PROFILING_COMMAND_START),
        end: time(CL_PROFILING_COMMAND_END),
    };
    let complete = time(CL_PROFILING_COMMAND_COMPLETE);
    assert!(
        times.queued <= times.submit && times.submit <= times.start,
        "{times:?}"
    );
    assert!(
        times.start <= times.end && times.end <= complete,
        "{times:?}"
    );
    times
}

/// A session with both kernels, each on a buffer of its own.
struct Kernels {
    longer: Owned,
    shorter: Owned,
    buffers: [Owned; 2],
    session: Session,
}

impl Kernels {
    fn new(properties: u64) -> Kernels {
        let session = Session::with_queue(PROFILED | properties);
        let program = session.build(SOURCE);
        let (longer, shorter) = (kernel(*program, "longer"), kernel(*program, "shorter"));
        let buffers = [session.buffer(&[1; 64]), session.buffer(&[1; 64])];
        set_argument(*longer, 0, *buffers[0]);
        set_argument(*shorter, 0, *buffers[1]);
        Kernels {
            longer,
            shorter,
            buffers,
            session,
        }
    }

    fn longer(&self, waits: &[cl_event]) -> Owned {
        launch(*self.session.queue, *self.longer, 1, waits)
    }

    fn shorter(&self, waits: &[cl_event]) -> Owned {
        launch(*self.session.queue, *self.shorter, 16, waits)
    }
}

#[test]
fn a_kernel_takes_whole_cycles() {
    let kernels = Kernels::new(0);
    let mhz: u32 = info(
        clGetDeviceInfo,
        kernels.session.device,
        CL_DEVICE_MAX_CLOCK_FREQUENCY,
    );
    let events: Vec<Owned> = (1..=32)
        .map(|items| launch(*kernels.session.queue, *kernels.shorter, items, &[]))
        .chain([kernels.longer(&[])])
        .collect();
    check(call!(clFinish(*kernels.session.queue)));
    let mut all = Vec::new();
    for event in &events {
        let Times { start, end, .. } = times(**event);
        let nanoseconds = end - start;
        assert!(nanoseconds > 0);
        if executor() == Executor::Interpreter {
            // It has no clock: the times are the host's.
            continue;
        }
        // The number of cycles whose time, in whole nanoseconds, is this.
        let cycles = (nanoseconds as f64 * f64::from(mhz) / 1000.0).round();
        assert!(cycles > 0.0);
        assert_eq!(
            (cycles * 1000.0 / f64::from(mhz)).round() as u64,
            nanoseconds
        );
        all.push(cycles as u64);
    }
    if executor() == Executor::Interpreter {
        return;
    }
    assert!(all[31] > all[0], "more work-items take longer: {all:?}");
    // Fifty turns that wait for each other, each of at least a multiplication and an addition.
    assert!(all[32] > 100, "{all:?}");
}

/// Kernels that move as much as the memory does.
const COPIES: &str = "
    kernel void first(global ulong8* a) { a[get_global_id(0) + 512] = a[get_global_id(0)]; }
    kernel void second(global ulong8* a) { a[get_global_id(0) + 512] = a[get_global_id(0)]; }
";

#[test]
fn kernels_at_the_same_time_share_the_bandwidth_of_memory() {
    let session = Session::with_queue(PROFILED | OUT_OF_ORDER);
    let program = session.build(COPIES);
    let kernels = ["first", "second"].map(|name| {
        let kernel = kernel(*program, name);
        let buffer = session.buffer(&[1; 1024 * 16]);
        set_argument(*kernel, 0, *buffer);
        (kernel, buffer)
    });
    let queue = *session.queue;
    let [(first, _), (second, _)] = &kernels;
    let alone = launch(queue, **first, 512, &[]);
    check(call!(clFinish(queue)));
    let alone = times(*alone).end - times(*alone).start;
    let both = [first, second].map(|kernel| launch(queue, **kernel, 512, &[]));
    check(call!(clFinish(queue)));
    let both = both.map(|event| times(*event));
    let start = both.iter().map(|it| it.start).min().expect("there are two");
    let end = both.iter().map(|it| it.end).max().expect("there are two");
    if executor() == Executor::Circuit {
        assert_eq!(both[0].start, both[1].start);
        assert!(2 * (end - start) > 3 * alone, "{both:?}, {alone} alone");
    }
}

#[test]
fn the_same_launch_takes_the_same_time() {
    let lengths = [(); 2].map(|()| {
        let kernels = Kernels::new(0);
        let events = [
            kernels.longer(&[]),
            kernels.shorter(&[]),
            kernels.longer(&[]),
        ];
        check(call!(clFinish(*kernels.session.queue)));
        events.map(|event| times(*event).end - times(*event).start)
    });
    match executor() {
        Executor::Circuit => {
            assert_eq!(lengths[0], lengths[1]);
            assert_eq!(lengths[0][0], lengths[0][2]);
        }
        // The host's time varies.
        Executor::Interpreter => assert!(lengths.iter().flatten().all(|&length| length > 0)),
    }
}

#[test]
fn in_order_nothing_overlaps() {
    let kernels = Kernels::new(0);
    let queue = *kernels.session.queue;
    let [a, b] = &kernels.buffers;
    let mut events = Vec::new();
    let words = [7_u32; 64];
    let mut host = [0_u32; 64];
    for _ in 0..4 {
        events.push(kernels.longer(&[]));
        let (mut written, mut copied, mut got) = (null_mut(), null_mut(), null_mut());
        let (from, room) = (words.as_ptr().cast(), host.as_mut_ptr().cast());
        check(call!(clEnqueueWriteBuffer(
            queue,
            **a,
            CL_FALSE,
            0,
            256,
            from,
            0,
            null(),
            &mut written
        )));
        events.push(Owned::event(written));
        events.push(kernels.shorter(&[]));
        check(call!(clEnqueueCopyBuffer(
            queue,
            **a,
            **b,
            0,
            0,
            256,
            0,
            null(),
            &mut copied
        )));
        events.push(Owned::event(copied));
        check(call!(clEnqueueReadBuffer(
            queue,
            **b,
            CL_FALSE,
            0,
            256,
            room,
            0,
            null(),
            &mut got
        )));
        events.push(Owned::event(got));
        events.push(marker(queue, &[]));
        events.push(barrier(queue, &[]));
    }
    check(call!(clFinish(queue)));
    let all: Vec<Times> = events.iter().map(|event| times(**event)).collect();
    for pair in all.windows(2) {
        assert!(
            pair[0].end <= pair[1].start && pair[0].queued <= pair[1].queued,
            "{pair:?}"
        );
    }
    // Bytes take time.
    assert!(
        [1, 3, 4].iter().all(|&at| all[at].end > all[at].start),
        "{all:?}"
    );
}

#[test]
fn kernels_run_at_once_but_each_once_at_a_time() {
    let kernels = Kernels::new(OUT_OF_ORDER);
    let gate = user_event(&kernels.session);
    let other = kernels.session.buffer(&[1; 64]);
    let first = kernels.longer(&[*gate]);
    let shorter = kernels.shorter(&[*gate]);
    set_argument(*kernels.longer, 0, *other);
    let second = kernels.longer(&[*gate]);
    set_status(*gate, CL_COMPLETE);
    check(call!(clFinish(*kernels.session.queue)));
    let [first, second, shorter] = [first, second, shorter].map(|event| times(*event));
    assert_eq!(first.start.min(second.start), shorter.start);
    assert!(
        first.end <= second.start || second.end <= first.start,
        "{first:?} {second:?}"
    );
}

#[test]
fn a_command_starts_after_what_it_waits_for() {
    let kernels = Kernels::new(OUT_OF_ORDER);
    let first = kernels.longer(&[]);
    let second = kernels.shorter(&[*first]);
    check(wait(*second));
    // Also what has ended long since, and in another queue.
    let other = kernels.session.queue(PROFILED);
    let third = launch(*other, *kernels.shorter, 1, &[*first, *second]);
    check(wait(*third));
    let [first, second, third] = [first, second, third].map(|event| times(*event));
    assert!(first.end <= second.start && second.end <= third.start);
}

#[test]
fn what_the_program_has_seen_end_has_ended_when_it_goes_on() {
    for properties in [0, OUT_OF_ORDER] {
        let kernels = Kernels::new(properties);
        let first = kernels.longer(&[]);
        check(wait(*first));
        let second = kernels.shorter(&[]);
        check(call!(clFinish(*kernels.session.queue)));
        // In another queue too: nothing can be enqueued before it has waited.
        let other = kernels.session.queue(PROFILED | properties);
        let third = launch(*other, *kernels.longer, 1, &[]);
        check(wait(*third));
        let [first, second, third] = [first, second, third].map(|event| times(*event));
        assert!(first.end <= second.queued && second.end <= third.queued);
    }
}

/// A device has one clock, whatever contexts it is in.
#[test]
fn time_goes_on_in_the_next_context() {
    let before = {
        let kernels = Kernels::new(0);
        let event = kernels.longer(&[]);
        check(wait(*event));
        times(*event)
    };
    let kernels = Kernels::new(0);
    let event = kernels.shorter(&[]);
    check(wait(*event));
    assert!(
        before.end <= times(*event).queued,
        "{before:?} {:?}",
        times(*event)
    );
}

unsafe extern "C" fn tell(_: cl_event, status: cl_int, data: *mut c_void) {
    // SAFETY: `await_callback` gave the box away to one call.
    let to = unsafe { Box::from_raw(data.cast::<Sender<cl_int>>()) };
    to.send(status).expect("the test waits for it");
}

/// Waits for an event by its callback alone.
fn await_callback(event: cl_event) {
    let (to, told) = channel::<cl_int>();
    let data = Box::into_raw(Box::new(to)).cast();
    check(call!(clSetEventCallback(
        event,
        CL_COMPLETE,
        Some(tell),
        data
    )));
    let status = told
        .recv_timeout(Duration::from_secs(60))
        .expect("a callback comes");
    assert_eq!(status, CL_COMPLETE);
}

#[test]
fn a_callback_shows_the_program_the_end() {
    let kernels = Kernels::new(OUT_OF_ORDER);
    let first = kernels.longer(&[]);
    await_callback(*first);
    let second = kernels.shorter(&[]);
    check(wait(*second));
    let (first, second) = (times(*first), times(*second));
    assert!(first.end <= second.queued, "{first:?} {second:?}");
}

/// What stands behind a barrier starts after what stands before it, also if that had ended already.
#[test]
fn barriers_divide_the_time() {
    for _ in 0..20 {
        let kernels = Kernels::new(OUT_OF_ORDER);
        let first = kernels.longer(&[]);
        let between = barrier(*kernels.session.queue, &[]);
        // Often it has ended here, and often not.
        let _ = call!(clFlush(*kernels.session.queue));
        std::thread::yield_now();
        let second = kernels.shorter(&[]);
        check(wait(*second));
        let [first, between, second] = [first, between, second].map(|event| times(*event));
        assert!(
            first.end <= between.end && between.end <= second.start,
            "{first:?} {second:?}"
        );
    }
}

#[test]
fn there_are_no_times_without_profiling_or_before_the_end() {
    let session = Session::with_queue(0);
    let gate = user_event(&session);
    let plain = marker(*session.queue, &[]);
    check(wait(*plain));
    let profiled = session.queue(PROFILED);
    let held = marker(*profiled, &[*gate]);
    let failed = user_event(&session);
    let lost = marker(*profiled, &[*failed]);
    for name in [
        CL_PROFILING_COMMAND_QUEUED,
        CL_PROFILING_COMMAND_SUBMIT,
        CL_PROFILING_COMMAND_START,
        CL_PROFILING_COMMAND_END,
        CL_PROFILING_COMMAND_COMPLETE,
    ] {
        for event in [*plain, *held, *gate] {
            let code = ask(clGetEventProfilingInfo, event, name);
            assert_eq!(code, CL_PROFILING_INFO_NOT_AVAILABLE, "{name:#x}");
        }
    }
    set_status(*failed, -1);
    set_status(*gate, CL_COMPLETE);
    check(wait(*held));
    times(*held);
    assert_eq!(wait(*lost), LOST);
    let code = ask(clGetEventProfilingInfo, *lost, CL_PROFILING_COMMAND_START);
    assert_eq!(code, CL_PROFILING_INFO_NOT_AVAILABLE);
}

#[test]
fn unknown_times_and_other_objects_are_refused() {
    let session = Session::new();
    let event = marker(*session.queue, &[]);
    check(wait(*event));
    for name in [0, 0xdead, CL_EVENT_CONTEXT] {
        assert_eq!(
            ask(clGetEventProfilingInfo, *event, name),
            CL_INVALID_VALUE,
            "{name:#x}"
        );
    }
    for other in [null_mut(), *session.queue, *session.context] {
        let code = ask(clGetEventProfilingInfo, other, CL_PROFILING_COMMAND_END);
        assert_eq!(code, CL_INVALID_EVENT);
    }
}
