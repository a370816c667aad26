//! Values that are the same for all work-items of a launch. A circuit has them as wires that do
//! not change while a kernel runs, and no work-item carries them along.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::analysis::Cfg;
use crate::ir::{Inst, InstData, Kernel, Query, Value};

/// The values of a kernel that the launch alone decides.
#[derive(Clone, Debug)]
pub struct Uniform {
    values: EntitySet<Value>,
    insts: Vec<Inst>,
}

impl Uniform {
    /// Constants, arguments, addresses of objects and sizes of the index space, and whatever is
    /// computed from them alone. An address counts as the same for all work-items though each may
    /// have its own copy of the object.
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Uniform {
        Uniform::collect(kernel, cfg, |uniform, data| {
            let operands = data.operands();
            data.is_pure() && operands.iter().all(|&operand| uniform.contains(operand))
        })
    }

    /// Like [`Uniform::of`], without what has to be computed.
    pub fn leaves(kernel: &Kernel, cfg: &Cfg) -> Uniform {
        Uniform::collect(kernel, cfg, |_, data| data.operands().is_empty())
    }

    fn collect(
        kernel: &Kernel,
        cfg: &Cfg,
        accepts: impl Fn(&Uniform, &InstData) -> bool,
    ) -> Uniform {
        let mut uniform = Uniform {
            values: EntitySet::new(),
            insts: Vec::new(),
        };
        // Definitions dominate their uses: operands come first.
        for &block in cfg.reverse_postorder() {
            for &inst in &kernel.block(block).insts {
                let data = kernel.inst(inst);
                if data.is_pure() && !is_id(data) && accepts(&uniform, data) {
                    uniform.values.insert(kernel.result(inst));
                    uniform.insts.push(inst);
                }
            }
        }
        uniform
    }

    /// Whether a value is the same for all work-items.
    pub fn contains(&self, value: Value) -> bool {
        self.values.contains(value)
    }

    /// The instructions that compute the values, each behind those that it needs.
    pub fn insts(&self) -> &[Inst] {
        &self.insts
    }
}

/// What a value is the same for: the smaller, the more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// All work-items of a launch.
    Launch,
    /// All work-items of a work-group.
    Group,
    /// A work-item, whenever it computes the value.
    Item,
    /// Nothing: a work-item that computes it again may get another value.
    Once,
}

/// The scopes of all values that are computed from constants, arguments, sizes and ids alone; of
/// all others nothing is known.
#[derive(Clone, Debug)]
pub(crate) struct Scopes(SecondaryMap<Value, Option<Scope>>);

impl Scopes {
    pub(crate) fn of(kernel: &Kernel, cfg: &Cfg) -> Scopes {
        let mut scopes = Scopes(SecondaryMap::new());
        // Definitions dominate their uses: operands come first.
        for &block in cfg.reverse_postorder() {
            for &inst in &kernel.block(block).insts {
                let data = kernel.inst(inst);
                if data.is_pure() {
                    let operands = data.operands().into_iter();
                    let operands = operands.map(|operand| scopes.of_value(operand));
                    let own = own_scope(data);
                    scopes.0[kernel.result(inst)] = operands.chain([own]).max();
                }
            }
        }
        scopes
    }

    pub(crate) fn of_value(&self, value: Value) -> Scope {
        self.0[value].unwrap_or(Scope::Once)
    }
}

/// The scope of an instruction whose operands are the same for the launch.
fn own_scope(data: &InstData) -> Scope {
    let InstData::Query { query, .. } = data else {
        return Scope::Launch;
    };
    match query {
        Query::GroupId | Query::GroupSlot => Scope::Group,
        Query::GlobalId | Query::LocalId | Query::ItemSlot => Scope::Item,
        Query::GlobalSize
        | Query::LocalSize
        | Query::NumGroups
        | Query::GlobalOffset
        | Query::WorkDim => Scope::Launch,
    }
}

/// Whether an instruction tells work-items apart: its result comes with the work-item.
pub(crate) fn is_id(data: &InstData) -> bool {
    match data {
        InstData::Query { query, .. } => match query {
            Query::GlobalId
            | Query::LocalId
            | Query::GroupId
            | Query::ItemSlot
            | Query::GroupSlot => true,
            Query::GlobalSize
            | Query::LocalSize
            | Query::NumGroups
            | Query::GlobalOffset
            | Query::WorkDim => false,
        },
        InstData::Const(_)
        | InstData::Arg { .. }
        | InstData::Addr(_)
        | InstData::Unary { .. }
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
        | InstData::Return => false,
    }
}
