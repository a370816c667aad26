//! Calls that make objects, ask about them, and count references.

use std::ffi::{c_char, c_void};
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::support::*;
use crate::world::{Kind, World};
use crate::{Attempt, Call};

pub const CALLS: [Call; 9] = [
    context,
    queue,
    program_from_source,
    program_from_binary,
    build,
    kernel,
    argument,
    queries,
    references,
];

/// Keeps what a call has made, if it should have, and releases it.
#[track_caller]
pub fn made(
    attempt: &Attempt<'_>,
    function: &str,
    result: Result<*mut c_void, cl_int>,
    release: unsafe extern "system" fn(*mut c_void) -> cl_int,
) {
    let code = result.err().unwrap_or(CL_SUCCESS);
    if attempt.check(function, code) {
        drop(result.map(|handle| Owned::new(handle, release)));
    }
}

fn context(world: &World, attempt: &mut Attempt<'_>) {
    let device = attempt.choose("device", world.session.device, &world.wrong(Kind::Device));
    let count = attempt.choose("count", 1, &[(0, CL_INVALID_VALUE)]);
    // A list whose number is wrong ends at its first wrong handle.
    let devices = [device, null_mut()];
    let list = attempt.choose("list", devices.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let huge = attempt.choose("huge count", count, &[(u32::MAX, CL_INVALID_DEVICE)]);
    let count = if count == 0 { 0 } else { huge };
    let data = 0_u32;
    let data = (&raw const data).cast_mut().cast();
    let data = attempt.choose("data", null_mut(), &[(data, CL_INVALID_VALUE)]);
    let property = [CL_CONTEXT_PLATFORM, world.session.platform as isize, 0];
    let unknown = [0x7777, 1, 0];
    let wrong = [CL_CONTEXT_PLATFORM, *world.session.queue as isize, 0];
    let twice = [property[0], property[1], property[0], property[1], 0];
    let properties = attempt.choose(
        "properties",
        property.as_ptr(),
        &[
            (unknown.as_ptr(), CL_INVALID_PROPERTY),
            (wrong.as_ptr(), CL_INVALID_PLATFORM),
            (twice.as_ptr(), CL_INVALID_PROPERTY),
        ],
    );
    let result = make!(clCreateContext(properties, count, list, None, data));
    made(attempt, "clCreateContext", result, clReleaseContext);
}

fn queue(world: &World, attempt: &mut Attempt<'_>) {
    let context = attempt.choose(
        "context",
        *world.session.context,
        &world.wrong(Kind::Context),
    );
    let device = attempt.choose("device", world.session.device, &world.wrong(Kind::Device));
    let key = u64::from(CL_QUEUE_PROPERTIES);
    let good = [key, CL_QUEUE_PROFILING_ENABLE, 0];
    let bits = [key, 1 << 40, 0];
    let on_device = [
        key,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
        0,
    ];
    let unknown = [0x1234, 1, 0];
    let properties = attempt.choose(
        "properties",
        good.as_ptr(),
        &[
            (bits.as_ptr(), CL_INVALID_VALUE),
            (on_device.as_ptr(), CL_INVALID_QUEUE_PROPERTIES),
            (unknown.as_ptr(), CL_INVALID_VALUE),
        ],
    );
    let result = make!(clCreateCommandQueueWithProperties(
        context, device, properties
    ));
    made(
        attempt,
        "clCreateCommandQueueWithProperties",
        result,
        clReleaseCommandQueue,
    );
}

fn program_from_source(world: &World, attempt: &mut Attempt<'_>) {
    let context = attempt.choose(
        "context",
        *world.session.context,
        &world.wrong(Kind::Context),
    );
    let text = c"kernel void f() {}";
    let count = attempt.choose("count", 1, &[(0, CL_INVALID_VALUE)]);
    let string = attempt.choose("string", text.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let strings = &raw const string;
    let strings = attempt.choose("strings", strings, &[(null(), CL_INVALID_VALUE)]);
    let lengths = [[0_usize], [6], [18]];
    let length = attempt.any(&[
        null(),
        lengths[0].as_ptr(),
        lengths[1].as_ptr(),
        lengths[2].as_ptr(),
    ]);
    let result = make!(clCreateProgramWithSource(context, count, strings, length));
    made(
        attempt,
        "clCreateProgramWithSource",
        result,
        clReleaseProgram,
    );
}

fn program_from_binary(world: &World, attempt: &mut Attempt<'_>) {
    let context = attempt.choose(
        "context",
        *world.session.context,
        &world.wrong(Kind::Context),
    );
    let device = attempt.choose("device", world.session.device, &world.wrong(Kind::Device));
    // Chance makes no program.
    let length = 1 + attempt.random.below(200);
    let bytes = attempt.random.bytes(length);
    attempt.allow(CL_INVALID_BINARY, "bytes by chance");
    let pointer = attempt.choose("binary", bytes.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let length = attempt.choose("length", bytes.len(), &[(0, CL_INVALID_VALUE)]);
    let count = attempt.choose("count", 1, &[(0, CL_INVALID_VALUE)]);
    let twice = attempt.choose("devices", count, &[(2, CL_INVALID_DEVICE)]);
    let count = if count == 0 { 0 } else { twice };
    let (devices, lengths, pointers) = ([device; 2], [length; 2], [pointer; 2]);
    let mut status = [0; 2];
    let result = make!(clCreateProgramWithBinary(
        context,
        count,
        devices.as_ptr(),
        lengths.as_ptr(),
        pointers.as_ptr(),
        status.as_mut_ptr()
    ));
    made(
        attempt,
        "clCreateProgramWithBinary",
        result,
        clReleaseProgram,
    );
}

/// Builds are slow, so there is always something bad.
fn build(world: &World, attempt: &mut Attempt<'_>) {
    let wrong = attempt.any(&world.wrong(Kind::Program));
    let programs = [(wrong.0, wrong.1), (*world.program, CL_INVALID_OPERATION)];
    // The second has kernels.
    let (program, code) = attempt.any(&programs);
    attempt.allow(code, "program");
    let device = attempt.choose("device", world.session.device, &world.wrong(Kind::Device));
    let lists = [
        (1, null(), CL_INVALID_VALUE),
        (0, &raw const device, CL_INVALID_VALUE),
    ];
    let (count, devices, code) = attempt.any(&lists);
    attempt.allow(code, "list of devices");
    let result = call!(clBuildProgram(
        program,
        count,
        devices,
        null(),
        None,
        null_mut()
    ));
    attempt.check("clBuildProgram", result);
}

fn kernel(world: &World, attempt: &mut Attempt<'_>) {
    let mut wrong = world.wrong(Kind::Program);
    wrong.push((*world.source, CL_INVALID_PROGRAM_EXECUTABLE));
    let program = attempt.choose("program", *world.program, &wrong);
    let names: [(*const c_char, cl_int); 3] = [
        (null(), CL_INVALID_VALUE),
        (c"".as_ptr(), CL_INVALID_KERNEL_NAME),
        (c"subtract".as_ptr(), CL_INVALID_KERNEL_NAME),
    ];
    let name = attempt.choose("name", c"add".as_ptr(), &names);
    let result = make!(clCreateKernel(program, name));
    made(attempt, "clCreateKernel", result, clReleaseKernel);
}

fn argument(world: &World, attempt: &mut Attempt<'_>) {
    let kernel = attempt.choose("kernel", *world.kernel, &world.wrong(Kind::Kernel));
    let number = 1_u32;
    let (size, value) = match attempt.random.below(3) {
        0 => (8, (&raw const *world.buffers[0]).cast::<c_void>()),
        1 => (4, (&raw const number).cast()),
        _ => (256, null()),
    };
    let index = match size {
        8 => 0,
        4 => 1,
        _ => 2,
    };
    let wrong = world.wrong(Kind::Mem);
    let wrong: Vec<(*const c_void, cl_int)> = match index {
        // Null is a pointer that a kernel may be given.
        0 => {
            let handles = wrong.iter().filter(|(handle, _)| !handle.is_null());
            handles
                .map(|(handle, code)| ((&raw const *handle).cast(), *code))
                .collect()
        }
        1 => vec![(null(), CL_INVALID_ARG_VALUE)],
        _ => vec![((&raw const number).cast(), CL_INVALID_ARG_VALUE)],
    };
    let value = attempt.choose("value", value, &wrong);
    // What is said to be long is not read.
    let sizes: Vec<(usize, cl_int)> = match index {
        2 => vec![(0, CL_INVALID_ARG_SIZE)],
        _ => [0, 3, 5, 1 << 20, usize::MAX]
            .map(|size| (size, CL_INVALID_ARG_SIZE))
            .to_vec(),
    };
    let size = attempt.choose("size", size, &sizes);
    let bad = [3, 1000, u32::MAX].map(|index| (index, CL_INVALID_ARG_INDEX));
    let index = attempt.choose("index", index, &bad);
    let code = call!(clSetKernelArg(kernel, index, size, value));
    attempt.check("clSetKernelArg", code);
}

/// A query, the kind of its object, and a name that it knows.
const QUERIES: [(Info, Kind, cl_uint); 6] = [
    (clGetContextInfo, Kind::Context, CL_CONTEXT_NUM_DEVICES),
    (clGetCommandQueueInfo, Kind::Queue, CL_QUEUE_CONTEXT),
    (clGetMemObjectInfo, Kind::Mem, CL_MEM_SIZE),
    (clGetProgramInfo, Kind::Program, CL_PROGRAM_NUM_DEVICES),
    (clGetKernelInfo, Kind::Kernel, CL_KERNEL_FUNCTION_NAME),
    (clGetEventInfo, Kind::Event, CL_EVENT_COMMAND_TYPE),
];

fn right(world: &World, kind: Kind) -> *mut c_void {
    match kind {
        Kind::Context => *world.session.context,
        Kind::Queue => *world.session.queue,
        Kind::Mem => *world.buffers[0],
        Kind::Program => *world.program,
        Kind::Kernel => *world.kernel,
        Kind::Event => *world.event,
        Kind::Device => world.session.device,
    }
}

fn queries(world: &World, attempt: &mut Attempt<'_>) {
    let (function, kind, name) = attempt.any(&QUERIES);
    let object = attempt.choose("object", right(world, kind), &world.wrong(kind));
    let names = [0, 0x7fff, u32::MAX].map(|name| (name, CL_INVALID_VALUE));
    let name = attempt.choose("name", name, &names);
    let mut room = [0_u8; 64];
    let size = attempt.choose(
        "size",
        room.len(),
        &[(0, CL_INVALID_VALUE), (3, CL_INVALID_VALUE)],
    );
    let (place, mut written) = (room.as_mut_ptr().cast(), 0);
    // SAFETY: there is as much room as is said, or the call is refused.
    let code = unsafe { function(object, name, size, place, &mut written) };
    attempt.check("a query", code);
}

type Count = unsafe extern "system" fn(*mut c_void) -> cl_int;

const COUNTS: [(Count, Count, Kind); 6] = [
    (clRetainContext, clReleaseContext, Kind::Context),
    (clRetainCommandQueue, clReleaseCommandQueue, Kind::Queue),
    (clRetainMemObject, clReleaseMemObject, Kind::Mem),
    (clRetainProgram, clReleaseProgram, Kind::Program),
    (clRetainKernel, clReleaseKernel, Kind::Kernel),
    (clRetainEvent, clReleaseEvent, Kind::Event),
];

fn references(world: &World, attempt: &mut Attempt<'_>) {
    let (retain, release, kind) = attempt.any(&COUNTS);
    let object = attempt.choose("object", right(world, kind), &world.wrong(kind));
    // SAFETY: a handle that is wrong is refused.
    if attempt.check("clRetain", unsafe { retain(object) }) {
        // SAFETY: the reference is ours.
        check(unsafe { release(object) });
    } else {
        // SAFETY: a handle that is wrong is refused.
        attempt.check("clRelease", unsafe { release(object) });
    }
}
