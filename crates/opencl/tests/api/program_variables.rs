//! Variables at program scope: what one launch leaves, the next one finds.

use crate::binaries::{binary, from_binary};
use crate::builds::*;
use crate::support::*;
use opencl_sys::*;

const COUNT: &str = "
    global int counter = 5;
    global int more[3];
    global int *global last = &more[1];
    kernel void count(global int *out, int by) {
        counter += by;
        *last = counter;
        out[0] = counter;
    }
    kernel void look(global int *out) {
        static global int looks;
        looks++;
        out[0] = counter;
        out[1] = more[0] + 10 * more[1] + 100 * more[2];
        out[2] = looks;
        last = &more[2];
    }
    kernel void aside(global int *out) { out[0] = 1; }";

/// Has `count` add to the counter; gives what it has become.
fn count(session: &Session, program: cl_program, by: u32) -> u32 {
    let (out, kernel) = (session.buffer(&[0]), kernel(program, "count"));
    set_argument(*kernel, 0, *out);
    set_argument(*kernel, 1, by);
    drop(session.launch(*kernel, 1));
    session.read(*out, 1)[0]
}

/// What `look` finds.
fn look(session: &Session, program: cl_program) -> Vec<u32> {
    let (out, kernel) = (session.buffer(&[0; 3]), kernel(program, "look"));
    set_argument(*kernel, 0, *out);
    drop(session.launch(*kernel, 1));
    session.read(*out, 3)
}

fn built(session: &Session) -> Owned {
    session.build_with(COUNT, "-cl-std=CL3.0")
}

#[test]
fn variables_keep_their_contents_from_launch_to_launch() {
    let session = Session::new();
    let program = built(&session);
    assert_eq!(look(&session, *program), [5, 0, 1]);
    assert_eq!(count(&session, *program, 2), 7);
    assert_eq!(look(&session, *program), [7, 700, 2]);
    assert_eq!(count(&session, *program, 1), 8);
    assert_eq!(look(&session, *program), [8, 800, 3]);
}

#[test]
fn pointers_to_variables_stay_valid() {
    let session = Session::new();
    let program = built(&session);
    assert_eq!(count(&session, *program, 1), 6);
    // Through the pointer as it was at first, then as the kernel has set it.
    assert_eq!(look(&session, *program), [6, 60, 1]);
    assert_eq!(count(&session, *program, 1), 7);
    assert_eq!(look(&session, *program), [7, 760, 2]);
}

#[test]
fn programs_do_not_share_variables() {
    let session = Session::new();
    let (one, other) = (built(&session), built(&session));
    assert_eq!(count(&session, *one, 10), 15);
    assert_eq!(count(&session, *other, 1), 6);
    assert_eq!(look(&session, *one), [15, 150, 1]);
}

#[test]
fn a_binary_has_the_first_contents() {
    let session = Session::new();
    let program = built(&session);
    assert_eq!(count(&session, *program, 10), 15);
    let (copy, status) = from_binary(&session, &binary(*program));
    assert_eq!(status, CL_SUCCESS);
    let copy = copy.expect("a program");
    let code = call!(clBuildProgram(
        *copy,
        0,
        std::ptr::null(),
        std::ptr::null(),
        None,
        std::ptr::null_mut()
    ));
    assert_eq!(code, CL_SUCCESS);
    assert_eq!(count(&session, *copy, 1), 6);
    assert_eq!(count(&session, *program, 1), 16);
}

#[test]
fn a_variable_that_parts_share_is_one() {
    let session = Session::new();
    let part = |source: &str| {
        let program = session.program(source);
        let code = compile(*program, "-cl-std=CL3.0", &[]);
        assert_eq!(code, CL_SUCCESS, "{}", session.log(*program));
        program
    };
    let owner = part(
        "global int shared = 20; static global int own = 1; int f(int x) { return shared += x + own++; }",
    );
    let user = part(
        "extern global int shared; static global int own = 100; int f(int x);
         kernel void store(global int *out) { int y = f(2); out[0] = shared * 1000 + own; }",
    );
    let program = linked(&session, "", &[&owner, &user]);
    assert_eq!(stored(&session, *program), 23_100);
    assert_eq!(stored(&session, *program), 27_100);
}

#[test]
fn variables_are_no_arguments() {
    let session = Session::new();
    let program = built(&session);
    let sizes = CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE;
    let bytes = values::<usize>(&build_info(&session, *program, sizes))[0];
    assert!(bytes >= 4 + 12 + 8 + 4, "{bytes}");
    let look = kernel(*program, "look");
    assert_eq!(info::<u32>(clGetKernelInfo, *look, CL_KERNEL_NUM_ARGS), 1);
    let value = 0_u64;
    assert_code!(
        CL_INVALID_ARG_INDEX,
        clSetKernelArg(*look, 1, 8, (&raw const value).cast())
    );
}

/// The largest variable that the device claims, written to its ends.
#[test]
fn the_largest_variable_can_be_had() {
    let session = Session::new();
    let most: usize = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
    );
    let source = "global uchar bytes[MOST];
        kernel void store(global int *out) {
            bytes[0] += 3; bytes[MOST - 1] += 4; out[0] = 10 * bytes[0] + bytes[MOST - 1];
        }";
    let program = session.build_with(source, &format!("-cl-std=CL3.0 -DMOST={most}"));
    assert_eq!(stored(&session, *program), 34);
    assert_eq!(stored(&session, *program), 68);
}
