//! Reading, writing and copying boxes of bytes.

use crate::boxes::*;
use crate::random::Random;
use crate::support::*;
use opencl_sys::*;

fn random_region(random: &mut Random) -> [usize; 3] {
    [
        1 + random.below(6),
        1 + random.below(4),
        1 + random.below(3),
    ]
}

/// A layout for a box, with what it needs beside and around.
fn random_layout(random: &mut Random, [width, height, _]: [usize; 3]) -> Layout {
    let row = if random.below(3) == 0 {
        0
    } else {
        width + random.below(4)
    };
    let rows = height + random.below(3);
    let pitch = if row == 0 { width } else { row };
    let slice = if random.below(3) == 0 {
        0
    } else {
        rows * pitch
    };
    let origin = [random.below(5), random.below(3), random.below(2)];
    Layout::new(origin, row, slice)
}

/// The byte behind the last of a list.
fn end(offsets: &[usize]) -> usize {
    offsets.iter().max().map_or(0, |last| last + 1)
}

#[test]
fn random_boxes_are_read_and_written_as_by_a_model() {
    let session = Session::new();
    let mut random = Random::new(2);
    for _ in 0..200 {
        let region = random_region(&mut random);
        let buffer_layout = random_layout(&mut random, region);
        let host_layout = random_layout(&mut random, region);
        let it = Transfer {
            region,
            buffer: buffer_layout,
            host: host_layout,
        };
        let (inside, outside) = (buffer_layout.offsets(region), host_layout.offsets(region));
        // As large as the box needs, so that a byte too far is one too many.
        let mut stored = random.bytes(end(&inside));
        let mut host = random.bytes(end(&outside));
        let mem = buffer(&session, &stored);
        if random.below(2) == 0 {
            let mut expected = host.clone();
            for (&from, &to) in inside.iter().zip(&outside) {
                expected[to] = stored[from];
            }
            check(read_box(
                How::now(*session.queue),
                *mem,
                it,
                host.as_mut_ptr().cast(),
            ));
            assert_eq!(
                host, expected,
                "{region:?} {buffer_layout:?} {host_layout:?}"
            );
        } else {
            for (&to, &from) in inside.iter().zip(&outside) {
                stored[to] = host[from];
            }
            check(write_box(
                How::now(*session.queue),
                *mem,
                it,
                host.as_ptr().cast(),
            ));
        }
        assert_eq!(bytes(&session, *mem, stored.len()), stored);
    }
}

#[test]
fn random_boxes_are_copied_between_buffers_as_by_a_model() {
    let session = Session::new();
    let mut random = Random::new(3);
    for _ in 0..200 {
        let region = random_region(&mut random);
        let (source, target) = (
            random_layout(&mut random, region),
            random_layout(&mut random, region),
        );
        let (from, to) = (source.offsets(region), target.offsets(region));
        let (old, mut new) = (random.bytes(end(&from)), random.bytes(end(&to)));
        let (first, second) = (buffer(&session, &old), buffer(&session, &new));
        check(copy_box(
            How::now(*session.queue),
            region,
            (*first, source),
            (*second, target),
        ));
        for (&from, &to) in from.iter().zip(&to) {
            new[to] = old[from];
        }
        assert_eq!(bytes(&session, *second, new.len()), new);
        assert_eq!(bytes(&session, *first, old.len()), old);
    }
}

#[test]
fn boxes_in_the_same_buffer_are_copied_unless_they_overlap() {
    let session = Session::new();
    let mut random = Random::new(4);
    let mut outcomes = [0; 2];
    for _ in 0..300 {
        let region = random_region(&mut random);
        let source = random_layout(&mut random, region);
        let origin = [random.below(14), random.below(5), random.below(4)];
        // The same pitches, as the specification wants them.
        let target = Layout { origin, ..source };
        let (from, to) = (source.offsets(region), target.offsets(region));
        let mut stored = random.bytes(end(&from).max(end(&to)));
        let mem = buffer(&session, &stored);
        let overlaps = from.iter().any(|it| to.contains(it));
        let code = copy_box(
            How::now(*session.queue),
            region,
            (*mem, source),
            (*mem, target),
        );
        let expected = if overlaps {
            CL_MEM_COPY_OVERLAP
        } else {
            CL_SUCCESS
        };
        // The specification's own test takes some boxes that only touch for overlapping.
        let is_span = |it: &[usize], other: &[usize]| it[0] < end(other) && other[0] < end(it);
        if overlaps || !is_span(&from, &to) {
            assert_eq!(code, expected, "{region:?} {source:?} {target:?}");
        }
        outcomes[usize::from(overlaps)] += 1;
        if code == CL_SUCCESS {
            let old = stored.clone();
            for (&from, &to) in from.iter().zip(&to) {
                stored[to] = old[from];
            }
        }
        assert_eq!(bytes(&session, *mem, stored.len()), stored);
    }
    assert!(
        outcomes.iter().all(|&count| count > 20),
        "both happen: {outcomes:?}"
    );
}

#[test]
fn boxes_beside_each_other_in_the_same_rows_do_not_overlap() {
    let session = Session::new();
    let stored: Vec<u8> = (0..64).collect();
    let mem = buffer(&session, &stored);
    let layout = |x, y| Layout::new([x, y, 0], 8, 0);
    let (left, right) = (layout(0, 0), layout(4, 0));
    check(copy_box(
        How::now(*session.queue),
        [4, 8, 1],
        (*mem, left),
        (*mem, right),
    ));
    let expected: Vec<u8> = (0..64).map(|at| at / 8 * 8 + at % 4).collect();
    assert_eq!(bytes(&session, *mem, 64), expected);
    let code = copy_box(
        How::now(*session.queue),
        [4, 7, 1],
        (*mem, left),
        (*mem, layout(3, 1)),
    );
    assert_eq!(code, CL_MEM_COPY_OVERLAP);
}

#[test]
fn boxes_of_sub_buffers_lie_where_these_do() {
    let session = Session::new();
    let align: u32 = info(
        clGetDeviceInfo,
        session.device,
        CL_DEVICE_MEM_BASE_ADDR_ALIGN,
    );
    let align = align as usize / 8;
    let mut random = Random::new(5);
    let mut stored = random.bytes(3 * align);
    let parent = buffer(&session, &stored);
    let part = |origin, size| {
        let region = cl_buffer_region { origin, size };
        let (kind, region) = (CL_BUFFER_CREATE_TYPE_REGION, &raw const region);
        let made = make!(clCreateSubBuffer(*parent, 0, kind, region.cast()));
        Owned::new(made.expect("a sub-buffer"), clReleaseMemObject)
    };
    let (first, second) = (part(0, align), part(2 * align, align));
    let (source, target) = (Layout::new([1, 1, 0], 8, 16), Layout::new([2, 0, 0], 5, 0));
    let region = [3, 2, 2];
    check(copy_box(
        How::now(*session.queue),
        region,
        (*first, source),
        (*second, target),
    ));
    for (from, to) in source
        .offsets(region)
        .into_iter()
        .zip(target.offsets(region))
    {
        stored[2 * align + to] = stored[from];
    }
    assert_eq!(bytes(&session, *parent, 3 * align), stored);
    let overlapping = part(align, 2 * align);
    let there = Layout::new([0; 3], align, 0);
    let here = Layout {
        origin: [0, 1, 0],
        ..there
    };
    let code = copy_box(
        How::now(*session.queue),
        [4, 1, 1],
        (*second, there),
        (*overlapping, here),
    );
    assert_eq!(code, CL_MEM_COPY_OVERLAP);
}
