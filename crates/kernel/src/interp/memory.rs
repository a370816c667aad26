//! Regions: the memories that pointers lead to.
//!
//! A pointer holds the region's number plus one in its upper 24 bits and the byte offset in its
//! lower 40, so null is 0 and arithmetic that leaves an object is noticed. Parameters that are
//! given the same buffer share a region; parts of a buffer are regions of their own, whose words may
//! be the same.

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::{
    Kernel,
    ir::{Object, ObjectData, ObjectKind, ObjectSet, ParamKind},
    launch::{Argument, Buffer, BufferId, Launch, Memory},
};

use super::{lanes::Register, program::Program};

/// Bits of a pointer that are its offset.
const OFFSET_BITS: u32 = 40;

/// Distance between the addresses of one region and the next.
pub(super) const STRIDE: u64 = 1 << OFFSET_BITS;

/// The address of the first byte of a pointer's region.
#[inline(always)]
pub(super) fn base_of(pointer: u64) -> u64 {
    pointer & !(STRIDE - 1)
}

/// Memory that pointers lead to.
#[derive(Clone, Copy)]
pub(super) struct Region<'a> {
    pub storage: Storage<'a>,
    /// Size in bytes.
    pub len: u64,
    /// The first object that it stands for.
    pub object: Object,
    /// Whether the host has given it contents.
    pub initialised: bool,
}

/// Where the bytes of a region are.
#[derive(Clone, Copy)]
pub(super) enum Storage<'a> {
    /// Words that every work-item of the group sees.
    Shared(&'a [AtomicU32]),
    /// The same, not to be written.
    ReadOnly(&'a [AtomicU32]),
    /// A strip's private memory, from this word of each lane's on.
    Private(u64),
}

/// All regions of a launch and the addresses of the objects.
pub(super) struct Regions<'a> {
    list: Vec<Region<'a>>,
    addresses: SecondaryMap<Object, u64>,
}

/// Local objects and struct arguments, which a worker owns.
pub(super) struct Owned {
    buffers: PrimaryMap<Object, Option<Buffer>>,
}

/// The address of the first of the program's variables, in every launch: pointers to them stay valid.
pub(super) const VARIABLES: u64 = STRIDE;

/// The objects, the program's variables first.
fn objects_in_order(kernel: &Kernel) -> impl Iterator<Item = (Object, &ObjectData)> {
    let first = kernel.params.last().and_then(|param| match param.kind {
        ParamKind::Variables { object } => Some(object),
        ParamKind::Value(_)
        | ParamKind::Buffer { .. }
        | ParamKind::Local { .. }
        | ParamKind::Struct { .. } => None,
    });
    let others = kernel.objects.keys().filter(move |&it| Some(it) != first);
    let all = first.into_iter().chain(others);
    all.map(|object| (object, &kernel.objects[object]))
}

/// Whether other threads access the buffers too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sharing {
    Exclusive,
    Threads,
}

impl Owned {
    /// Memory for the local objects and the struct arguments of a launch.
    pub fn new(program: &Program, launch: &Launch) -> Owned {
        let local = |size: u64| Some(Buffer::uninitialised(size as usize));
        let objects = program.kernel.objects.values();
        let buffers = objects.map(|data| match &data.kind {
            ObjectKind::Local { size } => local(*size),
            ObjectKind::LocalPerItem { bytes } => local(bytes * launch.range.group_size()),
            ObjectKind::LocalArg { param } | ObjectKind::StructArg { param, .. } => {
                match &launch.args[*param as usize] {
                    Argument::Local(size) => local(*size),
                    Argument::Struct(bytes) => Some(Buffer::from_bytes(bytes)),
                    Argument::Value(_) | Argument::Buffer(_) | Argument::Null => None,
                }
            }
            ObjectKind::Buffer { .. } | ObjectKind::Private { .. } | ObjectKind::Table { .. } => {
                None
            }
        });
        Owned {
            buffers: buffers.collect(),
        }
    }

    fn of(&self, object: Object) -> &Buffer {
        let buffer = self.buffers[object].as_ref();
        buffer.expect("the launch was checked")
    }

    /// Clears the local objects for the next group.
    pub fn clear_local(&self) {
        let local = |buffer: &&Buffer| !buffer.is_initialised();
        for buffer in self.buffers.values().flatten().filter(local) {
            for word in buffer.words() {
                word.store(0, Relaxed);
            }
        }
    }
}

impl<'a> Regions<'a> {
    /// Lays out the objects of a launch.
    pub fn new(
        program: &'a Program,
        launch: &Launch,
        memory: &'a Memory,
        owned: &'a Owned,
    ) -> Regions<'a> {
        let mut regions = Regions {
            list: Vec::new(),
            addresses: SecondaryMap::new(),
        };
        let mut buffers: HashMap<BufferId, u64> = HashMap::new();
        for (object, data) in objects_in_order(&program.kernel) {
            let mut add = |storage, len, initialised| {
                regions.list.push(Region {
                    storage,
                    len,
                    object,
                    initialised,
                });
                (regions.list.len() as u64) << OFFSET_BITS
            };
            let shared = |buffer: &'a Buffer| Storage::Shared(buffer.words());
            let read_only = |buffer: &'a Buffer| Storage::ReadOnly(buffer.words());
            let len = |buffer: &Buffer| buffer.len() as u64;
            regions.addresses[object] = match &data.kind {
                ObjectKind::Buffer { param, .. } => match launch.args[*param as usize] {
                    Argument::Buffer(id) => *buffers.entry(id).or_insert_with(|| {
                        let buffer = memory.buffer(id);
                        add(shared(buffer), len(buffer), buffer.is_initialised())
                    }),
                    Argument::Null
                    | Argument::Value(_)
                    | Argument::Local(_)
                    | Argument::Struct(_) => 0,
                },
                ObjectKind::LocalArg { .. }
                | ObjectKind::Local { .. }
                | ObjectKind::LocalPerItem { .. } => {
                    let buffer = owned.of(object);
                    add(shared(buffer), len(buffer), false)
                }
                ObjectKind::StructArg { .. } => {
                    let buffer = owned.of(object);
                    add(read_only(buffer), len(buffer), true)
                }
                ObjectKind::Private { size } => {
                    add(Storage::Private(program.private[object]), *size, false)
                }
                ObjectKind::Table { .. } => {
                    let table = program.tables[object].as_ref();
                    let table = table.expect("every table is laid out");
                    add(read_only(table), len(table), true)
                }
            };
        }
        regions
    }

    /// The address of an object.
    pub fn address(&self, object: Object) -> u64 {
        self.addresses[object]
    }

    /// The region that a pointer leads to, if an access to these objects may go there.
    #[inline(always)]
    pub fn among(&self, objects: &ObjectSet, pointer: u64) -> Option<&Region<'a>> {
        let base = base_of(pointer);
        let allowed = objects.iter().any(|object| self.addresses[object] == base);
        self.of_pointer(pointer).filter(|_| allowed)
    }

    /// The object as which an access through a pointer is reported.
    pub fn reported(&self, objects: &ObjectSet, pointer: u64) -> Option<Object> {
        let base = base_of(pointer);
        let meant = objects
            .iter()
            .find(|&object| self.addresses[object] == base);
        meant.or_else(|| Some(self.of_pointer(pointer)?.object))
    }

    /// The region that a pointer leads to.
    #[inline(always)]
    pub fn of_pointer(&self, pointer: u64) -> Option<&Region<'a>> {
        let number = (pointer >> OFFSET_BITS).wrapping_sub(1);
        self.list.get(number as usize)
    }

    /// The region's number and the offset in it that a pointer stands for.
    #[inline(always)]
    pub fn locate(&self, pointer: u64) -> Option<(usize, u64)> {
        let number = (pointer >> OFFSET_BITS).wrapping_sub(1) as usize;
        (number < self.list.len()).then_some((number, pointer & (STRIDE - 1)))
    }

    /// A region by number.
    pub fn region(&self, number: usize) -> &Region<'a> {
        &self.list[number]
    }
}

impl<'a> Region<'a> {
    /// A number for each word that is the same in all regions that have it, and no other's among
    /// those that live at the same time. Private memory has its own numbers.
    pub fn identity(&self, word: u64) -> u64 {
        match self.storage {
            Storage::Shared(words) | Storage::ReadOnly(words) => {
                (words.as_ptr().addr() / size_of::<AtomicU32>()) as u64 + word
            }
            Storage::Private(_) => word,
        }
    }

    /// The words that lie wholly in the region, if they may be read without further ado.
    #[inline(always)]
    pub fn readable(&self) -> &'a [AtomicU32] {
        match self.storage {
            Storage::Shared(words) | Storage::ReadOnly(words) => &words[..(self.len / 4) as usize],
            Storage::Private(_) => &[],
        }
    }

    /// The words that lie wholly in the region, if they may be written without further ado.
    #[inline(always)]
    pub fn writable(&self) -> &'a [AtomicU32] {
        match self.storage {
            Storage::Shared(words) => &words[..(self.len / 4) as usize],
            Storage::ReadOnly(_) | Storage::Private(_) => &[],
        }
    }

    /// Reads up to 8 bytes that lie within the region.
    pub fn read(&self, private: &[Register<u32>], lane: usize, offset: u64, bytes: u32) -> u64 {
        let word = |at: u64| match self.storage {
            Storage::Shared(words) | Storage::ReadOnly(words) => words[at as usize].load(Relaxed),
            Storage::Private(first) => private[(first + at) as usize][lane],
        };
        let (first, last) = (offset / 4, (offset + u64::from(bytes) - 1) / 4);
        let mut bits = 0;
        for at in first..=last {
            bits |= u128::from(word(at)) << ((at - first) * 32);
        }
        (bits >> (offset % 4 * 8)) as u64 & (u64::MAX >> (64 - bytes * 8))
    }

    /// Writes up to 8 bytes that lie within the region.
    pub fn write(&self, private: &mut [Register<u32>], lane: usize, place: Bytes, value: u64) {
        let Bytes {
            offset,
            bytes,
            sharing,
        } = place;
        let mask = u64::MAX >> (64 - bytes * 8);
        let shift = offset % 4 * 8;
        let (bits, mask) = (u128::from(value & mask) << shift, u128::from(mask) << shift);
        for at in 0..=((offset % 4 + u64::from(bytes) - 1) / 4) {
            let (bits, mask) = ((bits >> (at * 32)) as u32, (mask >> (at * 32)) as u32);
            match self.storage {
                Storage::Shared(words) => {
                    replace(&words[(offset / 4 + at) as usize], mask, bits, sharing);
                }
                Storage::Private(first) => {
                    let word = &mut private[(first + offset / 4 + at) as usize][lane];
                    *word = *word & !mask | bits;
                }
                Storage::ReadOnly(_) => unreachable!("writes to read-only memory are refused"),
            }
        }
    }
}

/// Bytes of a region to be written.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    pub offset: u64,
    pub bytes: u32,
    pub sharing: Sharing,
}

/// Replaces the bits of `mask` in a word.
#[inline(always)]
pub(super) fn replace(word: &AtomicU32, mask: u32, bits: u32, sharing: Sharing) {
    let update = |old: u32| old & !mask | bits;
    match sharing {
        _ if mask == u32::MAX => word.store(bits, Relaxed),
        Sharing::Exclusive => word.store(update(word.load(Relaxed)), Relaxed),
        // Another thread may be writing the word's other bytes.
        Sharing::Threads => {
            let result = word.fetch_update(Relaxed, Relaxed, |old| Some(update(old)));
            result.expect("the update always gives a word");
        }
    }
}
