//! Calls that make, read, write, fill, copy and map buffers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::commands::Waits;
use crate::objects::made;
use crate::support::*;
use crate::world::{BYTES, Kind, World};
use crate::{Attempt, Call};

pub const CALLS: [Call; 8] = [buffer, part, transfer, copy, fill, boxes, copied_boxes, map];

/// Offsets and sizes that leave a buffer, or wrap.
const OUTSIDE: [(usize, usize); 7] = [
    (0, BYTES + 1),
    (BYTES, 1),
    (BYTES - 3, 4),
    (usize::MAX, 1),
    (usize::MAX - 3, 8),
    (8, usize::MAX),
    (1 << 63, 1 << 63),
];

/// A range of a buffer.
fn range(attempt: &mut Attempt<'_>) -> (usize, usize) {
    let size = 4 + 4 * attempt.random.below(16);
    let offset = 4 * attempt.random.below(BYTES / 4 - 16);
    let bad = OUTSIDE.map(|range| (range, CL_INVALID_VALUE));
    attempt.choose("range", (offset, size), &bad)
}

fn buffer(world: &World, attempt: &mut Attempt<'_>) {
    let context = attempt.choose(
        "context",
        *world.session.context,
        &world.wrong(Kind::Context),
    );
    let contradictions = [
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR,
        1 << 40,
    ];
    let most: u64 = info(
        clGetDeviceInfo,
        world.session.device,
        CL_DEVICE_MAX_MEM_ALLOC_SIZE,
    );
    let sizes = [0, most as usize + 1, usize::MAX, usize::MAX - 127, 1 << 63];
    let size = attempt.choose(
        "size",
        64,
        &sizes.map(|size| (size, CL_INVALID_BUFFER_SIZE)),
    );
    let mut host = [0_u8; 64];
    let host = host.as_mut_ptr().cast();
    let flags = contradictions.map(|flags| ((flags, null_mut()), CL_INVALID_VALUE));
    let pointers = [
        ((CL_MEM_COPY_HOST_PTR, null_mut()), CL_INVALID_HOST_PTR),
        ((CL_MEM_USE_HOST_PTR, null_mut()), CL_INVALID_HOST_PTR),
        ((CL_MEM_READ_WRITE, host), CL_INVALID_HOST_PTR),
    ];
    let good = match size {
        64 => attempt.any(&[
            (CL_MEM_READ_WRITE, null_mut()),
            (CL_MEM_COPY_HOST_PTR, host),
            (CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, host),
        ]),
        _ => (CL_MEM_READ_WRITE, null_mut()),
    };
    let bad: Vec<_> = flags.into_iter().chain(pointers).collect();
    let (flags, host): (cl_mem_flags, *mut c_void) = attempt.choose("flags", good, &bad);
    if flags == CL_MEM_ALLOC_HOST_PTR | CL_MEM_USE_HOST_PTR {
        // It has no pointer either.
        attempt.allow(CL_INVALID_HOST_PTR, "host pointer");
    }
    let result = make!(clCreateBuffer(context, flags, size, host));
    made(attempt, "clCreateBuffer", result, clReleaseMemObject);
}

fn part(world: &World, attempt: &mut Attempt<'_>) {
    let mut wrong = world.wrong(Kind::Mem);
    // Parts have no parts.
    wrong.push((*world.part, CL_INVALID_MEM_OBJECT));
    let buffer = attempt.choose("buffer", *world.buffers[0], &wrong);
    let mut regions: Vec<((usize, usize), cl_int)> = OUTSIDE
        .into_iter()
        // What begins nowhere is beyond the end as well, and either may be said.
        .filter(|(origin, _)| origin % 128 == 0)
        .map(|range| (range, CL_INVALID_VALUE))
        .collect();
    regions.push(((0, 0), CL_INVALID_BUFFER_SIZE));
    regions.push(((4, 64), CL_MISALIGNED_SUB_BUFFER_OFFSET));
    let (origin, size) = attempt.choose("region", (256, 64), &regions);
    let region = cl_buffer_region { origin, size };
    let info = (&raw const region).cast();
    let info = attempt.choose("info", info, &[(null(), CL_INVALID_VALUE)]);
    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    let kind = attempt.choose(
        "kind",
        kind,
        &[(0, CL_INVALID_VALUE), (7, CL_INVALID_VALUE)],
    );
    let bad = [
        (CL_MEM_COPY_HOST_PTR, CL_INVALID_VALUE),
        (1 << 50, CL_INVALID_VALUE),
    ];
    let flags = attempt.choose("flags", 0, &bad);
    let result = make!(clCreateSubBuffer(buffer, flags, kind, info));
    made(attempt, "clCreateSubBuffer", result, clReleaseMemObject);
}

fn transfer(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let buffer = attempt.choose("buffer", *world.buffers[0], &world.wrong(Kind::Mem));
    let (offset, size) = range(attempt);
    let mut host = [0_u8; 128];
    let host = host.as_mut_ptr().cast();
    let host = attempt.choose("pointer", host, &[(null_mut(), CL_INVALID_VALUE)]);
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let code = match attempt.random.below(2) {
        0 => call!(clEnqueueReadBuffer(
            queue,
            buffer,
            CL_TRUE,
            offset,
            size,
            host,
            count,
            list,
            null_mut()
        )),
        _ => call!(clEnqueueWriteBuffer(
            queue,
            buffer,
            CL_TRUE,
            offset,
            size,
            host,
            count,
            list,
            null_mut()
        )),
    };
    attempt.check("a transfer", code);
}

fn copy(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let from = attempt.choose("source", *world.buffers[0], &world.wrong(Kind::Mem));
    let same = [(*world.buffers[0], CL_MEM_COPY_OVERLAP)];
    let to = attempt.choose("target", *world.buffers[1], &world.wrong(Kind::Mem));
    let (offset, size) = range(attempt);
    let to = attempt.choose("overlap", to, &same);
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let code = call!(clEnqueueCopyBuffer(
        queue,
        from,
        to,
        offset,
        offset,
        size,
        count,
        list,
        null_mut()
    ));
    attempt.check("clEnqueueCopyBuffer", code);
}

fn fill(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let buffer = attempt.choose("buffer", *world.buffers[0], &world.wrong(Kind::Mem));
    let (offset, size) = range(attempt);
    let pattern = [7_u8; 128];
    let pointer = pattern.as_ptr().cast::<c_void>();
    let pointer = attempt.choose("pattern", pointer, &[(null(), CL_INVALID_VALUE)]);
    let sizes = [0, 3, 129, 1 << 20, usize::MAX].map(|size| (size, CL_INVALID_VALUE));
    let pattern_size = attempt.choose("size of the pattern", 4, &sizes);
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let code = call!(clEnqueueFillBuffer(
        queue,
        buffer,
        pointer,
        pattern_size,
        offset,
        size,
        count,
        list,
        null_mut()
    ));
    attempt.check("clEnqueueFillBuffer", code);
}

/// Boxes that leave a buffer, have no bytes, or wrap: origin, region, and the pitches.
const BOXES: [([usize; 3], [usize; 3], [usize; 2]); 9] = [
    ([0, 0, 0], [4, 4, 0], [0, 0]),
    ([0, 0, 0], [0, 4, 1], [0, 0]),
    ([BYTES, 0, 0], [1, 1, 1], [0, 0]),
    ([0, 0, 0], [64, 64, 2], [0, 0]),
    ([usize::MAX, 0, 0], [1, 1, 1], [0, 0]),
    ([0, usize::MAX, 1], [16, 2, 1], [64, 0]),
    ([0, 0, 0], [1 << 32, 1 << 32, 1], [0, 0]),
    ([0, 0, 0], [16, 2, 1], [8, 0]),
    ([0, 0, 0], [16, 4, 1], [16, 65]),
];

fn boxes(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let buffer = attempt.choose("buffer", *world.buffers[0], &world.wrong(Kind::Mem));
    let good = ([4, 1, 0], [16, 4, 2], [64, 512]);
    let bad = BOXES.map(|bad| (bad, CL_INVALID_VALUE));
    let (origin, region, [row, slice]) = attempt.choose("box", good, &bad);
    let mut host = [0_u8; 16 * 4 * 2];
    let host = host.as_mut_ptr().cast();
    let host = attempt.choose("pointer", host, &[(null_mut(), CL_INVALID_VALUE)]);
    let there = [0_usize; 3];
    let pointer = attempt.choose("origin", origin.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let sizes = attempt.choose("region", region.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let code = call!(clEnqueueReadBufferRect(
        queue,
        buffer,
        CL_TRUE,
        pointer,
        there.as_ptr(),
        sizes,
        row,
        slice,
        0,
        0,
        host,
        count,
        list,
        null_mut()
    ));
    attempt.check("clEnqueueReadBufferRect", code);
}

fn copied_boxes(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let from = attempt.choose("source", *world.buffers[0], &world.wrong(Kind::Mem));
    let to = attempt.choose("target", *world.buffers[1], &world.wrong(Kind::Mem));
    let good = ([0, 0, 0], [16, 4, 2], [64, 512]);
    let bad = BOXES.map(|bad| (bad, CL_INVALID_VALUE));
    let (origin, region, [row, slice]) = attempt.choose("box", good, &bad);
    let to = attempt.choose("overlap", to, &[(*world.buffers[0], CL_MEM_COPY_OVERLAP)]);
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let code = call!(clEnqueueCopyBufferRect(
        queue,
        from,
        to,
        origin.as_ptr(),
        origin.as_ptr(),
        region.as_ptr(),
        row,
        slice,
        row,
        slice,
        count,
        list,
        null_mut()
    ));
    attempt.check("clEnqueueCopyBufferRect", code);
}

fn map(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let buffer = attempt.choose("buffer", *world.buffers[1], &world.wrong(Kind::Mem));
    let (offset, size) = range(attempt);
    let bad = [
        (
            CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION,
            CL_INVALID_VALUE,
        ),
        (1 << 30, CL_INVALID_VALUE),
    ];
    let flags = attempt.choose("flags", CL_MAP_READ | CL_MAP_WRITE, &bad);
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let result = make!(clEnqueueMapBuffer(
        queue,
        buffer,
        CL_TRUE,
        flags,
        offset,
        size,
        count,
        list,
        null_mut()
    ));
    let code = result.err().unwrap_or(CL_SUCCESS);
    if !attempt.check("clEnqueueMapBuffer", code) {
        return;
    }
    let pointer = result.expect("it was mapped");
    let unmap = |pointer| {
        call!(clEnqueueUnmapMemObject(
            queue,
            buffer,
            pointer,
            0,
            null(),
            null_mut()
        ))
    };
    let nowhere = (&raw const code).cast_mut().cast();
    assert_eq!(unmap(nowhere), CL_INVALID_VALUE);
    assert_eq!(unmap(null_mut()), CL_INVALID_VALUE);
    assert_eq!(unmap(pointer), CL_SUCCESS);
    assert_eq!(unmap(pointer), CL_INVALID_VALUE, "it is not mapped twice");
}
