//! The blocks that values are defined in.

use cranelift_entity::SecondaryMap;

use crate::ir::{Block, Kernel, Value};

/// By value, its block.
pub(super) type Homes = SecondaryMap<Value, Option<Block>>;

/// The blocks of all values of a kernel.
pub(super) fn homes(kernel: &Kernel) -> Homes {
    let mut homes = Homes::new();
    for &block in kernel.layout() {
        let data = kernel.block(block);
        let results = data.insts.iter().flat_map(|&inst| kernel.results(inst));
        for &value in data.params.iter().chain(results) {
            homes[value] = Some(block);
        }
    }
    homes
}
