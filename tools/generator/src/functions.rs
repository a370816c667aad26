//! Functions besides the kernel, and calls of them.

use crate::ast::*;
use crate::generate::{FunctionKind, Generator};
use crate::objects::Object;
use crate::scope::{Access, Scope, StructVariable};
use crate::statements::{Context, Flow, Returns};
use crate::types::Type;

impl Generator<'_> {
    /// Adds a function that may call the earlier ones.
    pub fn function(&mut self) {
        self.scope = Scope::default();
        self.function_kind = FunctionKind::Function;
        self.see_tables();
        let effect = self
            .random
            .weighted(&[(2, Effect::Pure), (1, Effect::Writes)]);
        let params = self.params(effect);
        let result = self.any_type();
        let context = Context::top(
            self.profile.nesting.min(2),
            Flow::Divergent,
            Returns::Value(result),
        );
        let count = self.random.between(0, 2);
        let body = self.statements(count, context);
        let value = self.expr(result, 2);
        let name = self.name("f");
        self.module.functions.push(Function {
            name,
            params,
            result,
            effect,
            body,
            value,
        });
    }

    fn params(&mut self, effect: Effect) -> Vec<Param> {
        let mut params = vec![];
        for _ in 0..self.random.between(1, 3) {
            let (name, ty) = (self.name("p"), self.any_type());
            self.scope.add_variable(name, ty, Access::ReadWrite);
            params.push(Param {
                name,
                of: ParamKind::Plain(ty),
            });
        }
        if !self.module.structs.is_empty() && self.random.percent(50) {
            let chosen = self.random.below(self.module.structs.len() as u32) as usize;
            let Struct { name: of, fields } = self.module.structs[chosen].clone();
            let name = self.name("p");
            self.scope.structs.push(StructVariable {
                name,
                of,
                fields,
                len: None,
                access: Access::ReadWrite,
            });
            params.push(Param {
                name,
                of: ParamKind::Struct(of),
            });
        }
        let (space, access) = match effect {
            Effect::Writes => (Space::Private, Access::ReadWrite),
            Effect::Pure if self.random.percent(40) => (
                self.random.pick(&[Space::Private, Space::Global]),
                Access::ReadOnly,
            ),
            Effect::Pure => return params,
        };
        let (name, element, len) = (self.name("p"), self.any_type(), self.random.between(2, 4));
        self.scope.add_array(
            name,
            Object {
                space,
                element,
                dims: vec![len],
            },
            access,
        );
        params.push(Param {
            name,
            of: ParamKind::Pointer {
                space,
                element,
                len,
            },
        });
        params
    }

    /// A call of a pure function that gives `ty`, or gives something to convert.
    pub fn call(&mut self, ty: Type, depth: u32) -> Option<Expr> {
        let fits = |function: &&Function| {
            function.effect == Effect::Pure && function.result.lanes == ty.lanes
        };
        let fitting: Vec<Function> = self.module.functions.iter().filter(fits).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = &fitting[self.random.below(fitting.len() as u32) as usize];
        let args = self.arguments_for(function, depth.min(1))?;
        let call = Expr {
            ty: function.result,
            kind: Kind::Call(function.name, args),
        };
        Some(if function.result == ty {
            call
        } else {
            self.convert_to(ty, call)
        })
    }

    /// Arguments for each parameter, where there are objects that fit.
    pub fn arguments_for(&mut self, function: &Function, depth: u32) -> Option<Vec<Argument>> {
        let args = function.params.iter().map(|param| match param.of {
            ParamKind::Plain(ty) => Some(Argument::Plain(self.expr(ty, depth))),
            ParamKind::Struct(of) => {
                let fits = |item: &&StructVariable| item.of == of && item.len.is_none();
                self.scope
                    .structs
                    .iter()
                    .rev()
                    .find(fits)
                    .map(|item| Argument::Object(item.name))
            }
            ParamKind::Pointer {
                space,
                element,
                len,
            } => {
                let fitting = self.scope.arrays.iter().rev().find(|array| {
                    let object = &array.object;
                    let writable =
                        function.effect == Effect::Pure || array.access == Access::ReadWrite;
                    object.space == space
                        && object.element == element
                        && object.dims.len() == 1
                        && object.len() >= len
                        && writable
                });
                fitting.map(|array| Argument::Object(array.name))
            }
        });
        args.collect()
    }

    /// A call as a statement, with the objects that it needs declared before it where they are missing.
    pub fn call_statement(&mut self) -> Block {
        if self.module.functions.is_empty() {
            return vec![];
        }
        let chosen = self.random.below(self.module.functions.len() as u32) as usize;
        let function = self.module.functions[chosen].clone();
        let mut block = vec![];
        for param in &function.params {
            match param.of {
                ParamKind::Pointer {
                    space: Space::Private,
                    element,
                    len,
                } => {
                    let len = len + self.random.below(3);
                    block.push(self.declare_array(element, vec![len]));
                }
                ParamKind::Struct(of) => block.extend(self.declare_struct(of, None)),
                ParamKind::Plain(_) | ParamKind::Pointer { .. } => {}
            }
        }
        if let Some(args) = self.arguments_for(&function, 1) {
            let (name, ty) = (self.name("v"), function.result);
            self.scope.add_variable(name, ty, Access::ReadWrite);
            block.push(Stmt::DeclareCall {
                name,
                ty,
                function: function.name,
                args,
            });
        }
        block
    }
}
