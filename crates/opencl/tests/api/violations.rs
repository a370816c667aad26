//! Kernels that leave their buffers: what they read there is zero, what they write is lost, and
//! no other memory is touched.

use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

const SOURCE: &str = "
    kernel void fetch(global const uint *from, global uint *to, long at) {
        size_t i = get_global_id(0);
        to[i] = from[at + i];
    }
    kernel void put(global uint *to, long at) { to[at + get_global_id(0)] = 0xbad; }
    kernel void put_wide(global uint *to, long at) { vstore4((uint4)(0xbad), 0, to + at); }
    kernel void put_byte(global uchar *to, long at) { to[at] = 0xee; }
    kernel void fetch_constant(constant uint *from, global uint *to, long at) { to[0] = from[at]; }
    kernel void count(global uint *to, long at) { atomic_inc(to + at); }";

/// Offsets in words, beyond both ends of a buffer of four, near and far.
const OUTSIDE: [i64; 10] = [
    4,
    5,
    16,
    64,
    1 << 20,
    1 << 31,
    -4,
    -16,
    -(1 << 20),
    -(1 << 33),
];

#[test]
fn what_is_read_outside_of_a_buffer_is_zero() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let fetch = kernel(*program, "fetch");
    let (from, to) = (session.buffer(&[1, 2, 3, 4]), session.buffer(&[9; 4]));
    set_argument(*fetch, 0, *from);
    set_argument(*fetch, 1, *to);
    for at in OUTSIDE {
        set_argument(*fetch, 2, at as u64);
        drop(session.launch(*fetch, 4));
        assert_eq!(session.read(*to, 4), [0; 4], "at {at}");
    }
    for (at, expected) in [(2, [3, 4, 0, 0]), (-3, [0, 0, 0, 1]), (0, [1, 2, 3, 4])] {
        set_argument(*fetch, 2, i64::from(at) as u64);
        drop(session.launch(*fetch, 4));
        assert_eq!(session.read(*to, 4), expected, "at {at}");
    }
    assert_eq!(session.read(*from, 4), [1, 2, 3, 4]);
}

#[test]
fn what_is_written_outside_of_a_buffer_is_lost() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let put = kernel(*program, "put");
    let neighbours: Vec<Owned> = (0..4).map(|it| session.buffer(&[it; 8])).collect();
    let to = session.buffer(&[7; 4]);
    set_argument(*put, 0, *to);
    for at in OUTSIDE {
        set_argument(*put, 1, at as u64);
        drop(session.launch(*put, 4));
        assert_eq!(session.read(*to, 4), [7; 4], "at {at}");
    }
    set_argument(*put, 1, 2_u64);
    drop(session.launch(*put, 4));
    assert_eq!(session.read(*to, 4), [7, 7, 0xbad, 0xbad]);
    for (it, neighbour) in neighbours.iter().enumerate() {
        assert_eq!(session.read(**neighbour, 8), [it as u32; 8]);
    }
}

#[test]
fn a_launch_that_leaves_its_buffers_succeeds_and_the_rest_of_it_counts() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let (put, to) = (kernel(*program, "put"), session.buffer(&[0; 4]));
    set_argument(*put, 0, *to);
    set_argument(*put, 1, 0_u64);
    let event = session.launch(*put, 100);
    assert_code!(CL_SUCCESS, clWaitForEvents(1, &*event));
    let status: cl_int = info(clGetEventInfo, *event, CL_EVENT_COMMAND_EXECUTION_STATUS);
    assert_eq!(status, CL_COMPLETE);
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
    assert_eq!(session.read(*to, 4), [0xbad; 4]);
}

#[test]
fn an_access_that_is_partly_outside_reaches_what_is_inside() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let (put, to) = (kernel(*program, "put_wide"), session.buffer(&[7; 6]));
    set_argument(*put, 0, *to);
    set_argument(*put, 1, 4_u64);
    drop(session.launch(*put, 1));
    let found = session.read(*to, 6);
    assert_eq!(found[..4], [7; 4]);
    match executor() {
        Executor::Circuit => {
            assert_eq!(found[4..], [0xbad; 2], "each lane is an access of its own");
        }
        Executor::Interpreter => assert_eq!(found[4..], [7; 2], "the whole is one access"),
    }
}

#[test]
fn a_buffer_ends_at_its_last_byte() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let put = kernel(*program, "put_byte");
    let made = make!(clCreateBuffer(*session.context, 0, 5, null_mut()));
    let to = Owned::new(made.expect("a buffer"), clReleaseMemObject);
    set_argument(*put, 0, *to);
    assert_code!(
        CL_SUCCESS,
        clEnqueueFillBuffer(
            *session.queue,
            *to,
            [0_u8].as_ptr().cast(),
            1,
            0,
            5,
            0,
            null(),
            null_mut()
        )
    );
    for at in 3..8_u64 {
        set_argument(*put, 1, at);
        drop(session.launch(*put, 1));
    }
    let mut host = [1_u8; 5];
    let room = host.as_mut_ptr().cast();
    assert_code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(
            *session.queue,
            *to,
            CL_TRUE,
            0,
            5,
            room,
            0,
            null(),
            null_mut()
        )
    );
    assert_eq!(host, [0, 0, 0, 0xee, 0xee]);
}

#[test]
fn a_sub_buffer_ends_where_it_does_though_its_parent_goes_on() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let align: u32 = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MEM_BASE_ADDR_ALIGN,
    );
    let align = align as usize / 8;
    let words = align / 4;
    let initial: Vec<u32> = (1..=3 * words as u32).collect();
    let parent = session.buffer(&initial);
    let region = cl_buffer_region {
        origin: align,
        size: 16,
    };
    let (kind, region) = (CL_BUFFER_CREATE_TYPE_REGION, &raw const region);
    let part = make!(clCreateSubBuffer(*parent, 0, kind, region.cast())).expect("a sub-buffer");
    let part = Owned::new(part, clReleaseMemObject);
    let (fetch, put) = (kernel(*program, "fetch"), kernel(*program, "put"));
    let to = session.buffer(&[9; 4]);
    set_argument(*fetch, 0, *part);
    set_argument(*fetch, 1, *to);
    set_argument(*put, 0, *part);
    for (at, inside) in [(4_i64, 0..0), (2, 0..2), (-4, 0..0), (-1, 1..4)] {
        set_argument(*fetch, 2, at as u64);
        drop(session.launch(*fetch, 4));
        let first = words as i64 + at;
        let expected: Vec<u32> = (0..4)
            .map(|i| {
                if inside.contains(&i) {
                    (first + i as i64 + 1) as u32
                } else {
                    0
                }
            })
            .collect();
        assert_eq!(session.read(*to, 4), expected, "at {at}");
    }
    for at in [4_i64, -4] {
        set_argument(*put, 1, at as u64);
        drop(session.launch(*put, 4));
    }
    assert_eq!(session.read(*parent, 3 * words), initial);
}

#[test]
fn constant_buffers_and_atomic_operations_end_too() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let (fetch, count) = (
        kernel(*program, "fetch_constant"),
        kernel(*program, "count"),
    );
    let (data, to) = (session.buffer(&[1, 2, 3, 4]), session.buffer(&[9]));
    set_argument(*fetch, 0, *data);
    set_argument(*fetch, 1, *to);
    set_argument(*fetch, 2, 4_u64);
    drop(session.launch(*fetch, 1));
    assert_eq!(session.read(*to, 1), [0]);
    set_argument(*count, 0, *data);
    for at in [4_i64, -1, 3] {
        set_argument(*count, 1, at as u64);
        drop(session.launch(*count, 8));
    }
    assert_eq!(session.read(*data, 4), [1, 2, 3, 12]);
}

#[test]
fn null_pointers_are_outside_of_everything() {
    let session = Session::new();
    let program = session.build(SOURCE);
    let (fetch, put) = (kernel(*program, "fetch"), kernel(*program, "put"));
    let to = session.buffer(&[9; 4]);
    set_argument(*fetch, 0, null_mut());
    set_argument(*fetch, 1, *to);
    set_argument(*fetch, 2, 0_u64);
    drop(session.launch(*fetch, 4));
    set_argument(*put, 0, null_mut());
    set_argument(*put, 1, 0_u64);
    drop(session.launch(*put, 4));
    assert_eq!(session.read(*to, 4), [0; 4]);
}
