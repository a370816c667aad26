//! What the device does not have: images, samplers, pipes and memory shared with the host.

use std::ffi::c_void;

use opencl_sys::*;

use crate::code::{Code, require};
use crate::context::Context;
use crate::handles::find;
use crate::kernel::Kernel;
use crate::memory::check_flags;
use crate::pointers::{answer, create, put};
use crate::queue::Queue;

/// Entry points that check their first argument and answer with a code.
macro_rules! absent {
    ($($name:ident($object:ty $(, $argument:ty)*) => $code:ident;)*) => {$(
        pub(crate) unsafe extern "C" fn $name(handle: *mut c_void $(, _: $argument)*) -> cl_int {
            answer(|| {
                find::<$object>(handle)?;
                Err(Code($code))
            })
        }
    )*};
}

/// Entry points that would make something in a context.
macro_rules! never_made {
    ($($name:ident($($argument:ty),*) => $code:ident;)*) => {$(
        pub(crate) unsafe extern "C" fn $name(
            context: cl_context,
            $(_: $argument,)*
            code: *mut cl_int,
        ) -> *mut c_void {
            create(code, || {
                find::<Context>(context)?;
                Err(Code($code))
            })
        }
    )*};
}

/// Entry points for objects that never exist.
macro_rules! never_there {
    ($($name:ident($($argument:ty),*) => $code:ident;)*) => {$(
        pub(crate) unsafe extern "C" fn $name($(_: $argument),*) -> cl_int {
            $code
        }
    )*};
}

type Sizes = *const usize;
type Events = *const cl_event;
type EventOut = *mut cl_event;
type FreeFunction =
    Option<unsafe extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void)>;

never_made! {
    clCreateImage(cl_mem_flags, *const cl_image_format, *const cl_image_desc, *mut c_void) => CL_INVALID_OPERATION;
    clCreateImage2D(cl_mem_flags, *const cl_image_format, usize, usize, usize, *mut c_void) => CL_INVALID_OPERATION;
    clCreateImage3D(cl_mem_flags, *const cl_image_format, usize, usize, usize, usize, usize, *mut c_void) => CL_INVALID_OPERATION;
    clCreateImageWithProperties(*const cl_mem_properties, cl_mem_flags, *const cl_image_format, *const cl_image_desc, *mut c_void) => CL_INVALID_OPERATION;
    clCreateSampler(cl_bool, cl_addressing_mode, cl_filter_mode) => CL_INVALID_OPERATION;
    clCreateSamplerWithProperties(*const cl_sampler_properties) => CL_INVALID_OPERATION;
    clCreatePipe(cl_mem_flags, cl_uint, cl_uint, *const cl_pipe_properties) => CL_INVALID_OPERATION;
}

// Not offered, but the loader has them and calls what is in the table, whatever that is.
never_made! {
    clCreateFromGLBuffer(cl_mem_flags, cl_GLuint) => CL_INVALID_OPERATION;
    clCreateFromGLTexture(cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint) => CL_INVALID_OPERATION;
    clCreateFromGLTexture2D(cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint) => CL_INVALID_OPERATION;
    clCreateFromGLTexture3D(cl_mem_flags, cl_GLenum, cl_GLint, cl_GLuint) => CL_INVALID_OPERATION;
    clCreateFromGLRenderbuffer(cl_mem_flags, cl_GLuint) => CL_INVALID_OPERATION;
    clCreateEventFromGLsyncKHR(cl_GLsync) => CL_INVALID_OPERATION;
}

absent! {
    clEnqueueAcquireGLObjects(Queue, cl_uint, *const cl_mem, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clEnqueueReleaseGLObjects(Queue, cl_uint, *const cl_mem, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
}

never_there! {
    clGetGLObjectInfo(cl_mem, *mut cl_gl_object_type, *mut cl_GLuint) => CL_INVALID_GL_OBJECT;
    clGetGLTextureInfo(cl_mem, cl_gl_texture_info, usize, *mut c_void, *mut usize) => CL_INVALID_GL_OBJECT;
    clGetGLContextInfoKHR(*const cl_context_properties, cl_gl_context_info, usize, *mut c_void, *mut usize) => CL_INVALID_OPERATION;
    clRetainSampler(cl_sampler) => CL_INVALID_SAMPLER;
    clReleaseSampler(cl_sampler) => CL_INVALID_SAMPLER;
    clGetSamplerInfo(cl_sampler, cl_sampler_info, usize, *mut c_void, *mut usize) => CL_INVALID_SAMPLER;
    clGetImageInfo(cl_mem, cl_image_info, usize, *mut c_void, *mut usize) => CL_INVALID_MEM_OBJECT;
    clGetPipeInfo(cl_mem, cl_pipe_info, usize, *mut c_void, *mut usize) => CL_INVALID_MEM_OBJECT;
}

absent! {
    clEnqueueReadImage(Queue, cl_mem, cl_bool, Sizes, Sizes, usize, usize, *mut c_void, cl_uint, Events, EventOut) => CL_INVALID_MEM_OBJECT;
    clEnqueueWriteImage(Queue, cl_mem, cl_bool, Sizes, Sizes, usize, usize, *const c_void, cl_uint, Events, EventOut) => CL_INVALID_MEM_OBJECT;
    clEnqueueCopyImage(Queue, cl_mem, cl_mem, Sizes, Sizes, Sizes, cl_uint, Events, EventOut) => CL_INVALID_MEM_OBJECT;
    clEnqueueCopyImageToBuffer(Queue, cl_mem, cl_mem, Sizes, Sizes, usize, cl_uint, Events, EventOut) => CL_INVALID_MEM_OBJECT;
    clEnqueueCopyBufferToImage(Queue, cl_mem, cl_mem, usize, Sizes, Sizes, cl_uint, Events, EventOut) => CL_INVALID_MEM_OBJECT;
    clEnqueueFillImage(Queue, cl_mem, *const c_void, Sizes, Sizes, cl_uint, Events, EventOut) => CL_INVALID_MEM_OBJECT;
    clEnqueueSVMFree(Queue, cl_uint, *mut *mut c_void, FreeFunction, *mut c_void, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clEnqueueSVMMemcpy(Queue, cl_bool, *mut c_void, *const c_void, usize, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clEnqueueSVMMemFill(Queue, *mut c_void, *const c_void, usize, usize, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clEnqueueSVMMap(Queue, cl_bool, cl_map_flags, *mut c_void, usize, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clEnqueueSVMUnmap(Queue, *mut c_void, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clEnqueueSVMMigrateMem(Queue, cl_uint, *mut *const c_void, Sizes, cl_mem_migration_flags, cl_uint, Events, EventOut) => CL_INVALID_OPERATION;
    clSetKernelArgSVMPointer(Kernel, cl_uint, *const c_void) => CL_INVALID_OPERATION;
    clSetKernelExecInfo(Kernel, cl_kernel_exec_info, usize, *const c_void) => CL_INVALID_OPERATION;
}

pub(crate) unsafe extern "C" fn clEnqueueMapImage(
    queue: cl_command_queue,
    _image: cl_mem,
    _blocking: cl_bool,
    _flags: cl_map_flags,
    _origin: Sizes,
    _region: Sizes,
    _row: *mut usize,
    _slice: *mut usize,
    _count: cl_uint,
    _events: Events,
    _event: EventOut,
    code: *mut cl_int,
) -> *mut c_void {
    create(code, || {
        find::<Queue>(queue)?;
        Err(Code(CL_INVALID_MEM_OBJECT))
    })
}

/// There are no formats, which is an answer.
pub(crate) unsafe extern "C" fn clGetSupportedImageFormats(
    context: cl_context,
    flags: cl_mem_flags,
    kind: cl_mem_object_type,
    entries: cl_uint,
    formats: *mut cl_image_format,
    count: *mut cl_uint,
) -> cl_int {
    answer(|| {
        find::<Context>(context)?;
        let known = CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER;
        require(known.contains(&kind), CL_INVALID_VALUE)?;
        check_flags(flags & !CL_MEM_KERNEL_READ_AND_WRITE)?;
        require(formats.is_null() || entries > 0, CL_INVALID_VALUE)?;
        put(count, 0);
        Ok(())
    })
}

pub(crate) unsafe extern "C" fn clSVMAlloc(
    _context: cl_context,
    _flags: cl_svm_mem_flags,
    _size: usize,
    _alignment: cl_uint,
) -> *mut c_void {
    std::ptr::null_mut()
}

pub(crate) unsafe extern "C" fn clSVMFree(_context: cl_context, _pointer: *mut c_void) {}
