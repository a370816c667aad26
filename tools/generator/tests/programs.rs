//! Properties of all generated programs, over many seeds.

use std::io::Write;
use std::process::Command;

use sluice_generator::{ArgSpec, Profile, Program, generate, shrink};

const SEEDS: u64 = 300;

fn programs() -> impl Iterator<Item = Program> {
    (0..SEEDS).map(|seed| generate(seed, &Profile::default()))
}

#[test]
fn the_same_seed_gives_the_same_program() {
    for seed in 0..50 {
        assert!(
            generate(seed, &Profile::default()) == generate(seed, &Profile::default()),
            "seed {seed}"
        );
    }
    assert_ne!(
        generate(0, &Profile::default()).source,
        generate(1, &Profile::default()).source
    );
}

#[test]
fn the_text_of_a_seed_does_not_change_by_accident() {
    // A recorded seed must keep its meaning. Where the generator was changed on purpose, so is this number.
    let text: String = programs().take(20).map(|program| program.source).collect();
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    assert_eq!(
        hash, 0xa796_4cf3_ef95_f624,
        "the programs of the first seeds have changed"
    );
}

/// Makes the names at program scope distinct, so that many programs fit into one translation unit.
fn renamed(text: &str, number: usize) -> String {
    let mut renamed = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let numbered = |prefix: &str| {
            let rest = word.strip_prefix(prefix);
            rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
        };
        let global = word == "fuzz"
            || word.starts_with("settle_")
            || ["pack", "table", "f"].map(numbered).contains(&true);
        renamed.push_str(&word);
        // A struct's fields look like functions, but follow a point or a type.
        if global && (!numbered("f") || c == '(') {
            renamed.push_str(&format!("_{number}"));
        }
        word.clear();
        renamed.push(c);
    }
    renamed
}

fn compile(programs: &[Program]) {
    let mut text = String::from("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
    for (number, program) in programs.iter().enumerate() {
        text.push_str(&renamed(&program.source, number));
    }
    let mut file = tempfile::Builder::new()
        .suffix(".cl")
        .tempfile()
        .expect("a temporary file");
    file.write_all(text.as_bytes())
        .expect("the file takes the text");
    // A program that depends on undefined behaviour which clang can see must not pass.
    let errors = [
        "uninitialized",
        "sometimes-uninitialized",
        "array-bounds",
        "division-by-zero",
        "return-type",
    ];
    let errors = [
        "integer-overflow",
        "unsequenced",
        "implicit-function-declaration",
    ]
    .into_iter()
    .chain(errors);
    let output = Command::new("clang-19")
        .args([
            "-x",
            "cl",
            "-cl-std=CL1.2",
            "--target=spir64",
            "-Xclang",
            "-finclude-default-header",
        ])
        .args(["-fsyntax-only", "-Wno-everything"])
        .args(errors.map(|name| format!("-Werror={name}")))
        .arg(file.path())
        .output()
        .expect("clang-19 is installed (Debian: clang-19)");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_program_compiles() {
    compile(&programs().collect::<Vec<_>>());
}

#[test]
fn other_profiles_compile_and_keep_to_themselves() {
    let integers: Vec<Program> = (0..40)
        .map(|seed| generate(seed, &Profile::scalar_integers()))
        .collect();
    for program in &integers {
        let body = program.source.lines().skip(2).collect::<String>();
        assert!(
            !body.contains("float") && !body.contains("int4"),
            "{}",
            program.source
        );
    }
    compile(&integers);
    compile(
        &(0..40)
            .map(|seed| generate(seed, &Profile::small()))
            .collect::<Vec<_>>(),
    );
    let alone: Vec<Program> = (0..40)
        .map(|seed| generate(seed, &Profile::crowded().without_synchronisation()))
        .collect();
    for Program { source, .. } in &alone {
        let tells = ["__local", "barrier", "atomic"].map(|word| source.contains(word));
        assert_eq!(tells, [false; 3], "{source}");
    }
    let items = |program: &Program| program.global.iter().product::<u64>();
    assert!(alone.iter().any(|program| items(program) > 200));
    compile(&alone);
}

#[test]
fn programs_have_a_readable_length() {
    let mut lengths: Vec<usize> = programs()
        .map(|program| program.source.lines().count())
        .collect();
    lengths.sort_unstable();
    let middle = lengths[lengths.len() / 2];
    assert!((60..=160).contains(&middle), "the median is {middle} lines");
}

#[test]
fn launches_are_consistent() {
    for program in programs() {
        for dim in 0..3 {
            assert_eq!(program.global[dim] % program.local[dim], 0);
            let unused = dim >= program.work_dim as usize;
            assert!(!unused || (program.global[dim], program.offset[dim]) == (1, 0));
        }
        for arg in &program.args {
            match arg {
                ArgSpec::Buffer(index) => assert!(!program.buffers[*index].bytes.is_empty()),
                ArgSpec::Value(bytes) => assert!(!bytes.is_empty()),
                ArgSpec::Local(bytes) => assert!(*bytes > 0),
            }
        }
    }
}

#[test]
fn launches_come_in_all_shapes() {
    let all: Vec<Program> = programs().collect();
    for dim in 1..=3 {
        assert!(
            all.iter().any(|program| program.work_dim == dim),
            "no launch of {dim} dimensions"
        );
    }
    let items = |program: &Program| program.global.iter().product::<u64>();
    let shares = |program: &Program| {
        let buffers = program
            .args
            .iter()
            .filter(|arg| matches!(arg, ArgSpec::Buffer(_)))
            .count();
        buffers > program.buffers.len()
    };
    assert!(
        all.iter().any(|program| items(program) == 1),
        "no single work-item"
    );
    assert!(
        all.iter()
            .any(|program| program.local.iter().product::<u64>() % 2 == 1 && items(program) > 4),
        "no odd group"
    );
    assert!(
        all.iter().any(|program| program.offset != [0; 3]),
        "no offset"
    );
    assert!(all.iter().any(shares), "no buffer is passed twice");
}

const FUNCTIONS: &str = "min max clamp abs abs_diff add_sat sub_sat mad_sat hadd rhadd mul_hi mad_hi
    mul24 mad24 clz popcount rotate upsample select bitselect any all shuffle shuffle2 fma fabs floor
    ceil trunc rint round sqrt fmin fmax copysign isnan isinf isfinite isequal isnotequal isgreater
    isless islessequal atomic_add atomic_sub atomic_inc atomic_dec atomic_min atomic_max atomic_and
    atomic_or atomic_xor barrier get_global_id get_local_id get_group_id get_global_size
    get_local_size get_num_groups get_global_offset vload2 vload3 vload4 vload8 vload16 vstore2 vstore3
    vstore4 vstore8 vstore16";

const STATEMENTS: &str =
    "if (|else {|for (|while (|} while (|switch (|case |// falls through|break;|
    continue;|return;|return | += | <<= | ^= |++;|__constant |typedef struct|__local |__private |
    __global const| *ptr|volatile __global";

const EXPRESSIONS: &str =
    " ? | && | / | % | << | >> | == |convert_int_rte(|convert_int_rtz(|convert_uint_rtp(|convert_int_rtn(|.lo|.hi|.even|.odd|
    .xy|.s0|(!|(~|(-|)[|][|].f|.f0";

/// The texts of each type's constructs.
fn of_types() -> Vec<String> {
    let types = "char uchar short ushort int uint long ulong float double";
    let mut required = vec![];
    for ty in types.split(' ') {
        required.extend([
            format!("{ty} v"),
            format!("as_{ty}("),
            format!("convert_{ty}("),
        ]);
        for lanes in [2, 3, 4, 8, 16] {
            required.extend([format!("{ty}{lanes} v"), format!("convert_{ty}{lanes}(")]);
        }
        if !matches!(ty, "float" | "double") {
            required.extend([format!("convert_{ty}_sat("), format!("convert_{ty}4_sat(")]);
        }
    }
    required
}

/// Whether `required` occurs, and not as the end of a longer word.
fn appears(all: &str, required: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let starts_word = required.starts_with(in_word);
    let mut places = all.match_indices(required);
    places.any(|(at, _)| !starts_word || !all[..at].ends_with(in_word))
}

#[test]
fn every_construct_appears() {
    let all: String = programs().map(|program| program.source).collect();
    let mut required = of_types();
    required.extend(FUNCTIONS.split_whitespace().map(|name| format!("{name}(")));
    for texts in [STATEMENTS, EXPRESSIONS] {
        required.extend(
            texts
                .split('|')
                .map(|text| text.trim_start_matches("\n    ").to_owned()),
        );
    }
    // The separator itself.
    required.extend([" | ".to_owned(), " || ".to_owned()]);
    required.retain(|text| !text.trim().is_empty());
    let missing: Vec<&String> = required
        .iter()
        .filter(|text| !appears(&all, text))
        .collect();
    assert!(missing.is_empty(), "these never appear: {missing:?}");
}

#[test]
fn elementary_functions_appear_on_request_only() {
    let names = "exp exp2 exp10 log log2 log10 sin cos rsqrt pow native_exp native_exp2 native_exp10 native_log \
                 native_log2 native_log10 native_sin native_cos native_rsqrt native_recip native_divide native_powr";
    let missing_with = |profile: Profile| -> Vec<&str> {
        let programs = (0..SEEDS).map(|seed| generate(seed, &profile).source);
        let text: String = programs.collect();
        let absent = |name: &&str| !appears(&text, &format!("{name}("));
        names.split(' ').filter(absent).collect()
    };
    // They have no one right answer.
    assert_eq!(
        missing_with(Profile::default()),
        Vec::from_iter(names.split(' '))
    );
    assert!(missing_with(Profile::default().with_elementary_functions()).is_empty());
}

#[test]
fn shrinking_keeps_what_fails_and_little_else() {
    for seed in 0..12 {
        let program = generate(seed, &Profile::default());
        let before = program.source.lines().count();
        let mut fails = |program: &Program| {
            program.source.contains("for (") || program.source.contains("while (")
        };
        if !fails(&program) {
            continue;
        }
        let small = shrink(program, &mut fails);
        assert!(fails(&small));
        let after = small.source.lines().count();
        assert!(
            after <= 16 && after < before,
            "{after} lines are left of {before}:\n{}",
            small.source
        );
    }
}

#[test]
fn every_candidate_of_shrinking_compiles() {
    let mut candidates = vec![];
    for seed in [3, 7, 16] {
        let mut asked = 0;
        shrink(generate(seed, &Profile::default()), &mut |candidate| {
            asked += 1;
            if asked % 7 == 0 {
                candidates.push(candidate.clone());
            }
            // Any rule does that accepts some candidates and refuses others.
            asked % 3 == 0 && candidate.source.len() > 1500
        });
    }
    assert!(
        candidates.len() > 30,
        "only {} candidates",
        candidates.len()
    );
    candidates.truncate(200);
    compile(&candidates);
}
