//! Boxes of bytes in buffers and in the host's memory.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::support::*;

/// Where a box lies in memory. Pitches of zero are what the program passes for "the smallest".
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub origin: [usize; 3],
    pub row: usize,
    pub slice: usize,
}

impl Layout {
    /// A layout.
    pub fn new(origin: [usize; 3], row: usize, slice: usize) -> Layout {
        Layout { origin, row, slice }
    }

    /// The offsets of a box's bytes, in the order in which they are transferred.
    pub fn offsets(self, [width, height, depth]: [usize; 3]) -> Vec<usize> {
        let row = if self.row == 0 { width } else { self.row };
        let slice = if self.slice == 0 {
            height * row
        } else {
            self.slice
        };
        let [x0, y0, z0] = self.origin;
        let mut offsets = Vec::new();
        for z in z0..z0 + depth {
            for y in y0..y0 + height {
                offsets.extend((x0..x0 + width).map(|x| z * slice + y * row + x));
            }
        }
        offsets
    }
}

/// A buffer with these bytes.
pub fn buffer(session: &Session, bytes: &[u8]) -> Owned {
    let (flags, host) = (CL_MEM_COPY_HOST_PTR, bytes.as_ptr().cast_mut().cast());
    let made = make!(clCreateBuffer(*session.context, flags, bytes.len(), host));
    Owned::new(made.expect("a buffer"), clReleaseMemObject)
}

/// The first bytes of a buffer.
pub fn bytes(session: &Session, mem: cl_mem, size: usize) -> Vec<u8> {
    let mut host = vec![0; size];
    let room = host.as_mut_ptr().cast();
    assert_code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(
            *session.queue,
            mem,
            CL_TRUE,
            0,
            size,
            room,
            0,
            null(),
            null_mut()
        )
    );
    host
}

/// The arguments of a transfer between a buffer and the host.
#[derive(Clone, Copy)]
pub struct Transfer {
    pub region: [usize; 3],
    pub buffer: Layout,
    pub host: Layout,
}

/// How a transfer is enqueued.
#[derive(Clone, Copy)]
pub struct How {
    pub queue: cl_command_queue,
    pub blocking: cl_bool,
    pub count: cl_uint,
    pub list: *const cl_event,
    pub event: *mut cl_event,
}

impl How {
    /// To be waited for, and waiting for nothing.
    pub fn now(queue: cl_command_queue) -> How {
        How {
            queue,
            blocking: CL_TRUE,
            count: 0,
            list: null(),
            event: null_mut(),
        }
    }
}

/// Reads a box.
pub fn read_box(how: How, mem: cl_mem, it: Transfer, room: *mut c_void) -> cl_int {
    let Transfer {
        region,
        buffer,
        host,
    } = it;
    let (origin, host_origin) = (buffer.origin.as_ptr(), host.origin.as_ptr());
    call!(clEnqueueReadBufferRect(
        how.queue,
        mem,
        how.blocking,
        origin,
        host_origin,
        region.as_ptr(),
        buffer.row,
        buffer.slice,
        host.row,
        host.slice,
        room,
        how.count,
        how.list,
        how.event
    ))
}

/// Writes a box.
pub fn write_box(how: How, mem: cl_mem, it: Transfer, from: *const c_void) -> cl_int {
    let Transfer {
        region,
        buffer,
        host,
    } = it;
    let (origin, host_origin) = (buffer.origin.as_ptr(), host.origin.as_ptr());
    call!(clEnqueueWriteBufferRect(
        how.queue,
        mem,
        how.blocking,
        origin,
        host_origin,
        region.as_ptr(),
        buffer.row,
        buffer.slice,
        host.row,
        host.slice,
        from,
        how.count,
        how.list,
        how.event
    ))
}

/// Copies a box.
pub fn copy_box(
    how: How,
    region: [usize; 3],
    from: (cl_mem, Layout),
    to: (cl_mem, Layout),
) -> cl_int {
    let (from, source) = from;
    let (to, target) = to;
    call!(clEnqueueCopyBufferRect(
        how.queue,
        from,
        to,
        source.origin.as_ptr(),
        target.origin.as_ptr(),
        region.as_ptr(),
        source.row,
        source.slice,
        target.row,
        target.slice,
        how.count,
        how.list,
        how.event
    ))
}
