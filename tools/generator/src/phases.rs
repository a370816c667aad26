//! Communication of work-items with each other and with the host: phases over local memory, atomic updates, outputs.

use crate::ast::*;
use crate::generate::{FunctionKind, Generator};
use crate::leaves::int_literal;
use crate::objects::Object;
use crate::scope::{Access, Array};
use crate::statements::{Context, Flow};
use crate::types::{Scalar, Type};

impl Generator<'_> {
    /// A phase over a local array that is not in use, where barriers may stand.
    pub fn phase(&mut self, context: Context) -> Block {
        if context.flow == Flow::Divergent || self.function_kind == FunctionKind::Function {
            return vec![];
        }
        let busy = |name| self.scope.arrays.iter().any(|array| array.name == name);
        let free: Vec<LocalArray> = self
            .module
            .local_arrays
            .iter()
            .filter(|array| !busy(array.name))
            .cloned()
            .collect();
        if free.is_empty() {
            return vec![];
        }
        let array = free[self.random.below(free.len() as u32) as usize].clone();
        vec![self.phase_over(&array, context)]
    }

    /// One phase for each local array, so that none is declared in vain.
    pub fn required_phases(&mut self, context: Context) -> Block {
        let arrays = self.module.local_arrays.clone();
        arrays
            .iter()
            .map(|array| self.phase_over(array, context))
            .collect()
    }

    fn phase_over(&mut self, array: &LocalArray, context: Context) -> Stmt {
        let LocalArray { name, element, .. } = *array;
        let tallies = matches!(element.scalar, Scalar::Int | Scalar::Uint) && !element.is_vector();
        if tallies && self.random.percent(60) {
            let (op, index) = (self.atomic_op(), self.any_index(2));
            let (start, value) = (self.constant(element), self.expr(element, 2));
            let body = self.reading(name, element, context);
            return Stmt::LocalTally {
                array: name,
                op,
                start,
                index,
                value,
                body,
            };
        }
        let value = self.expr(element, self.profile.expression_depth);
        let slot = self.random.weighted(&[(2, Slot::Own), (1, Slot::Mirrored)]);
        let body = self.reading(name, element, context);
        Stmt::Exchange {
            array: name,
            slot,
            value,
            body,
        }
    }

    /// The part of a phase in which the array may be read; it shows one element to the host.
    fn reading(&mut self, array: Name, element: Type, context: Context) -> Block {
        let mark = self.scope.mark();
        let object = Object {
            space: Space::Local,
            element,
            dims: vec![self.module.group_items()],
        };
        self.scope.add_array(array, object, Access::ReadOnly);
        let name = self.name("v");
        let load = Kind::Load {
            from: Memory::Object(array),
            index: Box::new(self.any_index(2)),
        };
        let mut body = vec![Stmt::Declare {
            name,
            ty: element,
            value: Expr {
                ty: element,
                kind: load,
            },
        }];
        self.scope.add_variable(name, element, Access::ReadWrite);
        body.push(self.emit(Expr {
            ty: element,
            kind: Kind::Read(LValue::Variable(name)),
        }));
        let nesting = context.nesting.saturating_sub(1);
        body.extend(self.block(0, 2, Context { nesting, ..context }));
        self.scope.release(mark);
        body
    }

    /// An atomic update of some tally.
    pub fn count(&mut self) -> Block {
        if self.function_kind == FunctionKind::Function || self.module.tallies.is_empty() {
            return vec![];
        }
        let chosen = self.random.below(self.module.tallies.len() as u32) as usize;
        let Tally { name, scalar, .. } = self.module.tallies[chosen];
        let (index, value) = (self.any_index(2), self.expr(Type::scalar(scalar), 2));
        vec![Stmt::Count {
            tally: name,
            index,
            value,
        }]
    }

    /// Stores `value` into a slot of its own.
    pub fn emit(&mut self, value: Expr) -> Stmt {
        // Three lanes stored as such leave a fourth undefined.
        let whole = value.ty.lanes != 3 && self.random.percent(50);
        let element = if whole { value.ty } else { value.ty.lane() };
        let taken = value.ty.lanes / element.lanes;
        if !self
            .module
            .outputs
            .iter()
            .any(|output| output.element == element)
        {
            self.module.outputs.push(Output { element, slots: 0 });
        }
        let found = self
            .module
            .outputs
            .iter_mut()
            .find(|output| output.element == element);
        let output = found.expect("it was just added where it was missing");
        let slot = output.slots;
        output.slots += taken;
        Stmt::Emit {
            element,
            slot,
            value,
        }
    }

    /// Stores an expression in the middle of the kernel.
    pub fn emit_some(&mut self) -> Block {
        if self.function_kind == FunctionKind::Function {
            return vec![];
        }
        let ty = self.any_type();
        let value = self.expr(ty, self.profile.expression_depth);
        vec![self.emit(value)]
    }

    /// Stores every variable of the kernel, so that whatever was computed can be seen.
    pub fn emit_everything(&mut self) -> Block {
        let mut values = vec![];
        for variable in self
            .scope
            .variables
            .iter()
            .filter(|variable| variable.access == Access::ReadWrite)
        {
            values.push(read(LValue::Variable(variable.name), variable.ty));
        }
        // A pointer shows nothing that its array does not.
        let is_array =
            |array: &&Array| array.object.space == Space::Private && array.name.prefix == "a";
        self.scope
            .arrays
            .iter()
            .filter(is_array)
            .for_each(|array| values.extend(some_elements(array)));
        for item in self
            .scope
            .structs
            .iter()
            .filter(|item| item.access == Access::ReadWrite)
        {
            for (field, ty) in (0..).zip(&item.fields) {
                let index = item
                    .len
                    .map(|len| Box::new(int_literal(u64::from(field % len))));
                values.push(read(
                    LValue::Field {
                        object: item.name,
                        index,
                        field,
                    },
                    *ty,
                ));
            }
        }
        if values.is_empty() {
            let ty = self.any_type();
            values.push(self.expr(ty, 2));
        }
        values.into_iter().map(|value| self.emit(value)).collect()
    }
}

fn read(lvalue: LValue, ty: Type) -> Expr {
    Expr {
        ty,
        kind: Kind::Read(lvalue),
    }
}

/// Up to four elements from all over an array.
fn some_elements(array: &Array) -> Vec<Expr> {
    let Object { element, dims, .. } = &array.object;
    let row = *dims.last().expect("an array has a dimension");
    let chosen = (0..array.object.len()).step_by(array.object.len().div_ceil(4) as usize);
    let elements = chosen.map(|flat| {
        let indices = if dims.len() == 1 {
            vec![flat]
        } else {
            vec![flat / row, flat % row]
        };
        let indices = indices
            .into_iter()
            .map(|index| int_literal(u64::from(index)))
            .collect();
        read(
            LValue::Element {
                array: array.name,
                indices,
            },
            *element,
        )
    });
    elements.collect()
}
