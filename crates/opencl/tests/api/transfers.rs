//! Reading, writing, copying and filling buffers.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::random::Random;
use crate::support::*;
use opencl_sys::*;

const SIZE: usize = 64;

fn buffer(session: &Session, flags: cl_mem_flags) -> Owned {
    let made = make!(clCreateBuffer(*session.context, flags, SIZE, null_mut()));
    Owned::new(made.expect("a buffer"), clReleaseMemObject)
}

fn part(parent: cl_mem, origin: usize, size: usize) -> Owned {
    let region = cl_buffer_region { origin, size };
    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    let made = make!(clCreateSubBuffer(
        parent,
        0,
        kind,
        (&raw const region).cast()
    ));
    Owned::new(made.expect("a sub-buffer"), clReleaseMemObject)
}

fn write(session: &Session, mem: cl_mem, offset: usize, bytes: &[u8]) {
    let from = bytes.as_ptr().cast();
    assert_code!(
        CL_SUCCESS,
        clEnqueueWriteBuffer(
            *session.queue,
            mem,
            CL_TRUE,
            offset,
            bytes.len(),
            from,
            0,
            null(),
            null_mut()
        )
    );
}

fn bytes(session: &Session, mem: cl_mem, offset: usize, size: usize) -> Vec<u8> {
    let mut host = vec![0; size];
    let room = host.as_mut_ptr().cast();
    assert_code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(
            *session.queue,
            mem,
            CL_TRUE,
            offset,
            size,
            room,
            0,
            null(),
            null_mut()
        )
    );
    host
}

fn fill(session: &Session, mem: cl_mem, pattern: &[u8], offset: usize, size: usize) -> cl_int {
    let (from, length) = (pattern.as_ptr().cast(), pattern.len());
    call!(clEnqueueFillBuffer(
        *session.queue,
        mem,
        from,
        length,
        offset,
        size,
        0,
        null(),
        null_mut()
    ))
}

fn copy(session: &Session, from: (cl_mem, usize), to: (cl_mem, usize), size: usize) -> cl_int {
    call!(clEnqueueCopyBuffer(
        *session.queue,
        from.0,
        to.0,
        from.1,
        to.1,
        size,
        0,
        null(),
        null_mut()
    ))
}

/// A buffer, and where its bytes are in the model.
struct View {
    mem: Owned,
    store: usize,
    origin: usize,
    size: usize,
}

/// Buffers with parts of them, and the bytes that they should have.
struct Model {
    stores: Vec<Vec<u8>>,
    views: Vec<View>,
    /// What one of the buffers uses.
    _host: Vec<u8>,
}

impl Model {
    fn new(session: &Session, random: &mut Random) -> Model {
        let align: u32 = info(
            clGetDeviceInfo,
            session.device,
            CL_DEVICE_MEM_BASE_ADDR_ALIGN,
        );
        let align = align as usize / 8;
        let size = 4 * align;
        let mut stores: Vec<Vec<u8>> = (0..3).map(|_| random.bytes(size)).collect();
        let mut host = stores[2].clone();
        let own = CL_MEM_COPY_HOST_PTR;
        let contents = [
            (own, stores[0].as_mut_ptr()),
            (own, stores[1].as_mut_ptr()),
            (CL_MEM_USE_HOST_PTR, host.as_mut_ptr()),
        ];
        let mut views = Vec::new();
        for (store, (flags, bytes)) in contents.into_iter().enumerate() {
            let made = make!(clCreateBuffer(*session.context, flags, size, bytes.cast()));
            let mem = Owned::new(made.expect("a buffer"), clReleaseMemObject);
            let parts = [align, 2 * align].map(|origin| View {
                mem: part(*mem, origin, align + 7),
                store,
                origin,
                size: align + 7,
            });
            views.extend(parts);
            views.push(View {
                mem,
                store,
                origin: 0,
                size,
            });
        }
        Model {
            stores,
            views,
            _host: host,
        }
    }

    /// A part of one of the buffers: which, where it begins, its size.
    fn range(&self, random: &mut Random) -> (&View, usize, usize) {
        let view = &self.views[random.below(self.views.len())];
        let size = 1 + random.below(view.size);
        (view, random.below(view.size - size + 1), size)
    }

    fn write(&mut self, session: &Session, random: &mut Random) {
        let (to, offset, count) = self.range(random);
        let new = random.bytes(count);
        write(session, *to.mem, offset, &new);
        let (store, start) = (to.store, to.origin + offset);
        self.stores[store][start..start + count].copy_from_slice(&new);
    }

    fn read(&self, session: &Session, random: &mut Random) {
        let (from, offset, count) = self.range(random);
        let start = from.origin + offset;
        let found = bytes(session, *from.mem, offset, count);
        assert_eq!(found, self.stores[from.store][start..start + count]);
    }

    fn copy(&mut self, session: &Session, random: &mut Random) {
        let (to, offset, count) = self.range(random);
        let from = &self.views[random.below(self.views.len())];
        let count = count.min(from.size);
        let source = random.below(from.size - count + 1);
        let (old, new) = (from.origin + source, to.origin + offset);
        let overlaps = from.store == to.store && old.abs_diff(new) < count;
        let code = copy(session, (*from.mem, source), (*to.mem, offset), count);
        let expected = if overlaps {
            CL_MEM_COPY_OVERLAP
        } else {
            CL_SUCCESS
        };
        assert_eq!(code, expected, "{count} bytes from {old} to {new}");
        if !overlaps {
            let (store, moved) = (to.store, self.stores[from.store][old..old + count].to_vec());
            self.stores[store][new..new + count].copy_from_slice(&moved);
        }
    }

    fn fill(&mut self, session: &Session, random: &mut Random) {
        let pattern = random.bytes(1);
        let length = 1 << random.below(8);
        let pattern: Vec<u8> = (0..length).map(|at| pattern[0] ^ at as u8).collect();
        let (to, offset, count) = self.range(random);
        let offset = offset / length * length;
        let count = count.min(to.size - offset) / length * length;
        if count > 0 {
            check(fill(session, *to.mem, &pattern, offset, count));
            let (store, start) = (to.store, to.origin + offset);
            let bytes = self.stores[store][start..start + count].iter_mut();
            bytes
                .zip(pattern.iter().cycle())
                .for_each(|(byte, new)| *byte = *new);
        }
    }
}

#[test]
fn random_transfers_leave_what_a_model_of_them_leaves() {
    let session = Session::new();
    let mut random = Random::new(1);
    let mut model = Model::new(&session, &mut random);
    for _ in 0..400 {
        match random.below(4) {
            0 => model.write(&session, &mut random),
            1 => model.read(&session, &mut random),
            2 => model.copy(&session, &mut random),
            _ => model.fill(&session, &mut random),
        }
    }
    for View {
        mem,
        store,
        origin,
        size,
    } in &model.views
    {
        let expected = &model.stores[*store][*origin..origin + size];
        assert_eq!(bytes(&session, **mem, 0, *size), expected);
    }
}

#[test]
fn transfers_that_do_not_block_run_in_the_order_of_the_queue() {
    let session = Session::new();
    let mem = buffer(&session, 0);
    let sources: Vec<Vec<u8>> = (0..8_u8)
        .map(|it| vec![it; SIZE - usize::from(it)])
        .collect();
    for source in &sources {
        let (from, size) = (source.as_ptr().cast(), source.len());
        assert_code!(
            CL_SUCCESS,
            clEnqueueWriteBuffer(
                *session.queue,
                *mem,
                CL_FALSE,
                SIZE - size,
                size,
                from,
                0,
                null(),
                null_mut()
            )
        );
    }
    let mut host = [0_u8; SIZE];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let mut event = null_mut();
    assert_code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(
            *session.queue,
            *mem,
            CL_FALSE,
            0,
            SIZE,
            room,
            0,
            null(),
            &mut event
        )
    );
    let event = Owned::event(event);
    assert_code!(CL_SUCCESS, clWaitForEvents(1, &*event));
    let expected: Vec<u8> = (0..SIZE).map(|at| at.min(7) as u8).collect();
    assert_eq!(host[..], expected);
}

#[test]
fn transfers_of_no_bytes_succeed_and_change_nothing() {
    let session = Session::new();
    let (mem, other) = (buffer(&session, 0), buffer(&session, 0));
    let initial: Vec<u8> = (0..SIZE as u8).collect();
    write(&session, *mem, 0, &initial);
    let mut host = [0_u8; 4];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let queue = *session.queue;
    for offset in [0, 8, SIZE] {
        assert_code!(
            CL_SUCCESS,
            clEnqueueReadBuffer(queue, *mem, CL_TRUE, offset, 0, room, 0, null(), null_mut())
        );
        assert_code!(
            CL_SUCCESS,
            clEnqueueWriteBuffer(queue, *mem, CL_TRUE, offset, 0, room, 0, null(), null_mut())
        );
        assert_eq!(
            copy(&session, (*other, offset), (*mem, offset), 0),
            CL_SUCCESS
        );
        assert_eq!(fill(&session, *mem, &[9; 4], offset, 0), CL_SUCCESS);
    }
    assert_eq!(bytes(&session, *mem, 0, SIZE), initial);
}

#[test]
fn every_size_of_pattern_fills() {
    let session = Session::new();
    let size = 512;
    let made = make!(clCreateBuffer(*session.context, 0, size, null_mut()));
    let mem = Owned::new(made.expect("a buffer"), clReleaseMemObject);
    for length in [1, 2, 4, 8, 16, 32, 64, 128] {
        write(&session, *mem, 0, &vec![0xee; size]);
        let mut pattern: Vec<u8> = (1..=length as u8).collect();
        let (from, count) = (pattern.as_ptr().cast(), size - 256);
        assert_code!(
            CL_SUCCESS,
            clEnqueueFillBuffer(
                *session.queue,
                *mem,
                from,
                length,
                128,
                count,
                0,
                null(),
                null_mut()
            )
        );
        // The pattern is no longer needed.
        let kept = pattern.clone();
        pattern.fill(0);
        let found = bytes(&session, *mem, 0, size);
        for (at, byte) in found.into_iter().enumerate() {
            let is_inside = (128..128 + count).contains(&at);
            let expected = if is_inside { kept[at % length] } else { 0xee };
            assert_eq!(byte, expected, "pattern of {length}, byte {at}");
        }
    }
    for length in [0, 3, 5, 12, 24, 127, 256] {
        let code = fill(&session, *mem, &vec![1; length], 0, 0);
        assert_eq!(code, CL_INVALID_VALUE, "a pattern of {length}");
    }
    assert_eq!(fill(&session, *mem, &[1; 4], 2, 4), CL_INVALID_VALUE);
    assert_eq!(fill(&session, *mem, &[1; 4], 4, 6), CL_INVALID_VALUE);
    assert_code!(
        CL_INVALID_VALUE,
        clEnqueueFillBuffer(*session.queue, *mem, null(), 4, 0, 4, 0, null(), null_mut())
    );
}

/// Ranges that leave a buffer of `SIZE` bytes.
const OUTSIDE: [(usize, usize); 6] = [
    (0, SIZE + 4),
    (4, SIZE),
    (SIZE, 4),
    (SIZE + 4, 0),
    (4, usize::MAX - 3),
    (usize::MAX - 3, 4),
];

#[test]
fn ranges_outside_of_the_buffer_are_refused() {
    let session = Session::new();
    let (mem, other) = (buffer(&session, 0), buffer(&session, 0));
    let mut host = [0_u8; 2 * SIZE];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let queue = *session.queue;
    for (offset, size) in OUTSIDE {
        assert_code!(
            CL_INVALID_VALUE,
            clEnqueueReadBuffer(
                queue,
                *mem,
                CL_TRUE,
                offset,
                size,
                room,
                0,
                null(),
                null_mut()
            )
        );
        assert_code!(
            CL_INVALID_VALUE,
            clEnqueueWriteBuffer(
                queue,
                *mem,
                CL_TRUE,
                offset,
                size,
                room,
                0,
                null(),
                null_mut()
            )
        );
        assert_eq!(
            copy(&session, (*mem, offset), (*other, 0), size),
            CL_INVALID_VALUE
        );
        assert_eq!(
            copy(&session, (*mem, 0), (*other, offset), size),
            CL_INVALID_VALUE
        );
        assert_eq!(
            fill(&session, *mem, &[1; 4], offset, size),
            CL_INVALID_VALUE
        );
    }
}

#[test]
fn null_pointers_of_the_host_are_refused() {
    let session = Session::new();
    let mem = buffer(&session, 0);
    let queue = *session.queue;
    assert_code!(
        CL_INVALID_VALUE,
        clEnqueueReadBuffer(
            queue,
            *mem,
            CL_TRUE,
            0,
            4,
            null_mut(),
            0,
            null(),
            null_mut()
        )
    );
    assert_code!(
        CL_INVALID_VALUE,
        clEnqueueWriteBuffer(queue, *mem, CL_TRUE, 0, 4, null(), 0, null(), null_mut())
    );
}

#[test]
fn handles_of_other_things_and_contexts_are_refused() {
    let session = Session::new();
    let mem = buffer(&session, 0);
    let other = Session::new();
    let foreign = buffer(&other, 0);
    let mut host = [0_u8; SIZE];
    let room: *mut c_void = host.as_mut_ptr().cast();
    let refuse = |code, queue, mem, from| {
        assert_code!(
            code,
            clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, room, 0, null(), null_mut())
        );
        assert_code!(
            code,
            clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, 4, room, 0, null(), null_mut())
        );
        assert_code!(
            code,
            clEnqueueFillBuffer(queue, mem, room, 4, 0, 4, 0, null(), null_mut())
        );
        assert_code!(
            code,
            clEnqueueCopyBuffer(queue, from, mem, 8, 0, 4, 0, null(), null_mut())
        );
        assert_code!(
            code,
            clEnqueueCopyBuffer(queue, mem, from, 8, 0, 4, 0, null(), null_mut())
        );
        assert_code!(
            code,
            clEnqueueMigrateMemObjects(queue, 1, &mem, 0, 0, null(), null_mut())
        );
    };
    for queue in [null_mut(), *session.context, *mem] {
        refuse(CL_INVALID_COMMAND_QUEUE, queue, *mem, *mem);
    }
    for wrong in [null_mut(), *session.context, *session.queue] {
        refuse(CL_INVALID_MEM_OBJECT, *session.queue, wrong, *mem);
    }
    refuse(CL_INVALID_CONTEXT, *session.queue, *foreign, *mem);
}

#[test]
fn the_host_may_do_what_the_flags_say() {
    let session = Session::new();
    let rules = [
        (0, CL_SUCCESS, CL_SUCCESS),
        (CL_MEM_HOST_READ_ONLY, CL_SUCCESS, CL_INVALID_OPERATION),
        (CL_MEM_HOST_WRITE_ONLY, CL_INVALID_OPERATION, CL_SUCCESS),
        (
            CL_MEM_HOST_NO_ACCESS,
            CL_INVALID_OPERATION,
            CL_INVALID_OPERATION,
        ),
        (CL_MEM_READ_ONLY, CL_SUCCESS, CL_SUCCESS),
        (CL_MEM_WRITE_ONLY, CL_SUCCESS, CL_SUCCESS),
    ];
    let mut host = [0_u8; SIZE];
    let room: *mut c_void = host.as_mut_ptr().cast();
    for (flags, reading, writing) in rules {
        let (mem, other) = (buffer(&session, flags), buffer(&session, 0));
        // What the device does is not the host's.
        assert_eq!(fill(&session, *mem, &[5], 0, SIZE), CL_SUCCESS);
        assert_eq!(copy(&session, (*mem, 0), (*other, 0), SIZE), CL_SUCCESS);
        assert_eq!(bytes(&session, *other, 0, SIZE), [5; SIZE]);
        assert_eq!(copy(&session, (*other, 0), (*mem, 0), SIZE), CL_SUCCESS);
        let part = part(*mem, 0, 16);
        for mem in [*mem, *part] {
            assert_code!(
                reading,
                clEnqueueReadBuffer(
                    *session.queue,
                    mem,
                    CL_TRUE,
                    0,
                    4,
                    room,
                    0,
                    null(),
                    null_mut()
                )
            );
            assert_code!(
                writing,
                clEnqueueWriteBuffer(
                    *session.queue,
                    mem,
                    CL_TRUE,
                    0,
                    4,
                    room,
                    0,
                    null(),
                    null_mut()
                )
            );
        }
    }
}
