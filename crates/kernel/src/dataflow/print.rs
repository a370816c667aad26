//! Dataflow graphs as text.
//!
//! A block's line names its inputs, a level's line the channels that it waits for. Accesses are
//! numbered `@0`, `@1` in the order of their instructions and name those that they wait for.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use super::{BlockGraph, Dataflow, Source};
use crate::ir::{Inst, Kernel, Value};
use crate::text::display_inst;

impl Dataflow {
    /// The graphs of a kernel's blocks as text.
    pub fn display<'d>(&'d self, kernel: &'d Kernel) -> impl Display + 'd {
        DisplayDataflow {
            dataflow: self,
            kernel,
        }
    }
}

struct DisplayDataflow<'d> {
    dataflow: &'d Dataflow,
    kernel: &'d Kernel,
}

impl Display for DisplayDataflow<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (block, graph) in self.dataflow.iter() {
            writeln!(f, "{block}:{}", Values(&graph.inputs))?;
            graph.print(self.kernel, f)?;
        }
        Ok(())
    }
}

impl BlockGraph {
    fn print(&self, kernel: &Kernel, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(barrier) = self.barrier {
            writeln!(f, "  {}", display_inst(kernel, barrier))?;
        }
        let numbers = self.joins.keys().enumerate();
        let numbers: BTreeMap<Inst, usize> = numbers.map(|(at, &inst)| (inst, at)).collect();
        let channels = self.channels();
        for (at, level) in self.levels.iter().enumerate() {
            write!(f, "  level {at}")?;
            for channel in channels.iter().filter(|channel| channel.to == at) {
                match channel.from {
                    Source::Level(from) => write!(f, " <- {from}")?,
                    Source::Memory(access) => write!(f, " <- @{}", numbers[&access])?,
                }
                write!(f, "{}", Values(&channel.values))?;
            }
            writeln!(f)?;
            for &inst in &level.pure {
                writeln!(f, "    {}", display_inst(kernel, inst))?;
            }
            for &inst in &level.memory {
                write!(f, "    @{} {}", numbers[&inst], display_inst(kernel, inst))?;
                let waits = self.order.iter().filter(|order| order.after == inst);
                for (at, order) in waits.enumerate() {
                    let before = numbers[&order.before];
                    let word = if at == 0 { " after" } else { "," };
                    write!(f, "{word} @{before}")?;
                }
                writeln!(f)?;
            }
        }
        writeln!(f, "  out{}", Values(&self.outputs))
    }
}

/// Values behind a space each.
struct Values<'v>(&'v [Value]);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|value| write!(f, " {value}"))
    }
}
