//! The names that are visible to the statement being generated.

use crate::ast::*;
use crate::objects::Object;
use crate::types::Type;

/// Whether something may be assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    ReadWrite,
    ReadOnly,
}

/// A scalar or vector.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    pub name: Name,
    pub ty: Type,
    pub access: Access,
}

/// Something with elements.
#[derive(Debug, Clone)]
pub struct Array {
    pub name: Name,
    pub object: Object,
    pub access: Access,
}

/// A struct variable, or an array of structs.
#[derive(Debug, Clone)]
pub struct StructVariable {
    pub name: Name,
    pub of: Name,
    pub fields: Vec<Type>,
    pub len: Option<u32>,
    pub access: Access,
}

/// Everything that is visible, innermost last.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    pub variables: Vec<Variable>,
    pub arrays: Vec<Array>,
    pub structs: Vec<StructVariable>,
}

/// How much was visible at the start of a block.
#[derive(Debug, Clone, Copy)]
pub struct Mark(usize, usize, usize);

impl Scope {
    pub fn mark(&self) -> Mark {
        Mark(self.variables.len(), self.arrays.len(), self.structs.len())
    }

    pub fn release(&mut self, mark: Mark) {
        self.variables.truncate(mark.0);
        self.arrays.truncate(mark.1);
        self.structs.truncate(mark.2);
    }

    /// The variables that came since.
    pub fn since(&self, mark: Mark) -> Vec<Variable> {
        self.variables[mark.0..].to_vec()
    }

    pub fn add_variable(&mut self, name: Name, ty: Type, access: Access) {
        self.variables.push(Variable { name, ty, access });
    }

    pub fn add_array(&mut self, name: Name, object: Object, access: Access) {
        self.arrays.push(Array {
            name,
            object,
            access,
        });
    }
}
