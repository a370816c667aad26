//! What the host writes before it starts a launch: values, and where objects are.

use crate::ir::{Kernel, Object, ObjectKind, ParamKind, Query};
use crate::launch::{Argument, Launch, NdRange};

/// What a constant holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LaunchValue {
    /// A lane of an argument.
    Argument {
        /// The parameter.
        param: u32,
        /// The lane of a vector, 0 for a scalar.
        lane: u8,
    },
    /// A scalar in a struct passed by value.
    Field {
        /// The parameter.
        param: u32,
        /// Where it is in the struct, in bytes.
        offset: u32,
        /// Its width.
        bits: u8,
    },
    /// The address of a buffer or of another object that the host places.
    Address(Object),
    /// The bytes of a buffer.
    Bytes(Object),
    /// The address of a further datapath's private array, see [`Placed::copies`].
    PathAddress {
        /// The array.
        object: Object,
        /// The datapath, from 1.
        path: u32,
    },
    /// A size or offset of the index space, in a dimension.
    Size(Query, u8),
    /// The same of the launch that the host is given, where the kernel's work-items are others: see
    /// [`items`](crate::items).
    Space(Query, u8),
    /// The number of work-items.
    Total,
    /// The number of work-items of a group.
    GroupSize,
    /// Each group has two to the power of this many places at barriers.
    GroupShift,
    /// How many groups a datapath may have at once.
    Resident,
    /// Each group has two to the power of this many bytes of a [local
    /// memory](crate::lower::Interface::locals).
    LocalShift(u32),
    /// The distance from the first byte of a local argument from which on accesses are out of bounds.
    LocalLimit {
        /// The argument's object.
        object: Object,
        /// What an access transfers.
        bytes: u32,
    },
}

/// An object in external memory that is no buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The object. A table's contents and a struct's bytes are there when a launch starts.
    pub object: Object,
    /// How many bytes it needs, at a multiple of a page.
    pub bytes: u64,
    /// How many such pieces there are, one behind the other: private arrays have one for each datapath,
    /// whose slots are its own.
    pub copies: u32,
}

impl Placed {
    /// The bytes of all pieces.
    pub fn total(&self) -> u64 {
        self.bytes * u64::from(self.copies)
    }
}

impl LaunchValue {
    /// Its width in bits.
    pub fn width(self, kernel: &Kernel) -> u32 {
        match self {
            LaunchValue::Argument { param, .. } => match kernel.params[param as usize].kind {
                ParamKind::Value(element) => element.scalar.ty().bits(),
                _ => unreachable!("verify: arguments are value parameters"),
            },
            LaunchValue::Field { bits, .. } => bits.into(),
            LaunchValue::Address(_)
            | LaunchValue::PathAddress { .. }
            | LaunchValue::Total
            | LaunchValue::LocalShift(_) => 64,
            LaunchValue::Size(..)
            | LaunchValue::Space(..)
            | LaunchValue::Bytes(_)
            | LaunchValue::GroupSize
            | LaunchValue::GroupShift
            | LaunchValue::Resident
            | LaunchValue::LocalLimit { .. } => 32,
        }
    }

    /// Its value, if the arguments and the sizes of a launch decide it alone. The host is given the launch of the index
    /// space `given`.
    pub(crate) fn of_launch(
        self,
        kernel: &Kernel,
        launch: &Launch,
        given: &NdRange,
    ) -> Option<u64> {
        let range = &launch.range;
        Some(match self {
            LaunchValue::Argument { param, lane } => match &launch.args[param as usize] {
                Argument::Value(lanes) => lanes[usize::from(lane)],
                _ => unreachable!("Launch::check: values go to value parameters"),
            },
            LaunchValue::Field {
                param,
                offset,
                bits,
            } => {
                let Argument::Struct(all) = &launch.args[param as usize] else {
                    unreachable!("Launch::check: structs go to struct parameters");
                };
                let (start, bytes) = (offset as usize, usize::from(bits / 8));
                let mut word = [0; 8];
                word[..bytes].copy_from_slice(&all[start..start + bytes]);
                u64::from_le_bytes(word)
            }
            LaunchValue::Size(query, dim) => size(range, query, dim.into()),
            LaunchValue::Space(query, dim) => size(given, query, dim.into()),
            LaunchValue::Total => range.work_items(),
            LaunchValue::GroupSize => range.group_size(),
            LaunchValue::LocalLimit { object, bytes } => {
                let ObjectKind::LocalArg { param } = kernel.objects[object].kind else {
                    unreachable!("only arguments are sized by the host");
                };
                let Argument::Local(all) = launch.args[param as usize] else {
                    unreachable!("Launch::check: local memory goes to local parameters");
                };
                (all + 1).saturating_sub(bytes.into())
            }
            LaunchValue::Address(_)
            | LaunchValue::Bytes(_)
            | LaunchValue::PathAddress { .. }
            | LaunchValue::GroupShift
            | LaunchValue::Resident
            | LaunchValue::LocalShift(_) => return None,
        })
    }

    /// Its name in Verilog.
    pub fn name(self, kernel: &Kernel) -> String {
        match self {
            LaunchValue::Argument { param, lane } => {
                let param = &kernel.params[param as usize];
                match param.kind {
                    ParamKind::Value(element) if element.lanes > 1 => {
                        format!("arg_{}_{lane}", param.name)
                    }
                    _ => format!("arg_{}", param.name),
                }
            }
            LaunchValue::Field {
                param,
                offset,
                bits,
            } => format!("{}_{offset}_{bits}", kernel.params[param as usize].name),
            LaunchValue::Address(object) => address_name(kernel, object),
            LaunchValue::Bytes(object) => format!("bytes_{}", kernel.objects[object].name),
            LaunchValue::PathAddress { object, path } => {
                format!("{}_path{path}", address_name(kernel, object))
            }
            LaunchValue::Size(query, dim) => format!("{query}_{dim}"),
            LaunchValue::Space(query, dim) => format!("space_{query}_{dim}"),
            LaunchValue::Total => "total".into(),
            LaunchValue::GroupSize => "group_size".into(),
            LaunchValue::GroupShift => "group_shift".into(),
            LaunchValue::Resident => "resident".into(),
            LaunchValue::LocalShift(memory) => format!("local_shift_{memory}"),
            LaunchValue::LocalLimit { object, bytes } => format!("limit_{object}_{bytes}"),
        }
    }
}

fn size(range: &NdRange, query: Query, dim: usize) -> u64 {
    match query {
        Query::GlobalSize => range.global[dim],
        Query::LocalSize => range.local[dim],
        Query::NumGroups => range.num_groups()[dim],
        Query::GlobalOffset => range.offset[dim],
        Query::WorkDim => range.dims.into(),
        Query::GlobalId | Query::LocalId | Query::GroupId | Query::ItemSlot | Query::GroupSlot => {
            unreachable!("ids and slots come with the work-item")
        }
    }
}

/// Only buffers have names that no other object has and that Verilog allows.
fn address_name(kernel: &Kernel, object: Object) -> String {
    let data = &kernel.objects[object];
    match data.kind {
        ObjectKind::Buffer { .. } => format!("base_{}", data.name),
        ObjectKind::LocalArg { .. }
        | ObjectKind::StructArg { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::LocalPerItem { .. }
        | ObjectKind::Private { .. }
        | ObjectKind::Table { .. } => format!("base_{object}"),
    }
}
