//! Accesses: which bytes each load, store and atomic operation goes to, in terms of ids, iterations
//! of loops and values that are the same for all work-items.
//!
//! The distance of an address from its object's first byte is a [`Form`]: a sum of products of
//! [terms](Term) that it equals, or agrees with modulo a power of two where arithmetic might wrap.
//! Strides, uniformity and relations between accesses are read off the sums. Everything holds for
//! every launch that [`Launch::check`] accepts, and for accesses that are executed; what holds only
//! under conditions says so. Where nothing can be said for sure, the answer is that nothing is known.
//!
//! Sums are exact or modular, never guessed: `numbers` says why. Two accesses of one object are apart
//! if their ranges are, or if their distance is never small enough modulo what all coefficients have
//! in common; accesses of *different* work-items, or iterations, also if the ids, or the numbers of
//! the iterations, can be read off the address: `separation` has the proof.
//!
//! [`Launch::check`]: crate::launch::Launch::check

mod conditions;
mod form;
pub(super) mod numbers;
mod print;
mod relation;
mod separation;

pub use conditions::{Conditions, Only, Reach};
pub(super) use conditions::{Extent, Part};
pub use form::{Interval, Product, Sum, Symbol, Term};
pub use relation::{Answer, Overlap, ReadAfterWrite, Reason};

use std::collections::BTreeMap;
use std::fmt;

use sluice_circuit::arith::Signedness;

use super::guards::{self, Comparison, Truth};
use super::uniform::Scope;
use super::{Loop, Loops};
use crate::ir::{AccessKind, Block, Effect, Inst, InstData, Kernel, Object, ObjectSet, Space};
use numbers::{Numbers, Surroundings};
use separation::Extents;

/// All accesses of a kernel.
pub struct Accesses {
    list: Vec<Access>,
    by_inst: BTreeMap<Inst, usize>,
    objects: BTreeMap<Object, Space>,
    flow: relation::ControlFlow,
    synchronises: Synchronisation,
    required: Option<[u32; 3]>,
}

/// What orders the accesses of different work-items.
#[derive(Clone, Copy, Debug, Default)]
struct Synchronisation {
    global: bool,
    local: bool,
}

/// What is known of one load, store or atomic operation.
#[derive(Clone, Debug)]
pub struct Access {
    /// The instruction.
    pub inst: Inst,
    /// Its block.
    pub block: Block,
    /// What it does.
    pub kind: AccessKind,
    /// Whether it must happen as written.
    pub is_volatile: bool,
    /// The [lag](crate::ir::Access::lag) of a load, else 0.
    pub lag: u8,
    /// The objects that it may lead to.
    pub objects: ObjectSet,
    /// The number of bytes that it transfers.
    pub bytes: u32,
    /// Where it goes.
    pub form: Result<Form, Unknown>,
    /// From a work-item to the one whose local id is one more in dimension 0, all other ids and the
    /// numbers of all iterations being equal.
    pub stride: Option<Stride>,
    /// From an iteration to the next one of each loop around the access, the outermost first, the
    /// numbers of all other iterations being equal.
    pub loop_strides: Vec<(Loop, Option<Stride>)>,
    /// What the offset is the same for, the numbers of all iterations being equal; if the form has a
    /// modulus, for accesses that lie within the object. Work-items have copies of their own of
    /// private objects, work-groups of local ones.
    pub uniform: Uniformity,
    /// The values that the offset can have, if they are known to be bounded.
    pub range: Option<Interval>,
    /// The offsets of executions that lie within the object.
    bounds: Interval,
    /// What is needed to tell work-items apart.
    extents: Extents,
}

/// The distance of an address from the first byte of its object, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    /// The object.
    pub object: Object,
    /// The distance. A value that is a pointer stands for its own distance.
    pub sum: Sum,
    /// If there is a number: the distance agrees with the sum modulo two to the power of it, and need
    /// not be equal.
    pub modulus: Option<u32>,
}

/// Why the form of an address is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// It can lead to several objects, or to none.
    Objects,
    /// It is computed from several addresses, or from none.
    Base,
    /// The access is never executed.
    Unreachable,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unknown::Objects => "the address leads to several objects or to none",
            Unknown::Base => "the address is not computed from that of its object",
            Unknown::Unreachable => "the access is never executed",
        })
    }
}

/// A distance between two executions of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stride {
    /// Its bytes.
    pub bytes: Sum,
    /// When it is that.
    pub holds: Holds,
}

/// When a distance between two executions of an access is what a sum says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Always.
    Always,
    /// If both accesses lie within their object.
    InBounds,
    /// Modulo two to the power of this.
    Modulo(u32),
}

impl Stride {
    /// The distance, if it is the same in every launch, for accesses that lie within their object.
    pub fn constant(&self) -> Option<i64> {
        match self.holds {
            Holds::Always | Holds::InBounds => i64::try_from(self.bytes.as_constant()?).ok(),
            Holds::Modulo(_) => None,
        }
    }

    /// The distance, if it is the same in every launch as long as no arithmetic wraps: what a
    /// prefetcher may expect, and nothing may rely on.
    pub fn expected(&self) -> Option<i64> {
        i64::try_from(self.bytes.as_constant()?).ok()
    }
}

impl Access {
    /// Whether its results depend on what memory holds.
    pub fn reads(&self) -> bool {
        self.kind.reads()
    }

    /// Whether it may change what memory holds.
    pub fn writes(&self) -> bool {
        self.kind.writes()
    }

    /// The offsets of executions that lie within the object.
    pub(super) fn bounds(&self) -> Interval {
        self.bounds
    }
}

/// What an address is the same for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uniformity {
    /// All work-items of a launch.
    Launch,
    /// All work-items of a group.
    Group,
    /// It may be another one for each work-item.
    Item,
}

impl Accesses {
    /// The accesses of a kernel that has passed verification.
    pub fn of(kernel: &Kernel) -> Accesses {
        Accesses::within(kernel, u64::from(u32::MAX))
    }

    /// The accesses of a kernel in launches whose work-groups have at most `group_items` work-items.
    pub fn within(kernel: &Kernel, group_items: u64) -> Accesses {
        Accesses::in_surroundings(&Surroundings::of(kernel, group_items))
    }

    pub(super) fn in_surroundings(surroundings: &Surroundings<'_>) -> Accesses {
        let kernel = surroundings.kernel;
        let mut list = Vec::new();
        for &block in kernel.layout() {
            let insts = kernel.block(block).insts.iter();
            let insts = insts.filter(|&&inst| kernel.inst(inst).access_effect().is_some());
            let mut numbers = None;
            for &inst in insts {
                let numbers = numbers.get_or_insert_with(|| Numbers::at(surroundings, block));
                list.push(describe(numbers, block, inst));
            }
        }
        let by_inst = list.iter().enumerate();
        let objects = kernel.objects.iter();
        Accesses {
            by_inst: by_inst.map(|(at, access)| (access.inst, at)).collect(),
            list,
            objects: objects
                .map(|(object, data)| (object, data.space()))
                .collect(),
            synchronises: Synchronisation::of(kernel),
            required: kernel.work_group_size.required,
            flow: relation::ControlFlow::of(surroundings),
        }
    }

    /// The accesses in the order of the kernel's layout.
    pub fn iter(&self) -> impl Iterator<Item = &Access> {
        self.list.iter()
    }

    /// The access of an instruction, if it makes one.
    pub fn get(&self, inst: Inst) -> Option<&Access> {
        Some(&self.list[*self.by_inst.get(&inst)?])
    }

    fn objects(&self) -> impl Iterator<Item = Object> {
        self.objects.keys().copied()
    }

    /// The loops of the kernel, which terms and strides refer to.
    pub fn loops(&self) -> &Loops {
        self.flow.loops()
    }
}

impl Synchronisation {
    fn of(kernel: &Kernel) -> Synchronisation {
        let mut found = Synchronisation::default();
        for (_, inst) in kernel.insts() {
            match kernel.inst(inst).effect() {
                Effect::Access(access) => {
                    found.global |= access.synchronises();
                    found.local |= access.synchronises();
                }
                Effect::Fence(fences) | Effect::Barrier(fences) => {
                    found.global |= fences.global;
                    found.local |= fences.local;
                }
                Effect::Pure | Effect::Print | Effect::Control => {}
            }
        }
        found
    }
}

fn describe(numbers: &Numbers<'_>, block: Block, inst: Inst) -> Access {
    let kernel = numbers.surroundings.kernel;
    let data = kernel.inst(inst);
    let effect = data.access_effect().expect("the caller has looked");
    let form = form(numbers, block, data);
    let around = numbers.surroundings.loops_around(block);
    let bytes = transferred(kernel, data);
    let mut access = Access {
        inst,
        block,
        kind: effect.kind,
        is_volatile: effect.is_volatile,
        lag: effect.lag,
        objects: effect.objects.clone(),
        bytes,
        stride: None,
        loop_strides: around.iter().map(|&loop_| (loop_, None)).collect(),
        uniform: Uniformity::Item,
        range: None,
        bounds: Interval {
            least: 0,
            greatest: i64::MAX.into(),
        },
        extents: Extents::default(),
        form,
    };
    let Ok(form) = &access.form else {
        return access;
    };
    let exact = match form.modulus {
        None => numbers.interval(&form.sum),
        Some(_) => None,
    };
    let pointer = data.pointer().expect("accesses have an address");
    // What exceeds 64 bits may have wrapped.
    let by_facts = numbers.distance(pointer);
    let by_facts = by_facts.filter(|range| range.is_within(all_addresses()));
    access.range = match (exact, by_facts) {
        (Some(a), Some(b)) => Some(a.and(b).unwrap_or(a)),
        (a, b) => a.or(b),
    };
    access.bounds = in_bounds(kernel, form, access.range, bytes);
    let spread = access.bounds.width().max(0);
    access.stride = neighbour_stride(form, spread);
    for (loop_, stride) in &mut access.loop_strides {
        *stride = loop_stride(numbers.surroundings, form, spread, *loop_);
    }
    access.uniform = match form.modulus {
        Some(bits) if spread >= 1 << bits => Uniformity::Item,
        _ => uniformity(&form.sum),
    };
    access.extents = Extents::of(numbers, form, &comparisons(numbers, block, data));
    access
}

/// The comparisons that hold whenever an access is made.
pub(super) fn comparisons(numbers: &Numbers<'_>, block: Block, data: &InstData) -> Vec<Comparison> {
    let Surroundings {
        kernel,
        cfg,
        dominators,
        ..
    } = numbers.surroundings;
    let mut conditions = guards::conditions(kernel, cfg, dominators, block);
    conditions.extend(data.guard().map(|guard| (guard, Truth::Holds)));
    let all = conditions.into_iter();
    all.flat_map(|(cond, truth)| guards::comparisons(kernel, cond, truth))
        .collect()
}

fn transferred(kernel: &Kernel, data: &InstData) -> u32 {
    match data {
        InstData::Load { access, .. } | InstData::Store { access, .. } => access.bytes(),
        InstData::AtomicRmw { value, .. } | InstData::CmpXchg { new: value, .. } => {
            kernel.ty(*value).bits() / 8
        }
        _ => 0,
    }
}

fn form(numbers: &Numbers<'_>, block: Block, data: &InstData) -> Result<Form, Unknown> {
    if !numbers.surroundings.cfg.is_reachable(block) {
        return Err(Unknown::Unreachable);
    }
    let object = data.objects().and_then(|objects| objects.single());
    let object = object.ok_or(Unknown::Objects)?;
    let pointer = data.pointer().expect("accesses have an address");
    let number = numbers.of(pointer);
    let base = Sum::term(Term::Base(object));
    let is_base = |term: Term| matches!(term, Term::Base(_));
    let has_base = number.sum.terms().any(is_base);
    let sum = match has_base {
        true => number.sum.minus(&base).ok_or(Unknown::Base)?,
        // A pointer that is a term of its own stands for its own distance.
        false => number.sum,
    };
    if sum.terms().any(is_base) {
        return Err(Unknown::Base);
    }
    let range = numbers.interval(&sum);
    let is_within = range.is_some_and(|range| range.is_within(all_addresses()));
    let is_exact = number.bits == 64 && is_within;
    Ok(Form {
        object,
        sum,
        modulus: (!is_exact).then_some(number.bits),
    })
}

/// The distances that addresses can have.
fn all_addresses() -> Interval {
    form::all_of(64, Signedness::Signed)
}

/// The offsets of accesses that lie within the object.
fn in_bounds(kernel: &Kernel, form: &Form, range: Option<Interval>, bytes: u32) -> Interval {
    let size = kernel.objects[form.object].size();
    let last = size.map(|size| i128::from(size) - i128::from(bytes));
    let greatest = [range.map(|range| range.greatest), last];
    let greatest = greatest.into_iter().flatten().min();
    Interval {
        least: range.map_or(0, |range| range.least.max(0)),
        greatest: greatest.unwrap_or(i64::MAX.into()),
    }
}

fn neighbour_stride(form: &Form, spread: i128) -> Option<Stride> {
    let differs = |term: Term| match term {
        Term::ItemSlot => true,
        Term::Value(symbol) => symbol.scope > Scope::Group,
        Term::Base(_)
        | Term::GlobalId(_)
        | Term::LocalId(_)
        | Term::GroupId(_)
        | Term::GroupSlot
        | Term::Iteration(_) => false,
    };
    if form.sum.terms().any(differs) {
        return None;
    }
    stride(form, spread, &[Term::GlobalId(0), Term::LocalId(0)])
}

fn loop_stride(
    surroundings: &Surroundings<'_>,
    form: &Form,
    spread: i128,
    loop_: Loop,
) -> Option<Stride> {
    let is_fixed = |term: Term| match term {
        Term::Iteration(_) => true,
        other => surroundings.is_invariant(other, loop_),
    };
    if !form.sum.terms().all(is_fixed) {
        return None;
    }
    stride(form, spread, &[Term::Iteration(loop_)])
}

fn stride(form: &Form, spread: i128, terms: &[Term]) -> Option<Stride> {
    let bytes = form.sum.growth(terms)?;
    if bytes.terms().any(|term| terms.contains(&term)) {
        return None;
    }
    let holds = holds(form.modulus, spread, &bytes);
    Some(Stride { bytes, holds })
}

/// When a distance holds between offsets that agree with their sums modulo 2^bits, and are at most
/// `spread` apart if they lie within the object.
fn holds(modulus: Option<u32>, spread: i128, distance: &Sum) -> Holds {
    match (modulus, distance.as_constant()) {
        (None, _) => Holds::Always,
        // What agrees modulo 2^bits and is less than that apart is equal.
        (Some(bits), Some(by)) if spread.saturating_add(by.saturating_abs()) < 1 << bits => {
            Holds::InBounds
        }
        (Some(bits), _) => Holds::Modulo(bits),
    }
}

fn uniformity(sum: &Sum) -> Uniformity {
    match sum.terms().map(|term| term.scope()).max() {
        None | Some(Scope::Launch) => Uniformity::Launch,
        Some(Scope::Group) => Uniformity::Group,
        Some(Scope::Item | Scope::Once) => Uniformity::Item,
    }
}
