//! Arguments of kernels: every kind of them, and what is refused.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

/// Sets an argument to bytes.
fn set_bytes(kernel: cl_kernel, at: cl_uint, bytes: &[u8]) -> cl_int {
    call!(clSetKernelArg(
        kernel,
        at,
        bytes.len(),
        bytes.as_ptr().cast()
    ))
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A scalar type: its name, and the bytes of the number that it has at a lane.
type Scalar = (&'static str, fn(u8) -> Vec<u8>);

const SCALARS: [Scalar; 11] = [
    ("char", |at| vec![0xf0 | at]),
    ("uchar", |at| vec![0xe0 | at]),
    ("short", |at| vec![at, 0x90]),
    ("ushort", |at| vec![at, 0xa0]),
    ("int", |at| vec![at, 1, 2, 0x83]),
    ("uint", |at| vec![at, 4, 5, 0x86]),
    ("long", |at| vec![at, 1, 2, 3, 4, 5, 6, 0x87]),
    ("ulong", |at| vec![at, 8, 9, 10, 11, 12, 13, 0x8e]),
    ("half", |at| vec![at, 0x3c]),
    ("float", |at| (-1.5 - f32::from(at)).to_le_bytes().to_vec()),
    ("double", |at| (0.1 + f64::from(at)).to_le_bytes().to_vec()),
];

/// How a kernel stores an argument that it has.
fn storing(name: &str, width: usize) -> String {
    match width {
        1 => format!("kernel void k1({name} v, global {name} *out) {{ out[0] = v; }}\n"),
        _ => format!(
            "kernel void k{width}({name}{width} v, global {name} *out) {{ vstore{width}(v, 0, out); }}\n"
        ),
    }
}

#[test]
fn scalars_and_vectors_of_every_width_arrive_as_they_are() {
    let session = Session::new();
    for (name, lane) in SCALARS {
        let widths = [1, 2, 3, 4, 8, 16];
        let kernels: String = widths.iter().map(|&width| storing(name, width)).collect();
        let program = session.build(&format!(
            "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n{kernels}"
        ));
        for width in widths {
            let what = format!("{name}{width}");
            let store = kernel(*program, &format!("k{width}"));
            let value: Vec<u8> = (0..width as u8).flat_map(lane).collect();
            let size = value.len() / width;
            // Three lanes have the room of four.
            let room = if width == 3 { 4 * size } else { value.len() };
            let mut argument = value.clone();
            argument.resize(room, 0x55);
            let out = session.buffer(&[0xabab_abab; 36]);
            assert_eq!(set_bytes(*store, 0, &argument), CL_SUCCESS, "{what}");
            set_argument(*store, 1, *out);
            // The value was taken when it was set.
            argument.fill(0);
            drop(session.launch(*store, 1));
            let found = bytes_of(&session.read(*out, 36));
            assert_eq!(found[..value.len()], value, "{what}");
            assert!(
                found[value.len()..].iter().all(|&byte| byte == 0xab),
                "{what}"
            );
            for wrong in [0, room - 1, room + 1, room + size, 2 * room, 3 * size] {
                // Three lanes may also come without the room of the fourth.
                let is_right = [room, value.len()].contains(&wrong);
                let code = set_bytes(*store, 0, &[0_u8; 512][..wrong]);
                assert_eq!(code == CL_SUCCESS, is_right, "{what} of {wrong} bytes");
                assert!(
                    is_right || code == CL_INVALID_ARG_SIZE,
                    "{what} of {wrong} bytes: {code}"
                );
            }
            assert_code!(
                CL_INVALID_ARG_VALUE,
                clSetKernelArg(*store, 0, room, null())
            );
        }
    }
}

#[test]
fn three_lanes_may_be_set_without_room_for_a_fourth() {
    let session = Session::new();
    let program = session.build(
        "kernel void f(float3 v, uint w, global float *a) { a[0] = v.x; a[1] = v.y; a[2] = v.z;\n\
         a[3] = w; }",
    );
    let kernel = kernel(*program, "f");
    let out = session.buffer(&[0; 4]);
    set_argument(*kernel, 1, 5_u32);
    set_argument(*kernel, 2, *out);
    let bytes = [1.5_f32, -2.25, 8.0, 99.0].map(f32::to_le_bytes).concat();
    for size in [12, 16] {
        assert_eq!(set_bytes(*kernel, 0, &bytes[..size]), CL_SUCCESS);
        drop(session.launch(*kernel, 1));
        let found = session.read(*out, 4).into_iter().map(f32::from_bits);
        assert_eq!(found.collect::<Vec<_>>(), [1.5, -2.25, 8.0, 5.0]);
    }
}

/// As the kernel has it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Inner {
    tag: u8,
    weights: [i16; 3],
}

#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Outer {
    first: u8,
    number: f64,
    inner: [Inner; 2],
    /// A `float3`, with the room of four, where a vector of that size has to begin.
    direction: Direction,
    last: u64,
}

#[repr(C, align(16))]
#[derive(Clone, Copy)]
struct Direction([f32; 4]);

const STRUCTS: &str = "
    typedef struct { uchar tag; short weights[3]; } Inner;
    typedef struct { uchar first; double number; Inner inner[2]; float3 direction; ulong last; } Outer;
    kernel void take(Outer it, global float *out, int which) {
        out[0] = it.first;
        out[1] = it.number;
        out[2] = it.inner[which].tag;
        for (int i = 0; i < 3; i++)
            out[3 + i] = it.inner[which].weights[i];
        vstore3(it.direction, 2, out);
        out[9] = it.last;
        out[10] = sizeof(Outer);
    }";

#[test]
fn structs_arrive_with_their_members_where_c_has_them() {
    let session = Session::new();
    let program = session.build(STRUCTS);
    let (take, out) = (kernel(*program, "take"), session.buffer(&[0; 11]));
    let value = Outer {
        first: 200,
        number: -2.25,
        inner: [
            Inner {
                tag: 1,
                weights: [2, -3, 4],
            },
            Inner {
                tag: 5,
                weights: [-6, 7, -8],
            },
        ],
        direction: Direction([0.5, 1.5, 2.5, 99.0]),
        last: 1 << 40,
    };
    let pointer = (&raw const value).cast::<c_void>();
    let size = size_of::<Outer>();
    assert_code!(CL_SUCCESS, clSetKernelArg(*take, 0, size, pointer));
    set_argument(*take, 1, *out);
    for (which, inner) in value.inner.iter().enumerate() {
        set_argument(*take, 2, which as i32);
        drop(session.launch(*take, 1));
        let found: Vec<f32> = session
            .read(*out, 11)
            .into_iter()
            .map(f32::from_bits)
            .collect();
        let [a, b, c] = inner.weights.map(f32::from);
        let tag = f32::from(inner.tag);
        let last = (1_u64 << 40) as f32;
        let expected = [200.0, -2.25, tag, a, b, c, 0.5, 1.5, 2.5, last, size as f32];
        assert_eq!(found, expected);
    }
    for wrong in [0, 1, size - 1, size + 1, 2 * size] {
        assert_eq!(
            set_bytes(*take, 0, &[0; 512][..wrong]),
            CL_INVALID_ARG_SIZE,
            "{wrong}"
        );
    }
    assert_code!(CL_INVALID_ARG_VALUE, clSetKernelArg(*take, 0, size, null()));
}

const LOCALS: &str = "
    kernel void turn(global int *data, local int *a, local short *b) {
        size_t i = get_local_id(0), n = get_local_size(0);
        a[i] = data[get_global_id(0)];
        b[n - 1 - i] = 100 * get_group_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        data[get_global_id(0)] = a[n - 1 - i] + b[i];
    }";

#[test]
fn local_memory_is_as_large_as_the_argument_says_and_of_each_group() {
    let session = Session::new();
    let program = session.build(LOCALS);
    let turn = kernel(*program, "turn");
    for group in [2_usize, 4, 8] {
        let data = session.buffer(&(0..8).collect::<Vec<u32>>());
        set_argument(*turn, 0, *data);
        assert_code!(CL_SUCCESS, clSetKernelArg(*turn, 1, 4 * group, null()));
        assert_code!(CL_SUCCESS, clSetKernelArg(*turn, 2, 2 * group, null()));
        assert_code!(
            CL_SUCCESS,
            clEnqueueNDRangeKernel(
                *session.queue,
                *turn,
                1,
                null(),
                &8,
                &group,
                0,
                null(),
                null_mut()
            )
        );
        let expected =
            (0..8).map(|i| (i / group * group + group - 1 - i % group) + 100 * (i / group));
        let expected: Vec<u32> = expected.map(|it| it as u32).collect();
        assert_eq!(session.read(*data, 8), expected, "groups of {group}");
    }
    let value = 0_u32;
    let pointer = (&raw const value).cast();
    assert_code!(CL_INVALID_ARG_SIZE, clSetKernelArg(*turn, 1, 0, null()));
    assert_code!(CL_INVALID_ARG_VALUE, clSetKernelArg(*turn, 1, 4, pointer));
}

#[test]
fn more_local_memory_than_the_device_has_is_refused_by_the_launch() {
    let session = Session::new();
    let program = session.build(LOCALS);
    let (turn, data) = (kernel(*program, "turn"), session.buffer(&[0; 8]));
    let most: u64 = info(clGetDeviceInfo, session.device, CL_DEVICE_LOCAL_MEM_SIZE);
    let most = usize::try_from(most).expect("64 bits");
    set_argument(*turn, 0, *data);
    assert_code!(CL_SUCCESS, clSetKernelArg(*turn, 2, 64, null()));
    assert_code!(CL_SUCCESS, clSetKernelArg(*turn, 1, most, null()));
    assert_code!(
        CL_OUT_OF_RESOURCES,
        clEnqueueNDRangeKernel(
            *session.queue,
            *turn,
            1,
            null(),
            &8,
            null(),
            0,
            null(),
            null_mut()
        )
    );
}

#[test]
fn null_buffers_are_null_pointers() {
    let session = Session::new();
    let program = session.build(
        "kernel void which(global int *a, constant int *b, global const int *c, global int *out) {
            out[0] = a ? a[0] : -1;
            out[1] = b ? b[0] : -2;
            out[2] = c ? c[0] : -3;
        }",
    );
    let which = kernel(*program, "which");
    let (value, out) = (session.buffer(&[7]), session.buffer(&[0; 3]));
    set_argument(*which, 3, *out);
    let none: cl_mem = null_mut();
    let handles: [*const cl_mem; 3] = [&*value, &none, null()];
    for case in 0..27 {
        let of = |at: u32| case / 3_usize.pow(at) % 3;
        for at in 0..3 {
            let handle = handles[of(at)].cast();
            assert_code!(
                CL_SUCCESS,
                clSetKernelArg(*which, at, size_of::<cl_mem>(), handle)
            );
        }
        drop(session.launch(*which, 1));
        let expected = [0, 1, 2].map(|at| if of(at) == 0 { 7 } else { !at });
        assert_eq!(session.read(*out, 3), expected);
    }
}

#[test]
fn buffers_are_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let program = session.build("kernel void k(global int *a, constant int *b) { a[0] = b[0]; }");
    let (k, buffer) = (kernel(*program, "k"), session.buffer(&[1]));
    let pointer = (&raw const *buffer).cast::<c_void>();
    for at in 0..2 {
        for size in [0, 4, 7, 9, 16] {
            assert_code!(CL_INVALID_ARG_SIZE, clSetKernelArg(*k, at, size, pointer));
        }
        for wrong in [*session.queue, *session.context, *program] {
            let wrong = (&raw const wrong).cast();
            assert_code!(CL_INVALID_MEM_OBJECT, clSetKernelArg(*k, at, 8, wrong));
        }
    }
    for index in [2, 3, cl_uint::MAX] {
        assert_code!(CL_INVALID_ARG_INDEX, clSetKernelArg(*k, index, 8, pointer));
    }
    for wrong in [null_mut(), *session.queue, *buffer] {
        assert_code!(CL_INVALID_KERNEL, clSetKernelArg(wrong, 0, 8, pointer));
    }
}

#[test]
fn arguments_stay_set_from_launch_to_launch() {
    let session = Session::new();
    let program = session.build("kernel void add(global uint *sum, uint step) { sum[0] += step; }");
    let (add, sum) = (kernel(*program, "add"), session.buffer(&[0]));
    set_argument(*add, 0, *sum);
    set_argument(*add, 1, 5_u32);
    for _ in 0..3 {
        drop(session.launch(*add, 1));
    }
    set_argument(*add, 1, 100_u32);
    drop(session.launch(*add, 1));
    assert_eq!(session.read(*sum, 1), [115]);
}

#[test]
fn a_kernel_may_have_many_arguments_and_none() {
    let session = Session::new();
    let count = 40;
    let parameters: String = (0..count).map(|at| format!(", uint a{at}")).collect();
    let sum: String = (0..count)
        .map(|at| format!(" + {}u * a{at}", at + 1))
        .collect();
    let source = format!(
        "kernel void many(global uint *out{parameters}) {{ out[0] = 0{sum}; }}
        kernel void none() {{}}"
    );
    let program = session.build(&source);
    let (many, none) = (kernel(*program, "many"), kernel(*program, "none"));
    let out = session.buffer(&[0]);
    set_argument(*many, 0, *out);
    for at in 0..count {
        set_argument(*many, at + 1, 3 * at);
    }
    drop(session.launch(*many, 1));
    drop(session.launch(*none, 4));
    let expected: u32 = (0..count).map(|at| (at + 1) * 3 * at).sum();
    assert_eq!(session.read(*out, 1), [expected]);
    assert_eq!(
        info::<u32>(clGetKernelInfo, *many, CL_KERNEL_NUM_ARGS),
        count + 1
    );
    assert_eq!(info::<u32>(clGetKernelInfo, *none, CL_KERNEL_NUM_ARGS), 0);
}

#[test]
fn pointers_shared_with_the_host_are_not_offered() {
    let session = Session::new();
    let program = session.build("kernel void k(global int *a) { a[0] = 1; }");
    let k = kernel(*program, "k");
    let mut word = 0_u32;
    let pointer: *mut c_void = (&raw mut word).cast();
    assert_code!(
        CL_INVALID_OPERATION,
        clSetKernelArgSVMPointer(*k, 0, pointer)
    );
    assert_code!(
        CL_INVALID_KERNEL,
        clSetKernelArgSVMPointer(null_mut(), 0, pointer)
    );
    let name = CL_KERNEL_EXEC_INFO_SVM_PTRS;
    assert_code!(
        CL_INVALID_OPERATION,
        clSetKernelExecInfo(*k, name, 8, pointer)
    );
    assert_code!(
        CL_INVALID_KERNEL,
        clSetKernelExecInfo(null_mut(), name, 8, pointer)
    );
}
