//! Parts of a device that has several datapaths: how they are made, what they say, that they work.
#![allow(unsafe_code)] // The API is C.

#[path = "api/support/mod.rs"]
mod support;

use std::ptr::{null, null_mut};
use std::sync::Once;

use opencl_sys::*;
use support::*;

const EQUALLY: isize = CL_DEVICE_PARTITION_EQUALLY;
const BY_COUNTS: isize = CL_DEVICE_PARTITION_BY_COUNTS;

/// The device, of four datapaths. All tests of this file begin here.
fn whole() -> cl_device_id {
    static SET: Once = Once::new();
    SET.call_once(|| set("SLUICE_DATAPATHS", "4"));
    device().1
}

fn units(device: cl_device_id) -> u32 {
    info(clGetDeviceInfo, device, CL_DEVICE_MAX_COMPUTE_UNITS)
}

fn references(device: cl_device_id) -> u32 {
    info(clGetDeviceInfo, device, CL_DEVICE_REFERENCE_COUNT)
}

/// The parts, or the code; also that asking for their number alone makes none.
fn split(device: cl_device_id, how: &[isize]) -> Result<Vec<Owned>, cl_int> {
    let mut count = 0;
    match call!(clCreateSubDevices(
        device,
        how.as_ptr(),
        0,
        null_mut(),
        &mut count
    )) {
        CL_SUCCESS => {}
        code => return Err(code),
    }
    // More room than is needed: the rest stays as it is.
    let mut parts = vec![null_mut(); count as usize + 1];
    let room = parts.len() as u32;
    check(call!(clCreateSubDevices(
        device,
        how.as_ptr(),
        room,
        parts.as_mut_ptr(),
        null_mut()
    )));
    assert!(parts.pop().is_some_and(|it| it.is_null()));
    Ok(parts
        .into_iter()
        .map(|it| Owned::new(it, clReleaseDevice))
        .collect())
}

#[test]
fn the_device_can_be_parted() {
    let device = whole();
    assert_eq!(units(device), 4);
    let most: u32 = info(clGetDeviceInfo, device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
    assert_eq!(most, 4);
    let mut kinds: Vec<isize> = infos(clGetDeviceInfo, device, CL_DEVICE_PARTITION_PROPERTIES);
    kinds.sort_unstable();
    assert_eq!(kinds, [EQUALLY, BY_COUNTS]);
}

#[test]
fn parts_have_the_datapaths_that_were_asked_for() {
    let device = whole();
    let cases: [(&[isize], &[u32]); 7] = [
        (&[EQUALLY, 1, 0], &[1, 1, 1, 1]),
        (&[EQUALLY, 2, 0], &[2, 2]),
        // What is left over is in no part.
        (&[EQUALLY, 3, 0], &[3]),
        (&[EQUALLY, 4, 0], &[4]),
        (&[BY_COUNTS, 1, 3, 0, 0], &[1, 3]),
        (&[BY_COUNTS, 2, 1, 0, 0], &[2, 1]),
        (&[BY_COUNTS, 1, 1, 1, 1, 0, 0], &[1, 1, 1, 1]),
    ];
    for (how, counts) in cases {
        let parts = split(device, how).expect("parts");
        let found: Vec<u32> = parts.iter().map(|it| units(**it)).collect();
        assert_eq!(found, counts, "{how:?}");
        for part in &parts {
            let parent: cl_device_id = info(clGetDeviceInfo, **part, CL_DEVICE_PARENT_DEVICE);
            assert_eq!(parent, device);
            let given: Vec<isize> = infos(clGetDeviceInfo, **part, CL_DEVICE_PARTITION_TYPE);
            assert_eq!(given, how);
            assert_eq!(references(**part), 1);
            assert_eq!(
                text(clGetDeviceInfo, **part, CL_DEVICE_VERSION),
                text(clGetDeviceInfo, device, CL_DEVICE_VERSION)
            );
        }
    }
}

#[test]
fn parts_of_parts_are_parts() {
    let halves = split(whole(), &[EQUALLY, 2, 0]).expect("parts");
    let quarters = split(*halves[0], &[BY_COUNTS, 1, 1, 0, 0]).expect("parts");
    assert_eq!(quarters.len(), 2);
    let parent: cl_device_id = info(clGetDeviceInfo, *quarters[1], CL_DEVICE_PARENT_DEVICE);
    assert_eq!(parent, *halves[0]);
    let code = split(*quarters[0], &[EQUALLY, 1, 0])
        .map(drop)
        .expect_err("it is one datapath");
    assert!(
        [CL_INVALID_VALUE, CL_DEVICE_PARTITION_FAILED].contains(&code),
        "{code}"
    );
    let kinds: Vec<isize> = infos(
        clGetDeviceInfo,
        *quarters[0],
        CL_DEVICE_PARTITION_PROPERTIES,
    );
    assert_eq!(kinds, [0]);
}

#[test]
fn references_to_parts_are_counted() {
    let parts = split(whole(), &[EQUALLY, 2, 0]).expect("parts");
    check(call!(clRetainDevice(*parts[0])));
    assert_eq!((references(*parts[0]), references(*parts[1])), (2, 1));
    check(call!(clReleaseDevice(*parts[0])));
    assert_eq!(references(*parts[0]), 1);
}

#[test]
fn what_the_device_cannot_be_parted_into_is_refused() {
    let device = whole();
    let affinity = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
    let cases: [(cl_int, &[isize]); 9] = [
        (CL_INVALID_VALUE, &[0]),
        (CL_INVALID_VALUE, &[0x7777, 1, 0]),
        (
            CL_INVALID_VALUE,
            &[affinity, CL_DEVICE_AFFINITY_DOMAIN_NUMA as isize, 0],
        ),
        (CL_INVALID_VALUE, &[EQUALLY, 0, 0]),
        (CL_INVALID_VALUE, &[EQUALLY, 1, 7]),
        (CL_DEVICE_PARTITION_FAILED, &[EQUALLY, 5, 0]),
        (CL_INVALID_DEVICE_PARTITION_COUNT, &[BY_COUNTS, 3, 2, 0, 0]),
        (
            CL_INVALID_DEVICE_PARTITION_COUNT,
            &[BY_COUNTS, 1, 1, 1, 1, 1, 0, 0],
        ),
        (CL_INVALID_DEVICE_PARTITION_COUNT, &[BY_COUNTS, 1, -1, 0, 0]),
    ];
    for (code, how) in cases {
        assert_eq!(split(device, how).map(drop), Err(code), "{how:?}");
    }
    let halves = [EQUALLY, 2, 0];
    let mut one = null_mut();
    assert_code!(
        CL_INVALID_VALUE,
        clCreateSubDevices(device, null(), 0, null_mut(), null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clCreateSubDevices(device, halves.as_ptr(), 1, &mut one, null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clCreateSubDevices(device, halves.as_ptr(), 0, &mut one, null_mut())
    );
    let (platform, _) = support::device();
    for other in [null_mut(), platform] {
        assert_code!(
            CL_INVALID_DEVICE,
            clCreateSubDevices(other, halves.as_ptr(), 0, null_mut(), null_mut())
        );
    }
}

fn context(devices: &[cl_device_id]) -> Owned {
    let (count, list) = (devices.len() as u32, devices.as_ptr());
    let made = make!(clCreateContext(null(), count, list, None, null_mut()));
    Owned::new(made.expect("a context"), clReleaseContext)
}

#[test]
fn a_context_keeps_its_parts() {
    let parts = split(whole(), &[EQUALLY, 2, 0]).expect("parts");
    let handles: Vec<cl_device_id> = parts.iter().map(|it| **it).collect();
    let context = context(&handles);
    drop(parts);
    let devices: Vec<cl_device_id> = infos(clGetContextInfo, *context, CL_CONTEXT_DEVICES);
    assert_eq!(devices, handles);
    assert_eq!(units(devices[1]), 2);
}

#[test]
fn a_queue_is_of_a_device_of_its_context() {
    let device = whole();
    let parts = split(device, &[EQUALLY, 2, 0]).expect("parts");
    let context = context(&[*parts[0]]);
    drop(new_queue(*context, *parts[0], 0));
    for other in [device, *parts[1]] {
        assert_refused!(
            CL_INVALID_DEVICE,
            clCreateCommandQueueWithProperties(*context, other, null())
        );
    }
}

/// The whole and two unequal parts, in one context: each computes the same.
#[test]
fn parts_compute_what_the_whole_does() {
    let device = whole();
    let parts = split(device, &[BY_COUNTS, 1, 3, 0, 0]).expect("parts");
    let devices = [device, *parts[0], *parts[1]];
    let context = context(&devices);
    let queues = devices.map(|it| new_queue(*context, it, 0));
    let session = Session {
        queue: new_queue(*context, device, 0),
        context,
        device,
        platform: null_mut(),
    };
    let source =
        "kernel void f(global uint* a) { a[get_global_id(0)] += 2 * get_group_id(0) + 1; }";
    let program = session.build(source);
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[0; 24]);
    set_argument(*kernel, 0, *buffer);
    for queue in &queues {
        let (global, local) = (24, 4);
        check(call!(clEnqueueNDRangeKernel(
            **queue,
            *kernel,
            1,
            null(),
            &global,
            &local,
            0,
            null(),
            null_mut()
        )));
        check(call!(clFinish(**queue)));
    }
    let expected: Vec<u32> = (0..24).map(|at| 3 * (2 * (at / 4) + 1)).collect();
    assert_eq!(session.read(*buffer, 24), expected);
}

#[test]
fn all_tests_hold_on_the_other_executor() {
    run_on_the_other_executor("all_tests_hold_on_the_other_executor");
}
