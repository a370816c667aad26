//! A lower bound for atomic operations that are serialised by one lock per line, as in SOFF: sixteen
//! locks per memory, each held from the request of the read to the acceptance of the write.

/// Locks of a memory.
const LOCKS: u64 = 16;

/// A line has `1 << LINE_SHIFT` bytes.
const LINE_SHIFT: u32 = 6;

/// The requesters of locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requesters {
    /// One for each operation, all from the first cycle on: a waiting operation does not block others.
    Any,
    /// One for all operations: it requests a lock per cycle, in order, and stalls until it has it.
    InOrder,
}

/// Cycles until operations on these addresses have released their locks, each held for `held` cycles.
/// Nothing else takes time, so that this is a lower bound.
pub fn least_cycles(
    addresses: impl IntoIterator<Item = u64>,
    held: u64,
    requesters: Requesters,
) -> u64 {
    let mut free_at = [0; LOCKS as usize];
    let mut asks_at = 0;
    for address in addresses {
        let lock = &mut free_at[((address >> LINE_SHIFT) % LOCKS) as usize];
        let start = asks_at.max(*lock);
        *lock = start + held;
        asks_at = match requesters {
            Requesters::Any => 0,
            Requesters::InOrder => start + 1,
        };
    }
    free_at.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_on_one_line_wait_for_each_other() {
        let addresses = || (0..10).map(|at| 64 * 16 * at + 4);
        assert_eq!(least_cycles(addresses(), 6, Requesters::Any), 60);
        assert_eq!(least_cycles(addresses(), 6, Requesters::InOrder), 60);
    }

    #[test]
    fn operations_on_different_locks_do_not_wait() {
        let addresses = || (0..16).map(|at| 64 * at);
        assert_eq!(least_cycles(addresses(), 6, Requesters::Any), 6);
        assert_eq!(least_cycles(addresses(), 6, Requesters::InOrder), 15 + 6);
    }

    #[test]
    fn a_requester_in_order_blocks_later_operations() {
        let addresses = || [0, 0, 64, 64];
        assert_eq!(least_cycles(addresses(), 6, Requesters::Any), 12);
        assert_eq!(
            least_cycles(addresses(), 6, Requesters::InOrder),
            6 + 1 + 6 + 6
        );
    }
}
