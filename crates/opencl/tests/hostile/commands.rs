//! Calls that launch kernels, wait, and end events.

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use opencl_sys::*;

use crate::support::*;
use crate::world::{Kind, World};
use crate::{Attempt, Call};

pub const CALLS: [Call; 6] = [launch, wait, marker, migrate, user_events, callback];

/// A list of events to wait for.
pub struct Waits {
    events: Vec<cl_event>,
    /// Instead of their number.
    count: Option<cl_uint>,
    is_null: bool,
}

impl Waits {
    /// No events, some, or a list that is wrong.
    pub fn choose(world: &World, attempt: &mut Attempt<'_>) -> Waits {
        let good = attempt.any(&[vec![], vec![*world.event], vec![*world.user, *world.event]]);
        let code = CL_INVALID_EVENT_WAIT_LIST;
        let mut lists = vec![
            ((good.clone(), Some(2), true), code),
            ((good.clone(), Some(u32::MAX), true), code),
            ((vec![*world.event], Some(0), false), code),
            // It ends at the first handle that is none.
            (
                (vec![*world.event, null_mut()], Some(u32::MAX), false),
                code,
            ),
        ];
        for (wrong, _) in world.wrong(Kind::Event) {
            lists.push(((vec![*world.event, wrong], None, false), code));
        }
        let is_null = good.is_empty();
        let (events, count, is_null) = attempt.choose("wait list", (good, None, is_null), &lists);
        Waits {
            events,
            count,
            is_null,
        }
    }

    /// As the functions take it.
    pub fn list(&self) -> (cl_uint, *const cl_event) {
        let list = match self.is_null {
            true => null(),
            false => self.events.as_ptr(),
        };
        (self.count.unwrap_or(self.events.len() as cl_uint), list)
    }
}

/// An index space.
#[derive(Clone, Debug)]
struct Space {
    dims: cl_uint,
    global: [usize; 3],
    local: Option<[usize; 3]>,
    offset: Option<[usize; 3]>,
}

const GOOD: Space = Space {
    dims: 1,
    global: [64, 1, 1],
    local: Some([32, 1, 1]),
    offset: None,
};

fn spaces() -> Vec<(Space, cl_int)> {
    let global = |dims, global| Space {
        dims,
        global,
        local: None,
        ..GOOD
    };
    let local = |local| Space {
        local: Some(local),
        ..GOOD
    };
    let offset = |offset| Space {
        offset: Some(offset),
        ..GOOD
    };
    let most = u32::MAX as usize;
    let mut spaces: Vec<(Space, cl_int)> = [0, 4, u32::MAX]
        .map(|dims| (global(dims, [1; 3]), CL_INVALID_WORK_DIMENSION))
        .to_vec();
    for sizes in [
        [most + 1, 1, 1],
        [usize::MAX, 1, 1],
        [1 << 31, 1 << 31, 4],
        [most, most, most],
    ] {
        spaces.push((global(3, sizes), CL_INVALID_GLOBAL_WORK_SIZE));
    }
    for size in [0, 3, 128] {
        spaces.push((local([size, 1, 1]), CL_INVALID_WORK_GROUP_SIZE));
    }
    spaces.push((local([usize::MAX, 1, 1]), CL_INVALID_WORK_ITEM_SIZE));
    for start in [most, usize::MAX, usize::MAX - 63] {
        spaces.push((offset([start, 0, 0]), CL_INVALID_GLOBAL_OFFSET));
    }
    spaces
}

fn launch(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let mut wrong = world.wrong(Kind::Kernel);
    wrong.push((*world.bare, CL_INVALID_KERNEL_ARGS));
    let kernel = attempt.choose("kernel", *world.kernel, &wrong);
    // The arguments may have been set to null, or to much local memory.
    set_argument(*world.kernel, 0, *world.buffers[0]);
    check(call!(clSetKernelArg(*world.kernel, 2, 256, null())));
    let space = attempt.choose("index space", GOOD, &spaces());
    let local = [1 << 20, usize::MAX].map(|bytes| (bytes, CL_OUT_OF_RESOURCES));
    let local = attempt.choose("local memory", 256, &local);
    check(call!(clSetKernelArg(*world.kernel, 2, local, null())));
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let pointer = |sizes: &Option<[usize; 3]>| sizes.as_ref().map_or(null(), |it| it.as_ptr());
    let code = call!(clEnqueueNDRangeKernel(
        queue,
        kernel,
        space.dims,
        pointer(&space.offset),
        space.global.as_ptr(),
        pointer(&space.local),
        count,
        list,
        null_mut()
    ));
    check(call!(clSetKernelArg(*world.kernel, 2, 256, null())));
    attempt.check("clEnqueueNDRangeKernel", code);
}

fn wait(world: &World, attempt: &mut Attempt<'_>) {
    let event = attempt.choose("event", *world.event, &world.wrong(Kind::Event));
    let events = [*world.user, event, null_mut()];
    let count = attempt.choose(
        "count",
        2,
        &[(0, CL_INVALID_VALUE), (u32::MAX, CL_INVALID_EVENT)],
    );
    let list = attempt.choose("list", events.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let code = call!(clWaitForEvents(count, list));
    attempt.check("clWaitForEvents", code);
}

fn marker(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let waits = Waits::choose(world, attempt);
    let (count, list) = waits.list();
    let mut event = null_mut();
    let code = match attempt.random.below(2) {
        0 => call!(clEnqueueMarkerWithWaitList(queue, count, list, &mut event)),
        _ => call!(clEnqueueBarrierWithWaitList(queue, count, list, &mut event)),
    };
    if attempt.check("a marker or barrier", code) {
        drop(Owned::event(event));
    } else {
        assert!(event.is_null(), "no event without a command");
    }
}

fn migrate(world: &World, attempt: &mut Attempt<'_>) {
    let queue = attempt.choose("queue", *world.session.queue, &world.wrong(Kind::Queue));
    let buffer = attempt.choose("buffer", *world.buffers[0], &world.wrong(Kind::Mem));
    let buffers = [buffer, null_mut()];
    let objects = attempt.choose(
        "count",
        1,
        &[(0, CL_INVALID_VALUE), (u32::MAX, CL_INVALID_MEM_OBJECT)],
    );
    let list = attempt.choose("list", buffers.as_ptr(), &[(null(), CL_INVALID_VALUE)]);
    let flags = attempt.choose(
        "flags",
        CL_MIGRATE_MEM_OBJECT_HOST,
        &[(1 << 20, CL_INVALID_VALUE)],
    );
    let waits = Waits::choose(world, attempt);
    let (count, events) = waits.list();
    let code = call!(clEnqueueMigrateMemObjects(
        queue,
        objects,
        list,
        flags,
        count,
        events,
        null_mut()
    ));
    attempt.check("clEnqueueMigrateMemObjects", code);
}

fn user_events(world: &World, attempt: &mut Attempt<'_>) {
    let context = attempt.choose(
        "context",
        *world.session.context,
        &world.wrong(Kind::Context),
    );
    let result = make!(clCreateUserEvent(context));
    let code = result.err().unwrap_or(CL_SUCCESS);
    if !attempt.check("clCreateUserEvent", code) {
        return;
    }
    let event = Owned::event(result.expect("it was made"));
    for status in [CL_SUBMITTED, CL_RUNNING, 1000] {
        assert_code!(CL_INVALID_VALUE, clSetUserEventStatus(*event, status));
    }
    for (wrong, code) in world.wrong(Kind::Event) {
        assert_code!(code, clSetUserEventStatus(wrong, CL_COMPLETE));
    }
    // A command ends by itself.
    assert_code!(
        CL_INVALID_EVENT,
        clSetUserEventStatus(*world.event, CL_COMPLETE)
    );
    let status = attempt.any(&[CL_COMPLETE, -1, -9999]);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*event, status));
    assert_code!(
        CL_INVALID_OPERATION,
        clSetUserEventStatus(*event, CL_COMPLETE)
    );
}

extern "C" fn ignore(_: cl_event, _: cl_int, _: *mut c_void) {}

fn callback(world: &World, attempt: &mut Attempt<'_>) {
    let event = attempt.choose("event", *world.event, &world.wrong(Kind::Event));
    let bad = [CL_QUEUED, -1, 77].map(|status| (status, CL_INVALID_VALUE));
    let status = attempt.choose("status", CL_COMPLETE, &bad);
    let function = attempt.choose("function", Some(ignore as _), &[(None, CL_INVALID_VALUE)]);
    let code = call!(clSetEventCallback(event, status, function, null_mut()));
    attempt.check("clSetEventCallback", code);
}
