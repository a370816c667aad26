//! Reading, writing and copying boxes of bytes.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_COMMAND_COPY_BUFFER_RECT, CL_COMMAND_READ_BUFFER_RECT, CL_COMMAND_WRITE_BUFFER_RECT,
    CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_MEM_COPY_OVERLAP, cl_bool, cl_command_queue,
    cl_event, cl_int, cl_mem, cl_uint,
};

use super::buffers::buffer_for;
use super::transfers::{UNREADABLE, UNWRITABLE, transfer};
use super::{Waits, enqueue, enqueue_and_wait};
use crate::code::{Answer, Code, require};
use crate::handles::find;
use crate::memory::Mem;
use crate::pointers::{HostPointer, answer, copy};
use crate::queue::Queue;

/// Where a box lies in memory: rows of bytes, slices of rows.
#[derive(Clone, Copy, Debug)]
struct Layout {
    origin: [usize; 3],
    row: usize,
    slice: usize,
}

impl Layout {
    /// What the program means; pitches of zero are the smallest possible ones.
    unsafe fn new(
        origin: *const usize,
        region: [usize; 3],
        row: usize,
        slice: usize,
    ) -> Answer<Layout> {
        require(!origin.is_null(), CL_INVALID_VALUE)?;
        let origin = origin.cast::<[usize; 3]>().read_unaligned();
        let row = if row == 0 { region[0] } else { row };
        let rows = row.checked_mul(region[1]).ok_or(Code(CL_INVALID_VALUE))?;
        let slice = if slice == 0 { rows } else { slice };
        require(row >= region[0], CL_INVALID_VALUE)?;
        require(slice >= rows && slice.is_multiple_of(row), CL_INVALID_VALUE)?;
        Ok(Layout { origin, row, slice })
    }

    /// Where a row of the box begins.
    fn offset(&self, y: usize, z: usize) -> Option<usize> {
        let [x0, y0, z0] = self.origin;
        let slices = (z0.checked_add(z)?).checked_mul(self.slice)?;
        let rows = (y0.checked_add(y)?).checked_mul(self.row)?;
        slices.checked_add(rows)?.checked_add(x0)
    }

    /// The byte behind the box's last.
    fn end(&self, region: [usize; 3]) -> Option<usize> {
        self.offset(region[1] - 1, region[2] - 1)?
            .checked_add(region[0])
    }

    /// Refuses a box that leaves the buffer.
    fn check(&self, region: [usize; 3], mem: &Mem) -> Answer {
        let end = self.end(region);
        require(end.is_some_and(|end| end <= mem.size()), CL_INVALID_VALUE)
    }
}

unsafe fn region(region: *const usize) -> Answer<[usize; 3]> {
    require(!region.is_null(), CL_INVALID_VALUE)?;
    let region = region.cast::<[usize; 3]>().read_unaligned();
    require(!region.contains(&0), CL_INVALID_VALUE)?;
    Ok(region)
}

/// Copies the rows of a box.
unsafe fn copy_rows(
    region: [usize; 3],
    (from, from_layout): (*const u8, Layout),
    (to, to_layout): (*mut u8, Layout),
) {
    for z in 0..region[2] {
        for y in 0..region[1] {
            let (Some(source), Some(target)) = (from_layout.offset(y, z), to_layout.offset(y, z))
            else {
                return;
            };
            copy(
                from.wrapping_add(source),
                to.wrapping_add(target),
                region[0],
            );
        }
    }
}

pub(crate) unsafe extern "C" fn clEnqueueReadBufferRect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    size: *const usize,
    buffer_row: usize,
    buffer_slice: usize,
    host_row: usize,
    host_slice: usize,
    pointer: *mut c_void,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, buffer)?;
        let region = region(size)?;
        let layout = Layout::new(buffer_origin, region, buffer_row, buffer_slice)?;
        let host_layout = Layout::new(host_origin, region, host_row, host_slice)?;
        layout.check(region, &mem)?;
        let host = HostPointer::new(pointer)?;
        require(mem.flags & UNREADABLE == 0, CL_INVALID_OPERATION)?;
        let length = queue.device.transfer(region.iter().product());
        let command = transfer(&queue, CL_COMMAND_READ_BUFFER_RECT, length, move || {
            copy_rows(region, (mem.pointer(0), layout), (host.get(), host_layout));
        });
        enqueue_and_wait(
            &queue,
            command,
            blocking,
            Waits {
                count,
                events,
                event,
            },
        )
    })
}

pub(crate) unsafe extern "C" fn clEnqueueWriteBufferRect(
    queue: cl_command_queue,
    buffer: cl_mem,
    blocking: cl_bool,
    buffer_origin: *const usize,
    host_origin: *const usize,
    size: *const usize,
    buffer_row: usize,
    buffer_slice: usize,
    host_row: usize,
    host_slice: usize,
    pointer: *const c_void,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let mem = buffer_for(&queue, buffer)?;
        let region = region(size)?;
        let layout = Layout::new(buffer_origin, region, buffer_row, buffer_slice)?;
        let host_layout = Layout::new(host_origin, region, host_row, host_slice)?;
        layout.check(region, &mem)?;
        let host = HostPointer::new(pointer)?;
        require(mem.flags & UNWRITABLE == 0, CL_INVALID_OPERATION)?;
        let length = queue.device.transfer(region.iter().product());
        let command = transfer(&queue, CL_COMMAND_WRITE_BUFFER_RECT, length, move || {
            copy_rows(region, (host.get(), host_layout), (mem.pointer(0), layout));
            mem.buffer.mark_initialised();
        });
        enqueue_and_wait(
            &queue,
            command,
            blocking,
            Waits {
                count,
                events,
                event,
            },
        )
    })
}

pub(crate) unsafe extern "C" fn clEnqueueCopyBufferRect(
    queue: cl_command_queue,
    from: cl_mem,
    to: cl_mem,
    from_origin: *const usize,
    to_origin: *const usize,
    size: *const usize,
    from_row: usize,
    from_slice: usize,
    to_row: usize,
    to_slice: usize,
    count: cl_uint,
    events: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    answer(|| {
        let queue = find::<Queue>(queue)?;
        let (from, to) = (buffer_for(&queue, from)?, buffer_for(&queue, to)?);
        let region = region(size)?;
        let from_layout = Layout::new(from_origin, region, from_row, from_slice)?;
        let to_layout = Layout::new(to_origin, region, to_row, to_slice)?;
        from_layout.check(region, &from)?;
        to_layout.check(region, &to)?;
        let is_same = Arc::ptr_eq(&from, &to);
        let same_pitches = from_layout.row == to_layout.row && from_layout.slice == to_layout.slice;
        require(!is_same || same_pitches, CL_INVALID_VALUE)?;
        let sides = (
            (from.pointer(0) as usize, from_layout),
            (to.pointer(0) as usize, to_layout),
        );
        require(!overlap(region, sides.0, sides.1), CL_MEM_COPY_OVERLAP)?;
        let length = queue.device.copy(region.iter().product());
        let command = transfer(&queue, CL_COMMAND_COPY_BUFFER_RECT, length, move || {
            copy_rows(
                region,
                (from.pointer(0), from_layout),
                (to.pointer(0), to_layout),
            );
            to.buffer.mark_initialised();
        });
        enqueue(
            &queue,
            command,
            Waits {
                count,
                events,
                event,
            },
        )
        .map(drop)
    })
}

/// Whether a row of one box and a row of the other have bytes in common.
fn overlap(region: [usize; 3], first: (usize, Layout), second: (usize, Layout)) -> bool {
    let span = |(base, layout): (usize, Layout)| {
        let start = layout.offset(0, 0).unwrap_or(0);
        (base + start, base + layout.end(region).unwrap_or(0))
    };
    let ((start, end), (other_start, other_end)) = (span(first), span(second));
    if end <= other_start || other_end <= start {
        return false;
    }
    // Ascending: a slice has room for its rows. They may be billions, so there is no list of them.
    let rows = |(base, layout): (usize, Layout)| {
        let rows = (0..region[2]).flat_map(move |z| (0..region[1]).map(move |y| (y, z)));
        rows.filter_map(move |(y, z)| layout.offset(y, z).map(|offset| base + offset))
            .peekable()
    };
    let (mut first, mut second) = (rows(first), rows(second));
    while let (Some(&one), Some(&other)) = (first.peek(), second.peek()) {
        if one.abs_diff(other) < region[0] {
            return true;
        }
        match one < other {
            true => first.next(),
            false => second.next(),
        };
    }
    false
}
