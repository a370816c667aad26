//! Loop hints of the source, from the metadata of back edges.

use super::llvm::Value;
use super::metadata::Node;

/// How far the source asks to unroll a loop. LLVM's unroller does it: the kernel IR has the copies, and
/// no hints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unroll {
    /// By this factor.
    By(u32),
    /// Completely.
    Full,
    /// Not at all.
    Never,
}

/// The hint on a loop's latch.
pub fn hint(latch: Value<'_>) -> Option<Unroll> {
    let description = Node::of_instruction(latch, "llvm.loop")?;
    // The first operand is the node itself: it keeps equal descriptions of two loops apart.
    let properties = description.operands().into_iter().skip(1).flatten();
    properties.filter_map(unroll).next_back()
}

fn unroll(property: Node<'_>) -> Option<Unroll> {
    match property.operand(0)?.as_string()?.as_str() {
        "llvm.loop.unroll.enable" | "llvm.loop.unroll.full" => Some(Unroll::Full),
        "llvm.loop.unroll.disable" => Some(Unroll::Never),
        "llvm.loop.unroll.count" => {
            let count = u32::try_from(property.operand(1)?.as_int()?).ok()?;
            Some(Unroll::By(count))
        }
        _ => None,
    }
}
