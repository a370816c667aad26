//! Calls: primitives, which are all that inlining leaves, and LLVM's intrinsics.

use sluice_kernel::ir::{BinaryOp, Fences, InstData, Predicate, Query, Space, Type};

use smallvec::SmallVec;

use super::body::{Reader, one};
use super::llvm::{Opcode, Value, ValueKind};
use super::refusal::{Code, Refusal};
use super::{Lanes, Result, names, objects, types};
use crate::primitives::Primitive;

impl<'m> Reader<'m> {
    /// A call.
    pub fn read_call(&mut self, call: Value<'m>) -> Result<Lanes> {
        let Some(callee) = call.callee() else {
            return Err(Refusal::new(
                Code::FunctionPointer,
                "a call through a pointer cannot become hardware",
            )
            .help("call the function by its name"));
        };
        if let Some(intrinsic) = callee.intrinsic() {
            return self.read_intrinsic(&intrinsic, call);
        }
        match Primitive::from_symbol(&callee.name()) {
            Some(primitive) => self.read_primitive(primitive, call),
            None => Err(Refusal::new(
                Code::UnknownFunction,
                format!("the function `{}` is called but not defined", callee.name()),
            )),
        }
    }

    fn read_primitive(&mut self, primitive: Primitive, call: Value<'m>) -> Result<Lanes> {
        match primitive {
            Primitive::GlobalId => self.read_query(Query::GlobalId, call),
            Primitive::LocalId => self.read_query(Query::LocalId, call),
            Primitive::GroupId => self.read_query(Query::GroupId, call),
            Primitive::GlobalSize => self.read_query(Query::GlobalSize, call),
            Primitive::LocalSize => self.read_query(Query::LocalSize, call),
            Primitive::NumGroups => self.read_query(Query::NumGroups, call),
            Primitive::GlobalOffset => self.read_query(Query::GlobalOffset, call),
            Primitive::WorkDim => {
                let dimensions = self.b.query(Query::WorkDim, 0);
                Ok(one(self.b.resize(dimensions, types::scalar(call.ty())?)))
            }
            Primitive::Barrier => {
                self.b.effect(InstData::Barrier(fences(call)));
                Ok(Lanes::new())
            }
            Primitive::MemFence | Primitive::ReadMemFence | Primitive::WriteMemFence => {
                self.b.effect(InstData::Fence(fences(call)));
                Ok(Lanes::new())
            }
            Primitive::Printf => self.read_printf(call),
            Primitive::MulHiU64 => {
                self.map_binary(BinaryOp::UMulHi, call.operand(0), call.operand(1))
            }
            Primitive::MulHiS64 => {
                self.map_binary(BinaryOp::SMulHi, call.operand(0), call.operand(1))
            }
            Primitive::PerItem => self.read_per_item(call),
            Primitive::InLocal => self.read_in_space(Space::Local, call),
            Primitive::InPrivate => self.read_in_space(Space::Private, call),
            Primitive::Elementary(op) => {
                let mut args = SmallVec::new();
                for argument in call.arguments() {
                    args.push(self.scalar(argument)?);
                }
                Ok(one(self.b.elementary(op, args)))
            }
        }
    }

    /// A work-item function: beyond the third dimension ids are 0 and sizes 1.
    fn read_query(&mut self, query: Query, call: Value<'m>) -> Result<Lanes> {
        let beyond = match query {
            Query::GlobalId
            | Query::LocalId
            | Query::GroupId
            | Query::GlobalOffset
            | Query::ItemSlot
            | Query::GroupSlot => 0,
            Query::GlobalSize | Query::LocalSize | Query::NumGroups | Query::WorkDim => 1,
        };
        if let Some(dim) = call.operand(0).as_int() {
            return Ok(one(match dim {
                0..=2 => self.b.query(query, dim as u8),
                _ => self.b.constant(Type::I64, beyond),
            }));
        }
        let dim = self.scalar(call.operand(0))?;
        let mut result = self.b.constant(Type::I64, beyond);
        for candidate in 0..3 {
            let here = self.b.compare_constant(Predicate::Eq, dim, candidate);
            let answer = self.b.query(query, candidate as u8);
            result = self.b.select(here, answer, result);
        }
        Ok(one(result))
    }

    fn read_in_space(&mut self, space: Space, call: Value<'m>) -> Result<Lanes> {
        let ptr = self.scalar(call.operand(0))?;
        let answer = self.b.value(InstData::InSpace { space, ptr }, Type::BOOL);
        Ok(one(self.b.resize(answer, types::scalar(call.ty())?)))
    }

    /// Local memory with a slot for each work-item: one object per slot size.
    fn read_per_item(&mut self, call: Value<'m>) -> Result<Lanes> {
        let bytes = call.operand(0).as_int().ok_or_else(|| {
            Refusal::new(
                Code::UnsupportedOperation,
                "the size of per-work-item local memory is not a constant",
            )
        })? as u64;
        let object = self.per_item_object(bytes);
        Ok(one(self.b.address(object)))
    }

    fn read_printf(&mut self, call: Value<'m>) -> Result<Lanes> {
        let arguments = call.arguments();
        let format = self.literal(arguments[0])?.ok_or_else(|| {
            Refusal::new(
                Code::PrintfFormat,
                "the format of `printf` is not a string literal",
            )
            .help("write the format in the call itself")
        })?;
        let mut args = Lanes::new();
        for &argument in &arguments[1..] {
            args.extend(self.lanes(argument)?);
        }
        self.b.effect(InstData::Printf {
            format: format.into(),
            args,
        });
        Ok(one(self.b.constant(Type::I32, 0)))
    }

    /// The text that a constant pointer points to.
    fn literal(&self, pointer: Value<'m>) -> Result<Option<String>> {
        if pointer.opcode() == Some(Opcode::LLVMAddrSpaceCast) {
            return self.literal(pointer.operand(0));
        }
        if pointer.kind() != ValueKind::GlobalVariable || !pointer.is_constant_global() {
            return Ok(None);
        }
        let name = names::of_global(&pointer.name());
        let bytes = objects::table(self.module, pointer, &name)?;
        let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
        Ok(Some(String::from_utf8_lossy(text).into_owned()))
    }
}

/// The address spaces that a barrier's or fence's flags name: both, if they are not constant.
fn fences(call: Value<'_>) -> Fences {
    let flags = call.operand(0).as_int().unwrap_or(3);
    Fences {
        local: flags & 1 != 0,
        global: flags & 2 != 0,
    }
}
