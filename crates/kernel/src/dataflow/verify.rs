//! The invariants of dataflow graphs.
//!
//! - D1. Every instruction of a block is its barrier, its terminator, uniform, a work-item id, or in
//!   exactly one level: pure ones in the segment, others among the accesses.
//! - D2. Operands are uniform or available in the level of the instruction; outputs in the last.
//! - D3. A level needs exactly what its instructions use, the last one also the outputs.
//! - D4. Of two accesses that must keep their order, the first is in an earlier level, and a level
//!   no later than that of the second waits for it.
//! - D5. An access is in the level behind the last access that it depends on: there is one there,
//!   or it is level 0. The last level is the one behind the last access.
//! - D6. Every value that a level needs and does not compute arrives there by one channel. From each
//!   level a channel goes to the next one, and every access has one channel.

use std::collections::BTreeMap;

use super::memory_order::must_wait;
use super::{BlockGraph, Dataflow, Source};
use crate::analysis::{Uniform, is_id};
use crate::ir::{Block, Inst, InstData, Kernel, Value};

type Check = Result<(), String>;

macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+));
        }
    };
}

impl Dataflow {
    /// Checks the graphs of a kernel, made with these uniform values; says which invariant is
    /// violated where.
    pub fn verify(&self, kernel: &Kernel, uniform: &Uniform) -> Result<(), String> {
        for (block, graph) in self.iter() {
            let check = Checker::new(kernel, block, graph, uniform).and_then(|c| c.check());
            check.map_err(|error| format!("{block}: {error}"))?;
        }
        Ok(())
    }
}

struct Checker<'d> {
    kernel: &'d Kernel,
    graph: &'d BlockGraph,
    uniform: &'d Uniform,
    /// The instructions that have to have levels, in program order, with them.
    placed: Vec<(Inst, usize)>,
    terminator: Inst,
}

impl<'d> Checker<'d> {
    fn new(
        kernel: &'d Kernel,
        block: Block,
        graph: &'d BlockGraph,
        uniform: &'d Uniform,
    ) -> Result<Checker<'d>, String> {
        let mut level: BTreeMap<Inst, usize> = BTreeMap::new();
        for (at, members) in graph.levels.iter().enumerate() {
            for (list, is_pure) in [(&members.pure, true), (&members.memory, false)] {
                for &inst in list {
                    let is_right = kernel.inst(inst).is_pure() == is_pure;
                    let is_new = level.insert(inst, at).is_none();
                    ensure!(is_right && is_new, "D1: {inst} is misplaced");
                }
            }
        }
        let mut placed = Vec::new();
        for &inst in &kernel.block(block).insts {
            let data = kernel.inst(inst);
            let has_level = !(data.is_terminator()
                || matches!(data, InstData::Barrier(_))
                || is_id(data)
                || (data.is_pure() && uniform.contains(kernel.result(inst))));
            let found = level.remove(&inst);
            ensure!(
                found.is_some() == has_level,
                "D1: {inst} has level {found:?}"
            );
            placed.extend(found.map(|at| (inst, at)));
        }
        ensure!(level.is_empty(), "D1: instructions of other blocks");
        let terminator = kernel.terminator(block);
        Ok(Checker {
            kernel,
            graph,
            uniform,
            placed,
            terminator,
        })
    }

    fn check(&self) -> Check {
        self.check_needs()?;
        self.check_order()?;
        self.check_levels()?;
        self.check_channels()
    }

    fn operands(&self, inst: Inst) -> impl Iterator<Item = Value> + '_ {
        let operands = self.kernel.inst(inst).operands().into_iter();
        operands.filter(|&operand| !self.uniform.contains(operand))
    }

    fn check_needs(&self) -> Check {
        let last = self.graph.last();
        let mut needs: BTreeMap<Value, Vec<usize>> = BTreeMap::new();
        let outputs = self.graph.outputs.iter().map(|&value| (value, last));
        let used = self.placed.iter();
        let used = used.flat_map(|&(inst, at)| self.operands(inst).map(move |value| (value, at)));
        for (value, at) in used.chain(outputs) {
            let from = self.graph.available(value);
            let is_there = from.is_some_and(|from| from <= at);
            ensure!(is_there, "D2: {value} is not there in level {at}");
            needs.entry(value).or_default().push(at);
        }
        for operand in self.operands(self.terminator) {
            let is_output = self.graph.outputs.contains(&operand);
            ensure!(is_output, "D2: the terminator's {operand} is no output");
        }
        for (&value, span) in &self.graph.values {
            let mut expected = needs.remove(&value).unwrap_or_default();
            expected.sort_unstable();
            expected.dedup();
            ensure!(span.needs == expected, "D3: {value} is needed elsewhere");
        }
        Ok(())
    }

    fn check_order(&self) -> Check {
        for (at, &(second, behind)) in self.placed.iter().enumerate() {
            for &(first, before) in &self.placed[..at] {
                if must_wait(self.kernel.inst(first), self.kernel.inst(second)) {
                    let join = self.graph.joined(first);
                    let waits = before < behind && join.is_some_and(|join| join <= behind);
                    ensure!(waits, "D4: {second} does not wait for {first}");
                }
            }
        }
        Ok(())
    }

    /// The least level of each instruction, from the definition.
    fn check_levels(&self) -> Check {
        let mut depth: BTreeMap<Value, usize> = BTreeMap::new();
        let mut accesses: Vec<(Inst, usize)> = Vec::new();
        for &(inst, level) in &self.placed {
            let values = self.operands(inst).filter_map(|v| depth.get(&v).copied());
            let mut least = values.max().unwrap_or(0);
            let is_access = !self.kernel.inst(inst).is_pure();
            if is_access {
                for &(earlier, at) in &accesses {
                    if must_wait(self.kernel.inst(earlier), self.kernel.inst(inst)) {
                        least = least.max(at + 1);
                    }
                }
                ensure!(level == least, "D5: {inst} could be in level {least}");
                accesses.push((inst, level));
            }
            for &result in self.kernel.results(inst) {
                depth.insert(result, least + usize::from(is_access));
            }
        }
        let last = accesses.iter().map(|&(_, at)| at + 1).max().unwrap_or(0);
        ensure!(self.graph.last() == last, "D5: {last} levels have accesses");
        Ok(())
    }

    fn check_channels(&self) -> Check {
        let channels = self.graph.channels();
        let count = |from, to| {
            let same = channels.iter().filter(|c| c.from == from && c.to == to);
            same.count()
        };
        for level in 1..self.graph.levels.len() {
            let from = Source::Level(level - 1);
            ensure!(count(from, level) == 1, "D6: level {level} is on its own");
        }
        for (&access, &level) in &self.graph.joins {
            let from = Source::Memory(access);
            ensure!(count(from, level) == 1, "D6: no level waits for {access}");
        }
        for (&value, span) in &self.graph.values {
            for &level in &span.needs {
                let arriving = channels.iter().filter(|c| c.to == level);
                let arriving = arriving.filter(|c| c.values.contains(&value)).count();
                let is_there = span.from == level && span.access.is_none();
                ensure!(
                    arriving == usize::from(!is_there),
                    "D6: {arriving} channels bring {value} to level {level}"
                );
            }
        }
        Ok(())
    }
}
