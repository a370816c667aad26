//! Dataflow graphs and liveness: files with a kernel and its graphs, and random kernels against
//! definitions that share no code with the graphs.
//!
//! A file in `tests/dataflow` holds a kernel and behind the line `; ----` the graphs of its blocks
//! after it has been prepared. `SLUICE_BLESS=1` writes the second part anew.

#[path = "passes/random_kernel.rs"]
mod random_kernel;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use random_kernel::{PrivateAccesses, random_kernel};
use sluice_kernel::Kernel;
use sluice_kernel::analysis::{Cfg, Liveness, Uniform};
use sluice_kernel::dataflow::{BlockGraph, Dataflow};
use sluice_kernel::ir::{BinaryOp, Block, Inst, InstData, Value};
use sluice_kernel::passes::optimise;
use sluice_kernel::structure::prepare;
use sluice_kernel::text::parse;
use sluice_kernel::verify::verify;

const SEPARATOR: &str = "; ----\n";

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dataflow");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn graphs(path: &Path, input: &str) -> String {
    let name = path.display();
    let mut kernel = parse(input).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    verify(&kernel).unwrap_or_else(|errors| panic!("{name}: {errors}"));
    let _ = prepare(&mut kernel);
    let cfg = Cfg::of(&kernel);
    let uniform = Uniform::of(&kernel, &cfg);
    let dataflow = Dataflow::of(&kernel, &Liveness::of(&kernel, &cfg, &uniform), &uniform);
    let valid = dataflow.verify(&kernel, &uniform);
    valid.unwrap_or_else(|error| panic!("{name}: {error}\n{}", dataflow.display(&kernel)));
    dataflow.display(&kernel).to_string()
}

#[test]
fn files_have_the_graphs_that_they_say() {
    let bless = std::env::var_os("SLUICE_BLESS").is_some_and(|value| value == "1");
    let mut failures = String::new();
    for path in files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (input, expected) = text.split_once(SEPARATOR).unwrap_or((&text, ""));
        let actual = graphs(&path, input);
        if actual == expected {
            continue;
        }
        if bless {
            std::fs::write(&path, format!("{input}{SEPARATOR}{actual}")).unwrap();
        } else {
            failures += &format!("{}\n{actual}\n", path.display());
        }
    }
    assert!(failures.is_empty(), "SLUICE_BLESS=1 accepts:\n{failures}");
}

/// Whether some way from the beginning of a block gets to a use of the value before its definition.
fn is_live(kernel: &Kernel, block: Block, value: Value) -> bool {
    let mut reached = vec![block];
    let mut at = 0;
    while let Some(&block) = reached.get(at) {
        at += 1;
        let data = kernel.block(block);
        let mut is_defined = data.params.contains(&value);
        for &inst in &data.insts {
            if !is_defined && kernel.inst(inst).operands().contains(&value) {
                return true;
            }
            is_defined |= kernel.results(inst).contains(&value);
        }
        if !is_defined {
            let next = kernel.successors(block).iter().map(|target| target.block);
            let next: Vec<Block> = next.filter(|block| !reached.contains(block)).collect();
            reached.extend(next);
        }
    }
    false
}

fn check_liveness(kernel: &Kernel, liveness: &Liveness, uniform: &Uniform) {
    let defined: Vec<Value> = kernel
        .layout()
        .iter()
        .flat_map(|&block| {
            let results = kernel.block(block).insts.iter();
            let results = results.flat_map(|&inst| kernel.results(inst));
            let params = kernel.block(block).params.iter();
            params.chain(results).copied().collect::<Vec<_>>()
        })
        .collect();
    for &block in kernel.layout() {
        let live = |&value: &Value| !uniform.contains(value) && is_live(kernel, block, value);
        let mut expected: Vec<Value> = defined.iter().copied().filter(live).collect();
        expected.sort_unstable();
        assert_eq!(liveness.live_in(block), expected, "{block}\n{kernel}");
        let targets = kernel.successors(block).iter();
        let expected: BTreeSet<Value> = targets
            .flat_map(|target| liveness.live_in(target.block).iter().copied())
            .collect();
        let expected: Vec<Value> = expected.into_iter().collect();
        assert_eq!(liveness.live_out(block), expected, "{block}\n{kernel}");
    }
}

/// Whether two accesses may not be exchanged. Random kernels have loads and stores only.
fn conflicts(a: &InstData, b: &InstData) -> bool {
    let parts = |data: &InstData| match data {
        InstData::Load {
            access, objects, ..
        } => (access.volatile, false, objects.clone()),
        InstData::Store {
            access, objects, ..
        } => (access.volatile, true, objects.clone()),
        other => panic!("no access of a random kernel: {other}"),
    };
    let (a, b) = (parts(a), parts(b));
    (a.0 && b.0) || ((a.1 || b.1) && a.2.iter().any(|object| b.2.contains(object)))
}

/// The accesses and pure instructions of a graph in program order, with their levels.
fn placed(kernel: &Kernel, block: Block, graph: &BlockGraph) -> Vec<(Inst, usize)> {
    let mut placed = Vec::new();
    for &inst in &kernel.block(block).insts {
        let holds = |list: &[Inst]| list.contains(&inst);
        let mut levels = graph.levels.iter();
        let level = levels.position(|level| holds(&level.pure) || holds(&level.memory));
        placed.extend(level.map(|level| (inst, level)));
    }
    placed
}

/// Without any edge, some pair that must keep its order would not; with all, every one does.
fn check_order(kernel: &Kernel, block: Block, graph: &BlockGraph) {
    let insts: Vec<Inst> = placed(kernel, block, graph).iter().map(|p| p.0).collect();
    let reaches = |left_out: Option<usize>| {
        let mut before: BTreeMap<Inst, BTreeSet<Inst>> = BTreeMap::new();
        for &inst in &insts {
            let operands = kernel.inst(inst).operands();
            let uses = |other: &&Inst| {
                let mut results = kernel.results(**other).iter();
                results.any(|result| operands.contains(result))
            };
            let mut direct: Vec<Inst> = insts.iter().filter(uses).copied().collect();
            for (at, order) in graph.order.iter().enumerate() {
                if order.after == inst && Some(at) != left_out {
                    direct.push(order.before);
                }
            }
            let mut all: BTreeSet<Inst> = direct.iter().copied().collect();
            for earlier in direct {
                all.extend(before.get(&earlier).into_iter().flatten());
            }
            before.insert(inst, all);
        }
        before
    };
    let before = reaches(None);
    let is_access = |inst: &&Inst| !kernel.inst(**inst).is_pure();
    let accesses: Vec<Inst> = insts.iter().filter(is_access).copied().collect();
    for (at, second) in accesses.iter().enumerate() {
        for first in &accesses[..at] {
            if conflicts(kernel.inst(*first), kernel.inst(*second)) {
                assert!(before[second].contains(first), "{first} {second}\n{kernel}");
            }
        }
    }
    for (at, order) in graph.order.iter().enumerate() {
        let without = reaches(Some(at));
        assert!(
            !without[&order.after].contains(&order.before),
            "{order:?} is implied\n{kernel}"
        );
    }
}

/// What a level costs by which a slow instruction is later, in bits.
const LATE_BITS: u64 = 32;

/// The random kernels' divisions.
fn is_slow(data: &InstData) -> bool {
    use BinaryOp::{FDiv, SDiv, SRem, UDiv, URem};
    matches!(
        data,
        InstData::Binary {
            op: FDiv | SDiv | SRem | UDiv | URem,
            ..
        }
    )
}

/// All placements of pure instructions, for the least number of bits between levels.
struct Search<'k> {
    kernel: &'k Kernel,
    graph: &'k BlockGraph,
    placed: &'k [(Inst, usize)],
    from: BTreeMap<Value, usize>,
    until: BTreeMap<Value, usize>,
    /// The levels of slow instructions, summed.
    late: usize,
    tried: usize,
    best: u64,
}

/// Steps, not placements: most of them lead nowhere.
const MOST_TRIED: usize = 5000;

impl Search<'_> {
    fn search(&mut self, at: usize) {
        self.tried += 1;
        if self.tried > MOST_TRIED {
            return;
        }
        let Some(&(inst, level)) = self.placed.get(at) else {
            self.best = self.best.min(self.cost());
            return;
        };
        let data = self.kernel.inst(inst);
        let own: Vec<Value> = data.operands().into_iter().collect();
        let own: Vec<Value> = own
            .into_iter()
            .filter(|v| self.from.contains_key(v))
            .collect();
        let earliest = own.iter().map(|value| self.from[value]).max().unwrap_or(0);
        let levels = match data.is_pure() {
            true => earliest..=self.graph.last(),
            false if earliest <= level => level..=level,
            false => return,
        };
        for level in levels {
            let from = level + usize::from(!data.is_pure());
            for &result in self.kernel.results(inst) {
                self.from.insert(result, from);
            }
            let saved = self.until.clone();
            for &value in &own {
                let until = self.until.entry(value).or_insert(0);
                *until = level.max(*until);
            }
            let late = usize::from(is_slow(data)) * level;
            self.late += late;
            self.search(at + 1);
            self.late -= late;
            self.until = saved;
        }
        for result in self.kernel.results(inst) {
            self.from.remove(result);
        }
    }

    fn cost(&self) -> u64 {
        let outputs = self
            .graph
            .outputs
            .iter()
            .map(|&value| (value, self.graph.last()));
        let used = self.until.iter().map(|(&value, &until)| (value, until));
        let mut until: BTreeMap<Value, usize> = used.collect();
        until.extend(outputs);
        let waiting = |(value, &until): (&Value, &usize)| {
            let levels = until.saturating_sub(self.from[value]) as u64;
            levels * u64::from(self.kernel.ty(*value).bits())
        };
        until.iter().map(waiting).sum::<u64>() + LATE_BITS * self.late as u64
    }
}

/// Compares the bits between levels with all other placements, unless there are too many.
fn check_placement(kernel: &Kernel, block: Block, graph: &BlockGraph) -> bool {
    let placed = placed(kernel, block, graph);
    let mut search = Search {
        kernel,
        graph,
        placed: &placed,
        from: graph.inputs.iter().map(|&value| (value, 0)).collect(),
        until: BTreeMap::new(),
        late: 0,
        tried: 0,
        best: u64::MAX,
    };
    search.search(0);
    if search.tried > MOST_TRIED || search.tried < placed.len() + 2 {
        return false;
    }
    let slow = placed
        .iter()
        .filter(|(inst, _)| is_slow(kernel.inst(*inst)));
    let late: usize = slow.map(|&(_, level)| level).sum();
    let found = graph.carried_bits(kernel) + LATE_BITS * late as u64;
    assert_eq!(found, search.best, "{block}\n{kernel}");
    true
}

#[test]
fn random_kernels_have_valid_minimal_graphs_and_true_liveness() {
    let mut compared = 0;
    let accesses = PrivateAccesses {
        guarded: true,
        out_of_bounds: true,
    };
    for seed in 0..40 {
        let mut kernel = random_kernel(seed, accesses);
        if seed % 4 != 0 {
            kernel = optimise(kernel).into_kernel();
        }
        let _ = prepare(&mut kernel);
        let cfg = Cfg::of(&kernel);
        let uniform = match seed % 2 {
            0 => Uniform::of(&kernel, &cfg),
            _ => Uniform::leaves(&kernel, &cfg),
        };
        let liveness = Liveness::of(&kernel, &cfg, &uniform);
        check_liveness(&kernel, &liveness, &uniform);
        let dataflow = Dataflow::of(&kernel, &liveness, &uniform);
        let valid = dataflow.verify(&kernel, &uniform);
        valid.unwrap_or_else(|error| {
            panic!("seed {seed}: {error}\n{}", dataflow.display(&kernel));
        });
        for (block, graph) in dataflow.iter() {
            check_order(&kernel, block, graph);
            compared += usize::from(check_placement(&kernel, block, graph));
        }
    }
    assert!(
        compared > 30,
        "{compared} blocks with choices were compared"
    );
}

#[test]
fn four_thousand_accesses_in_a_row_are_placed() {
    let count = 2000;
    let mut text = String::from(
        "kernel \"k\"\nparam \"a\" \"int*\" buffer m0 int\nobject m0 \"a\" buffer 0 global align 4
{\nb0:\nv0: ptr.global = addr m0\nv1: i64 = global_id 0\n",
    );
    for at in 0..count {
        let [sum, address, value] = [0, 1, 2].map(|n| 2 + 3 * at + n);
        text += &format!(
            "v{sum}: i64 = add v1, v{last}\nv{address}: ptr.global = ptradd v0, v{sum}
v{value}: i64 = load i64 v{address} align 4 {{m0}}\nstore i64 v{address}, v{value} align 4 {{m0}}\n",
            last = if at == 0 { 1 } else { sum - 1 },
        );
    }
    let kernel = parse(&(text + "return\n}\n")).unwrap();
    verify(&kernel).unwrap();
    let cfg = Cfg::of(&kernel);
    let uniform = Uniform::of(&kernel, &cfg);
    let dataflow = Dataflow::of(&kernel, &Liveness::of(&kernel, &cfg, &uniform), &uniform);
    let graph = dataflow.block(kernel.entry());
    assert_eq!(graph.levels.len(), 2 * count + 1);
    // The id waits until the last sum, the address of each store for the load, and between rounds
    // one of value, sum and address.
    let waiting = (2 * count - 3) + count + (count - 1);
    assert_eq!(graph.carried_bits(&kernel), 64 * waiting as u64);
}
