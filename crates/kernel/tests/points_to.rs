//! Points-to: the accesses of small kernels name exactly the objects that they may touch.

use sluice_kernel::analysis::annotate_objects;
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const HEADER: &str = r#"kernel "k"
param "a" "int*" buffer m0 int
param "b" "int*" buffer m1 int
param "c" "int*" buffer m2 int
param "n" "int" value int
param "t" "int*" local m4 int
object m0 "a" buffer 0 global align 4
object m1 "b" buffer 1 global align 4
object m2 "c" buffer 2 constant align 4
object m3 "p" private size 32 align 8
object m4 "t" local_arg 4 align 4
object m5 "q" private size 8 align 8
"#;

/// The object sets of a kernel's accesses, in order.
fn sets(body: &str) -> Vec<String> {
    let text = format!("{HEADER}{{\n{body}}}\n");
    let mut kernel = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    annotate_objects(&mut kernel);
    verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
    kernel
        .insts()
        .filter_map(|(_, inst)| kernel.inst(inst).objects())
        .map(|set| {
            set.iter()
                .map(|m| m.to_string())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect()
}

#[test]
fn an_address_points_to_its_object_wherever_it_is_moved() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: i32 = arg 3
  v2: ptr.global = ptradd v0, v1
  v3: i32 = load i32 v2 align 4 {}
  return
";
    assert_eq!(sets(body), ["m0"]);
}

#[test]
fn a_choice_points_to_both() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = addr m1
  v2: i1 = const 1
  v3: ptr.global = select v2, v0, v1
  v4: i32 = load i32 v3 align 4 {}
  v5: i32 = load i32 v0 align 4 {}
  return
";
    assert_eq!(sets(body), ["m0 m1", "m0"]);
}

#[test]
fn a_pointer_that_changes_in_a_loop_points_to_what_it_starts_from_and_becomes() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = addr m1
  v2: i1 = const 1
  jump b1(v0)
b1(v3: ptr.global):
  v4: i32 = load i32 v3 align 4 {}
  branch v2, b1(v1), b2
b2:
  return
";
    assert_eq!(sets(body), ["m0 m1"]);
}

#[test]
fn an_array_of_pointers_gives_back_what_was_stored() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = addr m1
  v2: ptr.private = addr m3
  v3: i64 = const 8
  v4: ptr.private = ptradd v2, v3
  store ptr.globalx2 v2, v0, v1 align 8 {}
  v5: ptr.global = load ptr.global v4 align 8 {}
  v6: i32 = load i32 v5 align 4 {}
  return
";
    assert_eq!(sets(body), ["m3", "m3", "m0 m1"]);
}

#[test]
fn a_pointer_to_a_pointer_is_followed() {
    let body = "
b0:
  v0: ptr.global = addr m1
  v1: ptr.private = addr m3
  v2: ptr.private = addr m5
  store ptr.private v2, v1 align 8 {}
  v3: ptr.private = load ptr.private v2 align 8 {}
  store ptr.global v3, v0 align 8 {}
  v4: ptr.global = load ptr.global v1 align 8 {}
  v5: i32 = load i32 v4 align 4 {}
  return
";
    assert_eq!(sets(body), ["m5", "m5", "m3", "m3", "m1"]);
}

#[test]
fn pointers_survive_as_integers_in_memory_and_in_pieces() {
    let body = "
b0:
  v0: ptr.global = addr m1
  v1: ptr.private = addr m3
  v2: i64 = ptrtoint v0
  v3: i32 = trunc v2
  v4: i64 = const 32
  v5: i64 = lshr v2, v4
  v6: i32 = trunc v5
  store i32x2 v1, v3, v6 align 4 {}
  v7: i64 = load i64 v1 align 4 {}
  v8: ptr.global = inttoptr v7
  v9: i32 = load i32 v8 align 4 {}
  return
";
    assert_eq!(sets(body), ["m3", "m3", "m1"]);
}

#[test]
fn a_pointer_made_from_a_number_reaches_its_whole_space() {
    let body = "
b0:
  v0: i32 = arg 3
  v1: i64 = sext v0
  v2: ptr.global = inttoptr v1
  v3: ptr.generic = inttoptr v1
  v4: i32 = load i32 v2 align 4 {}
  v5: i32 = load i32 v3 align 4 {}
  return
";
    assert_eq!(sets(body), ["m0 m1", "m0 m1 m3 m4 m5"]);
}

#[test]
fn a_pointer_from_the_host_may_be_any_of_its_space() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = load ptr.global v0 align 8 {}
  store ptr.global v1, v0 align 8 {}
  return
";
    assert_eq!(sets(body), ["m0", "m0 m1"]);
}

#[test]
fn a_choice_between_a_pointer_and_a_number_is_not_only_the_pointer() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: i32 = arg 3
  v2: i64 = sext v1
  v3: ptr.global = inttoptr v2
  v4: i1 = const 0
  v5: ptr.global = select v4, v0, v3
  v6: i32 = load i32 v5 align 4 {}
  return
";
    assert_eq!(sets(body), ["m0 m1"]);
}

#[test]
fn a_null_pointer_adds_nothing_to_a_choice() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = const 0
  v2: i1 = const 0
  v3: ptr.global = select v2, v0, v1
  v4: i32 = load i32 v3 align 4 {}
  return
";
    assert_eq!(sets(body), ["m0"]);
}

#[test]
fn a_distance_between_pointers_does_not_make_one_the_other() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.global = addr m1
  v2: i64 = ptrtoint v0
  v3: i64 = ptrtoint v1
  v4: i64 = sub v3, v2
  v5: ptr.global = ptradd v0, v4
  v6: i32 = load i32 v5 align 4 {}
  return
";
    assert_eq!(sets(body), ["m0"]);
}

#[test]
fn a_space_is_left_and_entered_by_casts() {
    let body = "
b0:
  v0: ptr.local = addr m4
  v1: ptr.private = addr m3
  v2: ptr.generic = spacecast v0
  v3: ptr.generic = spacecast v1
  v4: i1 = const 0
  v5: ptr.generic = select v4, v2, v3
  v6: ptr.local = spacecast v5
  v7: i32 = load i32 v5 align 4 {}
  v8: i32 = load i32 v6 align 4 {}
  return
";
    assert_eq!(sets(body), ["m3 m4", "m4"]);
}

#[test]
fn exchanged_pointers_are_stored_and_loaded() {
    let body = "
b0:
  v0: ptr.global = addr m0
  v1: ptr.local = addr m4
  v2: i64 = ptrtoint v0
  v3: i64 = atomic xchg v1, v2 {}
  v4: ptr.global = inttoptr v3
  v5: i32 = load i32 v4 align 4 {}
  return
";
    assert_eq!(sets(body), ["m4", "m0"]);
}

#[test]
fn ten_thousand_accesses_through_one_changing_pointer_are_solved() {
    let mut body = String::from(
        "
b0:
  v0: ptr.global = addr m0
  v1: ptr.private = addr m3
  v2: i1 = const 1
  jump b1(v0)
b1(v3: ptr.global):
",
    );
    let count = 5000;
    for at in 0..count {
        let value = 10 + at;
        body += &format!("  v{value}: ptr.global = load ptr.global v1 align 8 {{}}\n");
        body += &format!("  store ptr.global v1, v{value} align 8 {{}}\n");
    }
    body += "  store ptr.global v1, v3 align 8 {}\n";
    body += &format!(
        "  branch v2, b1(v{}), b2\nb2:\n  v4: ptr.global = load ptr.global v1 align 8 {{}}\n",
        9 + count
    );
    body += "  v5: i32 = load i32 v4 align 4 {}\n  return\n";
    let sets = sets(&body);
    assert_eq!(sets.len(), 2 * count + 3);
    assert_eq!(sets.last().map(String::as_str), Some("m0"));
}
