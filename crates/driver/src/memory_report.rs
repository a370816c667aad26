//! What stands between the accesses of a kernel and external memory, for people and for scripts.

use std::fmt;

use serde::Serialize;
use sluice_kernel::lower::{Interface, MemoryAccess};

/// An access of external memory.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AccessReport {
    line: u32,
    column: u32,
    /// `read`, `write` or `atomic`.
    access: String,
    /// The buffers that it may reach.
    buffer: String,
    /// What plans call it.
    memory: &'static str,
    /// What people call it.
    #[serde(skip)]
    unit: &'static str,
    /// Why that, said of the buffer.
    reason: String,
}

impl AccessReport {
    /// Those of a kernel, in the order of the source; accesses of a line with the same unit are one.
    pub(crate) fn all(interface: &Interface) -> Vec<AccessReport> {
        let mut accesses: Vec<&MemoryAccess> = interface.memory.iter().collect();
        accesses.dedup_by_key(|it| (it.loc, it.kind, it.chosen, &it.buffer));
        accesses.into_iter().map(AccessReport::of).collect()
    }

    fn of(access: &MemoryAccess) -> AccessReport {
        AccessReport {
            line: access.loc.line,
            column: access.loc.column.into(),
            access: access.kind.to_string(),
            buffer: access.buffer.clone(),
            memory: access.chosen.unit.name(),
            unit: access.chosen.unit.description(),
            reason: access.chosen.reason.to_string(),
        }
    }
}

impl fmt::Display for AccessReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AccessReport {
            line,
            access,
            buffer,
            unit,
            reason,
            ..
        } = self;
        write!(
            f,
            "line {line}: {access} of {buffer} by {unit}: it {reason}"
        )
    }
}
