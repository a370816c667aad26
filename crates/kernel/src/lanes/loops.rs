//! Loops: a loop that all lanes leave together stays as it is; one that they may leave in different rounds
//! runs as long as any lane is active, and keeps what each lane has left it with.

use std::collections::BTreeSet;

use super::build::{Builder, Bundle, Mask, Shape};
use super::control::{Arrival, Placing};
use super::level::Edge;
use crate::analysis::Loop;
use crate::ir::{Block, Type, Value};

/// A loop that is being placed.
struct Round {
    header: Block,
    /// The lanes that are in the loop.
    active: Mask,
    /// By exit, which lanes have taken it; empty if one exit is all there is.
    left: Vec<Vec<Value>>,
    /// What lanes have left with.
    kept: Vec<Kept>,
}

/// A value that lanes leave a loop with.
struct Kept {
    value: Value,
    /// What those that have left so far have; none if a parameter of the header holds it.
    before: Option<Vec<Value>>,
    /// The place among the header's parameters.
    param: usize,
}

impl Builder<'_> {
    /// Places a loop; gives the ways out of it, with the lanes that take them.
    pub(super) fn loop_(
        &mut self,
        loop_: Loop,
        mask: &Mask,
        params: &[Bundle],
    ) -> Vec<(Edge, Mask)> {
        let flow = self.flow;
        let level = &flow.of_loop[&loop_];
        let round = self.enter(loop_, mask, params);
        let mut placing = Placing::new(level);
        let nodes: Vec<usize> = (0..level.nodes.len()).collect();
        self.block(&mut placing, 0, round.active.clone(), &nodes[1..]);
        self.nodes(&mut placing, &nodes[1..]);
        match self.divergence.is_divergent(loop_) {
            true => self.repeat_divergent(loop_, mask, round, placing),
            false => self.repeat_uniform(loop_, mask, &round, placing),
        }
    }

    /// Goes to the header, which becomes the present block.
    fn enter(&mut self, loop_: Loop, mask: &Mask, params: &[Bundle]) -> Round {
        let original = self.flow.loops.get(loop_).header;
        let header = self.to.add_block();
        self.to.block_mut(header).hints = self.from.block(original).hints.clone();
        let mut args = Vec::new();
        for (at, &param) in self.from.block(original).params.iter().enumerate() {
            let shape = self.shape(param);
            args.extend(self.arguments(&params[at], shape));
            let bundle = self.params(header, self.from.ty(param), shape);
            self.set(param, bundle);
        }
        let mut round = Round {
            header,
            active: Mask::default(),
            left: Vec::new(),
            kept: Vec::new(),
        };
        if self.divergence.is_divergent(loop_) {
            let active = self.expand(mask);
            args.extend(active);
            let active = self.params(header, Type::BOOL, Shape::Each);
            round.active.each = Some(self.arguments(&active, Shape::Each));
            self.keep(loop_, &mut round, &mut args);
        } else if !mask.is_full() {
            args.extend(self.any(mask));
            let active = self.params(header, Type::BOOL, Shape::One);
            round.active.all = Some(self.arguments(&active, Shape::One)[0]);
            round.active.each.clone_from(&mask.each);
        }
        self.jump(header, args);
        self.at = header;
        round
    }

    fn shape(&self, param: Value) -> Shape {
        match self.divergence.is_varying(param) {
            true => Shape::Each,
            false => Shape::One,
        }
    }

    /// Adds parameters for what lanes leave with, and for the exits that they take.
    fn keep(&mut self, loop_: Loop, round: &mut Round, args: &mut Vec<Value>) {
        let exits = self.exits(loop_);
        if exits.len() > 1 {
            for _ in exits {
                let none = self.constant(0, Type::BOOL);
                args.extend(vec![none; self.lanes]);
                let left = self.params(round.header, Type::BOOL, Shape::Each);
                round.left.push(self.arguments(&left, Shape::Each));
            }
        }
        for value in self.leaving(loop_) {
            let param = self.carrier(loop_, value);
            let before = match param {
                Some(_) => None,
                None => {
                    let ty = self.from.ty(value);
                    let zero = self.constant(0, ty);
                    args.extend(vec![zero; self.lanes]);
                    let kept = self.params(round.header, ty, Shape::Each);
                    Some(self.arguments(&kept, Shape::Each))
                }
            };
            round.kept.push(Kept {
                value,
                before,
                param: param.unwrap_or(0),
            });
        }
    }

    /// The ways out of a loop.
    fn exits(&self, loop_: Loop) -> Vec<(Block, usize)> {
        let loops = &self.flow.loops;
        let blocks = self.flow.cfg.reverse_postorder().iter().copied();
        let blocks = blocks.filter(|&block| loops.contains(loop_, block));
        let ways = blocks.flat_map(|block| {
            let targets = self.from.successors(block).iter().enumerate();
            let out = targets.filter(|(_, target)| !loops.contains(loop_, target.block));
            out.map(move |(way, _)| (block, way))
        });
        ways.collect()
    }

    /// The values of a loop that are used behind it.
    fn leaving(&self, loop_: Loop) -> BTreeSet<Value> {
        let loops = &self.flow.loops;
        let is_own = |value: &Value| loops.contains(loop_, self.flow.home(*value));
        let exits = self.exits(loop_).into_iter();
        let args = exits.flat_map(|(block, way)| self.from.successors(block)[way].args.clone());
        let outside = self.from.insts();
        let outside = outside.filter(|&(block, _)| {
            self.flow.cfg.is_reachable(block) && !loops.contains(loop_, block)
        });
        let used = outside.flat_map(|(_, inst)| self.from.inst(inst).operands());
        args.chain(used).filter(is_own).collect()
    }

    /// A parameter of the header that always becomes a value in the next round, and has a place for each
    /// lane: for lanes that have left, it can hold what they have left with.
    fn carrier(&self, loop_: Loop, value: Value) -> Option<usize> {
        let data = self.flow.loops.get(loop_);
        let [latch] = data.latches[..] else {
            return None;
        };
        let targets = self.from.successors(latch).iter();
        let mut back = targets.filter(|target| target.block == data.header);
        let (Some(back), None) = (back.next(), back.next()) else {
            return None;
        };
        let params = self.from.block(data.header).params.iter();
        let mut params = params.zip(&back.args);
        params.position(|(&param, &arg)| arg == value && self.shape(param) == Shape::Each)
    }

    /// The values of the header's parameters in the next round, in their shapes.
    fn next(&mut self, loop_: Loop, back: &[Arrival]) -> Vec<Vec<Value>> {
        let header = self.flow.loops.get(loop_).header;
        let next = self.merge(header, back);
        let params = self.from.block(header).params.iter();
        let next = params.zip(next);
        next.map(|(&param, bundle)| self.arguments(&bundle, self.shape(param)))
            .collect()
    }

    /// Ends a round that all lanes end in the same way.
    fn repeat_uniform(
        &mut self,
        loop_: Loop,
        mask: &Mask,
        round: &Round,
        placing: Placing<'_>,
    ) -> Vec<(Edge, Mask)> {
        let masks: Vec<Mask> = placing.back.iter().map(|it| it.mask.clone()).collect();
        let again = self.union(&masks);
        let again = self.any(&again);
        let again = self.or_true(again);
        let mut args: Vec<Value> = self.next(loop_, &placing.back).concat();
        args.extend(round.active.all.map(|_| again));
        self.leave(again, round.header, args);
        match placing.out.as_slice() {
            // All that came in go out.
            [(edge, _)] => vec![(*edge, mask.clone())],
            _ => placing.out,
        }
    }

    /// Ends a round that lanes may end in different ways.
    fn repeat_divergent(
        &mut self,
        loop_: Loop,
        mask: &Mask,
        round: Round,
        placing: Placing<'_>,
    ) -> Vec<(Edge, Mask)> {
        let masks: Vec<Mask> = placing.back.iter().map(|it| it.mask.clone()).collect();
        let back = self.union(&masks);
        let back = self.expand(&back);
        let active = round.active.each.clone().expect("each lane has its own");
        let mut params = self.next(loop_, &placing.back);
        let out: Vec<Mask> = placing.out.iter().map(|(_, mask)| mask.clone()).collect();
        let leaving = self.union(&out);
        let leaving = self.expand(&leaving);
        let mut kept = Vec::new();
        for it in &round.kept {
            let now = self.bundle(it.value);
            let now = self.arguments(&now, Shape::Each);
            let new = match &it.before {
                Some(before) => self.select_each(&leaving, &now, before),
                None => {
                    let header = self.flow.loops.get(loop_).header;
                    let own = self.from.block(header).params[it.param];
                    let before = self.bundle(own);
                    let before = self.arguments(&before, Shape::Each);
                    let new = self.select_each(&active, &now, &before);
                    params[it.param].clone_from(&new);
                    new
                }
            };
            kept.push(new);
        }
        let mut args = params.concat();
        let again = self.any_of(&back);
        args.extend(back);
        let mut left = Vec::new();
        for ((_, mask), before) in placing.out.iter().zip(&round.left) {
            let now = self.expand(mask);
            let lanes = before.iter().zip(now);
            let new: Vec<Value> = lanes
                .map(|(&before, now)| self.any_of(&[before, now]))
                .collect();
            args.extend(&new);
            left.push(new);
        }
        let separate = round.kept.iter().zip(&kept);
        let separate = separate.filter(|(it, _)| it.before.is_some());
        args.extend(separate.flat_map(|(_, new)| new.iter().copied()));
        self.leave(again, round.header, args);
        for (it, new) in round.kept.iter().zip(kept) {
            self.set(it.value, Bundle::Each(new));
        }
        if let [(edge, _)] = placing.out[..] {
            return vec![(edge, mask.clone())];
        }
        let masks = left.into_iter().map(|each| Mask {
            all: None,
            each: Some(each),
        });
        placing
            .out
            .into_iter()
            .map(|(edge, _)| edge)
            .zip(masks)
            .collect()
    }

    fn select_each(&mut self, conditions: &[Value], yes: &[Value], no: &[Value]) -> Vec<Value> {
        let lanes = conditions.iter().zip(yes.iter().zip(no));
        lanes
            .map(|(&cond, (&yes, &no))| self.select(cond, [yes, no]))
            .collect()
    }

    /// Goes back to the header or on to a new block.
    fn leave(&mut self, again: Value, header: Block, args: Vec<Value>) {
        let behind = self.to.add_block();
        self.branch(again, [(header, args), (behind, Vec::new())]);
        self.at = behind;
    }
}
