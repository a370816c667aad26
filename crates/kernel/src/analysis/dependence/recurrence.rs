//! Recurrences: cycles of computations through several iterations, and how far apart iterations have to start
//! because of them.

use std::collections::BTreeMap;

use super::graph::{Cause, Edge, Node};
use crate::ir::Inst;

/// A strongly connected part of a loop's graph in which something waits for an earlier iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// What takes part, in ascending order.
    pub nodes: Vec<Node>,
    /// The edges between these.
    pub edges: Vec<Edge>,
}

impl Recurrence {
    /// The instructions that take part.
    pub fn insts(&self) -> impl Iterator<Item = Inst> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Inst(inst) => Some(*inst),
            Node::Param(_) => None,
        })
    }

    /// Whether a dependence through memory takes part.
    pub fn has_memory(&self) -> bool {
        let is_memory = |edge: &Edge| match edge.cause {
            Cause::Memory(_) => true,
            Cause::Value | Cause::Control => false,
        };
        self.edges.iter().any(is_memory)
    }

    /// The least number of cycles from the start of an iteration to that of the next one, if each
    /// instruction takes as many cycles as `latency` says: the greatest quotient of latency and distance over
    /// all cycles, rounded up, and at least 1. None if a cycle goes through an inner loop alone: how long it
    /// takes is not known.
    pub fn interval(&self, latency: impl Fn(Inst) -> u64) -> Option<u64> {
        let latencies: BTreeMap<Node, u64> = self
            .nodes
            .iter()
            .map(|&node| match node {
                Node::Inst(inst) => (node, latency(inst)),
                Node::Param(_) => (node, 0),
            })
            .collect();
        let all: u64 = latencies.values().sum();
        let (mut low, mut high) = (1, all.max(1));
        if self.exceeds(&latencies, high) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            match self.exceeds(&latencies, middle) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Some(low)
    }

    /// Whether the latency of some cycle exceeds the interval times its distance: whether a longest path
    /// still grows when it has as many edges as there are nodes.
    fn exceeds(&self, latencies: &BTreeMap<Node, u64>, interval: u64) -> bool {
        let mut longest: BTreeMap<Node, i128> = self.nodes.iter().map(|&it| (it, 0)).collect();
        for _ in 0..=self.nodes.len() {
            let mut has_grown = false;
            for edge in &self.edges {
                let wait = i128::from(interval) * i128::from(edge.distance);
                let length = longest[&edge.from] + i128::from(latencies[&edge.from]) - wait;
                if length > longest[&edge.to] {
                    longest.insert(edge.to, length);
                    has_grown = true;
                }
            }
            if !has_grown {
                return false;
            }
        }
        true
    }
}

/// The recurrences of a graph without the edges that `keeps` does not accept.
pub(super) fn find(edges: &[Edge], keeps: impl Fn(&Edge) -> bool) -> Vec<Recurrence> {
    let edges: Vec<Edge> = edges.iter().copied().filter(|it| keeps(it)).collect();
    let components = Components::of(&edges);
    let mut found: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
    for edge in edges {
        let [from, to] = [edge.from, edge.to].map(|node| components.of_node[&node]);
        if from == to {
            found.entry(from).or_default().push(edge);
        }
    }
    let carried = found
        .into_values()
        .filter(|edges| edges.iter().any(|it| it.distance > 0));
    let mut recurrences: Vec<Recurrence> = carried
        .map(|edges| {
            let mut nodes: Vec<Node> = edges.iter().flat_map(|it| [it.from, it.to]).collect();
            nodes.sort_unstable();
            nodes.dedup();
            Recurrence { nodes, edges }
        })
        .collect();
    recurrences.sort_by(|a, b| a.nodes.cmp(&b.nodes));
    recurrences
}

/// The strongly connected components of a graph (Tarjan's algorithm).
struct Components {
    of_node: BTreeMap<Node, usize>,
}

/// A node that the search has come to.
struct Visit {
    number: usize,
    /// The least number of an open node that can be reached.
    low: usize,
}

impl Components {
    fn of(edges: &[Edge]) -> Components {
        let mut next: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        for edge in edges {
            next.entry(edge.from).or_default().push(edge.to);
            next.entry(edge.to).or_default();
        }
        let mut components = Components {
            of_node: BTreeMap::new(),
        };
        let mut visits: BTreeMap<Node, Visit> = BTreeMap::new();
        let mut open = Vec::new();
        for &root in next.keys() {
            let mut path = match visits.contains_key(&root) {
                true => Vec::new(),
                false => vec![(root, 0)],
            };
            while let Some((node, done)) = path.pop() {
                if done == 0 {
                    let number = visits.len();
                    visits.insert(
                        node,
                        Visit {
                            number,
                            low: number,
                        },
                    );
                    open.push(node);
                }
                if let Some(&to) = next[&node].get(done) {
                    path.push((node, done + 1));
                    match visits.get(&to) {
                        None => path.push((to, 0)),
                        Some(visit) if !components.of_node.contains_key(&to) => {
                            let low = visit.number;
                            lower(&mut visits, node, low);
                        }
                        Some(_) => {}
                    }
                    continue;
                }
                let Visit { number, low } = visits[&node];
                if let Some(&(parent, _)) = path.last() {
                    lower(&mut visits, parent, low);
                }
                if low == number {
                    components.close(&mut open, node);
                }
            }
        }
        components
    }

    /// The nodes that have been opened since are a component.
    fn close(&mut self, open: &mut Vec<Node>, first: Node) {
        let at = open.iter().rposition(|&it| it == first);
        let number = self.of_node.len();
        for node in open.split_off(at.expect("it is open")) {
            self.of_node.insert(node, number);
        }
    }
}

fn lower(visits: &mut BTreeMap<Node, Visit>, node: Node, low: usize) {
    let visit = visits.get_mut(&node).expect("it has been visited");
    visit.low = visit.low.min(low);
}
