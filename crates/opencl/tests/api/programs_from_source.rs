//! Programs from source: texts, builds, options, logs, queries, lifetimes.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

use crate::builds::*;
use crate::callbacks::{Calls, note};
use crate::support::*;
use opencl_sys::*;

/// A kernel that stores what `VALUE` is defined to be.
const VALUE: &str = "kernel void store(global int *out) { out[0] = VALUE; }";
const BROKEN: &str = "kernel void store(global int *out) {\n    out[0] = nowhere;\n}\n";

fn from_strings(
    session: &Session,
    strings: &[*const c_char],
    lengths: Option<&[usize]>,
) -> Result<Owned, cl_int> {
    let lengths = lengths.map_or(null(), <[usize]>::as_ptr);
    let (count, strings) = (strings.len() as cl_uint, strings.as_ptr());
    let made = make!(clCreateProgramWithSource(
        *session.context,
        count,
        strings,
        lengths
    ));
    made.map(|program| Owned::new(program, clReleaseProgram))
}

#[test]
fn a_source_may_come_in_several_strings_of_known_or_unknown_length() {
    let session = Session::new();
    let parts = [
        "kernel void store(global int *out) ",
        "{ out[0] = ",
        "41 + 1; }",
    ];
    let whole = parts.concat();
    let ended: Vec<CString> = parts
        .iter()
        .map(|part| CString::new(*part).expect("text"))
        .collect();
    let ended: Vec<*const c_char> = ended.iter().map(|part| part.as_ptr()).collect();
    // What lies behind a length is no part of the program.
    let longer: Vec<String> = parts
        .iter()
        .map(|part| format!("{part} @ garbage"))
        .collect();
    let mixed: Vec<*const c_char> = vec![
        longer[0].as_ptr().cast(),
        ended[1],
        longer[2].as_ptr().cast(),
    ];
    let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let cases = [
        (ended.clone(), None),
        (ended.clone(), Some(vec![0; 3])),
        (ended, Some(sizes.clone())),
        (mixed, Some(vec![sizes[0], 0, sizes[2]])),
    ];
    for (strings, lengths) in cases {
        let program = from_strings(&session, &strings, lengths.as_deref()).expect("a program");
        assert_eq!(text(clGetProgramInfo, *program, CL_PROGRAM_SOURCE), whole);
        assert_eq!(build(*program, ""), CL_SUCCESS);
        assert_eq!(stored(&session, *program), 42);
    }
}

#[test]
fn a_source_is_kept_byte_for_byte() {
    let session = Session::new();
    let source = b"// \xa9 1999 J\xfcrgen\nkernel void store(global int *out) { out[0] = 6; }\r\n";
    let program = from_strings(&session, &[source.as_ptr().cast()], Some(&[source.len()]));
    let program = program.expect("a program");
    let kept = infos::<u8>(clGetProgramInfo, *program, CL_PROGRAM_SOURCE);
    assert_eq!(kept, [&source[..], b"\0"].concat());
    assert_eq!(build(*program, ""), CL_SUCCESS);
    assert_eq!(stored(&session, *program), 6);
}

#[test]
fn a_program_may_have_no_kernels() {
    let session = Session::new();
    for source in ["", "int twice(int x) { return 2 * x; }"] {
        let text = CString::new(source).expect("no zeros");
        let program = from_strings(&session, &[text.as_ptr()], None).expect("a program");
        assert_eq!(build(*program, ""), CL_SUCCESS, "{}", session.log(*program));
        assert_eq!(
            info::<usize>(clGetProgramInfo, *program, CL_PROGRAM_NUM_KERNELS),
            0
        );
        assert_eq!(text_of_names(*program), "");
        let mut count = 1;
        assert_code!(
            CL_SUCCESS,
            clCreateKernelsInProgram(*program, 0, null_mut(), &mut count)
        );
        assert_eq!(count, 0);
    }
}

fn text_of_names(program: cl_program) -> String {
    text(clGetProgramInfo, program, CL_PROGRAM_KERNEL_NAMES)
}

#[test]
fn making_a_program_from_source_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let context = *session.context;
    let text = VALUE.as_ptr().cast::<c_char>();
    let strings = [text, null()];
    let lengths = [VALUE.len(), 0];
    let (strings, lengths) = (strings.as_ptr(), lengths.as_ptr());
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateProgramWithSource(context, 0, strings, lengths)
    );
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateProgramWithSource(context, 1, null(), lengths)
    );
    assert_refused!(
        CL_INVALID_VALUE,
        clCreateProgramWithSource(context, 2, strings, lengths)
    );
    for context in [null_mut(), *session.queue] {
        assert_refused!(
            CL_INVALID_CONTEXT,
            clCreateProgramWithSource(context, 1, strings, lengths)
        );
    }
}

#[test]
fn programs_of_other_kinds_are_not_offered() {
    let session = Session::new();
    let (context, device) = (*session.context, session.device);
    let bytes = [0x07230203_u32; 8];
    let (il, size) = (bytes.as_ptr().cast(), size_of_val(&bytes));
    assert_refused!(
        CL_INVALID_OPERATION,
        clCreateProgramWithIL(context, il, size)
    );
    assert_refused!(
        CL_INVALID_CONTEXT,
        clCreateProgramWithIL(null_mut(), il, size)
    );
    let names = c"fast_fourier".as_ptr();
    let make_builtin = |context, count, devices: *const cl_device_id, names| {
        make!(clCreateProgramWithBuiltInKernels(
            context, count, devices, names
        ))
        .err()
    };
    assert_eq!(
        make_builtin(context, 1, &device, names),
        Some(CL_INVALID_VALUE)
    );
    assert_eq!(
        make_builtin(context, 0, &device, names),
        Some(CL_INVALID_VALUE)
    );
    assert_eq!(
        make_builtin(context, 1, null(), names),
        Some(CL_INVALID_VALUE)
    );
    assert_eq!(
        make_builtin(context, 1, &device, null()),
        Some(CL_INVALID_VALUE)
    );
    assert_eq!(
        make_builtin(context, 1, &context, names),
        Some(CL_INVALID_DEVICE)
    );
    assert_eq!(
        make_builtin(null_mut(), 1, &device, names),
        Some(CL_INVALID_CONTEXT)
    );
    let program = session.program(VALUE);
    let value = [0_u8; 4];
    assert_code!(
        CL_INVALID_OPERATION,
        clSetProgramSpecializationConstant(*program, 0, 4, value.as_ptr().cast())
    );
    assert_code!(
        CL_INVALID_PROGRAM,
        clSetProgramSpecializationConstant(null_mut(), 0, 4, value.as_ptr().cast())
    );
}

#[test]
fn a_program_says_what_it_is_before_and_after_its_build() {
    let session = Session::new();
    let source = "kernel void b(global int *out) { out[0] = 1; }
        int twice(int x) { return 2 * x; }
        kernel void a(global int *out) { out[0] = twice(out[0]); }";
    let program = session.program(source);
    let pointer = |name| infos::<*mut c_void>(clGetProgramInfo, *program, name);
    let number = |name| info::<u32>(clGetProgramInfo, *program, name);
    let sizes = || infos::<usize>(clGetProgramInfo, *program, CL_PROGRAM_BINARY_SIZES);
    assert_eq!(number(CL_PROGRAM_REFERENCE_COUNT), 1);
    assert_eq!(pointer(CL_PROGRAM_CONTEXT), [*session.context]);
    assert_eq!(number(CL_PROGRAM_NUM_DEVICES), 1);
    assert_eq!(pointer(CL_PROGRAM_DEVICES), [session.device]);
    assert_eq!(text(clGetProgramInfo, *program, CL_PROGRAM_SOURCE), source);
    assert_eq!(infos::<u8>(clGetProgramInfo, *program, CL_PROGRAM_IL), []);
    assert_eq!(number(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_FALSE);
    assert_eq!(number(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), CL_FALSE);
    assert_eq!(sizes(), [0]);
    for name in [CL_PROGRAM_NUM_KERNELS, CL_PROGRAM_KERNEL_NAMES] {
        let code = refusal(clGetProgramInfo, *program, name);
        assert_eq!(code, CL_INVALID_PROGRAM_EXECUTABLE);
    }
    assert_eq!(ask(clGetProgramInfo, *program, 0xdead), CL_INVALID_VALUE);

    assert_eq!(build(*program, ""), CL_SUCCESS);
    assert_eq!(
        info::<usize>(clGetProgramInfo, *program, CL_PROGRAM_NUM_KERNELS),
        2
    );
    let names = text(clGetProgramInfo, *program, CL_PROGRAM_KERNEL_NAMES);
    let mut names: Vec<&str> = names.split(';').collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b"]);
    assert!(sizes()[0] > 0);
}

#[test]
fn a_build_says_how_it_went() {
    let session = Session::new();
    let program = session.program(VALUE);
    let kind = || kind(&session, *program);
    let options = || build_text(&session, *program, CL_PROGRAM_BUILD_OPTIONS);
    let log = || build_text(&session, *program, CL_PROGRAM_BUILD_LOG);
    assert_eq!(status(&session, *program), CL_BUILD_NONE);
    assert_eq!(
        (kind(), options(), log()),
        (CL_PROGRAM_BINARY_TYPE_NONE, String::new(), String::new())
    );

    let given = "-D VALUE=3 -cl-mad-enable";
    assert_eq!(build(*program, given), CL_SUCCESS);
    assert_eq!(status(&session, *program), CL_BUILD_SUCCESS);
    assert_eq!(
        (kind(), options()),
        (CL_PROGRAM_BINARY_TYPE_EXECUTABLE, given.to_owned())
    );
    let globals = CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE;
    assert_eq!(
        values::<usize>(&build_info(&session, *program, globals)),
        [0]
    );

    assert_eq!(build(*program, "-DVALUE=missing"), CL_BUILD_PROGRAM_FAILURE);
    assert_eq!(status(&session, *program), CL_BUILD_ERROR);
    assert_eq!(
        (kind(), options()),
        (CL_PROGRAM_BINARY_TYPE_NONE, "-DVALUE=missing".to_owned())
    );
    assert!(log().contains("missing"), "{}", log());

    let device = session.device;
    let ask = |program, device, name| {
        call!(clGetProgramBuildInfo(
            program,
            device,
            name,
            0,
            null_mut(),
            null_mut()
        ))
    };
    let name = CL_PROGRAM_BUILD_STATUS;
    assert_eq!(ask(*program, device, 0xdead), CL_INVALID_VALUE);
    assert_eq!(ask(null_mut(), device, name), CL_INVALID_PROGRAM);
    assert_eq!(ask(*session.queue, device, name), CL_INVALID_PROGRAM);
    assert_eq!(ask(*program, null_mut(), name), CL_INVALID_DEVICE);
    assert_eq!(ask(*program, *session.queue, name), CL_INVALID_DEVICE);
}

#[test]
fn a_failed_build_has_a_log_with_the_line_and_no_kernels() {
    let session = Session::new();
    let program = session.program(BROKEN);
    assert_eq!(build(*program, ""), CL_BUILD_PROGRAM_FAILURE);
    let log = session.log(*program);
    assert!(log.contains("nowhere") && log.contains("error"), "{log}");
    assert!(log.contains(":2:") || log.contains("line 2"), "{log}");
    let store = c"store".as_ptr();
    assert_refused!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernel(*program, store)
    );
    let mut count = 0;
    assert_code!(
        CL_INVALID_PROGRAM_EXECUTABLE,
        clCreateKernelsInProgram(*program, 0, null_mut(), &mut count)
    );
    assert_eq!(
        infos::<usize>(clGetProgramInfo, *program, CL_PROGRAM_BINARY_SIZES),
        [0]
    );
}

#[test]
fn what_cannot_become_a_circuit_is_refused_by_the_build() {
    let session = Session::new();
    let source = "int down(int x) { return x > 0 ? down(x - 1) + x : 0; }
        kernel void store(global int *out) { out[0] = down(out[0]); }";
    let program = session.program(source);
    assert_eq!(build(*program, ""), CL_BUILD_PROGRAM_FAILURE);
    assert_eq!(status(&session, *program), CL_BUILD_ERROR);
    assert!(
        session.log(*program).contains("recursion"),
        "{}",
        session.log(*program)
    );
}

#[test]
fn building_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let program = session.program(VALUE);
    let options = c"-DVALUE=1".as_ptr();
    let device = session.device;
    let refused = |code, program, count, devices: *const cl_device_id| {
        assert_code!(
            code,
            clBuildProgram(program, count, devices, options, None, null_mut())
        );
    };
    refused(CL_INVALID_PROGRAM, null_mut(), 0, null());
    refused(CL_INVALID_PROGRAM, *session.queue, 0, null());
    refused(CL_INVALID_VALUE, *program, 1, null());
    refused(CL_INVALID_VALUE, *program, 0, &device);
    refused(
        CL_INVALID_DEVICE,
        *program,
        2,
        [device, null_mut()].as_ptr(),
    );
    refused(CL_INVALID_DEVICE, *program, 1, &*session.queue);
    let mut data = 0_u32;
    let data = (&raw mut data).cast();
    assert_code!(
        CL_INVALID_VALUE,
        clBuildProgram(*program, 0, null(), options, None, data)
    );
    assert_eq!(status(&session, *program), CL_BUILD_NONE);
    assert_code!(
        CL_SUCCESS,
        clBuildProgram(*program, 1, &device, options, None, null_mut())
    );
    assert_eq!(stored(&session, *program), 1);
}

#[test]
fn a_program_with_kernels_is_not_built_again() {
    let session = Session::new();
    let program = session.build_with(VALUE, "-DVALUE=1");
    let store = kernel(*program, "store");
    assert_eq!(build(*program, "-DVALUE=2"), CL_INVALID_OPERATION);
    assert_eq!(
        build_text(&session, *program, CL_PROGRAM_BUILD_OPTIONS),
        "-DVALUE=1"
    );
    assert_code!(
        CL_INVALID_OPERATION,
        clCompileProgram(
            *program,
            0,
            null(),
            c"-DVALUE=2".as_ptr(),
            0,
            null(),
            null(),
            None,
            null_mut()
        )
    );
    drop(store);
    assert_eq!(build(*program, "-DVALUE=2"), CL_SUCCESS);
    assert_eq!(stored(&session, *program), 2);
}

#[test]
fn builds_call_back_when_they_have_ended() {
    let session = Session::new();
    let calls = Calls::new();
    for (options, ended) in [
        ("-DVALUE=31", CL_BUILD_SUCCESS),
        ("-DVALUE=+", CL_BUILD_ERROR),
    ] {
        let program = session.program(VALUE);
        let given = CString::new(options).expect("no zeros");
        let data = calls.data(9);
        let code = call!(clBuildProgram(
            *program,
            0,
            null(),
            given.as_ptr(),
            Some(note),
            data
        ));
        // An answer that comes late cannot be in the code; one that is early may be.
        assert!(code == CL_SUCCESS || ended == CL_BUILD_ERROR && code == CL_BUILD_PROGRAM_FAILURE);
        assert_eq!(calls.next(), 9);
        assert_eq!(status(&session, *program), ended);
        if ended == CL_BUILD_SUCCESS {
            assert_eq!(stored(&session, *program), 31);
        }
    }
    assert_eq!(calls.seen(), None);
}

#[test]
fn references_are_counted() {
    let session = Session::new();
    let program = session.program(VALUE);
    let count = || info::<u32>(clGetProgramInfo, *program, CL_PROGRAM_REFERENCE_COUNT);
    assert_code!(CL_SUCCESS, clRetainProgram(*program));
    assert_eq!(count(), 2);
    assert_code!(CL_SUCCESS, clReleaseProgram(*program));
    assert_eq!(count(), 1);
    for wrong in [null_mut(), *session.context, *session.queue] {
        assert_code!(CL_INVALID_PROGRAM, clRetainProgram(wrong));
        assert_code!(CL_INVALID_PROGRAM, clReleaseProgram(wrong));
        assert_eq!(
            ask(clGetProgramInfo, wrong, CL_PROGRAM_SOURCE),
            CL_INVALID_PROGRAM
        );
    }
}

#[test]
fn a_program_outlives_its_references_while_kernels_have_some() {
    let session = Session::new();
    let program = session.build_with(VALUE, "-DVALUE=8");
    let (store, out) = (kernel(*program, "store"), session.buffer(&[0]));
    let handle = *program;
    drop(program);
    assert_eq!(
        info::<cl_program>(clGetKernelInfo, *store, CL_KERNEL_PROGRAM),
        handle
    );
    set_argument(*store, 0, *out);
    drop(session.launch(*store, 1));
    assert_eq!(session.read(*out, 1), [8]);
}

#[test]
fn release_callbacks_belong_to_a_feature_that_is_not_there() {
    let session = Session::new();
    let program = session.program(VALUE);
    let set = |program| {
        call!(clSetProgramReleaseCallback(
            program,
            Some(ignore),
            null_mut()
        ))
    };
    assert_eq!(set(*program), CL_INVALID_OPERATION);
    assert_eq!(set(*session.queue), CL_INVALID_PROGRAM);
}

unsafe extern "C" fn ignore(_program: cl_program, _data: *mut c_void) {}

#[test]
fn the_compiler_can_be_unloaded_at_any_time() {
    let session = Session::new();
    let program = session.build_with(VALUE, "-DVALUE=1");
    assert_code!(CL_SUCCESS, clUnloadPlatformCompiler(session.platform));
    assert_code!(
        CL_INVALID_PLATFORM,
        clUnloadPlatformCompiler(*session.context)
    );
    assert_eq!(build(*program, "-DVALUE=4"), CL_SUCCESS);
    assert_eq!(stored(&session, *program), 4);
}

#[test]
fn what_has_no_circuit_is_said_in_the_log_each_time() {
    let session = Session::new();
    let source = "kernel __attribute__((reqd_work_group_size(512, 512, 1)))
        void crowd(global int *out) {
            out[get_global_id(0)] = 1;
            barrier(CLK_GLOBAL_MEM_FENCE);
            out[get_global_id(1)] += 1;
        }";
    if executor() == Executor::Interpreter {
        // It needs no circuits.
        assert_eq!(build(*session.program(source), ""), CL_SUCCESS);
        return;
    }
    // The second time, too: it is not in the cache.
    for _ in 0..2 {
        let program = session.program(source);
        assert_eq!(build(*program, ""), CL_BUILD_PROGRAM_FAILURE);
        assert_eq!(status(&session, *program), CL_BUILD_ERROR);
        let log = session.log(*program);
        assert!(
            log.starts_with("error: kernel `crowd`: a work-group of 262144 work-items")
                && log.contains("SLUICE_DEVICE=interp"),
            "{log}"
        );
    }
}
