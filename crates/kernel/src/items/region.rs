//! One region: loops over the work-items of a group around its blocks, and where the group goes on.

use std::collections::HashMap;

use smallvec::SmallVec;

use super::build::{Builder, Item};
use super::nest::Nest;
use super::regions::{Edge, End, Origin, Region, is_leaf};
use super::slots::Array;
use crate::ir::{
    Access, BinaryOp, Block, BlockCall, CastOp, Effect, Inst, InstData, ObjectSet, Predicate, Type,
    Value,
};

/// How it is decided where the group goes on.
#[derive(Clone, Copy)]
enum Decision {
    /// There is one way.
    One,
    /// By the condition of the block that all ways leave.
    Condition(Value),
    /// By the number of the end.
    Number,
}

/// A value for the group that the last work-item brings.
#[derive(Clone, Copy)]
struct Brought {
    end: Block,
    value: Value,
}

/// Where a value of the group comes from, for the region behind.
#[derive(Clone, Copy)]
enum Source {
    /// It is there before the loops.
    Group(Value),
    /// The last work-item brings it.
    Brought(usize),
}

/// A region that is being built.
struct Body<'b, 'a> {
    it: &'b mut Builder<'a>,
    region: &'b Region,
    /// Before the loops.
    before: Block,
    /// Where an iteration of the loops begins.
    first: Block,
    item: Item,
    /// The number of the work-item in its group.
    index: Value,
    /// What values are for the group.
    of_group: HashMap<Value, Value>,
    /// What values are for the work-item.
    of_item: HashMap<Value, Value>,
    blocks: HashMap<Block, Block>,
    ends: Vec<End>,
    decision: Decision,
    brought: Vec<Brought>,
    /// By end: where the values that it needs come from.
    sources: Vec<Vec<Source>>,
    /// Where work-items end, with the decision and what they bring.
    done: Block,
}

impl Builder<'_> {
    /// Adds a region.
    pub(super) fn region(&mut self, region: &Region) {
        let (before, values) = self.entries[&region.start].clone();
        let params = self.to.block(before).params.clone();
        let of_group: HashMap<Value, Value> = values.into_iter().zip(params).collect();
        let inside = self.to.add_block();
        self.at = inside;
        let sizes = match self.is_for_each(region) {
            true => self.group.sizes,
            false => [None; 3],
        };
        let nest = self.open(sizes);
        let index = self.sum(nest.row, nest.counters[0]);
        let item = Item {
            local: nest.counters,
        };
        let (first, done) = (self.at, self.to.add_block());
        let mut body = Body {
            region,
            before,
            first,
            item,
            index,
            of_group,
            of_item: HashMap::new(),
            blocks: HashMap::new(),
            ends: Vec::new(),
            decision: Decision::One,
            brought: Vec::new(),
            sources: Vec::new(),
            done,
            it: self,
        };
        body.decide();
        body.add_blocks();
        body.go_on(&nest);
        self.at = before;
        self.jump(inside, []);
    }

    /// Whether a region has to be executed for each work-item: otherwise it only computes what is the same for all.
    fn is_for_each(&self, region: &Region) -> bool {
        let has_effect = |&inst: &Inst| match self.from.inst(inst).effect() {
            Effect::Access(access) => !access.is_removable(),
            Effect::Print => true,
            Effect::Pure | Effect::Fence(_) | Effect::Barrier(_) | Effect::Control => false,
        };
        let insts = |&block: &Block| self.from.block(block).insts.iter();
        region.blocks.iter().flat_map(insts).any(has_effect)
            || region
                .edges
                .iter()
                .any(|edge| !self.kept(region, edge).is_empty())
    }

    /// What a work-item keeps on a way out of a region: values and their arrays, unless they are there already.
    fn kept(&self, region: &Region, edge: &Edge) -> Vec<(Value, Array)> {
        let End::Region(start) = edge.end else {
            return Vec::new();
        };
        let mut kept = Vec::new();
        for &value in &self.regions.get(start).live {
            if let Some(array) = self.slots.get(value) {
                let handed = self.regions.handed(edge, value);
                let is_there =
                    self.slots.get(handed) == Some(array) && !self.regions.defines(region, handed);
                if !is_there {
                    kept.push((handed, array));
                }
            }
        }
        kept
    }
}

impl Body<'_, '_> {
    /// Finds out where the group may go on, and what has to be brought there.
    fn decide(&mut self) {
        let edges = &self.region.edges;
        for edge in edges {
            if !self.ends.contains(&edge.end) {
                self.ends.push(edge.end);
            }
        }
        let from = edges.first().map(|edge| edge.from);
        let has_one_origin = edges.len() == 2 && edges.iter().all(|it| Some(it.from) == from);
        self.decision = match (self.ends.len(), has_one_origin, from) {
            (0 | 1, _, _) => Decision::One,
            (2, true, Some(from)) => match self.it.from.inst(self.it.from.terminator(from)) {
                InstData::Branch { cond, .. } => Decision::Condition(*cond),
                _ => Decision::Number,
            },
            _ => Decision::Number,
        };
        for end in self.ends.clone() {
            let sources = match end {
                End::Return => Vec::new(),
                End::Region(start) => {
                    let values = self.it.entries[&start].1.clone();
                    let sources = values.iter().map(|&value| self.source(start, value));
                    sources.collect()
                }
            };
            self.sources.push(sources);
        }
    }

    /// Where a value comes from that the region behind needs for the group.
    fn source(&mut self, start: Block, value: Value) -> Source {
        let end = End::Region(start);
        let edges = self.region.edges.iter().filter(|edge| edge.end == end);
        let mut handed: Vec<Value> = edges
            .map(|edge| self.it.regions.handed(edge, value))
            .collect();
        handed.dedup();
        if let [only] = handed[..]
            && let Some(value) = self.group_value(only)
        {
            return Source::Group(value);
        }
        self.brought.push(Brought { end: start, value });
        Source::Brought(self.brought.len() - 1)
    }

    /// A value for the group, computed before the loops; none if only work-items can compute it.
    fn group_value(&mut self, value: Value) -> Option<Value> {
        if let Some(&known) = self.of_group.get(&value) {
            return Some(known);
        }
        let from = self.it.from;
        if self.it.regions.divergence.varies(value) {
            return None;
        }
        let mut data = from.def_inst(value).filter(|it| it.is_pure())?.clone();
        let made = match data {
            InstData::Query { query, dim } => self.query(query, dim, from.ty(value), None),
            _ if is_leaf(&data) => self.it.leaf(data, from.ty(value)),
            _ => {
                let operands = data.operands().into_iter();
                let known: Option<Vec<Value>> = operands.map(|it| self.group_value(it)).collect();
                let mut known = known?.into_iter();
                data.map_operands(|_| known.next().expect("as many as there are operands"));
                self.it.at = self.before;
                self.it.value(data, from.ty(value))
            }
        };
        self.of_group.insert(value, made);
        Some(made)
    }

    /// A work-item function as a value of a type, before the loops or where an iteration begins.
    fn query(&mut self, query: crate::ir::Query, dim: u8, ty: Type, item: Option<Item>) -> Value {
        self.it.at = match item {
            Some(_) => self.first,
            None => self.before,
        };
        let value = self.it.query(query, dim, item.as_ref());
        self.it.resized(value, ty)
    }

    /// What a value is for the work-item. What comes from before the region is made where the iteration begins.
    fn value(&mut self, value: Value) -> Value {
        if let Some(&known) = self.of_item.get(&value) {
            return known;
        }
        let from = self.it.from;
        let ty = from.ty(value);
        let made = match self.it.regions.origin(value) {
            Origin::Leaf => {
                let data = from.def_inst(value).expect("leaves are instructions");
                self.leaf(data.clone(), ty)
            }
            Origin::Group => self.of_group[&value],
            Origin::Kept => {
                let array = self.it.slots.get(value).expect("what is kept has an array");
                self.it.at = self.first;
                let ptr = self.place(array);
                let load = InstData::Load {
                    ptr,
                    access: Access::scalar(array.stored),
                    objects: ObjectSet::from_iter([array.object]),
                    guard: None,
                };
                let loaded = self.it.value(load, array.stored);
                match ty.is_int() {
                    true => self.it.resized(loaded, ty),
                    false => loaded,
                }
            }
            Origin::Again => {
                let data = from.def_inst(value).expect("it is computed").clone();
                let mut data = data;
                let operands = data.operands().into_iter();
                let operands: Vec<Value> = operands.map(|it| self.value(it)).collect();
                let mut operands = operands.into_iter();
                data.map_operands(|_| operands.next().expect("as many as there are"));
                self.it.at = self.first;
                self.it.value(data, ty)
            }
        };
        self.of_item.insert(value, made);
        made
    }

    /// A constant, argument, address or id.
    fn leaf(&mut self, data: InstData, ty: Type) -> Value {
        match data {
            InstData::Query { query, dim } => self.query(query, dim, ty, Some(self.item)),
            InstData::Addr(object) => {
                let base = self.it.leaf(data, ty);
                match self.it.expanded.get(&object).copied() {
                    None => base,
                    Some(stride) => {
                        self.it.at = self.first;
                        self.moved(base, stride)
                    }
                }
            }
            other => self.it.leaf(other, ty),
        }
    }

    /// The place of the work-item in an array.
    fn place(&mut self, array: Array) -> Value {
        let ty = Type::Ptr(self.it.to.objects[array.object].space());
        let base = self.it.leaf(InstData::Addr(array.object), ty);
        let bytes = array.stored.bytes().expect("it can be stored");
        self.moved(base, bytes.into())
    }

    /// The address of the work-item's piece of this many bytes.
    fn moved(&mut self, base: Value, stride: u64) -> Value {
        let arg = self.index;
        let op = CastOp::Zext;
        let index = self.it.value(InstData::Cast { op, arg }, Type::I64);
        let stride = self.it.constant(stride, Type::I64);
        let product = InstData::Binary {
            op: BinaryOp::Mul,
            args: [index, stride],
        };
        let offset = self.it.value(product, Type::I64);
        let ty = self.it.to.ty(base);
        self.it.value(InstData::PtrAdd { base, offset }, ty)
    }

    /// Adds the blocks of the region.
    fn add_blocks(&mut self) {
        let from = self.it.from;
        for &block in &self.region.blocks {
            let copy = self.it.to.add_block();
            self.it.to.block_mut(copy).hints = from.block(block).hints.clone();
            self.blocks.insert(block, copy);
            if block != self.region.start {
                for &param in &from.block(block).params {
                    let value = self.it.to.add_block_param(copy, from.ty(param));
                    self.of_item.insert(param, value);
                }
            }
        }
        if let Decision::Number = self.decision {
            self.it.to.add_block_param(self.done, Type::I32);
        }
        if let Decision::Condition(cond) = self.decision
            && self.group_value(cond).is_none()
        {
            self.it.to.add_block_param(self.done, Type::BOOL);
        }
        for at in 0..self.brought.len() {
            let ty = from.ty(self.brought[at].value);
            self.it.to.add_block_param(self.done, ty);
        }
        for &block in &self.region.blocks {
            self.add_block(block);
        }
        self.it.at = self.first;
        let start = self.blocks[&self.region.start];
        self.it.jump(start, []);
    }

    fn add_block(&mut self, block: Block) {
        let from = self.it.from;
        let copy = self.blocks[&block];
        for &inst in &from.block(block).insts {
            let mut data = from.inst(inst).clone();
            self.it.loc = from.loc(inst);
            if is_leaf(&data) {
                continue;
            }
            if data.is_terminator() {
                self.add_terminator(block, copy, data);
                continue;
            }
            let operands: Vec<Value> = data
                .operands()
                .into_iter()
                .map(|it| self.value(it))
                .collect();
            let mut operands = operands.into_iter();
            data.map_operands(|_| operands.next().expect("as many as there are"));
            let results = from.results(inst);
            let types: SmallVec<[Type; 4]> = results.iter().map(|&it| from.ty(it)).collect();
            let made = self.it.to.append(copy, data, &types, self.it.loc);
            let made = self.it.to.results(made).to_vec();
            self.of_item.extend(results.iter().copied().zip(made));
        }
    }

    fn add_terminator(&mut self, block: Block, copy: Block, data: InstData) {
        let edge = |target: Option<usize>| {
            let mut edges = self.region.edges.iter();
            edges
                .find(|it| it.from == block && it.target == target)
                .copied()
        };
        if let Some(edge) = edge(None) {
            self.it.at = copy;
            self.leave(&edge);
            return;
        }
        let edges: Vec<Option<Edge>> = (0..data.targets().len()).map(|at| edge(Some(at))).collect();
        let cond = match &data {
            InstData::Branch { cond, .. } => Some(self.value(*cond)),
            _ => None,
        };
        let mut calls = Vec::new();
        for (target, edge) in data.targets().iter().zip(edges) {
            calls.push(match edge {
                None => BlockCall {
                    block: self.blocks[&target.block],
                    args: target.args.iter().map(|&it| self.value(it)).collect(),
                },
                Some(edge) => {
                    let leaving = self.it.to.add_block();
                    self.it.at = leaving;
                    self.leave(&edge);
                    BlockCall {
                        block: leaving,
                        args: SmallVec::new(),
                    }
                }
            });
        }
        let mut calls = calls.into_iter();
        let mut next = || calls.next().expect("as many as there are targets");
        let data = match cond {
            Some(cond) => InstData::Branch {
                cond,
                targets: [next(), next()],
            },
            None => InstData::Jump(next()),
        };
        self.it.to.append(copy, data, &[], self.it.loc);
    }

    /// Keeps what is needed later, and ends the iteration.
    fn leave(&mut self, edge: &Edge) {
        let leaving = self.it.at;
        for (value, array) in self.it.kept(self.region, edge) {
            let value = self.value(value);
            self.it.at = leaving;
            let value = match array.stored.is_int() {
                true => self.it.resized(value, array.stored),
                false => value,
            };
            let ptr = self.place(array);
            let store = InstData::Store {
                ptr,
                values: [value].into_iter().collect(),
                access: Access::scalar(array.stored),
                objects: ObjectSet::from_iter([array.object]),
                guard: None,
            };
            self.it.to.append(leaving, store, &[], self.it.loc);
        }
        let mut args = Vec::new();
        match self.decision {
            Decision::One => {}
            Decision::Condition(cond) => {
                if self.group_value(cond).is_none() {
                    let is_first = edge.target == Some(0);
                    args.push(self.it.constant(is_first.into(), Type::BOOL));
                }
            }
            Decision::Number => {
                let number = self.ends.iter().position(|end| *end == edge.end);
                let number = number.expect("all ends are listed");
                args.push(self.it.constant(number as u64, Type::I32));
            }
        }
        for brought in self.brought.clone() {
            args.push(match edge.end == End::Region(brought.end) {
                true => {
                    let handed = self.it.regions.handed(edge, brought.value);
                    self.value(handed)
                }
                false => {
                    let ty = self.it.from.ty(brought.value);
                    self.it.constant(0, ty)
                }
            });
        }
        self.it.at = leaving;
        self.it.jump(self.done, args);
    }

    /// Closes the loops and goes on with the next region.
    fn go_on(&mut self, nest: &Nest) {
        let params = self.it.to.block(self.done).params.clone();
        let (brought_from, decided) = match self.decision {
            Decision::One => (0, None),
            Decision::Number => (1, Some(params[0])),
            Decision::Condition(cond) => match self.group_value(cond) {
                Some(value) => (0, Some(value)),
                None => (1, Some(params[0])),
            },
        };
        let calls: Vec<(Block, Vec<Value>)> = self
            .ends
            .iter()
            .zip(&self.sources)
            .map(|(end, sources)| {
                let args = sources.iter().map(|source| match source {
                    Source::Group(value) => *value,
                    Source::Brought(at) => params[brought_from + at],
                });
                let block = match end {
                    End::Return => self.it.end,
                    End::Region(start) => self.it.entries[start].0,
                };
                (block, args.collect())
            })
            .collect();
        let it = &mut *self.it;
        it.at = self.done;
        it.close(nest);
        match (self.decision, decided) {
            (Decision::Condition(_), Some(cond)) => {
                // The first way out is that of the condition, as edges are listed in the order of targets.
                let [yes, no] = [calls[0].clone(), calls[1].clone()];
                it.branch(cond, [yes, no]);
            }
            (Decision::Number, Some(number)) => {
                let (last, others) = calls.split_last().expect("there are several ends");
                for (at, call) in others.iter().enumerate() {
                    let expected = it.constant(at as u64, Type::I32);
                    let is_it = InstData::Compare {
                        pred: Predicate::Eq,
                        args: [number, expected],
                    };
                    let is_it = it.value(is_it, Type::BOOL);
                    let next = it.to.add_block();
                    it.branch(is_it, [call.clone(), (next, Vec::new())]);
                    it.at = next;
                }
                it.jump(last.0, last.1.clone());
            }
            _ => match calls.first() {
                Some((block, args)) => it.jump(*block, args.clone()),
                // A region without a way out never ends.
                None => it.jump(it.end, []),
            },
        }
    }
}
