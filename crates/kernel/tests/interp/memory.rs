use sluice_kernel::launch::{Argument, Buffer};

use crate::support::{OWN_WORD, setup, with_out};

/// Copies `count` elements of type `ty` per work-item from byte `from` to byte `to`, `stride` bytes
/// apart.
fn copy(ty: &str, lanes: usize, stride: u64, from: u64, to: u64) -> String {
    let values: Vec<String> = (0..lanes).map(|lane| format!("v{}", 20 + lane)).collect();
    let defs: Vec<String> = values.iter().map(|v| format!("{v}: {ty}")).collect();
    let vector = if lanes == 1 {
        String::new()
    } else {
        format!("x{lanes}")
    };
    format!(
        r#"kernel "copy"
param "in" "uchar*" buffer m0 uchar
param "out" "uchar*" buffer m1 uchar
object m0 "in" buffer 0 global align 1
object m1 "out" buffer 1 global align 1
{{
b0:
  v0: i64 = global_id 0
  v1: i64 = const {stride}
  v2: i64 = mul v0, v1
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v2
  v5: i64 = const {from}
  v6: ptr.global = ptradd v4, v5
  v7: ptr.global = addr m1
  v8: ptr.global = ptradd v7, v2
  v9: i64 = const {to}
  v10: ptr.global = ptradd v8, v9
  {} = load {ty}{vector} v6 align 1 {{m0}}
  store {ty}{vector} v10, {} align 1 {{m1}}
  return
}}"#,
        defs.join(", "),
        values.join(", ")
    )
}

#[test]
fn accesses_of_every_width_alignment_and_number_of_elements() {
    let types = [
        ("i8", 1),
        ("i16", 2),
        ("i32", 4),
        ("i64", 8),
        ("f32", 4),
        ("f64", 8),
    ];
    for (ty, bytes) in types {
        for lanes in [1, 2, 3, 4, 8, 16] {
            let size = bytes * lanes as u64;
            for (from, to) in [(0, 0), (1, 3), (2, 2), (4, 8), (3, 5), (0, 1)] {
                let items = 70;
                let mut setup = setup(&copy(ty, lanes, size, from, to));
                let len = (items * size + 8) as usize;
                let input: Vec<u8> = (0..len).map(|at| (at * 37 + 11) as u8).collect();
                setup.buffer(&input);
                let out = setup.buffer(&vec![0xee; len]);
                setup
                    .run(items, 1)
                    .unwrap_or_else(|fault| panic!("{fault}"));
                let mut expected = vec![0xee; len];
                let moved = (items * size) as usize;
                expected[to as usize..][..moved].copy_from_slice(&input[from as usize..][..moved]);
                assert_eq!(
                    setup.memory.buffer(out).to_bytes(),
                    expected,
                    "{ty} {lanes} {from} {to}"
                );
            }
        }
    }
}

#[test]
fn parameters_with_the_same_buffer_alias() {
    // Each work-item reads what it has just written through the other parameter.
    let mut setup = setup(
        r#"kernel "alias"
param "a" "uint*" buffer m0 uint
param "b" "uint*" buffer m1 uint
object m0 "a" buffer 0 global align 4
object m1 "b" buffer 1 global align 4
{
b0:
  v0: i64 = global_id 0
  v1: i64 = const 2
  v2: i64 = shl v0, v1
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v2
  v5: ptr.global = addr m1
  v6: ptr.global = ptradd v5, v2
  v7: i32 = load i32 v4 align 4 {m0}
  v8: i32 = const 5
  v9: i32 = add v7, v8
  store i32 v6, v9 align 4 {m1}
  v10: i32 = load i32 v4 align 4 {m0}
  v11: i32 = mul v10, v8
  store i32 v4, v11 align 4 {m0}
  return
}"#,
    );
    let buffer = setup.words(0..10);
    setup.args.push(Argument::Buffer(buffer));
    setup.run(10, 5).expect("no fault");
    assert_eq!(
        setup.read(buffer),
        (0..10).map(|x| (x + 5) * 5).collect::<Vec<u32>>()
    );
}

/// Fills a private array of bytes with the id plus the index and adds up every `step`-th 16-bit
/// element from byte 1 on.
const PRIVATE: &str = "
  v3: i32 = const 0
  v4: i32 = const 1
  v5: i32 = const 10
  v6: ptr.private = addr m1
  jump b1(v3)
b1(v10: i32):
  v11: ptr.private = ptradd v6, v10
  v12: i32 = add v10, v1
  v13: i8 = trunc v12
  store i8 v11, v13 align 1 {m1}
  v14: i32 = add v10, v4
  v15: i1 = ult v14, v5
  branch v15, b1(v14), b2(v4, v3)
b2(v20: i32, v21: i32):
  v22: ptr.private = ptradd v6, v20
  v23: i16 = load i16 v22 align 1 {m1}
  v24: i32 = zext v23
  v25: i32 = add v21, v24
  v26: i32 = const 3
  v27: i32 = add v20, v26
  v28: i32 = const 9
  v29: i1 = ult v27, v28
  branch v29, b2(v27, v25), b3
b3:
  store i32 v2, v25 align 4 {m0}
  return
";

#[test]
fn private_arrays_belong_to_their_work_item() {
    let objects = "object m1 \"bytes\" private size 10 align 1";
    let source = with_out(objects, &format!("{OWN_WORD}{PRIVATE}"));
    for mut setup in [setup(&source), setup(&source).checked()] {
        let out = setup.words([0; 150]);
        setup.run(150, 75).unwrap_or_else(|fault| panic!("{fault}"));
        let expected = (0..150u32).map(|id| {
            let byte = |at: u32| (id + at) & 0xff;
            [1, 4, 7]
                .map(|at| byte(at) | byte(at + 1) << 8)
                .iter()
                .sum()
        });
        assert_eq!(setup.read(out), expected.collect::<Vec<u32>>());
    }
}

#[test]
fn private_memory_begins_as_zeros_for_every_work_item() {
    let body = "
  v3: ptr.private = addr m1
  v4: i32 = load i32 v3 align 4 {m1}
  v5: i32 = add v4, v1
  store i32 v3, v5 align 4 {m1}
  store i32 v2, v5 align 4 {m0}
  return
";
    let objects = "object m1 \"x\" private size 4 align 4";
    let mut setup = setup(&with_out(objects, &format!("{OWN_WORD}{body}")));
    let out = setup.words([0; 200]);
    setup.run(200, 1).expect("no fault");
    assert_eq!(setup.read(out), (0..200).collect::<Vec<u32>>());
}

#[test]
fn tables_structs_and_vector_arguments() {
    let mut setup = setup(
        r#"kernel "k"
param "out" "uint*" buffer m0 uint
param "s" "struct pair" struct m1
param "v" "uint4" value uint4
object m0 "out" buffer 0 global align 4
object m1 "s" struct_arg 1 size 8 align 4
object m2 "table" table align 4 x"0a0000001400000028000000"
{
b0:
  v0: i64 = global_id 0
  v1: i64 = const 2
  v2: i64 = shl v0, v1
  v3: ptr.constant = addr m2
  v4: ptr.constant = ptradd v3, v2
  v5: i32 = load i32 v4 align 4 {m2}
  v6: ptr.private = addr m1
  v7: i64 = const 4
  v8: ptr.private = ptradd v6, v7
  v9: i32 = load i32 v8 align 4 {m1}
  v10: i32 = arg 2.3
  v11: i32 = add v5, v9
  v12: i32 = add v11, v10
  v13: ptr.global = addr m0
  v14: ptr.global = ptradd v13, v2
  store i32 v14, v12 align 4 {m0}
  return
}"#,
    );
    let out = setup.words([0; 3]);
    setup
        .args
        .push(Argument::Struct(vec![1, 0, 0, 0, 200, 0, 0, 0]));
    setup
        .args
        .push(Argument::Value([1, 2, 3, 4000].into_iter().collect()));
    setup.run(3, 3).expect("no fault");
    assert_eq!(setup.read(out), [4210, 4220, 4240]);
}

#[test]
fn atomics_return_distinct_values_and_add_up() {
    let body = "
  v3: i32 = const 1
  v4: ptr.global = addr m1
  v5: i32 = atomic add v4, v3 {m1}
  store i32 v2, v5 align 4 {m0}
  return
";
    let source = with_out(
        "param \"n\" \"uint*\" buffer m1 uint\nobject m1 \"n\" buffer 1 global align 4",
        &format!("{OWN_WORD}{body}"),
    );
    let mut setup = setup(&source).checked();
    setup.options.threads = 4;
    let out = setup.words([0; 500]);
    let counter = setup.words([7]);
    setup.run(500, 10).unwrap_or_else(|fault| panic!("{fault}"));
    let mut tickets = setup.read(out);
    tickets.sort_unstable();
    assert_eq!(tickets, (7..507).collect::<Vec<u32>>());
    assert_eq!(setup.read(counter), [507]);
}

#[test]
fn every_atomic_combines_and_compare_exchange_compares() {
    let ops = [
        "add", "sub", "and", "or", "xor", "xchg", "smin", "smax", "umin", "umax",
    ];
    let mut body = String::from("b0:\n  v0: ptr.global = addr m0\n  v1: i32 = const 12\n");
    for (at, op) in ops.iter().enumerate() {
        let v = 10 + at * 3;
        body += &format!("  v{v}: i64 = const {}\n", at * 4);
        body += &format!("  v{}: ptr.global = ptradd v0, v{v}\n", v + 1);
        body += &format!("  v{}: i32 = atomic {op} v{}, v1 {{m0}}\n", v + 2, v + 1);
    }
    body += "  v90: i64 = const 40
  v91: ptr.global = ptradd v0, v90
  v92: i64 = const 3
  v93: i64 = const 5
  v94: i64 = cmpxchg v91, v92, v93 {m0}
  v95: i64 = cmpxchg v91, v92, v92 {m0}
  v96: i64 = const 48
  v97: ptr.global = ptradd v0, v96
  store i64x2 v97, v94, v95 align 8 {m0}
  return
";
    let mut setup = setup(&with_out("", &body));
    let minus = -3i32 as u32;
    let mut words = vec![minus; 10];
    words.extend([3, 0, 0, 0, 0, 0]);
    let out = setup.words(words);
    setup.run(1, 1).expect("no fault");
    let result = setup.read(out);
    let expected = [
        9,
        minus.wrapping_sub(12),
        minus & 12,
        minus | 12,
        minus ^ 12,
        12,
        minus,
        12,
        12,
        minus,
    ];
    assert_eq!(result[..10], expected);
    assert_eq!(result[10..], [5, 0, 3, 0, 5, 0]);
}

#[test]
fn accesses_with_several_possible_objects_find_theirs() {
    let body = "
  v3: i1 = trunc v1
  v4: ptr.private = addr m1
  v5: ptr.private = addr m2
  v6: i32 = const 7
  v7: i32 = const 9
  store i32 v4, v6 align 4 {m1}
  store i32 v5, v7 align 4 {m2}
  v8: ptr.private = select v3, v4, v5
  v9: i32 = load i32 v8 align 4 {m1, m2}
  store i32 v2, v9 align 4 {m0}
  return
";
    let objects = "object m1 \"x\" private size 4 align 4\nobject m2 \"y\" private size 4 align 4";
    let mut setup = setup(&with_out(objects, &format!("{OWN_WORD}{body}")));
    let out = setup.words([0; 66]);
    setup.run(66, 66).expect("no fault");
    assert_eq!(setup.read(out), [9, 7].repeat(33));
}

/// Stores 1 for local, 2 for private memory and 0 for others, of each pointer.
#[test]
fn pointers_know_their_space() {
    let mut setup = setup(
        r#"kernel "spaces"
param "out" "int*" buffer m0 int
object m0 "out" buffer 0 global align 4
object m1 "l" local size 16 align 4
object m2 "p" private size 16 align 4
object m3 "each" local_per_item size 4 align 4
{
b0:
  v0: i64 = global_id 0
  v1: ptr.global = addr m0
  v2: i64 = const 4
  v3: i64 = mul v0, v2
  v4: ptr.global = ptradd v1, v3
  v5: ptr.generic = spacecast v4
  v6: ptr.local = addr m1
  v7: ptr.generic = spacecast v6
  v8: ptr.private = addr m2
  v9: ptr.generic = spacecast v8
  v10: ptr.local = addr m3
  v11: ptr.generic = spacecast v10
  v12: i64 = const 1
  v13: i1 = eq v0, v12
  v14: i64 = const 2
  v15: i1 = eq v0, v14
  v16: i64 = const 3
  v17: i1 = eq v0, v16
  v18: ptr.generic = select v13, v7, v5
  v19: ptr.generic = select v15, v9, v18
  v20: ptr.generic = select v17, v11, v19
  v21: i1 = in_space local v20
  v22: i1 = in_space private v20
  v23: i32 = zext v21
  v24: i32 = zext v22
  v25: i32 = add v24, v24
  v26: i32 = add v23, v25
  store i32 v4, v26 align 4 {m0}
  return
}
"#,
    );
    let out = setup.words([9; 4]);
    setup.run(4, 4).unwrap();
    let bytes = setup.memory.buffer(out).to_bytes();
    assert_eq!(bytes, [0_u32, 1, 2, 1].map(u32::to_le_bytes).concat());
}

/// A counter that begins with 5, and a pointer to it through which it is counted.
#[test]
fn variables_have_contents_and_keep_them() {
    let mut setup = setup(
        r#"kernel "count"
param "out" "int*" buffer m0 int
param "all" "" variables m1
variables size 24 x"05000000" pointer 8 0 pointer 16
object m0 "out" buffer 0 global align 4
object m1 "all" buffer 1 global align 8
{
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = addr m1
  v2: i64 = const 8
  v3: ptr.global = ptradd v1, v2
  v4: ptr.global = load ptr.global v3 align 8 {m1}
  v5: i32 = load i32 v4 align 4 {m1}
  v6: i32 = const 1
  v7: i32 = add v5, v6
  store i32 v4, v7 align 4 {m1}
  store i32 v0, v7 align 4 {m0}
  return
}
"#,
    );
    let out = setup.words([0]);
    let variables = setup.memory.add(Buffer::uninitialised(24));
    setup.args.push(Argument::Buffer(variables));
    for expected in [6_u32, 7, 8] {
        setup.run(1, 1).unwrap();
        let bytes = setup.memory.buffer(out).to_bytes();
        assert_eq!(bytes, expected.to_le_bytes());
    }
}
