//! The kernel that is being built: its interface, its objects, and the loops around its regions.

use std::collections::{BTreeMap, HashMap};

use smallvec::SmallVec;

use super::regions::{Origin, Region, Regions};
use super::slots::Slots;
use super::{Looped, Space};
use crate::ir::{
    Block, BlockCall, CastOp, InstData, Kernel, Loc, Object, ObjectKind, Query, Type, Value,
};
use crate::prepare::{LaunchParams, LaunchValue};

/// A kernel of loops that is being built from one of work-items.
pub(super) struct Builder<'a> {
    pub(super) from: &'a Kernel,
    pub(super) regions: &'a Regions<'a>,
    pub(super) to: Kernel,
    params: &'a mut LaunchParams,
    pub(super) space: Space,
    pub(super) slots: Slots,
    /// Private arrays that have a place for each work-item, by the bytes of a place.
    pub(super) expanded: BTreeMap<Object, u64>,
    /// The block that is being added to.
    pub(super) at: Block,
    /// Where the present instruction comes from.
    pub(super) loc: Loc,
    /// What is there everywhere.
    leaves: HashMap<(InstData, Type), Value>,
    /// By first block of a region: the block that its loops stand behind, and what the group brings there.
    pub(super) entries: BTreeMap<Block, (Block, Vec<Value>)>,
    /// The present group.
    pub(super) group: Group,
    /// Where a group ends.
    pub(super) end: Block,
}

/// What the work-items of a group have in common.
#[derive(Clone, Copy)]
pub(super) struct Group {
    /// Work-items in each dimension; none if there is one.
    pub(super) sizes: [Option<Value>; 3],
    /// The global id of the first work-item.
    bases: [Value; 3],
    /// The group's id.
    ids: [Value; 3],
}

/// A work-item of the group.
#[derive(Clone, Copy)]
pub(super) struct Item {
    /// Its local id.
    pub(super) local: [Value; 3],
}

impl<'a> Builder<'a> {
    /// A kernel with an entry block that is empty yet.
    pub(super) fn new(
        from: &'a Kernel,
        regions: &'a Regions<'a>,
        params: &'a mut LaunchParams,
        space: Space,
    ) -> Builder<'a> {
        let mut to = interface(from, space.items);
        let slots = Slots::of(regions, &mut to, space.items);
        let expanded = expanded(from, regions);
        for (&object, &stride) in &expanded {
            let size = stride * space.items;
            to.objects[object].kind = ObjectKind::Private { size };
        }
        let (entry, end) = (to.add_block(), to.add_block());
        let zero = to.append_value(entry, InstData::Const(0), Type::I32, Loc::default());
        Builder {
            from,
            regions,
            to,
            params,
            space,
            slots,
            expanded,
            at: entry,
            loc: Loc::default(),
            leaves: HashMap::from([((InstData::Const(0), Type::I32), zero)]),
            entries: BTreeMap::new(),
            group: Group {
                sizes: [None; 3],
                bases: [zero; 3],
                ids: [zero; 3],
            },
            end,
        }
    }

    /// Builds everything.
    pub(super) fn kernel(&mut self) {
        // What is there everywhere is added to the entry block as it is needed.
        self.at = self.to.add_block();
        let first = self.at;
        let groups = match self.space.form {
            Looped::Launch if !self.space.is_flat => (0..3).map(|dim| self.count(dim)).collect(),
            Looped::Launch | Looped::Group => vec![None; 3],
        };
        let nest = self.open([groups[0], groups[1], groups[2]]);
        self.enter_group(nest.counters);
        for region in &self.regions.all {
            self.add_entry(region);
        }
        let (start, _) = self.entries[&self.from.entry()];
        self.jump(start, []);
        for region in &self.regions.all {
            self.region(region);
        }
        self.at = self.end;
        self.close(&nest);
        self.to.append(self.at, InstData::Return, &[], self.loc);
        self.at = self.to.entry();
        self.jump(first, []);
    }

    /// The number of groups in a dimension, if there may be several.
    fn count(&mut self, dim: u8) -> Option<Value> {
        (usize::from(dim) < self.space.dimensions).then(|| self.size(Query::NumGroups, dim))
    }

    /// The work-items of a group in a dimension, if there may be several.
    fn group_size(&mut self, dim: u8) -> Option<Value> {
        if self.space.is_flat {
            let several = usize::from(dim) < self.space.dimensions;
            return several.then(|| self.size(Query::GlobalSize, dim));
        }
        match self.from.work_group_size.required {
            Some(sizes) if sizes[usize::from(dim)] == 1 => None,
            Some(_) => Some(self.size(Query::LocalSize, dim)),
            None => {
                let several = usize::from(dim) < self.space.dimensions;
                several.then(|| self.size(Query::LocalSize, dim))
            }
        }
    }

    /// Computes what the work-items of a group have in common.
    fn enter_group(&mut self, counters: [Value; 3]) {
        for dim in 0..3_u8 {
            let at = usize::from(dim);
            let size = self.group_size(dim);
            let id = match self.space.form {
                Looped::Launch => counters[at],
                Looped::Group if at < self.space.dimensions => {
                    let query = Query::GroupId;
                    self.leaf(InstData::Query { query, dim }, Type::I32)
                }
                Looped::Group => counters[at],
            };
            let offset = self.size(Query::GlobalOffset, dim);
            let before = match size {
                Some(size) if !self.space.is_flat => self.product(id, size),
                Some(_) | None => id,
            };
            self.group.sizes[at] = size;
            self.group.ids[at] = id;
            self.group.bases[at] = self.sum(offset, before);
        }
    }

    fn add_entry(&mut self, region: &Region) {
        let block = self.to.add_block();
        let is_group = |value: &&Value| self.regions.origin(**value) == Origin::Group;
        let values: Vec<Value> = region.live.iter().filter(is_group).copied().collect();
        for &value in &values {
            self.to.add_block_param(block, self.from.ty(value));
        }
        self.entries.insert(region.start, (block, values));
    }

    /// A work-item function that is the same for the group, or of a work-item.
    pub(super) fn query(&mut self, query: Query, dim: u8, item: Option<&Item>) -> Value {
        let at = usize::from(dim);
        let local = |item: Option<&Item>| item.expect("ids are the work-item's").local[at];
        match query {
            Query::LocalId => local(item),
            Query::GlobalId => self.sum(self.group.bases[at], local(item)),
            Query::GroupId => self.group.ids[at],
            Query::GlobalSize
            | Query::LocalSize
            | Query::NumGroups
            | Query::GlobalOffset
            | Query::WorkDim => self.size(query, dim),
            Query::ItemSlot | Query::GroupSlot => {
                unreachable!("refusal: only kernels that are laid out have slots")
            }
        }
    }

    /// A size or offset of the index space.
    fn size(&mut self, query: Query, dim: u8) -> Value {
        let required = self.from.work_group_size.required;
        if let (Query::LocalSize, Some(sizes)) = (query, required) {
            return self.constant(sizes[usize::from(dim)].into(), Type::I32);
        }
        let value = LaunchValue::Space(query, dim);
        let param = self.params.param(&mut self.to, value, Type::I32);
        self.leaf(InstData::Arg { param, lane: 0 }, Type::I32)
    }

    /// A value as one of another integer type: sizes and ids fit.
    pub(super) fn resized(&mut self, value: Value, ty: Type) -> Value {
        let op = match self.to.ty(value).bits().cmp(&ty.bits()) {
            std::cmp::Ordering::Less => CastOp::Zext,
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => CastOp::Trunc,
        };
        self.value(InstData::Cast { op, arg: value }, ty)
    }

    /// A constant, argument or address, in the entry block.
    pub(super) fn leaf(&mut self, data: InstData, ty: Type) -> Value {
        let entry = self.to.entry();
        let key = (data, ty);
        if let Some(&known) = self.leaves.get(&key) {
            return known;
        }
        let value = self
            .to
            .append_value(entry, key.0.clone(), ty, Loc::default());
        self.leaves.insert(key, value);
        value
    }

    pub(super) fn constant(&mut self, bits: u64, ty: Type) -> Value {
        self.leaf(InstData::Const(bits & ty.mask()), ty)
    }

    /// Adds an instruction with one result.
    pub(super) fn value(&mut self, data: InstData, ty: Type) -> Value {
        self.to.append_value(self.at, data, ty, self.loc)
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
}

/// A kernel without blocks for the same host, whose launches have groups of one work-item.
fn interface(from: &Kernel, items: u64) -> Kernel {
    let mut to = Kernel::new(from.name.clone());
    to.files.clone_from(&from.files);
    to.params.clone_from(&from.params);
    to.variables.clone_from(&from.variables);
    to.vec_type_hint = from.vec_type_hint;
    to.subnormals = from.subnormals;
    to.reassociation = from.reassociation;
    to.objects = from.objects.clone();
    to.work_group_size.required = Some([1; 3]);
    for data in to.objects.values_mut() {
        if let ObjectKind::LocalPerItem { bytes } = data.kind {
            let size = bytes * items;
            data.kind = ObjectKind::Local { size };
        }
    }
    to
}

/// The private arrays that work-items leave something in for later regions, with the bytes from one work-item's
/// array to the next one's.
fn expanded(from: &Kernel, regions: &Regions<'_>) -> BTreeMap<Object, u64> {
    let mut expanded = BTreeMap::new();
    for (object, data) in &from.objects {
        let ObjectKind::Private { size } = data.kind else {
            continue;
        };
        let is_accessed = |block: &Block| {
            let mut insts = from.block(*block).insts.iter();
            insts.any(|&inst| {
                let objects = from.inst(inst).objects();
                objects.is_some_and(|objects| objects.contains(object))
            })
        };
        let all = regions.all.iter();
        let accessing = all.filter(|region| region.blocks.iter().any(is_accessed));
        let accessing: Vec<Block> = accessing.map(|region| region.start).collect();
        let is_kept = match accessing[..] {
            [] => false,
            [only] => regions.repeats(only),
            [_, _, ..] => true,
        };
        if is_kept {
            let align = u64::from(data.align.max(1));
            expanded.insert(object, size.next_multiple_of(align).max(1));
        }
    }
    expanded
}
