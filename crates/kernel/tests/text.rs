//! The text form: what is printed is what is parsed, and mistakes are named with their place.

use sluice_kernel::text::{display_inst, parse};

/// Every construct, as the printer writes it.
const EVERYTHING: &str = r#"kernel "everything"
file "everything.cl"
file "dir/\"odd\"\\name.h"
required_size 64, 2, 1
size_hint 32, 4, 1
lanes 4
vec_type_hint uchar16
subnormals flushed
reassociation allowed
param "a" "float" value float
param "v" "uchar16" value uchar16
param "x" "float*" const restrict buffer m0 float
param "y" "struct T*" volatile buffer m1 opaque 24
param "c" "half3*" const restrict volatile buffer m2 half3
param "tmp" "double2*" local m3 double2
param "s" "struct S" struct m4
param "all" "" variables m9
variables size 40 x"0500ff" pointer 8 0 pointer 16 pointer 24 39
object m0 "x" buffer 2 global align 4
object m1 "y" buffer 3 global align 8
object m2 "c" buffer 4 constant align 8
object m3 "tmp" local_arg 5 align 16
object m4 "s" struct_arg 6 size 16 align 4
object m5 "tile" local size 1024 align 4
object m6 "stack" private size 18446744073709551615 align 4
object m7 "table" table align 4 x"00017fff"
object m8 "empty" table align 1 x""
object m9 "all" buffer 7 global align 8
object m10 "each" local_per_item size 8 align 8
{
b0:
  v0.gid: i64 = global_id 0 !3:14
  v1.0: i64 = work_dim 0 !1:7:65535
  v2: f32 = arg 0
  v3: i8 = arg 1.15
  v4: ptr.global = addr m0
  v5: i64 = const -2
  v6: i1 = const 1
  v7: f16 = const 0.1
  v8: f32 = const 1.5
  v9: f32 = const 0x7fc00001
  v10: f64 = const -inf
  v11: f64 = const 1e-300
  v12: ptr.generic = const 0x10
  v13: i64 = shl v0, v5
  v14: ptr.global = ptradd v4, v13
  v15.x: f32, v16.y: f32 = load f32x2 v14 align 8 {m0} !4:3
  v17: i32 = load volatile i32 v14 align 4 {m0, m1}
  store f32 v14, v15 align 4 {m1}
  store volatile f32x3 v14, v15, v16, v2 align 2147483648 {}
  store ptr.globalx2 v14, v4, v4 align 8 {m0, m1, m6} !9:9
  v18: i32 = atomic add v14, v17 {m1}
  v19: i32 = atomic xchg v14, v17 {m1}
  v20: i32 = cmpxchg v14, v17, v18 {m0, m1}
  v21: i7 = popcount v22
  v22: i7 = const 63
  v23: f32 = fma v2, v15, v16
  v24: i1 = folt v15, v8
  v25: i32 = select v24, v18, v20
  v26: i8 = trunc v25
  v27: ptr.generic = spacecast v4
  barrier
  barrier local
  barrier local global
  fence global
  printf "plain"
  printf "%d\t\"é\u{301}\"\n", v18, v26 !5:0
  branch v24, b1(v25, v8), b3
b1(v28.i: i32, v29: f32):
  jump b2
b2:
  branch v24, b1(v28, v29), b1(v17, v8)
b3:
  v30: i1 = in_space local v27
  v31: i1 = in_space private v27
  return !12:1
}
"#;

#[test]
fn printing_undoes_parsing() {
    let kernel = parse(EVERYTHING).unwrap();
    assert_eq!(kernel.to_string(), EVERYTHING);
}

#[test]
fn a_kernel_may_be_empty() {
    let text = "kernel \"\"\n{\n}\n";
    assert_eq!(parse(text).unwrap().to_string(), text);
}

#[test]
fn numbers_in_the_text_are_free_and_layout_is_free() {
    let free = r#"
; a comment
   kernel "k"   ; another
object m9 "b" private size 8 align 4
param "p" "int*" restrict const buffer m70 int
object m70 "p" buffer 0 global align 4
{
  b7:
v900:i32=load i32 v5 align 4 {m70,m9,m70}!1:2
    v5.q : ptr.global = addr m70

jump b3 ( v900 )
b3(v1: i32):
printf ";", v1
branch v2, b3(v1), b3(v900)
v2: i1 = const 0x1
jump b7()
}"#;
    let printed = r#"kernel "k"
param "p" "int*" const restrict buffer m1 int
object m0 "b" private size 8 align 4
object m1 "p" buffer 0 global align 4
{
b0:
  v0: i32 = load i32 v1 align 4 {m0, m1} !1:2
  v1.q: ptr.global = addr m1
  jump b1(v0)
b1(v2: i32):
  printf ";", v2
  branch v3, b1(v2), b1(v0)
  v3: i1 = const 1
  jump b0
}
"#;
    assert_eq!(parse(free).unwrap().to_string(), printed);
}

#[test]
fn one_instruction_prints_as_its_line() {
    let kernel = parse(EVERYTHING).unwrap();
    let lines: Vec<String> = kernel
        .insts()
        .map(|(_, inst)| format!("  {}", display_inst(&kernel, inst)))
        .collect();
    let expected: Vec<&str> = EVERYTHING.lines().filter(|l| l.starts_with("  ")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn strings_have_rusts_escapes() {
    let kernel = parse("kernel \"\\u{e9}\\x41\\0\\'\\r\"\n{\n}").unwrap();
    assert_eq!(kernel.name, "éA\0'\r");
}

#[test]
fn the_documented_example_is_a_valid_kernel() {
    let page = include_str!("../../../docs/kernel-ir.md");
    let start = page.find("\nkernel \"sum\"").unwrap();
    let end = start + page[start..].find("```").unwrap();
    let kernel = parse(&page[start..end]).unwrap();
    sluice_kernel::verify::verify(&kernel).unwrap();
}

#[test]
fn damaged_text_is_refused_or_read_but_never_panics() {
    let mut refused = 0;
    for (at, c) in EVERYTHING.char_indices() {
        let (before, after) = EVERYTHING.split_at(at);
        let without = &after[c.len_utf8()..];
        for damaged in [
            before.to_string(),
            format!("{before}{without}"),
            format!("{before}\"{after}"),
            format!("{before}é{after}"),
            format!("{before}-{without}"),
        ] {
            refused += usize::from(parse(&damaged).is_err());
        }
    }
    assert!(refused > 3 * EVERYTHING.chars().count(), "{refused}");
}

/// Body lines around which the rest of a kernel is put; the first is line 6.
fn body(lines: &str) -> String {
    format!(
        "kernel \"k\"\nparam \"p\" \"int*\" buffer m0 int\nobject m0 \"p\" buffer 0 global align 4\n{{\nb0:\n{lines}\n}}\n"
    )
}

/// Body lines and how they are refused.
const BODY_MISTAKES: &[(&str, &str)] = &[
    (
        "  v0: i32 = frobnicate v0",
        "6:13: `frobnicate` is not an operation",
    ),
    (
        "  v0: i32 = const 1\n  v0: i32 = const 2",
        "7:3: v0 is defined twice",
    ),
    ("  v0: i32 = clz v7", "6:17: v7 is not defined"),
    ("  jump b9", "6:8: b9 is not defined"),
    ("  v0: ptr.global = addr m4", "6:25: m4 is not defined"),
    ("  return\nb0:\n  return", "7:1: b0 is defined twice"),
    (
        "  v0: i32 = add v0",
        "6:19: expected `,`, found the end of the line",
    ),
    (
        "  v0: i32 = clz v0, v0",
        "6:19: expected the end of the line, found `,`",
    ),
    ("  v0: int = const 1", "6:7: expected a type, found `int`"),
    (
        "  v0: i8 = const -129",
        "6:18: `-129` is not a constant of type i8",
    ),
    (
        "  v0: f32 = const nan",
        "6:19: `nan` is not a constant of type f32",
    ),
    (
        "  v0: i32 = const \"1\"",
        "6:19: expected a constant, found a string",
    ),
    (
        "  v0: i32 = arg x",
        "6:17: expected a parameter's index, `.` and a lane if it is a vector, found `x`",
    ),
    (
        "  v0: i32 = global_id v0",
        "6:23: expected a dimension, found `v0`",
    ),
    (
        "  v0.a: i32 = clz v0.a",
        "6:19: the name belongs to the definition: write `v0`",
    ),
    (
        "  v0.a.b: i32 = const 1",
        "6:3: a name consists of letters, digits and `_`",
    ),
    (
        "  v4294967295: i32 = const 1",
        "6:3: `v4294967295` is too large a number",
    ),
    (
        "  v0: i32 = load i32 v0 {m0}",
        "6:25: expected `align`, found `{`",
    ),
    (
        "  v0: i32 = load i32x999 v0 align 4 {m0}",
        "6:18: expected a type such as `f32` or `f32x4`, found `i32x999`",
    ),
    (
        "  v0: i32 = atomic nand v0, v0 {m0}",
        "6:20: expected an atomic operation, found `nand`",
    ),
    (
        "  return !1",
        "6:12: expected `:`, found the end of the line",
    ),
    (
        "  return !1:65536",
        "6:11: 65536 is too large for a file or column",
    ),
    ("  printf v0", "6:10: expected a format string, found `v0`"),
    ("  printf \"%d", "6:10: the string does not end on its line"),
    ("  printf \"a\\q\"", "6:12: unknown escape in a string"),
    ("  return @", "6:10: unexpected character '@'"),
    ("b1(v0: i32:\n  return", "6:11: expected `)`, found `:`"),
    (
        "b1 roll 4:\n  return",
        "6:4: expected `:` or a hint: `ivdep`, `ii`, `pipeline`, `no_pipeline`, `unroll`, `coalesce`, `concurrency` or `work_items`, found `roll`",
    ),
    ("b1 ii 4 ii 4:\n  return", "6:9: `ii` is given twice"),
    (
        "b1 ivdep safelen:\n  return",
        "6:17: expected a number of iterations, found `:`",
    ),
    (
        "  return }",
        "6:10: expected the end of the line, found `}`",
    ),
    (
        "  return\n}\n}",
        "8:1: expected the end of the text, found `}`",
    ),
];

#[test]
fn mistakes_in_the_body_are_named_with_their_place() {
    for (lines, expected) in BODY_MISTAKES {
        let error = parse(&body(lines)).unwrap_err();
        assert_eq!(error.to_string(), *expected, "{lines}");
    }
}

/// Whole texts and how they are refused.
const HEADER_MISTAKES: &[(&str, &str)] = &[
    ("", "1:1: expected `kernel`, found the end of the text"),
    (
        "kernel k",
        "1:8: expected the kernel's name as a string, found `k`",
    ),
    (
        "kernel \"k\"\n",
        "2:1: expected `file`, `required_size`, `size_hint`, `lanes`, `vec_type_hint`, `subnormals`, `reassociation`, `param`, `variables`, `object` or `{`, found the end of the text",
    ),
    (
        "kernel \"k\"\nimage \"i\"",
        "2:1: expected `file`, `required_size`, `size_hint`, `lanes`, `vec_type_hint`, `subnormals`, `reassociation`, `param`, `variables`, `object` or `{`, found `image`",
    ),
    (
        "kernel \"k\"\nrequired_size 1, 2",
        "2:19: expected `,`, found the end of the line",
    ),
    (
        "kernel \"k\"\nsize_hint 1, 1, 1\nsize_hint 1, 1, 1",
        "3:1: `size_hint` is given twice",
    ),
    (
        "kernel \"k\"\nparam \"p\" \"int\" value integer",
        "2:23: expected an OpenCL type, found `integer`",
    ),
    (
        "kernel \"k\"\nparam \"p\" \"int\" image m0",
        "2:17: expected `value`, `buffer`, `local`, `struct` or `variables`, found `image`",
    ),
    (
        "kernel \"k\"\nparam \"p\" \"int*\" buffer m0 int\n{\n}",
        "2:25: m0 is not defined",
    ),
    (
        "kernel \"k\"\nobject m0 \"o\" buffer 0 shared align 4",
        "2:24: expected an address space, found `shared`",
    ),
    (
        "kernel \"k\"\nobject m0 \"o\" table align 1 x\"abc\"",
        "2:29: a byte string holds pairs of hexadecimal digits",
    ),
    (
        "kernel \"k\"\nobject m0 \"o\" table align 1 x\"ab",
        "2:29: the byte string does not end on its line",
    ),
    (
        "kernel \"k\"\nobject m0 \"o\" local align 1",
        "2:21: expected `size`, found `align`",
    ),
    (
        "kernel \"k\"\nobject m0 \"o\" local size -4 align 1",
        "2:26: expected a size in bytes, found `-4`",
    ),
    (
        "kernel \"k\"\n{\n  return\n}",
        "3:3: expected a block label or `}`, found `return`",
    ),
    (
        "kernel \"k\"\n{\nb0:\n  return\n",
        "5:1: expected an operation, found the end of the text",
    ),
];

#[test]
fn mistakes_in_the_header_are_named_with_their_place() {
    for (text, expected) in HEADER_MISTAKES {
        assert_eq!(parse(text).unwrap_err().to_string(), *expected, "{text}");
    }
}
