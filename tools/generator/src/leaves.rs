//! Where expressions end: variables, parts of objects, work-item functions and constants.

use crate::ast::*;
use crate::generate::{FunctionKind, Generator};
use crate::scope::{Access, Array};
use crate::types::{Scalar, Type};

impl Generator<'_> {
    /// A variable, a part of one, something that the work-item's number picks, or a constant.
    pub fn leaf(&mut self, ty: Type) -> Expr {
        if self.random.percent(20) {
            return self.constant(ty);
        }
        let exact = self.readable(ty);
        if !exact.is_empty() {
            let lvalue = exact[self.random.below(exact.len() as u32) as usize].clone();
            return Expr {
                ty,
                kind: Kind::Read(lvalue),
            };
        }
        if ty == Type::scalar(Scalar::Ulong) && self.random.percent(60) {
            return self.work_item();
        }
        let holds = |array: &&Array| array.object.element == ty && array.object.dims.len() == 1;
        let found = self
            .scope
            .arrays
            .iter()
            .rev()
            .find(holds)
            .map(|array| array.name);
        if let Some(array) = found.filter(|_| self.random.percent(60)) {
            let index = Box::new(self.work_item());
            return Expr {
                ty,
                kind: Kind::Load {
                    from: Memory::Object(array),
                    index,
                },
            };
        }
        let others: Vec<_> = self
            .scope
            .variables
            .iter()
            .filter(|other| other.ty.lanes == ty.lanes)
            .copied()
            .collect();
        if !others.is_empty() {
            let other = self.random.pick(&others);
            let read = Expr {
                ty: other.ty,
                kind: Kind::Read(LValue::Variable(other.name)),
            };
            return self.convert_to(ty, read);
        }
        if ty.is_vector() {
            let count = if ty.lanes < 4 { ty.lanes } else { 1 };
            let parts = (0..count).map(|_| self.leaf(ty.lane())).collect();
            return Expr {
                ty,
                kind: Kind::Compose(parts),
            };
        }
        let item = self.work_item();
        self.convert_to(ty, item)
    }

    /// The lvalues of exactly this type.
    fn readable(&self, ty: Type) -> Vec<LValue> {
        let mut lvalues = vec![];
        for variable in &self.scope.variables {
            if variable.ty == ty {
                lvalues.push(LValue::Variable(variable.name));
            } else if variable.ty.lane() == ty {
                lvalues.extend(
                    (0..variable.ty.lanes)
                        .step_by(3)
                        .map(|lane| LValue::Lanes(variable.name, vec![lane])),
                );
            }
        }
        for item in &self.scope.structs {
            for (field, _) in (0..).zip(&item.fields).filter(|(_, field)| **field == ty) {
                let index = item
                    .len
                    .map(|len| Box::new(int_literal(u64::from(field) % u64::from(len))));
                lvalues.push(LValue::Field {
                    object: item.name,
                    index,
                    field,
                });
            }
        }
        lvalues
    }

    fn work_item(&mut self) -> Expr {
        let query = self.random.weighted(&[
            (6, Query::GlobalId),
            (3, Query::LocalId),
            (2, Query::GroupId),
            (1, Query::GlobalSize),
            (1, Query::LocalSize),
            (1, Query::NumGroups),
            (1, Query::GlobalOffset),
        ]);
        // One dimension beyond the launch's is legal: it has one item, number zero.
        let dim = self.random.below(self.module.work_dim.min(2) + 1);
        Expr {
            ty: Type::scalar(Scalar::Ulong),
            kind: Kind::WorkItem(query, dim),
        }
    }

    /// A constant of any type.
    pub fn constant(&mut self, ty: Type) -> Expr {
        let lanes = if self.random.percent(40) { 1 } else { ty.lanes };
        let literals = (0..lanes)
            .map(|_| self.literal(ty.scalar))
            .collect::<Vec<_>>();
        if ty.is_vector() {
            Expr {
                ty,
                kind: Kind::Compose(literals),
            }
        } else {
            literals[0].clone()
        }
    }

    fn literal(&mut self, scalar: Scalar) -> Expr {
        Expr {
            ty: Type::scalar(scalar),
            kind: Kind::Literal(self.literal_bits(scalar)),
        }
    }

    /// Small numbers, the ends of the range and any bits; of floats, finite ones, some of them denormal.
    pub fn literal_bits(&mut self, scalar: Scalar) -> u64 {
        if scalar.is_float() {
            let quarter = f64::from(self.random.below(257)) / 4.0 - 32.0;
            let value = self.random.weighted(&[
                (12, quarter),
                (1, 1e30),
                (1, -3e-40),
                (1, 16777217.0),
                (1, 0.1),
            ]);
            return value.to_bits();
        }
        let ends = [
            0,
            1,
            u64::MAX,
            1 << (scalar.bits() - 1),
            (1 << (scalar.bits() - 1)) - 1,
        ];
        let bits = self.random.bits();
        let value = self
            .random
            .weighted(&[(5, bits % 17), (2, bits), (1, bits % 1000)]);
        let value = if self.random.percent(20) {
            self.random.pick(&ends)
        } else {
            value
        };
        value & (u64::MAX >> (64 - scalar.bits()))
    }

    pub fn recall(&mut self, ty: Type) -> Option<Expr> {
        if self.function_kind == FunctionKind::Function {
            return None;
        }
        let slots = self
            .module
            .outputs
            .iter()
            .find(|output| output.element == ty)?
            .slots;
        Some(Expr {
            ty,
            kind: Kind::Recall {
                slot: self.random.below(slots),
            },
        })
    }

    /// Memory whose elements are `element`: an object, or two of a kind.
    fn memory(&mut self, fits: impl Fn(&Array) -> bool, depth: u32) -> Option<Memory> {
        let fitting: Vec<Array> = self
            .scope
            .arrays
            .iter()
            .filter(|array| fits(array))
            .cloned()
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let first = &fitting[self.random.below(fitting.len() as u32) as usize];
        let same =
            |other: &&Array| other.object.space == first.object.space && other.name != first.name;
        match fitting.iter().find(same) {
            Some(second) if self.random.percent(40) => {
                let condition = self.condition(depth);
                Some(Memory::Either(
                    Box::new(condition),
                    [first.name, second.name],
                ))
            }
            _ => Some(Memory::Object(first.name)),
        }
    }

    pub fn load(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if self.random.percent(30) {
            return self.element_of_private(ty, depth);
        }
        let fits = |array: &Array| array.object.element == ty && array.object.dims.len() == 1;
        let from = self.memory(fits, depth)?;
        Some(Expr {
            ty,
            kind: Kind::Load {
                from,
                index: Box::new(self.any_index(depth)),
            },
        })
    }

    pub fn vector_load(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        if !ty.is_vector() {
            return None;
        }
        let fits = |array: &Array| {
            array.object.element == ty.lane()
                && array.object.dims.len() == 1
                && array.object.len() >= ty.lanes
        };
        let from = self.memory(fits, depth)?;
        Some(Expr {
            ty,
            kind: Kind::VectorLoad {
                from,
                index: Box::new(self.any_index(depth)),
            },
        })
    }

    /// An element of a private array or a field of a struct in an array, by a computed index.
    fn element_of_private(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        let lvalue = self.indexed_lvalue(ty, Access::ReadOnly, depth)?;
        Some(Expr {
            ty,
            kind: Kind::Read(lvalue),
        })
    }

    /// An indexed lvalue; only assignable ones if `access` requires it.
    pub fn indexed_lvalue(&mut self, ty: Type, need: Access, depth: u32) -> Option<LValue> {
        let allowed = |access| need == Access::ReadOnly || access == Access::ReadWrite;
        let mut lvalues: Vec<LValue> = vec![];
        for array in self.scope.arrays.clone() {
            if array.object.element == ty
                && array.object.space == Space::Private
                && allowed(array.access)
            {
                let indices = array
                    .object
                    .dims
                    .iter()
                    .map(|_| self.any_index(depth))
                    .collect();
                lvalues.push(LValue::Element {
                    array: array.name,
                    indices,
                });
            }
        }
        for item in self.scope.structs.clone() {
            for (field, _) in (0..)
                .zip(&item.fields)
                .filter(|(_, field)| **field == ty && allowed(item.access))
            {
                let index = item.len.map(|_| Box::new(self.any_index(depth)));
                lvalues.push(LValue::Field {
                    object: item.name,
                    index,
                    field,
                });
            }
        }
        if lvalues.is_empty() {
            return None;
        }
        let chosen = self.random.below(lvalues.len() as u32) as usize;
        Some(lvalues.swap_remove(chosen))
    }
}

/// A literal of type `int`.
pub fn int_literal(value: u64) -> Expr {
    Expr {
        ty: Type::INT,
        kind: Kind::Literal(value),
    }
}
