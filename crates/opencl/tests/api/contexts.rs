//! Contexts: what they are made of, what they know, how they end.

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::Mutex;

use crate::support::*;
use opencl_sys::*;

fn context(
    properties: &[cl_context_properties],
    devices: &[cl_device_id],
) -> Result<Owned, cl_int> {
    let (count, list) = (devices.len() as u32, devices.as_ptr());
    let made = make!(clCreateContext(
        properties.as_ptr(),
        count,
        list,
        None,
        null_mut()
    ));
    made.map(|context| Owned::new(context, clReleaseContext))
}

fn from_type(properties: &[cl_context_properties], kind: cl_device_type) -> Result<Owned, cl_int> {
    let made = make!(clCreateContextFromType(
        properties.as_ptr(),
        kind,
        None,
        null_mut()
    ));
    made.map(|context| Owned::new(context, clReleaseContext))
}

fn references(context: cl_context) -> u32 {
    info(clGetContextInfo, context, CL_CONTEXT_REFERENCE_COUNT)
}

#[test]
fn a_context_knows_its_devices_and_properties() {
    let (platform, device) = device();
    let list = [
        CL_CONTEXT_PLATFORM,
        platform as isize,
        CL_CONTEXT_INTEROP_USER_SYNC,
        1,
        0,
    ];
    for context in [
        context(&list, &[device]).expect("a context"),
        from_type(&list, CL_DEVICE_TYPE_ALL).expect("a context"),
    ] {
        assert_eq!(
            info::<u32>(clGetContextInfo, *context, CL_CONTEXT_NUM_DEVICES),
            1
        );
        let devices: Vec<cl_device_id> = infos(clGetContextInfo, *context, CL_CONTEXT_DEVICES);
        assert_eq!(devices, [device]);
        let given: Vec<isize> = infos(clGetContextInfo, *context, CL_CONTEXT_PROPERTIES);
        assert_eq!(given, list);
        assert_eq!(references(*context), 1);
    }
}

#[test]
fn without_properties_there_is_nothing_or_an_empty_list() {
    let session = Session::new();
    let given: Vec<isize> = infos(clGetContextInfo, *session.context, CL_CONTEXT_PROPERTIES);
    assert!(given.is_empty() || given == [0], "{given:?}");
    let empty = context(&[0], &[session.device]).expect("a context");
    let given: Vec<isize> = infos(clGetContextInfo, *empty, CL_CONTEXT_PROPERTIES);
    assert_eq!(given, [0]);
}

#[test]
fn a_device_that_is_named_twice_counts_once() {
    let (_, device) = device();
    let context = context(&[0], &[device, device]).expect("a context");
    assert_eq!(
        info::<u32>(clGetContextInfo, *context, CL_CONTEXT_NUM_DEVICES),
        1
    );
}

#[test]
fn references_are_counted() {
    let session = Session::new();
    let context = *session.context;
    check(call!(clRetainContext(context)));
    check(call!(clRetainContext(context)));
    assert_eq!(references(context), 3);
    check(call!(clReleaseContext(context)));
    check(call!(clReleaseContext(context)));
    assert_eq!(references(context), 1);
}

#[test]
fn what_a_context_cannot_be_made_of_is_refused() {
    let (platform, device) = device();
    let key = CL_CONTEXT_PLATFORM;
    let cases: [(cl_int, &[isize]); 6] = [
        (CL_INVALID_PLATFORM, &[key, 0, 0]),
        (CL_INVALID_PLATFORM, &[key, device as isize, 0]),
        (CL_INVALID_PROPERTY, &[0x7777, 1, 0]),
        (CL_INVALID_PROPERTY, &[key, platform as isize, 0x7777, 1, 0]),
        (
            CL_INVALID_PROPERTY,
            &[key, platform as isize, key, platform as isize, 0],
        ),
        (CL_INVALID_PROPERTY, &[CL_CONTEXT_INTEROP_USER_SYNC, 2, 0]),
    ];
    for (code, list) in cases {
        assert_eq!(context(list, &[device]).map(drop), Err(code), "{list:x?}");
    }
    let none = null::<cl_context_properties>();
    let something = (&raw const platform).cast_mut().cast::<c_void>();
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateContext(none, 0, &device, None, null_mut())
    );
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateContext(none, 1, null(), None, null_mut())
    );
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateContext(none, 1, &device, None, something)
    );
    for devices in [[device, null_mut()], [device, platform], [platform, device]] {
        assert_eq!(context(&[0], &devices).map(drop), Err(CL_INVALID_DEVICE));
    }
}

#[test]
fn what_no_type_of_device_makes_is_refused() {
    let (platform, _) = device();
    let list = [CL_CONTEXT_PLATFORM, platform as isize, 0];
    let cases = [
        (CL_INVALID_DEVICE_TYPE, 0),
        (CL_INVALID_DEVICE_TYPE, 1 << 20),
        (CL_DEVICE_NOT_FOUND, CL_DEVICE_TYPE_CUSTOM),
        (CL_DEVICE_NOT_FOUND, CL_DEVICE_TYPE_CPU),
    ];
    for (code, kind) in cases {
        assert_eq!(from_type(&list, kind).map(drop), Err(code), "{kind:#x}");
    }
    for kind in [
        CL_DEVICE_TYPE_DEFAULT,
        CL_DEVICE_TYPE_ACCELERATOR,
        CL_DEVICE_TYPE_ALL,
    ] {
        assert!(from_type(&list, kind).is_ok(), "{kind:#x}");
    }
    let unknown = [CL_CONTEXT_PLATFORM, platform as isize, 0x7777, 1, 0];
    assert_eq!(
        from_type(&unknown, CL_DEVICE_TYPE_ALL).map(drop),
        Err(CL_INVALID_PROPERTY)
    );
    let something = (&raw const platform).cast_mut().cast::<c_void>();
    let kind = CL_DEVICE_TYPE_ALL;
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateContextFromType(list.as_ptr(), kind, None, something)
    );
}

#[test]
fn unknown_questions_and_other_objects_are_refused() {
    let session = Session::new();
    for name in [0, 0xdead, CL_QUEUE_CONTEXT] {
        assert_eq!(
            ask(clGetContextInfo, *session.context, name),
            CL_INVALID_VALUE,
            "{name:#x}"
        );
    }
    for other in [null_mut(), *session.queue, session.device] {
        assert_eq!(
            ask(clGetContextInfo, other, CL_CONTEXT_NUM_DEVICES),
            CL_INVALID_CONTEXT
        );
        assert_code!(CL_INVALID_CONTEXT, clRetainContext(other));
        assert_code!(CL_INVALID_CONTEXT, clReleaseContext(other));
        let callback = Some(on_destruction as DestructorCallback);
        assert_code!(
            CL_INVALID_CONTEXT,
            clSetContextDestructorCallback(other, callback, null_mut())
        );
    }
    assert_code!(
        CL_INVALID_VALUE,
        clSetContextDestructorCallback(*session.context, None, null_mut())
    );
}

type DestructorCallback = unsafe extern "C" fn(cl_context, *mut c_void);

/// The order of the calls: the data are `(log, number)`.
struct Note<'a> {
    log: &'a Mutex<Vec<u32>>,
    number: u32,
}

unsafe extern "C" fn on_destruction(_: cl_context, data: *mut c_void) {
    // SAFETY: the tests give a note that outlives the context.
    let note = unsafe { &*data.cast::<Note>() };
    note.log.lock().expect("no thread panics").push(note.number);
}

#[test]
fn destructor_callbacks_run_last_first_and_once() {
    let log = Mutex::new(Vec::new());
    let notes = [1, 2, 3].map(|number| Note { log: &log, number });
    let session = Session::new();
    for note in &notes {
        let data = (&raw const *note).cast_mut().cast();
        check(call!(clSetContextDestructorCallback(
            *session.context,
            Some(on_destruction as DestructorCallback),
            data
        )));
    }
    let Session { queue, context, .. } = session;
    drop(context);
    // The queue is still in it.
    assert_eq!(*log.lock().expect("no thread panics"), [0; 0]);
    check(call!(clFinish(*queue)));
    drop(queue);
    assert_eq!(*log.lock().expect("no thread panics"), [3, 2, 1]);
}

#[test]
fn what_is_in_a_context_outlives_its_handle() {
    let session = Session::new();
    let program = session.build("kernel void f(global uint* a) { a[get_global_id(0)] *= 3; }");
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[1, 2, 3]);
    set_argument(*kernel, 0, *buffer);
    let Session { queue, context, .. } = session;
    let handle = *context;
    drop((context, program));
    drop(launch(*queue, *kernel, 3, &[]));
    assert_eq!(read(*queue, *buffer, 3), [3, 6, 9]);
    assert_eq!(
        info::<cl_context>(clGetCommandQueueInfo, *queue, CL_QUEUE_CONTEXT),
        handle
    );
}
