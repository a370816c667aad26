//! Kernel objects: making them, what they say of themselves and of their arguments, copies.

use std::ffi::{CString, c_void};
use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

const ADD: &str = "
    uint twice(uint x) { return 2 * x; }
    kernel void add(global uint *sum, uint step) { sum[get_global_id(0)] += step; }
    kernel void add_twice(global uint *sum, uint step) { sum[get_global_id(0)] += twice(step); }";

#[test]
fn making_a_kernel_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let unbuilt = session.program(ADD);
    let program = session.build(ADD);
    let name = c"add".as_ptr();
    for wrong in [null_mut(), *session.context, *session.queue] {
        assert_refused!(CL_INVALID_PROGRAM, clCreateKernel(wrong, name));
    }
    assert_refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(*unbuilt, name)
    );
    assert_refused!(CL_INVALID_VALUE, clCreateKernel(*program, null()));
    for unknown in ["", "ad", "add_", "Add", "twice", "add_twice "] {
        let unknown = CString::new(unknown).expect("no zeros");
        assert_refused!(
            CL_INVALID_KERNEL_NAME,
            clCreateKernel(*program, unknown.as_ptr())
        );
    }
}

#[test]
fn all_kernels_of_a_program_are_made_at_once() {
    let session = Session::new();
    let program = session.build(ADD);
    let mut count = 0;
    assert_code!(
        CL_SUCCESS,
        clCreateKernelsInProgram(*program, 0, null_mut(), &mut count)
    );
    assert_eq!(count, 2);
    let mut handles = [null_mut(); 3];
    let room = handles.as_mut_ptr();
    assert_code!(
        CL_INVALID_VALUE,
        clCreateKernelsInProgram(*program, 1, room, null_mut())
    );
    assert_code!(
        CL_SUCCESS,
        clCreateKernelsInProgram(*program, 3, room, &mut count)
    );
    assert_eq!((count, handles[2]), (2, null_mut()));
    let kernels = [0, 1].map(|at| Owned::new(handles[at], clReleaseKernel));
    let mut names = [0, 1].map(|at| text(clGetKernelInfo, *kernels[at], CL_KERNEL_FUNCTION_NAME));
    names.sort_unstable();
    assert_eq!(names, ["add", "add_twice"]);
    for wrong in [null_mut(), *session.context] {
        assert_code!(
            CL_INVALID_PROGRAM,
            clCreateKernelsInProgram(wrong, 0, null_mut(), &mut count)
        );
    }
    let unbuilt = session.program(ADD);
    assert_code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernelsInProgram(*unbuilt, 0, null_mut(), &mut count)
    );
}

#[test]
fn a_kernel_says_what_it_is() {
    let session = Session::new();
    let program = session.build(ADD);
    let add = kernel(*program, "add");
    let pointer = |name| info::<*mut c_void>(clGetKernelInfo, *add, name);
    let number = |name| info::<u32>(clGetKernelInfo, *add, name);
    assert_eq!(text(clGetKernelInfo, *add, CL_KERNEL_FUNCTION_NAME), "add");
    assert_eq!(number(CL_KERNEL_NUM_ARGS), 2);
    assert_eq!(number(CL_KERNEL_REFERENCE_COUNT), 1);
    assert_eq!(pointer(CL_KERNEL_CONTEXT), *session.context);
    assert_eq!(pointer(CL_KERNEL_PROGRAM), *program);
    assert_eq!(text(clGetKernelInfo, *add, CL_KERNEL_ATTRIBUTES), "");
    assert_eq!(ask(clGetKernelInfo, *add, 0xdead), CL_INVALID_VALUE);
    for wrong in [null_mut(), *session.context, *program] {
        assert_eq!(
            ask(clGetKernelInfo, wrong, CL_KERNEL_NUM_ARGS),
            CL_INVALID_KERNEL
        );
    }
}

#[test]
fn attributes_are_given_as_they_are_written() {
    let session = Session::new();
    let source = "
        kernel __attribute__((reqd_work_group_size(4,2,1))) void a() {}
        kernel __attribute__((work_group_size_hint(8,1,1))) void b() {}
        kernel void c() {}
        __attribute__((reqd_work_group_size(2,3,4))) __attribute__((work_group_size_hint(2,3,4)))
        kernel void d() {}
        kernel __attribute__((vec_type_hint(float4))) void e() {}
        kernel __attribute__((vec_type_hint(uint))) void f() {}
        __attribute__((reqd_work_group_size(2,3,4))) __attribute__((vec_type_hint(char16)))
        kernel void g() {}";
    let program = session.build(source);
    let attributes = |name: &str| {
        let kernel = kernel(*program, name);
        let all = text(clGetKernelInfo, *kernel, CL_KERNEL_ATTRIBUTES);
        let mut all: Vec<String> = all.split(' ').map(str::to_owned).collect();
        all.sort_unstable();
        all
    };
    assert_eq!(attributes("a"), ["reqd_work_group_size(4,2,1)"]);
    assert_eq!(attributes("b"), ["work_group_size_hint(8,1,1)"]);
    assert_eq!(attributes("c"), [""]);
    assert_eq!(
        attributes("d"),
        ["reqd_work_group_size(2,3,4)", "work_group_size_hint(2,3,4)"]
    );
    assert_eq!(attributes("e"), ["vec_type_hint(float4)"]);
    assert_eq!(attributes("f"), ["vec_type_hint(uint)"]);
    assert_eq!(
        attributes("g"),
        ["reqd_work_group_size(2,3,4)", "vec_type_hint(char16)"]
    );
}

#[test]
fn references_are_counted() {
    let session = Session::new();
    let program = session.build(ADD);
    let add = kernel(*program, "add");
    let count = || info::<u32>(clGetKernelInfo, *add, CL_KERNEL_REFERENCE_COUNT);
    assert_code!(CL_SUCCESS, clRetainKernel(*add));
    assert_eq!(count(), 2);
    assert_code!(CL_SUCCESS, clReleaseKernel(*add));
    assert_eq!(count(), 1);
    for wrong in [null_mut(), *session.context, *program] {
        assert_code!(CL_INVALID_KERNEL, clRetainKernel(wrong));
        assert_code!(CL_INVALID_KERNEL, clReleaseKernel(wrong));
    }
}

#[test]
fn kernels_of_the_same_function_have_arguments_of_their_own() {
    let session = Session::new();
    let program = session.build(ADD);
    let (first, second) = (kernel(*program, "add"), kernel(*program, "add"));
    let sums = [session.buffer(&[0]), session.buffer(&[0])];
    set_argument(*first, 0, *sums[0]);
    set_argument(*second, 0, *sums[1]);
    set_argument(*first, 1, 1_u32);
    set_argument(*second, 1, 20_u32);
    drop((
        session.launch(*first, 1),
        session.launch(*second, 1),
        session.launch(*first, 1),
    ));
    assert_eq!(
        (session.read(*sums[0], 1), session.read(*sums[1], 1)),
        (vec![2], vec![20])
    );
}

#[test]
fn a_copy_has_the_arguments_of_the_moment() {
    let session = Session::new();
    let program = session.build(ADD);
    let (add, sum) = (kernel(*program, "add"), session.buffer(&[0]));
    set_argument(*add, 0, *sum);
    set_argument(*add, 1, 1_u32);
    let copy = Owned::new(
        make!(clCloneKernel(*add)).expect("a kernel"),
        clReleaseKernel,
    );
    assert_eq!(text(clGetKernelInfo, *copy, CL_KERNEL_FUNCTION_NAME), "add");
    assert_eq!(
        info::<u32>(clGetKernelInfo, *copy, CL_KERNEL_REFERENCE_COUNT),
        1
    );
    assert_eq!(
        info::<cl_program>(clGetKernelInfo, *copy, CL_KERNEL_PROGRAM),
        *program
    );
    set_argument(*add, 1, 10_u32);
    drop(session.launch(*copy, 1));
    assert_eq!(session.read(*sum, 1), [1]);
    set_argument(*copy, 1, 100_u32);
    drop(session.launch(*add, 1));
    assert_eq!(session.read(*sum, 1), [11]);
    drop(add);
    drop(session.launch(*copy, 1));
    assert_eq!(session.read(*sum, 1), [111]);
    let bare = kernel(*program, "add");
    let bare = Owned::new(
        make!(clCloneKernel(*bare)).expect("a kernel"),
        clReleaseKernel,
    );
    let code = call!(clEnqueueNDRangeKernel(
        *session.queue,
        *bare,
        1,
        null(),
        &1,
        null(),
        0,
        null(),
        null_mut()
    ));
    assert_eq!(code, CL_INVALID_KERNEL_ARGS, "there was nothing to copy");
    for wrong in [null_mut(), *session.queue, *program] {
        assert_refused!(CL_INVALID_KERNEL, clCloneKernel(wrong));
    }
}

/// The code or the bytes of a query of an argument.
fn argument_info(kernel: cl_kernel, at: cl_uint, name: cl_uint) -> Result<Vec<u8>, cl_int> {
    answer(|size, room, written| call!(clGetKernelArgInfo(kernel, at, name, size, room, written)))
}

/// What is said of an argument: name, type, where it lies, how it is qualified.
type Expected = (
    &'static str,
    &'static str,
    cl_kernel_arg_address_qualifier,
    cl_kernel_arg_type_qualifier,
);

#[test]
fn arguments_are_told_as_they_are_declared() {
    let session = Session::new();
    let source = "
        typedef struct { int a; float b; } Pair;
        typedef float real;
        kernel void k(global int *a, constant float4 *b, local uchar *c, const double d,
            global const unsigned int *restrict e, volatile global long *f, Pair g, real h,
            global Pair *i, unsigned short j, global const volatile char *restrict k, uint3 l,
            global unsigned char *const m)
        { a[0] = b[0].x + c[0] + d + e[0] + f[0] + g.a + h + i[0].a + j + k[0] + l.x + m[0]; }";
    let program = session.build_with(source, "-cl-kernel-arg-info");
    let k = kernel(*program, "k");
    let (global, constant) = (CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ADDRESS_CONSTANT);
    let (local, private) = (CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ADDRESS_PRIVATE);
    let none = CL_KERNEL_ARG_TYPE_NONE;
    let is_const = CL_KERNEL_ARG_TYPE_CONST;
    let (restrict, volatile) = (CL_KERNEL_ARG_TYPE_RESTRICT, CL_KERNEL_ARG_TYPE_VOLATILE);
    let expected: [Expected; 13] = [
        ("a", "int*", global, none),
        ("b", "float4*", constant, is_const),
        ("c", "uchar*", local, none),
        ("d", "double", private, none),
        ("e", "uint*", global, is_const | restrict),
        ("f", "long*", global, volatile),
        ("g", "Pair", private, none),
        ("h", "real", private, none),
        ("i", "Pair*", global, none),
        ("j", "ushort", private, none),
        ("k", "char*", global, is_const | volatile | restrict),
        ("l", "uint3", private, none),
        ("m", "uchar*", global, none),
    ];
    for (at, (name, kind, address, qualifier)) in expected.into_iter().enumerate() {
        let at = at as cl_uint;
        let query = |what| argument_info(*k, at, what).expect("an answer");
        let string = |what| String::from_utf8(query(what)).expect("Sluice speaks UTF-8");
        assert_eq!(string(CL_KERNEL_ARG_NAME), format!("{name}\0"));
        assert_eq!(
            string(CL_KERNEL_ARG_TYPE_NAME),
            format!("{kind}\0"),
            "{name}"
        );
        assert_eq!(
            values::<u32>(&query(CL_KERNEL_ARG_ADDRESS_QUALIFIER)),
            [address],
            "{name}"
        );
        let access = values::<u32>(&query(CL_KERNEL_ARG_ACCESS_QUALIFIER));
        assert_eq!(access, [CL_KERNEL_ARG_ACCESS_NONE], "{name}");
        let found = values::<u64>(&query(CL_KERNEL_ARG_TYPE_QUALIFIER));
        assert_eq!(found, [u64::from(qualifier)], "{name}");
    }
    let name = CL_KERNEL_ARG_NAME;
    assert_eq!(argument_info(*k, 13, name), Err(CL_INVALID_ARG_INDEX));
    assert_eq!(argument_info(*k, 0, 0xdead), Err(CL_INVALID_VALUE));
    for wrong in [null_mut(), *session.queue, *program] {
        assert_eq!(argument_info(wrong, 0, name), Err(CL_INVALID_KERNEL));
    }
}

/// The code or the bytes of a query of a kernel on a device.
fn group_info(kernel: cl_kernel, device: cl_device_id, name: cl_uint) -> Result<Vec<u8>, cl_int> {
    answer(|size, room, written| {
        call!(clGetKernelWorkGroupInfo(
            kernel, device, name, size, room, written
        ))
    })
}

const GROUPS: &str = "
    kernel void plain(global int *out) { out[0] = 1; }
    kernel __attribute__((reqd_work_group_size(4,2,1))) void fixed(global int *out) { out[0] = 1; }
    kernel void locals(global int *out, local int *more) {
        local int fixed[16];
        fixed[get_local_id(0)] = out[get_local_id(0)];
        more[get_local_id(0)] = get_local_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_local_id(0)] = fixed[15 - get_local_id(0)] + more[0];
    }";

#[test]
fn a_kernel_says_what_its_groups_need() {
    let session = Session::new();
    let program = session.build(GROUPS);
    let device = session.device;
    let sizes = |kernel: &Owned, name| {
        values::<usize>(&group_info(**kernel, device, name).expect("an answer"))
    };
    let bytes = |kernel: &Owned, name| {
        values::<u64>(&group_info(**kernel, device, name).expect("an answer"))[0]
    };
    let plain = kernel(*program, "plain");
    let most: usize = info(clGetDeviceInfo, device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    assert_eq!(sizes(&plain, CL_KERNEL_WORK_GROUP_SIZE), [most]);
    assert_eq!(sizes(&plain, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), [0, 0, 0]);
    assert_eq!(bytes(&plain, CL_KERNEL_LOCAL_MEM_SIZE), 0);
    assert!(sizes(&plain, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE)[0] >= 1);
    assert_eq!(
        group_info(*plain, device, CL_KERNEL_PRIVATE_MEM_SIZE)
            .expect("an answer")
            .len(),
        8
    );
    // Only for built-in kernels and custom devices.
    assert_eq!(
        group_info(*plain, device, CL_KERNEL_GLOBAL_WORK_SIZE),
        Err(CL_INVALID_VALUE)
    );

    let fixed = kernel(*program, "fixed");
    assert!(sizes(&fixed, CL_KERNEL_WORK_GROUP_SIZE)[0] >= 8);
    assert_eq!(sizes(&fixed, CL_KERNEL_COMPILE_WORK_GROUP_SIZE), [4, 2, 1]);

    let locals = kernel(*program, "locals");
    assert_eq!(
        bytes(&locals, CL_KERNEL_LOCAL_MEM_SIZE),
        64,
        "an argument that is not set is none"
    );
    assert_code!(CL_SUCCESS, clSetKernelArg(*locals, 1, 100, null()));
    let with_argument = bytes(&locals, CL_KERNEL_LOCAL_MEM_SIZE);
    assert!((164..=192).contains(&with_argument), "{with_argument}");
}

#[test]
fn queries_of_groups_are_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let program = session.build(GROUPS);
    let plain = kernel(*program, "plain");
    let (device, name) = (session.device, CL_KERNEL_WORK_GROUP_SIZE);
    let of_only = group_info(*plain, null_mut(), name);
    assert_eq!(
        of_only,
        group_info(*plain, device, name),
        "there is only one device"
    );
    assert_eq!(group_info(*plain, device, 0xdead), Err(CL_INVALID_VALUE));
    assert_eq!(
        group_info(*plain, *session.queue, name),
        Err(CL_INVALID_DEVICE)
    );
    for wrong in [null_mut(), *session.queue, *program] {
        assert_eq!(group_info(wrong, device, name), Err(CL_INVALID_KERNEL));
    }
}

#[test]
fn there_are_no_sub_groups() {
    let session = Session::new();
    let program = session.build(GROUPS);
    let plain = kernel(*program, "plain");
    let local = 4_usize;
    let input = (&raw const local).cast();
    let ask = |kernel| {
        let name = CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE;
        call!(clGetKernelSubGroupInfo(
            kernel,
            session.device,
            name,
            8,
            input,
            0,
            null_mut(),
            null_mut()
        ))
    };
    assert_eq!(ask(*plain), CL_INVALID_OPERATION);
    assert_eq!(ask(null_mut()), CL_INVALID_KERNEL);
}
