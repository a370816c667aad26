//! A kernel: its interface, its memory objects and its blocks.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use sluice_circuit::arith::Subnormals;
use smallvec::SmallVec;

use super::{Block, BlockCall, Inst, InstData, LoopHints, Object, Space, Type, Value, Variables};

/// One OpenCL kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// The kernel's name in the source.
    pub name: String,
    /// Source files that [`Loc::file`] indexes.
    pub files: Vec<String>,
    /// The kernel's parameters, as the host sees them.
    pub params: Vec<Param>,
    /// The variables of its program, if it uses them: the last parameter stands for them.
    pub variables: Option<Variables>,
    /// What the source says about work-group sizes.
    pub work_group_size: WorkGroupSize,
    /// Work-items of a token that the source asks for: `num_simd_work_items`.
    pub lanes: Option<u32>,
    /// `vec_type_hint`.
    pub vec_type_hint: Option<Element>,
    /// What multiplication, division and fused multiplication of `f32` make of subnormal numbers.
    pub subnormals: Subnormals,
    /// Whether sums and products of floats may be computed in another order.
    pub reassociation: Reassociation,
    /// The memory that the kernel can reach.
    pub objects: PrimaryMap<Object, ObjectData>,
    layout: Vec<Block>,
    blocks: PrimaryMap<Block, BlockData>,
    insts: PrimaryMap<Inst, InstNode>,
    values: PrimaryMap<Value, ValueNode>,
}

/// Work-group size attributes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkGroupSize {
    /// `reqd_work_group_size`.
    pub required: Option<[u32; 3]>,
    /// `work_group_size_hint`.
    pub hint: Option<[u32; 3]>,
}

/// Whether sums and products of floats may be computed in another order than the program's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reassociation {
    /// They may not.
    #[default]
    Forbidden,
    /// They may, by `-cl-unsafe-math-optimizations` or `-cl-fast-relaxed-math`.
    Allowed,
}

/// A kernel parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name in the source.
    pub name: String,
    /// Its type as written in the source, such as `float4*`.
    pub type_name: String,
    /// Its type qualifiers.
    pub qualifiers: Qualifiers,
    /// What the host passes and where the kernel finds it.
    pub kind: ParamKind,
}

/// Type qualifiers of a pointer parameter's pointee, and `restrict`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Qualifiers {
    /// `const`.
    pub is_const: bool,
    /// `restrict`.
    pub is_restrict: bool,
    /// `volatile`.
    pub is_volatile: bool,
}

/// What the host passes for a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParamKind {
    /// A scalar or vector, read by [`InstData::Arg`].
    Value(Element),
    /// A buffer in global or constant memory.
    Buffer {
        /// The object that stands for it.
        object: Object,
        /// What it is an array of.
        pointee: Pointee,
    },
    /// Local memory of a size given at launch.
    Local {
        /// The object that stands for it.
        object: Object,
        /// What it is an array of.
        pointee: Pointee,
    },
    /// The variables of the kernel's program, which the host does not pass.
    Variables {
        /// The object that stands for them.
        object: Object,
    },
    /// A struct passed by value; the object holds its bytes and is read-only.
    Struct {
        /// The object that stands for it.
        object: Object,
    },
}

/// What a pointer parameter points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointee {
    /// A scalar or vector.
    Element(Element),
    /// A struct or union, by its size in bytes (0 if it is not known).
    Opaque(u32),
}

/// A scalar or vector type of OpenCL C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    /// The type of each component.
    pub scalar: Scalar,
    /// Number of components: 1, 2, 3, 4, 8 or 16.
    pub lanes: u8,
}

/// A scalar type of OpenCL C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// A signed integer of this many bits: `char` to `long`.
    Signed(u8),
    /// An unsigned integer of this many bits: `uchar` to `ulong`.
    Unsigned(u8),
    /// `half`.
    Half,
    /// `float`.
    Float,
    /// `double`.
    Double,
}

/// A memory object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectData {
    /// Its name in the source.
    pub name: String,
    /// What it is.
    pub kind: ObjectKind,
    /// The alignment of its first byte.
    pub align: u32,
    /// What the source asks for.
    pub attributes: MemoryAttributes,
}

/// What the source asks for a memory object. Results never depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryAttributes {
    /// Banks of local memory, a power of two: `numbanks`.
    pub banks: Option<u32>,
    /// Bytes in a row that lie in one bank, a power of two: `bankwidth`.
    pub bank_bytes: Option<u32>,
    /// The name of the external memory that a buffer is in: `buffer_location`.
    pub location: Option<String>,
}

/// The kinds of memory objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectKind {
    /// A buffer that the host passes for a parameter.
    Buffer {
        /// The parameter's index.
        param: u32,
        /// [`Space::Global`] or [`Space::Constant`].
        space: Space,
    },
    /// Local memory that the host sizes for a parameter.
    LocalArg {
        /// The parameter's index.
        param: u32,
    },
    /// The bytes of a struct passed by value, in [`Space::Private`]; never written.
    StructArg {
        /// The parameter's index.
        param: u32,
        /// Its size in bytes.
        size: u64,
    },
    /// A `__local` variable.
    Local {
        /// Its size in bytes.
        size: u64,
    },
    /// Local memory with a number of bytes for each work-item of the group.
    LocalPerItem {
        /// Bytes for each work-item.
        bytes: u64,
    },
    /// A private array or address-taken variable.
    Private {
        /// Its size in bytes.
        size: u64,
    },
    /// A `__constant` table or string.
    Table {
        /// Its contents.
        bytes: Vec<u8>,
    },
}

/// A place in the source. Line 0 means unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Loc {
    /// Index into [`Kernel::files`].
    pub file: u16,
    /// Column, from 1.
    pub column: u16,
    /// Line, from 1.
    pub line: u32,
}

/// A basic block.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockData {
    /// Its parameters.
    pub params: Vec<Value>,
    /// Its instructions; the last one is a terminator.
    pub insts: Vec<Inst>,
    /// What the source says about the loop that it is the header of.
    pub hints: LoopHints,
}

/// Where a value is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueDef {
    /// The n-th result of an instruction.
    Result(Inst, u32),
    /// The n-th parameter of a block.
    Param(Block, u32),
}

#[derive(Clone, PartialEq, Debug)]
struct InstNode {
    data: InstData,
    results: SmallVec<[Value; 1]>,
    loc: Loc,
}

#[derive(Clone, PartialEq, Debug)]
struct ValueNode {
    ty: Type,
    def: ValueDef,
    name: Option<Box<str>>,
}

impl Kernel {
    /// A kernel without parameters, objects and blocks.
    pub fn new(name: impl Into<String>) -> Kernel {
        Kernel {
            name: name.into(),
            files: Vec::new(),
            params: Vec::new(),
            variables: None,
            work_group_size: WorkGroupSize::default(),
            lanes: None,
            vec_type_hint: None,
            subnormals: Subnormals::Kept,
            reassociation: Reassociation::Forbidden,
            objects: PrimaryMap::new(),
            layout: Vec::new(),
            blocks: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            values: PrimaryMap::new(),
        }
    }

    /// The parameters that the host passes arguments for.
    pub fn host_params(&self) -> &[Param] {
        let is_variables = |param: &Param| matches!(param.kind, ParamKind::Variables { .. });
        let count = self.params.iter().position(is_variables);
        &self.params[..count.unwrap_or(self.params.len())]
    }

    /// Adds an empty block at the end of the layout.
    pub fn add_block(&mut self) -> Block {
        let block = self.blocks.push(BlockData::default());
        self.layout.push(block);
        block
    }

    /// Adds a parameter to a block.
    pub fn add_block_param(&mut self, block: Block, ty: Type) -> Value {
        let at = self.blocks[block].params.len() as u32;
        let value = self.values.push(ValueNode {
            ty,
            def: ValueDef::Param(block, at),
            name: None,
        });
        self.blocks[block].params.push(value);
        value
    }

    /// Makes an instruction that is in no block yet.
    pub fn make_inst(&mut self, data: InstData, results: &[Type], loc: Loc) -> Inst {
        let inst = self.insts.push(InstNode {
            data,
            results: SmallVec::new(),
            loc,
        });
        for (at, &ty) in results.iter().enumerate() {
            let value = self.values.push(ValueNode {
                ty,
                def: ValueDef::Result(inst, at as u32),
                name: None,
            });
            self.insts[inst].results.push(value);
        }
        inst
    }

    /// Adds an instruction at the end of a block.
    pub fn append(&mut self, block: Block, data: InstData, results: &[Type], loc: Loc) -> Inst {
        let inst = self.make_inst(data, results, loc);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Adds an instruction with one result at the end of a block and returns the result.
    pub fn append_value(&mut self, block: Block, data: InstData, ty: Type, loc: Loc) -> Value {
        let inst = self.append(block, data, &[ty], loc);
        self.insts[inst].results[0]
    }

    /// The first block.
    pub fn entry(&self) -> Block {
        self.layout[0]
    }

    /// The slots that a work-item has from its start to its end: its own, then its group's. Only kernels
    /// that are laid out for a circuit have any.
    pub(crate) fn slots(&self) -> Vec<Value> {
        let insts = &self.blocks[self.entry()].insts;
        let slots = insts.iter().filter(|&&inst| self.inst(inst).is_slot());
        slots.map(|&inst| self.result(inst)).collect()
    }

    /// The blocks in layout order.
    pub fn layout(&self) -> &[Block] {
        &self.layout
    }

    /// Keeps the blocks that `keep` accepts, in their order. The entry block must stay.
    pub fn retain_blocks(&mut self, keep: impl FnMut(&Block) -> bool) {
        let entry = self.entry();
        self.layout.retain(keep);
        assert_eq!(self.layout.first(), Some(&entry), "the entry block stays");
    }

    /// A block.
    pub fn block(&self, block: Block) -> &BlockData {
        &self.blocks[block]
    }

    /// A block, to be changed. Code that changes `params` keeps the values' definitions in step with
    /// [`Kernel::set_block_params`].
    pub fn block_mut(&mut self, block: Block) -> &mut BlockData {
        &mut self.blocks[block]
    }

    /// Replaces a block's parameter list by some of its present parameters.
    pub fn set_block_params(&mut self, block: Block, params: Vec<Value>) {
        for (at, &param) in params.iter().enumerate() {
            self.values[param].def = ValueDef::Param(block, at as u32);
        }
        self.blocks[block].params = params;
    }

    /// What an instruction does.
    pub fn inst(&self, inst: Inst) -> &InstData {
        &self.insts[inst].data
    }

    /// What an instruction does, to be changed.
    pub fn inst_mut(&mut self, inst: Inst) -> &mut InstData {
        &mut self.insts[inst].data
    }

    /// An instruction's results.
    pub fn results(&self, inst: Inst) -> &[Value] {
        &self.insts[inst].results
    }

    /// The result of an instruction that has exactly one.
    pub fn result(&self, inst: Inst) -> Value {
        let [result] = self.insts[inst].results[..] else {
            panic!("{inst} has {} results", self.insts[inst].results.len());
        };
        result
    }

    /// Where an instruction comes from.
    pub fn loc(&self, inst: Inst) -> Loc {
        self.insts[inst].loc
    }

    /// A block's terminator.
    pub fn terminator(&self, block: Block) -> Inst {
        *self.blocks[block]
            .insts
            .last()
            .expect("verify: every block ends in a terminator")
    }

    /// The blocks that a block may go to, with arguments.
    pub fn successors(&self, block: Block) -> &[BlockCall] {
        self.inst(self.terminator(block)).targets()
    }

    /// A value's type.
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// Gives a value another type; the caller answers for its definition and its uses.
    pub fn set_ty(&mut self, value: Value, ty: Type) {
        self.values[value].ty = ty;
    }

    /// Where a value is defined.
    pub fn def(&self, value: Value) -> ValueDef {
        self.values[value].def
    }

    /// The instruction that defines a value, unless it is a block parameter.
    pub fn def_inst(&self, value: Value) -> Option<&InstData> {
        match self.values[value].def {
            ValueDef::Result(inst, _) => Some(self.inst(inst)),
            ValueDef::Param(..) => None,
        }
    }

    /// A value's bits, if it is a constant.
    pub fn constant(&self, value: Value) -> Option<u64> {
        match self.def_inst(value) {
            Some(InstData::Const(bits)) => Some(*bits),
            _ => None,
        }
    }

    /// A value's name in the source, if known.
    pub fn value_name(&self, value: Value) -> Option<&str> {
        self.values[value].name.as_deref()
    }

    /// Names a value. Characters other than letters, digits and `_` become `_`.
    pub fn set_value_name(&mut self, value: Value, name: &str) {
        let name: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        self.values[value].name = (!name.is_empty()).then(|| name.into());
    }

    /// Number of values ever made: the bound of [`Value`] indices.
    pub fn num_values(&self) -> usize {
        self.values.len()
    }

    /// Number of instructions in the layout.
    pub fn num_insts(&self) -> usize {
        self.layout
            .iter()
            .map(|&b| self.blocks[b].insts.len())
            .sum()
    }

    /// The instructions in layout order, with their blocks.
    pub fn insts(&self) -> impl Iterator<Item = (Block, Inst)> + '_ {
        self.layout.iter().flat_map(|&block| {
            self.blocks[block]
                .insts
                .iter()
                .map(move |&inst| (block, inst))
        })
    }

    /// Replaces every operand in the layout by what `f` makes of it.
    pub fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        for block in &self.layout {
            for &inst in &self.blocks[*block].insts {
                self.insts[inst].data.map_operands(&mut f);
            }
        }
    }

    /// Drops whatever is not in the layout and numbers blocks, instructions and values in layout
    /// order: the form that the parser makes of the printed text.
    pub fn compact(&mut self) {
        let old = std::mem::replace(self, Kernel::new(String::new()));
        let mut new = Kernel {
            name: old.name,
            files: old.files,
            params: old.params,
            variables: old.variables,
            work_group_size: old.work_group_size,
            lanes: old.lanes,
            vec_type_hint: old.vec_type_hint,
            subnormals: old.subnormals,
            reassociation: old.reassociation,
            objects: old.objects,
            ..Kernel::new(String::new())
        };
        let mut blocks: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
        let mut values: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        for &block in &old.layout {
            blocks[block] = Some(new.add_block());
        }
        for (&block, &renamed) in old.layout.iter().zip(&new.layout.clone()) {
            let data = &old.blocks[block];
            new.blocks[renamed].hints = data.hints.clone();
            for &param in &data.params {
                let value = new.add_block_param(renamed, old.values[param].ty);
                new.values[value].name.clone_from(&old.values[param].name);
                values[param] = Some(value);
            }
            for &inst in &data.insts {
                let node = &old.insts[inst];
                let types: SmallVec<[Type; 4]> =
                    node.results.iter().map(|&v| old.values[v].ty).collect();
                let copy = new.append(renamed, node.data.clone(), &types, node.loc);
                for (at, &result) in node.results.iter().enumerate() {
                    let value = new.insts[copy].results[at];
                    new.values[value].name.clone_from(&old.values[result].name);
                    values[result] = Some(value);
                }
            }
        }
        new.map_operands(|v| values[v].expect("verify: operands are defined in the layout"));
        for node in new.insts.values_mut() {
            for target in node.data.targets_mut() {
                target.block =
                    blocks[target.block].expect("verify: targets are blocks of the layout");
            }
        }
        *self = new;
    }
}

impl ObjectData {
    /// The space that the object lives in.
    pub fn space(&self) -> Space {
        match self.kind {
            ObjectKind::Buffer { space, .. } => space,
            ObjectKind::LocalArg { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::LocalPerItem { .. } => Space::Local,
            ObjectKind::StructArg { .. } | ObjectKind::Private { .. } => Space::Private,
            ObjectKind::Table { .. } => Space::Constant,
        }
    }

    /// Its size in bytes, unless that is known only at launch.
    pub fn size(&self) -> Option<u64> {
        match &self.kind {
            ObjectKind::Buffer { .. }
            | ObjectKind::LocalArg { .. }
            | ObjectKind::LocalPerItem { .. } => None,
            ObjectKind::StructArg { size, .. }
            | ObjectKind::Local { size }
            | ObjectKind::Private { size } => Some(*size),
            ObjectKind::Table { bytes } => Some(bytes.len() as u64),
        }
    }
}

impl Pointee {
    /// Size of one array element in bytes.
    pub fn bytes(&self) -> u32 {
        match self {
            Pointee::Element(element) => element.bytes(),
            Pointee::Opaque(size) => *size,
        }
    }
}

impl Element {
    /// Size in memory: three components take the room of four.
    pub fn bytes(&self) -> u32 {
        let lanes = if self.lanes == 3 { 4 } else { self.lanes };
        u32::from(lanes) * self.scalar.bytes()
    }
}

impl Scalar {
    /// The IR type that holds it.
    pub fn ty(self) -> Type {
        match self {
            Scalar::Signed(bits) | Scalar::Unsigned(bits) => Type::Int(bits),
            Scalar::Half => Type::F16,
            Scalar::Float => Type::F32,
            Scalar::Double => Type::F64,
        }
    }

    /// Size in memory.
    pub fn bytes(self) -> u32 {
        self.ty().bytes().expect("OpenCL's scalars are whole bytes")
    }
}
