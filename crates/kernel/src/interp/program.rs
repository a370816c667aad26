//! A kernel decoded for execution: units of straight-line operations on numbered registers.
//!
//! A unit is a block, or a part of one that ends in a barrier. Values that are the same wherever
//! they are evaluated (constants, arguments, addresses, work-item functions) are presets: registers
//! that are written before a strip starts.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

use crate::{
    Kernel,
    ir::{
        Access, AccessKind, AtomicOp, Block, Effect, Fences, Inst, InstData, Loc, Object,
        ObjectKind, ObjectSet, Query, Space, Type, Value,
    },
    launch::Buffer,
};

use super::{
    arithmetic::{self, Compute},
    block_order::block_order,
    decode::Decoder,
};

/// A kernel decoded for execution; serves any number of launches.
pub struct Program {
    pub(super) kernel: Kernel,
    pub(super) units: Vec<Unit>,
    pub(super) presets: Vec<Preset>,
    /// The register of each value that has one.
    pub(super) slots: SecondaryMap<Value, Option<Slot>>,
    /// Number of registers of up to 32 bits, and of wider ones.
    pub(super) narrow: u32,
    pub(super) wide: u32,
    /// Contents of the constant tables.
    pub(super) tables: PrimaryMap<Object, Option<Buffer>>,
    /// Words of private memory of a work-item, and where each private object begins.
    pub(super) private_words: u64,
    pub(super) private: SecondaryMap<Object, u64>,
    /// Whether work-items of a group meet at barriers or in local memory.
    pub(super) grouped: bool,
    /// Whether groups have effects whose order can be seen.
    pub(super) ordered: bool,
}

/// Straight-line code and what comes after it.
pub(super) struct Unit {
    /// The block that begins with it, if one does.
    pub head_of: Option<Block>,
    pub ops: Vec<Op>,
    pub exit: Exit,
    /// Instructions that it stands for.
    pub weight: u64,
    /// A line of it.
    pub loc: Loc,
}

/// What ends a unit.
pub(super) enum Exit {
    Jump(Edge),
    Branch {
        cond: u32,
        targets: [Edge; 2],
    },
    Barrier {
        next: usize,
        fences: Fences,
        loc: Loc,
    },
    Return,
}

/// The way to a unit.
pub(super) struct Edge {
    pub unit: usize,
    /// Copies that give the block's parameters their values, one after the other.
    pub moves: Vec<(Slot, Slot)>,
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    pub bank: Bank,
    pub at: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Bank {
    Narrow,
    Wide,
}

/// A register whose value does not depend on where it is evaluated.
pub(super) struct Preset {
    pub slot: Slot,
    pub ty: Type,
    pub constant: Constant,
}

/// What a preset holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Constant {
    Bits(u64),
    Arg { param: u32, lane: u8 },
    Address(Object),
    Query { query: Query, dim: u8 },
}

/// One operation of a unit.
pub(super) enum Op {
    Compute(Compute),
    Load(Box<Load>),
    Store(Box<Store>),
    Atomic(Box<Atomic>),
    Printf(Box<Printf>),
    InSpace(InSpace),
}

/// Where an access goes, and what it is reported as.
pub(super) struct Target {
    pub base: u32,
    pub index: Index,
    pub displacement: u64,
    /// Where it may go.
    pub objects: ObjectSet,
    /// What the address has to be a multiple of: a power of two.
    pub align: u32,
    /// A narrow register that is 0 where nothing is accessed.
    pub guard: Option<u32>,
    pub inst: Inst,
    pub loc: Loc,
}

/// A variable distance from an address.
#[derive(Clone, Copy, Debug)]
pub(super) enum Index {
    None,
    /// A signed narrow register, shifted left.
    Narrow(u32, u32),
    /// A wide register, shifted left.
    Wide(u32, u32),
}

pub(super) struct Load {
    pub target: Target,
    pub access: Access,
    pub results: SmallVec<[Slot; 4]>,
}

pub(super) struct Store {
    pub target: Target,
    pub access: Access,
    pub values: SmallVec<[Slot; 4]>,
}

pub(super) struct Atomic {
    pub target: Target,
    pub ty: Type,
    pub change: Change,
    pub result: Slot,
}

/// What an atomic stores.
pub(super) enum Change {
    Combine { op: AtomicOp, value: Slot },
    CompareExchange { expected: Slot, new: Slot },
}

/// Whether a pointer, a wide register, leads to an object in a space.
pub(super) struct InSpace {
    pub space: Space,
    pub pointer: u32,
    pub result: Slot,
}

pub(super) struct Printf {
    pub format: Box<str>,
    pub args: Vec<(Slot, Type)>,
}

impl Program {
    /// Decodes a kernel that has passed verification.
    pub fn new(kernel: &Kernel) -> Program {
        let order = block_order(kernel);
        let mut decoder = Decoder::new(kernel, &order);
        let units = decoder.units();
        let mut program = Program {
            kernel: kernel.clone(),
            units,
            presets: decoder.presets,
            slots: decoder.slots,
            narrow: decoder.count[Bank::Narrow as usize],
            wide: decoder.count[Bank::Wide as usize],
            tables: PrimaryMap::new(),
            private_words: 0,
            private: SecondaryMap::new(),
            grouped: false,
            ordered: order.iter().any(|&block| is_ordered(kernel, block)),
        };
        program.lay_out_objects();
        let has_barrier = |unit: &Unit| matches!(unit.exit, Exit::Barrier { .. });
        program.grouped |= program.units.iter().any(has_barrier);
        program
    }

    fn lay_out_objects(&mut self) {
        for (object, data) in &self.kernel.objects {
            let mut table = None;
            match &data.kind {
                ObjectKind::Table { bytes } => table = Some(Buffer::from_bytes(bytes)),
                ObjectKind::Private { size } => {
                    self.private[object] = self.private_words;
                    self.private_words += size.div_ceil(4);
                }
                ObjectKind::LocalArg { .. }
                | ObjectKind::Local { .. }
                | ObjectKind::LocalPerItem { .. } => self.grouped = true,
                ObjectKind::Buffer { .. } | ObjectKind::StructArg { .. } => {}
            }
            self.tables.push(table);
        }
    }
}

/// Whether a block has effects that other work-groups can see the order of.
fn is_ordered(kernel: &Kernel, block: Block) -> bool {
    let global = |objects: &ObjectSet| {
        let global = |object: Object| kernel.objects[object].space() == Space::Global;
        objects.iter().any(global)
    };
    let insts = &kernel.block(block).insts;
    insts.iter().any(|&inst| match kernel.inst(inst).effect() {
        Effect::Access(access) => match access.kind {
            AccessKind::Atomic => global(access.objects),
            AccessKind::Read | AccessKind::Write => access.is_volatile,
        },
        Effect::Print => true,
        Effect::Pure | Effect::Fence(_) | Effect::Barrier(_) | Effect::Control => false,
    })
}

impl Constant {
    /// What an instruction gives wherever it stands.
    pub fn of(data: &InstData) -> Option<Constant> {
        match *data {
            InstData::Const(bits) => Some(Constant::Bits(bits)),
            InstData::Arg { param, lane } => Some(Constant::Arg { param, lane }),
            InstData::Addr(object) => Some(Constant::Address(object)),
            InstData::Query { query, dim } => Some(Constant::Query { query, dim }),
            InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::Ternary { .. }
            | InstData::Elementary { .. }
            | InstData::Select { .. }
            | InstData::Compare { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::InSpace { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::AtomicRmw { .. }
            | InstData::CmpXchg { .. }
            | InstData::Barrier(_)
            | InstData::Fence(_)
            | InstData::Printf { .. }
            | InstData::Jump(_)
            | InstData::Branch { .. }
            | InstData::Return => None,
        }
    }
}

/// The bank of a type's values.
pub(super) fn bank(ty: Type) -> Bank {
    if arithmetic::is_narrow(ty) {
        Bank::Narrow
    } else {
        Bank::Wide
    }
}
