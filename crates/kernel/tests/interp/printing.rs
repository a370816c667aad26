use std::sync::Mutex;

use sluice_kernel::{
    interp::{Options, PrintfArgument, format_printf},
    ir::{Space, Type},
};

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

/// Each line: type, value, format, and after ` => ` what a C program printed. `%#g` of 999999.5 is
/// left out: glibc drops the zeros that the standard asks for.
const OF_C: &str = include_str!("printf-of-c.txt");

#[test]
fn conversions_print_what_c_prints() {
    let mut lines = 0;
    for line in OF_C.lines() {
        let (case, expected) = line.split_once(" => ").expect("a result");
        let mut words = case.splitn(3, ' ');
        let mut word = || words.next().expect("three words");
        let (ty, value, format) = (word(), word(), word());
        let arg = match ty {
            "f64" => PrintfArgument {
                ty: Type::F64,
                bits: value.parse::<f64>().expect("a float").to_bits(),
            },
            "i64" => PrintfArgument {
                ty: Type::I64,
                bits: value.parse::<i64>().expect("an integer") as u64,
            },
            _ => PrintfArgument {
                ty: Type::I32,
                bits: u64::from(value.parse::<i32>().expect("an integer") as u32),
            },
        };
        let printed = format_printf(format, &[arg], |_| Vec::new());
        assert_eq!(String::from_utf8_lossy(&printed), expected, "{case}");
        lines += 1;
    }
    assert!(lines > 800, "only {lines} cases");
}

#[test]
fn vectors_strings_and_odd_formats() {
    let int = |ty, bits| PrintfArgument { ty, bits };
    let half = |x: u64| int(Type::F16, x);
    let print = |format: &str, args: &[PrintfArgument]| {
        let text = format_printf(format, args, |at| match at {
            7 => b"seven".to_vec(),
            _ => b"(null)".to_vec(),
        });
        String::from_utf8_lossy(&text).into_owned()
    };
    let bytes: Vec<_> = [1, 0xff, 0x80, 7].map(|x| int(Type::Int(8), x)).into();
    assert_eq!(print("%v4hhd|", &bytes), "1,-1,-128,7|");
    assert_eq!(print("%#04v4hhx|", &bytes), "0x01,0xff,0x80,0x07|");
    assert_eq!(
        print("%v2hf", &[half(0x3c00), half(0xc100)]),
        "1.000000,-2.500000"
    );
    let longs = [int(Type::I64, u64::MAX), int(Type::I64, 5)];
    assert_eq!(print("%v2ld", &longs), "-1,5");
    let pointer = int(Type::Ptr(Space::Constant), 7);
    assert_eq!(
        print("[%8s] [%-8.3s] %p", &[pointer; 3]),
        "[   seven] [sev     ] 0x7"
    );
    let width = [int(Type::I32, 6), int(Type::I32, 3), int(Type::I32, 42)];
    assert_eq!(print("[%*.*d]", &width), "[   042]");
    let left = [int(Type::I32, -6i32 as u32 as u64), int(Type::I32, 42)];
    assert_eq!(print("[%*d]", &left), "[42    ]");
    // What cannot be converted stays as it is written.
    assert_eq!(print("100%% %d %k %", &[]), "100% %d %k %");
    assert_eq!(print("%f", &[int(Type::I32, 1)]), "%f");
    assert_eq!(print("%.70000f", &[int(Type::F32, 0)]).len(), 65537);
}
