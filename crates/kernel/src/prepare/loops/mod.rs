//! Loops whose iterations overlap.
//!
//! By default a work-item goes round a loop as a token, and fills the loop's pipeline only together with
//! others. Two other ways let the iterations of a single work-item overlap:
//!
//! - **parallel**: iterations that do not depend on each other become tokens of their own. They go through
//!   the body in any order; the work-item goes on when all of them have ended.
//! - **pipelined**: iterations follow each other through the body in order. What one of them hands to the
//!   next is a state of the segment that computes it; through memory, an iteration waits for an earlier one.
//!
//! ```text
//! convert ---> loops of one block
//! choose --> LoopWays --split_control--> a block that only computes what controls the loop --cut--> Cut
//! ```
//!
//! [`choose()`] decides, [`split_control()`] gives each such loop a block of its own that computes which
//! iterations there are (kernel IR like any other), and [`cut()`] takes the loops apart for the circuit.

mod choose;
mod control;
mod convert;
mod cut;
mod estimate;
mod nests;
mod reload;
mod speculate;
mod split_control;
mod unroll;
mod window;

pub use choose::{LoopReport, Wait, WhyNot};
pub(crate) use choose::{LoopWays, Way, choose};
pub(crate) use convert::convert;
pub(crate) use cut::{Begins, Cut, CutLoop, State, cut};
pub(crate) use nests::Nests;
pub(crate) use speculate::without_exits;
pub(crate) use split_control::{SplitLoop, split_control};
