//! Eight threads in one context: objects are theirs or shared, results are right either way.

use std::ptr::{null, null_mut};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::support::*;
use opencl_sys::*;

const THREADS: u32 = 8;
const WORDS: usize = 16;

const SOURCE: &str = "
    kernel void scale(global uint* a, uint times) {
        a[get_global_id(0)] = a[get_global_id(0)] * times + STEP;
    }
    kernel void reverse(global const uint* from, global uint* to, local uint* between) {
        uint at = get_local_id(0);
        between[at] = from[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        to[get_global_id(0)] = between[get_local_size(0) - 1 - at];
    }
";

/// Runs on eight threads that start together.
fn on_threads(body: impl Fn(u32) + Sync) {
    let start = Barrier::new(THREADS as usize);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (body, start) = (&body, &start);
            scope.spawn(move || {
                start.wait();
                body(thread);
            });
        }
    });
}

/// The kernels of one thread, with buffers of its own.
struct Work {
    scale: Owned,
    reverse: Owned,
    a: Owned,
    b: Owned,
    step: u32,
}

impl Work {
    fn new(session: &Session, program: cl_program, step: u32) -> Work {
        Work {
            scale: kernel(program, "scale"),
            reverse: kernel(program, "reverse"),
            a: session.buffer(&[step; WORDS]),
            b: session.buffer(&[0; WORDS]),
            step,
        }
    }

    /// Scales and reverses a few times, each command behind the one before; the words in the end.
    fn run(&self, queue: cl_command_queue, thread: u32) -> Vec<u32> {
        let first: Vec<u32> = (0..WORDS as u32).map(|at| at * 10 + thread).collect();
        let mut last = null_mut();
        let from = first.as_ptr().cast();
        check(call!(clEnqueueWriteBuffer(
            queue,
            *self.a,
            CL_FALSE,
            0,
            WORDS * 4,
            from,
            0,
            null(),
            &mut last
        )));
        let mut last = Owned::event(last);
        for times in 2..5 {
            set_argument(*self.scale, 0, *self.a);
            set_argument(*self.scale, 1, times + thread);
            last = launch(queue, *self.scale, WORDS, &[*last]);
            set_argument(*self.reverse, 0, *self.a);
            set_argument(*self.reverse, 1, *self.b);
            check(call!(clSetKernelArg(*self.reverse, 2, 8 * 4, null())));
            let (global, local) = (WORDS, 8);
            let mut event = null_mut();
            check(call!(clEnqueueNDRangeKernel(
                queue,
                *self.reverse,
                1,
                null(),
                &global,
                &local,
                1,
                &*last,
                &mut event
            )));
            last = Owned::event(event);
            let mut event = null_mut();
            check(call!(clEnqueueCopyBuffer(
                queue,
                *self.b,
                *self.a,
                0,
                0,
                WORDS * 4,
                1,
                &*last,
                &mut event
            )));
            last = Owned::event(event);
        }
        let mut host = vec![0_u32; WORDS];
        let room = host.as_mut_ptr().cast();
        check(call!(clEnqueueReadBuffer(
            queue,
            *self.a,
            CL_TRUE,
            0,
            WORDS * 4,
            room,
            1,
            &*last,
            null_mut()
        )));
        host
    }

    fn expected(&self, thread: u32) -> Vec<u32> {
        let mut words: Vec<u32> = (0..WORDS as u32).map(|at| at * 10 + thread).collect();
        for times in 2..5 {
            words
                .iter_mut()
                .for_each(|word| *word = *word * (times + thread) + self.step);
            words.chunks_exact_mut(8).for_each(|group| group.reverse());
        }
        words
    }
}

fn build(session: &Session, step: u32) -> Owned {
    session.build_with(SOURCE, &format!("-DSTEP={step}"))
}

#[test]
fn each_with_its_own_queue_and_program() {
    let session = Session::new();
    on_threads(|thread| {
        let queue = session.queue(0);
        for round in 0..3 {
            // Some steps are those of other threads, some are not.
            let step = thread % 4 + round;
            let program = build(&session, step);
            let work = Work::new(&session, *program, step);
            assert_eq!(work.run(*queue, thread), work.expected(thread));
        }
    });
}

#[test]
fn all_with_one_queue_and_one_program() {
    for properties in [0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE] {
        let session = Session::with_queue(properties);
        let program = build(&session, 7);
        on_threads(|thread| {
            let work = Work::new(&session, *program, 7);
            for _ in 0..5 {
                assert_eq!(work.run(*session.queue, thread), work.expected(thread));
            }
        });
        check(call!(clFinish(*session.queue)));
    }
}

/// The circuit for buffers that overlap is built at the first launch that needs it.
#[test]
fn all_need_the_same_new_circuit() {
    let session = Session::new();
    let program = build(&session, 5);
    on_threads(|thread| {
        let queue = session.queue(0);
        let reverse = kernel(*program, "reverse");
        let mut words: Vec<u32> = (0..WORDS as u32).map(|at| at * 10 + thread).collect();
        let buffer = session.buffer(&words);
        set_argument(*reverse, 0, *buffer);
        set_argument(*reverse, 1, *buffer);
        check(call!(clSetKernelArg(*reverse, 2, 8 * 4, null())));
        let (global, local) = (WORDS, 8);
        check(call!(clEnqueueNDRangeKernel(
            *queue,
            *reverse,
            1,
            null(),
            &global,
            &local,
            0,
            null(),
            null_mut()
        )));
        words.chunks_exact_mut(8).for_each(|group| group.reverse());
        assert_eq!(read(*queue, *buffer, WORDS), words);
    });
}

#[test]
fn all_finish_and_flush_the_same_queue() {
    let session = Session::new();
    let program = build(&session, 1);
    on_threads(|thread| {
        let work = Work::new(&session, *program, 1);
        set_argument(*work.scale, 0, *work.a);
        set_argument(*work.scale, 1, 2_u32);
        for round in 0..10 {
            let event = session.launch(*work.scale, WORDS);
            check(call!(clFlush(*session.queue)));
            if (thread + round) % 2 == 0 {
                check(call!(clFinish(*session.queue)));
                let status: cl_int =
                    info(clGetEventInfo, *event, CL_EVENT_COMMAND_EXECUTION_STATUS);
                assert_eq!(status, CL_COMPLETE);
            }
        }
        // From one: twice itself and one, ten times.
        let expected = 2_u32.pow(11) - 1;
        assert_eq!(session.read(*work.a, WORDS), [expected; WORDS]);
    });
}

#[test]
fn a_chain_of_events_through_all_threads() {
    let session = Session::new();
    let program = build(&session, 1);
    let buffer = session.buffer(&[0; WORDS]);
    let gates: Vec<Owned> = (0..=THREADS).map(|_| user_event(&session)).collect();
    on_threads(|thread| {
        let thread = thread as usize;
        let queue = session.queue(0);
        let scale = kernel(*program, "scale");
        set_argument(*scale, 0, *buffer);
        set_argument(*scale, 1, 3_u32);
        let event = launch(*queue, *scale, WORDS, &[*gates[thread]]);
        if thread == 0 {
            check(call!(clSetUserEventStatus(*gates[0], CL_COMPLETE)));
        }
        // The thread before opens the gate; this one opens the next one's.
        check(call!(clWaitForEvents(1, &*event)));
        check(call!(clSetUserEventStatus(*gates[thread + 1], CL_COMPLETE)));
    });
    // From zero: three times itself and one, eight times.
    let expected = (3_u32.pow(THREADS) - 1) / 2;
    assert_eq!(session.read(*buffer, WORDS), [expected; WORDS]);
}

#[test]
fn references_from_all_threads_are_counted() {
    let session = Session::new();
    let program = build(&session, 1);
    let kernel = kernel(*program, "scale");
    let buffer = session.buffer(&[0; WORDS]);
    let event = user_event(&session);
    on_threads(|_| {
        for _ in 0..500 {
            check(call!(clRetainContext(*session.context)));
            check(call!(clRetainCommandQueue(*session.queue)));
            check(call!(clRetainProgram(*program)));
            check(call!(clRetainKernel(*kernel)));
            check(call!(clRetainMemObject(*buffer)));
            check(call!(clRetainEvent(*event)));
            check(call!(clReleaseEvent(*event)));
            check(call!(clReleaseMemObject(*buffer)));
            check(call!(clReleaseKernel(*kernel)));
            check(call!(clReleaseProgram(*program)));
            check(call!(clReleaseCommandQueue(*session.queue)));
            check(call!(clReleaseContext(*session.context)));
        }
    });
    let counts: [(Info, cl_uint, *mut std::ffi::c_void); 6] = [
        (
            clGetContextInfo,
            CL_CONTEXT_REFERENCE_COUNT,
            *session.context,
        ),
        (
            clGetCommandQueueInfo,
            CL_QUEUE_REFERENCE_COUNT,
            *session.queue,
        ),
        (clGetProgramInfo, CL_PROGRAM_REFERENCE_COUNT, *program),
        (clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT, *kernel),
        (clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, *buffer),
        (clGetEventInfo, CL_EVENT_REFERENCE_COUNT, *event),
    ];
    for (function, name, object) in counts {
        assert_eq!(info::<u32>(function, object, name), 1, "{name:#x}");
    }
}

#[test]
fn contexts_come_and_go_on_all_threads() {
    on_threads(|thread| {
        for round in 0..5 {
            let session = Session::new();
            let step = 20 + (thread + round) % 3;
            let program = build(&session, step);
            let work = Work::new(&session, *program, step);
            assert_eq!(work.run(*session.queue, thread), work.expected(thread));
        }
    });
}

/// A build may be refused while another of the same program is under way; one of them is done.
#[test]
fn one_program_built_by_all() {
    let session = Session::new();
    for round in 0..3 {
        let program = session.program(SOURCE);
        let options = std::ffi::CString::new(format!("-DSTEP={round}")).expect("no zeros");
        let built = AtomicU32::new(0);
        on_threads(|_| {
            let (devices, options) = (null(), options.as_ptr());
            match call!(clBuildProgram(
                *program,
                0,
                devices,
                options,
                None,
                null_mut()
            )) {
                CL_SUCCESS => drop(built.fetch_add(1, Relaxed)),
                code => assert_eq!(code, CL_INVALID_OPERATION),
            }
        });
        assert!(built.into_inner() > 0);
        let work = Work::new(&session, *program, round);
        assert_eq!(work.run(*session.queue, 1), work.expected(1));
    }
}
