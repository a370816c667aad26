//! Names: what the source calls the values, without what clang and LLVM add.

use std::collections::HashMap;

use super::llvm::{Value, ValueKind};
use super::metadata::Node;

/// The source variables that a function's values hold.
pub struct Names<'m>(HashMap<Value<'m>, String>);

impl<'m> Names<'m> {
    /// Reads them from the debug information; of several variables that share a value, the first.
    pub fn of(function: Value<'m>) -> Names<'m> {
        let mut names = HashMap::new();
        for instruction in function.blocks().flat_map(|block| block.instructions()) {
            if let Some((value, name)) = debug_value(instruction) {
                names.entry(value).or_insert(name);
            }
        }
        Names(names)
    }

    /// The name of a value: the variable that it is assigned to, else what LLVM calls it.
    pub fn of_value(&self, value: Value<'m>) -> Option<String> {
        let name = match self.0.get(&value) {
            Some(name) => name.clone(),
            None => of_variable(&value.name()),
        };
        (!name.is_empty()).then_some(name)
    }
}

fn debug_value(instruction: Value<'_>) -> Option<(Value<'_>, String)> {
    use super::llvm::Opcode;
    if instruction.opcode() != Some(Opcode::LLVMCall)
        || instruction.callee()?.name() != "llvm.dbg.value"
    {
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
