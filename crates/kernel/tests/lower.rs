//! Circuits of small kernels: the simulator leaves what the interpreter leaves, wherever memory
//! objects are put.

use sluice_circuit::target::Target;
use sluice_circuit::verify::verify;
use sluice_kernel::analysis::annotate_objects;
use sluice_kernel::launch::simulate::{self, CycleLimit, simulate};
use sluice_kernel::launch::{Argument, Buffer, Launch, Memory, NdRange};
use sluice_kernel::lower::{Lowered, lower};
use sluice_kernel::plan::{Buffers, MemoryUnit, Plan};
use sluice_kernel::prepare::{Refusal, assume_aliasing, prepare};
use sluice_kernel::{Kernel, Optimised, Program, interp, passes, text, verify};

const ITEMS: u64 = 96;

fn parse(source: &str) -> Optimised {
    let mut kernel = text::parse(source).unwrap_or_else(|error| panic!("{error}"));
    annotate_objects(&mut kernel);
    verify::verify(&kernel).unwrap_or_else(|errors| panic!("{errors}"));
    passes::skip(kernel)
}

/// A kernel whose parameters are this number of buffers of words, `a0`, `a1` and so on, objects `m0`, `m1`
/// and so on; `v0` is the work-item's id and `v1` its place in bytes.
fn kernel(buffers: usize, more: &str, body: &str) -> String {
    let mut text = String::from("kernel \"k\"\nfile \"k.cl\"\n");
    for at in 0..buffers {
        text += &format!("param \"a{at}\" \"uint*\" buffer m{at} uint\n");
    }
    let (params, objects): (Vec<&str>, Vec<&str>) =
        more.lines().partition(|line| line.starts_with("param"));
    params.iter().for_each(|line| text += &format!("{line}\n"));
    for at in 0..buffers {
        text += &format!("object m{at} \"a{at}\" buffer {at} global align 4\n");
    }
    objects.iter().for_each(|line| text += &format!("{line}\n"));
    text + "{\nb0:\n  v0: i32 = global_id 0\n  v2: i32 = const 2\n  v1: i32 = shl v0, v2\n"
        + body
        + "}\n"
}

/// What `more` arguments come behind the buffers, and which buffer each parameter gets.
struct Setup {
    plan: Plan,
    buffers: Vec<usize>,
    more: Vec<Argument>,
}

impl Setup {
    fn new(buffers: usize) -> Setup {
        Setup {
            plan: Plan::default(),
            buffers: (0..buffers).collect(),
            more: Vec::new(),
        }
    }

    fn launch(&self) -> (Launch, Memory) {
        let mut memory = Memory::new();
        let count = self.buffers.iter().max().map_or(0, |last| last + 1);
        let ids: Vec<_> = (0..count as u32)
            .map(|at| {
                let words = (0..2 * ITEMS as u32).map(|word| word.wrapping_mul(2_654_435_769) ^ at);
                let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
                memory.add(Buffer::from_bytes(&bytes))
            })
            .collect();
        let args = self.buffers.iter().map(|&at| Argument::Buffer(ids[at]));
        let range = NdRange {
            dims: 1,
            global: [ITEMS, 1, 1],
            local: [ITEMS, 1, 1],
            offset: [0; 3],
        };
        let args = args.chain(self.more.iter().cloned()).collect();
        (Launch { range, args }, memory)
    }

    /// Compares simulator and interpreter; gives the circuit and the cycles.
    fn check(&self, kernel: &Optimised) -> (Lowered, u64) {
        let lowered = prepare(&Program::of(kernel.clone()), &self.plan, &Target::ECP5)
            .and_then(|it| lower(&it))
            .unwrap_or_else(|why| panic!("{why}"));
        let (launch, expected) = self.launch();
        interp::run(kernel, &launch, &expected, &interp::Options::default())
            .unwrap_or_else(|fault| panic!("{fault}"));
        let (launch, found) = self.launch();
        let options = simulate::Options {
            limit: CycleLimit::Cycles(1_000_000),
            ..simulate::Options::default()
        };
        let outcome = simulate(kernel, &lowered, &launch, &found, &options)
            .unwrap_or_else(|stopped| panic!("{stopped}"));
        for ((id, expected), (_, found)) in expected.buffers().zip(found.buffers()) {
            assert_eq!(found.to_bytes(), expected.to_bytes(), "{id}");
        }
        (lowered, outcome.cycles)
    }
}

/// How many units are of a kind.
fn units(lowered: &Lowered, kind: &str) -> usize {
    let units = lowered.circuit().units().values();
    units.filter(|unit| unit.kind.word() == kind).count()
}

/// Fills two private arrays in a loop whose length differs among the work-items, and reads them
/// where the buffer says.
const PRIVATE: &str = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {}
  v6: ptr.private = addr m1
  v7: ptr.private = addr m2
  v8: i32 = const 7
  v9: i32 = and v5, v8
  v10: i32 = const 0
  v11: i32 = const 1
  v12: i32 = const 2
  v13: i32 = const 8
  jump b1(v10)
b1(v14: i32):
  v15: i32 = shl v14, v12
  v16: ptr.private = ptradd v6, v15
  v17: i32 = mul v14, v5
  store i32 v16, v17 align 4 {}
  v18: ptr.private = ptradd v7, v15
  v19: i32 = add v17, v14
  store i32 v18, v19 align 4 {}
  v20: i32 = add v14, v11
  v21: i1 = ult v20, v13
  branch v21, b1(v20), b2(v10)
b2(v22: i32):
  v23: i32 = add v22, v5
  v24: i32 = and v23, v8
  v25: i32 = shl v24, v12
  v26: ptr.private = ptradd v6, v25
  v27: i32 = load i32 v26 align 4 {}
  v28: ptr.private = ptradd v7, v25
  v29: i32 = load i32 v28 align 4 {}
  v30: i32 = xor v27, v29
  store i32 v26, v30 align 4 {}
  v31: i32 = add v22, v11
  v32: i1 = ule v31, v9
  branch v32, b2(v31), b3
b3:
  v33: i32 = load i32 v26 align 4 {}
  store i32 v4, v33 align 4 {}
  return
";

const ARRAYS: &str =
    "object m1 \"one\" private size 32 align 4\nobject m2 \"two\" private size 32 align 4";

#[test]
fn private_arrays_may_be_anywhere() {
    let kernel = parse(&kernel(1, ARRAYS, PRIVATE));
    // Room for all slots, for few, and for none.
    for (on_chip_bytes, placed) in [(1 << 16, 0), (2048, 0), (1024, 1), (0, 2)] {
        let mut setup = Setup::new(1);
        setup.plan.otherwise.figures.on_chip_bytes = on_chip_bytes;
        let (lowered, _) = setup.check(&kernel);
        assert_eq!(lowered.kernels()[0].placed.len(), placed, "{on_chip_bytes}");
        assert_eq!(units(&lowered, "private_memory"), 2 - placed);
    }
}

#[test]
fn private_arrays_that_one_access_may_reach_share_a_memory() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {}
  v6: ptr.private = addr m1
  v7: ptr.private = addr m2
  v8: i1 = trunc v5
  v9: ptr.private = select v8, v6, v7
  v10: i32 = const 10
  v11: i32 = const 20
  store i32 v6, v10 align 4 {}
  store i32 v7, v11 align 4 {}
  store i32 v9, v5 align 4 {}
  v12: i32 = load i32 v6 align 4 {}
  v13: i32 = load i32 v7 align 4 {}
  v14: i32 = mul v12, v13
  store i32 v4, v14 align 4 {}
  return
";
    let kernel = parse(&kernel(1, ARRAYS, body));
    for (on_chip_bytes, memories) in [(1 << 16, 1), (0, 0)] {
        let mut setup = Setup::new(1);
        setup.plan.otherwise.figures.on_chip_bytes = on_chip_bytes;
        let (lowered, _) = setup.check(&kernel);
        assert_eq!(units(&lowered, "private_memory"), memories);
    }
}

#[test]
fn an_access_may_reach_a_private_array_or_a_buffer() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {}
  v6: ptr.private = addr m1
  v7: ptr.generic = spacecast v6
  v8: ptr.generic = spacecast v4
  v9: i1 = trunc v5
  v10: ptr.generic = select v9, v7, v8
  store i32 v6, v5 align 4 {}
  v11: i32 = const 77
  store i32 v10, v11 align 4 {}
  v12: i32 = load i32 v6 align 4 {}
  v13: i32 = load i32 v4 align 4 {}
  v14: i32 = sub v12, v13
  branch v9, b1, b2
b1:
  v15: i32 = load i32 v7 align 4 {}
  store i32 v8, v15 align 4 {}
  return
b2:
  store i32 v8, v14 align 4 {}
  return
";
    let kernel = parse(&kernel(1, ARRAYS, body));
    let (lowered, _) = Setup::new(1).check(&kernel);
    assert_eq!(lowered.kernels()[0].placed.len(), 1, "with the buffer");
}

const TABLES: &str = "object m1 \"one\" table align 4 x\"0001020304050607ff01020304050607\"
object m2 \"two\" table align 4 x\"a001020304050607b00102030405060a\"";

#[test]
fn tables_may_be_anywhere() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {}
  v6: i32 = const 12
  v7: i32 = and v5, v6
  v8: ptr.constant = addr m1
  v9: ptr.constant = ptradd v8, v7
  v10: i32 = load i32 v9 align 4 {}
  v11: i32 = const 15
  v12: i32 = and v5, v11
  v13: ptr.constant = ptradd v8, v12
  v14: i8 = load i8 v13 align 1 {}
  v15: i32 = zext v14
  v16: i32 = add v10, v15
  store i32 v4, v16 align 4 {}
  return
";
    let kernel = parse(&kernel(1, TABLES, body));
    for (on_chip_bytes, placed) in [(256, 0), (255, 1)] {
        let mut setup = Setup::new(1);
        setup.plan.otherwise.figures.on_chip_bytes = on_chip_bytes;
        let (lowered, _) = setup.check(&kernel);
        assert_eq!(lowered.kernels()[0].placed.len(), placed, "{on_chip_bytes}");
    }
}

#[test]
fn an_access_may_reach_several_tables() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {}
  v6: ptr.constant = addr m1
  v7: ptr.constant = addr m2
  v8: i1 = trunc v5
  v9: ptr.constant = select v8, v6, v7
  v10: i32 = const 12
  v11: i32 = and v5, v10
  v12: ptr.constant = ptradd v9, v11
  v13: i32 = load i32 v12 align 4 {}
  store i32 v4, v13 align 4 {}
  return
";
    let (lowered, _) = Setup::new(1).check(&parse(&kernel(1, TABLES, body)));
    assert_eq!(lowered.kernels()[0].placed.len(), 2);
}

#[test]
fn structs_are_constants_where_the_place_is_fixed_and_memory_elsewhere() {
    let more = "param \"s\" \"struct S\" struct m1\nobject m1 \"s\" struct_arg 1 size 16 align 4";
    let body = |rest: &str| {
        format!(
            "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {{}}
  v6: ptr.private = addr m1
  v7: i64 = const 4
  v8: ptr.private = ptradd v6, v7
  v9: i32, v10: i32 = load i32x2 v8 align 4 {{}}
  v11: i16 = load i16 v8 align 2 {{}}
  v12: i32 = sext v11
  v13: i32 = sub v9, v10
  v14: i32 = mul v13, v12
  v15: i32 = const 12
  v16: i32 = and v5, v15
  v17: ptr.private = ptradd v6, v16
{rest}
  return
"
        )
    };
    let fixed = "  store i32 v4, v14 align 4 {}";
    let chosen = "  v18: i32 = load i32 v17 align 4 {}
  v19: i32 = xor v14, v18
  store i32 v4, v19 align 4 {}";
    for (rest, placed) in [(fixed, 0), (chosen, 1)] {
        let mut setup = Setup::new(1);
        let bytes = (0..16).map(|at| 200_u8.wrapping_add(at * 13)).collect();
        setup.more.push(Argument::Struct(bytes));
        let (lowered, _) = setup.check(&parse(&kernel(1, more, &body(rest))));
        assert_eq!(lowered.kernels()[0].placed.len(), placed);
    }
}

#[test]
fn one_buffer_for_two_parameters_keeps_its_order() {
    // What is written through the first is read and overwritten through the second.
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: ptr.global = addr m1
  v6: ptr.global = ptradd v5, v1
  v7: i32 = load i32 v4 align 4 {}
  v8: i32 = add v7, v7
  store i32 v4, v8 align 4 {}
  v9: i32 = load i32 v6 align 4 {}
  v10: i32 = mul v9, v7
  store i32 v6, v10 align 4 {}
  v11: i32 = load i32 v4 align 4 {}
  v12: i32 = sub v11, v9
  store i32 v4, v12 align 4 {}
  return
";
    let kernel = parse(&kernel(2, "", body));
    let mut setup = Setup::new(2);
    setup.buffers = vec![0, 0];
    let (launch, memory) = setup.launch();
    setup.plan.otherwise.buffers = Buffers::of(&launch, &memory);
    setup.check(&kernel);
    let mut aliasing = kernel.into_kernel();
    assume_aliasing(&mut aliasing);
    setup.check(&passes::skip(aliasing));
}

#[test]
fn a_buffer_may_have_many_accesses_and_a_kernel_many_buffers() {
    let many = |from: &dyn Fn(usize) -> usize| {
        let mut body = String::from("  v3: i32 = const 1\n");
        for at in 0..40 {
            let (object, value) = (from(at), 10 + 6 * at);
            let sum = if at == 0 { 3 } else { value - 2 };
            body += &format!(
                "  v{}: ptr.global = addr m{object}\n  v{}: i32 = const {}\n  v{}: i32 = add v1, v{}\n  v{}: ptr.global = ptradd v{}, v{}\n",
                value,
                value + 1,
                4 * at,
                value + 2,
                value + 1,
                value + 3,
                value,
                value + 2
            );
            body += &format!(
                "  v{}: i32 = load i32 v{} align 4 {{}}\n",
                value + 5,
                value + 3
            );
            body += &format!("  v{}: i32 = add v{}, v{sum}\n", value + 4, value + 5);
        }
        body + "  v900: ptr.global = addr m0\n  v901: ptr.global = ptradd v900, v1\n  store i32 v901, v248 align 4 {}\n  return\n"
    };
    // Reads run ahead of writes by others, so that what is written is not read.
    let one = parse(&kernel(2, "", &many(&|_| 1)));
    Setup::new(2).check(&one);
    let all = parse(&kernel(41, "", &many(&|at| at + 1)));
    Setup::new(41).check(&all);
}

#[test]
fn what_reaches_no_memory_is_dropped() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  v5: i32 = load i32 v4 align 4 {}
  v6: i32 = const 0
  v7: i1 = eq v5, v6
  branch v7, b1, b2
b1:
  v8: ptr.private = const 0
  v9: i32 = load i32 v8 align 4 {}
  store i32 v8, v9 align 4 {}
  store i32 v4, v9 align 4 {}
  return
b2:
  store i32 v4, v5 align 4 {}
  return
";
    // The first word is zero: that work-item would fault in the interpreter.
    let kernel = parse(&kernel(1, "", body));
    let lowered = prepare(
        &Program::of(kernel.clone()),
        &Plan::default(),
        &Target::ECP5,
    )
    .and_then(|it| lower(&it));
    let lowered = lowered.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((units(&lowered, "load"), units(&lowered, "store")), (1, 2));
}

#[test]
fn arrays_that_no_memory_holds_are_refused_with_their_line() {
    let body = "
  v3: ptr.private = addr m1
  v4: i32 = const 1
  store i32 v3, v4 align 4 {} !7:1
  return
";
    let huge = "object m1 \"huge\" private size 18446744073709551615 align 4";
    let kernel = parse(&kernel(1, huge, body));
    let refused = prepare(
        &Program::of(kernel.clone()),
        &Plan::default(),
        &Target::ECP5,
    )
    .and_then(|it| lower(&it));
    let expected = Refusal {
        what: "a private array of more than 64 MiB (`huge` has 18446744073709551615 bytes)".into(),
        line: 7,
    };
    assert_eq!(refused.err(), Some(expected));
}

#[test]
fn groups_that_no_barrier_holds_are_refused() {
    let body = "  barrier local\n  return\n";
    let kernel = parse(&kernel(1, "", body));
    let plan = |group_items| Plan::default().with_figures(|it| it.group_items = group_items);
    let most = prepare(
        &Program::of(kernel.clone()),
        &plan(Plan::MOST_GROUP_ITEMS),
        &Target::ECP5,
    )
    .and_then(|it| lower(&it));
    let most = most.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(verify(most.circuit()), Ok(()));
    for items in [Plan::MOST_GROUP_ITEMS + 1, u32::MAX] {
        let refused = prepare(&Program::of(kernel.clone()), &plan(items), &Target::ECP5)
            .and_then(|it| lower(&it));
        let expected = Refusal {
            what: format!("a work-group of {items} work-items that synchronise, more than 65536,")
                .into(),
            line: 0,
        };
        assert_eq!(refused.err(), Some(expected));
    }
}

#[test]
fn an_object_with_too_many_users_is_refused_by_name_and_count() {
    let mut body = String::from("  v4: ptr.global = addr m0\n");
    for at in 10..2059 {
        body += &format!("  v{at}: i32 = load volatile i32 v4 align 4 {{}} !3:1\n");
    }
    let many = parse(&kernel(1, "", &(body + "  return\n")));
    let refused = prepare(&Program::of(many), &Plan::default(), &Target::ECP5)
        .and_then(|it| lower(&it))
        .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "memory object `a0` with 2049 accesses, more than 2048, cannot become a circuit yet (line 3)"
    );
    let mut body = String::from("  v4: ptr.global = addr m0\n");
    for at in 10..139 {
        body += &format!("  v{at}: i32 = atomic add v4, v0 {{}} !5:1\n");
    }
    let body = body + "  return\n";
    let plan = Plan::default().with_datapaths(16);
    let refused = prepare(
        &Program::of(parse(&kernel(1, "", &body))),
        &plan,
        &Target::ECP5,
    )
    .and_then(|it| lower(&it))
    .unwrap_err();
    assert_eq!(
        refused.to_string(),
        "memory object `a0` with 2064 atomic operations from 16 datapaths, more than 2048, cannot \
         become a circuit yet (line 5)"
    );
}

#[test]
fn kernels_with_more_caches_than_a_memory_port_has_room_for_are_refused() {
    let mut body = String::new();
    for at in 0..40 {
        let (pointer, value) = (10 + 2 * at, 11 + 2 * at);
        body += &format!("  v{pointer}: ptr.global = addr m{at}\n");
        body += &format!("  v{value}: i32 = load i32 v{pointer} align 4 {{}}\n");
        body += &format!("  store i32 v{pointer}, v{value} align 4 {{}}\n");
    }
    let one = parse(&kernel(40, "", &(body + "  return\n")));
    let together = |count: usize, banks| {
        let kernels = (0..count).map(|at| {
            let mut kernel = Kernel::clone(&one);
            kernel.name = format!("kernel{at}");
            passes::skip(kernel)
        });
        let all = Program::new(kernels.collect()).expect("they have no variables");
        let plan = Plan::default().with_banks(banks);
        let plan = plan.with_memory(MemoryUnit::Cache);
        prepare(&all, &plan, &Target::ECP5).and_then(|it| lower(&it))
    };
    let expected = Refusal {
        what: "a circuit with 1040 caches and streams at a memory port, more than 1024,".into(),
        line: 0,
    };
    assert_eq!(together(26, 1).err(), Some(expected));
    for banks in [1, 2] {
        let lowered = together(2, banks).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(
            (lowered.memory_ports().len(), units(&lowered, "cache")),
            (banks as usize, 80)
        );
    }
}

#[test]
fn a_loop_that_never_ends_is_a_circuit_with_a_limit() {
    let source = include_str!("structure/endless.ir");
    let source = source
        .split("; ----")
        .next()
        .expect("there is a first part");
    prepare(&Program::of(parse(source)), &Plan::default(), &Target::ECP5)
        .and_then(|it| lower(&it))
        .expect("it has a circuit");
}

#[test]
fn a_launch_with_larger_groups_than_the_plan_has_is_refused() {
    let body = "
  v3: ptr.global = addr m0
  v4: ptr.global = ptradd v3, v1
  store i32 v4, v0 align 4 {}
  return
";
    let kernel = parse(&kernel(1, "", body));
    let setup = Setup::new(1);
    let (launch, memory) = setup.launch();
    let refused = |items: u32| {
        let plan = Plan::default().with_figures(|figures| figures.group_items = items);
        let lowered = prepare(&Program::of(kernel.clone()), &plan, &Target::ECP5)
            .and_then(|it| lower(&it))
            .unwrap_or_else(|why| panic!("{why}"));
        let options = simulate::Options::default();
        simulate(&kernel, &lowered, &launch, &memory, &options).is_err()
    };
    assert!(refused(ITEMS as u32 - 1));
    assert!(!refused(ITEMS as u32));
}

#[test]
fn many_readers_have_arbiters_in_front_of_the_one_with_the_writers() {
    let mut body = String::from("  v4: ptr.global = addr m0\n");
    for at in 10..210 {
        body += &format!("  v{at}: i32 = load volatile i32 v4 align 4 {{}}\n");
    }
    body += "  store volatile i32 v4, v10 align 4 {}\n  return\n";
    let lowered = prepare(
        &Program::of(parse(&kernel(1, "", &body))),
        &Plan::default(),
        &Target::ECP5,
    )
    .and_then(|it| lower(&it));
    let lowered = lowered.unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(verify(lowered.circuit()), Ok(()));
    // 200 readers by 16 each, and the arbiter of these and the writer.
    assert_eq!(units(&lowered, "arbiter"), 13 + 1);
    let data = lowered.circuit().units().values();
    let last = data.clone().find(|it| it.name == "arbiter_a0");
    let last = last.expect("the one before the cache");
    assert_eq!(last.inputs.len(), 13 + 1 + 2);
}
