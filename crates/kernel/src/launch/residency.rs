//! How many work-groups a launch may have on a datapath at once, and what follows from that.

use crate::Kernel;
use crate::analysis::Ranges;
use crate::ir::{Object, ObjectKind};
use crate::launch::{Argument, Launch, LaunchError};
use crate::lower::Interface;

/// What a host tells a circuit whose work-groups synchronise.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Residency {
    /// Groups on a datapath at once.
    pub(crate) resident: u32,
    /// A group's places at barriers, as a power of two.
    pub(crate) group_shift: u32,
    /// By local memory, a group's bytes, as a power of two.
    pub(crate) local_shifts: Vec<u32>,
    /// The addresses of the local memory that is sized at launch.
    pub(crate) addresses: Vec<(Object, u64)>,
}

impl Residency {
    /// As many groups as there is room for.
    pub(crate) fn of(
        kernel: &Kernel,
        interface: &Interface,
        launch: &Launch,
    ) -> Result<Residency, LaunchError> {
        let items = launch.range.group_size();
        let most = interface.group_items;
        if items > most && most < Ranges::MOST_GROUP_ITEMS {
            return Err(LaunchError::GroupTooLarge {
                kernel: kernel.name.clone(),
                most,
                given: items,
            });
        }
        let given = launch.range.dimensions();
        if given as usize > interface.dimensions {
            return Err(LaunchError::Dimensions {
                kernel: kernel.name.clone(),
                most: interface.dimensions,
                given,
            });
        }
        let Some(limits) = interface.limits else {
            return Ok(Residency::default());
        };
        let places = items.next_power_of_two();
        let mut resident = u64::from(limits.slots).min(u64::from(limits.places) / places);
        let size = |object| local_size(kernel, launch, object);
        let mut residency = Residency {
            group_shift: places.trailing_zeros(),
            ..Residency::default()
        };
        for memory in &interface.locals {
            let bytes = memory.group_bytes(size);
            if bytes > memory.bytes {
                return Err(LaunchError::LocalTooLarge {
                    kernel: kernel.name.clone(),
                    most: memory.bytes,
                    given: bytes,
                });
            }
            resident = resident.min(memory.bytes / bytes);
            residency.local_shifts.push(bytes.trailing_zeros());
            residency.addresses.extend(memory.addresses(size));
        }
        residency.resident = resident as u32;
        Ok(residency)
    }
}

/// Bytes of an object that is sized at launch.
fn local_size(kernel: &Kernel, launch: &Launch, object: Object) -> u64 {
    let param = match kernel.objects[object].kind {
        ObjectKind::LocalArg { param } => param,
        ObjectKind::LocalPerItem { bytes } => return bytes * launch.range.group_size(),
        ObjectKind::Buffer { .. }
        | ObjectKind::StructArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::Private { .. }
        | ObjectKind::Table { .. } => unreachable!("only these are sized at launch"),
    };
    match launch.args[param as usize] {
        Argument::Local(bytes) => bytes,
        _ => unreachable!("Launch::check: local memory goes to local parameters"),
    }
}
