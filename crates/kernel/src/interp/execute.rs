//! Executes strips: unit after unit, operation after operation.

use std::sync::PoisonError;
use std::sync::atomic::{Ordering::SeqCst, fence};

use crate::{
    ir::{Access, AccessKind},
    launch::{ATOMICS, Launch},
};

use super::{
    Options, Outcome,
    access::{self, Addresses, Private, Shared},
    arithmetic::Compute,
    checks::Observer,
    fault::Fault,
    format_printf::{PrintfArgument, format_printf},
    index_space::IndexSpace,
    lane_access::LaneAccess,
    lanes::{Active, LANES, Register, Registers, Word, each_lane, lanes_of},
    memory::{Bytes, Regions, Sharing, Storage, base_of},
    program::{
        Atomic, Bank, Change, Edge, Exit, InSpace, Index, Load, Op, Printf, Program, Slot, Store,
        Target, bank,
    },
    strip::Strip,
};

/// Executes strips and keeps account of what they do.
pub(super) struct Worker<'a, O> {
    pub program: &'a Program,
    pub launch: &'a Launch,
    pub space: IndexSpace,
    pub regions: Regions<'a>,
    pub options: &'a Options<'a>,
    pub sharing: Sharing,
    pub observer: O,
    pub outcome: Outcome,
    /// Addresses of the access at hand.
    pub addresses: Register<u64>,
    /// Their distance, if all lanes are active and it is the same from each lane to the next.
    pub stride: Option<u64>,
}

/// Why a strip's execution was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    /// Every lane has ended or waits at a barrier.
    Stuck,
    /// It is another strip's turn.
    Preempted,
}

impl<O: Observer> Worker<'_, O> {
    /// Executes a strip for at most `turns` units.
    pub fn run(&mut self, strip: &mut Strip, turns: u32) -> Result<Pause, Box<Fault>> {
        for _ in 0..turns {
            let Some((at, lanes)) = strip.pick() else {
                return Ok(Pause::Stuck);
            };
            let unit = &self.program.units[at];
            if let Some(lane) = strip.count(lanes, unit.weight, self.options.step_limit) {
                return Err(Box::new(Fault::StepLimit {
                    limit: self.options.step_limit,
                    item: self.work_item(strip, lane),
                    place: self.place(unit.loc),
                }));
            }
            let active = Active::new(lanes, strip.live);
            self.outcome.instructions += unit.weight * active.count();
            if O::WATCHES
                && let Some(block) = unit.head_of
            {
                self.observer.enter(block, strip, lanes);
            }
            for op in &unit.ops {
                match op {
                    Op::Compute(compute) if active.is_nearly_dense() => {
                        compute_and_restore(&mut strip.registers, active, compute);
                    }
                    Op::Compute(compute) => {
                        (compute.run)(&mut strip.registers, active, &compute.operands);
                    }
                    Op::Load(load) => self.load(strip, active, load)?,
                    Op::Store(store) => self.store(strip, active, store)?,
                    Op::Atomic(atomic) => self.atomic(strip, active, atomic)?,
                    Op::Printf(printf) => self.printf(strip, active, printf),
                    Op::InSpace(asked) => self.in_space(strip, active, asked),
                }
            }
            leave(strip, active, at, &unit.exit);
        }
        Ok(Pause::Preempted)
    }

    /// What others are to see before a volatile access is done before it, and what is to be seen
    /// behind it is not read earlier.
    fn order(&self, access: &Access) {
        if access.volatile && self.sharing == Sharing::Threads {
            fence(SeqCst);
        }
    }

    fn load(&mut self, strip: &mut Strip, active: Active, load: &Load) -> Result<(), Box<Fault>> {
        let (active, passive) = enabled(strip, active, &load.target);
        for lane in lanes_of(passive) {
            let results = load.results.iter();
            results.for_each(|&result| strip.set(result, lane, 0));
        }
        let bytes = load.access.bytes();
        self.outcome.loads += active.count();
        self.outcome.bytes_read += active.count() * u64::from(bytes);
        self.find_addresses(&strip.registers, active, &load.target);
        let mut odd = active.mask;
        if !O::WATCHES && self.is_aligned(active, &load.target, load.access.lane_bytes()) {
            odd &= self.load_in_order(strip, active, load);
        }
        for lane in lanes_of(odd) {
            let access = LaneAccess {
                target: &load.target,
                kind: AccessKind::Read,
                lane,
                bytes,
            };
            let found = self.find(strip, access)?;
            for (at, &result) in load.results.iter().enumerate() {
                let lane_bytes = load.access.lane_bytes();
                let value = match found {
                    Some((region, offset)) => {
                        let offset = offset + at as u64 * u64::from(lane_bytes);
                        region.read(&strip.private, lane, offset, lane_bytes)
                    }
                    None => 0,
                };
                strip.set(result, lane, value);
            }
        }
        self.order(&load.access);
        Ok(())
    }

    /// Loads what is within one region; gives the other lanes.
    fn load_in_order(&self, strip: &mut Strip, active: Active, load: &Load) -> u64 {
        let first = self.addresses[active.mask.trailing_zeros() as usize % LANES];
        let Some(region) = self.regions.among(&load.target.objects, first) else {
            return active.mask;
        };
        let addresses = Addresses {
            of_lane: &self.addresses,
            base: base_of(first),
            mask: if active.dense { u64::MAX } else { active.mask },
            stride: self.stride,
        };
        let bytes = load.access.lane_bytes();
        let Strip {
            registers, private, ..
        } = strip;
        match region.storage {
            Storage::Shared(_) | Storage::ReadOnly(_) => {
                let words = Shared {
                    words: region.readable(),
                    sharing: self.sharing,
                };
                access::load(&words, addresses, bytes, registers, &load.results)
            }
            Storage::Private(first) => {
                let words = Private(&private[first as usize..][..(region.len / 4) as usize]);
                access::load(&words, addresses, bytes, registers, &load.results)
            }
        }
    }

    fn store(
        &mut self,
        strip: &mut Strip,
        active: Active,
        store: &Store,
    ) -> Result<(), Box<Fault>> {
        let (active, _) = enabled(strip, active, &store.target);
        let bytes = store.access.bytes();
        self.outcome.stores += active.count();
        self.outcome.bytes_written += active.count() * u64::from(bytes);
        self.order(&store.access);
        self.find_addresses(&strip.registers, active, &store.target);
        let mut odd = active.mask;
        if !O::WATCHES && self.is_aligned(active, &store.target, store.access.lane_bytes()) {
            odd = self.store_in_order(strip, active, store);
        }
        for lane in lanes_of(odd) {
            let access = LaneAccess {
                target: &store.target,
                kind: AccessKind::Write,
                lane,
                bytes,
            };
            let Some((region, offset)) = self.find(strip, access)? else {
                continue;
            };
            let lane_bytes = store.access.lane_bytes();
            for (at, &value) in store.values.iter().enumerate() {
                let place = Bytes {
                    offset: offset + at as u64 * u64::from(lane_bytes),
                    bytes: lane_bytes,
                    sharing: self.sharing,
                };
                let value = strip.get(value, lane);
                region.write(&mut strip.private, lane, place, value);
            }
        }
        Ok(())
    }

    /// Stores what is within one region; gives the other lanes.
    fn store_in_order(&self, strip: &mut Strip, active: Active, store: &Store) -> u64 {
        let first = self.addresses[active.mask.trailing_zeros() as usize % LANES];
        let Some(region) = self.regions.among(&store.target.objects, first) else {
            return active.mask;
        };
        let mut addresses = Addresses {
            of_lane: &self.addresses,
            base: base_of(first),
            mask: active.mask,
            stride: self.stride,
        };
        if store.values.len() > 1 {
            // A vector is stored as a whole or not at all.
            for lane in lanes_of(active.mask) {
                let offset = self.addresses[lane].wrapping_sub(addresses.base);
                let end = offset.saturating_add(store.access.bytes().into());
                if end > region.len / 4 * 4 || !offset.is_multiple_of(4) {
                    addresses.mask &= !(1 << lane);
                    addresses.stride = None;
                }
            }
        }
        let bytes = store.access.lane_bytes();
        let Strip {
            registers, private, ..
        } = strip;
        let odd = match region.storage {
            Storage::Shared(_) => {
                let mut words = Shared {
                    words: region.writable(),
                    sharing: self.sharing,
                };
                access::store(&mut words, addresses, bytes, registers, &store.values)
            }
            Storage::Private(first) => {
                let words = &mut private[first as usize..][..(region.len / 4) as usize];
                let mut words = Private(words);
                access::store(&mut words, addresses, bytes, registers, &store.values)
            }
            Storage::ReadOnly(_) => addresses.mask,
        };
        odd | (active.mask & !addresses.mask)
    }

    fn atomic(
        &mut self,
        strip: &mut Strip,
        active: Active,
        atomic: &Atomic,
    ) -> Result<(), Box<Fault>> {
        let (active, passive) = enabled(strip, active, &atomic.target);
        for lane in lanes_of(passive) {
            strip.set(atomic.result, lane, 0);
        }
        let bytes = atomic.ty.bits() / 8;
        let count = active.count();
        self.outcome.loads += count;
        self.outcome.stores += count;
        self.outcome.bytes_read += count * u64::from(bytes);
        self.outcome.bytes_written += count * u64::from(bytes);
        self.find_addresses(&strip.registers, active, &atomic.target);
        let _turn = match self.sharing {
            Sharing::Exclusive => None,
            Sharing::Threads => Some(ATOMICS.lock().unwrap_or_else(PoisonError::into_inner)),
        };
        for lane in lanes_of(active.mask) {
            let access = LaneAccess {
                target: &atomic.target,
                kind: AccessKind::Atomic,
                lane,
                bytes,
            };
            let Some((region, offset)) = self.find(strip, access)? else {
                strip.set(atomic.result, lane, 0);
                continue;
            };
            let old = region.read(&strip.private, lane, offset, bytes);
            let new = match atomic.change {
                Change::Combine { op, value } => {
                    op.evaluate(atomic.ty, old, strip.get(value, lane))
                }
                Change::CompareExchange { expected, new } => {
                    if old == strip.get(expected, lane) {
                        strip.get(new, lane)
                    } else {
                        old
                    }
                }
            };
            let place = Bytes {
                offset,
                bytes,
                sharing: self.sharing,
            };
            region.write(&mut strip.private, lane, place, new);
            strip.set(atomic.result, lane, old);
        }
        Ok(())
    }

    fn in_space(&self, strip: &mut Strip, active: Active, asked: &InSpace) {
        for lane in lanes_of(active.mask) {
            let pointer = Slot {
                bank: Bank::Wide,
                at: asked.pointer,
            };
            let region = self.regions.of_pointer(strip.get(pointer, lane));
            let object = region.map(|region| &self.program.kernel.objects[region.object]);
            let is_there = object.is_some_and(|object| object.space() == asked.space);
            strip.set(asked.result, lane, is_there.into());
        }
    }

    fn printf(&mut self, strip: &Strip, active: Active, printf: &Printf) {
        for lane in lanes_of(active.mask) {
            let args: Vec<PrintfArgument> = printf
                .args
                .iter()
                .map(|&(slot, ty)| PrintfArgument {
                    ty,
                    bits: strip.get(slot, lane),
                })
                .collect();
            let text = format_printf(&printf.format, &args, |pointer| {
                self.string(strip, lane, pointer)
            });
            match self.options.print {
                Some(print) => print(&text),
                None => self.outcome.printed.extend_from_slice(&text),
            }
        }
    }

    /// The bytes from a pointer on, up to a zero or the object's end.
    fn string(&self, strip: &Strip, lane: usize, pointer: u64) -> Vec<u8> {
        let Some((number, offset)) = self.regions.locate(pointer) else {
            return b"(null)".to_vec();
        };
        let region = self.regions.region(number);
        let bytes = (offset..region.len).map(|at| region.read(&strip.private, lane, at, 1) as u8);
        bytes.take_while(|&byte| byte != 0).collect()
    }

    /// Whether the addresses at hand are all aligned, or the loops over lanes of `bytes` bytes see to
    /// those that are not.
    fn is_aligned(&self, active: Active, target: &Target, bytes: u32) -> bool {
        let low = u64::from(target.align - 1);
        match self.stride {
            Some(stride) => (self.addresses[0] | stride) & low == 0,
            None if target.align <= bytes.min(4) => true,
            None => lanes_of(active.mask).all(|lane| self.addresses[lane] & low == 0),
        }
    }

    /// Computes the addresses of an access and whether they are evenly spaced.
    fn find_addresses(&mut self, registers: &Registers, active: Active, target: &Target) {
        let base = &u64::bank(registers)[target.base as usize];
        let by = target.displacement;
        let addresses = &mut self.addresses;
        self.stride = match target.index {
            Index::None => find(active, addresses, |lane| base[lane].wrapping_add(by)),
            Index::Narrow(index, shift) => {
                let index = &u32::bank(registers)[index as usize];
                find(active, addresses, |lane| {
                    let index = (i64::from(index[lane] as i32) as u64) << shift;
                    base[lane].wrapping_add(index).wrapping_add(by)
                })
            }
            Index::Wide(index, shift) => {
                let index = &u64::bank(registers)[index as usize];
                find(active, addresses, |lane| {
                    let index = index[lane] << shift;
                    base[lane].wrapping_add(index).wrapping_add(by)
                })
            }
        };
    }
}

/// The lanes that make an access, and those whose guard keeps them from it.
fn enabled(strip: &Strip, active: Active, target: &Target) -> (Active, u64) {
    let Some(guard) = target.guard else {
        return (active, 0);
    };
    let mask = condition(&strip.registers.narrow[guard as usize], active);
    let enabled = Active { mask, dense: false };
    (enabled, active.mask & !mask)
}

/// Computes in all lanes, as a dense loop is faster, and gives the inactive ones their values back.
fn compute_and_restore(registers: &mut Registers, active: Active, compute: &Compute) {
    fn restore<T: Word>(registers: &mut Registers, active: Active, compute: &Compute) {
        let target = compute.operands.target as usize;
        let saved = T::bank(registers)[target];
        let dense = Active {
            dense: true,
            ..active
        };
        (compute.run)(registers, dense, &compute.operands);
        let target = &mut T::bank_mut(registers)[target];
        for lane in lanes_of(!active.mask) {
            target[lane] = saved[lane];
        }
    }
    match bank(compute.operands.to) {
        Bank::Narrow => restore::<u32>(registers, active, compute),
        Bank::Wide => restore::<u64>(registers, active, compute),
    }
}

/// Computes addresses; gives their distance if all lanes are active and evenly spaced.
#[inline(always)]
fn find(
    active: Active,
    addresses: &mut Register<u64>,
    address: impl Fn(usize) -> u64,
) -> Option<u64> {
    each_lane!(active, lane, {
        addresses[lane] = address(lane);
    });
    if active.mask != u64::MAX {
        return None;
    }
    let stride = addresses[1].wrapping_sub(addresses[0]);
    let mut expected = addresses[0];
    let mut differences = 0;
    for &address in addresses.iter() {
        differences |= address ^ expected;
        expected = expected.wrapping_add(stride);
    }
    (differences == 0).then_some(stride)
}

/// Moves lanes on to where their unit's exit leads.
fn leave(strip: &mut Strip, active: Active, at: usize, exit: &Exit) {
    match exit {
        Exit::Jump(edge) => follow(strip, active, edge),
        Exit::Branch { cond, targets } => {
            let taken = condition(&strip.registers.narrow[*cond as usize], active);
            for (edge, lanes) in targets.iter().zip([taken, active.mask & !taken]) {
                if lanes != 0 {
                    follow(strip, Active::new(lanes, strip.live), edge);
                }
            }
        }
        Exit::Barrier { .. } => strip.blocked.push((at, active.mask)),
        Exit::Return => strip.live &= !active.mask,
    }
}

fn follow(strip: &mut Strip, active: Active, edge: &Edge) {
    for (to, from) in &edge.moves {
        match to.bank {
            Bank::Narrow => strip.registers.copy::<u32>(to.at, from.at, active),
            Bank::Wide => strip.registers.copy::<u64>(to.at, from.at, active),
        }
    }
    strip.send(edge.unit, active.mask);
}

/// The active lanes whose condition is 1.
fn condition(cond: &Register<u32>, active: Active) -> u64 {
    if active.mask == u64::MAX {
        // Most branches go one way, which the sum tells sooner than single bits.
        match cond.iter().sum() {
            0 => return 0,
            64 => return u64::MAX,
            1..64 => {}
            _ => unreachable!("conditions are 0 or 1"),
        }
    }
    let mut taken = 0;
    if active.dense {
        for (lane, &bit) in cond.iter().enumerate() {
            taken |= u64::from(bit & 1) << lane;
        }
        return taken & active.mask;
    }
    for lane in lanes_of(active.mask) {
        taken |= u64::from(cond[lane] & 1) << lane;
    }
    taken
}
