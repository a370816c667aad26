//! Launches: index spaces, work-groups, what is refused, and what may change once enqueued.

use std::ptr::{null, null_mut};

use crate::commands::{check_wait_list, user_event};
use crate::support::*;
use opencl_sys::*;

/// How many words `ids` stores for a work-item.
const WORDS: usize = 20;

/// Stores all that a work-item knows of where it is.
const IDS: &str = "
    void store(global uint *out) {
        size_t at = get_global_id(0) - get_global_offset(0);
        at += (get_global_id(1) - get_global_offset(1)) * get_global_size(0);
        at += (get_global_id(2) - get_global_offset(2)) * get_global_size(0) * get_global_size(1);
        global uint *to = out + at * 20;
        for (uint d = 0; d < 3; d++) {
            to[d] = get_global_id(d);
            to[3 + d] = get_local_id(d);
            to[6 + d] = get_group_id(d);
            to[9 + d] = get_local_size(d);
            to[12 + d] = get_num_groups(d);
            to[15 + d] = get_global_size(d);
        }
        to[18] = get_work_dim();
        to[19] += 1;
    }
    kernel void ids(global uint *out) { store(out); }
    kernel __attribute__((reqd_work_group_size(4,2,1))) void fixed(global uint *out) { store(out); }
    kernel __attribute__((reqd_work_group_size(1,1,1))) void single(global uint *out) { store(out); }";

/// An index space as the program gives it.
#[derive(Clone, Debug)]
struct Space {
    global: Vec<usize>,
    offset: Option<Vec<usize>>,
    local: Option<Vec<usize>>,
}

impl Space {
    fn new(global: &[usize]) -> Space {
        Space {
            global: global.to_vec(),
            offset: None,
            local: None,
        }
    }

    fn offset(self, offset: &[usize]) -> Space {
        Space {
            offset: Some(offset.to_vec()),
            ..self
        }
    }

    fn local(self, local: &[usize]) -> Space {
        Space {
            local: Some(local.to_vec()),
            ..self
        }
    }

    fn enqueue(&self, session: &Session, kernel: cl_kernel) -> cl_int {
        let pointer = |sizes: &Option<Vec<usize>>| sizes.as_ref().map_or(null(), |it| it.as_ptr());
        call!(clEnqueueNDRangeKernel(
            *session.queue,
            kernel,
            self.global.len() as cl_uint,
            pointer(&self.offset),
            self.global.as_ptr(),
            pointer(&self.local),
            0,
            null(),
            null_mut()
        ))
    }
}

fn three(sizes: &[usize], rest: usize) -> [usize; 3] {
    [0, 1, 2].map(|at| sizes.get(at).copied().unwrap_or(rest))
}

/// Launches the kernel, and checks what each work-item has stored. The local size is what the program
/// gave, or what the first work-item saw.
fn check_ids(session: &Session, kernel: cl_kernel, space: &Space) -> [usize; 3] {
    let global = three(&space.global, 1);
    let offset = three(space.offset.as_deref().unwrap_or(&[]), 0);
    let items: usize = global.iter().product();
    let out = session.buffer(&vec![0; items * WORDS]);
    set_argument(kernel, 0, *out);
    assert_eq!(space.enqueue(session, kernel), CL_SUCCESS, "{space:?}");
    let found = session.read(*out, items * WORDS);
    let seen: Vec<usize> = found[9..12].iter().map(|&size| size as usize).collect();
    let local = space
        .local
        .as_ref()
        .map_or(three(&seen, 1), |local| three(local, 1));
    for (at, words) in found.chunks_exact(WORDS).enumerate() {
        let x = [
            at % global[0],
            at / global[0] % global[1],
            at / global[0] / global[1],
        ];
        let mut expected = Vec::new();
        expected.extend((0..3).map(|d| x[d] + offset[d]));
        expected.extend((0..3).map(|d| x[d] % local[d]));
        expected.extend((0..3).map(|d| x[d] / local[d]));
        expected.extend(local);
        expected.extend((0..3).map(|d| global[d] / local[d]));
        expected.extend(global);
        expected.extend([space.global.len(), 1]);
        let words: Vec<usize> = words.iter().map(|&word| word as usize).collect();
        assert_eq!(words, expected, "work-item {at} of {space:?}");
    }
    local
}

#[test]
fn work_items_know_where_they_are_in_one_to_three_dimensions() {
    let session = Session::new();
    let program = session.build(IDS);
    let ids = kernel(*program, "ids");
    let spaces = [
        Space::new(&[1]).local(&[1]),
        Space::new(&[12]).local(&[4]),
        Space::new(&[5]).local(&[5]),
        Space::new(&[6, 4]).local(&[3, 2]),
        Space::new(&[4, 6]).local(&[1, 6]),
        Space::new(&[4, 2, 6]).local(&[2, 1, 3]),
        Space::new(&[1, 1, 5]).local(&[1, 1, 5]),
        Space::new(&[8]).offset(&[100]).local(&[4]),
        Space::new(&[4, 3]).offset(&[0, 7]).local(&[2, 3]),
        Space::new(&[2, 2, 2])
            .offset(&[9, 0, 1_000_000])
            .local(&[2, 1, 1]),
    ];
    for space in &spaces {
        check_ids(&session, *ids, space);
    }
}

#[test]
fn without_a_local_size_groups_are_chosen_that_divide_the_global_size() {
    let session = Session::new();
    let program = session.build(IDS);
    let ids = kernel(*program, "ids");
    let most: usize = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MAX_WORK_GROUP_SIZE,
    );
    for global in [
        &[1][..],
        &[7],
        &[24],
        &[5, 3],
        &[4, 4],
        &[3, 2, 2],
        &[1, 13, 1],
    ] {
        for offset in [None, Some([3, 5, 7][..global.len()].to_vec())] {
            let space = Space {
                offset,
                ..Space::new(global)
            };
            let local = check_ids(&session, *ids, &space);
            let global = three(global, 1);
            assert!(
                (0..3).all(|d| global[d].is_multiple_of(local[d])),
                "{local:?} of {global:?}"
            );
            assert!(local.iter().product::<usize>() <= most);
        }
    }
}

#[test]
fn a_required_size_of_groups_is_the_size() {
    let session = Session::new();
    let program = session.build(IDS);
    let fixed = kernel(*program, "fixed");
    check_ids(&session, *fixed, &Space::new(&[8, 4]).local(&[4, 2]));
    check_ids(&session, *fixed, &Space::new(&[4, 2, 3]).local(&[4, 2, 1]));
    assert_eq!(check_ids(&session, *fixed, &Space::new(&[8, 2])), [4, 2, 1]);
    let out = session.buffer(&[0; 64 * WORDS]);
    set_argument(*fixed, 0, *out);
    let wrong = [
        Space::new(&[8]).local(&[4]),
        Space::new(&[8, 4]).local(&[2, 4]),
        Space::new(&[8, 4]).local(&[8, 1]),
        Space::new(&[8, 4, 2]).local(&[4, 2, 2]),
        Space::new(&[8, 3]).local(&[4, 2]),
    ];
    for space in &wrong {
        assert_eq!(
            space.enqueue(&session, *fixed),
            CL_INVALID_WORK_GROUP_SIZE,
            "{space:?}"
        );
    }
}

#[test]
fn a_task_is_a_launch_of_one_work_item() {
    let session = Session::new();
    let program = session.build(IDS);
    let out = session.buffer(&[0; WORDS]);
    let expected = [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    for (name, times) in [("ids", 1), ("single", 2)] {
        let kernel = kernel(*program, name);
        set_argument(*kernel, 0, *out);
        assert_code!(
            CL_SUCCESS,
            clEnqueueTask(*session.queue, *kernel, 0, null(), null_mut())
        );
        let found = session.read(*out, WORDS);
        assert_eq!((&found[..19], found[19]), (&expected[..], times));
    }
    let fixed = kernel(*program, "fixed");
    let (queue, fixed) = (*session.queue, *fixed);
    assert_code!(
        CL_INVALID_KERNEL_ARGS,
        clEnqueueTask(queue, fixed, 0, null(), null_mut())
    );
    set_argument(fixed, 0, *out);
    assert_code!(
        CL_INVALID_WORK_GROUP_SIZE,
        clEnqueueTask(queue, fixed, 0, null(), null_mut())
    );
    assert_code!(
        CL_INVALID_KERNEL,
        clEnqueueTask(queue, null_mut(), 0, null(), null_mut())
    );
    assert_code!(
        CL_INVALID_COMMAND_QUEUE,
        clEnqueueTask(null_mut(), fixed, 0, null(), null_mut())
    );
}

#[test]
fn launches_without_work_items_succeed_and_do_nothing() {
    let session = Session::new();
    let program = session.build(IDS);
    let (ids, out) = (kernel(*program, "ids"), session.buffer(&[0xdead; WORDS]));
    set_argument(*ids, 0, *out);
    let spaces = [
        Space::new(&[0]),
        Space::new(&[0]).local(&[4]),
        Space::new(&[0]).offset(&[9]),
        Space::new(&[4, 0]),
        Space::new(&[4, 0, 2]).local(&[2, 1, 1]),
        Space::new(&[0, 0, 0]),
    ];
    for space in &spaces {
        assert_eq!(space.enqueue(&session, *ids), CL_SUCCESS, "{space:?}");
    }
    assert_eq!(session.read(*out, WORDS), [0xdead; WORDS]);
    check_wait_list(&session, CL_COMMAND_NDRANGE_KERNEL, |count, list, event| {
        call!(clEnqueueNDRangeKernel(
            *session.queue,
            *ids,
            1,
            null(),
            &0,
            null(),
            count,
            list,
            event
        ))
    });
}

#[test]
fn a_launch_without_a_global_size_succeeds_and_does_nothing() {
    let session = Session::new();
    let program = session.build(IDS);
    let (ids, out) = (kernel(*program, "ids"), session.buffer(&[0xdead; WORDS]));
    set_argument(*ids, 0, *out);
    for dimensions in 1..=3 {
        let mut event = null_mut();
        assert_code!(
            CL_SUCCESS,
            clEnqueueNDRangeKernel(
                *session.queue,
                *ids,
                dimensions,
                null(),
                null(),
                null(),
                0,
                null(),
                &mut event
            )
        );
        let event = Owned::event(event);
        assert_code!(CL_SUCCESS, clWaitForEvents(1, &*event));
    }
    assert_eq!(session.read(*out, WORDS), [0xdead; WORDS]);
}

#[test]
fn launching_is_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let program = session.build(IDS);
    let (ids, out) = (kernel(*program, "ids"), session.buffer(&[0; 64 * WORDS]));
    let (queue, ids) = (*session.queue, *ids);
    let size = [4_usize; 4];
    let launch = |queue, kernel, dimensions| {
        call!(clEnqueueNDRangeKernel(
            queue,
            kernel,
            dimensions,
            null(),
            size.as_ptr(),
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(launch(queue, ids, 1), CL_INVALID_KERNEL_ARGS);
    set_argument(ids, 0, *out);
    assert_eq!(launch(queue, ids, 0), CL_INVALID_WORK_DIMENSION);
    assert_eq!(launch(queue, ids, 4), CL_INVALID_WORK_DIMENSION);
    for wrong in [null_mut(), *session.context, *out] {
        assert_eq!(launch(wrong, ids, 1), CL_INVALID_COMMAND_QUEUE);
        assert_eq!(launch(queue, wrong, 1), CL_INVALID_KERNEL);
    }
    let other = Session::new();
    assert_eq!(launch(*other.queue, ids, 1), CL_INVALID_CONTEXT);
}

#[test]
fn index_spaces_are_refused_with_the_code_for_the_reason() {
    let session = Session::new();
    let program = session.build(IDS);
    let (ids, out) = (kernel(*program, "ids"), session.buffer(&[0; 64 * WORDS]));
    set_argument(*ids, 0, *out);
    let most: usize = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MAX_WORK_GROUP_SIZE,
    );
    let sizes = infos::<usize>(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MAX_WORK_ITEM_SIZES,
    );
    let group = CL_INVALID_WORK_GROUP_SIZE;
    let beyond = 2 * sizes[1];
    let wrong = [
        (group, Space::new(&[10]).local(&[4])),
        (group, Space::new(&[8, 9]).local(&[4, 2])),
        (group, Space::new(&[4]).local(&[8])),
        (group, Space::new(&[4]).local(&[0])),
        (group, Space::new(&[4, 4]).local(&[4, 0])),
        (group, Space::new(&[most, 2]).local(&[most, 2])),
        (
            CL_INVALID_WORK_ITEM_SIZE,
            Space::new(&[1, beyond]).local(&[1, beyond]),
        ),
        (
            CL_INVALID_GLOBAL_OFFSET,
            Space::new(&[4]).offset(&[usize::MAX - 2]),
        ),
        (
            CL_INVALID_GLOBAL_OFFSET,
            Space::new(&[4, 4]).offset(&[0, usize::MAX]),
        ),
    ];
    for (code, space) in &wrong {
        assert_eq!(space.enqueue(&session, *ids), *code, "{space:?}");
    }
}

#[test]
fn more_work_items_than_can_be_counted_are_refused() {
    let session = Session::new();
    let program = session.build(IDS);
    let kernel = kernel(*program, "ids");
    let out = session.buffer(&[0; WORDS]);
    set_argument(*kernel, 0, *out);
    // Each dimension is within its limit; their product is 2 to the power of 64, or more.
    for global in [
        [1 << 31, 1 << 31, 4],
        [1 << 22, 1 << 21, 1 << 21],
        [u32::MAX as usize; 3],
    ] {
        for local in [null(), [1_usize; 3].as_ptr()] {
            assert_code!(
                CL_INVALID_GLOBAL_WORK_SIZE,
                clEnqueueNDRangeKernel(
                    *session.queue,
                    *kernel,
                    3,
                    null(),
                    global.as_ptr(),
                    local,
                    0,
                    null(),
                    null_mut()
                )
            );
        }
    }
    assert_eq!(session.read(*out, WORDS), [0; WORDS]);
}

#[test]
fn the_largest_group_runs() {
    let session = Session::new();
    let program = session.build(
        "kernel void turn(global uint *data) {
            local uint all[4096];
            size_t i = get_local_id(0), n = get_local_size(0);
            all[i] = data[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            data[i] = all[n - 1 - i];
        }",
    );
    let most: usize = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MAX_WORK_GROUP_SIZE,
    );
    let items = most.min(4096);
    let turn = kernel(*program, "turn");
    let data = session.buffer(&(0..items as u32).collect::<Vec<_>>());
    set_argument(*turn, 0, *data);
    assert_eq!(
        Space::new(&[items])
            .local(&[items])
            .enqueue(&session, *turn),
        CL_SUCCESS
    );
    let expected: Vec<u32> = (0..items as u32).rev().collect();
    assert_eq!(session.read(*data, items), expected);
}

#[test]
fn launches_wait_for_the_events_of_their_list() {
    let session = Session::new();
    let program = session.build(IDS);
    let (ids, out) = (kernel(*program, "ids"), session.buffer(&[0; 4 * WORDS]));
    set_argument(*ids, 0, *out);
    check_wait_list(&session, CL_COMMAND_NDRANGE_KERNEL, |count, list, event| {
        call!(clEnqueueNDRangeKernel(
            *session.queue,
            *ids,
            1,
            null(),
            &4,
            null(),
            count,
            list,
            event
        ))
    });
    check_wait_list(&session, CL_COMMAND_TASK, |count, list, event| {
        call!(clEnqueueTask(*session.queue, *ids, count, list, event))
    });
}

const ADD: &str = "
    kernel void add(global uint *sum, uint step) { sum[get_global_id(0)] += step; }
    kernel void scale(global uint *to, global const uint *from, uint by) {
        to[get_global_id(0)] = by * from[get_global_id(0)];
    }
    kernel void pass(global uint *to, global const uint *from) {
        size_t i = get_global_id(0);
        to[i + 1] = from[i] + 1;
    }";

#[test]
fn arguments_that_change_after_the_launch_are_those_of_the_next() {
    let session = Session::new();
    let program = session.build(ADD);
    let add = kernel(*program, "add");
    let sums = [session.buffer(&[0; 2]), session.buffer(&[0; 2])];
    let gate = user_event(&session);
    set_argument(*add, 0, *sums[0]);
    for step in 1..=4_u32 {
        set_argument(*add, 1, step);
        drop(launch(*session.queue, *add, 2, &[*gate]));
    }
    set_argument(*add, 0, *sums[1]);
    set_argument(*add, 1, 1000_u32);
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*gate, CL_COMPLETE));
    assert_eq!(session.read(*sums[0], 2), [10, 10]);
    assert_eq!(session.read(*sums[1], 2), [0, 0]);
}

#[test]
fn what_a_launch_needs_may_be_released_once_it_is_enqueued() {
    let session = Session::new();
    let gate = user_event(&session);
    let result = session.buffer(&[0; 4]);
    let program = session.build(ADD);
    let scale = kernel(*program, "scale");
    let from = session.buffer(&[1, 2, 3, 4]);
    set_argument(*scale, 0, *result);
    set_argument(*scale, 1, *from);
    set_argument(*scale, 2, 7_u32);
    drop(launch(*session.queue, *scale, 4, &[*gate]));
    drop((from, scale, program));
    assert_code!(CL_SUCCESS, clSetUserEventStatus(*gate, CL_COMPLETE));
    assert_eq!(session.read(*result, 4), [7, 14, 21, 28]);
}

#[test]
fn the_same_buffer_may_be_two_arguments() {
    let session = Session::new();
    let program = session.build(ADD);
    let data = session.buffer(&[1, 2, 3, 4]);
    let scale = kernel(*program, "scale");
    set_argument(*scale, 0, *data);
    set_argument(*scale, 1, *data);
    set_argument(*scale, 2, 10_u32);
    drop(session.launch(*scale, 4));
    assert_eq!(session.read(*data, 4), [10, 20, 30, 40]);
    // One work-item per launch: each sees what the one before has written.
    let chain = session.buffer(&[5, 0, 0, 0]);
    let pass = kernel(*program, "pass");
    set_argument(*pass, 0, *chain);
    set_argument(*pass, 1, *chain);
    for at in 0..3 {
        assert_eq!(
            Space::new(&[1]).offset(&[at]).enqueue(&session, *pass),
            CL_SUCCESS
        );
    }
    assert_eq!(session.read(*chain, 4), [5, 6, 7, 8]);
}

#[test]
fn a_kernel_that_reads_what_it_writes_through_two_arguments_does_so_in_order() {
    let session = Session::new();
    let program = session.build(
        "kernel void walk(global uint *to, global const uint *from) {
            for (int i = 0; i < 15; i++)
                to[i + 1] = from[i] + 1;
        }",
    );
    let walk = kernel(*program, "walk");
    let data = session.buffer(&[100; 16]);
    set_argument(*walk, 0, *data);
    set_argument(*walk, 1, *data);
    drop(session.launch(*walk, 1));
    assert_eq!(session.read(*data, 16), (100..116).collect::<Vec<u32>>());
}

#[test]
fn functions_of_the_host_are_not_launched() {
    let session = Session::new();
    unsafe extern "C" fn nothing(_data: *mut std::ffi::c_void) {}
    let enqueue = |queue, function| {
        call!(clEnqueueNativeKernel(
            queue,
            function,
            null_mut(),
            0,
            0,
            null(),
            null(),
            0,
            null(),
            null_mut()
        ))
    };
    assert_eq!(enqueue(*session.queue, Some(nothing)), CL_INVALID_OPERATION);
    assert_eq!(enqueue(null_mut(), Some(nothing)), CL_INVALID_COMMAND_QUEUE);
}
