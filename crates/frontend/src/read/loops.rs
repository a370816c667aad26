//! Loop hints of the source, from the metadata of back edges.

use sluice_kernel::ir::{LoopHint, Unroll};

use super::llvm::Value;
use super::metadata::Node;

/// The hint on a loop's latch.
pub fn hint(latch: Value<'_>) -> Option<LoopHint> {
    let description = Node::of_instruction(latch, "llvm.loop")?;
    // The first operand is the node itself: it keeps equal descriptions of two loops apart.
    let properties = description.operands().into_iter().skip(1).flatten();
    let unroll = properties.filter_map(unroll).next_back()?;
    Some(LoopHint { unroll })
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
