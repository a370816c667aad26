//! Sharing with OpenGL and EGL is not offered, but the loader has its entry points and calls them on
//! whatever a handle's table has there: they have to answer. In a file of their own, for an entry
//! that is not there ends the process.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

#[link(name = "OpenCL")]
unsafe extern "system" {
    fn clCreateFromGLBuffer(_: cl_context, _: cl_mem_flags, _: u32, _: *mut cl_int) -> cl_mem;
    fn clCreateFromGLTexture(
        _: cl_context,
        _: cl_mem_flags,
        _: u32,
        _: i32,
        _: u32,
        _: *mut cl_int,
    ) -> cl_mem;
    fn clCreateFromGLRenderbuffer(_: cl_context, _: cl_mem_flags, _: u32, _: *mut cl_int)
    -> cl_mem;
    fn clGetGLObjectInfo(_: cl_mem, _: *mut u32, _: *mut u32) -> cl_int;
    fn clGetGLTextureInfo(_: cl_mem, _: cl_uint, _: usize, _: *mut c_void, _: *mut usize)
    -> cl_int;
    fn clEnqueueAcquireGLObjects(
        _: cl_command_queue,
        _: cl_uint,
        _: *const cl_mem,
        _: cl_uint,
        _: *const cl_event,
        _: *mut cl_event,
    ) -> cl_int;
    fn clEnqueueReleaseGLObjects(
        _: cl_command_queue,
        _: cl_uint,
        _: *const cl_mem,
        _: cl_uint,
        _: *const cl_event,
        _: *mut cl_event,
    ) -> cl_int;
}

#[test]
fn nothing_is_shared_with_opengl() {
    let session = Session::new();
    let (context, queue) = (*session.context, *session.queue);
    assert!(!text(clGetDeviceInfo, session.device, CL_DEVICE_EXTENSIONS).contains("gl_sharing"));
    let flags = CL_MEM_READ_WRITE;
    for made in [
        make!(clCreateFromGLBuffer(context, flags, 1)),
        make!(clCreateFromGLTexture(context, flags, 0x0de1, 0, 1)),
        make!(clCreateFromGLRenderbuffer(context, flags, 1)),
    ] {
        assert!(made.is_err_and(|code| code < 0));
    }
    let buffer = session.buffer(&[1]);
    let none = null_mut();
    for code in [
        call!(clGetGLObjectInfo(*buffer, null_mut(), null_mut())),
        ask(clGetGLTextureInfo, *buffer, 0x2004),
        call!(clEnqueueAcquireGLObjects(
            queue,
            1,
            &*buffer,
            0,
            null(),
            none
        )),
        call!(clEnqueueReleaseGLObjects(
            queue,
            1,
            &*buffer,
            0,
            null(),
            none
        )),
    ] {
        assert!(code < 0, "{code}");
    }
}
