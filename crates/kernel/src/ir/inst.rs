//! Instructions.

use smallvec::SmallVec;

use super::{
    AtomicOp, BinaryOp, Block, CastOp, Elementary, Object, Predicate, Query, Space, TernaryOp,
    Type, UnaryOp, Value,
};

/// What an instruction does and to which operands. Result types are the result values' own.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum InstData {
    /// A constant, as the bits of a value of the result's type.
    Const(u64),
    /// One lane of a scalar or vector kernel argument.
    Arg {
        /// Index of the kernel parameter.
        param: u32,
        /// Lane of a vector argument, 0 for a scalar.
        lane: u8,
    },
    /// The address of a memory object's first byte.
    Addr(Object),
    /// A work-item function.
    Query {
        /// Which one.
        query: Query,
        /// Its dimension, 0 to 2.
        dim: u8,
    },
    /// An operation with one operand.
    Unary {
        /// The operation.
        op: UnaryOp,
        /// Its operand.
        arg: Value,
    },
    /// An operation with two operands.
    Binary {
        /// The operation.
        op: BinaryOp,
        /// Its operands.
        args: [Value; 2],
    },
    /// An operation with three operands.
    Ternary {
        /// The operation.
        op: TernaryOp,
        /// Its operands.
        args: [Value; 3],
    },
    /// An elementary function, of floats.
    Elementary {
        /// The function.
        op: Elementary,
        /// As many operands as it has.
        args: SmallVec<[Value; 2]>,
    },
    /// The first of `args` if `cond` is 1, else the second.
    Select {
        /// An `i1`.
        cond: Value,
        /// The values to choose from.
        args: [Value; 2],
    },
    /// A comparison.
    Compare {
        /// Which one.
        pred: Predicate,
        /// Its operands.
        args: [Value; 2],
    },
    /// A conversion to the result's type.
    Cast {
        /// Which one.
        op: CastOp,
        /// Its operand.
        arg: Value,
    },
    /// A pointer moved by a number of bytes: an integer of any width, read as signed.
    PtrAdd {
        /// The pointer.
        base: Value,
        /// The signed distance in bytes.
        offset: Value,
    },
    /// Whether a pointer leads to an object in local or private memory: an `i1`.
    InSpace {
        /// [`Space::Local`] or [`Space::Private`].
        space: Space,
        /// The pointer.
        ptr: Value,
    },
    /// Reads `access.lanes` consecutive scalars, one result each. Memory instructions may have a
    /// guard, an `i1`: if it is 0, loads and atomics give zeros and nothing is written.
    Load {
        /// The address of the first lane.
        ptr: Value,
        /// What is transferred.
        access: Access,
        /// What the address may point into.
        objects: ObjectSet,
        /// If 0, nothing is accessed.
        guard: Option<Value>,
    },
    /// Writes consecutive scalars.
    Store {
        /// The address of the first lane.
        ptr: Value,
        /// One value per lane.
        values: SmallVec<[Value; 4]>,
        /// What is transferred.
        access: Access,
        /// What the address may point into.
        objects: ObjectSet,
        /// If 0, nothing is accessed.
        guard: Option<Value>,
    },
    /// Reads, combines and writes as one step; the result is the old value.
    AtomicRmw {
        /// How old value and operand combine.
        op: AtomicOp,
        /// The address.
        ptr: Value,
        /// The operand, of the type in memory.
        value: Value,
        /// What the address may point into.
        objects: ObjectSet,
        /// If 0, nothing is accessed.
        guard: Option<Value>,
    },
    /// Stores `new` if memory holds `expected`, as one step; the result is the old value.
    CmpXchg {
        /// The address.
        ptr: Value,
        /// Compared with the old value.
        expected: Value,
        /// Stored if equal.
        new: Value,
        /// What the address may point into.
        objects: ObjectSet,
        /// If 0, nothing is accessed.
        guard: Option<Value>,
    },
    /// All work-items of the group arrive before any goes on; memory is ordered by `Fences`.
    Barrier(Fences),
    /// Orders this work-item's memory accesses.
    Fence(Fences),
    /// Prints; the arguments are the format's, vectors lane by lane.
    Printf {
        /// The format string as the program gave it.
        format: Box<str>,
        /// The arguments.
        args: SmallVec<[Value; 4]>,
    },
    /// Goes to a block.
    Jump(BlockCall),
    /// Goes to the first block if `cond` is 1, else to the second.
    Branch {
        /// An `i1`.
        cond: Value,
        /// Where to, if 1 and if 0.
        targets: [BlockCall; 2],
    },
    /// Ends the work-item.
    Return,
}

/// A block and the values of its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockCall {
    /// The block.
    pub block: Block,
    /// One value per block parameter.
    pub args: SmallVec<[Value; 4]>,
}

/// What a load or store transfers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Access {
    /// Type of each lane: 8 to 64 bits.
    pub ty: Type,
    /// Number of lanes, 1 to 16.
    pub lanes: u8,
    /// The address is a multiple of this power of two.
    pub align: u32,
    /// Whether the access must happen as written.
    pub volatile: bool,
    /// What the source asks for between the access and external memory.
    pub unit: Option<MemoryUnit>,
    /// Of a load in a loop: it may miss what stores have written in its own iteration and in this number of
    /// iterations of the innermost loop before. What it reads then is not used. 0 if it must see every store.
    pub lag: u8,
}

/// What stands between an access and external memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemoryUnit {
    /// A cache, which all accesses of a buffer share.
    Cache,
    /// A unit of its own that holds a few lines in the order of the accesses: a
    /// [reader](sluice_circuit::units::reader) or a [writer](sluice_circuit::units::writer).
    Stream,
    /// A reader of its own that gets its lines from a cache, which such readers of a buffer share.
    Shared,
    /// A reader of its own that holds one line, and has few requests under way: for a place that is the same for all
    /// work-items.
    Uniform,
    /// A [copy](sluice_circuit::units::copy) of the buffer on the chip, with a port for each access: for small buffers
    /// that are only read.
    Copy,
}

impl MemoryUnit {
    /// All of them.
    pub const ALL: [MemoryUnit; 5] = [
        MemoryUnit::Cache,
        MemoryUnit::Stream,
        MemoryUnit::Shared,
        MemoryUnit::Uniform,
        MemoryUnit::Copy,
    ];

    /// What it is, with an article.
    pub fn description(self) -> &'static str {
        match self {
            MemoryUnit::Cache => "a cache",
            MemoryUnit::Stream => "a stream",
            MemoryUnit::Shared => "a stream behind a shared cache",
            MemoryUnit::Uniform => "a stream of one line",
            MemoryUnit::Copy => "a copy of the buffer",
        }
    }

    /// What texts call it.
    pub fn name(self) -> &'static str {
        match self {
            MemoryUnit::Cache => "cache",
            MemoryUnit::Stream => "stream",
            MemoryUnit::Shared => "shared",
            MemoryUnit::Uniform => "uniform",
            MemoryUnit::Copy => "copy",
        }
    }
}

impl Access {
    /// A plain, naturally aligned access of one scalar.
    pub fn scalar(ty: Type) -> Access {
        Access {
            ty,
            lanes: 1,
            align: ty.bytes().expect("memory holds whole bytes"),
            volatile: false,
            unit: None,
            lag: 0,
        }
    }

    /// Number of bytes transferred.
    pub fn bytes(&self) -> u32 {
        self.lane_bytes() * u32::from(self.lanes)
    }

    /// Number of bytes of one lane.
    pub fn lane_bytes(&self) -> u32 {
        self.ty
            .bytes()
            .expect("verify: memory accesses transfer 8 to 64 bits")
    }
}

/// Which memories a barrier or fence orders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fences {
    /// `CLK_LOCAL_MEM_FENCE`.
    pub local: bool,
    /// `CLK_GLOBAL_MEM_FENCE`.
    pub global: bool,
}

/// A set of memory objects, in ascending order.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ObjectSet(SmallVec<[Object; 2]>);

impl ObjectSet {
    /// The objects, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Object> + '_ {
        self.0.iter().copied()
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none: the access can only fault.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object, if there is exactly one.
    pub fn single(&self) -> Option<Object> {
        match self.0[..] {
            [object] => Some(object),
            _ => None,
        }
    }

    /// Whether `object` is in the set.
    pub fn contains(&self, object: Object) -> bool {
        self.0.binary_search(&object).is_ok()
    }

    /// Whether the two sets have an object in common.
    pub fn intersects(&self, other: &ObjectSet) -> bool {
        self.iter().any(|object| other.contains(object))
    }

    /// Adds an object; says whether it was new.
    pub fn insert(&mut self, object: Object) -> bool {
        match self.0.binary_search(&object) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, object);
                true
            }
        }
    }
}

impl FromIterator<Object> for ObjectSet {
    fn from_iter<I: IntoIterator<Item = Object>>(objects: I) -> ObjectSet {
        let mut sorted: SmallVec<[Object; 2]> = objects.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        ObjectSet(sorted)
    }
}

impl InstData {
    /// Whether it gives the slot of a work-item or a work-group.
    pub(crate) fn is_slot(&self) -> bool {
        matches!(
            self,
            InstData::Query {
                query: Query::ItemSlot | Query::GroupSlot,
                ..
            }
        )
    }

    /// The memory objects that the instruction may touch, if it accesses memory.
    pub fn objects(&self) -> Option<&ObjectSet> {
        self.access_effect().map(|access| access.objects)
    }

    /// What a load or store transfers.
    pub fn access(&self) -> Option<&Access> {
        match self {
            InstData::Load { access, .. } | InstData::Store { access, .. } => Some(access),
            _ => None,
        }
    }

    /// Like [`InstData::objects`], to be changed.
    pub fn objects_mut(&mut self) -> Option<&mut ObjectSet> {
        match self {
            InstData::Load { objects, .. }
            | InstData::Store { objects, .. }
            | InstData::AtomicRmw { objects, .. }
            | InstData::CmpXchg { objects, .. } => Some(objects),
            _ => None,
        }
    }

    /// The address that a memory instruction accesses.
    pub fn pointer(&self) -> Option<Value> {
        match *self {
            InstData::Load { ptr, .. }
            | InstData::Store { ptr, .. }
            | InstData::AtomicRmw { ptr, .. }
            | InstData::CmpXchg { ptr, .. } => Some(ptr),
            _ => None,
        }
    }

    /// Like [`InstData::pointer`], to be changed.
    pub fn pointer_mut(&mut self) -> Option<&mut Value> {
        match self {
            InstData::Load { ptr, .. }
            | InstData::Store { ptr, .. }
            | InstData::AtomicRmw { ptr, .. }
            | InstData::CmpXchg { ptr, .. } => Some(ptr),
            _ => None,
        }
    }

    /// The condition under which a memory instruction accesses anything, if it has one.
    pub fn guard(&self) -> Option<Value> {
        match *self {
            InstData::Load { guard, .. }
            | InstData::Store { guard, .. }
            | InstData::AtomicRmw { guard, .. }
            | InstData::CmpXchg { guard, .. } => guard,
            _ => None,
        }
    }

    /// Like [`InstData::guard`], to be changed; none if the instruction accesses no memory.
    pub fn guard_mut(&mut self) -> Option<&mut Option<Value>> {
        match self {
            InstData::Load { guard, .. }
            | InstData::Store { guard, .. }
            | InstData::AtomicRmw { guard, .. }
            | InstData::CmpXchg { guard, .. } => Some(guard),
            _ => None,
        }
    }

    /// The blocks that a terminator may go to, with their arguments.
    pub fn targets(&self) -> &[BlockCall] {
        match self {
            InstData::Jump(target) => std::slice::from_ref(target),
            InstData::Branch { targets, .. } => targets,
            _ => &[],
        }
    }

    /// Like [`InstData::targets`], to be changed.
    pub fn targets_mut(&mut self) -> &mut [BlockCall] {
        match self {
            InstData::Jump(target) => std::slice::from_mut(target),
            InstData::Branch { targets, .. } => targets,
            _ => &mut [],
        }
    }

    /// The operands, in the order of the text form, block arguments included.
    pub fn operands(&self) -> SmallVec<[Value; 8]> {
        let mut operands = SmallVec::new();
        // `map_operands` is the one place that knows the operands; the copy is cheap.
        self.clone().map_operands(|value| {
            operands.push(value);
            value
        });
        operands
    }

    /// Replaces each operand, block arguments included, by what `f` makes of it.
    pub fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        let mut map = |values: &mut [Value]| values.iter_mut().for_each(|v| *v = f(*v));
        match self {
            InstData::Const(_)
            | InstData::Arg { .. }
            | InstData::Addr(_)
            | InstData::Query { .. }
            | InstData::Barrier(_)
            | InstData::Fence(_)
            | InstData::Return => {}
            InstData::Unary { arg, .. } | InstData::Cast { arg, .. } => {
                map(std::slice::from_mut(arg));
            }
            InstData::Binary { args, .. } | InstData::Compare { args, .. } => map(args),
            InstData::Ternary { args, .. } => map(args),
            InstData::Elementary { args, .. } => map(args),
            InstData::Select { cond, args } => {
                map(std::slice::from_mut(cond));
                map(args);
            }
            InstData::PtrAdd { base, offset } => {
                map(std::slice::from_mut(base));
                map(std::slice::from_mut(offset));
            }
            InstData::InSpace { ptr, .. } => map(std::slice::from_mut(ptr)),
            InstData::Load { ptr, guard, .. } => {
                map(std::slice::from_mut(ptr));
                map(guard.as_mut_slice());
            }
            InstData::Store {
                ptr, values, guard, ..
            } => {
                map(std::slice::from_mut(ptr));
                map(values);
                map(guard.as_mut_slice());
            }
            InstData::AtomicRmw {
                ptr, value, guard, ..
            } => {
                map(std::slice::from_mut(ptr));
                map(std::slice::from_mut(value));
                map(guard.as_mut_slice());
            }
            InstData::CmpXchg {
                ptr,
                expected,
                new,
                guard,
                ..
            } => {
                map(std::slice::from_mut(ptr));
                map(std::slice::from_mut(expected));
                map(std::slice::from_mut(new));
                map(guard.as_mut_slice());
            }
            InstData::Printf { args, .. } => map(args),
            InstData::Jump(target) => map(&mut target.args),
            InstData::Branch { cond, targets } => {
                map(std::slice::from_mut(cond));
                for target in targets {
                    map(&mut target.args);
                }
            }
        }
    }
}
