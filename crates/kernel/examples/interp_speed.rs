//! Measures the interpreter: `cargo run --release -p sluice-kernel --example interp_speed`.

use std::{fs, sync::LazyLock, time::Instant};

use sluice_kernel::{
    interp::{Checks, Options, Program},
    launch::{Argument, Buffer, Launch, Memory, NdRange},
    text,
};

const VECTOR_ADD: &str = r#"kernel "add"
param "a" "float*" buffer m0 float
param "b" "float*" buffer m1 float
param "c" "float*" buffer m2 float
object m0 "a" buffer 0 global align 4
object m1 "b" buffer 1 global align 4
object m2 "c" buffer 2 global align 4
{
b0:
  v0: i64 = global_id 0
  v1: i64 = const 2
  v2: i64 = shl v0, v1
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v2
  v5: f32 = load f32 v4 align 4 {m0}
  v6: ptr.global = addr m1
  v7: ptr.global = ptradd v6, v2
  v8: f32 = load f32 v7 align 4 {m1}
  v9: f32 = fadd v5, v8
  v10: ptr.global = addr m2
  v11: ptr.global = ptradd v10, v2
  store f32 v11, v9 align 4 {m2}
  return
}"#;

/// As compilers leave it: 32-bit indices that are widened for each access.
const MATMUL: &str = r#"kernel "matmul"
param "a" "float*" buffer m0 float
param "b" "float*" buffer m1 float
param "c" "float*" buffer m2 float
param "n" "int" value int
object m0 "a" buffer 0 global align 4
object m1 "b" buffer 1 global align 4
object m2 "c" buffer 2 global align 4
{
b0:
  v0: i64 = global_id 0
  v1: i32 = trunc v0
  v2: i64 = global_id 1
  v3: i32 = trunc v2
  v4: i32 = arg 3
  v5: i32 = mul v3, v4
  v6: i32 = const 0
  v7: f32 = const 0.0
  v8: i64 = const 2
  v9: i32 = const 1
  v10: ptr.global = addr m0
  v11: ptr.global = addr m1
  jump b1(v6, v7)
b1(v20: i32, v21: f32):
  v22: i32 = add v5, v20
  v23: i64 = sext v22
  v24: i64 = shl v23, v8
  v25: ptr.global = ptradd v10, v24
  v26: f32 = load f32 v25 align 4 {m0}
  v27: i32 = mul v20, v4
  v28: i32 = add v27, v1
  v29: i64 = sext v28
  v30: i64 = shl v29, v8
  v31: ptr.global = ptradd v11, v30
  v32: f32 = load f32 v31 align 4 {m1}
  v33: f32 = fmul v26, v32
  v34: f32 = fadd v21, v33
  v35: i32 = add v20, v9
  v36: i1 = slt v35, v4
  branch v36, b1(v35, v34), b2
b2:
  v40: i32 = add v5, v1
  v41: i64 = sext v40
  v42: i64 = shl v41, v8
  v43: ptr.global = addr m2
  v44: ptr.global = ptradd v43, v42
  store f32 v44, v34 align 4 {m2}
  return
}"#;

const N_BODY: &str = r#"kernel "nbody"
param "p" "float4*" buffer m0 float4
param "out" "float4*" buffer m1 float4
param "n" "int" value int
object m0 "p" buffer 0 global align 16
object m1 "out" buffer 1 global align 16
{
b0:
  v0: i64 = global_id 0
  v1: i64 = const 4
  v2: i64 = shl v0, v1
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v2
  v5: f32, v6: f32, v7: f32, v8: f32 = load f32x4 v4 align 16 {m0}
  v9: i32 = arg 2
  v10: i32 = const 0
  v11: i32 = const 1
  v12: f32 = const 0.0
  v13: f32 = const 0.01
  v14: f32 = const 1.0
  jump b1(v10, v12, v12, v12)
b1(v20: i32, v21: f32, v22: f32, v23: f32):
  v24: i64 = sext v20
  v25: i64 = shl v24, v1
  v26: ptr.global = ptradd v3, v25
  v27: f32, v28: f32, v29: f32, v30: f32 = load f32x4 v26 align 16 {m0}
  v31: f32 = fsub v27, v5
  v32: f32 = fsub v28, v6
  v33: f32 = fsub v29, v7
  v34: f32 = fmul v31, v31
  v35: f32 = fmul v32, v32
  v36: f32 = fmul v33, v33
  v37: f32 = fadd v34, v13
  v38: f32 = fadd v37, v35
  v39: f32 = fadd v38, v36
  v40: f32 = fsqrt v39
  v41: f32 = fmul v39, v40
  v42: f32 = fdiv v30, v41
  v43: f32 = fmul v31, v42
  v44: f32 = fmul v32, v42
  v45: f32 = fmul v33, v42
  v46: f32 = fadd v21, v43
  v47: f32 = fadd v22, v44
  v48: f32 = fadd v23, v45
  v49: i32 = add v20, v11
  v50: i1 = slt v49, v9
  branch v50, b1(v49, v46, v47, v48), b2
b2:
  v60: ptr.global = addr m1
  v61: ptr.global = ptradd v60, v2
  store f32x4 v61, v46, v47, v48, v8 align 16 {m1}
  return
}"#;

/// Lanes that leave a loop at different times and branch within: Collatz lengths.
const COLLATZ: &str = r#"kernel "collatz"
param "out" "uint*" buffer m0 uint
object m0 "out" buffer 0 global align 4
{
b0:
  v0: i64 = global_id 0
  v1: i32 = trunc v0
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
  v50: i64 = const 2
  v51: i64 = shl v0, v50
  v52: ptr.global = addr m0
  v53: ptr.global = ptradd v52, v51
  store i32 v53, v11 align 4 {m0}
  return
}"#;

fn buffer(floats: usize) -> Buffer {
    let values = (0..floats).flat_map(|at| (at as f32 * 0.37 % 5.0).to_le_bytes());
    Buffer::from_bytes(&values.collect::<Vec<u8>>())
}

fn measure(name: &str, source: &str, sizes: &[usize], n: Option<u64>, range: NdRange) {
    measure_with(Checks::default(), name, source, sizes, n, range);
}

fn measure_with(
    checks: Checks,
    name: &str,
    source: &str,
    sizes: &[usize],
    n: Option<u64>,
    range: NdRange,
) {
    let kernel = text::parse(source).expect("the kernel parses");
    let mut memory = Memory::new();
    let mut args: Vec<Argument> = sizes
        .iter()
        .map(|&floats| Argument::Buffer(memory.add(buffer(floats))))
        .collect();
    args.extend(n.map(|n| Argument::Value([n].into_iter().collect())));
    let launch = Launch { range, args };
    let program = Program::new(&kernel);
    let options = Options {
        checks,
        ..Options::default()
    };
    // The clock may be coarse: many launches, until they have taken long enough in all.
    let start = cpu_time();
    let (mut launches, mut instructions, mut seconds) = (0.0, 0, 0.0);
    while seconds < 0.4 {
        let outcome = program.run(&launch, &memory, &options);
        instructions = outcome.expect("no fault").instructions;
        launches += 1.0;
        seconds = cpu_time() - start;
    }
    let seconds = seconds / launches;
    println!(
        "{name:28} {:8.3} ms, {:6.3} ns per instruction ({instructions})",
        seconds * 1e3,
        seconds * 1e9 / instructions as f64
    );
}

/// Seconds that this thread has run, so that other processes do not disturb; on systems that do
/// not tell, the time of day.
fn cpu_time() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let ran = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    ran.map_or_else(|| START.elapsed().as_secs_f64(), |ns| ns / 1e9)
}

fn range(global: [u64; 3], local: [u64; 3]) -> NdRange {
    NdRange {
        dims: 2,
        global,
        local,
        offset: [0; 3],
    }
}

fn line(items: u64, group: u64) -> NdRange {
    range([items, 1, 1], [group, 1, 1])
}

fn main() {
    let add = |name, group| measure(name, VECTOR_ADD, &[1 << 20; 3], None, line(1 << 20, group));
    add("vector add 1M, groups of 64", 64);
    add("vector add 1M, groups of 1", 1);
    let matmul = |name, group| {
        let space = range([128, 128, 1], group);
        measure(name, MATMUL, &[128 * 128; 3], Some(128), space);
    };
    matmul("matmul 128, groups of 8x8", [8, 8, 1]);
    matmul("matmul 128, groups of 64x1", [64, 1, 1]);
    let n_body = |name, space| measure(name, N_BODY, &[2048 * 4; 2], Some(2048), space);
    n_body("n-body 2048", line(2048, 64));
    n_body("n-body, one work-item", line(1, 1));
    measure("collatz 64K", COLLATZ, &[1 << 16], None, line(1 << 16, 64));
    measure_with(
        Checks::ALL,
        "matmul 64, every check",
        MATMUL,
        &[64 * 64; 3],
        Some(64),
        range([64, 64, 1], [64, 1, 1]),
    );
}
