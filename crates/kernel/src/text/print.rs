//! The printer. It is total: a kernel that the verifier would refuse can be printed as well.

use std::fmt::{self, Display, Formatter};

use super::constant::print_constant;
use crate::ir::{
    Access, Block, BlockCall, Fences, Inst, InstData, Kernel, Loc, MemoryAttributes, ObjectData,
    ObjectKind, ObjectSet, Param, ParamKind, Pointee, Reassociation, Subnormals, Value, Variables,
};

impl Display for Kernel {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "kernel {:?}", self.name)?;
        for file in &self.files {
            writeln!(f, "file {file:?}")?;
        }
        let sizes = &self.work_group_size;
        for (name, size) in [("required_size", sizes.required), ("size_hint", sizes.hint)] {
            if let Some([x, y, z]) = size {
                writeln!(f, "{name} {x}, {y}, {z}")?;
            }
        }
        if let Some(lanes) = self.lanes {
            writeln!(f, "lanes {lanes}")?;
        }
        if let Some(element) = self.vec_type_hint {
            writeln!(f, "vec_type_hint {element}")?;
        }
        match self.subnormals {
            Subnormals::Kept => {}
            Subnormals::Flushed => writeln!(f, "subnormals flushed")?,
        }
        match self.reassociation {
            Reassociation::Forbidden => {}
            Reassociation::Allowed => writeln!(f, "reassociation allowed")?,
        }
        for param in &self.params {
            writeln!(f, "{param}")?;
        }
        if let Some(variables) = &self.variables {
            writeln!(f, "{variables}")?;
        }
        for (object, data) in &self.objects {
            writeln!(f, "object {object} {data}")?;
        }
        writeln!(f, "{{")?;
        for &block in self.layout() {
            print_block(self, block, f)?;
        }
        writeln!(f, "}}")
    }
}

impl Display for Param {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "param {:?} {:?}", self.name, self.type_name)?;
        let qualifiers = [
            ("const", self.qualifiers.is_const),
            ("restrict", self.qualifiers.is_restrict),
            ("volatile", self.qualifiers.is_volatile),
        ];
        for (name, _) in qualifiers.iter().filter(|(_, is_set)| *is_set) {
            write!(f, " {name}")?;
        }
        match self.kind {
            ParamKind::Value(element) => write!(f, " value {element}"),
            ParamKind::Buffer { object, pointee } => write!(f, " buffer {object} {pointee}"),
            ParamKind::Local { object, pointee } => write!(f, " local {object} {pointee}"),
            ParamKind::Struct { object } => write!(f, " struct {object}"),
            ParamKind::Variables { object } => write!(f, " variables {object}"),
        }
    }
}

impl Display for Variables {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "variables size {} x\"", self.size)?;
        let mut bytes = self.bytes.iter();
        bytes.try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str("\"")?;
        let mut pointers = self.pointers.iter();
        pointers.try_for_each(|pointer| match pointer.target {
            Some(target) => write!(f, " pointer {} {target}", pointer.at),
            None => write!(f, " pointer {}", pointer.at),
        })
    }
}

impl Display for Pointee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Pointee::Element(element) => element.fmt(f),
            Pointee::Opaque(size) => write!(f, "opaque {size}"),
        }
    }
}

impl Display for ObjectData {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} ", self.name)?;
        match &self.kind {
            ObjectKind::Buffer { param, space } => write!(f, "buffer {param} {space}")?,
            ObjectKind::LocalArg { param } => write!(f, "local_arg {param}")?,
            ObjectKind::StructArg { param, size } => write!(f, "struct_arg {param} size {size}")?,
            ObjectKind::Local { size } => write!(f, "local size {size}")?,
            ObjectKind::LocalPerItem { bytes } => write!(f, "local_per_item size {bytes}")?,
            ObjectKind::Private { size } => write!(f, "private size {size}")?,
            ObjectKind::Table { .. } => f.write_str("table")?,
        }
        write!(f, " align {}", self.align)?;
        let MemoryAttributes {
            banks,
            bank_bytes,
            location,
        } = &self.attributes;
        if let Some(banks) = banks {
            write!(f, " banks {banks}")?;
        }
        if let Some(bytes) = bank_bytes {
            write!(f, " bank_bytes {bytes}")?;
        }
        if let Some(location) = location {
            write!(f, " location {location:?}")?;
        }
        if let ObjectKind::Table { bytes } = &self.kind {
            f.write_str(" x\"")?;
            bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
            f.write_str("\"")?;
        }
        Ok(())
    }
}

fn print_block(kernel: &Kernel, block: Block, f: &mut Formatter<'_>) -> fmt::Result {
    let data = kernel.block(block);
    write!(f, "{block}")?;
    if !data.params.is_empty() {
        write!(f, "({})", Definitions(kernel, &data.params))?;
    }
    if !data.hints.is_empty() {
        write!(f, " {}", data.hints)?;
    }
    writeln!(f, ":")?;
    for &inst in &data.insts {
        writeln!(f, "  {}", display_inst(kernel, inst))?;
    }
    Ok(())
}

/// An instruction as a line of the text form, without indentation.
pub fn display_inst(kernel: &Kernel, inst: Inst) -> impl Display + '_ {
    DisplayInst { kernel, inst }
}

struct DisplayInst<'k> {
    kernel: &'k Kernel,
    inst: Inst,
}

impl Display for DisplayInst<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let DisplayInst { kernel, inst } = *self;
        let results = kernel.results(inst);
        if !results.is_empty() {
            write!(f, "{} = ", Definitions(kernel, results))?;
        }
        match (kernel.inst(inst), results) {
            (InstData::Const(bits), &[result]) => {
                write!(f, "const {}", print_constant(kernel.ty(result), *bits))?;
            }
            (data, _) => data.fmt(f)?,
        }
        match kernel.loc(inst) {
            loc if loc == Loc::default() => Ok(()),
            loc => write!(f, " {loc}"),
        }
    }
}

/// Values with their names and types, where they are defined.
struct Definitions<'k>(&'k Kernel, &'k [Value]);

impl Display for Definitions<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Definitions(kernel, values) = self;
        for (at, &value) in values.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{value}")?;
            if let Some(name) = kernel.value_name(value) {
                write!(f, ".{name}")?;
            }
            write!(f, ": {}", kernel.ty(value))?;
        }
        Ok(())
    }
}

impl Display for Loc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.file {
            0 => write!(f, "!{}:{}", self.line, self.column),
            file => write!(f, "!{file}:{}:{}", self.line, self.column),
        }
    }
}

/// The part after the results. A constant's type is its result's: here it shows as bare bits.
impl Display for InstData {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            InstData::Const(bits) => write!(f, "const {bits:#x}"),
            InstData::Arg { param, lane: 0 } => write!(f, "arg {param}"),
            InstData::Arg { param, lane } => write!(f, "arg {param}.{lane}"),
            InstData::Addr(object) => write!(f, "addr {object}"),
            InstData::Query { query, dim } => write!(f, "{query} {dim}"),
            InstData::Unary { op, arg } => write!(f, "{op} {arg}"),
            InstData::Binary { op, args } => write!(f, "{op} {}", Operands(args)),
            InstData::Elementary { op, args } => write!(f, "{op} {}", Operands(args)),
            InstData::Ternary { op, args } => write!(f, "{op} {}", Operands(args)),
            InstData::Select { cond, args } => write!(f, "select {cond}, {}", Operands(args)),
            InstData::Compare { pred, args } => write!(f, "{pred} {}", Operands(args)),
            InstData::Cast { op, arg } => write!(f, "{op} {arg}"),
            InstData::PtrAdd { base, offset } => write!(f, "ptradd {base}, {offset}"),
            InstData::InSpace { space, ptr } => write!(f, "in_space {space} {ptr}"),
            InstData::Load {
                ptr,
                access,
                objects,
                guard,
            } => {
                write!(f, "load {access} {ptr} align {} {objects}", access.align)?;
                print_guard(*guard, f)
            }
            InstData::Store {
                ptr,
                values,
                access,
                objects,
                guard,
            } => {
                write!(f, "store {access} {ptr}")?;
                values.iter().try_for_each(|value| write!(f, ", {value}"))?;
                write!(f, " align {} {objects}", access.align)?;
                print_guard(*guard, f)
            }
            InstData::AtomicRmw {
                op,
                ptr,
                value,
                objects,
                guard,
            } => {
                write!(f, "atomic {op} {ptr}, {value} {objects}")?;
                print_guard(*guard, f)
            }
            InstData::CmpXchg {
                ptr,
                expected,
                new,
                objects,
                guard,
            } => {
                write!(f, "cmpxchg {ptr}, {expected}, {new} {objects}")?;
                print_guard(*guard, f)
            }
            InstData::Barrier(fences) => print_fences("barrier", *fences, f),
            InstData::Fence(fences) => print_fences("fence", *fences, f),
            InstData::Printf { format, args } => {
                write!(f, "printf {format:?}")?;
                args.iter().try_for_each(|arg| write!(f, ", {arg}"))
            }
            InstData::Jump(target) => write!(f, "jump {target}"),
            InstData::Branch { cond, targets } => {
                write!(f, "branch {cond}, {}, {}", targets[0], targets[1])
            }
            InstData::Return => f.write_str("return"),
        }
    }
}

struct Operands<'v>(&'v [Value]);

impl Display for Operands<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        print_list(self.0, f)
    }
}

fn print_list<T: Display>(
    items: impl IntoIterator<Item = T>,
    f: &mut Formatter<'_>,
) -> fmt::Result {
    for (at, item) in items.into_iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{item}")?;
    }
    Ok(())
}

impl Display for Access {
    /// Without the alignment, which stands behind the operands.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.volatile {
            f.write_str("volatile ")?;
        }
        if let Some(unit) = self.unit {
            write!(f, "{} ", unit.name())?;
        }
        if self.lag > 0 {
            write!(f, "lag {} ", self.lag)?;
        }
        match self.lanes {
            1 => self.ty.fmt(f),
            lanes => write!(f, "{}x{lanes}", self.ty),
        }
    }
}

impl Display for ObjectSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        print_list(self.iter(), f)?;
        f.write_str("}")
    }
}

fn print_guard(guard: Option<Value>, f: &mut Formatter<'_>) -> fmt::Result {
    match guard {
        Some(guard) => write!(f, " if {guard}"),
        None => Ok(()),
    }
}

fn print_fences(name: &str, fences: Fences, f: &mut Formatter<'_>) -> fmt::Result {
    let Fences { local, global } = fences;
    f.write_str(name)?;
    f.write_str(if local { " local" } else { "" })?;
    f.write_str(if global { " global" } else { "" })
}

impl Display for BlockCall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.block)?;
        if !self.args.is_empty() {
            f.write_str("(")?;
            print_list(&self.args, f)?;
            f.write_str(")")?;
        }
        Ok(())
    }
}
