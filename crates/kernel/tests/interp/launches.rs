use sluice_kernel::{
    interp::{Checks, Options, Program},
    launch::{Launch, NdRange},
};

use crate::support::{OWN_WORD, setup, with_out};

/// The id's Collatz length, stored as bytes too, several groups' to a word.
const COLLATZ: &str = "
  v3: i32 = const 1
  v4: i32 = const 3
  v5: i32 = add v1, v3
  v6: i32 = const 0
  jump b1(v5, v6)
b1(v10: i32, v11: i32):
  v12: i1 = eq v10, v3
  branch v12, b5, b2
b2:
  v20: i1 = trunc v10
  v21: i32 = add v11, v3
  branch v20, b3, b4
b3:
  v30: i32 = mul v10, v4
  v31: i32 = add v30, v3
  jump b1(v31, v21)
b4:
  v40: i32 = lshr v10, v3
  jump b1(v40, v21)
b5:
  v50: ptr.global = addr m1
  v51: ptr.global = ptradd v50, v0
  v52: i8 = trunc v11
  store i8 v51, v52 align 1 {m1}
  store i32 v2, v11 align 4 {m0}
  return
";

#[test]
fn threads_give_the_same_results() {
    let source = with_out(
        "param \"b\" \"uchar*\" buffer m1 uchar\nobject m1 \"b\" buffer 1 global align 1",
        &format!("{OWN_WORD}{COLLATZ}"),
    );
    let items = 20_000;
    let mut results = Vec::new();
    for (threads, local) in [(1, 1), (1, 100), (2, 1), (7, 50)] {
        let mut setup = setup(&source);
        setup.options.threads = threads;
        setup.options.checks = Checks::default();
        let out = setup.words(vec![0; items]);
        let bytes = setup.buffer(&vec![0; items]);
        let outcome = setup.run(items as u64, local).expect("no fault");
        results.push((
            outcome,
            setup.read(out),
            setup.memory.buffer(bytes).to_bytes(),
        ));
    }
    let lengths = (1..=items as u64).map(|mut x| {
        let mut length = 0;
        while x != 1 {
            x = if x % 2 == 1 { 3 * x + 1 } else { x / 2 };
            length += 1;
        }
        length
    });
    assert_eq!(results[0].1, lengths.collect::<Vec<u32>>());
    for result in &results[1..] {
        assert_eq!(result, &results[0]);
    }
}

#[test]
fn an_empty_range_does_nothing() {
    let mut setup = setup(&with_out("", &format!("{OWN_WORD}  return\n")));
    setup.words([]);
    for threads in [1, 3] {
        setup.options.threads = threads;
        setup.options.checks = Checks::default();
        let outcome = setup.run(0, 1).expect("no fault");
        assert_eq!(outcome, Default::default());
    }
}

#[test]
fn a_program_serves_many_launches() {
    let body = "
  v3: i32 = load i32 v2 align 4 {m0}
  v4: i32 = add v3, v1
  store i32 v2, v4 align 4 {m0}
  return
";
    let mut setup = setup(&with_out("", &format!("{OWN_WORD}{body}")));
    let out = setup.words([0; 10]);
    let program = Program::new(&setup.kernel);
    for local in [1, 2, 5] {
        let launch = Launch {
            range: NdRange {
                dims: 1,
                global: [10, 1, 1],
                local: [local, 1, 1],
                offset: [0; 3],
            },
            args: setup.args.clone(),
        };
        let outcome = program.run(&launch, &setup.memory, &Options::default());
        let outcome = outcome.expect("no fault");
        assert_eq!((outcome.loads, outcome.stores), (10, 10));
        assert_eq!((outcome.bytes_read, outcome.bytes_written), (40, 40));
        assert_eq!(outcome.instructions, 10 * 7);
    }
    assert_eq!(
        setup.read(out),
        (0..10).map(|x| 3 * x).collect::<Vec<u32>>()
    );
}

#[test]
fn more_work_items_than_can_be_counted_are_refused() {
    let mut setup = setup(&with_out("", "b0:\n  return\n"));
    setup.words([]);
    let fault = setup.run_range(NdRange {
        dims: 3,
        global: [1 << 31; 3],
        local: [1; 3],
        offset: [0; 3],
    });
    let message = fault.expect_err("too many").to_string();
    assert_eq!(
        message,
        "a launch has at most 18446744073709551615 work-items in all, not 2147483648 x 2147483648 x 2147483648"
    );
}

#[test]
fn threads_report_the_fault_that_one_thread_would_come_to() {
    let source = with_out(
        "",
        &format!("{OWN_WORD}  store i32 v2, v1 align 4 {{m0}}\n  return\n"),
    );
    let messages = [1, 2, 7].map(|threads| {
        // Every work-item from the 5000th on writes out of bounds.
        let mut setup = setup(&source);
        setup.words(vec![0; 5000]);
        setup.options.threads = threads;
        setup
            .run(100_000, 10)
            .expect_err("out of bounds")
            .to_string()
    });
    assert!(
        messages[0].contains("work-item (5000,0,0)"),
        "{}",
        messages[0]
    );
    assert_eq!(messages[0], messages[1]);
    assert_eq!(messages[0], messages[2]);
}
