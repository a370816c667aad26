//! Loads, stores, addresses of elements, and private memory.

use sluice_kernel::ir::{
    self, Access, BinaryOp, InstData, MemoryAttributes, MemoryUnit, ObjectData, ObjectKind,
    ObjectSet, Space, Type,
};

use super::body::{Reader, one};
use super::llvm::{self, Module, Ordering, Shape, Value};
use super::metadata::Node;
use super::refusal::{Code, Refusal};
use super::{Lanes, Result, types};
use crate::memory_choices::UNIT;

/// Accesses are at most this many lanes wide.
pub const MAX_LANES: usize = 16;

/// The address, alignment and volatility of an access.
#[derive(Clone, Copy)]
pub struct MemoryOperand {
    pub ptr: ir::Value,
    pub align: u32,
    pub volatile: bool,
    /// What the source asks for between the access and external memory.
    pub unit: Option<MemoryUnit>,
}

/// A part of a value that one access transfers.
enum Part {
    /// Lanes of a type that memory holds as it is.
    Whole { offset: u64, ty: Type, lanes: usize },
    /// Lanes whose bits are packed in a number of bytes.
    Packed {
        offset: u64,
        types: Vec<Type>,
        bytes: u64,
    },
}

/// A sum of scaled indices, and a constant, in bytes.
#[derive(Default)]
pub struct Offset<'m> {
    pub constant: i64,
    pub terms: Vec<(Value<'m>, u64)>,
}

impl<'m> Reader<'m> {
    /// A load, atomic ones included.
    pub fn read_load(&mut self, value: Value<'m>) -> Result<Lanes> {
        let operand = self.memory_operand(value, value.operand(0))?;
        if let Some(address) = self.load_address(value, operand)? {
            return Ok(one(address));
        }
        let mut lanes = Lanes::new();
        for part in self.parts(value.ty(), 0)? {
            lanes.extend(self.load_part(operand, &part));
        }
        Ok(lanes)
    }

    /// A store, atomic ones included.
    pub fn read_store(&mut self, value: Value<'m>) -> Result<Lanes> {
        let operand = self.memory_operand(value, value.operand(1))?;
        let lanes = self.lanes(value.operand(0))?;
        let mut rest = &lanes[..];
        for part in self.parts(value.operand(0).ty(), 0)? {
            let (these, others) = rest.split_at(part.lanes());
            self.store_part(operand, &part, these);
            rest = others;
        }
        Ok(Lanes::new())
    }

    fn memory_operand(&mut self, access: Value<'m>, ptr: Value<'m>) -> Result<MemoryOperand> {
        let atomic = access.ordering() != Ordering::LLVMAtomicOrderingNotAtomic;
        let ptr = self.scalar(ptr)?;
        // Local and private memory is no choice of the source.
        let is_on_chip = matches!(
            self.b.kernel.ty(ptr),
            Type::Ptr(Space::Local | Space::Private)
        );
        Ok(MemoryOperand {
            ptr,
            align: access.alignment().max(1),
            volatile: access.is_volatile() || atomic,
            unit: unit_of(access).filter(|_| !is_on_chip),
        })
    }

    /// How memory holds a value of this type.
    fn parts(&self, ty: llvm::Type<'m>, offset: u64) -> Result<Vec<Part>> {
        match ty.shape() {
            Shape::Struct(fields) => {
                let mut parts = Vec::new();
                for (at, field) in fields.into_iter().enumerate() {
                    let field_offset = self.module.field_offset(ty, at as u32);
                    parts.extend(self.parts(field, offset + field_offset)?);
                }
                Ok(parts)
            }
            Shape::Array(element, count) => {
                let mut parts = Vec::new();
                for at in 0..count {
                    let element_offset = at * self.module.size(element);
                    parts.extend(self.parts(element, offset + element_offset)?);
                }
                Ok(parts)
            }
            Shape::Void
            | Shape::Int(_)
            | Shape::Half
            | Shape::Float
            | Shape::Double
            | Shape::Pointer(_)
            | Shape::Vector(..)
            | Shape::Opaque(_)
            | Shape::Other => {
                let types = types::lanes(ty)?;
                Ok(vec![match types[0].bytes() {
                    Some(_) if types.iter().all(|&lane| lane == types[0]) => Part::Whole {
                        offset,
                        ty: types[0],
                        lanes: types.len(),
                    },
                    _ => Part::Packed {
                        offset,
                        bytes: self.module.store_size(ty),
                        types,
                    },
                }])
            }
        }
    }

    fn load_part(&mut self, operand: MemoryOperand, part: &Part) -> Lanes {
        match *part {
            Part::Whole { offset, ty, lanes } => {
                let mut loaded = Lanes::new();
                for first in (0..lanes).step_by(MAX_LANES) {
                    let count = MAX_LANES.min(lanes - first);
                    let at = offset + (first as u64) * u64::from(lane_bytes(ty));
                    loaded.extend(self.load(operand, at, ty, count));
                }
                loaded
            }
            Part::Packed {
                offset,
                ref types,
                bytes,
            } => {
                let mut words = Lanes::new();
                for (at, word) in words_of(bytes) {
                    words.extend(self.load(operand, offset + at, word, 1));
                }
                self.b.repack(&words, 0, types)
            }
        }
    }

    fn store_part(&mut self, operand: MemoryOperand, part: &Part, values: &[ir::Value]) {
        match *part {
            Part::Whole { offset, ty, .. } => {
                for (chunk, values) in values.chunks(MAX_LANES).enumerate() {
                    let first = (chunk * MAX_LANES) as u64;
                    let at = offset + first * u64::from(lane_bytes(ty));
                    self.store(operand, at, values);
                }
            }
            Part::Packed { offset, bytes, .. } => {
                let (offsets, types): (Vec<_>, Vec<_>) = words_of(bytes).into_iter().unzip();
                let words = self.b.repack(values, 0, &types);
                for (at, word) in offsets.into_iter().zip(words) {
                    self.store(operand, offset + at, &[word]);
                }
            }
        }
    }

    /// Loads up to sixteen lanes from `offset` bytes after the operand's address.
    pub fn load(&mut self, operand: MemoryOperand, offset: u64, ty: Type, lanes: usize) -> Lanes {
        let ptr = self.b.offset_constant(operand.ptr, offset as i64);
        let data = InstData::Load {
            ptr,
            access: access(operand, offset, ty, lanes),
            objects: ObjectSet::default(),
            guard: None,
        };
        self.b.values(data, &vec![ty; lanes]).into()
    }

    /// Stores up to sixteen lanes to `offset` bytes after the operand's address.
    pub fn store(&mut self, operand: MemoryOperand, offset: u64, values: &[ir::Value]) {
        let ptr = self.b.offset_constant(operand.ptr, offset as i64);
        let ty = self.b.kernel.ty(values[0]);
        self.b.effect(InstData::Store {
            ptr,
            values: values.into(),
            access: access(operand, offset, ty, values.len()),
            objects: ObjectSet::default(),
            guard: None,
        });
    }

    /// A getelementptr: the variable part of the offset first, so that neighbouring elements
    /// share it.
    pub fn read_element_pointer(&mut self, value: Value<'m>) -> Result<Lanes> {
        let offset = gep_offset(self.module, value)?;
        let bases = self.lanes(value.operand(0))?;
        let mut terms = Vec::new();
        for &(index, scale) in &offset.terms {
            terms.push((self.lanes(index)?, scale));
        }
        let count = types::lanes(value.ty())?.len();
        Ok((0..count)
            .map(|lane| {
                let of = |lanes: &Lanes| lanes.get(lane).copied().unwrap_or(lanes[0]);
                let mut moved = of(&bases);
                if let Some(sum) = self.sum_of_terms(terms.iter().map(|(t, s)| (of(t), *s))) {
                    moved = self.b.offset(moved, sum);
                }
                self.b.offset_constant(moved, offset.constant)
            })
            .collect())
    }

    fn sum_of_terms(&mut self, terms: impl Iterator<Item = (ir::Value, u64)>) -> Option<ir::Value> {
        let mut sum = None;
        for (index, scale) in terms {
            let index = self.b.resize_signed(index, Type::I64);
            let scaled = self.scale(index, scale);
            sum = Some(match sum {
                None => scaled,
                Some(sum) => self.b.binary(BinaryOp::Add, sum, scaled),
            });
        }
        sum
    }

    fn scale(&mut self, index: ir::Value, scale: u64) -> ir::Value {
        match scale {
            1 => index,
            scale if scale.is_power_of_two() => {
                let shift = u64::from(scale.trailing_zeros());
                self.b.binary_constant(BinaryOp::Shl, index, shift)
            }
            scale => self.b.binary_constant(BinaryOp::Mul, index, scale),
        }
    }

    /// A private variable that stayed in memory.
    pub fn read_alloca(&mut self, value: Value<'m>) -> Result<Lanes> {
        let name = self.names.of_memory(value);
        let Some(count) = value.operand(0).as_int() else {
            return Err(Refusal::new(
                Code::DynamicArray,
                format!("the size of the private array `{name}` is known only at run time"),
            )
            .help("give the array a constant size"));
        };
        let ty = value.allocated_type();
        let object = self.b.kernel.objects.push(ObjectData {
            name,
            kind: ObjectKind::Private {
                size: self.module.size(ty) * count as u64,
            },
            align: value.alignment().max(1),
            attributes: MemoryAttributes::default(),
        });
        let address = self.b.address(object);
        let wanted = types::scalar(value.ty())?;
        Ok(one(self.b.cast(ir::CastOp::SpaceCast, address, wanted)))
    }
}

pub fn gep_offset<'m>(module: Module<'m>, value: Value<'m>) -> Result<Offset<'m>> {
    let mut offset = Offset::default();
    let mut ty = value.gep_source();
    for (at, index) in value.operands().skip(1).enumerate() {
        let mut scale = module.size(ty);
        if at > 0 {
            match ty.shape() {
                Shape::Struct(fields) => {
                    let field = index.as_int().ok_or_else(|| types::unsupported(ty))?;
                    offset.constant += module.field_offset(ty, field as u32) as i64;
                    ty = fields[field as usize];
                    continue;
                }
                Shape::Array(element, _) | Shape::Vector(element, _) => {
                    ty = element;
                    scale = module.size(ty);
                }
                Shape::Void
                | Shape::Int(_)
                | Shape::Half
                | Shape::Float
                | Shape::Double
                | Shape::Pointer(_)
                | Shape::Opaque(_)
                | Shape::Other => return Err(types::unsupported(ty)),
            }
        }
        match index.as_int() {
            Some(index) => {
                let distance = index.wrapping_mul(scale as i64);
                offset.constant = offset.constant.wrapping_add(distance);
            }
            None => offset.terms.push((index, scale)),
        }
    }
    Ok(offset)
}

/// How far a getelementptr moves, if that is constant.
pub fn constant_offset<'m>(module: Module<'m>, value: Value<'m>) -> Option<i64> {
    let offset = gep_offset(module, value).ok()?;
    offset.terms.is_empty().then_some(offset.constant)
}

impl Part {
    fn lanes(&self) -> usize {
        match self {
            Part::Whole { lanes, .. } => *lanes,
            Part::Packed { types, .. } => types.len(),
        }
    }
}

fn lane_bytes(ty: Type) -> u32 {
    ty.bytes().expect("parts are whole bytes")
}

fn access(operand: MemoryOperand, offset: u64, ty: Type, lanes: usize) -> Access {
    Access {
        ty,
        lanes: lanes as u8,
        align: align_at(operand.align, offset),
        volatile: operand.volatile,
        unit: operand.unit,
        lag: 0,
    }
}

/// The memory unit that the source asks for.
fn unit_of(access: Value<'_>) -> Option<MemoryUnit> {
    let node = Node::of_instruction(access, UNIT)?;
    let name = node.operand(0)?.as_string()?;
    let mut units = [MemoryUnit::Cache, MemoryUnit::Stream].into_iter();
    units.find(|unit| unit.name() == name)
}

/// The alignment of the address `offset` bytes after an aligned address.
pub fn align_at(align: u32, offset: u64) -> u32 {
    match offset {
        0 => align,
        offset => align.min(1 << offset.trailing_zeros().min(31)),
    }
}

/// The fewest words that cover `bytes` bytes, with their offsets.
fn words_of(bytes: u64) -> Vec<(u64, Type)> {
    let mut words = Vec::new();
    let mut at = 0;
    for size in [8, 4, 2, 1] {
        while bytes - at >= size {
            words.push((at, Type::Int(8 * size as u8)));
            at += size;
        }
    }
    words
}
