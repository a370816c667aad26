use crate::support::{OWN_WORD, setup, with_out};

fn run_out(body: &str, items: u64, local: u64) -> Vec<u32> {
    let mut setup = setup(&with_out("", &format!("{OWN_WORD}{body}")));
    let out = setup.words(vec![0; items as usize]);
    setup.run(items, local).expect("no fault");
    setup.read(out)
}

/// Sum over i < id of the sum over j < i of (j ^ id), leaving the inner loop when j is 7.
const NESTED: &str = "
  v3: i32 = const 0
  v4: i32 = const 1
  v5: i32 = const 7
  jump b1(v3, v3)
b1(v10: i32, v11: i32):
  v12: i1 = slt v10, v1
  branch v12, b2(v3, v11), b5
b2(v20: i32, v21: i32):
  v22: i1 = slt v20, v10
  branch v22, b3, b4
b3:
  v30: i32 = xor v20, v1
  v31: i32 = add v21, v30
  v32: i32 = add v20, v4
  v33: i1 = eq v20, v5
  branch v33, b6(v31), b2(v32, v31)
b4:
  jump b6(v21)
b6(v60: i32):
  v61: i32 = add v10, v4
  jump b1(v61, v60)
b5:
  store i32 v2, v11 align 4 {m0}
  return
";

fn nested(id: u32) -> u32 {
    let mut sum = 0;
    for i in 0..id {
        for j in 0..i {
            sum += j ^ id;
            if j == 7 {
                break;
            }
        }
    }
    sum
}

#[test]
fn lanes_with_different_trip_counts_meet_again() {
    let expected: Vec<u32> = (0..130).map(nested).collect();
    assert_eq!(run_out(NESTED, 130, 130), expected);
    assert_eq!(run_out(NESTED, 130, 1), expected);
    assert_eq!(run_out(NESTED, 130, 13), expected);
}

#[test]
fn lanes_that_leave_a_loop_wait_for_the_others() {
    let source = with_out("", &format!("{OWN_WORD}{NESTED}"));
    let mut setup = setup(&source);
    setup.words(vec![0; 64]);
    // Printing from the last block shows whether it was executed once for all lanes.
    let source = source.replace("  return", "  printf \"%d \", v1\n  return");
    let printing = crate::support::setup(&source);
    setup.kernel = printing.kernel;
    let outcome = setup.run(64, 64).expect("no fault");
    let in_order: String = (0..64).map(|id| format!("{id} ")).collect();
    assert_eq!(String::from_utf8_lossy(&outcome.printed), in_order);
}

#[test]
fn continue_goes_on_with_the_next_round() {
    let out = run_out(
        "
  v3: i32 = const 0
  v4: i32 = const 1
  v5: i32 = const 20
  v6: i32 = const 3
  jump b1(v3, v3)
b1(v10: i32, v11: i32):
  v12: i1 = ult v10, v5
  branch v12, b2, b4
b2:
  v20: i32 = add v10, v1
  v21: i32 = and v20, v6
  v22: i1 = eq v21, v3
  v23: i32 = add v10, v4
  branch v22, b1(v23, v11), b3
b3:
  v30: i32 = add v11, v20
  jump b1(v23, v30)
b4:
  store i32 v2, v11 align 4 {m0}
  return
",
        70,
        70,
    );
    let expected = (0..70u32).map(|id| (0..20).map(|i| i + id).filter(|x| x & 3 != 0).sum());
    assert_eq!(out, expected.collect::<Vec<u32>>());
}

#[test]
fn block_arguments_are_assigned_at_once() {
    // a, b, c = b, c, a as often as the id says; d and e swap.
    let out = run_out(
        "
  v3: i32 = const 0
  v4: i32 = const 1
  v5: i32 = const 2
  v6: i32 = const 4
  v7: i32 = const 8
  v8: i32 = const 16
  jump b1(v3, v4, v5, v6, v7, v8)
b1(v10: i32, v11: i32, v12: i32, v13: i32, v14: i32, v15: i32):
  v16: i32 = add v10, v4
  v17: i1 = ult v10, v1
  branch v17, b1(v16, v12, v13, v11, v15, v14), b2(v13, v12)
b2(v20: i32, v21: i32):
  v22: i32 = const 100
  v23: i32 = mul v11, v22
  v24: i32 = add v23, v20
  v25: i32 = mul v24, v22
  v26: i32 = add v25, v21
  v27: i32 = mul v26, v22
  v28: i32 = add v27, v14
  store i32 v2, v28 align 4 {m0}
  return
",
        80,
        80,
    );
    let expected = (0..80u32).map(|id| {
        let (mut a, mut b, mut c, mut d, mut e) = (1, 2, 4, 8, 16);
        for _ in 0..id {
            (a, b, c) = (b, c, a);
            (d, e) = (e, d);
        }
        ((a * 100 + c) * 100 + b) * 100 + d
    });
    assert_eq!(out, expected.collect::<Vec<u32>>());
}

#[test]
fn a_lane_that_waits_for_another_does_not_starve_it() {
    // Work-item 0 waits until the flag is set, which the last one does: later in the code, of the
    // same strip or of another one.
    for items in [2, 64, 200] {
        let source = with_out(
            "object m1 \"flag\" local size 4 align 4",
            &format!(
                "{OWN_WORD}
  v3: i32 = const 0
  v4: i32 = const 1
  v5: ptr.local = addr m1
  v6: i32 = const {}
  v7: i1 = eq v1, v3
  branch v7, b1, b2
b1:
  v10: i32 = load volatile i32 v5 align 4 {{m1}}
  v11: i1 = eq v10, v3
  branch v11, b1, b3
b2:
  v20: i1 = eq v1, v6
  branch v20, b4, b3
b4:
  store volatile i32 v5, v4 align 4 {{m1}}
  jump b3
b3:
  store i32 v2, v4 align 4 {{m0}}
  return
",
                items - 1
            ),
        );
        let mut setup = setup(&source);
        let out = setup.words(vec![0; items]);
        setup.run(items as u64, items as u64).expect("no fault");
        assert_eq!(setup.read(out), vec![1; items]);
    }
}

#[test]
fn irreducible_control_flow_is_executed() {
    // A loop with two entries.
    let out = run_out(
        "
  v3: i32 = const 0
  v4: i32 = const 1
  v5: i32 = const 10
  v6: i32 = and v1, v4
  v7: i1 = eq v6, v3
  branch v7, b1(v3), b2(v3)
b1(v10: i32):
  v11: i32 = add v10, v4
  jump b2(v11)
b2(v20: i32):
  v21: i32 = const 3
  v22: i32 = add v20, v21
  v23: i32 = add v22, v1
  v24: i1 = ult v23, v5
  branch v24, b1(v22), b3
b3:
  store i32 v2, v22 align 4 {m0}
  return
",
        16,
        16,
    );
    let expected = (0..16u32).map(|id| {
        let mut at_first = id & 1 == 0;
        let mut x = 0;
        loop {
            if at_first {
                x += 1;
            }
            at_first = true;
            x += 3;
            if x + id >= 10 {
                return x;
            }
        }
    });
    assert_eq!(out, expected.collect::<Vec<u32>>());
}
