//! Plan files: what the default rules write is what is built, entries reach the circuit, and what a program
//! cannot have is refused with its place.

use std::path::{Path, PathBuf};

use sluice_circuit::target::Target;
use sluice_circuit::text::print;
use sluice_driver::plan::{PlanFile, PlanMistake, Scope, default_rules};
use sluice_driver::{
    Agreement, Board, Case, CircuitExecutors, CompileArgs, Design, TestFile, check_agreement,
    compile,
};
use sluice_kernel::Program;
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::plan::{LoopWay, Plan};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn program(file: &Path) -> Program {
    let args = CompileArgs {
        file: file.to_owned(),
        kernel: None,
        clang: Vec::new(),
    };
    let compiled = compile(&args).unwrap_or_else(|failure| panic!("{failure}"));
    compiled.program
}

fn plan(text: &str, program: &Program) -> Result<Plan, PlanMistake> {
    PlanFile::parse(text)?.apply(program, Scope::Whole, Plan::default())
}

/// Kernels of different kinds: streams, stencils, local memory, barriers, atomics, tables, private arrays,
/// structs, loops with exits, several kernels.
const KERNELS: [&str; 12] = [
    "examples/saxpy.cl",
    "examples/reduce.cl",
    "examples/spmv.cl",
    "tests/run/argmax_tiles.cl",
    "tests/run/atomics_on_members.cl",
    "tests/run/barriers_in_a_row.cl",
    "tests/run/complex_arithmetic.cl",
    "tests/run/dijkstra.cl",
    "tests/run/transpose_tiled.cl",
    "tests/run/hotspot.cl",
    "tests/run/matrix_inverse_4x4.cl",
    "tests/run/struct_pointers.cl",
];

#[test]
fn the_plan_of_the_default_rules_comes_back_and_changes_nothing() {
    let board = Board::default();
    for file in KERNELS {
        let program = program(&repository().join(file));
        let written = default_rules(&program, &board);
        let text = written.to_string();
        let read = PlanFile::parse(&text).unwrap_or_else(|it| panic!("{file}: {it:?}\n{text}"));
        assert_eq!(read, written, "{file}");
        let planned = read
            .apply(&program, Scope::Whole, Plan::new(board.figures))
            .unwrap_or_else(|it| panic!("{file}: {it:?}\n{text}"));
        for kernel in program.kernels() {
            let circuit = |plan: &Plan| {
                let design = Design::of(Program::of(kernel.clone()), &board.target, plan);
                print(design.expect("it has a circuit").lowered.circuit())
            };
            let default = circuit(&Plan::new(board.figures));
            assert!(circuit(&planned) == default, "{file}: {}", kernel.name);
        }
    }
}

/// Three buffers with three cache sizes, behind two memory ports.
const BY_HAND: &str = "\
[bitstream.add]
kernels = [\"add\"]
banks = 2
reason.banks = \"the result has a port of its own\"

[kernel.add]
datapaths = 2
memory = \"cache\"

[kernel.add.object.a]
cache_bytes = 1024
latency = 40

[kernel.add.object.b]
cache_bytes = 4096

[kernel.add.object.c]
cache_bytes = 16384
bank = 1

[kernel.add.access.\"3.2\"]
latency = 20
";

const ADD: &str = "\
kernel void add(global const float *a, global const float *b, global float *c) {
    int i = get_global_id(0);
    c[i] = a[i] + b[i];
}
// launch: -k add -g 192 -l 16 -a rand:192:1 -a rand:192:2 -a zero:192
";

/// The file of a text, in a folder of the test's own.
fn written(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("plans");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn buffers_have_the_caches_and_banks_that_a_plan_gives_them() {
    let path = written("add.cl", ADD);
    let program = program(&path);
    let file = TestFile::read(&path).unwrap_or_else(|failure| panic!("{failure}"));
    let case: &Case = &file.cases[0];
    let plan = plan(BY_HAND, &program).unwrap_or_else(|mistake| panic!("{mistake:?}"));
    let design = Design::of(program.clone(), &Target::ECP5, &plan).expect("a circuit");
    assert_eq!(design.lowered.memory_ports().len(), 2);
    assert_eq!(design.datapaths, 2);
    let text = print(design.lowered.circuit());
    let mut caches: Vec<&str> = text.lines().filter(|it| it.contains(": cache {")).collect();
    caches.sort_unstable();
    let figures: Vec<String> = caches
        .iter()
        .map(|line| {
            let field = |key: &str| {
                let (_, rest) = line.split_once(key).expect("the field");
                rest.split([',', '}']).next().expect("a value").trim()
            };
            format!(
                "{} lines, {} under way",
                field("lines:"),
                field("outstanding:")
            )
        })
        .collect();
    let each = [
        "16 lines, 40 under way",
        "64 lines, 128 under way",
        "256 lines, 128 under way",
    ];
    assert_eq!(figures, [each, each].concat(), "{text}");
    // Simulator and Verilog: the same memory as the interpreter, and the same cycles as each other.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    let executors = CircuitExecutors::SimulatorAndRtl(&folder);
    let agreed = check_agreement(&program, &|| case.bind(&program), plan, executors);
    let agreed = agreed.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(matches!(agreed, Agreement::Agreed { .. }), "{agreed:?}");
}

const PROGRAM: &str = "\
kernel void stencil(global float *x, global const float *w, constant float *t, int n) {
    local float tile[64];
    int i = get_local_id(0);
    tile[i] = w[i] + t[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) {
        x[i * n + k] = tile[(i + k) % 64] * x[i * n + k];
    }
}
kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void choose(global int *p, global int *q, global int *unused, int which) {
    global int *r = which ? p : q;
    r[get_global_id(0)] += 1;
}
";

/// What is wrong with each plan: where, why, and what is allowed.
const DAMAGED: &str = include_str!("plan/damaged.txt");

/// A plan, the line that is marked, and the text there.
fn complaint(text: &str, program: &Program) -> String {
    let mistake = plan(text, program).expect_err(text);
    let span = mistake.span.expect("a place");
    let line = text[..span.start].matches('\n').count() + 1;
    let marked = text[span].replace('\n', "\\n");
    format!(
        "line {line}, `{marked}`: {}\n  {}\n",
        mistake.message, mistake.help
    )
}

#[test]
fn damaged_plans_are_refused_with_line_and_reason() {
    let program = program(&written("stencil.cl", PROGRAM));
    let mut found = String::new();
    for block in DAMAGED.split("\n\n").filter(|it| !it.trim().is_empty()) {
        let plan: Vec<&str> = block.lines().filter(|it| !it.starts_with("=> ")).collect();
        let plan = plan.join("\n") + "\n";
        let complaint = complaint(&plan, &program);
        let complaint: Vec<String> = complaint.lines().map(|it| format!("=> {it}")).collect();
        found += &format!("{plan}{}\n\n", complaint.join("\n"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plan/damaged.txt");
    if std::env::var_os("SLUICE_BLESS").is_some() {
        std::fs::write(path, found.trim_end().to_owned() + "\n").expect("the file");
        return;
    }
    assert!(
        found.trim_end() == DAMAGED.trim_end(),
        "SLUICE_BLESS=1 writes what was found:\n{found}"
    );
}

/// One buffer is only read, one only written; of one, work-items read what they have written.
const STREAMS: &str = "\
__kernel void mix(__global const int *a, __global int *b, __global int *c) {
    int i = get_global_id(0);
    int j = a[i];
    c[j] = i;
    b[i] = c[i];
}
";

#[test]
fn accesses_have_the_streams_that_a_plan_gives_them() {
    let program = program(&written("mix.cl", STREAMS));
    let design = |text: &str| {
        let plan = plan(text, &program).unwrap_or_else(|mistake| panic!("{mistake:?}"));
        Design::of(program.clone(), &Target::ECP5, &plan)
    };
    let units = |text: &str| {
        let text = print(design(text).expect("a circuit").lowered.circuit());
        let count = |word: &str| text.matches(&format!(": {word} {{")).count();
        ["reader", "writer", "cache"].map(count)
    };
    assert_eq!(units(""), [1, 1, 1]);
    assert_eq!(units("[kernel.mix]\nmemory = \"cache\"\n"), [0, 0, 3]);
    assert_eq!(units("[kernel.mix]\nmemory = \"stream\"\n"), [1, 1, 1]);
    let all_but_one =
        "[kernel.mix]\nmemory = \"stream\"\n[kernel.mix.access.\"5.1\"]\nmemory = \"cache\"\n";
    assert_eq!(units(all_but_one), [1, 0, 2]);
    let refusal = design("[kernel.mix.access.\"4\"]\nmemory = \"stream\"\n");
    assert_eq!(
        refusal.expect_err("it is refused").to_string(),
        "a stream of `c`, which is both read and written, cannot become a circuit yet (line 4)"
    );
}

/// Of the table, each work-item reads two elements; of `x` one; `y` is read and written.
const TABLE: &str = "\
kernel void look(global const int *x, global const int *h, global int *y) {
    int i = get_global_id(0);
    int j = x[i];
    y[i] += h[j] + h[j + 1];
}
";

/// What the copies of a circuit hold: by a plan, and fitted to launches with as many work-items and a table of as many
/// bytes.
fn copies(text: &str, launches: &[(u64, usize)]) -> Result<Vec<u32>, String> {
    let program = program(&written("table.cl", TABLE));
    let mut plan = plan(text, &program).unwrap_or_else(|mistake| panic!("{mistake:?}"));
    for &(items, bytes) in launches {
        let mut memory = Memory::new();
        let sizes = [1 << 20, bytes, 1 << 20];
        let buffers = sizes.map(|bytes| memory.add(Buffer::from_bytes(&vec![0; bytes])));
        let range = NdRange {
            dims: 1,
            global: [items, 1, 1],
            local: [1; 3],
            offset: [0; 3],
        };
        let args = buffers.map(Argument::Buffer).into();
        plan = plan.fit(&Launch { range, args }, &memory);
    }
    let design = Design::of(program, &Target::ECP5, &plan).map_err(|why| why.to_string())?;
    let text = print(design.lowered.circuit());
    let copies = text.lines().filter(|line| line.contains(": copy {"));
    let sizes = copies.map(|line| {
        let sizes = line.split("bytes: ").skip(2);
        let digits: Vec<&str> = sizes.filter_map(|it| it.split(',').next()).collect();
        digits[0].parse().expect("a number")
    });
    Ok(sizes.collect())
}

#[test]
fn small_buffers_are_copied() {
    // By the rules: where the launch says that the buffer is small, and has enough work-items.
    assert_eq!(copies("", &[]), Ok(vec![]));
    assert_eq!(copies("", &[(64, 100)]), Ok(vec![128]));
    assert_eq!(copies("", &[(512, 600)]), Ok(vec![1024]));
    assert_eq!(copies("", &[(511, 600)]), Ok(vec![]));
    assert_eq!(copies("", &[(1 << 20, 10_000)]), Ok(vec![]));
    // The first launch says whether there is a copy, the others how large it is.
    let grown = [(2048, 100), (2048, 3000), (2048, 20)];
    assert_eq!(copies("", &grown), Ok(vec![4096]));
    assert_eq!(copies("", &[(1024, 10_000), (1024, 20)]), Ok(vec![]));
    assert_eq!(copies("", &[(1024, 20), (1024, 100_000)]), Ok(vec![]));
    // By a plan.
    let entry = "[kernel.look.object.h]\nmemory = \"copy\"\ncopy_bytes = 5000\n";
    assert_eq!(copies(entry, &[]), Ok(vec![8192]));
    assert_eq!(copies(entry, &[(1, 4)]), Ok(vec![8192]));
    assert_eq!(copies(entry, &[(1, 10_000)]), Ok(vec![16384]));
    let known = "[kernel.look.object.h]\ncopy_bytes = 100\n";
    assert_eq!(copies(known, &[]), Ok(vec![128]));
    let cache = "[kernel.look]\nmemory = \"cache\"\n[kernel.look.object.h]\ncopy_bytes = 100\n";
    assert_eq!(copies(cache, &[]), Ok(vec![]));
    let refused = |what: &str| {
        Err(format!(
            "a copy of {what}, cannot become a circuit yet (line 4)"
        ))
    };
    let size = "`h`, which has a size that is not known";
    assert_eq!(copies(entry, &[(1, 100_000)]), refused(size));
    let written = "[kernel.look.object.y]\nmemory = \"copy\"\ncopy_bytes = 100\n";
    assert_eq!(copies(written, &[]), refused("`y`, which is written"));
}

/// Rows whose length an argument says: wherever `i * n + j` may wrap, two rows may be the same.
const ROWS: &str = "\
kernel void rows(global int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] *= 3;
}
// launch: -k rows -g 1 -a rand:64 -a 8
";

#[test]
fn small_arguments_keep_rows_apart() {
    let path = written("rows.cl", ROWS);
    let program = program(&path);
    let outer = |text: &str, n: Option<u64>| {
        let mut plan = plan(text, &program).unwrap_or_else(|mistake| panic!("{mistake:?}"));
        if let Some(n) = n {
            let mut memory = Memory::new();
            let buffer = memory.add(Buffer::from_bytes(&[0; 256]));
            let range = NdRange {
                dims: 1,
                global: [1; 3],
                local: [1; 3],
                offset: [0; 3],
            };
            let args = vec![
                Argument::Buffer(buffer),
                Argument::Value([n].into_iter().collect()),
            ];
            plan = plan.fit(&Launch { range, args }, &memory);
        }
        let design = Design::of(program.clone(), &Target::ECP5, &plan).expect("a circuit");
        let interface = &design.lowered.kernels()[0];
        let bits: Vec<u32> = interface.small_arguments.iter().map(|it| it.bits).collect();
        (interface.loop_ways[0].way, bits)
    };
    let entry = "[kernel.rows.argument.n]\nbits = 12\n";
    assert_eq!(outer("", None), (LoopWay::Recirculating, vec![]));
    assert_eq!(outer(entry, None), (LoopWay::Parallel, vec![12]));
    assert_eq!(outer("", Some(8)), (LoopWay::Parallel, vec![10]));
    assert_eq!(outer("", Some(30_000)), (LoopWay::Parallel, vec![15]));
    assert_eq!(outer(entry, Some(8)), (LoopWay::Parallel, vec![12]));
    assert_eq!(outer(entry, Some(4096)), (LoopWay::Parallel, vec![15]));
    assert_eq!(
        outer(entry, Some(0xffff_fff8)),
        (LoopWay::Recirculating, vec![])
    );
}

const COUNTED: &str = "\
__kernel void rows(__global const int *restrict a, __global int *restrict out, int n) {
    int sum = 0;
    #pragma nounroll
    for (int i = 0; i < n; i++)
        sum += a[i];
    #pragma nounroll
    for (int i = 0; i < 24; i++)
        out[i + 1] = a[i] + i;
    out[0] = sum;
}
";

#[test]
fn loops_are_unrolled_as_a_plan_says() {
    let program = program(&written("counted.cl", COUNTED));
    let copies = |entries: &str| {
        let plan = plan(entries, &program).unwrap_or_else(|mistake| panic!("{mistake:?}"));
        let design = Design::of(program.clone(), &Target::ECP5, &plan);
        let design = design.map_err(|refusal| (refusal.what.into_owned(), refusal.line))?;
        let interface = &design.lowered.kernels()[0];
        let loops = interface.loop_ways.iter();
        Ok(loops.map(|it| (it.copies, it.is_rest)).collect::<Vec<_>>())
    };
    let entry = |line, factor| format!("[kernel.rows.loop.\"{line}\"]\nunroll = {factor}\n");
    assert_eq!(copies(&entry(4, "1")), Ok(vec![(1, false), (1, false)]));
    let with_rest = vec![(8, false), (1, true), (1, false)];
    assert_eq!(copies(&entry(4, "8")), Ok(with_rest));
    assert_eq!(copies(&entry(7, "8")), Ok(vec![(1, false), (8, false)]));
    let with_rest = vec![(1, false), (5, false), (1, true)];
    assert_eq!(copies(&entry(7, "5")), Ok(with_rest));
    assert_eq!(copies(&entry(7, "\"full\"")), Ok(vec![(1, false)]));
    let why = "an unrolled loop: the number of its iterations is not known".to_owned();
    assert_eq!(copies(&entry(4, "\"full\"")), Err((why, 4)));
}

#[test]
fn entries_of_other_kernels_are_for_other_parts() {
    let program = program(&written("parts.cl", PROGRAM));
    let text = "[kernel.elsewhere]\ndatapaths = 4\n\n[kernel.choose]\ndatapaths = 2\n";
    let file = PlanFile::parse(text).expect("a plan");
    let part = program.only("choose").expect("the kernel");
    let plan = file.apply(&part, Scope::Part, Plan::default());
    let plan = plan.unwrap_or_else(|mistake| panic!("{mistake:?}"));
    assert_eq!(plan.kernel("choose").datapaths, 2);
    assert_eq!(plan.kernel("stencil").datapaths, 1);
    assert!(file.apply(&part, Scope::Whole, Plan::default()).is_err());
}

#[test]
fn a_load_of_a_table_has_no_entry() {
    let source = "constant int powers[4] = {1, 3, 9, 27};\n\
        kernel void k(global int *out, int n) { out[n] = powers[n & 3]; }\n";
    let program = program(&written("table.cl", source));
    let file = default_rules(&program, &Board::default()).to_string();
    assert!(!file.contains("[kernel.k.access."), "{file}");
    let entry = "[kernel.k.access.\"2.2\"]\nlatency = 10\n";
    let mistake = plan(entry, &program).expect_err("the table is on the chip");
    assert_eq!(
        mistake.message,
        "the access of `2.2` reaches no buffer, and memory on the chip has a latency of its own"
    );
}
