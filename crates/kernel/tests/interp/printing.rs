use std::sync::Mutex;

use sluice_kernel::interp::Options;

use crate::support::{OWN_WORD, setup, with_out};

#[test]
fn printf_prints_in_the_order_of_work_items() {
    let body = "
  v3: f32 = const 1.5
  v4: ptr.constant = addr m1
  printf \"%d: %s %v2hld %.2f|\\n\", v1, v4, v1, v1, v3
  return
";
    let source = with_out(
        "object m1 \"text\" table align 1 x\"686900\"",
        &format!("{OWN_WORD}{body}"),
    );
    let mut setup = setup(&source);
    setup.words([]);
    let outcome = setup.run(3, 1).expect("no fault");
    assert_eq!(
        String::from_utf8_lossy(&outcome.printed),
        "0: hi 0,0 1.50|\n1: hi 1,1 1.50|\n2: hi 2,2 1.50|\n"
    );
}

#[test]
fn output_goes_to_the_caller_as_it_is_printed() {
    static SEEN: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
    let body = "\n  printf \"%d\", v1\n  return\n";
    let mut setup = setup(&with_out("", &format!("{OWN_WORD}{body}")));
    setup.words([]);
    setup.options = Options {
        print: Some(&|text| SEEN.lock().expect("not poisoned").push(text.to_vec())),
        ..Options::default()
    };
    let outcome = setup.run(3, 1).expect("no fault");
    assert!(outcome.printed.is_empty());
    assert_eq!(*SEEN.lock().expect("not poisoned"), [b"0", b"1", b"2"]);
}
