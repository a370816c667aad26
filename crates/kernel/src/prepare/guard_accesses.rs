//! Guards of accesses: an access beyond its array, or one that is misaligned, does nothing and reads
//! zero, as the interpreter has it.
//!
//! Memories on the chip cannot tell: what work-items and work-groups have copies of lies side by
//! side, and memories of a power of two of bytes ignore the rest of an address. So where value
//! ranges and the branches on the way to an access do not prove it right, a guard compares the
//! distance from the object's first byte with the object's size, and the address with its alignment.
//!
//! Buffers need no comparison with their size: external memory knows where they end. What cannot be
//! seen: an address that is computed from one of several objects, chosen while the kernel runs, may
//! lie in any of them; and if one of these is a buffer, its bounds alone count.

use std::collections::{BTreeMap, HashMap};

use super::LaunchValue;
use super::homes::{Homes, homes};
use super::launch_params::LaunchParams;
use super::loops::without_exits;
use super::pointers::{Chain, PLACED_ZEROS, PointerAlignments};
use super::residence;
use crate::analysis::{BlockFacts, Cfg, Dominators, Facts, Ranges};
use crate::ir::{
    BinaryOp, Block, CastOp, Inst, InstData, Kernel, Loc, Object, ObjectKind, Predicate, Type,
    Value,
};
use crate::passes::remove_dead_code;
use crate::plan::KernelPlan;

/// Bits that hold the size of a local argument, and its sign.
const LOCAL_BITS: u32 = 26;

/// What the guard of an access compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Guarded {
    /// The address with the bounds of its objects.
    pub bounds: bool,
    /// The address with its alignment.
    pub alignment: bool,
}

/// Gives guards to the accesses that need one, and says what these compare. Those that have had a
/// guard before are left out: what theirs keeps from happening is no mistake. Iterations of the loops of one block
/// with the headers `speculative` may be in vain.
pub(crate) fn guard_accesses(
    kernel: &mut Kernel,
    params: &mut LaunchParams,
    plan: &KernelPlan,
    speculative: &[Block],
) -> BTreeMap<Inst, Guarded> {
    align_objects(kernel);
    let homes = homes(kernel);
    let loops: Vec<(Block, Block)> = speculative.iter().map(|&it| (it, it)).collect();
    let in_vain = without_exits(kernel, &loops);
    let plans = plan_guards(&in_vain, residence::group_items(kernel, plan), &homes);
    let mut guarded = BTreeMap::new();
    let mut builder = Builder {
        block: kernel.entry(),
        kernel,
        params,
        homes,
        insts: Vec::new(),
        known: HashMap::new(),
        loc: Loc::default(),
    };
    for block in builder.kernel.layout().to_vec() {
        builder.known.clear();
        builder.block = block;
        let is_speculative = speculative.contains(&block);
        for inst in std::mem::take(&mut builder.kernel.block_mut(block).insts) {
            if let Some(plan) = plans.get(&inst)
                && builder.guard(inst, plan) == Before::Unguarded
                && !is_speculative
            {
                guarded.insert(inst, plan.guarded());
            }
            builder.insts.push(inst);
        }
        builder.kernel.block_mut(block).insts = std::mem::take(&mut builder.insts);
    }
    // Addresses that were computed elsewhere.
    let _ = remove_dead_code(kernel);
    guarded
}

/// Arrays lie where their widest access wants them: whether it is aligned is up to the program then.
fn align_objects(kernel: &mut Kernel) {
    let insts: Vec<Inst> = kernel.insts().map(|(_, inst)| inst).collect();
    for inst in insts {
        let align = alignment(kernel, inst);
        let objects = kernel.inst(inst).objects();
        let objects: Vec<Object> = objects.into_iter().flat_map(|it| it.iter()).collect();
        for object in objects {
            let data = &mut kernel.objects[object];
            if matches!(
                data.kind,
                ObjectKind::Private { .. } | ObjectKind::Local { .. }
            ) {
                data.align = data.align.max(align);
            }
        }
    }
}

/// What an access's address has to be a multiple of.
fn alignment(kernel: &Kernel, inst: Inst) -> u32 {
    match kernel.inst(inst) {
        InstData::Load { access, .. } | InstData::Store { access, .. } => access.align,
        InstData::AtomicRmw { value, .. } | InstData::CmpXchg { new: value, .. } => {
            kernel.ty(*value).bits() / 8
        }
        _ => 1,
    }
}

/// How many bytes an access transfers.
fn bytes(kernel: &Kernel, inst: Inst) -> u64 {
    match kernel.inst(inst) {
        InstData::Load { access, .. } | InstData::Store { access, .. } => access.bytes().into(),
        InstData::AtomicRmw { value, .. } | InstData::CmpXchg { new: value, .. } => {
            u64::from(kernel.ty(*value).bits() / 8)
        }
        other => unreachable!("{other} is no access"),
    }
}

/// What has to be compared for an access.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Plan {
    bounds: Option<Bounds>,
    alignment: Option<Alignment>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Bounds {
    /// The distance from the first byte of the only object that the address comes from.
    Offset {
        object: Object,
        sum: Sum,
        limit: Limit,
        /// Bits that hold the distance, and its sign.
        bits: u32,
        /// Whether it is less than the limit unless it is negative.
        is_short: bool,
    },
    /// The address itself, with each of several objects.
    Address {
        ptr: Value,
        objects: Vec<(Object, Limit)>,
    },
}

/// The first distance from an object's first byte at which an access is outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Limit {
    Fixed(u64),
    /// Of a local argument, which a launch sizes.
    Launch {
        object: Object,
        bytes: u32,
    },
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Alignment {
    /// Of a distance from something that is aligned.
    Offset { sum: Sum, bits: u32 },
    /// Of the address.
    Address { ptr: Value, bits: u32 },
}

/// Signed numbers and a constant, to be added.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Sum {
    terms: Vec<Value>,
    constant: i64,
}

impl Alignment {
    /// Of the address instead of what it was computed from: where it comes from another block, it is
    /// there already.
    fn of_address(self, ptr: Value) -> Alignment {
        match self {
            Alignment::Offset { bits, .. } if bits <= PLACED_ZEROS => {
                Alignment::Address { ptr, bits }
            }
            other => other,
        }
    }
}

impl Plan {
    fn guarded(&self) -> Guarded {
        Guarded {
            bounds: self.bounds.is_some(),
            alignment: self.alignment.is_some(),
        }
    }
}

/// Finds out what is not proved.
fn plan_guards(kernel: &Kernel, group_items: u64, homes: &Homes) -> BTreeMap<Inst, Plan> {
    let cfg = Cfg::of(kernel);
    let dominators = Dominators::of(kernel, &cfg);
    let ranges = Ranges::within(kernel, group_items);
    let alignments = PointerAlignments::of(kernel, &cfg, &ranges);
    let mut plans = BTreeMap::new();
    for &block in cfg.reverse_postorder() {
        let facts = BlockFacts::of(kernel, &cfg, &dominators, &ranges, block);
        for &inst in &kernel.block(block).insts {
            let Some(ptr) = kernel.inst(inst).pointer() else {
                continue;
            };
            let chain = Chain::of(kernel, ptr);
            let sum = Sum {
                terms: chain.terms.clone(),
                constant: chain.constant,
            };
            let distance = distance(&facts, &sum);
            let bounds = bounds(kernel, inst, &chain, &sum, distance);
            let mut alignment = misalignment(kernel, inst, &chain, &sum, distance, &alignments);
            if bounds.is_none() && homes[ptr] != Some(block) {
                alignment = alignment.map(|alignment| alignment.of_address(ptr));
            }
            let plan = Plan { bounds, alignment };
            if plan != Plan::default() {
                plans.insert(inst, plan);
            }
        }
    }
    plans
}

/// What is known of a sum.
fn distance(facts: &BlockFacts<'_>, sum: &Sum) -> Facts {
    use crate::analysis::transfer;
    let start = Facts::constant(64, sum.constant as u64);
    sum.terms.iter().fold(start, |total, &term| {
        let mut facts = facts.facts(term);
        if facts.width() < 64 {
            facts = transfer::cast(CastOp::Sext, &facts, 64);
        }
        transfer::binary(BinaryOp::Add, &total, &facts)
    })
}

/// The comparison with the bounds, unless they always hold or the memory checks them itself.
fn bounds(
    kernel: &Kernel,
    inst: Inst,
    chain: &Chain,
    sum: &Sum,
    distance: Facts,
) -> Option<Bounds> {
    let bytes = bytes(kernel, inst);
    let Some(object) = chain.object(kernel) else {
        let objects = kernel.inst(inst).objects()?;
        let objects = objects
            .iter()
            .map(|object| Some((object, limit(kernel, object, bytes)?)));
        return Some(Bounds::Address {
            ptr: kernel.inst(inst).pointer()?,
            objects: objects.collect::<Option<_>>()?,
        });
    };
    let limit = limit(kernel, object, bytes)?;
    let is_short = match limit {
        Limit::Fixed(limit) => distance.smax() < 0 || (distance.smax() as u64) < limit,
        Limit::Launch { .. } => false,
    };
    let is_inside = is_short && distance.smin() >= 0;
    (!is_inside).then(|| Bounds::Offset {
        object,
        sum: sum.clone(),
        limit,
        bits: distance.signed_width(),
        is_short,
    })
}

/// The distance from which on accesses of this many bytes are out of bounds; none for buffers.
fn limit(kernel: &Kernel, object: Object, bytes: u64) -> Option<Limit> {
    match kernel.objects[object].kind {
        // Only the library of work-group functions has memory by work-item, and stays within it.
        ObjectKind::Buffer { .. } | ObjectKind::LocalPerItem { .. } => None,
        ObjectKind::LocalArg { .. } => Some(Limit::Launch {
            object,
            bytes: bytes as u32,
        }),
        ObjectKind::Private { .. }
        | ObjectKind::Local { .. }
        | ObjectKind::StructArg { .. }
        | ObjectKind::Table { .. } => {
            let size = kernel.objects[object].size();
            let size = size.expect("only buffers and local arguments have no size here");
            Some(Limit::Fixed((size + 1).saturating_sub(bytes)))
        }
    }
}

/// The look at the alignment, unless it holds for sure.
fn misalignment(
    kernel: &Kernel,
    inst: Inst,
    chain: &Chain,
    sum: &Sum,
    distance: Facts,
    alignments: &PointerAlignments,
) -> Option<Alignment> {
    let bits = alignment(kernel, inst).trailing_zeros();
    let is_base_aligned =
        chain.object(kernel).is_some() || alignments.trailing_zeros(chain.root) >= bits;
    if !is_base_aligned {
        let ptr = kernel.inst(inst).pointer()?;
        let is_aligned = alignments.trailing_zeros(ptr) >= bits;
        return (!is_aligned).then_some(Alignment::Address { ptr, bits });
    }
    (distance.trailing_zeros() < bits).then(|| Alignment::Offset {
        sum: sum.clone(),
        bits,
    })
}

/// Whether an access had a guard.
#[derive(PartialEq, Eq)]
enum Before {
    Guarded,
    Unguarded,
}

/// Puts comparisons before accesses.
struct Builder<'a> {
    kernel: &'a mut Kernel,
    params: &'a mut LaunchParams,
    homes: Homes,
    block: Block,
    /// What the block has so far.
    insts: Vec<Inst>,
    /// The guards of the block.
    known: HashMap<Plan, Checked>,
    loc: Loc,
}

/// An address that has been compared.
#[derive(Clone, Copy)]
struct Checked {
    /// Whether the access is in order.
    holds: Value,
    /// The object that it comes from, and the distance from there, if it is known.
    place: Option<(Object, Value)>,
    /// The address, if it was computed from these.
    ptr: Option<Value>,
}

impl Builder<'_> {
    fn guard(&mut self, inst: Inst, plan: &Plan) -> Before {
        self.loc = self.kernel.loc(inst);
        let mut checked = match self.known.get(plan) {
            Some(&checked) => checked,
            None => self.check(plan),
        };
        let ptr = self.kernel.inst(inst).pointer();
        let ptr = ptr.expect("an access has an address");
        if self.homes[ptr] != Some(self.block) {
            self.compute_here(inst, &mut checked);
        }
        self.known.insert(plan.clone(), checked);
        let guard = checked.holds;
        match self.kernel.inst(inst).guard() {
            Some(before) => {
                let both = self.binary(BinaryOp::And, before, guard);
                self.set_guard(inst, both);
                Before::Guarded
            }
            None => {
                self.set_guard(inst, guard);
                Before::Unguarded
            }
        }
    }

    fn set_guard(&mut self, inst: Inst, guard: Value) {
        let place = self.kernel.inst_mut(inst).guard_mut();
        *place.expect("it is an access") = Some(guard);
    }

    /// Computes the address of an access in its block: what it is computed from is there for the
    /// comparison, and the address need not come from elsewhere, too.
    fn compute_here(&mut self, inst: Inst, checked: &mut Checked) {
        let Some((object, offset)) = checked.place else {
            return;
        };
        let ptr = match checked.ptr {
            Some(ptr) => ptr,
            None => {
                let base = self.address(object);
                let ty = self.kernel.ty(base);
                self.value(InstData::PtrAdd { base, offset }, ty)
            }
        };
        checked.ptr = Some(ptr);
        let place = self.kernel.inst_mut(inst).pointer_mut();
        *place.expect("an access has an address") = ptr;
    }

    fn address(&mut self, object: Object) -> Value {
        let space = self.kernel.objects[object].space();
        self.value(InstData::Addr(object), Type::Ptr(space))
    }

    /// Compares what a plan says.
    fn check(&mut self, plan: &Plan) -> Checked {
        let mut place = None;
        let bounds = match &plan.bounds {
            None => None,
            Some(Bounds::Offset {
                object,
                sum,
                limit,
                bits,
                is_short,
            }) => {
                let bits = match limit {
                    Limit::Fixed(_) => *bits,
                    Limit::Launch { .. } => LOCAL_BITS.max(*bits),
                };
                let offset = self.sum(sum, bits);
                place = Some((*object, offset));
                Some(match is_short {
                    true => {
                        let zero = self.constant(0, bits);
                        self.compare(Predicate::Sle, zero, offset)
                    }
                    false => self.is_below(offset, *limit),
                })
            }
            Some(Bounds::Address { ptr, objects }) => Some(self.is_in_any(*ptr, objects)),
        };
        let aligned = plan.alignment.as_ref().map(|it| self.is_aligned(it));
        let holds = match (bounds, aligned) {
            (Some(inside), Some(aligned)) => self.binary(BinaryOp::And, inside, aligned),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => unreachable!("a plan has something to compare"),
        };
        Checked {
            holds,
            place,
            ptr: None,
        }
    }

    fn is_in_any(&mut self, ptr: Value, objects: &[(Object, Limit)]) -> Value {
        let address = self.number(ptr);
        let mut any = None;
        for &(object, limit) in objects {
            let base = self.address(object);
            let base = self.number(base);
            let offset = self.binary(BinaryOp::Sub, address, base);
            let one = self.is_below(offset, limit);
            any = Some(match any {
                Some(any) => self.binary(BinaryOp::Or, any, one),
                None => one,
            });
        }
        any.expect("accesses that reach nothing are gone")
    }

    /// Whether a distance is less than a limit that its type has room for, and not negative.
    fn is_below(&mut self, offset: Value, limit: Limit) -> Value {
        let bits = self.kernel.ty(offset).bits();
        let limit = match limit {
            Limit::Fixed(limit) => self.constant(limit, bits),
            Limit::Launch { object, bytes } => {
                let limit = LaunchValue::LocalLimit { object, bytes };
                let param = self.params.param(self.kernel, limit, Type::I32);
                let limit = self.value(InstData::Arg { param, lane: 0 }, Type::I32);
                self.resized(limit, bits, CastOp::Zext)
            }
        };
        self.compare(Predicate::Ult, offset, limit)
    }

    fn is_aligned(&mut self, alignment: &Alignment) -> Value {
        let (low, bits) = match *alignment {
            Alignment::Offset { ref sum, bits } => (self.sum(sum, bits), bits),
            Alignment::Address { ptr, bits } => {
                let address = self.number(ptr);
                (self.resized(address, bits, CastOp::Zext), bits)
            }
        };
        let zero = self.constant(0, bits);
        self.compare(Predicate::Eq, low, zero)
    }

    /// The lowest bits of a sum.
    fn sum(&mut self, sum: &Sum, bits: u32) -> Value {
        let mut total = None;
        for &term in &sum.terms {
            let term = self.computed_here(term);
            let term = self.resized(term, bits, CastOp::Sext);
            total = Some(match total {
                Some(total) => self.binary(BinaryOp::Add, total, term),
                None => term,
            });
        }
        let constant = sum.constant as u64 & Type::Int(bits as u8).mask();
        match (total, constant) {
            (Some(total), 0) => total,
            (Some(total), constant) => {
                let constant = self.constant(constant, bits);
                self.binary(BinaryOp::Add, total, constant)
            }
            (None, constant) => self.constant(constant, bits),
        }
    }

    /// A value that is only wires to a narrower one of another block: the wires can be here.
    fn computed_here(&mut self, value: Value) -> Value {
        if self.homes[value].is_none_or(|home| home == self.block) {
            return value;
        }
        let ty = self.kernel.ty(value);
        match self.kernel.def_inst(value) {
            Some(&InstData::Cast {
                op: op @ (CastOp::Zext | CastOp::Sext),
                arg,
            }) => {
                let arg = self.computed_here(arg);
                self.value(InstData::Cast { op, arg }, ty)
            }
            Some(&InstData::Binary {
                op: BinaryOp::Shl,
                args: [arg, by],
            }) if self.kernel.constant(by).is_some() => {
                let arg = self.computed_here(arg);
                let by = self.kernel.constant(by).expect("it was just seen");
                let by = self.value(InstData::Const(by), ty);
                self.binary(BinaryOp::Shl, arg, by)
            }
            _ => value,
        }
    }

    fn resized(&mut self, value: Value, bits: u32, extend: CastOp) -> Value {
        let op = match self.kernel.ty(value).bits() {
            from if from < bits => extend,
            from if from > bits => CastOp::Trunc,
            _ => return value,
        };
        self.value(InstData::Cast { op, arg: value }, Type::Int(bits as u8))
    }

    fn number(&mut self, ptr: Value) -> Value {
        let op = CastOp::PtrToInt;
        self.value(InstData::Cast { op, arg: ptr }, Type::I64)
    }

    fn constant(&mut self, bits: u64, width: u32) -> Value {
        self.value(InstData::Const(bits), Type::Int(width as u8))
    }

    fn compare(&mut self, pred: Predicate, a: Value, b: Value) -> Value {
        self.value(InstData::Compare { pred, args: [a, b] }, Type::BOOL)
    }

    fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.kernel.ty(a);
        self.value(InstData::Binary { op, args: [a, b] }, ty)
    }

    fn value(&mut self, data: InstData, ty: Type) -> Value {
        let inst = self.kernel.make_inst(data, &[ty], self.loc);
        self.insts.push(inst);
        self.kernel.result(inst)
    }
}
