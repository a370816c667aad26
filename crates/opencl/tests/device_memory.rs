//! The device's memory: how much of it there is, and what happens when there is no more.
#![allow(unsafe_code)] // The API is C.

#[path = "api/support/mod.rs"]
mod support;

use std::ffi::c_void;
use std::process::Command;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, Once};

use opencl_sys::*;
use support::*;

const MIB: usize = 1 << 20;

/// A session on a board of 512 MiB, for this test alone: all buffers of a process are on one device.
fn session() -> (Session, MutexGuard<'static, ()>) {
    static SET: Once = Once::new();
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(|it| it.into_inner());
    SET.call_once(|| set("SLUICE_TARGET", "ecp5-85"));
    (Session::new(), alone)
}

fn create(session: &Session, bytes: usize) -> Result<Owned, cl_int> {
    let buffer = make!(clCreateBuffer(*session.context, 0, bytes, null_mut()))?;
    Ok(Owned::new(buffer, clReleaseMemObject))
}

#[test]
fn the_largest_buffer_can_be_constant_and_is_reached_to_its_end() {
    let (session, _alone) = session();
    let one = |name| info::<u64>(clGetDeviceInfo, session.device, name);
    let most = one(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    assert_eq!(one(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), most);
    assert_eq!(
        create(&session, most as usize + 1).err(),
        Some(CL_INVALID_BUFFER_SIZE)
    );
    // There must be room for a result.
    let size = most as usize - 4096;
    let largest = create(&session, size).expect("a buffer");
    let program = session.build(
        "kernel void f(global uint *a, ulong last) { a[0] = 7; a[last] = 8; }\n\
         kernel void g(constant uint *a, ulong last, global uint *b) { b[0] = a[0]; b[1] = a[last]; }",
    );
    let [write, read] = ["f", "g"].map(|name| kernel(*program, name));
    let result = session.buffer(&[0, 0]);
    for kernel in [&write, &read] {
        set_argument(**kernel, 0, *largest);
        set_argument(**kernel, 1, size as u64 / 4 - 1);
    }
    set_argument(*read, 2, *result);
    drop(session.launch(*write, 1));
    drop(session.launch(*read, 1));
    assert_eq!(session.read(*result, 2), [7, 8]);
}

#[test]
fn buffers_take_no_more_than_there_is_in_all() {
    let (session, _alone) = session();
    let most: u64 = info(clGetDeviceInfo, session.device, CL_DEVICE_GLOBAL_MEM_SIZE);
    assert_eq!(most as usize, 512 * MIB);
    let first = create(&session, 300 * MIB).expect("a buffer");
    let refused = Some(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_eq!(create(&session, 300 * MIB).err(), refused);
    // Another context is on the same device.
    let other = Session::new();
    assert_eq!(create(&other, 300 * MIB).err(), refused);
    // What is left can be had.
    let second = create(&other, 212 * MIB).expect("the rest");
    assert_eq!(create(&session, 1).err(), refused);
    drop(second);
    drop(first);
    drop(create(&session, 512 * MIB).expect("all of it"));
}

#[test]
fn parts_take_nothing_and_keep_what_they_are_parts_of() {
    let (session, _alone) = session();
    let whole = create(&session, 400 * MIB).expect("a buffer");
    let region = cl_buffer_region {
        origin: 0,
        size: 300 * MIB,
    };
    let part = make!(clCreateSubBuffer(
        *whole,
        0,
        CL_BUFFER_CREATE_TYPE_REGION,
        (&raw const region).cast()
    ));
    let part = Owned::new(part.expect("a part"), clReleaseMemObject);
    drop(whole);
    let refused = Some(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_eq!(create(&session, 200 * MIB).err(), refused);
    drop(part);
    drop(create(&session, 200 * MIB).expect("it is free again"));
}

#[test]
fn memory_of_the_program_is_device_memory_too() {
    let (session, _alone) = session();
    let mut host = vec![0_u8; 2 * MIB];
    let flags = CL_MEM_USE_HOST_PTR;
    let used = make!(clCreateBuffer(
        *session.context,
        flags,
        host.len(),
        host.as_mut_ptr().cast()
    ));
    let used = Owned::new(used.expect("a buffer"), clReleaseMemObject);
    let refused = Some(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_eq!(create(&session, 511 * MIB).err(), refused);
    drop(used);
    drop(create(&session, 511 * MIB).expect("it is free again"));
}

#[test]
fn a_buffer_is_taken_until_the_last_command_that_uses_it_has_ended() {
    let (session, _alone) = session();
    let buffer = create(&session, 300 * MIB).expect("a buffer");
    let (event, word) = (user_event(&session), 1_u32);
    check(call!(clEnqueueWriteBuffer(
        *session.queue,
        *buffer,
        CL_FALSE,
        0,
        4,
        (&raw const word).cast(),
        1,
        &*event,
        null_mut()
    )));
    drop(buffer);
    let refused = Some(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_eq!(create(&session, 300 * MIB).err(), refused);
    check(call!(clSetUserEventStatus(*event, CL_COMPLETE)));
    check(call!(clFinish(*session.queue)));
    // The command ends before the last thread lets go of it.
    let again = std::iter::repeat_with(|| create(&session, 300 * MIB)).take(1_000_000);
    assert!(again.into_iter().any(|made| made.is_ok()));
}

/// Bytes of this process in memory.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages = text.split(' ').nth(1).and_then(|word| word.parse().ok());
    let pages: usize = pages.expect("the second number");
    pages * 4096
}

#[test]
fn buffers_are_not_touched_when_they_are_made() {
    let (session, _alone) = session();
    let before = resident();
    let buffer = create(&session, 500 * MIB).expect("a buffer");
    assert!(resident() < before + 100 * MIB);
    // It is zeros all the same.
    assert_eq!(session.read(*buffer, 3), [0; 3]);
}

/// Tells a test that it is the process that has too little memory.
const CHILD: &str = "SLUICE_TEST_LITTLE_MEMORY";

#[test]
fn a_buffer_that_the_host_has_no_memory_for_is_an_error_code() {
    const NAME: &str = "a_buffer_that_the_host_has_no_memory_for_is_an_error_code";
    if std::env::var_os(CHILD).is_none() {
        let program = std::env::current_exe().expect("a test has a file");
        let output = Command::new(program)
            .args(["--exact", NAME, "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .expect("the test can be run");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        return;
    }
    let (session, _alone) = session();
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    let pages = text.split(' ').next().and_then(|word| word.parse().ok());
    let pages: usize = pages.expect("the first number");
    let limit = libc::rlimit {
        rlim_cur: (pages * 4096 + 200 * MIB) as libc::rlim_t,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the structure is filled.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &limit) }, 0);
    let refused = Some(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    assert_eq!(create(&session, 400 * MIB).err(), refused);
    // What could not be had is not counted, and there is life afterwards.
    let buffer = create(&session, 100 * MIB).expect("a buffer");
    assert_eq!(session.read(*buffer, 1), [0]);
    // Sources and binaries that are said to be long are not copied on faith.
    let source = c"kernel void f() {}";
    let (text, length) = (source.as_ptr(), usize::MAX / 4);
    assert_refused!(
        CL_OUT_OF_HOST_MEMORY,
        clCreateProgramWithSource(*session.context, 1, &text, &length)
    );
    let mut status = 0;
    assert_refused!(
        CL_OUT_OF_HOST_MEMORY,
        clCreateProgramWithBinary(
            *session.context,
            1,
            &session.device,
            &length,
            &text.cast::<u8>(),
            &mut status
        )
    );
}

#[test]
fn local_arguments_that_no_group_has_room_for_are_refused() {
    let (session, _alone) = session();
    let program = session.build(
        "kernel void f(local uint *l, local uint *m, global uint *a) { l[0] = m[0] = 1; a[0] = l[0]; }",
    );
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[0]);
    set_argument(*kernel, 2, *buffer);
    // Together they are none, if one forgets the carry.
    for sizes in [
        [1 << 63, 1 << 63],
        [usize::MAX, 1],
        [usize::MAX, usize::MAX],
    ] {
        for (at, size) in (0..).zip(sizes) {
            check(call!(clSetKernelArg(*kernel, at, size, null::<c_void>())));
        }
        assert_code!(
            CL_OUT_OF_RESOURCES,
            clEnqueueNDRangeKernel(
                *session.queue,
                *kernel,
                1,
                null(),
                &1,
                null(),
                0,
                null(),
                null_mut()
            )
        );
    }
}

#[test]
fn all_tests_hold_on_the_other_executor() {
    run_on_the_other_executor("all_tests_hold_on_the_other_executor");
}
