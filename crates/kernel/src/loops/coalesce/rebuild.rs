//! The control flow of the one loop.

use std::collections::{BTreeMap, BTreeSet};

use smallvec::SmallVec;

use super::{Nest, home};
use crate::ir::{BinaryOp, Block, BlockCall, Inst, InstData, Kernel, Loc, Predicate, Type, Value};
use crate::loops::Refused;
use crate::loops::code::constant;
use crate::loops::one_block::{OneBlock, insert_at_end};
use crate::loops::repair::redefine;
use crate::loops::shape::edges_to;

/// Makes the two loops one, in which an outer iteration has at least `least_row` iterations; gives its header.
pub(super) fn rebuild(
    kernel: &mut Kernel,
    nest: &Nest,
    least_row: Option<u64>,
) -> Result<Block, Refused> {
    let inner = OneBlock::of(kernel, nest.inner)?;
    let rebuild = Rebuild::new(kernel, nest, least_row);
    rebuild.move_stable(kernel);
    rebuild.redirect(kernel, &inner);
    let prologue = rebuild.without_empty(kernel);
    let test = rebuild.separate_test(kernel, &prologue);
    rebuild.dispatch(kernel, test);
    for &(value, held) in &rebuild.carried {
        let blocks = kernel.layout().to_vec();
        let block = home(kernel, &blocks, value).expect("it is in the layout");
        redefine(kernel, value, &[(block, value), (rebuild.head, held)]);
    }
    Ok(rebuild.head)
}

/// A loop that is being made of two. The parameters of its header are those of the outer loop, then whether an
/// outer iteration begins, then [`Rebuild::inner`], [`Rebuild::carried`] and [`Rebuild::row`].
struct Rebuild<'n> {
    nest: &'n Nest,
    head: Block,
    /// The parameters of the outer loop.
    outer: Vec<Value>,
    enters: Value,
    /// Of each parameter of the inner loop: its value at the header, and the stable one that it begins with.
    inner: Vec<(Value, Option<Value>)>,
    /// Values of the prologue that are used behind it, and what they are at the header.
    carried: Vec<(Value, Value)>,
    row: Option<Row>,
    loc: Loc,
}

/// What counts the iterations of an outer one.
struct Row {
    /// Whether this iteration does nothing.
    waits: Value,
    /// Whether more are needed after this one.
    more: Value,
    /// Iterations that are needed after the next one, if the outer iteration goes on, and if another one begins
    /// when they are done.
    left: [Value; 2],
    /// All of an outer iteration but one.
    all: Value,
}

impl<'n> Rebuild<'n> {
    fn new(kernel: &mut Kernel, nest: &'n Nest, least_row: Option<u64>) -> Rebuild<'n> {
        let header = nest.outer.header;
        let loc = kernel.loc(kernel.block(header).insts[0]);
        let head = kernel.add_block();
        let outer = kernel.block(header).params.clone();
        kernel.set_block_params(header, Vec::new());
        kernel.set_block_params(head, outer.clone());
        let enters = kernel.add_block_param(head, Type::BOOL);
        let begins = begins(kernel, nest);
        let like = |kernel: &mut Kernel, value: Value| {
            let held = kernel.add_block_param(head, kernel.ty(value));
            if let Some(name) = kernel.value_name(value).map(String::from) {
                kernel.set_value_name(held, &name);
            }
            held
        };
        let params = kernel.block(nest.inner).params.clone();
        let held = params.iter().map(|&param| like(kernel, param));
        let inner = held.collect::<Vec<_>>().into_iter().zip(begins).collect();
        let carried = carried(kernel, nest);
        let carried = carried.into_iter();
        let carried = carried.map(|value| (value, like(kernel, value))).collect();
        let row = least_row.map(|least| Row::new(kernel, head, least, loc));
        Rebuild {
            nest,
            head,
            outer,
            enters,
            inner,
            carried,
            row,
            loc,
        }
    }

    /// Moves what needs only the parameters of the outer loop to the header.
    fn move_stable(&self, kernel: &mut Kernel) {
        for &block in &self.nest.before {
            let insts = std::mem::take(&mut kernel.block_mut(block).insts);
            let is_stable = |&inst: &Inst| {
                let mut results = kernel.results(inst).iter();
                results.any(|it| self.nest.stable.contains(it))
            };
            let (stable, others) = insts.into_iter().partition::<Vec<Inst>, _>(is_stable);
            kernel.block_mut(block).insts = others;
            kernel.block_mut(self.head).insts.extend(stable);
        }
    }

    /// Leads every way into the two loops, and back in them, to the header.
    fn redirect(&self, kernel: &mut Kernel, inner: &OneBlock) {
        // The header has no end yet.
        let mut all = kernel.layout().to_vec();
        all.retain(|&it| it != self.head);
        for (from, way) in edges_to(kernel, &all, self.nest.outer.header) {
            let is_inside = self.nest.outer.blocks.contains(&from);
            let call = self.next_row(kernel, from, way, is_inside);
            let terminator = kernel.terminator(from);
            kernel.inst_mut(terminator).targets_mut()[way] = call;
        }
        let mut args = self.outer.clone();
        args.push(constant(kernel, Type::BOOL, 0));
        args.extend(inner.next(kernel));
        args.extend(self.carried.iter().map(|&(value, _)| value));
        if let Some(row) = &self.row {
            args.extend([constant(kernel, Type::BOOL, 0), row.left[0]]);
        }
        let call = self.call(args);
        kernel.inst_mut(inner.branch).targets_mut()[inner.back] = call;
        for &block in &self.nest.before {
            self.begin_at_header(kernel, block);
        }
    }

    fn call(&self, args: Vec<Value>) -> BlockCall {
        BlockCall {
            block: self.head,
            args: SmallVec::from_vec(args),
        }
    }

    /// The jump to the header with which an outer iteration begins, instead of one of a block's targets.
    fn next_row(&self, kernel: &mut Kernel, from: Block, way: usize, is_inside: bool) -> BlockCall {
        let mut args = kernel.successors(from)[way].args.to_vec();
        let known = self.outer.iter().copied().zip(args.iter().copied());
        let mut copy = Copies {
            nest: self.nest,
            known: known.collect(),
            insts: Vec::new(),
        };
        args.push(constant(kernel, Type::BOOL, 1));
        for &(param, begins) in &self.inner {
            args.push(match begins {
                Some(value) => copy.value(kernel, value),
                None => constant(kernel, kernel.ty(param), 0),
            });
        }
        for &(value, _) in &self.carried {
            args.push(match is_inside {
                true => value,
                false => constant(kernel, kernel.ty(value), 0),
            });
        }
        if let Some(row) = &self.row {
            args.extend(match is_inside {
                true => [row.more, row.left[1]],
                false => [constant(kernel, Type::BOOL, 0), row.all],
            });
        }
        insert_at_end(kernel, from, copy.insts);
        self.call(args)
    }

    /// Makes the inner loop begin with the values at the header where these are the same.
    fn begin_at_header(&self, kernel: &mut Kernel, block: Block) {
        let terminator = kernel.terminator(block);
        let targets = kernel.inst_mut(terminator).targets_mut().iter_mut();
        for target in targets.filter(|it| it.block == self.nest.inner) {
            for (arg, (held, begins)) in target.args.iter_mut().zip(&self.inner) {
                if begins.is_some() {
                    *arg = *held;
                }
            }
        }
    }

    /// The blocks of the prologue that are left when those are skipped that only go on.
    fn without_empty(&self, kernel: &mut Kernel) -> Vec<Block> {
        let mut left = self.nest.before.clone();
        for &block in &self.nest.before {
            let data = kernel.block(block);
            let InstData::Jump(onwards) = kernel.inst(data.insts[0]).clone() else {
                continue;
            };
            if block == self.nest.outer.header || !data.params.is_empty() {
                continue;
            }
            for (from, way) in edges_to(kernel, &left, block) {
                let terminator = kernel.terminator(from);
                kernel.inst_mut(terminator).targets_mut()[way] = onwards.clone();
            }
            kernel.retain_blocks(|&it| it != block);
            left.retain(|&it| it != block);
        }
        left
    }

    /// Makes a block of the branch at the end of a prologue of one block, which asks whether the inner loop has
    /// iterations: that holds for all of them, so that nothing has to remember it.
    fn separate_test(&self, kernel: &mut Kernel, prologue: &[Block]) -> BlockCall {
        let held: SmallVec<[Value; 4]> = self.inner.iter().map(|&(held, _)| held).collect();
        let header = self.nest.outer.header;
        let condition = match *kernel.inst(kernel.terminator(header)) {
            InstData::Branch { cond, .. } => Some(cond),
            _ => None,
        };
        let is_stable = condition.is_none_or(|it| self.nest.is_stable(kernel, it));
        let entering = kernel.successors(header).iter();
        let entering = entering.filter(|it| it.block == self.nest.inner).count();
        if *prologue != [header] || entering != 1 || !is_stable {
            return BlockCall {
                block: self.nest.inner,
                args: held,
            };
        }
        let test = kernel.add_block();
        let last = kernel.block_mut(header).insts.pop().expect("a terminator");
        kernel.block_mut(test).insts.push(last);
        let mut call = BlockCall {
            block: test,
            args: SmallVec::new(),
        };
        let mut from_header = call.clone();
        let way = kernel.inst(last).targets().iter();
        let way = way.clone().position(|it| it.block == self.nest.inner);
        let way = way.expect("the prologue leads to the inner loop");
        for at in 0..self.inner.len() {
            let (held, begins) = self.inner[at];
            if begins.is_some() {
                continue;
            }
            let param = kernel.add_block_param(test, kernel.ty(held));
            call.args.push(held);
            let arg = &mut kernel.inst_mut(last).targets_mut()[way].args[at];
            from_header.args.push(std::mem::replace(arg, param));
        }
        kernel.append(header, InstData::Jump(from_header), &[], self.loc);
        call
    }

    /// Ends the header: it goes to the prologue if an outer iteration begins, else on in the inner loop.
    fn dispatch(&self, kernel: &mut Kernel, onwards: BlockCall) {
        let header = self.nest.outer.header;
        let mut from = self.head;
        if let Some(row) = &self.row {
            from = kernel.add_block();
            let to = |block| BlockCall {
                block,
                args: SmallVec::new(),
            };
            let idle = kernel.add_block();
            let branch = InstData::Branch {
                cond: row.waits,
                targets: [to(idle), to(from)],
            };
            kernel.append(self.head, branch, &[], self.loc);
            let again = InstData::Jump(self.wait(kernel, row));
            kernel.append(idle, again, &[], self.loc);
        }
        let is_empty = match *kernel.inst(kernel.block(header).insts[0]) {
            InstData::Jump(ref jump) => *jump == onwards,
            _ => false,
        };
        if is_empty {
            kernel.append(from, InstData::Jump(onwards), &[], self.loc);
            kernel.retain_blocks(|&block| block != header);
            return;
        }
        let prologue = BlockCall {
            block: header,
            args: SmallVec::new(),
        };
        let branch = InstData::Branch {
            cond: self.enters,
            targets: [prologue, onwards],
        };
        kernel.append(from, branch, &[], self.loc);
    }

    /// The jump back to the header of an iteration that does nothing.
    fn wait(&self, kernel: &mut Kernel, row: &Row) -> BlockCall {
        let mut args = self.outer.clone();
        args.push(constant(kernel, Type::BOOL, 1));
        for &(held, begins) in &self.inner {
            args.push(begins.unwrap_or_else(|| constant(kernel, kernel.ty(held), 0)));
        }
        args.extend(self.carried.iter().map(|&(_, held)| held));
        args.extend([row.more, row.left[1]]);
        self.call(args)
    }
}

impl Row {
    fn new(kernel: &mut Kernel, head: Block, least: u64, loc: Loc) -> Row {
        let all = least.max(2) - 1;
        let ty = Type::Int((u64::BITS - all.leading_zeros()) as u8);
        let waits = kernel.add_block_param(head, Type::BOOL);
        let count = kernel.add_block_param(head, ty);
        let [none, one, all] =
            [0, u64::MAX >> all.leading_zeros(), all].map(|bits| constant(kernel, ty, bits));
        let compare = InstData::Compare {
            pred: Predicate::Ne,
            args: [count, none],
        };
        let more = kernel.append_value(head, compare, Type::BOOL, loc);
        let less = InstData::Binary {
            op: BinaryOp::Add,
            args: [count, one],
        };
        let less = kernel.append_value(head, less, ty, loc);
        let mut left = |otherwise| {
            let left = InstData::Select {
                cond: more,
                args: [less, otherwise],
            };
            kernel.append_value(head, left, ty, loc)
        };
        Row {
            waits,
            more,
            left: [left(none), left(all)],
            all,
        }
    }
}

/// Copies of stable values, for other values of the outer loop's parameters.
struct Copies<'n> {
    nest: &'n Nest,
    known: BTreeMap<Value, Value>,
    insts: Vec<Inst>,
}

impl Copies<'_> {
    fn value(&mut self, kernel: &mut Kernel, value: Value) -> Value {
        if let Some(&copy) = self.known.get(&value) {
            return copy;
        }
        if !self.nest.stable.contains(&value) {
            return value;
        }
        let crate::ir::ValueDef::Result(inst, at) = kernel.def(value) else {
            unreachable!("the parameters are known");
        };
        let mut data = kernel.inst(inst).clone();
        for operand in data.operands() {
            self.value(kernel, operand);
        }
        data.map_operands(|it| self.known.get(&it).copied().unwrap_or(it));
        let results = kernel.results(inst).to_vec();
        let types: Vec<Type> = results.iter().map(|&it| kernel.ty(it)).collect();
        let copy = kernel.make_inst(data, &types, kernel.loc(inst));
        self.insts.push(copy);
        let copies = kernel.results(copy).to_vec();
        self.known
            .extend(results.into_iter().zip(copies.iter().copied()));
        copies[at as usize]
    }
}

/// Of each parameter of the inner loop, the stable value that it always begins with.
fn begins(kernel: &Kernel, nest: &Nest) -> Vec<Option<Value>> {
    let calls = nest.before.iter().flat_map(|&it| kernel.successors(it));
    let entering: Vec<&BlockCall> = calls.filter(|it| it.block == nest.inner).collect();
    let count = kernel.block(nest.inner).params.len();
    let begin = |at: usize| {
        let first = entering[0].args[at];
        let is_same = entering.iter().all(|it| it.args[at] == first);
        (is_same && nest.is_stable(kernel, first)).then_some(first)
    };
    (0..count).map(begin).collect()
}

/// The values of the prologue that are used behind it and are not stable.
fn carried(kernel: &Kernel, nest: &Nest) -> Vec<Value> {
    let mut defined: BTreeSet<Value> = BTreeSet::new();
    for &block in &nest.before {
        defined.extend(kernel.block(block).params.iter().copied());
        let insts = kernel.block(block).insts.iter();
        defined.extend(insts.flat_map(|&inst| kernel.results(inst)).copied());
    }
    let mut used = BTreeSet::new();
    for (block, inst) in kernel.insts() {
        if !nest.before.contains(&block) {
            used.extend(kernel.inst(inst).operands());
        }
    }
    let is_carried = |it: &&Value| used.contains(it) && !nest.stable.contains(it);
    defined.iter().filter(is_carried).copied().collect()
}
