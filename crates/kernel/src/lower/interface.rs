//! What a lowered circuit is to those who run it: which of its channels and constants are what.

use cranelift_entity::PrimaryMap;
use sluice_circuit::circuit::{Channel, Circuit, Constant, Unit};
use sluice_circuit::units::memory_port::MemoryInterface;
use sluice_circuit::verify::verify;

use crate::interp::AccessKind;
use crate::ir::{Inst, Loc, Object, ObjectData, Type};
use crate::items::Space;
use crate::plan::{LoopKey, LoopWay};
use crate::prepare::{
    Chosen, GroupLimits, Guarded, LaunchValue, LocalMemory, Placed, PreparedKernel,
};

/// A circuit of one kernel or several. Only [`lower`](super::lower()) makes one, and its circuit keeps
/// all [invariants](sluice_circuit::verify).
#[derive(Debug)]
pub struct Lowered {
    circuit: Circuit,
    kernels: Vec<Interface>,
    memory_ports: Vec<MemoryInterface>,
}

impl Lowered {
    /// A circuit with what its channels are.
    pub(super) fn new(
        circuit: Circuit,
        kernels: Vec<Interface>,
        memory_ports: Vec<MemoryInterface>,
    ) -> Lowered {
        assert_eq!(verify(&circuit), Ok(()), "lowering keeps the invariants");
        Lowered {
            circuit,
            kernels,
            memory_ports,
        }
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The circuit, without what its channels are.
    pub fn into_circuit(self) -> Circuit {
        self.circuit
    }

    /// What the host has to know of each kernel.
    pub fn kernels(&self) -> &[Interface] {
        &self.kernels
    }

    /// The ports to external memory.
    pub fn memory_ports(&self) -> &[MemoryInterface] {
        &self.memory_ports
    }

    /// Bits of an address in external memory, 0 if nothing accesses it.
    pub fn address_bits(&self) -> u32 {
        let fields = |port: &MemoryInterface| &self.circuit.channels()[port.ar].fields;
        let widths = self.memory_ports.first().map(|port| fields(port).widths());
        widths.map_or(0, |mut widths| widths.next().expect("an address"))
    }
}

/// What the host has to know of a kernel in a circuit.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The circuit's input that starts a launch.
    pub start: Channel,
    /// The circuit's output that says that a launch has ended.
    pub done: Channel,
    /// The circuit's constants that are the kernel's, and what they hold.
    pub constants: Vec<(Constant, LaunchValue)>,
    /// How work-items make tokens, if these have more than one.
    pub packed: Option<Packed>,
    /// What lies in external memory besides the buffers.
    pub placed: Vec<Placed>,
    /// Work-items of a group, at most.
    pub group_items: u64,
    /// Dimensions of a launch, at most.
    pub dimensions: usize,
    /// What work-groups have room for, if they synchronise.
    pub limits: Option<GroupLimits>,
    /// The local memories.
    pub locals: Vec<LocalMemory>,
    /// The prints.
    pub prints: Vec<Print>,
    /// The accesses that may be out of bounds or misaligned.
    pub accesses: Vec<WatchedAccess>,
    /// Whether it reads, also outside of its buffers, what it turns out not to need.
    pub reads_in_vain: bool,
    /// What stands between accesses and external memory, in the order of the source.
    pub memory: Vec<MemoryAccess>,
    /// The barriers, by datapath.
    pub barriers: Vec<BarrierUnit>,
    /// Where iterations of loops pass.
    pub loops: Vec<Rounds>,
    /// The ways of all loops, in the order of the source.
    pub loop_ways: Vec<LoopDescription>,
    /// The arguments that the circuit takes fewer bits of than they have.
    pub small_arguments: Vec<SmallArgument>,
}

/// An argument of which the circuit takes only the low bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SmallArgument {
    /// Its parameter.
    pub name: String,
    /// The bits that it has at most in all launches of the circuit.
    pub bits: u32,
}

/// How the iterations of a loop go through the circuit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopDescription {
    /// Where it begins in the source, if that is known.
    pub key: Option<LoopKey>,
    /// The way of its iterations.
    pub way: LoopWay,
    /// Why it is not another one, or why it is this one; empty if there is nothing to say.
    pub reason: String,
    /// Whether iterations would follow each other sooner if operations on floats might be done in another order.
    pub keeps_order: bool,
    /// Iterations of the source that one of its iterations consists of: more than one if it is unrolled.
    pub copies: u32,
    /// Whether it only does the iterations that unrolling has left over.
    pub is_rest: bool,
    /// Why it is not unrolled though the source asks for it.
    pub not_unrolled: Option<String>,
    /// If iterations overlap: how soon they follow each other.
    pub timing: Option<LoopTiming>,
}

/// How soon the iterations of a loop follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopTiming {
    /// Cycles from the start of an iteration to that of the next one, when nothing stalls.
    pub interval: u32,
    /// Cycles from the start of an iteration to its end.
    pub latency: u32,
    /// What the interval is due to, if it is more than 1.
    pub limit: Option<LoopLimit>,
}

/// What keeps the iterations of a loop apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopLimit {
    /// What is computed from one iteration to the next.
    Values {
        /// The source lines.
        lines: Vec<u32>,
        /// The operations that depend on each other in a ring, in their order.
        operations: Vec<String>,
    },
    /// What these lines write and read: an iteration waits for one that is as many before it.
    Memory {
        /// The lines.
        lines: Vec<u32>,
        /// The number of iterations.
        distance: u32,
        /// Whether external memory takes part: how long it takes differs from access to access.
        is_external: bool,
    },
    /// What these lines access through one port, which takes an access per cycle.
    Port(Vec<u32>),
}

/// How work-items make tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Work-items of a token, if they are neighbours in a group.
    pub lanes: u32,
    /// What work-items are iterations of, if they are.
    pub looped: Option<Space>,
    /// The memory of the kernel of tokens: private arrays have a copy for each lane, or a place for each iteration.
    pub objects: PrimaryMap<Object, ObjectData>,
}

impl Interface {
    /// Work-items of a token.
    pub fn lanes(&self) -> u32 {
        self.packed.as_ref().map_or(1, |packed| packed.lanes)
    }
}

/// A load, store or atomic operation that may be out of bounds or misaligned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedAccess {
    /// The channel to its unit: a token for each access, whose first field is the address.
    pub channel: Channel,
    /// What the last field of a token is the outcome of, if the access has a guard: 0 where it fails.
    pub guard: Option<Guarded>,
    /// Whether the last field says if a lane makes the access: 0 where it does not, which is no mistake.
    pub is_conditional: bool,
    /// Whether the address says where in external memory it is.
    pub is_external: bool,
    /// What it does.
    pub kind: AccessKind,
    /// How many bytes it accesses.
    pub bytes: u32,
    /// What its address has to be a multiple of.
    pub align: u32,
    /// The objects that it may mean: all buffers if they [may alias](crate::plan::Buffers::MayAlias).
    pub objects: Vec<Object>,
    /// Where it is in the source.
    pub loc: Loc,
}

/// An access of external memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryAccess {
    /// Where it is in the source.
    pub loc: Loc,
    /// What it does.
    pub kind: AccessKind,
    /// The names of the buffers that it may reach.
    pub buffer: String,
    /// What stands between it and memory, and why.
    pub chosen: Chosen,
}

impl MemoryAccess {
    /// Those of a kernel, in the order of the source.
    pub(super) fn all(prepared: &PreparedKernel) -> Vec<MemoryAccess> {
        let kernel = &prepared.kernel;
        let access = |(inst, chosen): (Inst, &Chosen)| {
            let data = kernel.inst(inst);
            let set = prepared.alias_sets.accessed(data).expect("it has a memory");
            MemoryAccess {
                loc: kernel.loc(inst),
                kind: data.access_effect().expect("an access").kind,
                buffer: prepared.alias_sets.sets[set].name.clone(),
                chosen: *chosen,
            }
        };
        let mut all: Vec<_> = prepared.memory_units.iter().map(access).collect();
        all.sort_by_key(|it| (it.loc.file, it.loc.line, it.loc.column));
        all
    }
}

/// A barrier in a datapath.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BarrierUnit {
    /// Its unit.
    pub unit: Unit,
    /// The datapath.
    pub path: u32,
    /// Where it is in the source.
    pub loc: Loc,
}

/// Where the iterations of a loop pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The way back to the header of a loop that recirculates, or the way to the body of one whose iterations overlap.
    pub channel: Channel,
    /// Where the loop begins in the source.
    pub loc: Loc,
}

/// A print.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Print {
    /// The circuit's output with its arguments.
    pub channel: Channel,
    /// Its format.
    pub format: Box<str>,
    /// The types of its arguments.
    pub types: Vec<Type>,
}
