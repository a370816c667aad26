//! The objects of a program that are indexed: what their elements are, how many, and where.

use std::collections::BTreeMap;

use crate::ast::*;
use crate::types::Type;

/// Something with elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    pub space: Space,
    pub element: Type,
    pub dims: Vec<u32>,
}

impl Object {
    pub fn len(&self) -> u32 {
        self.dims.iter().product()
    }
}

/// Every indexed object of a module, and every struct array's length, by name.
#[derive(Debug, Default)]
pub struct Objects {
    pub arrays: BTreeMap<Name, Object>,
    pub struct_arrays: BTreeMap<Name, u32>,
}

impl Objects {
    pub fn of(module: &Module) -> Self {
        let mut objects = Objects::default();
        for input in &module.inputs {
            objects.add(input.name, input.space, input.element, vec![input.len]);
        }
        for table in &module.tables {
            objects.add(
                table.name,
                Space::Constant,
                table.element,
                vec![table.values.len() as u32],
            );
        }
        for array in &module.local_arrays {
            objects.add(
                array.name,
                Space::Local,
                array.element,
                vec![module.group_items()],
            );
        }
        for function in &module.functions {
            for param in &function.params {
                if let ParamKind::Pointer {
                    space,
                    element,
                    len,
                } = param.of
                {
                    objects.add(param.name, space, element, vec![len]);
                }
            }
            objects.add_block(&function.body);
        }
        objects.add_block(&module.body);
        objects
    }

    fn add(&mut self, name: Name, space: Space, element: Type, dims: Vec<u32>) {
        self.arrays.insert(
            name,
            Object {
                space,
                element,
                dims,
            },
        );
    }

    fn add_block(&mut self, block: &Block) {
        for stmt in block {
            match stmt {
                Stmt::DeclareArray {
                    name,
                    element,
                    dims,
                    ..
                } => {
                    self.add(*name, Space::Private, *element, dims.clone());
                }
                Stmt::DeclareStruct {
                    name,
                    len: Some(len),
                    ..
                } => {
                    self.struct_arrays.insert(*name, *len);
                }
                Stmt::DeclarePointer {
                    name,
                    objects: [a, b],
                    ..
                } => {
                    let (a, b) = (&self.arrays[a], &self.arrays[b]);
                    let (space, element, len) = (a.space, a.element, a.len().min(b.len()));
                    self.add(*name, space, element, vec![len]);
                }
                Stmt::If {
                    then, otherwise, ..
                } => {
                    self.add_block(then);
                    self.add_block(otherwise);
                }
                Stmt::For { body, .. }
                | Stmt::While { body, .. }
                | Stmt::Exchange { body, .. }
                | Stmt::LocalTally { body, .. } => self.add_block(body),
                Stmt::Switch { arms, default, .. } => {
                    arms.iter().for_each(|arm| self.add_block(&arm.body));
                    self.add_block(default);
                }
                Stmt::Declare { .. }
                | Stmt::DeclareStruct { len: None, .. }
                | Stmt::DeclareCall { .. }
                | Stmt::Assign { .. }
                | Stmt::Update { .. }
                | Stmt::Increment { .. }
                | Stmt::CopyStruct { .. }
                | Stmt::Break
                | Stmt::Continue
                | Stmt::Return(_)
                | Stmt::Count { .. }
                | Stmt::Emit { .. } => {}
            }
        }
    }
}
