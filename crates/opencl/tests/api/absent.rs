//! What the device does not have: images, samplers, pipes, shared virtual memory, native kernels.
//! Every entry point says so with a code, and has no effect.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

const FORMAT: cl_image_format = cl_image_format {
    image_channel_order: CL_RGBA,
    image_channel_data_type: CL_UNORM_INT8,
};

fn description() -> cl_image_desc {
    // SAFETY: all zeros are null pointers and numbers.
    let mut description: cl_image_desc = unsafe { std::mem::zeroed() };
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = 8;
    description.image_height = 8;
    description
}

#[test]
#[allow(deprecated)] // Programs for OpenCL 1.1 make their images so.
fn no_image_is_made() {
    let session = Session::new();
    let (mut form, what) = (FORMAT, description());
    let none = null_mut::<c_void>();
    let cases = [
        (CL_INVALID_OPERATION, *session.context),
        (CL_INVALID_CONTEXT, null_mut()),
        (CL_INVALID_CONTEXT, *session.queue),
    ];
    for (code, context) in cases {
        let flags = CL_MEM_READ_ONLY;
        assert_refused!(code, clCreateImage(context, flags, &form, &what, none));
        assert_refused!(
            code,
            clCreateImageWithProperties(context, null(), flags, &form, &what, none)
        );
        assert_refused!(
            code,
            clCreateImage2D(context, flags, &mut form, 8, 8, 0, none)
        );
        assert_refused!(
            code,
            clCreateImage3D(context, flags, &mut form, 8, 8, 8, 0, 0, none)
        );
    }
}

#[test]
fn there_are_no_formats_of_images() {
    let session = Session::new();
    let context = *session.context;
    let mut formats = [FORMAT; 4];
    for kind in CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER {
        let mut count = 7;
        let (flags, room) = (CL_MEM_READ_WRITE, formats.as_mut_ptr());
        check(call!(clGetSupportedImageFormats(
            context, flags, kind, 4, room, &mut count
        )));
        assert_eq!(count, 0);
        check(call!(clGetSupportedImageFormats(
            context,
            flags,
            kind,
            0,
            null_mut(),
            &mut count
        )));
        check(call!(clGetSupportedImageFormats(
            context,
            flags,
            kind,
            0,
            null_mut(),
            null_mut()
        )));
    }
    let (kind, room) = (CL_MEM_OBJECT_IMAGE2D, formats.as_mut_ptr());
    let mut count = 0;
    for (code, context, flags, kind, entries) in [
        (CL_INVALID_CONTEXT, null_mut(), CL_MEM_READ_WRITE, kind, 4),
        (
            CL_INVALID_CONTEXT,
            *session.queue,
            CL_MEM_READ_WRITE,
            kind,
            4,
        ),
        (
            CL_INVALID_VALUE,
            context,
            CL_MEM_READ_WRITE,
            CL_MEM_OBJECT_BUFFER,
            4,
        ),
        (
            CL_INVALID_VALUE,
            context,
            CL_MEM_READ_WRITE,
            CL_MEM_OBJECT_PIPE,
            4,
        ),
        (CL_INVALID_VALUE, context, CL_MEM_READ_WRITE, kind, 0),
        (
            CL_INVALID_VALUE,
            context,
            CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
            kind,
            4,
        ),
        (CL_INVALID_VALUE, context, 1 << 40, kind, 4),
    ] {
        assert_code!(
            code,
            clGetSupportedImageFormats(context, flags, kind, entries, room, &mut count)
        );
    }
}

#[test]
fn no_command_takes_a_buffer_for_an_image() {
    let session = Session::new();
    let buffer = session.buffer(&[3; 64]);
    let other = session.buffer(&[4; 64]);
    let (a, b) = (*buffer, *other);
    let mut host = [0_u32; 64];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let (zero, region) = ([0_usize; 3], [1_usize; 3]);
    let (o, r) = (zero.as_ptr(), region.as_ptr());
    let none = null_mut();
    let (mut row, mut slice) = (0, 0);
    let cases = [
        (CL_INVALID_MEM_OBJECT, *session.queue),
        (CL_INVALID_COMMAND_QUEUE, null_mut()),
        (CL_INVALID_COMMAND_QUEUE, *session.context),
    ];
    for (code, queue) in cases {
        assert_code!(
            code,
            clEnqueueReadImage(queue, a, CL_TRUE, o, r, 0, 0, room, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueWriteImage(queue, a, CL_TRUE, o, r, 0, 0, room, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueCopyImage(queue, a, b, o, o, r, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueCopyImageToBuffer(queue, a, b, o, r, 0, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueCopyBufferToImage(queue, a, b, 0, o, r, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueFillImage(queue, a, room, o, r, 0, null(), none)
        );
        let (flags, row, slice) = (CL_MAP_READ, &raw mut row, &raw mut slice);
        assert_refused!(
            code,
            clEnqueueMapImage(queue, a, CL_TRUE, flags, o, r, row, slice, 0, null(), none)
        );
    }
    assert_eq!(
        ask(clGetImageInfo, a, CL_IMAGE_WIDTH),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(
        ask(clGetImageInfo, null_mut(), CL_IMAGE_WIDTH),
        CL_INVALID_MEM_OBJECT
    );
    assert_eq!(
        (session.read(a, 64), session.read(b, 64)),
        (vec![3; 64], vec![4; 64])
    );
}

#[test]
#[allow(deprecated)] // Programs for OpenCL 1.2 make their samplers so.
fn there_are_no_samplers() {
    let session = Session::new();
    let (addressing, filter) = (CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    for (code, context) in [
        (CL_INVALID_OPERATION, *session.context),
        (CL_INVALID_CONTEXT, null_mut()),
        (CL_INVALID_CONTEXT, *session.queue),
    ] {
        assert_refused!(code, clCreateSamplerWithProperties(context, null()));
        assert_refused!(code, clCreateSampler(context, CL_FALSE, addressing, filter));
    }
    let buffer = session.buffer(&[1]);
    for other in [null_mut(), *buffer, *session.context] {
        assert_code!(CL_INVALID_SAMPLER, clRetainSampler(other));
        assert_code!(CL_INVALID_SAMPLER, clReleaseSampler(other));
        assert_eq!(
            ask(clGetSamplerInfo, other, CL_SAMPLER_CONTEXT),
            CL_INVALID_SAMPLER
        );
    }
}

#[test]
fn there_are_no_pipes() {
    let session = Session::new();
    for (code, context) in [
        (CL_INVALID_OPERATION, *session.context),
        (CL_INVALID_CONTEXT, null_mut()),
        (CL_INVALID_CONTEXT, *session.queue),
    ] {
        assert_refused!(
            code,
            clCreatePipe(context, CL_MEM_READ_WRITE, 4, 16, null())
        );
    }
    let buffer = session.buffer(&[1]);
    for other in [null_mut(), *buffer, *session.context] {
        assert_eq!(
            ask(clGetPipeInfo, other, CL_PIPE_PACKET_SIZE),
            CL_INVALID_MEM_OBJECT
        );
    }
}

#[test]
fn no_memory_is_shared_with_the_host() {
    let session = Session::new();
    let program = session.build("kernel void f(global uint* a) { a[0] += 1; }");
    let kernel = kernel(*program, "f");
    let memory = call!(clSVMAlloc(*session.context, CL_MEM_READ_WRITE, 64, 0));
    assert!(memory.is_null());
    call!(clSVMFree(*session.context, null_mut()));
    let (mut to, from) = ([1_u32; 4], [2_u32; 4]);
    let (p, q): (*mut c_void, *const c_void) = (to.as_mut_ptr().cast(), from.as_ptr().cast());
    let (one, one_const) = (p.cast_const(), q);
    let none = null_mut();
    for (code, queue) in [
        (CL_INVALID_OPERATION, *session.queue),
        (CL_INVALID_COMMAND_QUEUE, null_mut()),
        (CL_INVALID_COMMAND_QUEUE, *session.context),
    ] {
        let list = &raw const one;
        assert_code!(
            code,
            clEnqueueSVMFree(queue, 1, list, None, null_mut(), 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueSVMMemcpy(queue, CL_TRUE, p, q, 16, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueSVMMemFill(queue, p, q, 4, 16, 0, null(), none)
        );
        assert_code!(
            code,
            clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 16, 0, null(), none)
        );
        assert_code!(code, clEnqueueSVMUnmap(queue, p, 0, null(), none));
        let list = (&raw const one_const).cast_mut();
        assert_code!(
            code,
            clEnqueueSVMMigrateMem(queue, 1, list, &16, 0, 0, null(), none)
        );
    }
    let name = CL_KERNEL_EXEC_INFO_SVM_PTRS;
    for (code, kernel) in [
        (CL_INVALID_OPERATION, *kernel),
        (CL_INVALID_KERNEL, null_mut()),
        (CL_INVALID_KERNEL, *session.queue),
    ] {
        assert_code!(code, clSetKernelArgSVMPointer(kernel, 0, q));
        assert_code!(
            code,
            clSetKernelExecInfo(kernel, name, size_of_val(&one), (&raw const one).cast())
        );
    }
    check(call!(clFinish(*session.queue)));
    assert_eq!(to, [1; 4]);
}

unsafe extern "C" fn native(_: *mut c_void) {
    unreachable!("the device runs no functions of the host");
}

#[test]
fn no_native_kernel_runs() {
    let session = Session::new();
    let none = null_mut();
    let run = Some(native as unsafe extern "C" fn(*mut c_void));
    for (code, queue) in [
        (CL_INVALID_OPERATION, *session.queue),
        (CL_INVALID_COMMAND_QUEUE, null_mut()),
        (CL_INVALID_COMMAND_QUEUE, *session.context),
    ] {
        assert_code!(
            code,
            clEnqueueNativeKernel(
                queue,
                run,
                none,
                0,
                0,
                null(),
                null_mut(),
                0,
                null(),
                null_mut()
            )
        );
    }
    assert_code!(
        CL_INVALID_VALUE,
        clEnqueueNativeKernel(
            *session.queue,
            None,
            none,
            0,
            0,
            null(),
            null_mut(),
            0,
            null(),
            null_mut()
        )
    );
    check(call!(clFinish(*session.queue)));
}
