//! The verifier: each file under `verify/` holds one mistake, its first lines say how it is reported.

use std::path::PathBuf;

use sluice_kernel::Kernel;
use sluice_kernel::ir::{
    BlockCall, InstData, Loc, Object, Param, ParamKind, Qualifiers, Type, UnaryOp, Value,
};
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

/// The files with their expected reports and texts, by name.
fn mistakes() -> Vec<(String, String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/verify");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let comments = text.lines().map_while(|line| line.strip_prefix("; "));
        let expected: Vec<&str> = comments.collect();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        (name, expected.join("\n"), text)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_mistake_is_reported_completely() {
    let mut failures = Vec::new();
    for (name, expected, text) in mistakes() {
        let kernel = parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let found = match verify(&kernel) {
            Ok(()) => "nothing".to_string(),
            Err(errors) => errors.to_string(),
        };
        if found != expected {
            failures.push(format!("{name}:\nexpected {expected}\nfound    {found}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn every_rule_that_text_can_break_has_a_file() {
    let mistakes = mistakes();
    // The parser makes no kernel that breaks V2; it is tested below.
    for rule in (1..=28).filter(|&rule| rule != 2) {
        let prefix = format!("v{rule}-");
        let mut names = mistakes.iter().map(|(name, ..)| name);
        assert!(names.any(|name| name.starts_with(&prefix)), "V{rule}");
    }
}

/// Types of every family, memory of every kind, a loop, uses across blocks.
const VALID: &str = r#"
kernel "valid"
file "valid.cl"
param "x" "int*" buffer m0 int
param "c" "int*" const buffer m1 int
param "s" "struct S" struct m2
param "t" "float*" local m3 opaque 0
param "a" "float4" value float4
object m0 "x" buffer 0 global align 4
object m1 "c" buffer 1 constant align 4
object m2 "s" struct_arg 2 size 16 align 4
object m3 "t" local_arg 3 align 4
object m4 "table" table align 4 x"00010203"
object m5 "stack" private size 16 align 4
object m6 "tile" local size 16 align 4
{
b0:
  v0: i32 = const -1
  v1: f32 = arg 4.3
  v2: i64 = global_id 2 !1:1
  v3: i32 = work_dim 0
  v4: ptr.global = addr m0
  v5: ptr.constant = addr m1
  v6: ptr.private = addr m2
  v7: i7 = const 64
  v8: ptr.global = ptradd v4, v7
  v9: ptr.generic = spacecast v8
  v10: i32, v11: i32 = load i32x2 v9 align 1 {m0, m2, m3, m5, m6}
  v12: i8 = load volatile i8 v5 align 1 {m1, m4}
  v13: ptr.local = load ptr.local v6 align 8 {m2}
  store f32 v13, v1 align 4 {m3, m6}
  store ptr.global v4, v8 align 8 {}
  v14: f32 = atomic xchg v8, v1 {m0}
  v15: i64 = atomic smax v8, v2 {m0}
  v16: i32 = cmpxchg v9, v10, v11 {m0}
  v17: i1 = ult v4, v8
  v18: i1 = funo v1, v14
  v19: ptr.global = select v17, v4, v8
  v20: i32 = bitcast v1
  v21: i64 = ptrtoint v19
  v22: ptr.local = inttoptr v21
  v23: i48 = trunc v21
  v24: i48 = byteswap v23
  v25: i7 = fshr v7, v7, v7
  v26: f32 = fma v1, v1, v14
  printf "%v2d %p", v10, v11, v22 !0:9
  jump b1(v0, v17)
b1(v27: i32, v28: i1):
  v29: i32 = add v27, v20
  branch v28, b1(v29, v18), b2
b2:
  v30: i32 = sub v29, v3
  barrier local
  return
}
"#;

#[test]
fn a_valid_kernel_passes() {
    verify(&parse(VALID).unwrap()).unwrap();
}

fn report(kernel: &Kernel) -> String {
    verify(kernel).unwrap_err().to_string()
}

fn parsed(body: &str) -> Kernel {
    parse(&format!("kernel \"k\"\n{{\n{body}\n}}")).unwrap()
}

#[test]
fn an_instruction_in_two_places_is_refused() {
    let mut kernel = parsed("b0:\nv0: i32 = const 1\nreturn");
    let entry = kernel.entry();
    let first = kernel.block(entry).insts[0];
    kernel.block_mut(entry).insts.insert(0, first);
    assert_eq!(
        report(&kernel),
        "V2 in b0, `v0: i32 = const 1`: the instruction stands in two places"
    );
}

#[test]
fn a_parameter_that_does_not_know_its_position_is_refused() {
    let mut kernel = parsed("b0:\nv0: i32 = const 1\njump b1(v0)\nb1(v1: i32, v2: i32):\nreturn");
    let block = kernel.layout()[1];
    kernel.block_mut(block).params.remove(0);
    assert_eq!(
        report(&kernel),
        "V2 in b1: v2 is parameter 0 of b1 but does not know it"
    );
}

#[test]
fn a_target_that_left_the_layout_is_refused() {
    let mut kernel = parsed("b0:\njump b1\nb1:\nreturn");
    let entry = kernel.entry();
    kernel.retain_blocks(|&block| block == entry);
    assert_eq!(
        report(&kernel),
        "V4 in b0, `jump b1`: b1 is not in the layout"
    );
}

#[test]
fn operands_from_outside_the_layout_are_refused() {
    let mut kernel = parsed("b0:\nreturn");
    let entry = kernel.entry();
    let unplaced = kernel.make_inst(InstData::Const(1), &[Type::I32], Loc::default());
    let unplaced = kernel.result(unplaced);
    let returns = kernel.block_mut(entry).insts.pop().unwrap();
    for arg in [unplaced, Value::from_u32(77)] {
        let op = UnaryOp::Clz;
        let data = InstData::Unary { op, arg };
        kernel.append(entry, data, &[Type::I32], Loc::default());
    }
    kernel.block_mut(entry).insts.push(returns);
    assert_eq!(
        report(&kernel),
        "V6 in b0, `v1: i32 = clz v0`: v0 is not defined in the layout\n\
         V6 in b0, `v2: i32 = clz v77`: v77 is not defined in the layout"
    );
}

#[test]
fn parameters_of_blocks_outside_the_layout_are_refused() {
    let mut kernel = parsed("b0:\nv0: i32 = const 1\njump b1(v0)\nb1(v1: i32):\nreturn");
    let entry = kernel.entry();
    kernel.retain_blocks(|&block| block == entry);
    let last = kernel.terminator(entry);
    *kernel.inst_mut(last) = InstData::Printf {
        format: "%d".into(),
        args: [Value::from_u32(1)].into_iter().collect(),
    };
    kernel.append(entry, InstData::Return, &[], Loc::default());
    assert_eq!(
        report(&kernel),
        "V6 in b0, `printf \"%d\", v1`: v1 is not defined in the layout"
    );
}

#[test]
fn objects_that_do_not_exist_are_refused() {
    let mut kernel = parsed(
        "b0:\nv0: ptr.global = const 0\nv1: i32 = load i32 v0 align 4 {}\nstore i32 v0, v1 align 4 {}\nreturn",
    );
    let missing = Object::from_u32(3);
    let insts: Vec<_> = kernel.insts().map(|(_, inst)| inst).collect();
    *kernel.inst_mut(insts[0]) = InstData::Addr(missing);
    for inst in &insts[1..3] {
        let objects = kernel.inst_mut(*inst).objects_mut().unwrap();
        objects.insert(missing);
    }
    kernel.params.push(Param {
        name: "s".into(),
        type_name: "struct S".into(),
        qualifiers: Qualifiers::default(),
        kind: ParamKind::Struct { object: missing },
    });
    assert_eq!(
        report(&kernel),
        "V23: parameter \"s\" names m3, which does not exist\n\
         V11 in b0, `v0: ptr.global = addr m3`: m3 does not exist\n\
         V19 in b0, `v1: i32 = load i32 v0 align 4 {m3}`: m3 does not exist\n\
         V19 in b0, `store i32 v0, v1 align 4 {m3}`: m3 does not exist"
    );
}

#[test]
fn a_call_to_a_block_outside_any_kernel_is_refused() {
    let mut kernel = parsed("b0:\nreturn");
    let last = kernel.terminator(kernel.entry());
    *kernel.inst_mut(last) = InstData::Jump(BlockCall {
        block: sluice_kernel::ir::Block::from_u32(9),
        args: Default::default(),
    });
    assert_eq!(
        report(&kernel),
        "V4 in b0, `jump b9`: b9 is not in the layout"
    );
}
