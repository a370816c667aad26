//! Constants: scalars, vectors, aggregates, addresses and constant expressions as lanes.

use super::body::{Reader, one};
use super::llvm::{Shape, Value, ValueKind};
use super::refusal::{Code, Refusal};
use super::{Lanes, Result, types};

impl<'m> Reader<'m> {
    /// The lanes of a constant.
    pub fn constant_lanes(&mut self, value: Value<'m>) -> Result<Lanes> {
        match value.kind() {
            // Any value is allowed, and zero is the cheapest.
            ValueKind::Undefined | ValueKind::Null => self.zeros(value),
            ValueKind::Int if types::is_wide(value.ty()) => self.wide_constant(value),
            ValueKind::Int => {
                let ty = types::scalar(value.ty())?;
                Ok(one(self.b.constant(ty, value.int_bits())))
            }
            ValueKind::Real => {
                let ty = types::scalar(value.ty())?;
                let bits = value.as_integer_constant(ty.bits()).int_bits();
                Ok(one(self.b.constant(ty, bits)))
            }
            ValueKind::Aggregate => {
                let count = match value.ty().shape() {
                    Shape::Vector(_, count) => count,
                    Shape::Array(_, count) => count as u32,
                    Shape::Struct(fields) => fields.len() as u32,
                    Shape::Void
                    | Shape::Int(_)
                    | Shape::Half
                    | Shape::Float
                    | Shape::Double
                    | Shape::Pointer(_)
                    | Shape::Opaque(_)
                    | Shape::Other => return Err(types::unsupported(value.ty())),
                };
                let mut lanes = Lanes::new();
                for at in 0..count {
                    lanes.extend(self.constant_lanes(value.element(at))?);
                }
                Ok(lanes)
            }
            ValueKind::GlobalVariable => Ok(one(self.global_address(value)?)),
            ValueKind::Expression => {
                let opcode = value.opcode().expect("constant expressions have opcodes");
                self.read_operation(opcode, value)
            }
            ValueKind::Function => Err(Refusal::new(
                Code::UnsupportedOperation,
                format!("the address of the function `{}` is taken", value.name()),
            )
            .help("call the function directly")),
            ValueKind::Argument | ValueKind::Instruction | ValueKind::Other => Err(Refusal::new(
                Code::UnsupportedOperation,
                format!("this cannot become hardware: `{}`", value.text()),
            )),
        }
    }

    fn zeros(&mut self, value: Value<'m>) -> Result<Lanes> {
        let types = types::lanes(value.ty())?;
        Ok(types.into_iter().map(|ty| self.b.constant(ty, 0)).collect())
    }

    fn wide_constant(&mut self, value: Value<'m>) -> Result<Lanes> {
        let constant = value
            .wide_int()
            .ok_or_else(|| types::unsupported(value.ty()))?;
        let words = types::lanes(value.ty())?.into_iter().enumerate();
        Ok(words
            .map(|(at, ty)| self.b.constant(ty, (constant >> (64 * at)) as u64))
            .collect())
    }
}
