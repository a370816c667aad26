//! The kernel that is being built: its end, and what the values of the original kernel have become.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use smallvec::SmallVec;

use super::divergence::{Divergence, Flow};
use super::strides::Strides;
use crate::ir::{
    BinaryOp, Block, BlockCall, InstData, Kernel, Loc, Object, ObjectKind, ObjectSet, Type, Value,
};

/// What a value has become.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Bundle {
    /// One value for all lanes.
    One(Value),
    /// One for each lane.
    Each(Vec<Value>),
}

/// The lanes that are active at a place: those for which `all` holds, and their own of `each`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Mask {
    pub(super) all: Option<Value>,
    pub(super) each: Option<Vec<Value>>,
}

impl Mask {
    /// All lanes, always.
    pub(super) fn is_full(&self) -> bool {
        self.all.is_none() && self.each.is_none()
    }
}

/// A kernel of tokens that is being built from one of work-items.
pub(super) struct Builder<'a> {
    pub(super) from: &'a Kernel,
    pub(super) flow: &'a Flow,
    pub(super) divergence: &'a Divergence,
    pub(super) strides: &'a Strides<'a>,
    pub(super) to: Kernel,
    /// Work-items of a token.
    pub(super) lanes: usize,
    /// The block that is being added to.
    pub(super) at: Block,
    /// Where the present instruction comes from.
    pub(super) loc: Loc,
    /// What values have become.
    bundles: SecondaryMap<Value, Option<Bundle>>,
    /// By lane, its copies of private objects.
    private: Vec<BTreeMap<Object, Object>>,
}

impl<'a> Builder<'a> {
    /// The empty kernel: an interface and objects.
    pub(super) fn new(
        from: &'a Kernel,
        flow: &'a Flow,
        divergence: &'a Divergence,
        strides: &'a Strides<'a>,
        lanes: usize,
    ) -> Builder<'a> {
        let mut to = Kernel::new(from.name.clone());
        to.files.clone_from(&from.files);
        to.params.clone_from(&from.params);
        to.variables.clone_from(&from.variables);
        to.vec_type_hint = from.vec_type_hint;
        to.subnormals = from.subnormals;
        to.reassociation = from.reassociation;
        to.objects = from.objects.clone();
        let in_tokens = |[x, y, z]: [u32; 3]| {
            let rows = x / lanes as u32;
            x.is_multiple_of(lanes as u32).then_some([rows, y, z])
        };
        to.work_group_size.required = from.work_group_size.required.and_then(in_tokens);
        to.work_group_size.hint = from.work_group_size.hint.and_then(in_tokens);
        let mut private = vec![BTreeMap::new(); lanes];
        for (object, data) in &from.objects {
            match data.kind {
                // The group of tokens is smaller by as much.
                ObjectKind::LocalPerItem { bytes } => {
                    let bytes = bytes * lanes as u64;
                    to.objects[object].kind = ObjectKind::LocalPerItem { bytes };
                }
                ObjectKind::Private { .. } => {
                    private[0].insert(object, object);
                    for (lane, copies) in private.iter_mut().enumerate().skip(1) {
                        let mut copy = data.clone();
                        copy.name = format!("{}_lane{lane}", data.name);
                        copies.insert(object, to.objects.push(copy));
                    }
                }
                ObjectKind::Buffer { .. }
                | ObjectKind::LocalArg { .. }
                | ObjectKind::StructArg { .. }
                | ObjectKind::Local { .. }
                | ObjectKind::Table { .. } => {}
            }
        }
        let at = to.add_block();
        Builder {
            from,
            flow,
            divergence,
            strides,
            to,
            lanes,
            at,
            loc: Loc::default(),
            bundles: SecondaryMap::new(),
            private,
        }
    }

    /// What a value has become.
    pub(super) fn bundle(&self, value: Value) -> Bundle {
        let bundle = self.bundles[value].clone();
        bundle.expect("verify: definitions dominate their uses")
    }

    /// Says what a value has become.
    pub(super) fn set(&mut self, value: Value, bundle: Bundle) {
        self.bundles[value] = Some(bundle);
    }

    /// What a value has become for a lane.
    pub(super) fn lane(&self, value: Value, lane: usize) -> Value {
        let bundle = self.bundles[value].as_ref();
        match bundle.expect("verify: definitions dominate their uses") {
            Bundle::One(one) => *one,
            Bundle::Each(each) => each[lane],
        }
    }

    /// The copy of an object that a lane has.
    pub(super) fn object(&self, object: Object, lane: usize) -> Object {
        self.private[lane].get(&object).copied().unwrap_or(object)
    }

    /// The objects that a lane may reach.
    pub(super) fn objects(&self, objects: &ObjectSet, lane: usize) -> ObjectSet {
        objects.iter().map(|it| self.object(it, lane)).collect()
    }

    /// Adds an instruction with one result.
    pub(super) fn value(&mut self, data: InstData, ty: Type) -> Value {
        self.to.append_value(self.at, data, ty, self.loc)
    }

    pub(super) fn constant(&mut self, bits: u64, ty: Type) -> Value {
        self.value(InstData::Const(bits & ty.mask()), ty)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, args: [Value; 2]) -> Value {
        let ty = self.to.ty(args[0]);
        self.value(InstData::Binary { op, args }, ty)
    }

    pub(super) fn select(&mut self, cond: Value, args: [Value; 2]) -> Value {
        if args[0] == args[1] {
            return args[0];
        }
        let ty = self.to.ty(args[0]);
        self.value(InstData::Select { cond, args }, ty)
    }

    pub(super) fn jump(&mut self, block: Block, args: impl IntoIterator<Item = Value>) {
        let args: SmallVec<[Value; 4]> = args.into_iter().collect();
        let jump = InstData::Jump(BlockCall { block, args });
        self.to.append(self.at, jump, &[], self.loc);
    }

    pub(super) fn branch(&mut self, cond: Value, targets: [(Block, Vec<Value>); 2]) {
        let targets = targets.map(|(block, args)| BlockCall {
            block,
            args: args.into_iter().collect(),
        });
        let branch = InstData::Branch { cond, targets };
        self.to.append(self.at, branch, &[], self.loc);
    }

    /// Adds parameters to a block: one, or one for each lane.
    pub(super) fn params(&mut self, block: Block, ty: Type, shape: Shape) -> Bundle {
        match shape {
            Shape::One => Bundle::One(self.to.add_block_param(block, ty)),
            Shape::Each => {
                let lanes = 0..self.lanes;
                let params = lanes.map(|_| self.to.add_block_param(block, ty));
                Bundle::Each(params.collect())
            }
        }
    }

    /// A bundle as arguments for parameters of a shape.
    pub(super) fn arguments(&self, bundle: &Bundle, shape: Shape) -> Vec<Value> {
        match (bundle, shape) {
            (Bundle::One(one), Shape::One) => vec![*one],
            (Bundle::One(one), Shape::Each) => vec![*one; self.lanes],
            (Bundle::Each(each), Shape::Each) => each.clone(),
            (Bundle::Each(_), Shape::One) => {
                unreachable!("divergence: what is uniform has one value")
            }
        }
    }

    /// Whether two conditions hold, of which none is one that always does.
    pub(super) fn both(&mut self, a: Option<Value>, b: Option<Value>) -> Option<Value> {
        match (a, b) {
            (Some(a), Some(b)) if a == b => Some(a),
            (Some(a), Some(b)) => Some(self.binary(BinaryOp::And, [a, b])),
            (one, None) | (None, one) => one,
        }
    }

    pub(super) fn not(&mut self, cond: Value) -> Value {
        let one = self.constant(1, Type::BOOL);
        self.binary(BinaryOp::Xor, [cond, one])
    }

    /// Whether a lane is active; none if it always is.
    pub(super) fn is_active(&mut self, mask: &Mask, lane: usize) -> Option<Value> {
        let each = mask.each.as_ref().map(|each| each[lane]);
        self.both(mask.all, each)
    }

    /// Whether any lane is active; none if there always is one.
    pub(super) fn any(&mut self, mask: &Mask) -> Option<Value> {
        let each = mask.each.as_ref().map(|each| self.any_of(each));
        self.both(mask.all, each)
    }

    /// Whether any of some conditions holds.
    pub(super) fn any_of(&mut self, conditions: &[Value]) -> Value {
        match conditions {
            [one] => *one,
            all => {
                let (left, right) = all.split_at(all.len() / 2);
                let args = [self.any_of(left), self.any_of(right)];
                self.binary(BinaryOp::Or, args)
            }
        }
    }

    /// The lanes of a mask, each with a condition of its own.
    pub(super) fn expand(&mut self, mask: &Mask) -> Vec<Value> {
        let lanes = 0..self.lanes;
        lanes
            .map(|lane| match self.is_active(mask, lane) {
                Some(active) => active,
                None => self.constant(1, Type::BOOL),
            })
            .collect()
    }

    /// The lanes that are active in any of some masks.
    pub(super) fn union(&mut self, masks: &[Mask]) -> Mask {
        let [first, others @ ..] = masks else {
            let none = self.constant(0, Type::BOOL);
            return Mask {
                all: Some(none),
                each: None,
            };
        };
        if masks.iter().any(Mask::is_full) {
            return Mask::default();
        }
        if others.iter().all(|mask| mask.each == first.each) {
            let conditions: Option<Vec<Value>> = masks.iter().map(|mask| mask.all).collect();
            let all = conditions.map(|conditions| self.any_of(&conditions));
            let each = first.each.clone();
            return Mask { all, each };
        }
        let expanded: Vec<Vec<Value>> = masks.iter().map(|mask| self.expand(mask)).collect();
        let lanes = 0..self.lanes;
        let each = lanes.map(|lane| {
            let of_lane: Vec<Value> = expanded.iter().map(|it| it[lane]).collect();
            self.any_of(&of_lane)
        });
        let each = Some(each.collect());
        Mask { all: None, each }
    }

    /// The lanes of a mask for which a condition holds, and the others.
    pub(super) fn split(&mut self, mask: &Mask, cond: &Bundle) -> [Mask; 2] {
        match cond {
            Bundle::One(cond) => [*cond, self.not(*cond)].map(|cond| Mask {
                all: self.both(mask.all, Some(cond)),
                each: mask.each.clone(),
            }),
            Bundle::Each(conditions) => {
                let mut sides = [Vec::new(), Vec::new()];
                for (lane, &cond) in conditions.iter().enumerate() {
                    let active = mask.each.as_ref().map(|each| each[lane]);
                    for (side, cond) in sides.iter_mut().zip([cond, self.not(cond)]) {
                        side.extend(self.both(active, Some(cond)));
                    }
                }
                sides.map(|each| Mask {
                    all: mask.all,
                    each: Some(each),
                })
            }
        }
    }
}

/// How many values there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// One for all lanes.
    One,
    /// One for each lane.
    Each,
}
