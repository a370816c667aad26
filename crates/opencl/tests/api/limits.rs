//! What the device says of its limits and extensions, used to the end.

use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

fn one<T: Plain>(name: cl_device_info) -> T {
    info(clGetDeviceInfo, device().1, name)
}

/// Enqueues one work-group of this size.
fn launch_group(session: &Session, kernel: cl_kernel, items: usize) -> cl_int {
    call!(clEnqueueNDRangeKernel(
        *session.queue,
        kernel,
        1,
        null(),
        &items,
        &items,
        0,
        null(),
        null_mut()
    ))
}

#[test]
fn the_largest_work_group_meets_at_a_barrier() {
    let session = Session::new();
    let most = one::<usize>(CL_DEVICE_MAX_WORK_GROUP_SIZE);
    let program = session.build(
        "kernel void f(global uint *a) { a[get_local_id(0)] = get_local_id(0);\n\
         barrier(CLK_GLOBAL_MEM_FENCE); uint x = a[get_local_size(0) - 1 - get_local_id(0)];\n\
         barrier(CLK_GLOBAL_MEM_FENCE); a[get_local_id(0)] = x; }",
    );
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&vec![0; most]);
    set_argument(*kernel, 0, *buffer);
    check(launch_group(&session, *kernel, most));
    let expected: Vec<u32> = (0..most as u32).rev().collect();
    assert_eq!(session.read(*buffer, most), expected);
    assert_eq!(
        launch_group(&session, *kernel, most + 1),
        CL_INVALID_WORK_ITEM_SIZE
    );
}

#[test]
fn all_local_memory_can_be_used() {
    let session = Session::new();
    let most = one::<u64>(CL_DEVICE_LOCAL_MEM_SIZE) as usize;
    let program = session.build(
        "kernel void f(local uint *l, uint n, global uint *a) {\n\
         for (uint i = 0; i < n; i++) l[i] = i ^ 5; uint s = 0;\n\
         for (uint i = 0; i < n; i++) s += l[i]; a[0] = s; }",
    );
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[0]);
    let words = (most / 4) as u32;
    set_argument(*kernel, 1, words);
    set_argument(*kernel, 2, *buffer);
    check(call!(clSetKernelArg(*kernel, 0, most, null())));
    check(launch_group(&session, *kernel, 1));
    let expected = (0..words).fold(0_u32, |sum, i| sum.wrapping_add(i ^ 5));
    assert_eq!(session.read(*buffer, 1), [expected]);
    let code = call!(clSetKernelArg(*kernel, 0, most + 4, null()));
    let code = match code {
        CL_SUCCESS => launch_group(&session, *kernel, 1),
        refused => refused,
    };
    assert!(
        [CL_OUT_OF_RESOURCES, CL_INVALID_ARG_SIZE].contains(&code),
        "{code}"
    );
}

#[test]
fn as_many_constant_buffers_can_be_passed_as_there_may_be() {
    let session = Session::new();
    let most = one::<u32>(CL_DEVICE_MAX_CONSTANT_ARGS);
    let parameters: String = (0..most)
        .map(|at| format!(", constant uint *c{at}"))
        .collect();
    let sum: Vec<String> = (0..most)
        .map(|at| format!("{} * c{at}[0]", at + 1))
        .collect();
    let program = session.build(&format!(
        "kernel void f(global uint *a{parameters}) {{ a[0] = {}; }}",
        sum.join(" + ")
    ));
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[0]);
    set_argument(*kernel, 0, *buffer);
    let constants: Vec<Owned> = (0..most).map(|at| session.buffer(&[at + 7])).collect();
    for (at, constant) in (1..).zip(&constants) {
        set_argument(*kernel, at, **constant);
    }
    drop(session.launch(*kernel, 1));
    let expected: u32 = (0..most).map(|at| (at + 1) * (at + 7)).sum();
    assert_eq!(session.read(*buffer, 1), [expected]);
}

#[test]
fn arguments_can_have_the_largest_size() {
    let session = Session::new();
    // The buffer's argument takes a pointer.
    let bytes = one::<usize>(CL_DEVICE_MAX_PARAMETER_SIZE) - 8;
    let words = bytes / 4;
    let program = session.build(&format!(
        "struct All {{ uint x[{words}]; }};\n\
         kernel void f(global uint *a, struct All all) {{ a[0] = all.x[0] + all.x[{}]; }}",
        words - 1
    ));
    let kernel = kernel(*program, "f");
    let buffer = session.buffer(&[0]);
    set_argument(*kernel, 0, *buffer);
    let value: Vec<u32> = (100..100 + words as u32).collect();
    check(call!(clSetKernelArg(
        *kernel,
        1,
        bytes,
        value.as_ptr().cast()
    )));
    drop(session.launch(*kernel, 1));
    assert_eq!(session.read(*buffer, 1), [100 + 99 + words as u32]);
}

#[test]
fn what_the_extensions_promise_is_there() {
    let session = Session::new();
    let source = "\
        #pragma OPENCL EXTENSION cl_khr_fp16 : enable\n\
        #pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\
        #pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n\
        #pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n\
        kernel void f(global uint *a, global uchar *b, global ulong *w, local uint *l) {\n\
          half h = (half)a[0]; h = fma(h, h, (half)1); a[1] = (uint)h;\n\
          double d = a[0]; a[2] = (uint)(d * d * 0.5);\n\
          b[13] = 7; b[15] = 9;\n\
          atomic_add(a + 4, 5u); atomic_max(a + 5, 6u);\n\
          l[0] = 1; l[1] = 2; atomic_inc(l); atomic_or(l + 1, 12u); a[6] = l[0]; a[7] = l[1];\n\
          atom_add(w + 4, 1UL << 40); atom_max(w + 5, 1UL << 41); }";
    let program = session.build(source);
    let kernel = kernel(*program, "f");
    let mut words = vec![0_u32; 12];
    words[0] = 3;
    let buffer = session.buffer(&words);
    for at in 0..3 {
        set_argument(*kernel, at, *buffer);
    }
    check(call!(clSetKernelArg(*kernel, 3, 8, null())));
    check(launch_group(&session, *kernel, 1));
    let bytes = 7 << 8 | 9 << 24;
    let expected = [3, 10, 4, bytes, 5, 6, 2, 14, 0, 1 << 8, 0, 1 << 9];
    assert_eq!(session.read(*buffer, 12), expected);
}
