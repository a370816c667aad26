//! Linear programs over node potentials: the least weighted sum of differences under lower bounds
//! of differences. Schedules with the fewest registers and queues with the fewest bits are such.
//!
//! The dual is a flow of least cost, found along shortest ways, all those of the same length at once;
//! potentials are integers.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(u32);

/// Why there is no solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unsolvable {
    /// The bounds contradict each other.
    Contradiction,
    /// The sum can be made as small as one likes.
    Unbounded,
}

/// The program.
#[derive(Clone, Debug, Default)]
pub struct Potentials {
    weights: Vec<i64>,
    bounds: Vec<Bound>,
}

#[derive(Clone, Copy, Debug)]
struct Bound {
    from: u32,
    to: u32,
    least: i64,
}

impl Potentials {
    /// A program without variables.
    pub fn new() -> Potentials {
        Potentials::default()
    }

    /// A new variable.
    pub fn add_node(&mut self) -> Node {
        self.weights.push(0);
        Node(self.weights.len() as u32 - 1)
    }

    /// Demands `potential(to) - potential(from) >= least`.
    pub fn at_least(&mut self, from: Node, to: Node, least: i64) {
        let (from, to) = (from.0, to.0);
        self.bounds.push(Bound { from, to, least });
    }

    /// Adds `weight * (potential(to) - potential(from))` to the sum that is made small.
    pub fn weigh(&mut self, from: Node, to: Node, weight: u32) {
        self.weights[to.0 as usize] += i64::from(weight);
        self.weights[from.0 as usize] -= i64::from(weight);
    }

    /// The potentials with the least sum, that of `zero` being 0.
    pub fn solve(&self, zero: Node) -> Result<Solution, Unsolvable> {
        let mut flow = Flow::new(self, self.feasible()?);
        while flow.has_excess() {
            flow.come_closer()?;
            flow.send_along_tight_bounds();
        }
        let zero = flow.potentials[zero.0 as usize];
        let solution = flow.potentials.iter().map(|potential| potential - zero);
        Ok(Solution(solution.collect()))
    }

    /// The least potentials that keep all bounds and are not negative.
    fn feasible(&self) -> Result<Vec<i64>, Unsolvable> {
        let mut potentials = vec![0; self.weights.len()];
        for _ in 0..=self.weights.len() {
            let mut changed = false;
            for bound in &self.bounds {
                let least = potentials[bound.from as usize] + bound.least;
                if potentials[bound.to as usize] < least {
                    potentials[bound.to as usize] = least;
                    changed = true;
                }
            }
            if !changed {
                return Ok(potentials);
            }
        }
        Err(Unsolvable::Contradiction)
    }
}

/// The potentials found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution(Vec<i64>);

impl Solution {
    /// A variable's potential.
    pub fn of(&self, node: Node) -> i64 {
        self.0[node.0 as usize]
    }
}

/// A way along a bound (flow is added) or against it (flow is taken back).
#[derive(Clone, Copy)]
struct Arc {
    bound: u32,
    to: u32,
    along: bool,
}

/// The flow so far; each bound's slack is zero wherever something flows.
struct Flow<'a> {
    program: &'a Potentials,
    arcs: Vec<Vec<Arc>>,
    flow: Vec<i64>,
    /// What still has to leave a node (positive) or to reach it (negative).
    excess: Vec<i64>,
    potentials: Vec<i64>,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Potentials, potentials: Vec<i64>) -> Flow<'a> {
        let mut arcs = vec![Vec::new(); program.weights.len()];
        for (index, bound) in (0..).zip(&program.bounds) {
            arcs[bound.from as usize].push(Arc {
                bound: index,
                to: bound.to,
                along: true,
            });
            arcs[bound.to as usize].push(Arc {
                bound: index,
                to: bound.from,
                along: false,
            });
        }
        Flow {
            program,
            arcs,
            flow: vec![0; program.bounds.len()],
            excess: program.weights.iter().map(|weight| -weight).collect(),
            potentials,
        }
    }

    fn has_excess(&self) -> bool {
        self.excess.iter().any(|&excess| excess > 0)
    }

    /// How far a bound's difference is above its least.
    fn slack(&self, bound: u32) -> i64 {
        let Bound { from, to, least } = self.program.bounds[bound as usize];
        self.potentials[to as usize] - self.potentials[from as usize] - least
    }

    /// Changes potentials until a node that lacks is reached along tight bounds from one with
    /// excess, and sends flow on this way.
    fn come_closer(&mut self) -> Result<(), Unsolvable> {
        let Reached {
            target,
            distances,
            ways,
        } = self.nearest()?;
        let length = distances[target];
        for (potential, distance) in self.potentials.iter_mut().zip(distances) {
            *potential += length - distance.min(length);
        }
        let mut way = Vec::new();
        let mut at = target;
        while let Some((before, arc)) = ways[at] {
            way.push(arc);
            at = before as usize;
        }
        self.send(at, target, &way);
        Ok(())
    }

    /// Sends as much as the way takes.
    fn send(&mut self, from: usize, to: usize, way: &[Arc]) {
        let mut amount = self.excess[from].min(-self.excess[to]);
        for arc in way.iter().filter(|arc| !arc.along) {
            amount = amount.min(self.flow[arc.bound as usize]);
        }
        for arc in way {
            self.flow[arc.bound as usize] += if arc.along { amount } else { -amount };
        }
        self.excess[from] -= amount;
        self.excess[to] += amount;
    }

    /// The nearest node that lacks from those with excess.
    fn nearest(&self) -> Result<Reached, Unsolvable> {
        let mut distances = vec![i64::MAX; self.excess.len()];
        let mut ways = vec![None; self.excess.len()];
        let mut heap = BinaryHeap::new();
        for (node, _) in self.excess.iter().enumerate().filter(|(_, e)| **e > 0) {
            distances[node] = 0;
            heap.push(Reverse((0, node)));
        }
        while let Some(Reverse((distance, node))) = heap.pop() {
            if distance > distances[node] {
                continue;
            }
            if self.excess[node] < 0 {
                return Ok(Reached {
                    target: node,
                    distances,
                    ways,
                });
            }
            for &arc in &self.arcs[node] {
                let Some(length) = self.length(arc) else {
                    continue;
                };
                let to = arc.to as usize;
                if distance + length < distances[to] {
                    distances[to] = distance + length;
                    ways[to] = Some((node as u32, arc));
                    heap.push(Reverse((distance + length, to)));
                }
            }
        }
        Err(Unsolvable::Unbounded)
    }

    /// How much an arc costs, if it can be used.
    fn length(&self, arc: Arc) -> Option<i64> {
        match arc.along {
            true => Some(self.slack(arc.bound)),
            // What flows does so along a tight bound.
            false => (self.flow[arc.bound as usize] > 0).then_some(0),
        }
    }

    /// Sends what can be sent without changing potentials. It may miss a way that a cycle hides;
    /// then the next round finds it.
    fn send_along_tight_bounds(&mut self) {
        let nodes = self.excess.len();
        let mut search = Search {
            next: vec![0; nodes],
            on_way: vec![false; nodes],
        };
        for from in 0..nodes {
            while self.excess[from] > 0 {
                let way = search.way(self, from);
                way.iter()
                    .for_each(|arc| search.on_way[arc.to as usize] = false);
                search.on_way[from] = false;
                let Some(last) = way.last() else { break };
                self.send(from, last.to as usize, &way);
            }
        }
    }
}

/// A node that lacks, and how all nodes on the way to it were reached.
struct Reached {
    target: usize,
    distances: Vec<i64>,
    ways: Vec<Option<(u32, Arc)>>,
}

/// A search in depth that tries each arc once.
struct Search {
    /// By node: the arc to be tried next.
    next: Vec<usize>,
    on_way: Vec<bool>,
}

impl Search {
    /// A way to a node that lacks; an empty one if there is none.
    fn way(&mut self, flow: &Flow<'_>, from: usize) -> Vec<Arc> {
        let mut way: Vec<(usize, Arc)> = Vec::new();
        let mut at = from;
        self.on_way[at] = true;
        while flow.excess[at] >= 0 {
            if let Some(&arc) = flow.arcs[at].get(self.next[at]) {
                let to = arc.to as usize;
                if !self.on_way[to] && flow.length(arc) == Some(0) {
                    way.push((at, arc));
                    self.on_way[to] = true;
                    at = to;
                } else {
                    self.next[at] += 1;
                }
            } else {
                let Some((before, _)) = way.pop() else { break };
                self.on_way[at] = false;
                at = before;
                self.next[at] += 1;
            }
        }
        way.into_iter().map(|(_, arc)| arc).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_value_waits_instead_of_a_wide_one() {
        let mut program = Potentials::new();
        let [start, widen, end] = [(); 3].map(|()| program.add_node());
        program.at_least(start, widen, 0);
        program.at_least(widen, end, 1);
        program.at_least(start, end, 5);
        program.at_least(end, start, -5);
        program.weigh(start, widen, 8);
        program.weigh(widen, end, 32);
        let solution = program.solve(start).unwrap();
        assert_eq!([start, widen, end].map(|node| solution.of(node)), [0, 4, 5]);
    }

    #[test]
    fn contradictions_and_missing_bounds_are_told_apart() {
        let mut program = Potentials::new();
        let [a, b] = [(); 2].map(|()| program.add_node());
        program.weigh(a, b, 1);
        assert_eq!(program.solve(a), Err(Unsolvable::Unbounded));
        program.at_least(a, b, 1);
        program.at_least(b, a, 0);
        assert_eq!(program.solve(a), Err(Unsolvable::Contradiction));
    }

    /// All potentials in a small range, tried one by one.
    fn exhaustive(program: &Potentials, range: i64) -> i64 {
        let nodes = program.weights.len() as u32;
        let digits = |mut code: i64| -> Vec<i64> {
            let mut digit = || {
                let value = code % range;
                code /= range;
                value
            };
            (0..nodes).map(|_| digit()).collect()
        };
        let sums = (0..range.pow(nodes)).map(digits).filter_map(|values| {
            let kept = program.bounds.iter().all(|bound| {
                values[bound.to as usize] - values[bound.from as usize] >= bound.least
            });
            kept.then(|| sum(program, &values))
        });
        sums.min().unwrap()
    }

    fn sum(program: &Potentials, values: &[i64]) -> i64 {
        program.weights.iter().zip(values).map(|(w, v)| w * v).sum()
    }

    #[test]
    fn no_potentials_are_better_than_those_found() {
        let mut state = 7_u64;
        let mut random = |bound: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        for _ in 0..200 {
            let mut program = Potentials::new();
            let nodes: Vec<Node> = (0..6).map(|_| program.add_node()).collect();
            for to in 1..6 {
                for from in 0..to {
                    if random(2) == 0 {
                        program.at_least(nodes[from], nodes[to], random(2) as i64);
                        program.weigh(nodes[from], nodes[to], random(9) as u32);
                    }
                }
                program.at_least(nodes[0], nodes[to], 0);
                program.at_least(nodes[to], nodes[0], -5);
            }
            let solution = program.solve(nodes[0]).unwrap();
            assert_eq!(sum(&program, &solution.0), exhaustive(&program, 6));
        }
    }
}
