//! Shadow memory: which work-items wrote and read each byte, to find data races and reads of
//! uninitialised memory.

use std::{collections::HashMap, ops::Range, slice};

use crate::ir::{AccessKind, Block, Fences, Inst, Loc, Object, Space};

use super::{
    Checks,
    fault::{Fault, RacingAccess, SourceLocation, WorkItem},
    index_space::IndexSpace,
    memory::{Region, Storage},
    program::Program,
    strip::Strip,
};

/// Is told of each access, before it happens.
pub(super) trait Observer {
    /// Whether it wants to know.
    const WATCHES: bool;
    /// An access within bounds.
    fn watch(&mut self, program: &Program, space: &IndexSpace, access: Watched<'_>) -> Verdict;
    /// Lanes of a strip begin to execute a block.
    fn enter(&mut self, block: Block, strip: &Strip, lanes: u64);
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
    pub inst: Inst,
    /// Its registers are in this lane of the strip.
    pub strip: &'a Strip,
    pub lane: usize,
    pub loc: Loc,
}

/// Watches nothing.
pub(super) struct Unwatched;

impl Observer for Unwatched {
    const WATCHES: bool = false;

    fn watch(&mut self, _: &Program, _: &IndexSpace, _: Watched<'_>) -> Verdict {
        Ok(())
    }

    fn enter(&mut self, _: Block, _: &Strip, _: u64) {}

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

type Pages = HashMap<PageKey, Box<[Word; PAGE]>>;

#[derive(Clone, Copy, Default)]
struct Epochs {
    local: u32,
    global: u32,
}

/// A page of words; private memory has one per work-item.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum PageKey {
    Private {
        region: usize,
        owner: u64,
        page: u64,
    },
    Shared {
        page: u64,
    },
}

/// Words of a page.
const PAGE: usize = 16;

/// What is known of a word: all of it at once as long as it is accessed as a whole.
enum Word {
    Whole(History),
    Bytes(Box<[History; 4]>),
}

/// What is known of some bytes. Two accesses of each kind are enough: a further work-item differs
/// from at least one of them.
#[derive(Clone, Copy)]
struct History {
    written: bool,
    writes: [Option<Stamp>; 2],
    reads: [Option<Stamp>; 2],
}

impl Word {
    /// The histories of some of the word's bytes.
    fn histories(&mut self, bytes: Range<usize>) -> &mut [History] {
        if let Word::Whole(history) = *self
            && bytes.len() < 4
        {
            *self = Word::Bytes(Box::new([history; 4]));
        }
        match self {
            Word::Whole(history) => slice::from_mut(history),
            Word::Bytes(histories) => &mut histories[bytes],
        }
    }
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
        let end = access.offset + u64::from(access.bytes);
        let mut verdict = Ok(());
        for word in access.offset / 4..end.div_ceil(4) {
            let first = access.offset.max(word * 4);
            let bytes = (first - word * 4) as usize..(end - word * 4).min(4) as usize;
            verdict = verdict.and(self.watch_word(program, space, access, word, bytes));
        }
        verdict
    }

    fn enter(&mut self, _: Block, _: &Strip, _: u64) {}

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

    fn watch_word(
        &mut self,
        program: &Program,
        space: &IndexSpace,
        access: Watched<'_>,
        word: u64,
        bytes: Range<usize>,
    ) -> Verdict {
        let private = matches!(access.of.storage, Storage::Private(_));
        let identity = access.of.identity(word);
        let page = identity / PAGE as u64;
        let key = match access.of.storage {
            Storage::Private(_) => PageKey::Private {
                region: access.region,
                owner: access.item,
                page,
            },
            Storage::Shared(_) | Storage::ReadOnly(_) => PageKey::Shared { page },
        };
        let memory = program.kernel.objects[access.of.object].space();
        let (pages, epoch) = match memory {
            Space::Private | Space::Local => (&mut self.group_pages, self.epochs.local),
            Space::Global | Space::Constant | Space::Generic => {
                (&mut self.pages, self.epochs.global)
            }
        };
        let page = pages.entry(key).or_insert_with(empty_page);
        let stamp = Stamp {
            item: access.item,
            epoch,
            kind: access.kind,
            loc: access.loc,
        };
        let group_size = space.range.group_size();
        let offsets = word * 4 + bytes.start as u64..;
        let histories = page[identity as usize % PAGE].histories(bytes);
        let mut verdict = Ok(());
        for (offset, history) in offsets.zip(histories) {
            let unwritten = !access.of.initialised && !history.written;
            if self.checks.uninitialised && unwritten && access.kind != AccessKind::Write {
                verdict =
                    verdict.and_then(|()| Err(unwritten_fault(program, space, access, offset)));
            }
            history.written |= access.kind != AccessKind::Read;
            if self.checks.races && !private {
                if let Some(earlier) = history.conflict(stamp, group_size) {
                    let accesses = [earlier, stamp];
                    let race = || race(program, space, access, offset, accesses);
                    verdict = verdict.and_then(|()| Err(race()));
                }
                history.remember(stamp, group_size);
            }
        }
        verdict
    }
}

fn empty_page() -> Box<[Word; PAGE]> {
    Box::new([const { Word::Whole(History::EMPTY) }; PAGE])
}

fn unwritten_fault(
    program: &Program,
    space: &IndexSpace,
    access: Watched<'_>,
    offset: u64,
) -> Box<Fault> {
    Box::new(Fault::Uninitialised {
        offset,
        object: program.kernel.objects[access.object].name.clone(),
        item: WorkItem(space.global_id(access.item)),
        place: SourceLocation::new(&program.kernel, access.loc),
    })
}

fn race(
    program: &Program,
    space: &IndexSpace,
    access: Watched<'_>,
    offset: u64,
    accesses: [Stamp; 2],
) -> Box<Fault> {
    let describe = |stamp: Stamp| RacingAccess {
        kind: stamp.kind,
        item: WorkItem(space.global_id(stamp.item)),
        place: SourceLocation::new(&program.kernel, stamp.loc),
    };
    Box::new(Fault::Race {
        offset,
        object: program.kernel.objects[access.object].name.clone(),
        accesses: Box::new(accesses.map(describe)),
    })
}

impl Stamp {
    /// Whether a barrier or the program's order lies between this access and a later one.
    fn is_before(&self, later: &Stamp, group_size: u64) -> bool {
        let same_group = self.item / group_size == later.item / group_size;
        self.item == later.item || (same_group && self.epoch < later.epoch)
    }
}

impl History {
    const EMPTY: History = History {
        written: false,
        writes: [None; 2],
        reads: [None; 2],
    };

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
        // An atomic says less than a plain write: it conflicts with fewer accesses.
        let replaceable = |earlier: &Stamp| {
            earlier.is_before(&access, group_size)
                && (earlier.kind == access.kind || access.kind == AccessKind::Write)
        };
        // One place per work-item at most, so that the other is free for another one.
        let own = |earlier: &Option<Stamp>| earlier.is_some_and(|e| e.item == access.item);
        let place = match known.iter().position(own) {
            Some(at) => Some(&mut known[at]),
            None => known
                .iter_mut()
                .find(|earlier| earlier.is_none_or(|e| replaceable(&e))),
        };
        if let Some(place) = place
            && place.is_none_or(|e| replaceable(&e))
        {
            *place = Some(access);
        }
    }
}
