//! Loop hints of vendors' dialects: pragmas and attributes that clang does not know and drops.
//!
//! They are read from the text of the source. Each belongs to the loop statement that follows it, whose
//! place is also in the debug information of the loop that clang makes of it. Pragmas in included files, in
//! macros and in `_Pragma` are not seen. `#pragma unroll` and `opencl_unroll_hint` are clang's.

mod directive;
mod messages;
mod scan;

use sluice_kernel::ir::LoopHints;

use crate::diagnostics::Location;
pub(crate) use directive::Directive;
pub(crate) use messages::without_hints;
pub(crate) use scan::scan;

/// A hint and the loop that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceHint {
    /// Where the loop statement begins.
    pub place: Location,
    /// What is said about it, as in the source.
    pub directive: String,
}

/// The hints of a source, and warnings about those that are of no use, in whole lines.
pub(crate) struct Scanned {
    pub hints: Vec<SourceHint>,
    pub warnings: String,
}

/// What the hints say about the loop that begins at a place.
pub(crate) fn hints_at(
    hints: &[SourceHint],
    place: &Location,
    is_same_file: impl Fn(&str, &str) -> bool,
) -> LoopHints {
    let mut all = LoopHints::default();
    let here = hints.iter().filter(|hint| {
        let at = &hint.place;
        (at.line, at.column) == (place.line, place.column) && is_same_file(&place.file, &at.file)
    });
    for hint in here {
        // What cannot be read has been reported when the source was compiled.
        if let Ok(directive) = Directive::parse(&hint.directive) {
            directive.apply(&mut all);
        }
    }
    all
}
