//! The objects that calls are made with, right and wrong ones.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::support::*;

/// Bytes of each buffer.
pub const BYTES: usize = 4096;

const SOURCE: &str = "
    kernel void add(global uint *a, uint n, local uint *l) {
        l[get_local_id(0)] = n;
        if (get_global_id(0) < 1024) a[get_global_id(0)] += l[get_local_id(0)];
    }";

/// A context with an object of each kind, and handles that are none.
pub struct World {
    pub session: Session,
    pub buffers: [Owned; 2],
    pub part: Owned,
    pub program: Owned,
    /// Without a build.
    pub source: Owned,
    pub kernel: Owned,
    /// Without arguments.
    pub bare: Owned,
    /// Of a command that has ended.
    pub event: Owned,
    /// Of the program, ended.
    pub user: Owned,
    /// Objects of each kind that are gone.
    gone: Vec<*mut c_void>,
}

/// What a handle may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Context,
    Queue,
    Mem,
    Program,
    Kernel,
    Event,
    Device,
}

impl Kind {
    /// The code for a handle that is none of these.
    fn code(self) -> cl_int {
        match self {
            Kind::Context => CL_INVALID_CONTEXT,
            Kind::Queue => CL_INVALID_COMMAND_QUEUE,
            Kind::Mem => CL_INVALID_MEM_OBJECT,
            Kind::Program => CL_INVALID_PROGRAM,
            Kind::Kernel => CL_INVALID_KERNEL,
            Kind::Event => CL_INVALID_EVENT,
            Kind::Device => CL_INVALID_DEVICE,
        }
    }
}

impl World {
    pub fn new() -> World {
        let session = Session::new();
        let buffers = [(); 2].map(|()| session.buffer(&[0; BYTES / 4]));
        let part = part(*buffers[0]);
        let program = session.build(SOURCE);
        let kernel = kernel(*program, "add");
        set_argument(*kernel, 0, *buffers[0]);
        set_argument(*kernel, 1, 1_u32);
        check(call!(clSetKernelArg(*kernel, 2, 256, null())));
        let event = launch(*session.queue, *kernel, 64, &[]);
        check(call!(clFinish(*session.queue)));
        let user = user_event(&session);
        check(call!(clSetUserEventStatus(*user, CL_COMPLETE)));
        let bare = crate::support::kernel(*program, "add");
        let gone = {
            let other = Session::new();
            let program = other.build(SOURCE);
            let buffer = other.buffer(&[0]);
            vec![
                *crate::support::kernel(*program, "add"),
                *user_event(&other),
                *buffer,
                *program,
                *other.queue,
                *other.context,
            ]
        };
        World {
            source: session.program(SOURCE),
            buffers,
            part,
            program,
            kernel,
            bare,
            event,
            user,
            gone,
            session,
        }
    }

    /// Handles that are none of the kind, with the code that each gets.
    pub fn wrong(&self, kind: Kind) -> Vec<(*mut c_void, cl_int)> {
        let all = [
            (Kind::Context, *self.session.context),
            (Kind::Queue, *self.session.queue),
            (Kind::Mem, *self.buffers[0]),
            (Kind::Program, *self.program),
            (Kind::Kernel, *self.kernel),
            (Kind::Event, *self.event),
            (Kind::Device, self.session.device),
        ];
        let others = all.into_iter().filter(|(other, _)| *other != kind);
        let others = others.map(|(_, handle)| handle);
        let wrong = others.chain([null_mut()]).chain(self.gone.iter().copied());
        wrong.map(|handle| (handle, kind.code())).collect()
    }

    /// After whatever was called: buffers, kernels and queues still do what they should.
    pub fn check_that_all_works(&self) {
        let zeros = [0_u32; 8];
        let (queue, buffer) = (*self.session.queue, *self.buffers[1]);
        check(call!(clEnqueueWriteBuffer(
            queue,
            buffer,
            CL_TRUE,
            0,
            32,
            zeros.as_ptr().cast(),
            0,
            null(),
            null_mut()
        )));
        let kernel = kernel(*self.program, "add");
        set_argument(*kernel, 0, buffer);
        set_argument(*kernel, 1, 3_u32);
        check(call!(clSetKernelArg(*kernel, 2, 256, null())));
        drop(self.session.launch(*kernel, 8));
        assert_eq!(self.session.read(buffer, 8), [3; 8]);
    }
}

fn part(buffer: cl_mem) -> Owned {
    let region = cl_buffer_region {
        origin: 1024,
        size: 1024,
    };
    let part = make!(clCreateSubBuffer(
        buffer,
        0,
        CL_BUFFER_CREATE_TYPE_REGION,
        (&raw const region).cast()
    ));
    Owned::new(part.expect("a part"), clReleaseMemObject)
}
