//! Buffers and sub-buffers: flags, contents, queries, lifetimes.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use crate::callbacks::{Calls, note};
use crate::support::*;
use opencl_sys::*;

const ACCESS: [cl_mem_flags; 4] = [0, CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY];
const HOST_ACCESS: [cl_mem_flags; 4] = [
    0,
    CL_MEM_HOST_WRITE_ONLY,
    CL_MEM_HOST_READ_ONLY,
    CL_MEM_HOST_NO_ACCESS,
];
const POINTER: [cl_mem_flags; 5] = [
    0,
    CL_MEM_USE_HOST_PTR,
    CL_MEM_ALLOC_HOST_PTR,
    CL_MEM_COPY_HOST_PTR,
    CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR,
];
const WANTS_POINTER: cl_mem_flags = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;

fn buffer(session: &Session, flags: cl_mem_flags, size: usize, host: *mut c_void) -> Owned {
    let made = make!(clCreateBuffer(*session.context, flags, size, host));
    Owned::new(made.expect("a buffer"), clReleaseMemObject)
}

fn part(
    parent: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    origin: usize,
    size: usize,
) -> Result<Owned, cl_int> {
    let region = cl_buffer_region { origin, size };
    let made = make!(clCreateSubBuffer(
        parent,
        flags,
        kind,
        (&raw const region).cast()
    ));
    made.map(|part| Owned::new(part, clReleaseMemObject))
}

fn region(parent: cl_mem, flags: cl_mem_flags, origin: usize, size: usize) -> Owned {
    part(parent, flags, CL_BUFFER_CREATE_TYPE_REGION, origin, size).expect("a sub-buffer")
}

fn bytes(session: &Session, buffer: cl_mem, size: usize) -> Vec<u8> {
    let mut host = vec![0_u8; size];
    let room = host.as_mut_ptr().cast();
    let queue = *session.queue;
    assert_code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, room, 0, null(), null_mut())
    );
    host
}

/// Where sub-buffers may begin, in bytes.
fn alignment(session: &Session) -> usize {
    let bits: u32 = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MEM_BASE_ADDR_ALIGN,
    );
    bits as usize / 8
}

/// Every combination of flags that the specification allows, with what it wants as the host pointer.
fn allowed_flags() -> impl Iterator<Item = cl_mem_flags> {
    ACCESS.into_iter().flat_map(|access| {
        HOST_ACCESS.into_iter().flat_map(move |host| {
            POINTER
                .into_iter()
                .map(move |pointer| access | host | pointer)
        })
    })
}

#[test]
fn every_allowed_combination_of_flags_makes_a_buffer_that_says_so() {
    let session = Session::new();
    let mut memory = [7_u32; 16];
    for flags in allowed_flags() {
        let host: *mut c_void = match flags & WANTS_POINTER {
            0 => null_mut(),
            _ => memory.as_mut_ptr().cast(),
        };
        let buffer = buffer(&session, flags, 64, host);
        let query = |name| info::<u64>(clGetMemObjectInfo, *buffer, name);
        let pointer = |name| info::<*mut c_void>(clGetMemObjectInfo, *buffer, name);
        let number = |name| info::<u32>(clGetMemObjectInfo, *buffer, name);
        // Without a flag for kernels, the default may be there or not.
        let is_default = flags & (CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY) == 0;
        let default = if is_default { CL_MEM_READ_WRITE } else { 0 };
        assert_eq!(query(CL_MEM_FLAGS) | default, flags | default);
        assert_eq!(number(CL_MEM_TYPE), CL_MEM_OBJECT_BUFFER);
        assert_eq!(query(CL_MEM_SIZE), 64);
        let used = if flags & CL_MEM_USE_HOST_PTR == 0 {
            null_mut()
        } else {
            host
        };
        assert_eq!(pointer(CL_MEM_HOST_PTR), used, "flags {flags:#x}");
        assert_eq!(number(CL_MEM_MAP_COUNT), 0);
        assert_eq!(number(CL_MEM_REFERENCE_COUNT), 1);
        assert_eq!(pointer(CL_MEM_CONTEXT), *session.context);
        assert_eq!(pointer(CL_MEM_ASSOCIATED_MEMOBJECT), null_mut());
        assert_eq!(query(CL_MEM_OFFSET), 0);
        assert_eq!(number(CL_MEM_USES_SVM_POINTER), CL_FALSE);
        let properties = infos::<cl_mem_properties>(clGetMemObjectInfo, *buffer, CL_MEM_PROPERTIES);
        assert_eq!(properties, []);
    }
}

#[test]
fn flags_that_exclude_each_other_are_refused() {
    let session = Session::new();
    let mut memory = [0_u32; 16];
    let host: *mut c_void = memory.as_mut_ptr().cast();
    let wrong = [
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY,
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
        1 << 40,
    ];
    for flags in wrong {
        let host = if flags & WANTS_POINTER == 0 {
            null_mut()
        } else {
            host
        };
        assert_refused!(
            CL_INVALID_VALUE,
            clCreateBuffer(*session.context, flags, 64, host)
        );
    }
}

#[test]
fn making_a_buffer_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let context = *session.context;
    let mut memory = [0_u32; 16];
    let host: *mut c_void = memory.as_mut_ptr().cast();
    assert_refused!(
        CL_INVALID_CONTEXT,
        clCreateBuffer(null_mut(), 0, 64, null_mut())
    );
    assert_refused!(
        CL_INVALID_CONTEXT,
        clCreateBuffer(*session.queue, 0, 64, null_mut())
    );
    assert_refused!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBuffer(context, 0, 0, null_mut())
    );
    let most: u64 = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MAX_MEM_ALLOC_SIZE,
    );
    let larger = usize::try_from(most).expect("64 bits") + 1;
    assert_refused!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBuffer(context, 0, larger, null_mut())
    );
    assert_refused!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBuffer(context, 0, usize::MAX, null_mut())
    );
    assert_refused!(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 64, host));
    let alloc = CL_MEM_ALLOC_HOST_PTR;
    assert_refused!(
        CL_INVALID_HOST_PTR,
        clCreateBuffer(context, alloc, 64, host)
    );
    for flags in [
        CL_MEM_USE_HOST_PTR,
        CL_MEM_COPY_HOST_PTR,
        CL_MEM_COPY_HOST_PTR | alloc,
    ] {
        assert_refused!(
            CL_INVALID_HOST_PTR,
            clCreateBuffer(context, flags, 64, null_mut())
        );
    }
}

#[test]
fn the_code_need_not_be_asked_for() {
    let session = Session::new();
    let none = call!(clCreateBuffer(
        *session.context,
        0,
        0,
        null_mut(),
        null_mut()
    ));
    assert!(none.is_null());
    let made = call!(clCreateBuffer(
        *session.context,
        0,
        4,
        null_mut(),
        null_mut()
    ));
    drop(Owned::new(made, clReleaseMemObject));
}

#[test]
fn contents_are_those_of_the_host_memory_when_the_buffer_was_made() {
    let session = Session::new();
    for pointer in [
        CL_MEM_COPY_HOST_PTR,
        CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
    ] {
        let mut memory: Vec<u8> = (0..37).collect();
        let buffer = buffer(&session, pointer, 37, memory.as_mut_ptr().cast());
        memory.fill(0xff);
        assert_eq!(bytes(&session, *buffer, 37), (0..37).collect::<Vec<u8>>());
    }
    let mut memory: Vec<u8> = (0..37).collect();
    let buffer = buffer(
        &session,
        CL_MEM_USE_HOST_PTR,
        37,
        memory.as_mut_ptr().cast(),
    );
    assert_eq!(bytes(&session, *buffer, 37), memory);
}

#[test]
fn properties_are_an_empty_list_or_none() {
    let session = Session::new();
    let context = *session.context;
    for (list, kept) in [(None, &[][..]), (Some([0_u64]), &[0_u64][..])] {
        let list = list.as_ref().map_or(null(), |list| list.as_ptr());
        let made = make!(clCreateBufferWithProperties(
            context,
            list,
            0,
            64,
            null_mut()
        ));
        let buffer = Owned::new(made.expect("a buffer"), clReleaseMemObject);
        let found = infos::<cl_mem_properties>(clGetMemObjectInfo, *buffer, CL_MEM_PROPERTIES);
        assert_eq!(found, kept);
    }
    let unknown = [0xbeef_u64, 1, 0];
    assert_refused!(
        CL_INVALID_PROPERTY,
        clCreateBufferWithProperties(context, unknown.as_ptr(), 0, 64, null_mut())
    );
    assert_refused!(
        CL_INVALID_CONTEXT,
        clCreateBufferWithProperties(null_mut(), null(), 0, 64, null_mut())
    );
    assert_refused!(
        CL_INVALID_BUFFER_SIZE,
        clCreateBufferWithProperties(context, null(), 0, 0, null_mut())
    );
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateBufferWithProperties(context, null(), 1 << 40, 64, null_mut())
    );
}

#[test]
fn unknown_queries_and_handles_of_other_things_are_refused() {
    let session = Session::new();
    let buffer = session.buffer(&[1]);
    assert_eq!(ask(clGetMemObjectInfo, *buffer, 0xdead), CL_INVALID_VALUE);
    let program = session.program("kernel void nothing() {}");
    for other in [null_mut(), *session.context, *session.queue, *program] {
        assert_eq!(
            ask(clGetMemObjectInfo, other, CL_MEM_SIZE),
            CL_INVALID_MEM_OBJECT
        );
        assert_code!(CL_INVALID_MEM_OBJECT, clRetainMemObject(other));
        assert_code!(CL_INVALID_MEM_OBJECT, clReleaseMemObject(other));
        assert_code!(
            CL_INVALID_MEM_OBJECT,
            clSetMemObjectDestructorCallback(other, Some(note), null_mut())
        );
        assert_eq!(
            part(other, 0, CL_BUFFER_CREATE_TYPE_REGION, 0, 4).err(),
            Some(CL_INVALID_MEM_OBJECT)
        );
    }
}

#[test]
fn references_are_counted() {
    let session = Session::new();
    let buffer = session.buffer(&[1]);
    let count = || info::<u32>(clGetMemObjectInfo, *buffer, CL_MEM_REFERENCE_COUNT);
    assert_eq!(count(), 1);
    assert_code!(CL_SUCCESS, clRetainMemObject(*buffer));
    assert_code!(CL_SUCCESS, clRetainMemObject(*buffer));
    assert_eq!(count(), 3);
    assert_code!(CL_SUCCESS, clReleaseMemObject(*buffer));
    assert_code!(CL_SUCCESS, clReleaseMemObject(*buffer));
    assert_eq!(count(), 1);
}

#[test]
fn destructor_callbacks_come_last_registered_first_when_the_last_reference_goes() {
    let session = Session::new();
    let calls = Calls::new();
    let buffer = session.buffer(&[1]);
    for number in 0..3 {
        let data = calls.data(number);
        assert_code!(
            CL_SUCCESS,
            clSetMemObjectDestructorCallback(*buffer, Some(note), data)
        );
    }
    assert_code!(
        CL_INVALID_VALUE,
        clSetMemObjectDestructorCallback(*buffer, None, null_mut())
    );
    assert_code!(CL_SUCCESS, clRetainMemObject(*buffer));
    assert_code!(CL_SUCCESS, clReleaseMemObject(*buffer));
    assert_eq!(calls.seen(), None);
    drop(buffer);
    assert_eq!([calls.next(), calls.next(), calls.next()], [2, 1, 0]);
    assert_eq!(calls.seen(), None);
}

#[test]
fn a_buffer_that_a_command_still_needs_outlives_its_last_reference() {
    let session = Session::new();
    let calls = Calls::new();
    let gate = make!(clCreateUserEvent(*session.context)).expect("an event");
    let gate = Owned::event(gate);
    let buffer = session.buffer(&[11, 12, 13]);
    let data = calls.data(5);
    assert_code!(
        CL_SUCCESS,
        clSetMemObjectDestructorCallback(*buffer, Some(note), data)
    );
    let mut host = [0_u32; 3];
    let room = host.as_mut_ptr().cast();
    assert_code!(
        CL_SUCCESS,
        clEnqueueReadBuffer(
            *session.queue,
            *buffer,
            CL_FALSE,
            0,
            12,
            room,
            1,
            &*gate,
            null_mut()
        )
    );
    drop(buffer);
    assert_eq!(calls.seen(), None);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*gate, CL_COMPLETE));
    assert_code!(CL_SUCCESS, clFinish(*session.queue));
    assert_eq!(calls.next(), 5);
    assert_eq!(host, [11, 12, 13]);
}

#[test]
fn a_sub_buffer_says_what_it_is_a_part_of() {
    let session = Session::new();
    let align = alignment(&session);
    let mut memory = vec![0_u8; 4 * align];
    let host: *mut c_void = memory.as_mut_ptr().cast();
    let parent = buffer(&session, CL_MEM_USE_HOST_PTR, 4 * align, host);
    let part = region(*parent, 0, 2 * align, align + 3);
    let pointer = |name| info::<*mut c_void>(clGetMemObjectInfo, *part, name);
    let number = |name| info::<u32>(clGetMemObjectInfo, *part, name);
    let size = |name| info::<usize>(clGetMemObjectInfo, *part, name);
    assert_eq!(number(CL_MEM_TYPE), CL_MEM_OBJECT_BUFFER);
    assert_eq!(size(CL_MEM_SIZE), align + 3);
    assert_eq!(size(CL_MEM_OFFSET), 2 * align);
    assert_eq!(pointer(CL_MEM_ASSOCIATED_MEMOBJECT), *parent);
    assert_eq!(pointer(CL_MEM_CONTEXT), *session.context);
    assert_eq!(pointer(CL_MEM_HOST_PTR), host.wrapping_byte_add(2 * align));
    assert_eq!(number(CL_MEM_REFERENCE_COUNT), 1);
    assert_eq!(number(CL_MEM_MAP_COUNT), 0);
}

#[test]
fn a_sub_buffer_inherits_the_flags_that_it_does_not_name() {
    let session = Session::new();
    let mut memory = [0_u32; 16];
    for flags in allowed_flags() {
        let host: *mut c_void = match flags & WANTS_POINTER {
            0 => null_mut(),
            _ => memory.as_mut_ptr().cast(),
        };
        let parent = buffer(&session, flags, 64, host);
        let part = region(*parent, 0, 0, 16);
        let of = |mem: &Owned| info::<u64>(clGetMemObjectInfo, **mem, CL_MEM_FLAGS);
        assert_eq!(of(&part), of(&parent));
    }
    let parent = buffer(&session, CL_MEM_READ_WRITE, 64, null_mut());
    for access in [CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY] {
        for host in HOST_ACCESS {
            let part = region(*parent, access | host, 0, 16);
            let flags: u64 = info(clGetMemObjectInfo, *part, CL_MEM_FLAGS);
            assert_eq!(flags, access | host);
        }
    }
}

#[test]
fn a_sub_buffer_cannot_allow_what_its_parent_forbids() {
    let session = Session::new();
    let forbidden = [
        (CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE),
        (CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY),
        (CL_MEM_READ_ONLY, CL_MEM_READ_WRITE),
        (CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY),
        (CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY),
        (CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY),
        (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY),
        (CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY),
        (0, CL_MEM_USE_HOST_PTR),
        (0, CL_MEM_ALLOC_HOST_PTR),
        (0, CL_MEM_COPY_HOST_PTR),
        (0, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY),
        (0, 1 << 40),
    ];
    for (has, wants) in forbidden {
        let parent = buffer(&session, has, 64, null_mut());
        let made = part(*parent, wants, CL_BUFFER_CREATE_TYPE_REGION, 0, 16);
        assert_eq!(made.err(), Some(CL_INVALID_VALUE), "{wants:#x} of {has:#x}");
    }
    let parent = buffer(&session, CL_MEM_HOST_WRITE_ONLY, 64, null_mut());
    drop(region(*parent, CL_MEM_HOST_NO_ACCESS, 0, 16));
}

#[test]
fn making_a_sub_buffer_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let align = alignment(&session);
    let parent = buffer(&session, 0, 4 * align, null_mut());
    let kind = CL_BUFFER_CREATE_TYPE_REGION;
    let refused = |origin, size| part(*parent, 0, kind, origin, size).err();
    assert_eq!(refused(0, 0), Some(CL_INVALID_BUFFER_SIZE));
    assert_eq!(refused(0, 4 * align + 1), Some(CL_INVALID_VALUE));
    assert_eq!(refused(4 * align, 1), Some(CL_INVALID_VALUE));
    assert_eq!(refused(3 * align, align + 1), Some(CL_INVALID_VALUE));
    assert_eq!(refused(align, usize::MAX), Some(CL_INVALID_VALUE));
    for origin in [1, 4, align - 1, align + align / 2] {
        assert_eq!(refused(origin, 4), Some(CL_MISALIGNED_SUB_BUFFER_OFFSET));
    }
    assert_eq!(part(*parent, 0, 0x1234, 0, 4).err(), Some(CL_INVALID_VALUE));
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateSubBuffer(*parent, 0, kind, null())
    );
    let child = region(*parent, 0, align, 2 * align);
    assert_eq!(
        part(*child, 0, kind, 0, 4).err(),
        Some(CL_INVALID_MEM_OBJECT)
    );
}

#[test]
fn a_sub_buffer_and_its_parent_have_the_same_contents() {
    let session = Session::new();
    let align = alignment(&session);
    let words = align / 4;
    let initial: Vec<u32> = (0..3 * words as u32).collect();
    let parent = session.buffer(&initial);
    let middle = region(*parent, 0, align, align);
    let overlapping = region(*parent, 0, align, 2 * align);
    assert_eq!(session.read(*middle, words), initial[words..2 * words]);
    let new = [1000_u32, 1001];
    assert_code!(
        CL_SUCCESS,
        clEnqueueWriteBuffer(
            *session.queue,
            *middle,
            CL_TRUE,
            4,
            8,
            new.as_ptr().cast(),
            0,
            null(),
            null_mut()
        )
    );
    let mut expected = initial;
    expected[words + 1..words + 3].copy_from_slice(&new);
    assert_eq!(session.read(*parent, 3 * words), expected);
    assert_eq!(session.read(*overlapping, 2 * words), expected[words..]);
}

#[test]
fn kernels_see_a_sub_buffer_begin_where_it_does() {
    let session = Session::new();
    let words = alignment(&session) / 4;
    let initial: Vec<u32> = (0..4 * words as u32).collect();
    let parent = session.buffer(&initial);
    let (from, to) = (
        region(*parent, CL_MEM_READ_ONLY, 4 * words, 16),
        region(*parent, CL_MEM_WRITE_ONLY, 8 * words, 16),
    );
    let program = session.build(
        "kernel void add(global const uint *from, global uint *to) {
            size_t i = get_global_id(0);
            to[i] = from[i] + 500;
        }",
    );
    let kernel = kernel(*program, "add");
    set_argument(*kernel, 0, *from);
    set_argument(*kernel, 1, *to);
    drop(session.launch(*kernel, 4));
    let mut expected = initial;
    for i in 0..4 {
        expected[2 * words + i] = expected[words + i] + 500;
    }
    assert_eq!(session.read(*parent, 4 * words), expected);
}

#[test]
fn a_buffer_outlives_its_references_while_a_sub_buffer_has_some() {
    let session = Session::new();
    let calls = Calls::new();
    let words = alignment(&session) / 4;
    let parent = session.buffer(&vec![3; 2 * words]);
    let part = region(*parent, 0, 4 * words, 4 * words);
    for (mem, number) in [(&parent, 1), (&part, 2)] {
        let data = calls.data(number);
        assert_code!(
            CL_SUCCESS,
            clSetMemObjectDestructorCallback(**mem, Some(note), data)
        );
    }
    drop(parent);
    assert_eq!(calls.seen(), None);
    assert_eq!(session.read(*part, words), vec![3; words]);
    drop(part);
    assert_eq!([calls.next(), calls.next()], [2, 1]);
}
