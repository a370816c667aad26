//! Shadow memory: who wrote and read each byte, for finding data races and reads of memory that
//! nobody wrote.

use std::collections::HashMap;

use crate::ir::{Fences, Loc, Object, Space};

use super::{
    Checks,
    fault::{AccessKind, Fault, Place, RacingAccess, WorkItem},
    index_space::IndexSpace,
    memory::{Region, Storage},
    program::Program,
};

/// Is told of each access, before it happens.
pub(super) trait Observer {
    /// Whether it wants to know.
    const WATCHES: bool;
    /// An access within bounds.
    fn watch(&mut self, program: &Program, space: &IndexSpace, access: Watched<'_>) -> Verdict;
    /// A work-group begins.
    fn begin_group(&mut self);
    /// All work-items of the group have come to a barrier.
    fn pass_barrier(&mut self, fences: Fences);
}

/// What an observer says to an access.
pub(super) type Verdict = Result<(), Box<Fault>>;

/// An access of one work-item.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    pub region: usize,
    pub of: Region<'a>,
    /// What it is reported as.
    pub object: Object,
    pub offset: u64,
    pub bytes: u32,
    pub kind: AccessKind,
    /// Position of the work-item among all.
    pub item: u64,
    pub loc: Loc,
}

/// Watches nothing.
pub(super) struct Unwatched;

impl Observer for Unwatched {
    const WATCHES: bool = false;

    fn watch(&mut self, _: &Program, _: &IndexSpace, _: Watched<'_>) -> Verdict {
        Ok(())
    }

    fn begin_group(&mut self) {}

    fn pass_barrier(&mut self, _: Fences) {}
}

/// Remembers accesses to every byte.
pub(super) struct Shadow {
    checks: Checks,
    /// Of memory that outlives groups.
    pages: Pages,
    /// Of the group's local and private memory.
    group_pages: Pages,
    /// Barriers passed by the group, by the memory they order.
    epochs: Epochs,
}

type Pages = HashMap<PageKey, Box<[Byte; PAGE]>>;

#[derive(Clone, Copy, Default)]
struct Epochs {
    local: u32,
    global: u32,
}

/// A region's page; private memory has one per work-item.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PageKey {
    region: usize,
    owner: u64,
    page: u64,
}

const PAGE: usize = 64;

/// What is known of a byte. Two accesses of each sort are enough: whoever comes is different from
/// one of them.
#[derive(Clone, Copy, Default)]
struct Byte {
    written: bool,
    writes: [Option<Stamp>; 2],
    reads: [Option<Stamp>; 2],
}

/// An access in the past.
#[derive(Clone, Copy)]
struct Stamp {
    item: u64,
    epoch: u32,
    kind: AccessKind,
    loc: Loc,
}

impl Observer for Shadow {
    const WATCHES: bool = true;

    fn watch(&mut self, program: &Program, space: &IndexSpace, access: Watched<'_>) -> Verdict {
        for at in 0..u64::from(access.bytes) {
            let offset = access.offset + at;
            self.watch_byte(program, space, access, offset)?;
        }
        Ok(())
    }

    fn begin_group(&mut self) {
        self.epochs = Epochs::default();
        self.group_pages.clear();
    }

    fn pass_barrier(&mut self, fences: Fences) {
        self.epochs.local += u32::from(fences.local);
        self.epochs.global += u32::from(fences.global);
    }
}

impl Shadow {
    /// Shadow memory of a launch.
    pub fn new(checks: Checks) -> Shadow {
        Shadow {
            checks,
            pages: HashMap::new(),
            group_pages: HashMap::new(),
            epochs: Epochs::default(),
        }
    }

    fn watch_byte(
        &mut self,
        program: &Program,
        space: &IndexSpace,
        access: Watched<'_>,
        offset: u64,
    ) -> Verdict {
        let private = matches!(access.of.storage, Storage::Private(_));
        let key = PageKey {
            region: access.region,
            owner: if private { access.item } else { 0 },
            page: offset / PAGE as u64,
        };
        let memory = program.kernel.objects[access.of.object].space();
        let pages = match memory {
            Space::Private | Space::Local => &mut self.group_pages,
            Space::Global | Space::Constant | Space::Generic => &mut self.pages,
        };
        let page = pages.entry(key);
        let page = page.or_insert_with(|| Box::new([Byte::default(); PAGE]));
        let byte = &mut page[(offset % PAGE as u64) as usize];
        let name = || program.kernel.objects[access.object].name.clone();
        let reads = access.kind != AccessKind::Write;
        if self.checks.uninitialised && reads && !access.of.initialised && !byte.written {
            let item = space.global_id(access.item);
            return Err(Box::new(Fault::Uninitialised {
                offset,
                object: name(),
                item: WorkItem(item),
                place: Place::new(&program.kernel, access.loc),
            }));
        }
        byte.written |= access.kind != AccessKind::Read;
        if !self.checks.races || private {
            return Ok(());
        }
        let stamp = Stamp {
            item: access.item,
            epoch: if memory == Space::Local {
                self.epochs.local
            } else {
                self.epochs.global
            },
            kind: access.kind,
            loc: access.loc,
        };
        let Some(earlier) = byte.conflict(stamp, space.range.group_size()) else {
            byte.remember(stamp, space.range.group_size());
            return Ok(());
        };
        let describe = |stamp: Stamp| RacingAccess {
            kind: stamp.kind,
            item: WorkItem(space.global_id(stamp.item)),
            place: Place::new(&program.kernel, stamp.loc),
        };
        Err(Box::new(Fault::Race {
            offset,
            object: name(),
            accesses: Box::new([earlier, stamp].map(describe)),
        }))
    }
}

impl Stamp {
    /// Whether a barrier or the program's order lies between this access and a later one.
    fn is_before(&self, later: &Stamp, group_size: u64) -> bool {
        let same_group = self.item / group_size == later.item / group_size;
        self.item == later.item || (same_group && self.epoch < later.epoch)
    }
}

impl Byte {
    fn conflict(&self, access: Stamp, group_size: u64) -> Option<Stamp> {
        let conflicts = |earlier: &Stamp| {
            let atomic = [earlier.kind, access.kind] == [AccessKind::Atomic; 2];
            !atomic && !earlier.is_before(&access, group_size)
        };
        let reads: &[_] = match access.kind {
            AccessKind::Read => &[],
            AccessKind::Write | AccessKind::Atomic => &self.reads,
        };
        let mut earlier = self.writes.iter().chain(reads).flatten();
        earlier.find(|earlier| conflicts(earlier)).copied()
    }

    /// Keeps an access in place of one that it comes after, or beside those that it does not.
    fn remember(&mut self, access: Stamp, group_size: u64) {
        let known = match access.kind {
            AccessKind::Read => &mut self.reads,
            AccessKind::Write | AccessKind::Atomic => &mut self.writes,
        };
        let replaceable = |earlier: &Option<Stamp>| match earlier {
            // An atomic says less than a plain write: it conflicts with fewer accesses.
            Some(earlier) => {
                earlier.is_before(&access, group_size)
                    && (earlier.kind == access.kind || access.kind == AccessKind::Write)
            }
            None => true,
        };
        if let Some(place) = known.iter_mut().find(|earlier| replaceable(earlier)) {
            *place = Some(access);
        }
    }
}
