//! Values that stand for others: passes note what replaces what as they go and rename operands
//! where they meet them.

use cranelift_entity::SecondaryMap;

use crate::ir::{Kernel, Value};

/// Which value replaces which.
pub(crate) struct Renaming {
    to: SecondaryMap<Value, Option<Value>>,
    is_empty: bool,
}

impl Renaming {
    /// Nothing is replaced.
    pub(crate) fn new() -> Renaming {
        Renaming {
            to: SecondaryMap::new(),
            is_empty: true,
        }
    }

    /// Whether nothing is replaced.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Notes that `new` replaces `old`. A name from the source goes on to a value
    /// without one, unless that is a constant.
    pub(crate) fn replace(&mut self, kernel: &mut Kernel, old: Value, new: Value) {
        let new = self.resolve(new);
        assert_ne!(old, new, "a value cannot replace itself");
        self.to[old] = Some(new);
        self.is_empty = false;
        if kernel.value_name(new).is_none()
            && kernel.constant(new).is_none()
            && let Some(name) = kernel.value_name(old).map(String::from)
        {
            kernel.set_value_name(new, &name);
        }
    }

    /// What stands for `value` now.
    pub(crate) fn resolve(&self, mut value: Value) -> Value {
        while let Some(next) = self.to[value] {
            value = next;
        }
        value
    }

    /// Renames every operand in the layout.
    pub(crate) fn apply(&self, kernel: &mut Kernel) {
        if !self.is_empty {
            kernel.map_operands(|value| self.resolve(value));
        }
    }
}
