//! The tree that is generated, printed and shrunk.
//!
//! Every operator here is total: an index is reduced into its object, a divisor is never zero, signed
//! arithmetic wraps, a float is clamped before it becomes an integer. The printer spells each with the
//! guard that OpenCL C needs, so replacing any expression by another of its type keeps the program valid.

use crate::types::{Scalar, Type};

/// A name of the program; numbers are never used twice, so names need no scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The prefix, by the kind of what is named.
    pub prefix: &'static str,
    /// Makes it unique.
    pub number: u32,
}

/// A kernel with everything it needs, and its launch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Module {
    pub work_dim: u32,
    pub local: [u32; 3],
    pub groups: [u32; 3],
    pub offset: [u32; 3],
    pub structs: Vec<Struct>,
    pub tables: Vec<Table>,
    pub functions: Vec<Function>,
    pub inputs: Vec<Input>,
    pub values: Vec<ValueArg>,
    pub local_arrays: Vec<LocalArray>,
    pub tallies: Vec<Tally>,
    pub outputs: Vec<Output>,
    pub body: Block,
}

impl Module {
    /// Work-items of one work-group.
    pub fn group_items(&self) -> u32 {
        self.local.iter().product()
    }

    /// Work-items of the launch.
    pub fn items(&self) -> u32 {
        self.group_items() * self.groups.iter().product::<u32>()
    }
}

/// A struct type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Struct {
    pub name: Name,
    pub fields: Vec<Type>,
}

/// A table in constant memory, at program scope.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Table {
    pub name: Name,
    pub element: Type,
    /// One literal per element.
    pub values: Vec<Expr>,
}

/// A buffer that is only read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Input {
    pub name: Name,
    pub space: Space,
    pub element: Type,
    pub len: u32,
    pub bytes: Vec<u8>,
    /// The earlier input, of the same type and length, whose buffer this argument shares.
    pub shares: Option<Name>,
}

/// An argument passed by value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ValueArg {
    pub name: Name,
    pub of: ValueKind,
    pub bytes: Vec<u8>,
}

/// What can be passed by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ValueKind {
    Plain(Type),
    Struct(Name),
}

/// Local memory with one element per work-item of the group.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct LocalArray {
    pub name: Name,
    pub element: Type,
    pub storage: LocalStorage,
}

/// Where local memory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LocalStorage {
    Declared,
    Argument,
}

/// A buffer that all work-items update with one commutative atomic operation.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Tally {
    pub name: Name,
    pub scalar: Scalar,
    pub op: AtomicOp,
    pub len: u32,
}

/// Commutative atomic operations whose order cannot be seen when their result is unused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Add,
    Sub,
    Inc,
    Dec,
    Min,
    Max,
    And,
    Or,
    Xor,
}

/// A buffer of which each work-item owns `slots` elements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Output {
    pub element: Type,
    pub slots: u32,
}

/// A function that the kernel calls.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Function {
    pub name: Name,
    pub params: Vec<Param>,
    pub result: Type,
    pub effect: Effect,
    pub body: Block,
    pub value: Expr,
}

/// Whether a function writes through its pointers: then it is called as a statement only,
/// because C does not order the operands of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Effect {
    Pure,
    Writes,
}

/// A function's parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Param {
    pub name: Name,
    pub of: ParamKind,
}

/// What a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ParamKind {
    Plain(Type),
    Struct(Name),
    /// A pointer to at least `len` elements.
    Pointer {
        space: Space,
        element: Type,
        len: u32,
    },
}

/// An address space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Space {
    Private,
    Local,
    Global,
    Constant,
}

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Stmt {
    Declare {
        name: Name,
        ty: Type,
        /// Of the same type, or another integer scalar that C converts.
        value: Expr,
    },
    /// A private array of one or two dimensions with all its elements.
    DeclareArray {
        name: Name,
        element: Type,
        dims: Vec<u32>,
        values: Vec<Expr>,
    },
    /// A struct variable, or an array of structs, with all its fields.
    DeclareStruct {
        name: Name,
        of: Name,
        len: Option<u32>,
        rows: Vec<Vec<Expr>>,
    },
    /// A pointer to one of two objects of the same space and element.
    DeclarePointer {
        name: Name,
        condition: Expr,
        objects: [Name; 2],
    },
    /// Declares a variable as the result of a function that may write through its pointers.
    DeclareCall {
        name: Name,
        ty: Type,
        function: Name,
        args: Vec<Argument>,
    },
    Assign {
        to: LValue,
        value: Expr,
    },
    /// `to op= value`
    Update {
        to: LValue,
        op: BinaryOp,
        value: Expr,
    },
    Increment {
        variable: Name,
        ty: Type,
    },
    CopyStruct {
        to: Name,
        from: Name,
    },
    If {
        condition: Expr,
        then: Block,
        otherwise: Block,
    },
    For {
        counter: Name,
        order: Order,
        bound: Expr,
        /// A power of two that the trip count stays below.
        limit: u32,
        body: Block,
    },
    While {
        fuel: Name,
        limit: u32,
        test: Test,
        condition: Expr,
        body: Block,
    },
    Switch {
        on: Expr,
        arms: Vec<Arm>,
        default: Block,
    },
    Break,
    Continue,
    Return(Option<Expr>),
    /// Each work-item writes its element of a local array; after a barrier `body` reads any element.
    Exchange {
        array: Name,
        slot: Slot,
        value: Expr,
        body: Block,
    },
    /// A local array is set to `start`, updated atomically at any index, and read by `body`.
    LocalTally {
        array: Name,
        op: AtomicOp,
        start: Expr,
        index: Expr,
        value: Expr,
        body: Block,
    },
    /// An atomic update of a [`Tally`].
    Count {
        tally: Name,
        index: Expr,
        value: Expr,
    },
    /// Stores a value into the work-item's own part of the output whose elements are `element`:
    /// the value's type, or its lanes'.
    Emit {
        element: Type,
        slot: u32,
        value: Expr,
    },
}

/// How a counted loop counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Order {
    Up,
    UpByTwo,
    Down,
}

/// Where a loop with a condition tests it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Test {
    Before,
    After,
}

/// Which element of a local array a work-item writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Slot {
    Own,
    Mirrored,
}

/// One arm of a switch.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Arm {
    pub labels: Vec<u32>,
    pub body: Block,
    pub end: ArmEnd,
}

/// How an arm ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ArmEnd {
    Break,
    FallThrough,
}

/// A private variable, or a part of one, that can be read and written.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LValue {
    Variable(Name),
    /// Distinct lanes of a vector variable.
    Lanes(Name, Vec<u32>),
    Element {
        array: Name,
        indices: Vec<Expr>,
    },
    Field {
        object: Name,
        index: Option<Box<Expr>>,
        field: u32,
    },
}

/// An expression with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Expr {
    pub ty: Type,
    pub kind: Kind,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    /// A scalar: an integer's bits, or the bits of a double.
    Literal(u64),
    Read(LValue),
    WorkItem(Query, u32),
    /// One element of memory that no work-item writes at this point.
    Load {
        from: Memory,
        index: Box<Expr>,
    },
    /// `vloadN`
    VectorLoad {
        from: Memory,
        index: Box<Expr>,
    },
    /// An element of the work-item's own part of the output of this element type.
    Recall {
        slot: u32,
    },
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<[Expr; 2]>),
    Compare(CompareOp, Box<[Expr; 2]>),
    Logic(LogicOp, Box<[Expr; 2]>),
    /// `condition ? a : b`: a scalar condition, or one lane per lane.
    Choose(Box<[Expr; 3]>),
    Builtin(Builtin, Vec<Expr>),
    Convert(Conversion, Box<Expr>),
    /// `as_T`
    Reinterpret(Box<Expr>),
    Swizzle(Box<Expr>, Vec<u32>),
    /// `(T)(a, b, ...)`; a single scalar fills every lane.
    Compose(Vec<Expr>),
    Call(Name, Vec<Argument>),
}

/// An argument of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Argument {
    Plain(Expr),
    Object(Name),
}

/// Memory that is read: an object, or one of two of the same space and element.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Memory {
    Object(Name),
    Either(Box<Expr>, [Name; 2]),
}

/// A work-item function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Query {
    GlobalId,
    LocalId,
    GroupId,
    GlobalSize,
    LocalSize,
    NumGroups,
    GlobalOffset,
}

/// An operator with one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum UnaryOp {
    Negate,
    Complement,
    Not,
}

/// An operator with two operands and a result of their common type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// The same on operands made so small that the plain signed operator cannot overflow.
    SmallAdd,
    SmallSub,
    SmallMul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    /// Shifts with an amount that the program itself reduces.
    MaskedShl,
    MaskedShr,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum CompareOp {
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A logical connective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LogicOp {
    And,
    Or,
}

/// How a conversion is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Conversion {
    /// `(T)x`, of scalars.
    Cast,
    /// `convert_T(x)`
    Plain,
    /// `convert_T_sat(x)`, between integers.
    Saturate,
    /// `convert_T_rte(x)` and its like, from float to integer.
    Round(Rounding),
}

/// A rounding mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Rounding {
    Nearest,
    Zero,
    Up,
    Down,
}

/// A built-in function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Builtin {
    Min,
    Max,
    Clamp,
    Abs,
    AbsDiff,
    AddSat,
    SubSat,
    MadSat,
    Hadd,
    Rhadd,
    MulHi,
    MadHi,
    Mul24,
    Mad24,
    Clz,
    Popcount,
    Rotate,
    Upsample,
    Select,
    Bitselect,
    Any,
    All,
    Shuffle,
    Shuffle2,
    Fma,
    Fabs,
    Floor,
    Ceil,
    Trunc,
    Rint,
    Round,
    Sqrt,
    Fmin,
    Fmax,
    Copysign,
    Isnan,
    Isinf,
    Isfinite,
    Isequal,
    Isnotequal,
    Isgreater,
    Isless,
    Islessequal,
    /// A function of that name, of floats, whose last bits are the implementation's own.
    Elementary(&'static str),
}
