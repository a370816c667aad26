//! Command queues: what they are made with, what they know.

use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

const LISTED: u64 = CL_QUEUE_PROPERTIES as u64;
const OUT_OF_ORDER: u64 = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
const PROFILED: u64 = CL_QUEUE_PROFILING_ENABLE;

fn from_list(session: &Session, list: *const cl_queue_properties) -> Result<Owned, cl_int> {
    let (context, device) = (*session.context, session.device);
    let made = make!(clCreateCommandQueueWithProperties(context, device, list));
    made.map(|queue| Owned::new(queue, clReleaseCommandQueue))
}

#[allow(deprecated)] // Programs for OpenCL 1.2 make their queues so.
fn from_bits(session: &Session, bits: cl_command_queue_properties) -> Result<Owned, cl_int> {
    let made = make!(clCreateCommandQueue(*session.context, session.device, bits));
    made.map(|queue| Owned::new(queue, clReleaseCommandQueue))
}

fn references(queue: cl_command_queue) -> u32 {
    info(clGetCommandQueueInfo, queue, CL_QUEUE_REFERENCE_COUNT)
}

#[test]
fn a_queue_knows_what_it_was_made_with() {
    let session = Session::new();
    for bits in [0, OUT_OF_ORDER, PROFILED, OUT_OF_ORDER | PROFILED] {
        let list = [LISTED, bits, 0];
        let cases = [
            (from_list(&session, list.as_ptr()), list.to_vec()),
            (from_bits(&session, bits), vec![]),
        ];
        for (queue, array) in cases {
            let queue = queue.expect("a queue");
            let given: u64 = info(clGetCommandQueueInfo, *queue, CL_QUEUE_PROPERTIES);
            assert_eq!(given, bits);
            let given: Vec<u64> = infos(clGetCommandQueueInfo, *queue, CL_QUEUE_PROPERTIES_ARRAY);
            assert_eq!(given, array);
            let context: cl_context = info(clGetCommandQueueInfo, *queue, CL_QUEUE_CONTEXT);
            assert_eq!(context, *session.context);
            let device: cl_device_id = info(clGetCommandQueueInfo, *queue, CL_QUEUE_DEVICE);
            assert_eq!(device, session.device);
            assert_eq!(references(*queue), 1);
        }
    }
}

#[test]
fn without_a_list_a_queue_is_in_order_and_has_no_list() {
    let session = Session::new();
    let queue = from_list(&session, null()).expect("a queue");
    assert_eq!(
        info::<u64>(clGetCommandQueueInfo, *queue, CL_QUEUE_PROPERTIES),
        0
    );
    let given: Vec<u64> = infos(clGetCommandQueueInfo, *queue, CL_QUEUE_PROPERTIES_ARRAY);
    assert_eq!(given, []);
    let queue = from_list(&session, &0).expect("a queue");
    let given: Vec<u64> = infos(clGetCommandQueueInfo, *queue, CL_QUEUE_PROPERTIES_ARRAY);
    assert_eq!(given, [0]);
}

#[test]
fn queues_on_the_device_have_no_answers_here() {
    let session = Session::new();
    let queue = *session.queue;
    assert_eq!(
        ask(clGetCommandQueueInfo, queue, CL_QUEUE_SIZE),
        CL_INVALID_COMMAND_QUEUE
    );
    let default: cl_command_queue = info(clGetCommandQueueInfo, queue, CL_QUEUE_DEVICE_DEFAULT);
    assert!(default.is_null());
    let (context, device) = (*session.context, session.device);
    assert_code!(
        CL_INVALID_OPERATION,
        clSetDefaultDeviceCommandQueue(context, device, queue)
    );
    assert_code!(
        CL_INVALID_CONTEXT,
        clSetDefaultDeviceCommandQueue(null_mut(), device, queue)
    );
    assert_code!(
        CL_INVALID_DEVICE,
        clSetDefaultDeviceCommandQueue(context, null_mut(), queue)
    );
}

#[test]
fn references_are_counted() {
    let session = Session::new();
    let queue = *session.queue;
    check(call!(clRetainCommandQueue(queue)));
    assert_eq!(references(queue), 2);
    check(call!(clReleaseCommandQueue(queue)));
    assert_eq!(references(queue), 1);
}

#[test]
fn properties_that_no_queue_has_are_refused() {
    let session = Session::new();
    let cases: [(cl_int, &[u64]); 5] = [
        (CL_INVALID_VALUE, &[LISTED, 1 << 20, 0]),
        (CL_INVALID_VALUE, &[0x7777, 1, 0]),
        (CL_INVALID_VALUE, &[LISTED, 0, 0x7777, 1, 0]),
        (
            CL_INVALID_QUEUE_PROPERTIES,
            &[LISTED, OUT_OF_ORDER | CL_QUEUE_ON_DEVICE, 0],
        ),
        (
            CL_INVALID_QUEUE_PROPERTIES,
            &[
                LISTED,
                OUT_OF_ORDER | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT,
                0,
            ],
        ),
    ];
    for (code, list) in cases {
        let made = from_list(&session, list.as_ptr());
        assert_eq!(made.map(drop), Err(code), "{list:x?}");
    }
    assert_eq!(
        from_bits(&session, 1 << 20).map(drop),
        Err(CL_INVALID_VALUE)
    );
}

#[test]
#[allow(deprecated)] // Programs for OpenCL 1.2 make their queues so.
fn a_queue_needs_a_context_and_a_device_of_it() {
    let session = Session::new();
    let (context, device, queue) = (*session.context, session.device, *session.queue);
    for other in [null_mut(), queue, device] {
        assert_refused!(
            CL_INVALID_CONTEXT,
            clCreateCommandQueueWithProperties(other, device, null())
        );
        assert_refused!(CL_INVALID_CONTEXT, clCreateCommandQueue(other, device, 0));
    }
    for other in [null_mut(), queue, context] {
        assert_refused!(
            CL_INVALID_DEVICE,
            clCreateCommandQueueWithProperties(context, other, null())
        );
        assert_refused!(CL_INVALID_DEVICE, clCreateCommandQueue(context, other, 0));
    }
}

#[test]
fn unknown_questions_and_other_objects_are_refused() {
    let session = Session::new();
    for name in [0, 0xdead, CL_CONTEXT_DEVICES] {
        assert_eq!(
            ask(clGetCommandQueueInfo, *session.queue, name),
            CL_INVALID_VALUE,
            "{name:#x}"
        );
    }
    for other in [null_mut(), *session.context, session.device] {
        assert_eq!(
            ask(clGetCommandQueueInfo, other, CL_QUEUE_CONTEXT),
            CL_INVALID_COMMAND_QUEUE
        );
        assert_code!(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(other));
        assert_code!(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(other));
        assert_code!(CL_INVALID_COMMAND_QUEUE, clFlush(other));
        assert_code!(CL_INVALID_COMMAND_QUEUE, clFinish(other));
    }
}

#[test]
fn finishing_waits_for_all_that_was_enqueued() {
    for properties in [0, OUT_OF_ORDER] {
        let session = Session::with_queue(properties);
        let queue = *session.queue;
        check(call!(clFinish(queue)));
        let buffers: Vec<Owned> = (0..8).map(|at| session.buffer(&[at; 4])).collect();
        let mut host = [[0_u32; 4]; 8];
        for (buffer, words) in buffers.iter().zip(&mut host) {
            let room = words.as_mut_ptr().cast();
            check(call!(clEnqueueReadBuffer(
                queue,
                **buffer,
                CL_FALSE,
                0,
                16,
                room,
                0,
                null(),
                null_mut()
            )));
        }
        check(call!(clFlush(queue)));
        check(call!(clFinish(queue)));
        assert_eq!(host, std::array::from_fn(|at| [at as u32; 4]));
    }
}

#[test]
fn a_released_queue_still_runs_its_commands() {
    let session = Session::new();
    let gate = user_event(&session);
    let buffer = session.buffer(&[1, 2]);
    let queue = session.queue(0);
    let handle = *queue;
    let written = [7_u32, 8];
    let mut event = null_mut();
    check(call!(clEnqueueWriteBuffer(
        handle,
        *buffer,
        CL_FALSE,
        0,
        8,
        written.as_ptr().cast(),
        1,
        &*gate,
        &mut event
    )));
    let event = Owned::event(event);
    drop(queue);
    // Its events know it as long as they are there.
    assert_eq!(
        info::<cl_command_queue>(clGetEventInfo, *event, CL_EVENT_COMMAND_QUEUE),
        handle
    );
    check(call!(clSetUserEventStatus(*gate, CL_COMPLETE)));
    check(call!(clWaitForEvents(1, &*event)));
    assert_eq!(session.read(*buffer, 2), written);
}

unsafe extern "C" {
    // Gone from the headers since OpenCL 1.1, but not from the loader.
    fn clSetCommandQueueProperty(
        queue: cl_command_queue,
        properties: cl_command_queue_properties,
        enable: cl_bool,
        old: *mut cl_command_queue_properties,
    ) -> cl_int;
}

#[test]
fn properties_of_a_queue_cannot_be_changed() {
    let session = Session::new();
    let set = |queue| {
        let profiling = CL_QUEUE_PROFILING_ENABLE;
        call!(clSetCommandQueueProperty(
            queue,
            profiling,
            CL_TRUE,
            null_mut()
        ))
    };
    assert_eq!(set(*session.queue), CL_INVALID_OPERATION);
    assert_eq!(set(*session.context), CL_INVALID_COMMAND_QUEUE);
    assert_eq!(set(null_mut()), CL_INVALID_COMMAND_QUEUE);
}
