//! Wide accesses: loads, or stores, of a block that go to places behind each other become one access of several values.
//!
//! The copies of an unrolled loop read `a[4 * i]`, `a[4 * i + 1]` and so on. One access of a line is one request, and the
//! others take the memory's port for a cycle each. Loads are done where the first of them stands, stores where the last one does,
//! so nothing in between may touch what they access. As for [lanes](crate::lanes), where only the running kernel knows whether
//! the address is a multiple of the size, there are two accesses, of which one is made.

use std::collections::BTreeMap;

use sluice_circuit::access::LINE;
use smallvec::SmallVec;

use super::accesses::Plain;
use super::code::Code;
use super::constant;
use super::one_block::insert_before;
use crate::analysis::access::{Accesses, Sum};
use crate::dataflow::must_wait;
use crate::ir::{
    Access, Block, CastOp, Inst, InstData, Kernel, ObjectKind, Predicate, Type, Value,
};
use crate::lanes::{pieces, whole};
use crate::passes::Renaming;

/// Accesses that follow each other in memory.
struct Run {
    /// By address.
    insts: Vec<Inst>,
    /// The one of them in whose place the wide access is made.
    place: Inst,
    /// From the address of the access in that place to that of the first one.
    from_place: i64,
    /// Whether the address is known to be a multiple of the size.
    is_aligned: bool,
}

/// What of two kinds of accesses is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Loads,
    Stores,
}

/// Makes wide accesses of those of a block that go to neighbouring places in buffers. Says how many there are.
pub fn widen(kernel: &mut Kernel, block: Block) -> usize {
    let mut count = 0;
    for kind in [Kind::Loads, Kind::Stores] {
        let runs = runs(kernel, block, kind);
        count += runs.len();
        let mut renaming = Renaming::new();
        for run in runs {
            merge(kernel, block, &run, kind, &mut renaming);
        }
        renaming.apply(kernel);
    }
    count
}

/// The accesses of a kind that become wide ones.
fn runs(kernel: &Kernel, block: Block, kind: Kind) -> Vec<Run> {
    let accesses = Accesses::of(kernel);
    let insts = kernel.block(block).insts.iter().copied();
    let mut left: Vec<Inst> = insts.filter(|&it| is_candidate(kernel, it, kind)).collect();
    let mut runs = Vec::new();
    while let Some(&leader) = left.first() {
        let mut by_distance: BTreeMap<i64, Inst> = BTreeMap::new();
        for &inst in &left {
            if let Some(distance) = distance(kernel, &accesses, leader, inst) {
                by_distance.entry(distance).or_insert(inst);
            }
        }
        by_distance.insert(0, leader);
        left.retain(|inst| !by_distance.values().any(|it| it == inst));
        let search = Search {
            kernel,
            accesses: &accesses,
            block,
            kind,
        };
        search.split(&by_distance, &mut runs);
    }
    runs
}

/// A load or store of a buffer that may be done with others.
fn is_candidate(kernel: &Kernel, inst: Inst, kind: Kind) -> bool {
    let Some(plain) = Plain::of(kernel, inst) else {
        return false;
    };
    let objects = kernel.inst(inst).objects().expect("it is an access");
    let is_buffer = |object| matches!(kernel.objects[object].kind, ObjectKind::Buffer { .. });
    plain.is_store == (kind == Kind::Stores)
        && plain.access.lag == 0
        && objects.single().is_some_and(is_buffer)
}

/// The bytes from an access to one of the same kind, size and condition, if they are always the same.
fn distance(kernel: &Kernel, accesses: &Accesses, from: Inst, to: Inst) -> Option<i64> {
    let [a, b] = [from, to].map(|it| Plain::of(kernel, it));
    let (a, b) = (a?, b?);
    let same_object = kernel.inst(from).objects() == kernel.inst(to).objects();
    let same_unit = a.access.unit == b.access.unit;
    if !a.is_like(&b) || a.guard != b.guard || !same_object || !same_unit {
        return None;
    }
    accesses.distance(from, to)?.constant()
}

struct Search<'k> {
    kernel: &'k Kernel,
    accesses: &'k Accesses,
    block: Block,
    kind: Kind,
}

impl Search<'_> {
    /// Splits accesses, by distance from one of them, into runs that become one access each.
    fn split(&self, by_distance: &BTreeMap<i64, Inst>, runs: &mut Vec<Run>) {
        let Some((_, &first)) = by_distance.first_key_value() else {
            return;
        };
        let access = Plain::of(self.kernel, first).expect("it is one").access;
        let bytes = i64::from(access.bytes());
        let mut rest: Vec<(i64, Inst)> = by_distance.iter().map(|(&at, &it)| (at, it)).collect();
        while let Some(&(start, inst)) = rest.first() {
            let behind = rest.iter().zip(0..);
            let count = behind.take_while(|&(&(at, _), number)| at == start + number * bytes);
            let (size, is_aligned) = self.widest(inst, access, count.count() as u32);
            let run: Vec<Inst> = rest.drain(..size as usize).map(|(_, inst)| inst).collect();
            if run.len() > 1 {
                runs.extend(self.run(run, is_aligned));
            }
        }
    }

    /// How many accesses, of some that follow each other, can be one, and whether the address of the first is known to be a
    /// multiple of their size.
    fn widest(&self, first: Inst, access: Access, count: u32) -> (u32, bool) {
        let Some(Ok(form)) = self.accesses.get(first).map(|it| &it.form) else {
            return (1, false);
        };
        // Whether the address is a multiple of a number, as far as constants say, and whether that is all.
        let constants = low_zeros(form.sum.offset());
        let others = coefficient_zeros(&form.sum);
        let known = form.modulus.unwrap_or(u32::MAX);
        let mut size = 1;
        while 2 * size <= count
            && access.bytes() * 2 * size <= LINE
            && (access.bytes() * 2 * size).is_power_of_two()
            && pieces(access, 2 * size).len() == 1
            && (access.bytes() * 2 * size).trailing_zeros() <= constants
        {
            size *= 2;
        }
        let zeros = whole(access, size).trailing_zeros();
        (size, zeros <= others.min(known))
    }

    /// A run, if it may be one access.
    fn run(&self, insts: Vec<Inst>, is_aligned: bool) -> Option<Run> {
        let list = &self.kernel.block(self.block).insts;
        let position = |inst: Inst| list.iter().position(|&it| it == inst);
        let mut in_order = insts.clone();
        in_order.sort_by_key(|&it| position(it));
        let place = match self.kind {
            Kind::Loads => in_order.first(),
            Kind::Stores => in_order.last(),
        };
        let place = *place?;
        let [from, to] =
            [in_order.first(), in_order.last()].map(|it| it.copied().and_then(position));
        let between = &list[from?..=to?];
        for &inst in &insts {
            let at = between.iter().position(|&it| it == inst)?;
            let passed = match self.kind {
                Kind::Loads => &between[..at],
                Kind::Stores => &between[at + 1..],
            };
            let mut passed = passed.iter().filter(|it| !insts.contains(it));
            if passed.any(|&it| self.conflict(it, inst)) {
                return None;
            }
        }
        let from_place = self.accesses.distance(place, insts[0])?.constant()?;
        Some(Run {
            insts,
            place,
            from_place,
            is_aligned,
        })
    }

    /// Whether two instructions have to stay in their order.
    fn conflict(&self, a: Inst, b: Inst) -> bool {
        let [first, second] = [a, b].map(|it| self.kernel.inst(it));
        if !must_wait(first, second) && !must_wait(second, first) {
            return false;
        }
        let bytes = [a, b].map(|it| self.accesses.get(it).map(|it| i64::from(it.bytes)));
        let distance = self.accesses.distance(a, b).and_then(|it| it.constant());
        match (bytes, distance) {
            ([Some(first), Some(second)], Some(distance)) => distance < first && -distance < second,
            _ => true,
        }
    }
}

/// Low bits of a number that are zero.
fn low_zeros(number: i128) -> u32 {
    number.trailing_zeros()
}

/// Low bits of everything but the constant of a sum that are surely zero.
fn coefficient_zeros(sum: &Sum) -> u32 {
    let products = sum
        .products()
        .filter(|(product, _)| !product.factors().is_empty());
    let zeros = products.map(|(_, coefficient)| low_zeros(coefficient));
    zeros.min().unwrap_or(u32::MAX)
}

/// Makes one access of a run.
fn merge(kernel: &mut Kernel, block: Block, run: &Run, kind: Kind, renaming: &mut Renaming) {
    let plain = Plain::of(kernel, run.place).expect("it is a plain access");
    let count = run.insts.len() as u32;
    let size = whole(plain.access, count);
    let (InstData::Load { ptr, .. } | InstData::Store { ptr, .. }) = *kernel.inst(run.place) else {
        unreachable!("it is a load or store");
    };
    let (_, wide) = pieces(plain.access, count)[0];
    let mut code = Code::new(kernel);
    code.loc = code.kernel.loc(run.place);
    let ptr = moved(&mut code, ptr, run.from_place);
    let mut ways = vec![(
        Access {
            align: size,
            ..wide
        },
        plain.guard,
    )];
    let mut aligned = None;
    if !run.is_aligned {
        let is_multiple = is_multiple(&mut code, ptr, size);
        aligned = Some(is_multiple);
        let otherwise = code.not(is_multiple);
        ways[0].1 = code.and(plain.guard, Some(is_multiple));
        let guard = code.and(plain.guard, Some(otherwise));
        ways.push((wide, guard));
    }
    let objects = code
        .kernel
        .inst(run.place)
        .objects()
        .expect("it is an access")
        .clone();
    let mut loaded: Vec<Vec<Value>> = Vec::new();
    for (access, guard) in ways {
        let (data, types) = match kind {
            Kind::Loads => {
                let of = |&inst: &Inst| code.kernel.results(inst).to_vec();
                let results = run.insts.iter().flat_map(of);
                let types: Vec<Type> = results.map(|it| code.kernel.ty(it)).collect();
                let objects = objects.clone();
                let data = InstData::Load {
                    ptr,
                    access,
                    objects,
                    guard,
                };
                (data, types)
            }
            Kind::Stores => {
                let data = InstData::Store {
                    ptr,
                    values: stored(code.kernel, &run.insts),
                    access,
                    objects: objects.clone(),
                    guard,
                };
                (data, Vec::new())
            }
        };
        let inst = code.kernel.make_inst(data, &types, code.loc);
        code.insts.push(inst);
        loaded.push(code.kernel.results(inst).to_vec());
    }
    let values: Vec<Value> = match (&loaded[..], aligned) {
        ([at_once, one_by_one], Some(aligned)) => {
            let both = at_once.iter().zip(one_by_one);
            both.map(|(&a, &b)| code.select(Some(aligned), [a, b]))
                .collect()
        }
        _ => loaded[0].clone(),
    };
    let insts = std::mem::take(&mut code.insts);
    insert_before(kernel, block, run.place, insts);
    let old = run.insts.iter().flat_map(|&it| kernel.results(it).to_vec());
    let old: Vec<Value> = old.collect();
    for (old, new) in old.into_iter().zip(values) {
        renaming.replace(kernel, old, new);
    }
    let list = &mut kernel.block_mut(block).insts;
    list.retain(|it| !run.insts.contains(it));
}

/// What all stores of a run store.
fn stored(kernel: &Kernel, insts: &[Inst]) -> SmallVec<[Value; 4]> {
    let of = |&inst: &Inst| match kernel.inst(inst) {
        InstData::Store { values, .. } => values.to_vec(),
        _ => unreachable!("it is a store"),
    };
    insts.iter().flat_map(of).collect()
}

fn moved(code: &mut Code<'_>, base: Value, by: i64) -> Value {
    if by == 0 {
        return base;
    }
    let ty = code.kernel.ty(base);
    let offset = constant(code.kernel, Type::I64, by as u64);
    code.value(InstData::PtrAdd { base, offset }, ty)
}

/// Whether an address is a multiple of a power of two.
fn is_multiple(code: &mut Code<'_>, ptr: Value, size: u32) -> Value {
    let ty = Type::Int(size.trailing_zeros() as u8);
    let number = InstData::Cast {
        op: CastOp::PtrToInt,
        arg: ptr,
    };
    let arg = code.value(number, Type::I64);
    let op = CastOp::Trunc;
    let low = code.value(InstData::Cast { op, arg }, ty);
    let zero = constant(code.kernel, ty, 0);
    let compare = InstData::Compare {
        pred: Predicate::Eq,
        args: [low, zero],
    };
    code.value(compare, Type::BOOL)
}
