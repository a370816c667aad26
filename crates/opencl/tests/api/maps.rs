//! Mapping buffers and taking them back.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::commands::{check_wait_list, user_event};
use crate::support::*;
use opencl_sys::*;

const SIZE: usize = 64;
const READ: cl_map_flags = CL_MAP_READ;
const WRITE: cl_map_flags = CL_MAP_WRITE;
const OVERWRITE: cl_map_flags = CL_MAP_WRITE_INVALIDATE_REGION;

/// A buffer with bytes that count up; the memory is its own, or the host's.
fn buffer(session: &Session, flags: cl_mem_flags, host: &mut [u8]) -> Owned {
    for (at, byte) in host.iter_mut().enumerate() {
        *byte = at as u8;
    }
    let from = host.as_mut_ptr().cast();
    let made = make!(clCreateBuffer(*session.context, flags, host.len(), from));
    Owned::new(made.expect("a buffer"), clReleaseMemObject)
}

fn empty(session: &Session, flags: cl_mem_flags) -> Owned {
    let made = make!(clCreateBuffer(*session.context, flags, SIZE, null_mut()));
    Owned::new(made.expect("a buffer"), clReleaseMemObject)
}

fn map(
    session: &Session,
    mem: cl_mem,
    flags: cl_map_flags,
    offset: usize,
    size: usize,
) -> Result<*mut c_void, cl_int> {
    let queue = *session.queue;
    make!(clEnqueueMapBuffer(
        queue,
        mem,
        CL_TRUE,
        flags,
        offset,
        size,
        0,
        null(),
        null_mut()
    ))
}

fn unmap(session: &Session, mem: cl_mem, pointer: *mut c_void) -> cl_int {
    call!(clEnqueueUnmapMemObject(
        *session.queue,
        mem,
        pointer,
        0,
        null(),
        null_mut()
    ))
}

/// What a map of that many bytes leads to.
fn mapped<'a>(pointer: *mut c_void, size: usize) -> &'a mut [u8] {
    // SAFETY: the pointer is from a map of as many bytes, which is not taken back while they are used.
    unsafe { std::slice::from_raw_parts_mut(pointer.cast(), size) }
}

fn bytes(session: &Session, mem: cl_mem, size: usize) -> Vec<u8> {
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

fn count(mem: cl_mem) -> u32 {
    info(clGetMemObjectInfo, mem, CL_MEM_MAP_COUNT)
}

const KINDS: [cl_mem_flags; 3] = [
    CL_MEM_COPY_HOST_PTR,
    CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
    CL_MEM_USE_HOST_PTR,
];

#[test]
fn a_map_shows_the_contents_and_takes_over_what_is_written() {
    let session = Session::new();
    for kind in KINDS {
        for flags in [READ, WRITE, READ | WRITE] {
            let mut host = [0_u8; SIZE];
            let mem = buffer(&session, kind, &mut host);
            let pointer = map(&session, *mem, flags, 8, 16).expect("a map");
            let shown = mapped(pointer, 16);
            assert_eq!(shown[..], (8..24).collect::<Vec<u8>>()[..]);
            let mut expected: Vec<u8> = (0..SIZE as u8).collect();
            if flags & WRITE != 0 {
                shown.fill(0xcc);
                expected[8..24].fill(0xcc);
            }
            check(unmap(&session, *mem, pointer));
            assert_eq!(
                bytes(&session, *mem, SIZE),
                expected,
                "{kind:#x} {flags:#x}"
            );
        }
    }
}

#[test]
fn a_map_to_overwrite_takes_over_all_of_its_region_and_nothing_else() {
    let session = Session::new();
    for kind in KINDS {
        let mut host = [0_u8; SIZE];
        let mem = buffer(&session, kind, &mut host);
        let pointer = map(&session, *mem, OVERWRITE, 4, 40).expect("a map");
        mapped(pointer, 40).fill(0x77);
        check(unmap(&session, *mem, pointer));
        let mut expected: Vec<u8> = (0..SIZE as u8).collect();
        expected[4..44].fill(0x77);
        assert_eq!(bytes(&session, *mem, SIZE), expected);
    }
}

#[test]
fn a_map_shows_what_a_kernel_has_written_and_kernels_see_what_a_map_wrote() {
    let session = Session::new();
    let program =
        session.build("kernel void twice(global uint *words) { words[get_global_id(0)] *= 2; }");
    let twice = kernel(*program, "twice");
    for kind in KINDS {
        let mut host = [0_u8; SIZE];
        let mem = buffer(&session, kind, &mut host);
        set_argument(*twice, 0, *mem);
        let pointer = map(&session, *mem, OVERWRITE, 0, SIZE).expect("a map");
        for (at, byte) in mapped(pointer, SIZE).iter_mut().enumerate() {
            *byte = if at % 4 == 0 { at as u8 } else { 0 };
        }
        check(unmap(&session, *mem, pointer));
        drop(session.launch(*twice, SIZE / 4));
        let pointer = map(&session, *mem, READ, 0, SIZE).expect("a map");
        let words = values::<u32>(mapped(pointer, SIZE));
        let expected: Vec<u32> = (0..SIZE as u32 / 4).map(|at| 8 * at).collect();
        assert_eq!(words, expected, "{kind:#x}");
        check(unmap(&session, *mem, pointer));
    }
}

#[test]
fn maps_of_the_programs_memory_lead_there_and_it_has_the_latest_contents() {
    let session = Session::new();
    let mut host = [0_u8; SIZE];
    let start: *mut c_void = host.as_mut_ptr().cast();
    let mem = buffer(&session, CL_MEM_USE_HOST_PTR, &mut host);
    let new = [0xab_u8; 8];
    assert_code!(
        CL_SUCCESS,
        clEnqueueWriteBuffer(
            *session.queue,
            *mem,
            CL_TRUE,
            16,
            8,
            new.as_ptr().cast(),
            0,
            null(),
            null_mut()
        )
    );
    let pointer = map(&session, *mem, READ, 16, 8).expect("a map");
    assert_eq!(pointer, start.wrapping_byte_add(16));
    assert_eq!(mapped(pointer, 8)[..], new);
    check(unmap(&session, *mem, pointer));
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
}

#[test]
fn a_sub_buffer_is_mapped_where_it_lies() {
    let session = Session::new();
    let align: u32 = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MEM_BASE_ADDR_ALIGN,
    );
    let align = align as usize / 8;
    for kind in KINDS {
        let mut host = vec![0_u8; 2 * align];
        let start: *mut c_void = host.as_mut_ptr().cast();
        let parent = buffer(&session, kind, &mut host);
        let region = cl_buffer_region {
            origin: align,
            size: align,
        };
        let (create, region) = (CL_BUFFER_CREATE_TYPE_REGION, &raw const region);
        let part = make!(clCreateSubBuffer(*parent, 0, create, region.cast()));
        let part = Owned::new(part.expect("a sub-buffer"), clReleaseMemObject);
        let pointer = map(&session, *part, READ | WRITE, 3, 5).expect("a map");
        if kind == CL_MEM_USE_HOST_PTR {
            assert_eq!(pointer, start.wrapping_byte_add(align + 3));
        }
        let shown = mapped(pointer, 5);
        let at = align as u8 + 3;
        assert_eq!(shown[..], [at, at + 1, at + 2, at + 3, at + 4]);
        shown.fill(1);
        check(unmap(&session, *part, pointer));
        let mut expected: Vec<u8> = (0..2 * align).map(|at| at as u8).collect();
        expected[align + 3..align + 8].fill(1);
        assert_eq!(bytes(&session, *parent, 2 * align), expected);
        assert_eq!(map(&session, *part, READ, 1, align), Err(CL_INVALID_VALUE));
    }
}

#[test]
fn maps_are_counted_and_taken_back_one_by_one() {
    let session = Session::new();
    let mem = empty(&session, 0);
    let first = map(&session, *mem, READ, 0, 16).expect("a map");
    let same = map(&session, *mem, READ, 0, 16).expect("a map");
    let other = map(&session, *mem, READ, 16, 16).expect("a map");
    assert_eq!(count(*mem), 3);
    for (pointer, left) in [(other, 2), (same, 1), (first, 0)] {
        check(unmap(&session, *mem, pointer));
        assert_code!(CL_SUCCESS, clFinish(*session.queue));
        assert_eq!(count(*mem), left);
    }
    assert_eq!(unmap(&session, *mem, first), CL_INVALID_VALUE);
}

#[test]
fn overlapping_maps_may_read_but_not_write() {
    let session = Session::new();
    let mem = empty(&session, 0);
    let first = map(&session, *mem, WRITE, 0, 32).expect("a map");
    for flags in [WRITE, OVERWRITE, READ | WRITE] {
        assert_eq!(map(&session, *mem, flags, 31, 8), Err(CL_INVALID_OPERATION));
    }
    let beside = map(&session, *mem, OVERWRITE, 32, 32).expect("a map beside the other");
    assert_eq!(count(*mem), 2);
    check(unmap(&session, *mem, first));
    let again = map(&session, *mem, WRITE, 0, 16).expect("a map where there is none any more");
    check(unmap(&session, *mem, again));
    check(unmap(&session, *mem, beside));
    let readers = [0, 8, 16].map(|at| map(&session, *mem, READ, at, 32).expect("a map"));
    for pointer in readers {
        check(unmap(&session, *mem, pointer));
    }
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
}

#[test]
fn the_host_may_map_for_what_the_flags_say() {
    let session = Session::new();
    let rules = [
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
    for (flags, reading, writing) in rules {
        let mem = empty(&session, flags);
        let both = if reading == CL_SUCCESS {
            writing
        } else {
            reading
        };
        let cases = [
            (READ, reading),
            (WRITE, writing),
            (OVERWRITE, writing),
            (READ | WRITE, both),
        ];
        for (access, expected) in cases {
            let made = map(&session, *mem, access, 0, 4);
            let code = made.err().unwrap_or(CL_SUCCESS);
            assert_eq!(code, expected, "{access:#x} of {flags:#x}");
            if let Ok(pointer) = made {
                check(unmap(&session, *mem, pointer));
            }
        }
        assert_code!(CL_SUCCESS, clFinish(*session.queue));
        assert_eq!(count(*mem), 0);
    }
}

#[test]
fn mapping_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let mem = empty(&session, 0);
    let refused = |flags, offset, size| map(&session, *mem, flags, offset, size).err();
    for (offset, size) in [
        (0, SIZE + 1),
        (SIZE, 1),
        (1, SIZE),
        (8, usize::MAX - 7),
        (0, 0),
    ] {
        assert_eq!(
            refused(READ, offset, size),
            Some(CL_INVALID_VALUE),
            "{offset} {size}"
        );
    }
    for flags in [READ | OVERWRITE, WRITE | OVERWRITE, 1 << 30] {
        assert_eq!(refused(flags, 0, 4), Some(CL_INVALID_VALUE), "{flags:#x}");
    }
    let other = Session::new();
    let foreign = empty(&other, 0);
    assert_eq!(map(&session, *foreign, READ, 0, 4), Err(CL_INVALID_CONTEXT));
    for wrong in [null_mut(), *session.context, *session.queue] {
        assert_eq!(map(&session, wrong, READ, 0, 4), Err(CL_INVALID_MEM_OBJECT));
    }
    for queue in [null_mut(), *session.context, *mem] {
        assert_refused!(
            CL_INVALID_COMMAND_QUEUE,
            clEnqueueMapBuffer(queue, *mem, CL_TRUE, READ, 0, 4, 0, null(), null_mut())
        );
    }
    assert_eq!(count(*mem), 0);
}

#[test]
fn taking_back_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let (mem, second) = (empty(&session, 0), empty(&session, 0));
    let pointer = map(&session, *mem, READ, 0, 16).expect("a map");
    assert_eq!(unmap(&session, *second, pointer), CL_INVALID_VALUE);
    assert_eq!(unmap(&session, *mem, null_mut()), CL_INVALID_VALUE);
    for wrong in [null_mut(), *session.context, *session.queue] {
        assert_eq!(unmap(&session, wrong, pointer), CL_INVALID_MEM_OBJECT);
    }
    let other = Session::new();
    assert_eq!(unmap(&other, *mem, pointer), CL_INVALID_CONTEXT);
    assert_code!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueUnmapMemObject(null_mut(), *mem, pointer, 0, null(), null_mut())
    );
    assert_eq!(count(*mem), 1);
    check(unmap(&session, *mem, pointer));
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
}

#[test]
fn maps_wait_for_the_events_of_their_list() {
    let session = Session::new();
    let mem = empty(&session, 0);
    let queue = *session.queue;
    check_wait_list(&session, CL_COMMAND_MAP_BUFFER, |count, list, event| {
        let mut code = 1;
        call!(clEnqueueMapBuffer(
            queue, *mem, CL_FALSE, READ, 0, 4, count, list, event, &mut code
        ));
        code
    });
    let pointers: Vec<_> = (0..2)
        .map(|_| map(&session, *mem, READ, 0, 4).expect("a map"))
        .collect();
    let left = std::cell::RefCell::new(pointers);
    check_wait_list(
        &session,
        CL_COMMAND_UNMAP_MEM_OBJECT,
        |count, list, event| {
            let pointer = *left.borrow().last().expect("a map is left");
            let code = call!(clEnqueueUnmapMemObject(
                queue, *mem, pointer, count, list, event
            ));
            if code == CL_SUCCESS {
                left.borrow_mut().pop();
            }
            code
        },
    );
    assert!(left.borrow().is_empty());
}

#[test]
fn a_map_that_blocks_tells_of_what_it_waited_for_and_is_none() {
    let session = Session::new();
    let mem = empty(&session, 0);
    let failed = user_event(&session);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*failed, -1));
    assert_refused!(
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
        clEnqueueMapBuffer(
            *session.queue,
            *mem,
            CL_TRUE,
            READ,
            0,
            4,
            1,
            &*failed,
            null_mut()
        )
    );
    assert_eq!(count(*mem), 0);
}

#[test]
fn a_map_that_does_not_block_has_its_contents_when_its_event_has_ended() {
    let session = Session::new();
    let mut host = [0_u8; SIZE];
    let mem = buffer(&session, CL_MEM_USE_HOST_PTR, &mut host);
    let gate = user_event(&session);
    let new = [9_u8; SIZE];
    assert_code!(
        CL_SUCCESS,
        clEnqueueWriteBuffer(
            *session.queue,
            *mem,
            CL_FALSE,
            0,
            SIZE,
            new.as_ptr().cast(),
            1,
            &*gate,
            null_mut()
        )
    );
    let mut event = null_mut();
    let pointer = make!(clEnqueueMapBuffer(
        *session.queue,
        *mem,
        CL_FALSE,
        READ,
        0,
        SIZE,
        0,
        null(),
        &mut event
    ));
    let (pointer, event) = (pointer.expect("a map"), Owned::event(event));
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*gate, CL_COMPLETE));
    assert_code!(CL_SUCCESS, clWaitForEvents(1, &*event));
    assert_eq!(mapped(pointer, SIZE)[..], new);
    check(unmap(&session, *mem, pointer));
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
}
