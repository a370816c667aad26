//! Every operation on every type, dense and with inactive lanes, against its row.

use sluice_kernel::ir::{
    BinaryOp, CastOp, Elementary, Numbers, Predicate, TernaryOp, Type, UnaryOp, Widths,
};

use crate::support::setup;

const ITEMS: usize = 100;

const INTS: [Type; 8] = [
    Type::Int(1),
    Type::Int(8),
    Type::Int(16),
    Type::Int(24),
    Type::Int(32),
    Type::Int(33),
    Type::Int(48),
    Type::Int(64),
];
const FLOATS: [Type; 3] = [Type::F16, Type::F32, Type::F64];

/// Numbers that cover signs, extremes, NaNs and the everyday, different for each seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let random = self.0 ^ (self.0 >> 29);
        match (random >> 60) & 7 {
            0 => random & 7,
            1 => u64::MAX - (random & 3),
            2 => 1 << (random & 63),
            3 => (random as f32 / 1e9).to_bits().into(),
            4 => (random as f64 / -1e15).to_bits(),
            5 => [0x7fc0_0001, 0x7f80_0000, 0xff80_0000, 0x8000_0000][(random & 3) as usize],
            _ => random,
        }
    }
}

/// Instructions that make `name` of type `ty` from the i64 `from`, using names that begin with
/// `name`.
fn from_bits(name: &str, ty: Type, from: &str) -> String {
    let int = Type::Int(ty.bits() as u8);
    match (ty, int) {
        (Type::Int(64), _) => format!("  {name}: i64 = or {from}, {from}\n"),
        (Type::F64, _) => format!("  {name}: f64 = bitcast {from}\n"),
        (Type::Int(_), _) => format!("  {name}: {ty} = trunc {from}\n"),
        _ => format!("  {name}9: {int} = trunc {from}\n  {name}: {ty} = bitcast {name}9\n"),
    }
}

/// The reverse.
fn to_bits(name: &str, ty: Type, from: &str) -> String {
    let int = Type::Int(ty.bits() as u8);
    match (ty, int) {
        (Type::Int(64), _) => format!("  {name}: i64 = or {from}, {from}\n"),
        (Type::F64, _) => format!("  {name}: i64 = bitcast {from}\n"),
        (Type::Int(_), _) => format!("  {name}: i64 = zext {from}\n"),
        _ => format!("  {name}9: {int} = bitcast {from}\n  {name}: i64 = zext {name}9\n"),
    }
}

/// A kernel that applies an operation twice: to all lanes, and to every third.
fn kernel(op: &str, arity: usize, from: Type, to: Type, constant: Option<u64>) -> String {
    let mut text = String::from(
        r#"kernel "op"
param "in" "ulong*" buffer m0 ulong
param "out" "ulong*" buffer m1 ulong
object m0 "in" buffer 0 global align 8
object m1 "out" buffer 1 global align 8
{
b0:
  v1: i64 = global_id 0
  v2: i64 = const 24
  v3: i64 = mul v1, v2
  v4: ptr.global = addr m0
  v5: ptr.global = ptradd v4, v3
  v6: i64, v7: i64, v8: i64 = load i64x3 v5 align 8 {m0}
  v11: i64 = const 4
  v12: i64 = shl v1, v11
  v13: ptr.global = addr m1
  v14: ptr.global = ptradd v13, v12
  v15: i64 = const 3
  v16: i64 = urem v1, v15
  v17: i64 = const 0
  v18: i1 = eq v16, v17
"#,
    );
    let mut args = Vec::new();
    for at in 0..arity {
        let name = format!("v{}", 20 + at);
        text += &match constant {
            Some(bits) if at == 1 => format!("  {name}: {from} = const {bits:#x}\n"),
            _ => from_bits(&name, from, &format!("v{}", 6 + at)),
        };
        args.push(name);
    }
    let args = args.join(", ");
    text += &format!("  v30: {to} = {op} {args}\n");
    text += &to_bits("v31", to, "v30");
    text += "  branch v18, b1, b2(v17)\nb1:\n";
    text += &format!("  v40: {to} = {op} {args}\n");
    text += &to_bits("v41", to, "v40");
    text += "  jump b2(v41)
b2(v50: i64):
  store i64x2 v14, v31, v50 align 8 {m1}
  return
}";
    text
}

fn check(
    op: &str,
    types: (usize, Type, Type),
    constant: Option<u64>,
    expected: impl Fn([u64; 3]) -> u64,
) {
    let (arity, from, to) = types;
    let mut setup = setup(&kernel(op, arity, from, to, constant));
    let mut numbers = Random(op.len() as u64 * 977 + u64::from(from.bits()));
    let inputs: Vec<[u64; 3]> = (0..ITEMS)
        .map(|_| [(); 3].map(|()| numbers.next()))
        .collect();
    let words = |x: u64| [x as u32, (x >> 32) as u32];
    setup.words(inputs.iter().flatten().flat_map(|&x| words(x)));
    let out = setup.words(vec![0; ITEMS * 4]);
    setup.run(ITEMS as u64, 50).expect("no fault");
    let result = setup.read(out);
    for (item, input) in inputs.iter().enumerate() {
        let mut args = input.map(|x| x & from.mask());
        if let Some(bits) = constant {
            args[1] = bits;
        }
        let want = expected(args);
        let got = &result[item * 4..][..4];
        let [dense, sparse] = [0, 2].map(|at| u64::from(got[at + 1]) << 32 | u64::from(got[at]));
        let sparsely = if item % 3 == 0 { want } else { 0 };
        assert_eq!([dense, sparse], [want, sparsely], "{op} {from} {args:x?}");
    }
}

fn types_of(numbers: Numbers) -> &'static [Type] {
    match numbers {
        Numbers::Integers | Numbers::IntegersAndPointers => &INTS,
        Numbers::Floats => &FLOATS,
    }
}

#[test]
fn unary_operations() {
    for &op in UnaryOp::ALL {
        for &ty in types_of(op.row().numbers) {
            if op.row().widths == Widths::PairsOfBytes && !ty.bits().is_multiple_of(16) {
                continue;
            }
            check(op.name(), (1, ty, ty), None, |[a, ..]| op.evaluate(ty, a));
        }
    }
}

#[test]
fn binary_operations() {
    for &op in BinaryOp::ALL {
        for &ty in types_of(op.row().numbers) {
            let expected = |[a, b, _]: [u64; 3]| op.evaluate(ty, a, b);
            check(op.name(), (2, ty, ty), None, expected);
            for constant in [0, 1, 5, 0x3c00_0000_4000_3c00] {
                check(op.name(), (2, ty, ty), Some(constant & ty.mask()), expected);
            }
        }
    }
}

#[test]
fn ternary_operations() {
    for &op in TernaryOp::ALL {
        for &ty in types_of(op.row().numbers) {
            let expected = |[a, b, c]: [u64; 3]| op.evaluate(ty, a, b, c);
            check(op.name(), (3, ty, ty), None, expected);
        }
    }
}

#[test]
fn elementary_functions() {
    for op in Elementary::all() {
        let ty = Type::F32;
        let expected = |args: [u64; 3]| op.evaluate(&args);
        check(&op.to_string(), (op.operands(), ty, ty), None, expected);
    }
}

#[test]
fn comparisons() {
    for &pred in Predicate::ALL {
        for &ty in types_of(pred.row().numbers) {
            let expected = |[a, b, _]: [u64; 3]| pred.evaluate(ty, a, b).into();
            check(pred.name(), (2, ty, Type::BOOL), None, expected);
            for constant in [0, 1, 0x3c00_0000_4000_3c00] {
                let constant = Some(constant & ty.mask());
                check(pred.name(), (2, ty, Type::BOOL), constant, expected);
            }
        }
    }
}

#[test]
fn conversions() {
    let all: Vec<Type> = INTS.iter().chain(&FLOATS).copied().collect();
    for &op in CastOp::ALL {
        for &from in &all {
            for &to in &all {
                let wider = to.bits() > from.bits();
                let narrower = to.bits() < from.bits();
                let fits = match op {
                    CastOp::Zext | CastOp::Sext => from.is_int() && to.is_int() && wider,
                    CastOp::Trunc => from.is_int() && to.is_int() && narrower,
                    CastOp::FpToSi | CastOp::FpToUi => from.is_float() && to.is_int(),
                    CastOp::SiToFp | CastOp::UiToFp => from.is_int() && to.is_float(),
                    CastOp::FpExt => from.is_float() && to.is_float() && wider,
                    CastOp::FpTrunc => from.is_float() && to.is_float() && narrower,
                    CastOp::Bitcast => from != to && from.bits() == to.bits(),
                    CastOp::PtrToInt | CastOp::IntToPtr | CastOp::SpaceCast => false,
                };
                if fits {
                    let expected = |[a, ..]: [u64; 3]| op.evaluate(from, to, a);
                    check(op.name(), (1, from, to), None, expected);
                }
            }
        }
    }
}

#[test]
fn selections() {
    for ty in INTS.into_iter().chain(FLOATS) {
        let text = kernel("OP", 3, ty, ty, None);
        // The condition is the id's lowest bit.
        let text = text.replace("  v18:", "  v19: i1 = trunc v1\n  v18:");
        let text = text.replace("OP v20, v21, v22", "select v19, v20, v21");
        let mut setup = setup(&text);
        let input = |item: u64, at: u64| item * 1000 + at;
        let words = |x: u64| [x as u32, (x >> 32) as u32];
        let inputs = (0..ITEMS as u64).flat_map(|i| [0, 1, 2].map(|at| input(i, at)));
        setup.words(inputs.flat_map(words));
        let out = setup.words(vec![0; ITEMS * 4]);
        setup.run(ITEMS as u64, 100).expect("no fault");
        let result = setup.read(out);
        for item in 0..ITEMS as u64 {
            let want = input(item, 1 - (item & 1)) & ty.mask();
            assert_eq!(u64::from(result[item as usize * 4]), want);
        }
    }
}
