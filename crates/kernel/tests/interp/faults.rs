use sluice_kernel::{
    interp::{Checks, Fault, Findings},
    launch::{Argument, Buffer},
};

use crate::support::{OWN_WORD, Setup, setup, with_out};

fn own_word(objects: &str, body: &str) -> Setup {
    setup(&with_out(objects, &format!("{OWN_WORD}{body}")))
}

fn message(setup: &Setup, items: u64, local: u64) -> String {
    setup.run(items, local).expect_err("a fault").to_string()
}

const STORE: &str = "
  store i32 v2, v1 align 4 {m0} !5:10
  return
";

#[test]
fn out_of_bounds_writes_are_reported_or_ignored() {
    let mut setup = own_word("", STORE);
    let out = setup.words([0; 16]);
    assert_eq!(
        message(&setup, 20, 1),
        "out-of-bounds write of 4 bytes at byte 64 of `out` (64 bytes), work-item (16,0,0), k.cl:5:10"
    );
    setup.options.checks = Checks::default();
    let outcome = setup.run(20, 1).expect("counted");
    assert_eq!(outcome.violations, 4);
    assert_eq!(setup.read(out), (0..16).collect::<Vec<u32>>());
}

#[test]
fn out_of_bounds_reads_are_reported_or_read_zero() {
    let mut setup = own_word(
        "object m1 \"table\" table align 4 x\"0100000002000000ff\"",
        "
  v3: ptr.constant = addr m1
  v4: i64 = const -4
  v5: ptr.constant = ptradd v3, v4
  v6: ptr.constant = ptradd v5, v901
  v7: i32 = load i32 v6 align 4 {m1} !3:4
  store i32 v2, v7 align 4 {m0}
  return
",
    );
    let out = setup.words([9; 4]);
    assert_eq!(
        message(&setup, 4, 4),
        "out-of-bounds read of 4 bytes at byte -4 of `table` (9 bytes), work-item (0,0,0), k.cl:3:4"
    );
    setup.options.checks = Checks::default();
    let outcome = setup.run(4, 4).expect("counted");
    // The last one would read one byte of the table and three beyond.
    assert_eq!(outcome.violations, 2);
    assert_eq!(setup.read(out), [0, 1, 2, 0]);
}

#[test]
fn a_vector_that_is_partly_outside_is_not_stored_at_all() {
    let mut setup = own_word(
        "",
        "
  v3: ptr.global = ptradd v2, v901
  store i32x2 v3, v1, v1 align 4 {m0} !5:10
  return
",
    );
    setup.options.checks = Checks::default();
    let out = setup.words([7; 5]);
    let outcome = setup.run(3, 3).expect("counted");
    assert_eq!(outcome.violations, 1);
    assert_eq!(setup.read(out), [0, 0, 1, 1, 7]);
}

/// Half-words at odd places: every other one is misaligned.
const HALVES: &str = "
  v3: ptr.global = ptradd v902, v0
  v4: i16 = trunc v0
  store i16 v3, v4 align 2 {m0} !5:10
  v5: i32, v6: i32 = load i32x2 v902 align 8 {m0} !6:1
  return
";

#[test]
fn misaligned_accesses_are_reported_or_ignored() {
    let mut setup = own_word("", HALVES);
    let out = setup.words([0; 2]);
    assert_eq!(
        message(&setup, 4, 4),
        "misaligned write of 2 bytes at byte 1 of `out`, which is no multiple of 2, work-item (1,0,0), k.cl:5:10"
    );
    setup.options.checks = Checks::default();
    let outcome = setup.run(4, 4).expect("counted");
    assert_eq!(outcome.violations, 2);
    assert_eq!(setup.read(out), [0x0002_0000, 0]);
}

#[test]
fn where_a_guard_fails_nothing_is_accessed() {
    let mut setup = own_word(
        "",
        "
  v3: i1 = trunc v0
  v4: i32 = load i32 v2 align 4 {m0} if v3
  v5: i32 = atomic add v2, v1 {m0} if v3
  v6: i32 = add v4, v5
  v7: i64 = const 4096
  v8: ptr.global = ptradd v902, v7
  v9: i1 = const 0
  store i32 v8, v6 align 4 {m0} if v9
  store i32 v2, v6 align 4 {m0} if v3
  return
",
    )
    .checked();
    let out = setup.words([7; 4]);
    setup.run(4, 4).expect("what is outside is not accessed");
    assert_eq!(setup.read(out), [7, 14, 7, 14]);
}

#[test]
fn findings_are_collected_once_for_each_place() {
    let mut setup = own_word(
        "",
        "
  v3: ptr.global = ptradd v2, v901
  store i32 v3, v1 align 4 {m0} !5:10
  v4: i64 = const 4
  v5: ptr.global = ptradd v902, v4
  v6: i32 = load i32 v5 align 4 {m0} !6:1
  store i32 v902, v6 align 4 {m0} !7:1
  return
",
    )
    .checked();
    let findings: &'static Findings = Box::leak(Box::new(Findings::new(2)));
    setup.options.findings = Some(findings);
    setup.words([0; 4]);
    setup.run(4, 4).expect("faults are collected");
    let found = findings.list();
    let messages: Vec<String> = found.iter().map(|it| it.fault.to_string()).collect();
    assert_eq!(
        messages,
        [
            "out-of-bounds write of 4 bytes at byte 16 of `out` (16 bytes), work-item (2,0,0), k.cl:5:10",
            "data race at byte 0 of `out`: write by work-item (0,0,0), k.cl:7:1 and write by work-item (1,0,0), k.cl:7:1",
        ]
    );
    assert_eq!(found[0].count, 2);
    assert_eq!(findings.others(), 0);
}

#[test]
fn null_pointers_are_reported() {
    let mut setup = own_word("", STORE);
    setup.args.push(Argument::Null);
    assert_eq!(
        message(&setup, 4, 4),
        "write of 4 bytes through a null pointer, work-item (0,0,0), k.cl:5:10"
    );
    setup.options.checks = Checks::default();
    assert_eq!(setup.run(4, 4).expect("counted").violations, 4);
}

#[test]
fn wild_pointers_are_reported() {
    let mut setup = own_word(
        "",
        "
  v3: i64 = const 0x7777000000000000
  v4: ptr.global = inttoptr v3
  store i32 v4, v1 align 4 {m0} !5:10
  return
",
    );
    setup.words([0]);
    assert_eq!(
        message(&setup, 1, 1),
        "write of 4 bytes at 0x7777000000000000, which is in no object, work-item (0,0,0), k.cl:5:10"
    );
}

#[test]
fn writes_to_tables_are_reported_or_ignored() {
    let mut setup = own_word(
        "object m1 \"table\" table align 4 x\"01000000\"",
        "
  v3: ptr.constant = addr m1
  v4: i64 = ptrtoint v3
  v5: ptr.global = inttoptr v4
  store i32 v5, v1 align 4 {m0} !5:10
  v6: i32 = load i32 v3 align 4 {m1}
  store i32 v2, v6 align 4 {m0}
  return
",
    );
    let out = setup.words([0]);
    assert_eq!(
        message(&setup, 1, 1),
        "write of 4 bytes at byte 0 of `table`, which is not among the objects of the access, work-item (0,0,0), k.cl:5:10"
    );
    setup.options.checks = Checks::default();
    setup.run(1, 1).expect("counted");
    assert_eq!(setup.read(out), [1]);
}

#[test]
fn reads_of_unwritten_memory_are_reported() {
    let body = "
  v3: ptr.local = addr m1
  v4: i32 = const 0
  v5: i1 = eq v1, v4
  branch v5, b1, b2
b1:
  store i16 v3, v6 align 2 {m1} !3:3
  jump b2
b2:
  barrier local
  v7: i32 = load i32 v3 align 4 {m1} !5:9
  store i32 v2, v7 align 4 {m0}
  return
";
    let body = body.replace("  branch v5", "  v6: i16 = const 1\n  branch v5");
    let mut setup = own_word("object m1 \"x\" local size 4 align 4", &body).checked();
    setup.words([0; 8]);
    assert_eq!(
        message(&setup, 8, 4),
        "read of byte 2 of `x`, which has not been written, work-item (0,0,0), k.cl:5:9"
    );
    setup.options.checks.uninitialised = false;
    setup.run(8, 4).expect("nothing else is wrong");
}

#[test]
fn reads_of_uninitialised_buffers_are_reported() {
    let body = "
  v3: i32 = load i32 v2 align 4 {m0} !2:2
  store i32 v2, v3 align 4 {m0} !2:1
  return
";
    let mut setup = own_word("", body).checked();
    let id = setup.memory.add(Buffer::uninitialised(16));
    setup.args.push(Argument::Buffer(id));
    assert_eq!(
        message(&setup, 4, 4),
        "read of byte 0 of `out`, which has not been written, work-item (0,0,0), k.cl:2:2"
    );
}

#[test]
fn private_memory_of_the_next_work_item_is_uninitialised_again() {
    let body = "
  v3: ptr.private = addr m1
  v4: i32 = const 3
  v5: i1 = ult v1, v4
  branch v5, b1, b2
b1:
  store i32 v3, v1 align 4 {m1}
  jump b2
b2:
  v6: i32 = load i32 v3 align 4 {m1} !4:4
  store i32 v2, v6 align 4 {m0}
  return
";
    let mut setup = own_word("object m1 \"x\" private size 4 align 4", body).checked();
    setup.words([0; 4]);
    assert_eq!(
        message(&setup, 4, 1),
        "read of byte 0 of `x`, which has not been written, work-item (3,0,0), k.cl:4:4"
    );
}

/// Each work-item writes a word of local memory and reads its neighbour's.
const NEIGHBOUR: &str = "
  v3: i64 = local_id 0
  v4: i64 = shl v3, v900
  v5: ptr.local = addr m1
  v6: ptr.local = ptradd v5, v4
  store i32 v6, v1 align 4 {m1} !3:3
  BARRIER
  v7: i64 = const 4
  v8: i64 = xor v4, v7
  v9: ptr.local = ptradd v5, v8
  v10: i32 = load i32 v9 align 4 {m1} !5:5
  store i32 v2, v10 align 4 {m0}
  return
";

#[test]
fn accesses_that_no_barrier_orders_are_races() {
    let local = "object m1 \"tile\" local size 8 align 4";
    let race = "data race at byte 4 of `tile`: write by work-item (1,0,0), k.cl:3:3 and read by work-item (0,0,0), k.cl:5:5";
    for (barrier, expected) in [
        ("fence local", Some(race)),
        ("barrier global", Some(race)),
        ("barrier local", None),
    ] {
        let mut setup = own_word(local, &NEIGHBOUR.replace("BARRIER", barrier)).checked();
        setup.words([0; 4]);
        let message = setup.run(4, 2).err().map(|fault| fault.to_string());
        assert_eq!(message.as_deref(), expected);
    }
}

#[test]
fn groups_that_write_the_same_byte_race() {
    let body = "
  v3: ptr.global = addr m0
  store i32 v3, v1 align 4 {m0} !6:1
  return
";
    let mut setup = own_word("", body).checked();
    setup.words([0; 4]);
    assert_eq!(
        message(&setup, 4, 1),
        "data race at byte 0 of `out`: write by work-item (0,0,0), k.cl:6:1 and write by work-item (1,0,0), k.cl:6:1"
    );
}

#[test]
fn a_plain_read_races_with_an_atomic_of_another_work_item() {
    let body = "
  v3: ptr.global = addr m0
  v4: i32 = const 0
  v5: i1 = eq v1, v4
  branch v5, b1, b2
b1:
  v6: i32 = load i32 v3 align 4 {m0} !2:2
  return
b2:
  v7: i32 = atomic add v3, v1 {m0} !3:3
  return
";
    let mut setup = own_word("", body).checked();
    setup.words([0; 4]);
    assert_eq!(
        message(&setup, 4, 4),
        "data race at byte 0 of `out`: read by work-item (0,0,0), k.cl:2:2 and atomic access by work-item (1,0,0), k.cl:3:3"
    );
}

#[test]
fn readers_of_an_earlier_epoch_do_not_hide_later_ones() {
    // All work-items read, a barrier, work-items 1 and 2 read again, then work-item 1 writes.
    let body = "
  v3: ptr.global = addr m0
  v4: i32 = load i32 v3 align 4 {m0} !2:2
  barrier global
  v5: i32 = const 1
  v6: i32 = sub v1, v5
  v7: i32 = const 2
  v8: i1 = ult v6, v7
  branch v8, b1, b3
b1:
  v10: i32 = load i32 v3 align 4 {m0} !4:4
  v11: i1 = eq v1, v5
  branch v11, b2, b3
b2:
  store i32 v3, v10 align 4 {m0} !5:5
  return
b3:
  return
";
    let mut setup = own_word("", body).checked();
    setup.words([0; 4]);
    assert_eq!(
        message(&setup, 4, 4),
        "data race at byte 0 of `out`: read by work-item (2,0,0), k.cl:4:4 and write by work-item (1,0,0), k.cl:5:5"
    );
}

#[test]
fn neighbouring_bytes_of_a_word_are_no_race() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v0
  v5: i8 = trunc v1
  store i8 v4, v5 align 1 {m0} !6:1
  return
";
    let mut setup = own_word("", body).checked();
    let out = setup.words([0; 2]);
    setup.run(8, 1).expect("no fault");
    assert_eq!(setup.read(out), [0x0302_0100, 0x0706_0504]);
}

#[test]
fn barriers_that_some_never_reach_are_reported() {
    let body = "
  v3: i32 = const 2
  v4: i1 = ult v1, v3
  branch v4, b1, b2
b1:
  barrier local !7:5
  jump b2
b2:
  store i32 v2, v1 align 4 {m0}
  return
";
    let mut setup = own_word("", body);
    setup.words([0; 100]);
    setup.run(100, 100).expect("not checked");
    setup.options.checks = Checks::ALL;
    assert_eq!(
        message(&setup, 100, 100),
        "work-item (0,0,0) waits at the barrier at k.cl:7:5, but work-item (2,0,0) has ended"
    );
}

#[test]
fn endless_loops_end_at_the_step_limit() {
    let body = "
  v3: i32 = const 5
  v4: i1 = eq v1, v3
  v5: i32 = const 0
  branch v4, b1(v5), b2
b1(v10: i32):
  v11: i32 = add v10, v3 !8:3
  jump b1(v11)
b2:
  return
";
    let mut setup = own_word("", body);
    setup.words([0]);
    setup.options.step_limit = 10_000;
    assert_eq!(
        message(&setup, 64, 64),
        "work-item (5,0,0) has executed more than 10000 instructions, k.cl:8:3"
    );
}

#[test]
fn the_step_limit_counts_each_work_item_alone() {
    // 64 lanes each execute few instructions, at different times.
    let body = "
  v3: i32 = const 0
  v4: i32 = const 1
  jump b1(v3)
b1(v10: i32):
  v11: i32 = add v10, v4
  v12: i1 = ult v11, v1
  branch v12, b1(v11), b2
b2:
  return
";
    let mut setup = own_word("", body);
    setup.words([0]);
    // Entry 4, loop 3 per round of which the last lane makes 63, return 1.
    setup.options.step_limit = 4 + 3 * 63 + 1;
    let outcome = setup.run(64, 64).expect("within the limit");
    let rounds: u64 = (0..64u64).map(|id| id.max(1)).sum();
    assert_eq!(outcome.instructions, 64 * 5 + 3 * rounds);
    setup.options.step_limit -= 1;
    let fault = setup.run(64, 64).expect_err("beyond");
    assert!(matches!(fault, Fault::StepLimit { limit: 193, .. }));
}

#[test]
fn more_memory_than_there_can_be_is_refused() {
    let mut setup = own_word("object m1 \"x\" private size 1000000000 align 4", STORE);
    setup.words([0]);
    assert_eq!(
        message(&setup, 1, 1),
        "the kernel needs 64000000000 bytes of local and private memory, more than 4294967296"
    );
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let setup = own_word("", STORE);
    assert_eq!(
        message(&setup, 4, 4),
        "kernel `k` takes 1 arguments, 0 were given"
    );
}
