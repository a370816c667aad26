//! Private memories that read and write in the same cycle.
//!
//! A private memory has one port, which takes an access per cycle: work-items rarely need more. The iterations of a
//! loop that accesses an array several times could then not follow each other every cycle. Such a memory is built
//! like a local one. Writes there are done a few cycles later, so it is not where a load of the next few iterations
//! waits for them.

use crate::ir::{Block, Inst, Kernel};
use crate::prepare::{AliasSets, Cut, Storage};

/// The distance from which on it does not matter when a write is done.
const FAR: u64 = 8;

/// By alias set, what loops whose iterations overlap do with a private memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Ports {
    /// Whether it reads and writes in the same cycle.
    pub(super) are_two: bool,
    /// Whether a loop has several loads or several stores there.
    pub(super) are_shared: bool,
}

impl Ports {
    /// Of each alias set.
    pub(super) fn of(kernel: &Kernel, sets: &AliasSets, cut: &Cut) -> Vec<Ports> {
        let mut ports = vec![Ports::default(); sets.sets.len()];
        for body in cut.loops.iter().map(|it| it.split.body) {
            for (at, ports) in ports.iter_mut().enumerate() {
                let is_private = matches!(sets.sets[at].storage, Storage::Memory(_));
                let [loads, stores] = accesses(kernel, sets, body, at);
                ports.are_two |= is_private && loads + stores > 1;
                ports.are_shared |= loads > 1 || stores > 1;
            }
        }
        for body in cut.loops.iter().map(|it| it.split.body) {
            for wait in cut.waits(body).iter().filter(|it| it.distance < FAR) {
                let is_read = !writes(kernel, wait.sink) && writes(kernel, wait.source);
                if let Some(at) = sets.accessed(kernel.inst(wait.sink)).filter(|_| is_read) {
                    ports[at].are_two = false;
                }
            }
        }
        ports
    }
}

/// How many loads and how many stores a block has in an alias set.
fn accesses(kernel: &Kernel, sets: &AliasSets, block: Block, set: usize) -> [usize; 2] {
    let insts = kernel.block(block).insts.iter();
    let inside = insts.filter(|&&it| sets.accessed(kernel.inst(it)) == Some(set));
    let (stores, loads): (Vec<Inst>, Vec<Inst>) = inside.partition(|&&it| writes(kernel, it));
    [loads.len(), stores.len()]
}

fn writes(kernel: &Kernel, inst: Inst) -> bool {
    let effect = kernel.inst(inst).access_effect();
    effect.is_some_and(|effect| effect.writes())
}
