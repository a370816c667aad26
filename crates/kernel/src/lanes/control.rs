//! Control flow: what is uniform stays as it is, and where work-items may part, all ways are taken one
//! after the other, each with the lanes that are on it.
//!
//! The nodes of a [level](super::level) are placed in topological order behind each other, each under a mask. A
//! branch whose condition is uniform stays a branch if what lies between it and its postdominator has
//! no other entry and no other exit.

use std::collections::BTreeMap;

use super::build::{Builder, Bundle, Mask, Shape};
use super::level::{Edge, Level, To};
use crate::ir::{Block, InstData, Type, Value};

/// Lanes that come to a node.
#[derive(Clone)]
pub(super) struct Arrival {
    pub(super) mask: Mask,
    pub(super) args: Args,
}

/// The values that lanes bring for a block's parameters.
#[derive(Clone)]
pub(super) enum Args {
    /// Those of an edge.
    Edge(Edge),
    /// These.
    Bundles(Vec<Bundle>),
}

/// A level that is being placed.
pub(super) struct Placing<'l> {
    pub(super) level: &'l Level,
    /// Who comes to which node.
    arrivals: BTreeMap<usize, Vec<Arrival>>,
    /// The masks of nodes that were placed.
    masks: Vec<Option<Mask>>,
    /// Who goes back to the header.
    pub(super) back: Vec<Arrival>,
    /// Who leaves the loop.
    pub(super) out: Vec<(Edge, Mask)>,
}

/// What lies between a branch and its postdominator.
struct Sides {
    join: usize,
    nodes: [Vec<usize>; 2],
}

impl<'l> Placing<'l> {
    pub(super) fn new(level: &'l Level) -> Placing<'l> {
        Placing {
            level,
            arrivals: BTreeMap::new(),
            masks: vec![None; level.nodes.len()],
            back: Vec::new(),
            out: Vec::new(),
        }
    }

    fn route(&mut self, edge: Edge, mask: Mask) {
        let args = Args::Edge(edge);
        match edge.to {
            To::Node(node) => {
                let arrivals = self.arrivals.entry(node).or_default();
                arrivals.push(Arrival { mask, args });
            }
            To::Back => self.back.push(Arrival { mask, args }),
            To::Out => self.out.push((edge, mask)),
        }
    }
}

impl Builder<'_> {
    /// Places the outermost level.
    pub(super) fn kernel(&mut self) {
        let flow = self.flow;
        let mut placing = Placing::new(&flow.top);
        // The entry may be the header of a loop.
        let arrival = Arrival {
            mask: Mask::default(),
            args: Args::Bundles(Vec::new()),
        };
        placing.arrivals.insert(0, vec![arrival]);
        let nodes: Vec<usize> = (0..flow.top.nodes.len()).collect();
        self.nodes(&mut placing, &nodes);
        self.to.append(self.at, InstData::Return, &[], self.loc);
    }

    /// Places nodes of a level that were not placed before, in their order.
    pub(super) fn nodes(&mut self, placing: &mut Placing<'_>, nodes: &[usize]) {
        for (at, &node) in nodes.iter().enumerate() {
            if placing.masks[node].is_some() {
                continue;
            }
            let Some(arrivals) = placing.arrivals.remove(&node) else {
                continue;
            };
            let mask = match placing.level.equivalent(node) {
                Some(before) if placing.masks[before].is_some() => placing.masks[before].clone(),
                _ => {
                    let masks: Vec<Mask> = arrivals.iter().map(|it| it.mask.clone()).collect();
                    Some(self.union(&masks))
                }
            };
            let mask = mask.expect("it was just seen");
            let data = &placing.level.nodes[node];
            let params = self.merge(data.block, &arrivals);
            match data.inner {
                Some(inner) => {
                    let left = self.loop_(inner, &mask, &params);
                    placing.masks[node] = Some(mask);
                    for (way, mask) in left {
                        let mut edges = data.edges.iter();
                        let edge = edges.find(|it| (it.from, it.way) == (way.from, way.way));
                        let edge = edge.expect("the level has every way out of the loop");
                        placing.route(*edge, mask);
                    }
                }
                None => {
                    for (&param, bundle) in self.from.block(data.block).params.iter().zip(params) {
                        self.set(param, bundle);
                    }
                    self.block(placing, node, mask, &nodes[at + 1..]);
                }
            }
        }
    }

    /// Places a block whose parameters are known. `behind` are the nodes that are placed next.
    pub(super) fn block(
        &mut self,
        placing: &mut Placing<'_>,
        node: usize,
        mask: Mask,
        behind: &[usize],
    ) {
        placing.masks[node] = Some(mask.clone());
        let data = &placing.level.nodes[node];
        for &inst in &self.from.block(data.block).insts {
            self.inst(data.block, inst, &mask);
        }
        let terminator = self.from.terminator(data.block);
        self.loc = self.from.loc(terminator);
        match *self.from.inst(terminator) {
            InstData::Branch { cond, .. } => {
                let cond = self.bundle(cond);
                let sides = match cond {
                    Bundle::One(_) => sides(placing, node, behind),
                    Bundle::Each(_) => None,
                };
                if let (Bundle::One(cond), Some(sides)) = (&cond, sides) {
                    return self.diamond(placing, node, *cond, &sides);
                }
                let masks = self.split(&mask, &cond);
                for (&edge, mask) in data.edges.iter().zip(masks) {
                    placing.route(edge, mask);
                }
            }
            InstData::Jump(_) => placing.route(data.edges[0], mask),
            // The lanes have ended.
            _ => {}
        }
    }

    /// Places a branch that all lanes take the same way, and what is on its sides.
    fn diamond(&mut self, placing: &mut Placing<'_>, node: usize, cond: Value, sides: &Sides) {
        let level = placing.level;
        let edges = level.nodes[node].edges.clone();
        let mask = placing.masks[node].clone().expect("it was placed");
        let blocks = [self.to.add_block(), self.to.add_block()];
        self.branch(cond, blocks.map(|block| (block, Vec::new())));
        let before = placing.arrivals.remove(&sides.join);
        let mut ends = Vec::new();
        for ((edge, block), nodes) in edges.into_iter().zip(blocks).zip(&sides.nodes) {
            self.at = block;
            placing.route(edge, mask.clone());
            self.nodes(placing, nodes);
            match placing.arrivals.remove(&sides.join) {
                Some(arrivals) => {
                    let params = self.merge(level.nodes[sides.join].block, &arrivals);
                    ends.push((self.at, params));
                }
                None => {
                    self.to.append(self.at, InstData::Return, &[], self.loc);
                }
            }
        }
        self.at = self.to.add_block();
        if sides.join < level.end() {
            let args = self.join(level.nodes[sides.join].block, &ends);
            let args = Args::Bundles(args);
            let mut arrivals = before.unwrap_or_default();
            arrivals.push(Arrival { mask, args });
            placing.arrivals.insert(sides.join, arrivals);
        }
    }

    /// Leads the ends of sides to the present block; gives the parameters that it has for those of the
    /// original block.
    fn join(&mut self, original: Block, ends: &[(Block, Vec<Bundle>)]) -> Vec<Bundle> {
        let target = self.at;
        let params = self.from.block(original).params.clone();
        let mut joined = Vec::new();
        let mut args = vec![Vec::new(); ends.len()];
        for (at, &param) in params.iter().enumerate() {
            let is_one =
                |(_, bundles): &(Block, Vec<Bundle>)| matches!(bundles[at], Bundle::One(_));
            let shape = match ends.iter().all(is_one) {
                true => Shape::One,
                false => Shape::Each,
            };
            joined.push(self.params(target, self.from.ty(param), shape));
            for (args, (_, bundles)) in args.iter_mut().zip(ends) {
                args.extend(self.arguments(&bundles[at], shape));
            }
        }
        for ((end, _), args) in ends.iter().zip(args) {
            self.at = *end;
            self.jump(target, args);
        }
        self.at = target;
        joined
    }

    /// The values that lanes bring for the parameters of a block.
    pub(super) fn brought(&self, arrival: &Arrival) -> Vec<Bundle> {
        match &arrival.args {
            Args::Bundles(bundles) => bundles.clone(),
            Args::Edge(edge) => {
                let target = &self.from.successors(edge.from)[edge.way];
                target.args.iter().map(|&arg| self.bundle(arg)).collect()
            }
        }
    }

    /// The parameters of a block that lanes come to by several ways.
    pub(super) fn merge(&mut self, block: Block, arrivals: &[Arrival]) -> Vec<Bundle> {
        let brought: Vec<Vec<Bundle>> = arrivals.iter().map(|it| self.brought(it)).collect();
        let params = self.from.block(block).params.clone();
        let mut merged = Vec::with_capacity(params.len());
        for (at, &param) in params.iter().enumerate() {
            let choices: Vec<Bundle> = brought.iter().map(|it| it[at].clone()).collect();
            let bundle = match choices.iter().all(|it| *it == choices[0]) {
                true => choices[0].clone(),
                false => self.choose(arrivals, &choices, self.divergence.is_varying(param)),
            };
            merged.push(bundle);
        }
        merged
    }

    /// The values of the way that each lane comes by.
    fn choose(&mut self, arrivals: &[Arrival], choices: &[Bundle], varies: bool) -> Bundle {
        let shares = arrivals
            .iter()
            .all(|it| it.mask.each == arrivals[0].mask.each);
        let is_one = choices.iter().all(|it| matches!(it, Bundle::One(_)));
        let (last, others) = choices
            .split_last()
            .expect("a block is reached by some way");
        if is_one && (shares || !varies) {
            let mut chosen = self.arguments(last, Shape::One)[0];
            for (arrival, choice) in arrivals.iter().zip(others).rev() {
                let taken = match shares {
                    true => arrival.mask.all,
                    false => self.any(&arrival.mask),
                };
                let other = self.arguments(choice, Shape::One)[0];
                chosen = self.taken(taken, other, chosen);
            }
            return Bundle::One(chosen);
        }
        let mut chosen = self.arguments(last, Shape::Each);
        for (arrival, choice) in arrivals.iter().zip(others).rev() {
            let others = self.arguments(choice, Shape::Each);
            for lane in 0..self.lanes {
                let taken = match shares {
                    true => arrival.mask.all,
                    false => self.is_active(&arrival.mask, lane),
                };
                chosen[lane] = self.taken(taken, others[lane], chosen[lane]);
            }
        }
        Bundle::Each(chosen)
    }

    fn taken(&mut self, taken: Option<Value>, yes: Value, no: Value) -> Value {
        match taken {
            Some(taken) => self.select(taken, [yes, no]),
            None => yes,
        }
    }

    /// A condition that always holds, as a value.
    pub(super) fn or_true(&mut self, cond: Option<Value>) -> Value {
        match cond {
            Some(cond) => cond,
            None => self.constant(1, Type::BOOL),
        }
    }
}

/// What lies between a uniform branch and its postdominator, if the branch can stay.
fn sides(placing: &Placing<'_>, node: usize, behind: &[usize]) -> Option<Sides> {
    let level = placing.level;
    let join = level.postdominator(node);
    let edges = &level.nodes[node].edges;
    let nodes: Vec<Vec<usize>> = edges
        .iter()
        .map(|edge| side(level, edge.to, join))
        .collect();
    let nodes: [Vec<usize>; 2] = nodes.try_into().ok()?;
    if nodes[0].iter().any(|it| nodes[1].contains(it)) {
        return None;
    }
    let leads_to = |to: To| match to {
        To::Node(to) => to,
        To::Back | To::Out => level.end(),
    };
    let is_side = |it: usize| nodes.iter().any(|side| side.contains(&it));
    // Ends of the level's loop are no place where ways meet.
    let leaves = |it: usize| {
        let mut edges = level.nodes[it].edges.iter();
        edges.any(|edge| !matches!(edge.to, To::Node(_)))
    };
    let all = || nodes.iter().flatten().copied().chain([node]);
    if all().any(leaves) || all().any(|it| level.nodes[it].edges.is_empty() && join < level.end()) {
        return None;
    }
    let has_other_entry = (0..level.nodes.len()).any(|from| {
        let mut targets = level.nodes[from].edges.iter().map(|edge| leads_to(edge.to));
        from != node && !is_side(from) && targets.any(is_side)
    });
    if has_other_entry {
        return None;
    }
    // Where both sides end in a return, nothing may be placed behind them.
    let is_placed = |it: usize| placing.masks[it].is_some();
    let others = || {
        behind
            .iter()
            .copied()
            .filter(|&it| !is_side(it) && !is_placed(it))
    };
    if join == level.end() && others().next().is_some() {
        return None;
    }
    Some(Sides { join, nodes })
}

/// The nodes from an edge to a node, in order, without this.
fn side(level: &Level, from: To, join: usize) -> Vec<usize> {
    let mut is_side = vec![false; level.nodes.len()];
    let first = match from {
        To::Node(first) if first != join => first,
        To::Node(_) | To::Back | To::Out => return Vec::new(),
    };
    is_side[first] = true;
    for node in first..level.nodes.len() {
        if is_side[node] {
            for to in level.successors(node).filter(|&to| to != join) {
                is_side[to] = true;
            }
        }
    }
    (first..level.nodes.len())
        .filter(|&it| is_side[it])
        .collect()
}
