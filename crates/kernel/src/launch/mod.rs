//! A launch: an index space, arguments, and the memory they refer to.
//!
//! Every executor of a kernel takes a [`Launch`] and a [`Memory`] and leaves its results in the
//! latter. The modules below are what launches on circuits need beside them.

mod bounds;
pub mod host;
pub mod ip_block;
mod no_end;
mod placement;
mod printed;
mod residency;
pub mod simulate;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use cranelift_entity::{PrimaryMap, entity_impl};
use sluice_circuit::shared_bytes::SharedBytes;
use smallvec::SmallVec;
use thiserror::Error;

use crate::ir::{Kernel, Param, ParamKind};
use crate::items::Space;
use crate::plan::Plan;

/// A buffer of a [`Memory`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferId(u32);
entity_impl!(BufferId, "buffer");

/// The global memory of a launch: the buffers that it may be given.
#[derive(Debug, Default)]
pub struct Memory {
    buffers: PrimaryMap<BufferId, Buffer>,
}

/// Held during an atomic operation on buffers that other threads may access at the same time. There is
/// one for all, because a buffer may be in several memories, and a part of another.
pub(crate) static ATOMICS: Mutex<()> = Mutex::new(());

/// A buffer, or a part of one: bytes that several threads may access at once. Clones are the same
/// buffer.
#[derive(Clone, Debug)]
pub struct Buffer {
    bytes: SharedBytes,
    /// Whether the host has given it, or what it is a part of, contents.
    initialised: Arc<AtomicBool>,
}

/// An index space of work-items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NdRange {
    /// Number of dimensions, 1 to 3.
    pub dims: u8,
    /// Work-items in each dimension; 1 beyond `dims`.
    pub global: [u64; 3],
    /// Work-items of a group in each dimension; divides `global`.
    pub local: [u64; 3],
    /// First global id in each dimension.
    pub offset: [u64; 3],
}

/// A kernel argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A scalar's or vector's lanes, as bits.
    Value(SmallVec<[u64; 4]>),
    /// A buffer.
    Buffer(BufferId),
    /// A null pointer for a buffer.
    Null,
    /// Local memory of this many bytes.
    Local(u64),
    /// A struct's bytes.
    Struct(Vec<u8>),
}

/// An index space with the kernel's arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// The index space.
    pub range: NdRange,
    /// One argument per kernel parameter.
    pub args: Vec<Argument>,
}

/// Why a launch does not fit its kernel.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum LaunchError {
    #[error("kernel `{kernel}` takes {expected} arguments, {given} were given")]
    ArgumentCount {
        kernel: String,
        expected: usize,
        given: usize,
    },
    #[error("argument {index} (`{type_name} {name}`) takes {expected}, not {given}")]
    ArgumentKind {
        index: usize,
        name: String,
        type_name: String,
        expected: &'static str,
        given: &'static str,
    },
    #[error("argument {index} (`{type_name} {name}`) takes {expected} bytes, not {given}")]
    StructSize {
        index: usize,
        name: String,
        type_name: String,
        expected: u64,
        given: u64,
    },
    #[error("local size {local} does not divide global size {global} in dimension {dim}")]
    LocalSize { dim: usize, local: u64, global: u64 },
    #[error("kernel `{kernel}` requires work-groups of {}, not {}", sizes(.required), sizes(.given))]
    RequiredSize {
        kernel: String,
        required: [u64; 3],
        given: [u64; 3],
    },
    #[error("a launch has at most 4294967295 work-items in each dimension, offset included")]
    TooLarge,
    #[error("a launch has at most 18446744073709551615 work-items in all, not {}", sizes(.global))]
    TooManyItems { global: [u64; 3] },
    #[error(
        "the circuit of kernel `{kernel}` has room for work-groups of {most} work-items, not {given}; build it for larger ones"
    )]
    GroupTooLarge {
        kernel: String,
        most: u64,
        given: u64,
    },
    #[error(
        "the circuit of kernel `{kernel}` is for launches of {most} dimensions, not {given}; build it for more"
    )]
    Dimensions {
        kernel: String,
        most: usize,
        given: u32,
    },
    #[error(
        "the circuit has {address_bits} bits for an address, and the launch needs addresses up to {end}; build it for \
         larger buffers"
    )]
    MemoryTooLarge { address_bits: u32, end: u64 },
    #[error(
        "the circuit of kernel `{kernel}` has {lanes} lanes, which do not divide {what} {size} in dimension 0; \
         build it with fewer"
    )]
    Lanes {
        kernel: String,
        lanes: u32,
        what: &'static str,
        size: u64,
    },
    #[error(
        "the circuit of kernel `{kernel}` has {most} bytes for a group's local memory, not {given}; build it with more"
    )]
    LocalTooLarge {
        kernel: String,
        most: u64,
        given: u64,
    },
}

fn sizes(sizes: &[u64; 3]) -> String {
    sizes.map(|size| size.to_string()).join(" x ")
}

impl NdRange {
    /// A range of `global` work-items in 1 to 3 dimensions, in groups whose size suits the kernel:
    /// what it requires or hints at, if that divides, else the largest divisors up to 64 in all.
    pub fn new(kernel: &Kernel, global: &[u64]) -> NdRange {
        let mut range = NdRange {
            dims: global.len() as u8,
            global: [1; 3],
            local: [1; 3],
            offset: [0; 3],
        };
        range.global[..global.len()].copy_from_slice(global);
        let wanted = kernel
            .work_group_size
            .required
            .or(kernel.work_group_size.hint.filter(|hint| {
                (0..3).all(|d| range.global[d].is_multiple_of(hint[d].max(1).into()))
            }));
        match wanted {
            Some(size) => range.local = size.map(u64::from),
            None => range.choose_local(),
        }
        range
    }

    fn choose_local(&mut self) {
        let mut room = 64;
        for dim in 0..3 {
            let global = self.global[dim];
            let size = (1..=room.min(global))
                .rev()
                .find(|&s| global.is_multiple_of(s));
            self.local[dim] = size.unwrap_or(1);
            room /= self.local[dim];
        }
    }

    /// Number of work-items; the largest number if [`NdRange::check_total`] refuses the range.
    pub fn work_items(&self) -> u64 {
        u64::try_from(self.exact_work_items()).unwrap_or(u64::MAX)
    }

    fn exact_work_items(&self) -> u128 {
        let sizes = self.global.iter().map(|&size| u128::from(size));
        // Sizes beyond 32 bits are refused elsewhere; what is too large stays too large.
        sizes.fold(1, u128::saturating_mul)
    }

    /// Refuses a range whose work-items cannot be counted in 64 bits.
    pub fn check_total(&self) -> Result<(), LaunchError> {
        match u64::try_from(self.exact_work_items()) {
            Ok(_) => Ok(()),
            Err(_) => Err(LaunchError::TooManyItems {
                global: self.global,
            }),
        }
    }

    /// Dimensions that a circuit needs for it: there is one work-item in those beyond.
    pub fn dimensions(&self) -> u32 {
        let others = self.global.iter().rposition(|&size| size != 1);
        others.map_or(1, |last| last as u32 + 1)
    }

    /// Number of work-items of a group.
    pub fn group_size(&self) -> u64 {
        self.local.iter().product()
    }

    /// The most lanes that tokens of the range can have: what divides its groups and its offset in
    /// dimension 0.
    pub fn most_lanes(&self) -> u32 {
        let zeros = (self.local[0] | self.offset[0]).trailing_zeros();
        1 << zeros.min(Plan::MOST_LANES.trailing_zeros())
    }

    /// The range of tokens that have this many work-items each, at most [`NdRange::most_lanes`].
    pub fn in_lanes(mut self, lanes: u32) -> NdRange {
        for sizes in [&mut self.global, &mut self.local, &mut self.offset] {
            sizes[0] /= u64::from(lanes);
        }
        self
    }

    /// Number of groups in each dimension.
    pub fn num_groups(&self) -> [u64; 3] {
        std::array::from_fn(|dim| self.global[dim] / self.local[dim])
    }
}

impl Launch {
    /// The buffers among its arguments.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> {
        self.args.iter().filter_map(|arg| match arg {
            Argument::Buffer(id) => Some(*id),
            Argument::Value(_) | Argument::Null | Argument::Local(_) | Argument::Struct(_) => None,
        })
    }

    /// The buffer of the program's variables.
    pub fn variables(&self, kernel: &Kernel) -> Option<BufferId> {
        kernel.variables.as_ref()?;
        match self.args.last()? {
            Argument::Buffer(id) => Some(*id),
            Argument::Value(_) | Argument::Null | Argument::Local(_) | Argument::Struct(_) => None,
        }
    }

    /// Gives the program's variables what they hold at first, unless an executor has done so before:
    /// the first one is at this address.
    pub(crate) fn fill_variables(&self, kernel: &Kernel, memory: &Memory, address: u64) {
        let (Some(variables), Some(id)) = (&kernel.variables, self.variables(kernel)) else {
            return;
        };
        let buffer = memory.buffer(id);
        let _turn = ATOMICS.lock().unwrap_or_else(PoisonError::into_inner);
        if !buffer.is_initialised() {
            let contents = variables.contents(address);
            let room = contents.len().min(buffer.len());
            buffer.write(0, &contents[..room]);
        }
    }

    /// Checks that the launch fits the kernel. Executors rely on it.
    pub fn check(&self, kernel: &Kernel) -> Result<(), LaunchError> {
        self.check_range(kernel)?;
        if self.args.len() != kernel.params.len() {
            return Err(LaunchError::ArgumentCount {
                kernel: kernel.name.clone(),
                expected: kernel.params.len(),
                given: self.args.len(),
            });
        }
        for (index, (param, arg)) in kernel.params.iter().zip(&self.args).enumerate() {
            check_argument(kernel, index, param, arg)?;
        }
        Ok(())
    }

    /// The launch of tokens that have this many work-items each.
    pub fn in_lanes(&self, kernel: &Kernel, lanes: u32) -> Result<Launch, LaunchError> {
        let range = self.range;
        if !range.most_lanes().is_multiple_of(lanes) {
            let (what, size) = match range.local[0].is_multiple_of(lanes.into()) {
                true => ("the offset", range.offset[0]),
                false => ("the local size", range.local[0]),
            };
            return Err(LaunchError::Lanes {
                kernel: kernel.name.clone(),
                lanes,
                what,
                size,
            });
        }
        Ok(Launch {
            range: range.in_lanes(lanes),
            args: self.args.clone(),
        })
    }

    /// The launch of a kernel whose work-items are iterations, if the kernel is built for its index space.
    pub(crate) fn in_loops(&self, kernel: &Kernel, space: &Space) -> Result<Launch, LaunchError> {
        let range = &self.range;
        let (given, most) = (range.group_size(), space.items);
        if given > most && space.limits_groups() {
            return Err(LaunchError::GroupTooLarge {
                kernel: kernel.name.clone(),
                most,
                given,
            });
        }
        let (given, most) = (range.dimensions(), space.dimensions);
        if given as usize > most {
            return Err(LaunchError::Dimensions {
                kernel: kernel.name.clone(),
                most,
                given,
            });
        }
        Ok(Launch {
            range: space.form.range(range),
            args: self.args.clone(),
        })
    }

    fn check_range(&self, kernel: &Kernel) -> Result<(), LaunchError> {
        let range = &self.range;
        for dim in 0..3 {
            let (local, global) = (range.local[dim], range.global[dim]);
            if local == 0 || !global.is_multiple_of(local) {
                return Err(LaunchError::LocalSize { dim, local, global });
            }
            let end = global.checked_add(range.offset[dim]);
            if end.is_none_or(|end| end > u32::MAX.into()) {
                return Err(LaunchError::TooLarge);
            }
        }
        range.check_total()?;
        match kernel.work_group_size.required {
            Some(required) if required.map(u64::from) != range.local => {
                Err(LaunchError::RequiredSize {
                    kernel: kernel.name.clone(),
                    required: required.map(u64::from),
                    given: range.local,
                })
            }
            _ => Ok(()),
        }
    }
}

fn check_argument(
    kernel: &Kernel,
    index: usize,
    param: &Param,
    arg: &Argument,
) -> Result<(), LaunchError> {
    let fits = match (&param.kind, arg) {
        (ParamKind::Value(element), Argument::Value(lanes)) => {
            lanes.len() == usize::from(element.lanes)
        }
        (ParamKind::Struct { object }, Argument::Struct(bytes)) => {
            let expected = kernel.objects[*object].size().unwrap_or_default();
            if bytes.len() as u64 != expected {
                return Err(LaunchError::StructSize {
                    index,
                    name: param.name.clone(),
                    type_name: param.type_name.clone(),
                    expected,
                    given: bytes.len() as u64,
                });
            }
            true
        }
        (ParamKind::Buffer { .. }, Argument::Buffer(_) | Argument::Null)
        | (ParamKind::Variables { .. }, Argument::Buffer(_))
        | (ParamKind::Local { .. }, Argument::Local(_)) => true,
        _ => false,
    };
    if fits {
        return Ok(());
    }
    Err(LaunchError::ArgumentKind {
        index,
        name: param.name.clone(),
        type_name: param.type_name.clone(),
        expected: match param.kind {
            ParamKind::Value(_) => "a value",
            ParamKind::Buffer { .. } => "a buffer",
            ParamKind::Local { .. } => "local memory",
            ParamKind::Struct { .. } => "a struct",
            ParamKind::Variables { .. } => "the program's variables",
        },
        given: match arg {
            Argument::Value(_) => "a value",
            Argument::Buffer(_) => "a buffer",
            Argument::Null => "a null pointer",
            Argument::Local(_) => "local memory",
            Argument::Struct(_) => "a struct",
        },
    })
}

impl Memory {
    /// Memory without buffers.
    pub fn new() -> Memory {
        Memory::default()
    }

    /// Adds a buffer.
    pub fn add(&mut self, buffer: Buffer) -> BufferId {
        self.buffers.push(buffer)
    }

    /// A buffer.
    pub fn buffer(&self, id: BufferId) -> &Buffer {
        &self.buffers[id]
    }

    /// Whether two buffers are the same or have bytes in common.
    pub fn overlap(&self, a: BufferId, b: BufferId) -> bool {
        a == b || self.buffers[a].overlaps(&self.buffers[b])
    }

    /// A copy of all buffers, by the same ids. Parts of one buffer are parts of one buffer in the
    /// copy, so that what overlaps still does.
    pub fn duplicate(&self) -> Memory {
        let mut wholes: Vec<(SharedBytes, &Buffer)> = Vec::new();
        for buffer in self.buffers.values() {
            let joined = wholes.iter_mut().find_map(|(whole, _)| {
                let hull = whole.hull(&buffer.bytes)?;
                *whole = hull;
                Some(())
            });
            if joined.is_none() {
                wholes.push((buffer.bytes.clone(), buffer));
            }
        }
        let copies: Vec<(SharedBytes, Buffer)> = wholes
            .into_iter()
            .map(|(whole, buffer)| {
                let copy = Buffer {
                    bytes: SharedBytes::zeroed(whole.len()),
                    initialised: Arc::new(AtomicBool::new(buffer.is_initialised())),
                };
                copy.bytes.copy(0, &whole, 0, whole.len());
                (whole, copy)
            })
            .collect();
        let part = |buffer: &Buffer| {
            let mut copies = copies.iter();
            let found = copies.find(|(whole, _)| whole.hull(&buffer.bytes).is_some());
            let (whole, copy) = found.expect("each buffer is a part of a whole");
            copy.part(buffer.bytes.offset_in(whole), buffer.len())
        };
        Memory {
            buffers: self.buffers.values().map(part).collect(),
        }
    }

    /// All buffers.
    pub fn buffers(&self) -> impl Iterator<Item = (BufferId, &Buffer)> {
        self.buffers.iter()
    }
}

impl Buffer {
    /// A buffer with the given contents.
    pub fn from_bytes(bytes: &[u8]) -> Buffer {
        Buffer {
            bytes: SharedBytes::new(bytes),
            initialised: Arc::new(AtomicBool::new(true)),
        }
    }

    /// A buffer of zeros that counts as never written by the host.
    pub fn uninitialised(len: usize) -> Buffer {
        Buffer {
            bytes: SharedBytes::zeroed(len),
            initialised: Arc::new(AtomicBool::new(false)),
        }
    }

    /// As [`Buffer::uninitialised`], in memory that the caller has allocated and zeroed:
    /// [`SharedBytes::words_for`] says how much.
    pub fn in_words(words: Box<[AtomicU32]>, len: usize) -> Buffer {
        Buffer {
            bytes: SharedBytes::in_words(words, len),
            initialised: Arc::new(AtomicBool::new(false)),
        }
    }

    /// A part of the buffer, from a multiple of 4 bytes on: what is written to one is in the other.
    pub fn part(&self, offset: usize, len: usize) -> Buffer {
        Buffer {
            bytes: self.bytes.part(offset, len),
            initialised: Arc::clone(&self.initialised),
        }
    }

    /// Whether some byte belongs to both.
    pub fn overlaps(&self, other: &Buffer) -> bool {
        self.bytes.overlaps(&other.bytes)
    }

    /// Whether the host has given it contents. Reading from one without is reported on request.
    pub fn is_initialised(&self) -> bool {
        self.initialised.load(Relaxed)
    }

    /// From now on the buffer, and what it is a part of, counts as having contents: something has
    /// written to it by other means than these functions.
    pub fn mark_initialised(&self) {
        self.initialised.store(true, Relaxed);
    }

    /// Its contents.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len()];
        self.read(0, &mut bytes);
        bytes
    }

    /// Copies bytes out.
    pub fn read(&self, offset: usize, bytes: &mut [u8]) {
        self.bytes.read(offset, bytes);
    }

    /// Copies bytes in.
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        self.bytes.write(offset, bytes);
        self.mark_initialised();
    }

    /// Writes a pattern again and again, the last time as much of it as there is room for.
    pub fn fill(&self, offset: usize, len: usize, pattern: &[u8]) {
        self.bytes.fill(offset, len, pattern);
        self.mark_initialised();
    }

    /// Copies `len` bytes that begin at byte `source` of `from` to byte `offset` on. They may
    /// overlap. Contents that were not written stay so.
    pub fn copy(&self, offset: usize, from: &Buffer, source: usize, len: usize) {
        self.bytes.copy(offset, &from.bytes, source, len);
        if from.is_initialised() {
            self.mark_initialised();
        }
    }

    /// Where the first byte is, for accesses to the buffer as plain memory: at a multiple of
    /// 128 if it is no part of another.
    pub fn as_mut_ptr(&self) -> *mut u8 {
        self.bytes.as_mut_ptr()
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Its little-endian words; bytes beyond [`Buffer::len`] are not part of the buffer.
    pub fn words(&self) -> &[AtomicU32] {
        self.bytes.words()
    }

    /// Its bytes, for the model of external memory.
    pub fn bytes(&self) -> &SharedBytes {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(global: [u64; 3]) -> NdRange {
        NdRange {
            dims: 3,
            global,
            local: [1; 3],
            offset: [0; 3],
        }
    }

    #[test]
    fn work_items_that_64_bits_cannot_count_are_refused() {
        let launch = |global| Launch {
            range: range(global),
            args: Vec::new(),
        };
        let kernel = Kernel::new("k");
        let most = u64::from(u32::MAX);
        assert_eq!(launch([most, most, 1]).check(&kernel), Ok(()));
        assert_eq!(launch([most, most, 0]).check(&kernel), Ok(()));
        for global in [
            [1 << 31, 1 << 31, 4],
            [1 << 22, 1 << 21, 1 << 21],
            [most; 3],
        ] {
            let refused = launch(global).check(&kernel);
            assert_eq!(refused, Err(LaunchError::TooManyItems { global }));
            assert_eq!(range(global).work_items(), u64::MAX);
        }
        let text = LaunchError::TooManyItems {
            global: [1 << 31, 1 << 31, 4],
        };
        assert_eq!(
            text.to_string(),
            "a launch has at most 18446744073709551615 work-items in all, not 2147483648 x 2147483648 x 4"
        );
    }

    #[test]
    fn a_copy_of_memory_overlaps_as_the_memory_does() {
        let mut memory = Memory::new();
        let whole = Buffer::from_bytes(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
        let high = memory.add(whole.part(4, 8));
        let other = memory.add(Buffer::uninitialised(3));
        let low = memory.add(whole.part(0, 8));
        let copy = memory.duplicate();
        assert_eq!(copy.buffer(high).to_bytes(), [5, 6, 7, 8, 9, 10, 11, 12]);
        assert_eq!(copy.buffer(low).to_bytes(), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(copy.overlap(low, high) && !copy.overlap(low, other));
        assert!(copy.buffer(low).is_initialised() && !copy.buffer(other).is_initialised());
        copy.buffer(low).write(4, &[0; 4]);
        assert_eq!(copy.buffer(high).to_bytes(), [0, 0, 0, 0, 9, 10, 11, 12]);
        assert_eq!(memory.buffer(high).to_bytes(), [5, 6, 7, 8, 9, 10, 11, 12]);
    }
}
