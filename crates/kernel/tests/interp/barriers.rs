use sluice_kernel::launch::{Argument, NdRange};

use crate::support::{setup, with_out};

/// Each work-item of a group adds up its group's ids: a tree in local memory with barriers in a
/// uniform loop. The group's size is a power of two.
const REDUCTION: &str = r#"b0:
  v0: i64 = global_id 0
  v1: i64 = local_id 0
  v2: i64 = local_size 0
  v3: ptr.local = addr m1
  v4: i64 = const 2
  v5: i64 = shl v1, v4
  v6: ptr.local = ptradd v3, v5
  v7: i32 = trunc v0
  store i32 v6, v7 align 4 {m1} !2:1
  barrier local !3:1
  v8: i64 = const 1
  v9: i64 = lshr v2, v8
  jump b1(v9)
b1(v10: i64):
  v11: i64 = const 0
  v12: i1 = eq v10, v11
  branch v12, b4, b2
b2:
  v20: i1 = ult v1, v10
  branch v20, b3, b5
b3:
  v30: i64 = add v1, v10
  v31: i64 = shl v30, v4
  v32: ptr.local = ptradd v3, v31
  v33: i32 = load i32 v32 align 4 {m1} !6:1
  v34: i32 = load i32 v6 align 4 {m1} !6:2
  v35: i32 = add v33, v34
  store i32 v6, v35 align 4 {m1} !6:3
  jump b5
b5:
  barrier local !7:1
  v50: i64 = lshr v10, v8
  jump b1(v50)
b4:
  v40: i32 = load i32 v3 align 4 {m1} !9:1
  v41: i64 = shl v0, v4
  v42: ptr.global = addr m0
  v43: ptr.global = ptradd v42, v41
  store i32 v43, v40 align 4 {m0} !9:2
  return
"#;

#[test]
fn groups_of_several_strips_meet_at_barriers() {
    for (size, checked) in [
        (1u32, true),
        (32, true),
        (64, false),
        (256, false),
        (256, true),
    ] {
        let local = format!("object m1 \"tile\" local size {} align 4", size * 4);
        let mut setup = setup(&with_out(&local, REDUCTION));
        if checked {
            setup = setup.checked();
        }
        let out = setup.words(vec![0; 3 * size as usize]);
        setup
            .run(3 * u64::from(size), size.into())
            .unwrap_or_else(|f| panic!("{f}"));
        let sum = |group: u32| (group * size..(group + 1) * size).sum::<u32>();
        let expected = (0..3 * size).map(|id| sum(id / size));
        assert_eq!(setup.read(out), expected.collect::<Vec<_>>());
    }
}

/// Reverses each group of 100 through local memory that the host sizes.
const REVERSE: &str = r#"kernel "reverse"
param "out" "uint*" buffer m0 uint
param "tile" "uint*" local m1 uint
object m0 "out" buffer 0 global align 4
object m1 "tile" local_arg 1 align 4
{
b0:
  v0: i64 = global_id 0
  v1: i64 = local_id 0
  v2: i64 = local_size 0
  v3: i64 = const 2
  v4: i64 = shl v0, v3
  v5: ptr.global = addr m0
  v6: ptr.global = ptradd v5, v4
  v7: i32 = load i32 v6 align 4 {m0}
  v8: i64 = shl v1, v3
  v9: ptr.local = addr m1
  v10: ptr.local = ptradd v9, v8
  store i32 v10, v7 align 4 {m1}
  barrier local
  v11: i64 = const -1
  v12: i64 = xor v1, v11
  v13: i64 = add v2, v12
  v14: i64 = shl v13, v3
  v15: ptr.local = ptradd v9, v14
  v16: i32 = load i32 v15 align 4 {m1}
  store i32 v6, v16 align 4 {m0}
  return
}"#;

#[test]
fn a_group_that_is_no_multiple_of_a_strip_has_its_own_local_memory() {
    let mut setup = setup(REVERSE).checked();
    let out = setup.words(0..300);
    setup.args.push(Argument::Local(400));
    setup.run(300, 100).unwrap_or_else(|f| panic!("{f}"));
    let expected = (0..300u32).map(|id| id / 100 * 100 + 99 - id % 100);
    assert_eq!(setup.read(out), expected.collect::<Vec<_>>());
}

/// Stores a number with one digit, base 16, per work-item function and dimension.
fn all_ids() -> String {
    let mut ids = String::from("b0:\n");
    let queries = [
        "global_id",
        "local_id",
        "group_id",
        "global_size",
        "num_groups",
    ];
    ids += "  v0: i64 = const 4\n  v1: i64 = const 0\n";
    let mut sum = 1;
    let mut next = 10;
    for query in queries {
        for dim in 0..3 {
            ids += &format!("  v{next}: i64 = {query} {dim}\n");
            ids += &format!("  v{}: i64 = shl v{sum}, v0\n", next + 1);
            ids += &format!("  v{}: i64 = or v{}, v{next}\n", next + 2, next + 1);
            sum = next + 2;
            next += 3;
        }
    }
    // The linear id: (z * 4 + y) * 6 + x without offsets.
    ids += "  v2: i64 = global_offset 0
  v3: i64 = global_offset 1
  v4: i64 = global_offset 2
  v5: i64 = sub v10, v2
  v6: i64 = sub v13, v3
  v7: i64 = sub v16, v4
  v100: i64 = const 6
  v101: i64 = const 4
  v102: i64 = mul v7, v101
  v103: i64 = add v102, v6
  v104: i64 = mul v103, v100
  v105: i64 = add v104, v5
  v106: i64 = const 3
  v107: i64 = shl v105, v106
  v108: ptr.global = addr m0
  v109: ptr.global = ptradd v108, v107
";
    ids += &format!("  store i64 v109, v{sum} align 8 {{m0}}\n  return\n");
    ids
}

#[test]
fn ids_of_three_dimensions_and_offsets() {
    let mut setup = setup(&with_out("", &all_ids()));
    let out = setup.words(vec![0; 6 * 4 * 4 * 2]);
    let range = NdRange {
        dims: 3,
        global: [6, 4, 4],
        local: [3, 2, 1],
        offset: [1, 2, 3],
    };
    setup.run_range(range).expect("no fault");
    let words = setup.read(out);
    for item in 0..6 * 4 * 4u64 {
        let id = [item % 6, item / 6 % 4, item / 24];
        let local = [id[0] % 3, id[1] % 2, 0];
        let group = [id[0] / 3, id[1] / 2, id[2]];
        let global = [id[0] + 1, id[1] + 2, id[2] + 3];
        let digits = [global, local, group, [6, 4, 4], [2, 2, 4]].concat();
        let expected = digits.iter().fold(0, |number, digit| number << 4 | digit);
        let at = item as usize * 2;
        assert_eq!(
            u64::from(words[at + 1]) << 32 | u64::from(words[at]),
            expected
        );
    }
}

#[test]
fn lanes_at_different_barriers_pass_together_when_that_is_not_checked() {
    let body = r#"b0:
  v0: i64 = local_id 0
  v1: i64 = const 2
  v2: i64 = shl v0, v1
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v2
  v5: i1 = trunc v0
  v6: i32 = const 1
  v7: i32 = const 2
  branch v5, b1, b2
b1:
  barrier global !2:3
  jump b3(v6)
b2:
  barrier global !4:5
  jump b3(v7)
b3(v8: i32):
  store i32 v4, v8 align 4 {m0}
  return
"#;
    let mut setup = setup(&with_out("", body));
    let out = setup.words([0; 4]);
    setup.run(4, 4).expect("no fault");
    assert_eq!(setup.read(out), [2, 1, 2, 1]);
    let fault = setup.checked().run(4, 4).expect_err("the barriers differ");
    assert_eq!(
        fault.to_string(),
        "work-item (1,0,0) waits at the barrier at k.cl:2:3, but work-item (0,0,0) waits at the one at k.cl:4:5"
    );
}
