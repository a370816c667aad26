//! The interpreter, through whole launches of kernels written as IR text.

mod barriers;
mod control_flow;
mod faults;
mod launches;
mod memory;
mod operations;
mod printing;
mod support;
