//! Loop hints of the source, from the metadata of back edges.

use sluice_kernel::ir::{self, LoopHints};

use super::llvm::Value;
use super::metadata::Node;
use crate::hints::{SourceHint, hints_at};
use crate::is_same_file;

/// How far the source asks to unroll a loop. LLVM's unroller does it: the kernel IR has the copies, and
/// the hint only where it is not followed.
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

/// What the source says about the loop with this latch.
pub fn hints(latch: Value<'_>, hints: &[SourceHint]) -> LoopHints {
    let Some(description) = Node::of_instruction(latch, "llvm.loop") else {
        return LoopHints::default();
    };
    let mut places = description.operands().into_iter().skip(1).flatten();
    let place = places.find_map(Node::as_location);
    let mut found = place.map_or_else(LoopHints::default, |place| {
        hints_at(hints, &place, is_same_file)
    });
    match hint(latch) {
        Some(Unroll::Full) => found.unroll = Some(ir::Unroll::Full),
        Some(Unroll::By(factor @ 2..)) => found.unroll = Some(ir::Unroll::By(factor)),
        // LLVM may have unrolled it: several iterations of the source are one.
        Some(Unroll::Never) => found.independence.retain(|it| it.safe_length.is_none()),
        Some(Unroll::By(_)) | None => {}
    }
    found
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
