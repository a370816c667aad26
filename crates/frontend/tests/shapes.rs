//! What the module looks like to its reader: structures by value, kernels that call kernels, barriers, counters.

use sluice_frontend::{Options, Source, llvm_ir};

fn lower(text: &str) -> String {
    lower_with(&[], text)
}

fn lower_with(arguments: &[&str], text: &str) -> String {
    let clang_args = arguments.iter().map(ToString::to_string).collect();
    let options = Options {
        clang_args,
        ..Options::default()
    };
    llvm_ir(&Source::from_text("kernel.cl", text), &options)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The instructions of a kernel, without debug information.
fn body(ir: &str, kernel: &str) -> String {
    ir.lines()
        .skip_while(|line| !(line.starts_with("define") && line.contains(&format!("@{kernel}("))))
        .take_while(|line| *line != "}")
        .filter(|line| !line.trim_start().starts_with("#dbg"))
        .map(|line| line.split(", !dbg").next().expect("a line has a beginning"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_structure_by_value_is_read_where_it_lies() {
    let ir = lower(
        "typedef struct { int at; float values[4]; } Setting;
         kernel void k(global float *x, Setting setting) { x[setting.at] = setting.values[setting.at & 3]; }",
    );
    let kernel = body(&ir, "k");
    assert!(kernel.contains("byval(%struct.Setting)"), "{kernel}");
    assert_eq!(count(&kernel, "alloca"), 0, "{kernel}");
    assert_eq!(count(&kernel, "memcpy"), 0, "{kernel}");
}

#[test]
fn a_structure_by_value_can_be_written_without_reaching_the_argument() {
    let ir = lower(
        "typedef struct { int at; float values[4]; } Setting;
         kernel void k(global float *x, Setting setting) {
             setting.values[setting.at & 3] = *x;
             x[1] = setting.values[(setting.at + 1) & 3];
         }",
    );
    let kernel = body(&ir, "k");
    assert_eq!(count(&kernel, "alloca"), 1, "{kernel}");
    let stores_into_the_argument = kernel
        .lines()
        .filter(|line| line.contains("store") && line.contains("ptr %setting"))
        .count();
    assert_eq!(stores_into_the_argument, 0, "{kernel}");
}

#[test]
fn a_kernel_can_call_a_kernel() {
    let ir = lower(
        "kernel void fill(global int *x, int value) { x[get_global_id(0)] = value; }
         kernel void clear(global int *x) { fill(x, 0); }",
    );
    assert!(ir.contains("@fill("), "{ir}");
    let clear = body(&ir, "clear");
    assert_eq!(count(&clear, "@fill"), 0, "{clear}");
    assert_eq!(count(&clear, "store i32 0"), 1, "{clear}");
}

#[test]
fn a_kernel_that_only_another_one_calls_is_inlined_and_dropped() {
    let text = "kernel void fill(global int *x, int value) { x[get_global_id(0)] = value; }
                kernel void clear(global int *x) { fill(x, 0); }";
    let options = Options {
        kernels: vec!["clear".to_owned()],
        ..Options::default()
    };
    let ir = llvm_ir(&Source::from_text("kernel.cl", text), &options).expect("it compiles");
    assert!(!ir.contains("@fill("), "{ir}");
    assert_eq!(count(&body(&ir, "clear"), "store i32 0"), 1, "{ir}");
}

#[test]
fn barriers_stay_in_their_loop() {
    let kernel = body(
        &lower(
            "kernel void k(global float *x, local float *l, int n) {
                 int me = get_local_id(0);
                 for (int i = 0; i < n; i++) {
                     l[me] = x[i];
                     barrier(CLK_LOCAL_MEM_FENCE);
                     x[i] = l[i];
                     barrier(CLK_LOCAL_MEM_FENCE);
                 }
             }",
        ),
        "k",
    );
    assert_eq!(count(&kernel, "@_Z7barrierj(i32 noundef 1)"), 2, "{kernel}");
    let (_, from_first) = kernel.split_once("barrierj").expect("there is a barrier");
    let (between, _) = from_first.split_once("barrierj").expect("there is another");
    assert!(
        between.contains("load float, ptr addrspace(3)"),
        "reads after the barrier: {kernel}"
    );
}

#[test]
fn a_barrier_is_not_copied_into_branches() {
    let kernel = body(
        &lower(
            "kernel void k(global int *x, local int *l, int n) {
                 int me = get_local_id(0);
                 if (n > 3) l[me] = x[me]; else l[me] = -x[me];
                 barrier(CLK_LOCAL_MEM_FENCE);
                 if (n > 3) x[me] = l[n]; else x[me] = l[n - 1];
             }",
        ),
        "k",
    );
    assert_eq!(count(&kernel, "@_Z7barrierj("), 1, "{kernel}");
}

#[test]
fn a_32_bit_counter_is_not_widened() {
    let kernel = body(
        &lower("kernel void k(global int *x, int n) { for (int i = 0; i < n; i++) x[i] = i; }"),
        "k",
    );
    assert!(kernel.contains("phi i32"), "{kernel}");
    assert!(!kernel.contains("phi i64"), "{kernel}");
}

#[test]
fn loads_stay_wide_and_arithmetic_is_scalar() {
    let kernel = body(
        &lower(
            "kernel void k(global float4 *x) { int i = get_global_id(0); x[i] = x[i] * x[i] + 1.0f; }",
        ),
        "k",
    );
    assert_eq!(count(&kernel, "load <4 x float>"), 1, "{kernel}");
    assert_eq!(count(&kernel, "store <4 x float>"), 1, "{kernel}");
    assert_eq!(count(&kernel, "fmul float"), 4, "{kernel}");
}

#[test]
fn async_copies_are_loops_before_a_barrier() {
    let kernel = body(
        &lower(
            "kernel void k(global float *x, local float *l, int n) {
                 event_t e = async_work_group_copy(l, x, (size_t)n, 0);
                 wait_group_events(1, &e);
                 x[get_local_id(0)] = l[0];
             }",
        ),
        "k",
    );
    assert_eq!(count(&kernel, "@_Z7barrierj(i32 noundef 3)"), 1, "{kernel}");
    assert_eq!(count(&kernel, "spirv.Event"), 0, "{kernel}");
    assert_eq!(count(&kernel, "phi i64"), 1, "{kernel}");
}

#[test]
fn atomics_are_instructions() {
    let kernel = body(
        &lower(
            "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
             kernel void k(global int *x, local long *l, global float *f) {
                 atomic_inc(x);
                 atom_add(l, 3L);
                 x[1] = atomic_cmpxchg(x, 1, 2);
                 f[1] = atomic_xchg(f, 1.5f);
             }",
        ),
        "k",
    );
    for instruction in [
        "atomicrmw volatile add ptr addrspace(1) %x, i32 1 monotonic",
        "atomicrmw volatile add ptr addrspace(3) %l, i64 3 monotonic",
        "cmpxchg volatile ptr addrspace(1) %x, i32 1, i32 2 monotonic",
        "atomicrmw volatile xchg ptr addrspace(1) %f, i32 1069547520 monotonic",
    ] {
        assert!(kernel.contains(instruction), "no {instruction}: {kernel}");
    }
}

#[test]
fn macros_of_the_build_options_are_seen() {
    let ir = lower_with(
        &["-D", "A=3", "-DB=4", "-UC", "-O3", "-cl-fast-relaxed-math"],
        "kernel void k(global int *x) { x[0] = A * B; }",
    );
    assert!(ir.contains("store i32 12"), "{ir}");
}

#[test]
fn the_device_claims_what_it_has() {
    let ir = lower(
        "#if __OPENCL_VERSION__ != 300 || __OPENCL_C_VERSION__ != 120
         #error version
         #endif
         #if !defined(cl_khr_fp64) || !defined(cl_khr_fp16) || !defined(cl_khr_int64_base_atomics)
         #error extensions
         #endif
         #if defined(__IMAGE_SUPPORT__) || defined(cl_khr_subgroups) || defined(cl_amd_media_ops)
         #error claims too much
         #endif
         kernel void k(global int *x) { x[0] = 1; }",
    );
    assert!(ir.contains("@k("), "{ir}");
}

#[test]
fn a_sum_over_a_64_bit_counter_needs_no_wider_integer() {
    let kernel = body(
        &lower(
            "kernel void k(global long *x, long n) {
                 long sum = 0;
                 for (long i = 0; i < n; i++) sum += i;
                 x[0] = sum;
             }",
        ),
        "k",
    );
    assert!(!kernel.contains("i65"), "{kernel}");
}

#[test]
fn mixing_vectors_leaves_no_shuffle() {
    let kernel = body(
        &lower(
            "kernel void k(global float4 *x, global float4 *y) { x[0] = (float4)(y[0].xyz * 2.0f, x[1].w); }",
        ),
        "k",
    );
    assert_eq!(count(&kernel, "shufflevector"), 0, "{kernel}");
    assert_eq!(count(&kernel, "store <4 x float>"), 1, "{kernel}");
}
