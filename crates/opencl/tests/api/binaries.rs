//! Program binaries.

use std::ptr::{null, null_mut};

use crate::builds::*;
use crate::support::*;
use opencl_sys::*;

const STORE: &str = "kernel void store(global int *out) { out[0] = 23; }";
/// A kernel that needs a function of another part.
const CALLER: &str = "int f(int x);
    kernel void store(global int *out) { out[0] = f(20); }";
const CALLEE: &str = "int f(int x) { return x + 5; }";

/// The binary of a program for its only device.
pub fn binary(program: cl_program) -> Vec<u8> {
    let sizes = infos::<usize>(clGetProgramInfo, program, CL_PROGRAM_BINARY_SIZES);
    assert_eq!(sizes.len(), 1);
    let mut bytes = vec![0_u8; sizes[0]];
    let mut places = [bytes.as_mut_ptr()];
    let (size, room) = (size_of_val(&places), places.as_mut_ptr());
    let mut written = 0;
    assert_code!(
        CL_SUCCESS,
        clGetProgramInfo(
            program,
            CL_PROGRAM_BINARIES,
            size,
            room.cast(),
            &mut written
        )
    );
    assert_eq!(written, size);
    bytes
}

/// A program from a binary: the program or the code, and the status of the binary.
pub fn from_binary(session: &Session, bytes: &[u8]) -> (Result<Owned, cl_int>, cl_int) {
    let (pointer, size, mut status) = (bytes.as_ptr(), bytes.len(), 1);
    let made = make!(clCreateProgramWithBinary(
        *session.context,
        1,
        &session.device,
        &size,
        &pointer,
        &mut status
    ));
    (
        made.map(|program| Owned::new(program, clReleaseProgram)),
        status,
    )
}

fn build(program: cl_program) -> cl_int {
    call!(clBuildProgram(program, 0, null(), null(), None, null_mut()))
}

#[test]
fn a_binary_becomes_the_same_program_again() {
    let session = Session::new();
    let program = session.build(STORE);
    let bytes = binary(*program);
    assert_eq!(binary(*program), bytes, "twice the same");
    let other = Session::new();
    let (loaded, state) = from_binary(&other, &bytes);
    let loaded = loaded.expect("a program");
    assert_eq!(state, CL_SUCCESS);
    assert_eq!(kind(&other, *loaded), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    assert_eq!(text(clGetProgramInfo, *loaded, CL_PROGRAM_SOURCE), "");
    assert_eq!(build(*loaded), CL_SUCCESS);
    assert_eq!(status(&other, *loaded), CL_BUILD_SUCCESS);
    assert_eq!(
        text(clGetProgramInfo, *loaded, CL_PROGRAM_KERNEL_NAMES),
        "store"
    );
    assert_eq!(stored(&other, *loaded), 23);
    assert_eq!(binary(*loaded), bytes, "through a program and back");
}

#[test]
fn a_binary_cannot_be_compiled() {
    let session = Session::new();
    let (loaded, _) = from_binary(&session, &binary(*session.build(STORE)));
    let loaded = loaded.expect("a program");
    assert_eq!(compile(*loaded, "", &[]), CL_INVALID_OPERATION);
}

#[test]
fn damaged_binaries_are_refused() {
    let session = Session::new();
    let bytes = binary(*session.build(STORE));
    let refused = |bytes: &[u8], how: &str| {
        let (made, status) = from_binary(&session, bytes);
        assert_eq!(made.err(), Some(CL_INVALID_BINARY), "{how}");
        assert_eq!(status, CL_INVALID_BINARY, "{how}");
    };
    for at in (0..bytes.len()).step_by(bytes.len() / 64 + 1) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        refused(&damaged, &format!("byte {at} of {}", bytes.len()));
    }
    for size in [1, 4, bytes.len() / 2, bytes.len() - 1] {
        refused(&bytes[..size], &format!("{size} bytes of {}", bytes.len()));
    }
    refused(b"\x7fELF and so on", "another format");
    refused(&[bytes.clone(), vec![0; 9]].concat(), "something behind it");
}

#[test]
fn making_a_program_from_a_binary_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let (context, device) = (*session.context, session.device);
    let bytes = binary(*session.build(STORE));
    let (pointer, size) = (bytes.as_ptr(), bytes.len());
    let nothing = null::<u8>();
    let refused = |code, context, count, devices: *const cl_device_id, sizes, pointers| {
        assert_refused!(
            code,
            clCreateProgramWithBinary(context, count, devices, sizes, pointers, null_mut())
        );
    };
    let (sizes, pointers) = (&raw const size, &raw const pointer);
    refused(CL_INVALID_CONTEXT, null_mut(), 1, &device, sizes, pointers);
    refused(
        CL_INVALID_CONTEXT,
        *session.queue,
        1,
        &device,
        sizes,
        pointers,
    );
    refused(CL_INVALID_VALUE, context, 0, &device, sizes, pointers);
    refused(CL_INVALID_VALUE, context, 1, null(), sizes, pointers);
    refused(CL_INVALID_VALUE, context, 1, &device, null(), pointers);
    refused(CL_INVALID_VALUE, context, 1, &device, sizes, null());
    refused(
        CL_INVALID_DEVICE,
        context,
        1,
        &*session.queue,
        sizes,
        pointers,
    );
    refused(
        CL_INVALID_DEVICE,
        context,
        1,
        [null_mut()].as_ptr(),
        sizes,
        pointers,
    );
    // It would be open which of its two binaries a device gets.
    refused(
        CL_INVALID_DEVICE,
        context,
        2,
        [device, device].as_ptr(),
        [size, size].as_ptr(),
        [pointer, pointer].as_ptr(),
    );
    for (size, pointer) in [(0, pointer), (size, nothing)] {
        let mut status = 1;
        assert_refused!(
            CL_INVALID_VALUE,
            clCreateProgramWithBinary(context, 1, &device, &size, &pointer, &mut status)
        );
        assert_eq!(status, CL_INVALID_VALUE);
    }
}

#[test]
fn a_query_of_binaries_leaves_out_what_is_not_wanted() {
    let session = Session::new();
    let program = session.build(STORE);
    let mut places = [null_mut::<u8>()];
    let room = places.as_mut_ptr().cast();
    let name = CL_PROGRAM_BINARIES;
    assert_code!(
        CL_SUCCESS,
        clGetProgramInfo(*program, name, 8, room, null_mut())
    );
    assert_code!(
        CL_INVALID_VALUE,
        clGetProgramInfo(*program, name, 7, room, null_mut())
    );
}

#[test]
fn a_binary_has_not_been_built_until_it_is() {
    let session = Session::new();
    let (loaded, _) = from_binary(&session, &binary(*session.build(STORE)));
    let loaded = loaded.expect("a program");
    assert_eq!(status(&session, *loaded), CL_BUILD_NONE);
    assert_refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(*loaded, c"store".as_ptr())
    );
}

#[test]
fn objects_and_libraries_go_through_binaries() {
    let session = Session::new();
    let library = linked(&session, "-create-library", &[&object(&session, CALLEE)]);
    let kinds = [
        (
            object(&session, CALLER),
            CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
        ),
        (library, CL_PROGRAM_BINARY_TYPE_LIBRARY),
    ];
    let loaded = kinds.map(|(program, expected)| {
        let (loaded, status) = from_binary(&session, &binary(*program));
        assert_eq!(status, CL_SUCCESS);
        let loaded = loaded.expect("a program");
        assert_eq!(kind(&session, *loaded), expected);
        loaded
    });
    let program = linked(&session, "", &[&loaded[0], &loaded[1]]);
    assert_eq!(stored(&session, *program), 25);
}

#[test]
fn a_compiled_object_from_a_binary_is_linked_and_not_built() {
    let session = Session::new();
    let (loaded, _) = from_binary(&session, &binary(*object(&session, STORE)));
    let loaded = loaded.expect("a program");
    // What is built must have been an executable.
    assert_eq!(build(*loaded), CL_INVALID_BINARY);
    assert_eq!(stored(&session, *linked(&session, "", &[&loaded])), 23);
}
