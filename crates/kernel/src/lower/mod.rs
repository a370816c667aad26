//! Kernels to circuits: one datapath, its memory system, and what starts and ends a launch.
//!
//! The circuit is isomorphic to the control-flow graph (see `docs/decisions/0004-circuits.md`). Its
//! input `start` takes a token for each launch, its output `done` gives one back when every
//! work-item has ended and every cache has written back; between them it talks to external memory
//! over the channels of an AXI4 master.

mod balance;
mod block;
mod confuse_buffers;
mod constants;
mod control;
mod drop_wild_accesses;
mod groups;
mod layout;
mod memory;
mod names;
mod operations;
mod refusal;
mod segment;
mod slot_addresses;
mod slots;
mod struct_fields;

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
use drop_wild_accesses::drop_wild_accesses;
use groups::Groups;
use layout::Slotted;
use struct_fields::StructFields;

pub use confuse_buffers::confuse_buffers;
pub use constants::{LaunchValue, Placed};
pub use memory::{Buffers, MemoryPlan};
pub use refusal::Refusal;

/// A kernel's circuit.
#[derive(Debug)]
pub struct Lowered {
    /// The circuit.
    pub circuit: Circuit,
    /// What the circuit's constants hold, in its order.
    pub constants: Vec<LaunchValue>,
    /// What lies in external memory besides the buffers.
    pub placed: Vec<Placed>,
}

/// A circuit in the making.
struct Lowering<'a> {
    kernel: &'a Kernel,
    dataflow: &'a Dataflow,
    target: &'a Target,
    memory: MemoryPlan,
    limits: LoopLimits,
    circuit: Circuit,
    constants: Constants,
    groups: Groups,
    /// The slots of work-items, if they have private arrays.
    slotted: Option<Slotted>,
    names: names::BlockNames,
}

/// Whether loops admit only as many work-items as they surely keep moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LoopLimits {
    /// They do: no circuit stands still.
    #[default]
    Enforced,
    /// They admit whatever comes, and have no queue where they go back. For experiments that show
    /// what the limits are for: such a circuit may stand still.
    Off,
}

/// Builds the circuit of an optimised kernel.
pub fn lower(kernel: &Kernel, target: &Target, memory: MemoryPlan) -> Result<Lowered, Refusal> {
    lower_with(kernel, target, memory, LoopLimits::Enforced)
}

/// Builds the circuit of an optimised kernel, with or without limits of loops.
pub fn lower_with(
    kernel: &Kernel,
    target: &Target,
    memory: MemoryPlan,
    limits: LoopLimits,
) -> Result<Lowered, Refusal> {
    let mut kernel = kernel.clone();
    if memory.buffers == Buffers::MayAlias {
        confuse_buffers(&mut kernel);
    }
    let fields = StructFields::take_from(&mut kernel);
    drop_wild_accesses(&mut kernel);
    let _ = structure::prepare(&mut kernel);
    refusal::check(&kernel)?;
    let mut groups = Groups::of(&kernel);
    let layout = layout::lay_out(&mut kernel, &mut groups, &memory, |kernel, groups| {
        let dataflow = graphs(kernel, &Cfg::of(kernel));
        layout::under_way(kernel, &dataflow, groups, &memory)
    });
    groups.check()?;
    let cfg = Cfg::of(&kernel);
    let dataflow = graphs(&kernel, &cfg);
    let loops = Loops::of(&kernel, &cfg, &Dominators::of(&kernel, &cfg));
    refusal::check_loops(&kernel, &loops)?;
    let lowering = Lowering {
        kernel: &kernel,
        dataflow: &dataflow,
        target,
        memory,
        limits,
        circuit: Circuit::new(&*kernel.name),
        constants: Constants::default(),
        groups,
        slotted: layout.slotted,
        names: names::block_names(&kernel, &loops),
    };
    let (circuit, constants) = lowering.build(&cfg, &loops);
    Ok(Lowered {
        circuit,
        constants: constants
            .into_iter()
            .map(|value| fields.named(value))
            .collect(),
        placed: layout.placed,
    })
}

fn graphs(kernel: &Kernel, cfg: &Cfg) -> Dataflow {
    let uniform = Uniform::of(kernel, cfg);
    let liveness = Liveness::of(kernel, cfg, &uniform);
    Dataflow::of(kernel, &liveness, &uniform)
}

impl Lowering<'_> {
    fn build(mut self, cfg: &Cfg, loops: &Loops) -> (Circuit, Vec<LaunchValue>) {
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
        let (entry, leaving, ended) = self.slots(entry);
        self.control(cfg, loops, entry, leaving);
        let total = self
            .constants
            .get(&mut self.circuit, self.kernel, LaunchValue::Total);
        let finished = self.circuit.add_channel("finished", Fields::NONE);
        self.add_unit(
            "counter".into(),
            Counter { inputs: 1 },
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
        (self.circuit, self.constants.values)
    }

    /// The dispatcher, with the ids that the kernel needs.
    fn dispatcher(
        &mut self,
        start: sluice_circuit::circuit::Channel,
    ) -> sluice_circuit::circuit::Channel {
        let kernel = self.kernel;
        let inputs = &self.dataflow.block(kernel.entry()).inputs;
        let params = kernel.entry_params();
        let inputs: Vec<_> = inputs
            .iter()
            .copied()
            .filter(|value| !params.contains(value))
            .collect();
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
        let fields = segment::fields(kernel, &inputs);
        let entry = self.circuit.add_channel("work_item", fields);
        self.name_values(entry, &inputs);
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
