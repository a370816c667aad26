//! Error codes as values.

use opencl_sys::{CL_OUT_OF_RESOURCES, cl_int};

/// The code that an entry point answers with; negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Code(pub(crate) cl_int);

/// What an entry point computes, or why it does not.
pub(crate) type Answer<T = ()> = Result<T, Code>;

impl Code {
    /// The device cannot do it, or has failed at it.
    pub(crate) const RESOURCES: Code = Code(CL_OUT_OF_RESOURCES);
}

/// The code, unless the condition holds.
pub(crate) fn require(holds: bool, otherwise: cl_int) -> Answer {
    match holds {
        true => Ok(()),
        false => Err(Code(otherwise)),
    }
}
