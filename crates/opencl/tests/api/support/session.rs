//! Contexts, programs and launches, as most tests want them.

use std::ffi::CString;
use std::ptr::{null, null_mut};

use opencl_sys::*;

use super::{Owned, Plain, answer, call, check, make};

/// The platform and its device.
pub fn device() -> (cl_platform_id, cl_device_id) {
    let (mut platform, mut device) = (null_mut(), null_mut());
    check(call!(clGetPlatformIDs(1, &mut platform, null_mut())));
    check(call!(clGetDeviceIDs(
        platform,
        CL_DEVICE_TYPE_ALL,
        1,
        &mut device,
        null_mut()
    )));
    (platform, device)
}

/// A context with a queue.
pub struct Session {
    pub queue: Owned,
    pub context: Owned,
    pub device: cl_device_id,
    pub platform: cl_platform_id,
}

// SAFETY: as for `Owned`; the platform and its device are always there.
unsafe impl Send for Session {}
// SAFETY: as above.
unsafe impl Sync for Session {}

impl Session {
    /// With a queue in order that keeps times.
    pub fn new() -> Session {
        Session::with_queue(CL_QUEUE_PROFILING_ENABLE)
    }

    /// With a queue of these properties.
    pub fn with_queue(properties: cl_command_queue_properties) -> Session {
        let (platform, device) = device();
        let context =
            make!(clCreateContext(null(), 1, &device, None, null_mut())).expect("a context");
        let context = Owned::new(context, clReleaseContext);
        let queue = new_queue(*context, device, properties);
        Session {
            queue,
            context,
            device,
            platform,
        }
    }

    /// One more queue.
    pub fn queue(&self, properties: cl_command_queue_properties) -> Owned {
        new_queue(*self.context, self.device, properties)
    }

    /// A buffer that begins with these words.
    pub fn buffer(&self, words: &[u32]) -> Owned {
        let (flags, host) = (CL_MEM_COPY_HOST_PTR, words.as_ptr().cast_mut().cast());
        let buffer = make!(clCreateBuffer(
            *self.context,
            flags,
            size_of_val(words),
            host
        ));
        Owned::new(buffer.expect("a buffer"), clReleaseMemObject)
    }

    /// A program from source, built.
    pub fn build(&self, source: &str) -> Owned {
        self.build_with(source, "")
    }

    /// A program from source, built with options.
    pub fn build_with(&self, source: &str, options: &str) -> Owned {
        let program = self.program(source);
        let options = CString::new(options).expect("no zeros in options");
        let code = call!(clBuildProgram(
            *program,
            0,
            null(),
            options.as_ptr(),
            None,
            null_mut()
        ));
        assert_eq!(code, CL_SUCCESS, "{}", self.log(*program));
        program
    }

    /// A program from source.
    pub fn program(&self, source: &str) -> Owned {
        let (text, length) = (source.as_ptr().cast(), source.len());
        let program = make!(clCreateProgramWithSource(*self.context, 1, &text, &length));
        Owned::new(program.expect("a program"), clReleaseProgram)
    }

    /// The log of a program's build.
    pub fn log(&self, program: cl_program) -> String {
        let name = CL_PROGRAM_BUILD_LOG;
        let bytes = answer(|size, room, written| {
            call!(clGetProgramBuildInfo(
                program,
                self.device,
                name,
                size,
                room,
                written
            ))
        });
        let bytes = bytes.expect("a log");
        String::from_utf8_lossy(&bytes)
            .trim_end_matches('\0')
            .to_owned()
    }

    /// Has a kernel run, without waiting for it.
    pub fn launch(&self, kernel: cl_kernel, items: usize) -> Owned {
        launch(*self.queue, kernel, items, &[])
    }

    /// The words of a buffer, after what was enqueued before.
    pub fn read(&self, buffer: cl_mem, words: usize) -> Vec<u32> {
        read(*self.queue, buffer, words)
    }
}

/// A queue.
pub fn new_queue(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> Owned {
    let list = [u64::from(CL_QUEUE_PROPERTIES), properties, 0];
    let queue = make!(clCreateCommandQueueWithProperties(
        context,
        device,
        list.as_ptr()
    ));
    Owned::new(queue.expect("a queue"), clReleaseCommandQueue)
}

/// A kernel of a program.
pub fn kernel(program: cl_program, name: &str) -> Owned {
    let name = CString::new(name).expect("no zeros in names");
    let kernel = make!(clCreateKernel(program, name.as_ptr()));
    Owned::new(kernel.expect("a kernel"), clReleaseKernel)
}

/// Sets an argument to a value, or to a buffer's handle.
#[track_caller]
pub fn set_argument<T: Plain>(kernel: cl_kernel, at: u32, value: T) {
    let pointer = (&raw const value).cast();
    check(call!(clSetKernelArg(kernel, at, size_of::<T>(), pointer)));
}

/// Enqueues a kernel over items in one dimension.
pub fn launch(
    queue: cl_command_queue,
    kernel: cl_kernel,
    items: usize,
    waits: &[cl_event],
) -> Owned {
    let (count, list) = wait_list(waits);
    let mut event = null_mut();
    check(call!(clEnqueueNDRangeKernel(
        queue,
        kernel,
        1,
        null(),
        &items,
        null(),
        count,
        list,
        &mut event
    )));
    Owned::event(event)
}

/// The number and the list of events to wait for, as the enqueueing functions want them.
pub fn wait_list(events: &[cl_event]) -> (cl_uint, *const cl_event) {
    let list = if events.is_empty() {
        null()
    } else {
        events.as_ptr()
    };
    (events.len() as cl_uint, list)
}

/// The words of a buffer, after what was enqueued before.
pub fn read(queue: cl_command_queue, buffer: cl_mem, words: usize) -> Vec<u32> {
    check(call!(clFinish(queue)));
    let mut host = vec![0_u32; words];
    let room = host.as_mut_ptr().cast();
    check(call!(clEnqueueReadBuffer(
        queue,
        buffer,
        CL_TRUE,
        0,
        words * 4,
        room,
        0,
        null(),
        null_mut()
    )));
    host
}

/// An event that the test ends.
pub fn user_event(session: &Session) -> Owned {
    Owned::event(make!(clCreateUserEvent(*session.context)).expect("an event"))
}
