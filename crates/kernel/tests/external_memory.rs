//! Circuits work in the buffers themselves: on parts of them, on parts that overlap, and never
//! beyond their ends.

use sluice_circuit::dram::Direction;
use sluice_circuit::target::Target;
use sluice_kernel::analysis::annotate_objects;
use sluice_kernel::interp::{self, Checks, Fault};
use sluice_kernel::launch::host::{Near, OutOfBounds, Violation, Violations};
use sluice_kernel::launch::simulate::{self, Bounds, CycleLimit, simulate};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::lower;
use sluice_kernel::plan::{Buffers, Plan};
use sluice_kernel::prepare::prepare;
use sluice_kernel::{Optimised, Program, passes, text, verify};

fn parse(source: &str) -> Optimised {
    let mut kernel = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    annotate_objects(&mut kernel);
    verify::verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
    passes::skip(kernel)
}

fn launch(items: u64, args: Vec<Argument>) -> Launch {
    Launch {
        range: NdRange {
            dims: 1,
            global: [items, 1, 1],
            local: [1; 3],
            offset: [0; 3],
        },
        args,
    }
}

/// Runs a launch on the circuit that is made for it.
fn circuit(kernel: &Optimised, launch: &Launch, memory: &Memory) -> simulate::Outcome {
    let plan = Plan::for_launch(launch, memory);
    let lowered = prepare(&Program::of(kernel.clone()), &plan, &Target::ECP5)
        .and_then(|it| lower(&it))
        .unwrap_or_else(|why| panic!("{why}"));
    let options = simulate::Options {
        limit: CycleLimit::Cycles(1_000_000),
        ..simulate::Options::default()
    };
    simulate(kernel, &lowered, launch, memory, &options).unwrap_or_else(|stop| panic!("{stop}"))
}

fn numbers(len: usize, seed: u8) -> Vec<u8> {
    (0..len)
        .map(|at| (at as u8).wrapping_mul(7) ^ seed)
        .collect()
}

/// `b[id + to] = a[id + from] + 1`, for bytes.
const COPY: &str = r#"kernel "copy"
file "k.cl"
param "a" "uchar*" buffer m0 uchar
param "b" "uchar*" buffer m1 uchar
param "from" "long" value long
param "to" "long" value long
object m0 "a" buffer 0 global align 1
object m1 "b" buffer 1 global align 1
{
b0:
  v12: i32 = global_id 0
  v0: i64 = zext v12
  v1: ptr.global = addr m0
  v2: i64 = arg 2
  v3: i64 = add v0, v2
  v4: ptr.global = ptradd v1, v3
  v5: i8 = load i8 v4 align 1 {} !2:3
  v6: ptr.global = addr m1
  v7: i64 = arg 3
  v8: i64 = add v0, v7
  v9: ptr.global = ptradd v6, v8
  v10: i8 = const 1
  v11: i8 = add v5, v10
  store i8 v9, v11 align 1 {} !3:4
  return
}
"#;

/// What a launch of [`COPY`] leaves in `b`, and what it did elsewhere.
struct Copied {
    bytes: Vec<u8>,
    violations: Violations,
    /// Accesses outside of their buffers, as the interpreter counts them.
    expected: u64,
}

/// Copies `items` bytes between fresh buffers, on the interpreter and on a circuit.
fn copy(size: usize, items: u64, from: i64, to: i64) -> Copied {
    let kernel = parse(COPY);
    let prepare = || {
        let mut memory = Memory::new();
        let a = memory.add(Buffer::from_bytes(&numbers(size, 1)));
        let b = memory.add(Buffer::from_bytes(&numbers(size, 2)));
        let value = |value: i64| Argument::Value([value as u64].into_iter().collect());
        let args = vec![
            Argument::Buffer(a),
            Argument::Buffer(b),
            value(from),
            value(to),
        ];
        (launch(items, args), memory, [a, b])
    };
    let options = interp::Options {
        checks: Checks::default(),
        ..interp::Options::default()
    };
    let (wanted, expected, ids) = prepare();
    let outcome = interp::run(&kernel, &wanted, &expected, &options).expect("nothing is checked");
    let (wanted, found, _) = prepare();
    let violations = circuit(&kernel, &wanted, &found).violations;
    for id in ids {
        let (found, expected) = (found.buffer(id).to_bytes(), expected.buffer(id).to_bytes());
        assert_eq!(
            found, expected,
            "{size} bytes, {items} from {from} to {to}: {id}"
        );
    }
    Copied {
        bytes: found.buffer(ids[1]).to_bytes(),
        violations,
        expected: outcome.violations,
    }
}

#[test]
fn buffers_of_odd_sizes_are_read_and_written_to_their_last_byte() {
    for size in [1, 3, 5, 63, 64, 65, 200] {
        let copied = copy(size, size as u64, 0, 0);
        let expected: Vec<u8> = numbers(size, 1).iter().map(|n| n.wrapping_add(1)).collect();
        assert_eq!(copied.bytes, expected);
        assert_eq!(copied.violations, Violations::default(), "{size} bytes");
    }
}

#[test]
fn beyond_the_end_zero_is_read_and_nothing_written() {
    for size in [1_usize, 3, 5, 63, 65] {
        let past_lines = size.next_multiple_of(64) as i64;
        for (from, to) in [
            (size as i64 - 1, 0),
            (0, size as i64 - 1),
            (past_lines, past_lines),
            (-1, -2),
            (-64, -130),
        ] {
            let copied = copy(size, size as u64 + 2, from, to);
            assert!(copied.expected > 0);
        }
    }
}

#[test]
fn what_is_written_beyond_the_end_is_counted_and_named() {
    let near = |offset| Near {
        name: "b".into(),
        offset,
        size: 65,
    };
    for (items, to, writes, offset) in [
        (66, 0, 1, 65),
        (65, 10, 1, 65),
        (65, 64, 2, 65),
        (65, 128, 2, 128),
        (10, -3, 1, -3),
        (65, -64, 1, -64),
    ] {
        let Violations {
            reads: _,
            writes: found,
            first,
        } = copy(65, items, 0, to).violations;
        let first = first.unwrap_or_else(|| panic!("{items} to {to}: nothing was noticed"));
        assert_eq!(
            (found, first.direction),
            (writes, Direction::Write),
            "{items} to {to}"
        );
        assert_eq!(first.near, Some(near(offset)), "{items} to {to}");
    }
}

#[test]
fn lines_that_are_read_beyond_the_end_are_counted_and_named() {
    let Violations {
        reads,
        writes,
        first,
    } = copy(65, 65, 192, 0).violations;
    // The third line behind the end of the second, and the one after it.
    assert_eq!((reads, writes), (2, 0));
    let Some(Violation {
        direction: Direction::Read,
        near: Some(Near { name, offset, .. }),
        ..
    }) = first
    else {
        panic!("it is known where: {first:?}");
    };
    assert_eq!((name.as_str(), offset), ("a", 192));
}

/// Each work-item changes its own word by two names in turn: `a[id + 32]` and `b[id]`.
const TWO_NAMES: &str = r#"kernel "two_names"
file "k.cl"
param "a" "uint*" buffer m0 uint
param "b" "uint*" buffer m1 uint
object m0 "a" buffer 0 global align 4
object m1 "b" buffer 1 global align 4
{
b0:
  v0: i32 = global_id 0
  v1: i32 = const 2
  v2: i32 = shl v0, v1
  v3: i32 = const 128
  v4: i32 = add v2, v3
  v5: ptr.global = addr m0
  v6: ptr.global = ptradd v5, v4
  v7: ptr.global = addr m1
  v8: ptr.global = ptradd v7, v2
  v9: i32 = load i32 v6 align 4 {}
  v10: i32 = add v9, v0
  store i32 v6, v10 align 4 {}
  v11: i32 = load i32 v8 align 4 {}
  v12: i32 = mul v11, v11
  store i32 v8, v12 align 4 {}
  v13: i32 = load i32 v6 align 4 {}
  v14: i32 = xor v13, v9
  store i32 v6, v14 align 4 {}
  return
}
"#;

#[test]
fn parts_that_overlap_are_one_memory() {
    let kernel = parse(TWO_NAMES);
    let prepare = |shift: usize| {
        let whole = Buffer::from_bytes(&numbers(1024, 3));
        let mut memory = Memory::new();
        let args = [whole.part(128, 512), whole.part(128 + shift, 512)];
        let args = args.map(|part| Argument::Buffer(memory.add(part)));
        (whole, launch(96, args.to_vec()), memory)
    };
    let (whole, wanted, memory) = prepare(128);
    assert_eq!(Buffers::of(&wanted, &memory), Buffers::MayAlias);
    circuit(&kernel, &wanted, &memory);
    let (expected, wanted, memory) = prepare(128);
    interp::run(&kernel, &wanted, &memory, &interp::Options::default()).expect("it runs");
    assert_eq!(whole.to_bytes(), expected.to_bytes());
    let word = |at: usize| {
        let mut word = [0; 4];
        expected.read(256 + 4 * at, &mut word);
        u32::from_le_bytes(word)
    };
    let before = numbers(1024, 3);
    let before = before[256..].chunks(4).take(96).enumerate();
    for (at, bytes) in before.map(|(at, bytes)| (at, bytes.try_into().expect("a word"))) {
        let old = u32::from_le_bytes(bytes);
        let sum = old.wrapping_add(at as u32);
        assert_eq!(word(at), sum.wrapping_mul(sum) ^ old, "word {at}");
    }
    assert_eq!(whole.to_bytes()[..256], numbers(1024, 3)[..256]);
}

#[test]
fn parts_that_do_not_overlap_may_have_caches_of_their_own() {
    let whole = Buffer::from_bytes(&numbers(1024, 4));
    let mut memory = Memory::new();
    let [a, b, c] =
        [(0, 512), (512, 512), (508, 4)].map(|(at, len)| memory.add(whole.part(at, len)));
    assert!(!memory.overlap(a, b) && memory.overlap(a, c) && !memory.overlap(b, c));
    let wanted = launch(96, vec![Argument::Buffer(a), Argument::Buffer(b)]);
    assert_eq!(Buffers::of(&wanted, &memory), Buffers::Disjoint);
    let kernel = parse(TWO_NAMES);
    let outcome = circuit(&kernel, &wanted, &memory);
    assert!(outcome.violations.is_empty());
    let expected = Buffer::from_bytes(&numbers(1024, 4));
    let mut parts = Memory::new();
    for at in [0, 512] {
        parts.add(expected.part(at, 512));
    }
    interp::run(&kernel, &wanted, &parts, &interp::Options::default()).expect("it runs");
    assert_eq!(whole.to_bytes(), expected.to_bytes());
}

#[test]
fn the_interpreter_sees_races_through_different_parts() {
    let kernel = parse(TWO_NAMES);
    let run = |shift: usize| {
        let whole = Buffer::uninitialised(1024);
        whole.mark_initialised();
        let mut memory = Memory::new();
        let args = [whole.part(0, 512), whole.part(shift, 512)];
        let args = args.map(|part| Argument::Buffer(memory.add(part)));
        let options = interp::Options {
            checks: Checks::ALL,
            ..interp::Options::default()
        };
        interp::run(&kernel, &launch(96, args.to_vec()), &memory, &options).map(|_| ())
    };
    assert_eq!(run(128), Ok(()), "every work-item has its own word");
    assert_eq!(run(512), Ok(()), "the parts do not overlap");
    assert!(matches!(run(132), Err(Fault::Race { .. })));
}

#[test]
fn what_is_written_through_one_part_is_initialised_in_the_other() {
    let kernel = parse(COPY);
    let run = |written: &[u8]| {
        let whole = Buffer::uninitialised(128);
        for &byte in written {
            whole.part(64, 4).write(1, &[byte]);
        }
        let mut memory = Memory::new();
        let args = [whole.part(0, 64), whole.part(64, 64)];
        let mut args = args.map(|part| Argument::Buffer(memory.add(part))).to_vec();
        args.extend([0, 0].map(|bits| Argument::Value([bits].into_iter().collect())));
        let options = interp::Options {
            checks: Checks::ALL,
            ..interp::Options::default()
        };
        interp::run(&kernel, &launch(4, args), &memory, &options).map(|_| ())
    };
    assert!(matches!(run(&[]), Err(Fault::Uninitialised { .. })));
    assert_eq!(run(&[7]), Ok(()));
}

#[test]
fn wrong_indices_do_not_reach_other_buffers() {
    for far in [1 << 12, 40_960, 1 << 20, 1 << 24, 1 << 31, 1 << 35] {
        for (from, to) in [(far, 0), (-far, 0), (0, far), (0, -far)] {
            let copied = copy(65, 65, from, to);
            assert_eq!(copied.expected, 65);
            let Violations { reads, writes, .. } = copied.violations;
            let expected = [from, to].map(|distance| distance != 0);
            assert_eq!([reads > 0, writes > 0], expected, "from {from} to {to}");
        }
    }
}

/// The accesses of a launch that leave their buffers, as a circuit's watch counts them.
fn watched(kernel: &Optimised, launch: &Launch, memory: &Memory) -> OutOfBounds {
    let plan = Plan::for_launch(launch, memory);
    let lowered = prepare(&Program::of(kernel.clone()), &plan, &Target::ECP5)
        .and_then(|it| lower(&it))
        .unwrap_or_else(|why| panic!("{why}"));
    let options = simulate::Options {
        limit: CycleLimit::Cycles(1_000_000),
        bounds: Bounds::Accesses,
        ..simulate::Options::default()
    };
    let outcome = simulate(kernel, &lowered, launch, memory, &options);
    let outcome = outcome.unwrap_or_else(|stop| panic!("{stop}"));
    outcome.out_of_bounds.expect("it was asked for")
}

#[test]
fn every_access_that_leaves_its_buffer_is_counted_with_its_line() {
    let kernel = parse(COPY);
    for (from, to, reads, writes, first) in [
        (0, 0, 0, 0, None),
        (
            3,
            0,
            3,
            0,
            Some("read of 1 bytes at byte 65 of `a` (65 bytes), k.cl:2:3"),
        ),
        (
            0,
            60,
            0,
            60,
            Some("write of 1 bytes at byte 65 of `b` (65 bytes), k.cl:3:4"),
        ),
        (
            0,
            -2,
            0,
            2,
            Some("write of 1 bytes at byte -2 of `b` (65 bytes), k.cl:3:4"),
        ),
        (
            -1,
            0,
            1,
            0,
            Some("read of 1 bytes at byte -1 of `a` (65 bytes), k.cl:2:3"),
        ),
        (
            1 << 35,
            0,
            65,
            0,
            Some("read of 1 bytes at byte 34359738368 of `a` (65 bytes), k.cl:2:3"),
        ),
    ] {
        let mut memory = Memory::new();
        let buffers = [1, 2].map(|seed| memory.add(Buffer::from_bytes(&numbers(65, seed))));
        let mut args = buffers.map(Argument::Buffer).to_vec();
        let values = [from, to].map(|value: i64| value as u64);
        args.extend(values.map(|value| Argument::Value([value].into_iter().collect())));
        let found = watched(&kernel, &launch(65, args), &memory);
        assert_eq!(
            (found.reads, found.writes, found.atomics),
            (reads, writes, 0),
            "{from} {to}"
        );
        let message = found.first.map(|first| first.to_string());
        let first = first.map(|first| format!("out-of-bounds {first}"));
        assert_eq!(message, first, "{from} {to}");
    }
}

#[test]
fn accesses_that_leave_a_part_for_the_next_one_are_counted() {
    let kernel = parse(TWO_NAMES);
    let whole = Buffer::from_bytes(&numbers(1024, 5));
    let mut memory = Memory::new();
    // `a[id + 32]` is beyond its end for the last 32 work-items, in what is the other part.
    let args = [whole.part(0, 384), whole.part(384, 384)];
    let args = args.map(|part| Argument::Buffer(memory.add(part)));
    let wanted = launch(96, args.to_vec());
    let found = watched(&kernel, &wanted, &memory);
    assert_eq!((found.reads, found.writes), (2 * 32, 2 * 32));
    let first = found
        .first
        .and_then(|first| first.near)
        .expect("it is known where");
    assert_eq!((first.name.as_str(), first.offset), ("a", 384));
    let seen = circuit(&kernel, &wanted, &memory).violations;
    assert!(seen.is_empty(), "the memory sees nothing of it: {seen:?}");
}

#[test]
fn atomic_operations_and_null_pointers_are_watched() {
    let source = r#"kernel "count"
file "k.cl"
param "a" "uint*" buffer m0 uint
param "b" "uint*" buffer m1 uint
object m0 "a" buffer 0 global align 4
object m1 "b" buffer 1 global align 4
{
b0:
  v0: i32 = global_id 0
  v1: i32 = const 2
  v2: i32 = shl v0, v1
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v2
  v5: i32 = atomic add v4, v0 {} !7:1
  v6: ptr.global = addr m1
  v7: ptr.global = ptradd v6, v2
  store i32 v7, v5 align 4 {} !8:2
  return
}
"#;
    let kernel = parse(source);
    let mut memory = Memory::new();
    let a = memory.add(Buffer::from_bytes(&numbers(40, 1)));
    let args = vec![Argument::Buffer(a), Argument::Null];
    for (items, atomics, first) in [
        (
            12,
            2,
            "atomic access of 4 bytes at byte 40 of `a` (40 bytes), k.cl:7:1",
        ),
        (10, 0, "write of 4 bytes through a null pointer, k.cl:8:2"),
    ] {
        let found = watched(&kernel, &launch(items, args.clone()), &memory);
        assert_eq!(
            (found.reads, found.writes, found.atomics),
            (0, items, atomics)
        );
        let message = found.first.expect("there is one").to_string();
        assert_eq!(message, format!("out-of-bounds {first}"));
    }
}
