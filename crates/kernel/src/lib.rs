//! The kernel IR and everything that is done with it.
