//! Loops: transformations that make loops fit for pipelining, and shorten what one iteration waits for in another.
//!
//! Each takes a verified kernel and the header of one of its loops, and either changes the kernel, with the same
//! results bit for bit, or says why it may not be applied. What becomes redundant is left to the
//! [passes](crate::passes).

mod accesses;
mod coalesce;
mod code;
mod first_iterations;
mod forward_stores;
mod if_convert;
mod keys;
mod one_block;
mod promote;
mod reduction;
mod region;
mod repair;
mod rotate;
mod rotate_reduction;
mod shape;
mod unroll;
mod widen;
mod window;

use std::borrow::Cow;

use thiserror::Error;

use crate::ir::{Block, Inst, Kernel, Unroll};

pub(crate) use coalesce::ENOUGH;
pub use coalesce::coalesce;
pub(crate) use code::constant;
pub use forward_stores::forward_stores;
pub use if_convert::if_convert;
pub use promote::promote_invariant_locations;
pub use rotate::rotate;
pub use rotate_reduction::{RotatedReduction, rotate_reduction};
pub use unroll::{MOST_COPIES, Unrolled, unroll};
pub use widen::widen;
pub use window::forward_recent_stores;

/// A transformation of one loop.
#[derive(Clone, Copy, Debug)]
pub struct Transformation {
    /// Its name: that of its function.
    pub name: &'static str,
    /// Applies it to the loop with a header.
    pub run: fn(&mut Kernel, Block) -> Result<(), Refused>,
}

/// Every transformation, by name, for tests and tools.
pub const TRANSFORMATIONS: &[Transformation] = &[
    Transformation {
        name: "rotate",
        run: rotate,
    },
    Transformation {
        name: "if_convert",
        run: if_convert,
    },
    Transformation {
        name: "unroll",
        run: |kernel, header| unroll(kernel, header, Unroll::By(4)).map(|_| ()),
    },
    Transformation {
        name: "unroll_full",
        run: |kernel, header| unroll(kernel, header, Unroll::Full).map(|_| ()),
    },
    Transformation {
        name: "widen",
        run: |kernel, header| match widen(kernel, header) {
            0 => Err(Refused::because("no accesses follow each other")),
            _ => Ok(()),
        },
    },
    Transformation {
        name: "coalesce",
        run: |kernel, header| coalesce(kernel, header).map(|_| ()),
    },
    Transformation {
        name: "forward_stores",
        run: forward_stores,
    },
    Transformation {
        name: "promote_invariant_locations",
        run: promote_invariant_locations,
    },
    Transformation {
        name: "forward_recent_stores",
        run: |kernel, header| forward_recent_stores(kernel, header, |_, _, _| 3),
    },
    Transformation {
        name: "rotate_reduction",
        run: |kernel, header| rotate_reduction(kernel, header, |_, _| 3).map(|_| ()),
    },
];

/// Why a transformation may not be applied to a loop.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}{}", shown(.line))]
pub struct Refused {
    /// A sentence without a full stop.
    pub reason: Cow<'static, str>,
    /// The source line of what is in the way, 0 if unknown.
    pub line: u32,
}

fn shown(line: &u32) -> String {
    match line {
        0 => String::new(),
        line => format!(" (line {line})"),
    }
}

impl Refused {
    /// A refusal that is not about one instruction.
    fn because(reason: impl Into<Cow<'static, str>>) -> Refused {
        Refused {
            reason: reason.into(),
            line: 0,
        }
    }

    /// A refusal because of an instruction.
    fn at(kernel: &Kernel, inst: Inst, reason: impl Into<Cow<'static, str>>) -> Refused {
        Refused {
            reason: reason.into(),
            line: kernel.loc(inst).line,
        }
    }
}
