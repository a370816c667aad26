//! Names: what the source calls the values, without what clang and LLVM add.

use std::collections::HashMap;

use super::llvm::{Opcode, Value, ValueKind};
use super::metadata::Node;

/// The source variables that a function's values hold.
pub struct Names<'m>(HashMap<Value<'m>, String>);

impl<'m> Names<'m> {
    /// Reads them from the debug information; of several variables that share a value, the first.
    pub fn of(function: Value<'m>) -> Names<'m> {
        let mut names = HashMap::new();
        for instruction in function.blocks().flat_map(|block| block.instructions()) {
            if let Some((value, name)) = debug_name(instruction) {
                names.entry(value).or_insert(name);
            }
        }
        Names(names)
    }

    /// The variable that a value is assigned to. What LLVM calls a value helps only where it merges
    /// the values of a variable: other instructions are named for what they do.
    pub fn of_value(&self, value: Value<'m>) -> Option<String> {
        let merged = || {
            let name = value.name();
            let is_variable = value.opcode() == Some(Opcode::LLVMPHI) && name.contains('.');
            is_variable.then(|| of_variable(&name))
        };
        let name = self.0.get(&value).cloned().or_else(merged);
        name.filter(|name| !name.is_empty())
    }

    /// The variable that an alloca is the memory of.
    pub fn of_memory(&self, alloca: Value<'m>) -> String {
        match self.0.get(&alloca) {
            Some(name) => name.clone(),
            None => of_variable(&alloca.name()),
        }
    }
}

/// The value and the name of a debug intrinsic that says what a variable holds or where it is.
fn debug_name(instruction: Value<'_>) -> Option<(Value<'_>, String)> {
    let is_call = instruction.opcode() == Some(Opcode::LLVMCall);
    let callee = is_call.then(|| instruction.callee()).flatten()?;
    if !matches!(
        callee.intrinsic()?.as_str(),
        "llvm.dbg.value" | "llvm.dbg.declare"
    ) {
        return None;
    }
    let arguments = instruction.arguments();
    let value = Node::of_argument(arguments[0])?.as_value()?;
    // A local variable's operand 1 is its name.
    let name = Node::of_argument(arguments[1])?.operand(1)?.as_string()?;
    (value.kind() == ValueKind::Instruction).then_some((value, name))
}

/// `sum` of `sum.013`, `x` of `x.i.i`, `sum` of `sum.0.lcssa`, nothing of `.i1`: the part before
/// the first dot is what the source says.
pub fn of_variable(name: &str) -> String {
    name.split('.').next().unwrap_or_default().to_owned()
}

/// `tile` of `kernel.tile`, `table` of `__const.kernel.table`, `str` of `.str.3`: of a global
/// variable the last part that is not a number is what the source says.
pub fn of_global(name: &str) -> String {
    name.rsplit('.')
        .find(|part| !part.is_empty() && !part.bytes().all(|byte| byte.is_ascii_digit()))
        .unwrap_or(name)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_llvm_adds_to_names_is_dropped() {
        assert_eq!(of_variable("sum.013"), "sum");
        assert_eq!(of_variable("x.i.i"), "x");
        assert_eq!(of_variable("total.0.lcssa"), "total");
        assert_eq!(of_variable(".i1"), "");
        assert_eq!(of_global("kernel.tile"), "tile");
        assert_eq!(of_global("__const.kernel.table"), "table");
        assert_eq!(of_global(".str.3"), "str");
        assert_eq!(of_global("weights"), "weights");
    }
}
