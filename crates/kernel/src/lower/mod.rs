//! Kernels to circuits: one datapath, its memory system, and what starts and ends a launch.
//!
//! The circuit is isomorphic to the control-flow graph (see `docs/decisions/0004-circuits.md`). Its
//! input `start` takes a token for each launch, its output `done` gives one back when every
//! work-item has ended and every cache has written back; between them it talks to external memory
//! over the channels of an AXI4 master.

mod block;
mod constants;
mod control;
mod memory;
mod names;
mod operations;
mod refusal;
mod segment;

use std::collections::BTreeMap;

use sluice_circuit::circuit::Circuit;
use sluice_circuit::target::Target;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::dispatcher::{Coordinate, Dispatcher, Id};
use sluice_circuit::units::fork::Fork;

use crate::analysis::{Cfg, Dominators, Liveness, Loops, Uniform};
use crate::dataflow::Dataflow;
use crate::ir::{InstData, Kernel, Query};
use crate::structure;
use constants::Constants;
use memory::Groups;

pub use constants::LaunchValue;
pub use memory::{Buffers, MemoryPlan};
pub use refusal::Refusal;

/// A kernel's circuit.
#[derive(Debug)]
pub struct Lowered {
    /// The circuit.
    pub circuit: Circuit,
    /// What the circuit's constants hold, in its order.
    pub constants: Vec<LaunchValue>,
}

/// A circuit in the making.
struct Lowering<'a> {
    kernel: &'a Kernel,
    dataflow: &'a Dataflow,
    target: &'a Target,
    memory: MemoryPlan,
    circuit: Circuit,
    constants: Constants,
    groups: Groups,
    names: names::BlockNames,
}

/// Builds the circuit of an optimised kernel.
pub fn lower(kernel: &Kernel, target: &Target, memory: MemoryPlan) -> Result<Lowered, Refusal> {
    let mut kernel = kernel.clone();
    let _ = structure::prepare(&mut kernel);
    refusal::check(&kernel)?;
    let cfg = Cfg::of(&kernel);
    let uniform = Uniform::of(&kernel, &cfg);
    let liveness = Liveness::of(&kernel, &cfg, &uniform);
    let dataflow = Dataflow::of(&kernel, &liveness, &uniform);
    let loops = Loops::of(&kernel, &cfg, &Dominators::of(&kernel, &cfg));
    let groups = Groups::of(&kernel, memory.buffers);
    groups.check()?;
    let lowering = Lowering {
        kernel: &kernel,
        dataflow: &dataflow,
        target,
        memory,
        circuit: Circuit::new(&*kernel.name),
        constants: Constants::default(),
        groups,
        names: names::block_names(&kernel, &loops),
    };
    Ok(lowering.build(&cfg, &loops))
}

impl Lowering<'_> {
    fn build(mut self, cfg: &Cfg, loops: &Loops) -> Lowered {
        self.circuit.source = names::source(self.kernel);
        let start = self.circuit.add_channel("start", Fields::NONE);
        self.circuit.add_input(start);
        let fork = Fork {
            fields: Fields::NONE,
            outputs: vec![Vec::new(); 2],
        };
        let forked = self.place(
            "fork_start".into(),
            fork,
            Vec::new(),
            BTreeMap::from([("in", start)]),
        );
        let forked: Vec<_> = forked
            .into_iter()
            .filter(|(name, _)| name != "in")
            .collect();
        let [(_, to_dispatcher), (_, to_counter)] = forked[..] else {
            panic!("a fork in two has two outputs");
        };
        let entry = self.dispatcher(to_dispatcher);
        let ended = self.circuit.add_channel("work_item_ended", Fields::NONE);
        self.control(cfg, loops, entry, ended);
        let total = self
            .constants
            .get(&mut self.circuit, self.kernel, LaunchValue::Total);
        let finished = self.circuit.add_channel("finished", Fields::NONE);
        self.add_unit(
            "counter".into(),
            Counter,
            Vec::new(),
            vec![to_counter, ended],
            vec![finished],
            vec![total],
        );
        let first = self.circuit.units().next_key();
        let done = self.memory_system(finished);
        self.group_memory(first);
        self.circuit.rename_channel(done, "done");
        self.circuit.add_output(done);
        Lowered {
            circuit: self.circuit,
            constants: self.constants.values,
        }
    }

    /// The dispatcher, with the ids that the kernel needs.
    fn dispatcher(
        &mut self,
        start: sluice_circuit::circuit::Channel,
    ) -> sluice_circuit::circuit::Channel {
        let kernel = self.kernel;
        let inputs = &self.dataflow.block(kernel.entry()).inputs;
        let coordinate = |value: &crate::ir::Value| {
            let Some(&InstData::Query { query, dim }) = kernel.def_inst(*value) else {
                panic!("dataflow: only ids come into the entry block");
            };
            let id = match query {
                Query::GlobalId => Id::Global,
                Query::LocalId => Id::Local,
                Query::GroupId => Id::Group,
                other => panic!("{other} is uniform"),
            };
            Coordinate {
                id,
                dimension: dim.into(),
                width: kernel.ty(*value).bits(),
            }
        };
        let dispatcher = Dispatcher {
            dimensions: 3,
            outputs: inputs.iter().map(coordinate).collect(),
        };
        let sizes = [
            Query::GlobalSize,
            Query::LocalSize,
            Query::GlobalOffset,
            Query::NumGroups,
        ];
        let constants = sizes
            .iter()
            .flat_map(|&query| (0..3).map(move |dim| (query, dim)));
        let constants = constants
            .map(|(query, dim)| LaunchValue::Size(query, dim))
            .map(|value| self.constants.get(&mut self.circuit, kernel, value))
            .collect();
        let fields = segment::fields(kernel, inputs);
        let entry = self.circuit.add_channel("work_item", fields);
        self.name_values(entry, inputs);
        self.add_unit(
            "dispatcher".into(),
            dispatcher,
            Vec::new(),
            vec![start],
            vec![entry],
            constants,
        );
        entry
    }
}
