//! Conditions under which a claim holds, which a host can check for each launch.

use std::fmt;

use sluice_circuit::arith::Signedness;

use super::form::{Product, Sum, Symbol, Term};
use crate::ir::{CastOp, InstData, Kernel, Query, Value};
use crate::launch::{Argument, Launch, NdRange};
use crate::semantics::signed;

/// How many operations a value is followed through, at most.
const DEPTH: u32 = 12;

/// What has to be true of a launch. Without any, a claim is true for all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// What the index space has only one of, in each dimension.
    pub dims: [Option<Only>; 3],
    /// Ids and what they are less than.
    pub below: Vec<(Term, i128)>,
    /// What must not wrap, as the addresses are computed.
    pub reach: Vec<Reach>,
}

/// What an index space has only one of in a dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Only {
    /// One work-item.
    Item,
    /// One work-group.
    Group,
    /// One work-item in each work-group.
    ItemOfGroup,
}

/// The greatest distance of two addresses of an access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// It has to be less than two to the power of this.
    pub bits: u32,
    /// What is added to the parts.
    pub(in crate::analysis) rest: i128,
    pub(in crate::analysis) parts: Vec<Part>,
}

/// A part of the distance: a coefficient times the greatest distance of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::analysis) struct Part {
    pub(in crate::analysis) coefficient: i128,
    pub(in crate::analysis) factors: Product,
    pub(in crate::analysis) extent: Extent,
}

/// The greatest distance of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::analysis) enum Extent {
    Known(i128),
    /// That of an id.
    Id(Term),
    /// A sum of values that the launch decides, or 0 if that is negative.
    Bound(Sum),
}

impl Only {
    /// What there has to be only one of for both.
    fn and(self, other: Only) -> Only {
        match self == other {
            true => self,
            // One work-group with one work-item is one work-item.
            false => Only::Item,
        }
    }
}

impl Conditions {
    /// These and others together.
    pub fn and(mut self, other: &Conditions) -> Conditions {
        for (here, there) in self.dims.iter_mut().zip(other.dims) {
            *here = match (*here, there) {
                (Some(one), Some(other)) => Some(one.and(other)),
                (one, other) => one.or(other),
            };
        }
        for below in &other.below {
            if !self.below.contains(below) {
                self.below.push(*below);
            }
        }
        for reach in &other.reach {
            if !self.reach.contains(reach) {
                self.reach.push(reach.clone());
            }
        }
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Conditions::default()
    }

    /// Whether they hold for a launch of the kernel.
    pub fn hold(&self, kernel: &Kernel, launch: &Launch) -> bool {
        let range = &launch.range;
        let groups = range.num_groups();
        let holds = |dim: usize| match self.dims[dim] {
            None => true,
            Some(Only::Item) => range.global[dim] == 1,
            Some(Only::Group) => groups[dim] == 1,
            Some(Only::ItemOfGroup) => range.local[dim] == 1,
        };
        let mut below = self.below.iter();
        (0..3).all(holds)
            && below.all(|&(term, limit)| {
                greatest(term, range).is_some_and(|greatest| greatest < limit)
            })
            && self.reach.iter().all(|reach| {
                let reached = reach.evaluate(kernel, launch);
                reached.is_some_and(|reached| reached < 1 << reach.bits)
            })
    }
}

impl Reach {
    fn evaluate(&self, kernel: &Kernel, launch: &Launch) -> Option<i128> {
        let mut all = self.rest;
        for part in &self.parts {
            let mut value = part.coefficient.checked_abs()?;
            for &factor in part.factors.factors() {
                let factor = at_launch(factor, kernel, launch)?;
                value = value.checked_mul(factor.checked_abs()?)?;
            }
            let extent = match &part.extent {
                Extent::Known(extent) => *extent,
                Extent::Id(term) => extent(*term, &launch.range)?,
                Extent::Bound(sum) => {
                    let value = sum.evaluate(|term| at_launch(term, kernel, launch))?;
                    value.max(0)
                }
            };
            all = all.checked_add(value.checked_mul(extent)?)?;
        }
        Some(all)
    }
}

/// The greatest value of an id.
fn greatest(term: Term, range: &NdRange) -> Option<i128> {
    let first = match term {
        Term::GlobalId(dim) => range.offset[usize::from(dim)],
        _ => 0,
    };
    Some(extent(term, range)? + i128::from(first))
}

/// The greatest distance of two ids.
fn extent(term: Term, range: &NdRange) -> Option<i128> {
    let count = match term {
        Term::GlobalId(dim) => range.global[usize::from(dim)],
        Term::LocalId(dim) => range.local[usize::from(dim)],
        Term::GroupId(dim) => range.num_groups()[usize::from(dim)],
        Term::Base(_) | Term::ItemSlot | Term::GroupSlot | Term::Iteration(_) | Term::Value(_) => {
            return None;
        }
    };
    Some((i128::from(count) - 1).max(0))
}

fn at_launch(term: Term, kernel: &Kernel, launch: &Launch) -> Option<i128> {
    let Term::Value(Symbol { value, reading, .. }) = term else {
        return None;
    };
    let bits = evaluate(value, kernel, launch, DEPTH)?;
    Some(match reading {
        Signedness::Unsigned => bits.into(),
        Signedness::Signed => signed(kernel.ty(value), bits).into(),
    })
}

/// The bits of an integer that the launch alone decides, if few operations compute it.
fn evaluate(value: Value, kernel: &Kernel, launch: &Launch, depth: u32) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let ty = kernel.ty(value);
    if !ty.is_int() {
        return None;
    }
    let range = &launch.range;
    let bits = match *kernel.def_inst(value)? {
        InstData::Const(bits) => bits,
        InstData::Arg { param, lane } => match launch.args.get(param as usize)? {
            Argument::Value(lanes) => *lanes.get(usize::from(lane))?,
            Argument::Buffer(_) | Argument::Null | Argument::Local(_) | Argument::Struct(_) => {
                return None;
            }
        },
        InstData::Query { query, dim } => match query {
            Query::GlobalSize => range.global[usize::from(dim)],
            Query::LocalSize => range.local[usize::from(dim)],
            Query::NumGroups => range.num_groups()[usize::from(dim)],
            Query::GlobalOffset => range.offset[usize::from(dim)],
            Query::WorkDim => range.dims.into(),
            Query::GlobalId
            | Query::LocalId
            | Query::GroupId
            | Query::ItemSlot
            | Query::GroupSlot => return None,
        },
        InstData::Binary { op, args: [a, b] } => {
            let [a, b] = [a, b].map(|arg| evaluate(arg, kernel, launch, depth));
            op.evaluate(ty, a?, b?)
        }
        InstData::Cast { op, arg } => {
            let bits = evaluate(arg, kernel, launch, depth)?;
            match op {
                CastOp::Zext | CastOp::Trunc => bits,
                CastOp::Sext => signed(kernel.ty(arg), bits) as u64,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(bits & ty.mask())
}

impl fmt::Display for Conditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims = self.dims.iter().enumerate();
        let dims = dims.filter_map(|(dim, only)| {
            Some(match (*only)? {
                Only::Item => format!("one work-item in dimension {dim}"),
                Only::Group => format!("one work-group in dimension {dim}"),
                Only::ItemOfGroup => format!("one work-item per work-group in dimension {dim}"),
            })
        });
        let below = self
            .below
            .iter()
            .map(|(term, limit)| format!("{term} below {limit}"));
        let reach = self.reach.iter().map(|reach| {
            let bits = reach.bits;
            format!("addresses less than 2^{bits} bytes apart")
        });
        let all: Vec<String> = dims.chain(below).chain(reach).collect();
        f.write_str(&all.join(", "))
    }
}
