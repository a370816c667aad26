//! The clock that a circuit is expected to reach, where it cannot be placed and routed.

use crate::circuit::Circuit;
use crate::target::Target;

/// An estimated clock.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// In megahertz.
    pub mhz: f64,
}

/// The clock of a circuit on a target. The steps of segments are scheduled to fit the target's
/// period, by the family's delays; no other unit has a delay of its own yet, so that this is the
/// clock of the period.
pub fn estimate(_circuit: &Circuit, target: &Target) -> Estimate {
    Estimate {
        mhz: 1000.0 / target.period,
    }
}
