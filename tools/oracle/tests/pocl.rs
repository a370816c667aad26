//! The interface of the oracle, tested on PoCL.

use std::time::Duration;

use sluice_oracle::{Implementation, Job, JobArg, Oracle, OracleError, run_isolated};

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn job(source: &str, kernel: &str, global: &[u64]) -> Job {
    Job {
        source: source.into(),
        options: String::new(),
        kernel: kernel.into(),
        global: global.to_vec(),
        local: None,
        offset: vec![],
        buffers: vec![],
        args: vec![],
    }
}

fn run(job: &Job) -> Vec<Vec<u8>> {
    Oracle::pocl()
        .expect("PoCL is installed")
        .run(job)
        .expect("the job runs")
        .buffers
}

const ADD: &str = "kernel void add(global const uint *a, global const uint *b, global uint *c)
    { size_t i = get_global_id(0); c[i] = a[i] + b[i]; }";

#[test]
fn adds_vectors() {
    let mut job = job(ADD, "add", &[8]);
    job.buffers = vec![words(0..8), words(100..108), words([0; 8])];
    job.args = (0..3).map(JobArg::Buffer).collect();
    let sum = words((0..8).map(|i| 100 + 2 * i));
    assert_eq!(run(&job), [words(0..8), words(100..108), sum]);
}

#[test]
fn passes_the_same_buffer_twice() {
    let mut job = job(ADD, "add", &[4]);
    job.buffers = vec![words(1..5), words([0; 4])];
    job.args = vec![JobArg::Buffer(0), JobArg::Buffer(0), JobArg::Buffer(1)];
    assert_eq!(run(&job)[1], words([2, 4, 6, 8]));
}

#[test]
fn keeps_an_empty_buffer_empty() {
    let source = "kernel void count(global uint *none, global uint *n) { n[0] = (none != 0) + 1; }";
    let mut job = job(source, "count", &[1]);
    job.buffers = vec![vec![], words([0])];
    job.args = vec![JobArg::Buffer(0), JobArg::Buffer(1)];
    assert_eq!(run(&job), [vec![], words([2])]);
}

#[test]
fn gives_local_memory() {
    let source = "kernel void turn(global uint *data, local uint *tile) {
        size_t i = get_local_id(0), n = get_local_size(0);
        tile[i] = data[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        data[get_global_id(0)] = tile[n - 1 - i];
    }";
    let mut job = job(source, "turn", &[8]);
    job.local = Some(vec![4]);
    job.buffers = vec![words(0..8)];
    job.args = vec![JobArg::Buffer(0), JobArg::Local(16)];
    assert_eq!(run(&job)[0], words([3, 2, 1, 0, 7, 6, 5, 4]));
}

#[test]
fn launches_three_dimensions_at_an_offset() {
    let source = "kernel void where(global uint *out) {
        size_t x = get_global_id(0) - 10, y = get_global_id(1) - 20, z = get_global_id(2) - 30;
        out[(z * 2 + y) * 3 + x] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
    }";
    let mut job = job(source, "where", &[3, 2, 2]);
    job.offset = vec![10, 20, 30];
    job.buffers = vec![words([0; 12])];
    job.args = vec![JobArg::Buffer(0)];
    let mut expected = vec![];
    for z in 30..32 {
        for y in 20..22 {
            expected.extend((10..13).map(|x| x + 100 * y + 10000 * z));
        }
    }
    assert_eq!(run(&job)[0], words(expected));
}

#[test]
fn passes_a_struct_and_null_by_value() {
    let source = "typedef struct { uint a; ulong b; } pair;
        kernel void take(pair p, global uint *none, global uint *out)
        { out[0] = p.a; out[1] = (uint)p.b; out[2] = none == 0; }";
    let mut job = job(source, "take", &[1]);
    job.buffers = vec![words([0; 3])];
    job.args = vec![
        JobArg::Scalar(words([7, 0, 9, 0])),
        JobArg::Null,
        JobArg::Buffer(0),
    ];
    assert_eq!(run(&job)[0], words([7, 9, 1]));
}

#[test]
fn reports_the_log_of_a_program_that_does_not_build() {
    let oracle = Oracle::pocl().expect("PoCL is installed");
    let job = job(
        "kernel void f(global int *p) { *p = missing_name; }",
        "f",
        &[1],
    );
    for _ in 0..2 {
        let error = oracle.run(&job).expect_err("the name is undeclared");
        assert!(
            matches!(&error, OracleError::Build { log } if log.contains("missing_name")),
            "{error}"
        );
    }
}

#[test]
fn names_the_kernel_that_is_not_there() {
    let oracle = Oracle::pocl().expect("PoCL is installed");
    let error = oracle
        .run(&job("kernel void f() {}", "g", &[1]))
        .expect_err("there is no g");
    assert!(
        matches!(&error, OracleError::NoKernel(name) if name == "g"),
        "{error}"
    );
}

#[test]
fn names_the_argument_without_a_buffer() {
    let oracle = Oracle::pocl().expect("PoCL is installed");
    let mut job = job("kernel void f(global int *p) { *p = 1; }", "f", &[1]);
    job.args = vec![JobArg::Buffer(0)];
    let error = oracle.run(&job).expect_err("there are no buffers");
    assert_eq!(
        error.to_string(),
        "argument 0 names buffer 0, but the job has 0 buffers"
    );
}

#[test]
fn names_the_package_of_a_missing_platform() {
    let Err(error) = Oracle::on_platform("No Such Platform") else {
        panic!("the platform exists")
    };
    assert!(error.to_string().contains("pocl-opencl-icd"), "{error}");
}

fn isolated(job: &Job, timeout: Duration) -> Result<sluice_oracle::Isolated, OracleError> {
    let pocl = Implementation::pocl(env!("CARGO_BIN_EXE_sluice-oracle"));
    run_isolated(&pocl, job, timeout)
}

const MINUTE: Duration = Duration::from_secs(60);

#[test]
fn captures_what_the_kernel_prints() {
    let source =
        r#"kernel void say(global uint *out) { out[0] = 5; printf("x=%d %s\n", 42, "ok"); }"#;
    let mut job = job(source, "say", &[1]);
    job.buffers = vec![words([0])];
    job.args = vec![JobArg::Buffer(0)];
    let result = isolated(&job, MINUTE).expect("the job runs");
    assert_eq!(
        (result.printed.as_str(), &result.outcome.buffers[0]),
        ("x=42 ok\n", &words([5]))
    );
}

#[test]
fn isolates_a_build_error() {
    let error = isolated(&job("kernel void f() { missing_name; }", "f", &[1]), MINUTE)
        .expect_err("undeclared");
    assert!(
        matches!(&error, OracleError::Build { log } if log.contains("missing_name")),
        "{error}"
    );
}

#[test]
fn survives_a_kernel_that_crashes() {
    let mut job = job(
        "kernel void f(global volatile int *p) { p[0] = 1; }",
        "f",
        &[1],
    );
    job.args = vec![JobArg::Null];
    let error = isolated(&job, MINUTE).expect_err("a write through null");
    assert!(
        matches!(&error, OracleError::Crash { status, .. } if status.contains("signal")),
        "{error}"
    );
}

#[test]
fn kills_a_kernel_that_does_not_end() {
    let mut job = job(
        "kernel void f(global volatile int *p) { while (p[0] == 0) p[1]++; }",
        "f",
        &[1],
    );
    job.buffers = vec![words([0; 2])];
    job.args = vec![JobArg::Buffer(0)];
    let error = isolated(&job, Duration::from_secs(3)).expect_err("it never ends");
    assert!(
        matches!(error, OracleError::Timeout { seconds: 3 }),
        "{error}"
    );
}
