//! Minimum cuts: the cheapest way to tell what a source reaches from what reaches a sink, by
//! Dinic's algorithm.

/// A flow that nothing carries away: an edge of this capacity is never cut.
pub(super) const UNCUT: u64 = u64::MAX / 4;

/// A network of nodes 0 (the source), 1 (the sink) and those added.
pub(super) struct Network {
    /// The edges out of each node, by number.
    out: Vec<Vec<usize>>,
    /// Where each edge goes and what it can still carry. Edges come in pairs, there and back.
    edges: Vec<(usize, u64)>,
}

pub(super) const SOURCE: usize = 0;
pub(super) const SINK: usize = 1;

impl Network {
    pub(super) fn new() -> Network {
        Network {
            out: vec![Vec::new(); 2],
            edges: Vec::new(),
        }
    }

    pub(super) fn add_node(&mut self) -> usize {
        self.out.push(Vec::new());
        self.out.len() - 1
    }

    pub(super) fn add_edge(&mut self, from: usize, to: usize, capacity: u64) {
        for (from, to, capacity) in [(from, to, capacity), (to, from, 0)] {
            self.out[from].push(self.edges.len());
            self.edges.push((to, capacity));
        }
    }

    /// For each node, whether it is on the source's side of a minimum cut: of all minimum cuts the
    /// one with the most nodes there.
    pub(super) fn cut(mut self) -> Vec<bool> {
        loop {
            let distance = self.distances_to_sink();
            if distance[SOURCE].is_none() {
                return distance.iter().map(Option::is_none).collect();
            }
            let mut next = vec![0; self.out.len()];
            while self.augment(&distance, &mut next) {}
        }
    }

    /// The number of edges with room from each node to the sink.
    fn distances_to_sink(&self) -> Vec<Option<u32>> {
        let mut distance = vec![None; self.out.len()];
        distance[SINK] = Some(0);
        let mut reached = vec![SINK];
        let mut at = 0;
        while let Some(&node) = reached.get(at) {
            at += 1;
            for &edge in &self.out[node] {
                let (from, _) = self.edges[edge];
                let (_, room) = self.edges[edge ^ 1];
                if room > 0 && distance[from].is_none() {
                    distance[from] = distance[node].map(|steps: u32| steps + 1);
                    reached.push(from);
                }
            }
        }
        distance
    }

    /// Sends what fits along one shortest path; says whether there was one. `next` is the first
    /// edge of each node that may still lead to the sink.
    fn augment(&mut self, distance: &[Option<u32>], next: &mut [usize]) -> bool {
        let mut path: Vec<usize> = Vec::new();
        let mut node = SOURCE;
        while node != SINK {
            let closer = distance[node].and_then(|steps| steps.checked_sub(1));
            let onwards = self.out[node].get(next[node]).copied();
            match onwards {
                Some(edge) => {
                    let (to, room) = self.edges[edge];
                    if room > 0 && closer.is_some() && distance[to] == closer {
                        path.push(edge);
                        node = to;
                    } else {
                        next[node] += 1;
                    }
                }
                None => {
                    let Some(edge) = path.pop() else {
                        return false;
                    };
                    node = self.edges[edge ^ 1].0;
                    next[node] += 1;
                }
            }
        }
        let room = path.iter().map(|&edge| self.edges[edge].1).min();
        let room = room.expect("source and sink are different nodes");
        for edge in path {
            self.edges[edge].1 -= room;
            self.edges[edge ^ 1].1 += room;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cost of a cut, unless it cuts what must not be.
    fn cost(edges: &[(usize, usize, u64)], is_source: impl Fn(usize) -> bool) -> u64 {
        let cut = edges.iter().filter(|e| is_source(e.0) && !is_source(e.1));
        cut.map(|edge| edge.2).sum()
    }

    #[test]
    fn cuts_are_the_cheapest_and_the_largest_of_those() {
        let mut state = 1u32;
        let mut random = |bound: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % bound) as usize
        };
        for _ in 0..300 {
            let count = 2 + random(7);
            let mut network = Network::new();
            (2..count).for_each(|_| assert!(network.add_node() < count));
            let mut edges = Vec::new();
            for _ in 0..random(20) {
                let (from, to) = (random(count as u32), random(count as u32));
                edges.push((from, to, random(6) as u64));
                network.add_edge(from, to, edges[edges.len() - 1].2);
            }
            let side = network.cut();
            // Bit n is set in a choice if node n is on the source's side.
            let choices = (0..1u32 << count).filter(|choice| choice & 3 == 1);
            let best: Vec<u32> = {
                let costs = |&choice: &u32| cost(&edges, |node| choice >> node & 1 == 1);
                let least = choices.clone().map(|c| costs(&c)).min().unwrap();
                choices.filter(|c| costs(c) == least).collect()
            };
            let largest = best.iter().fold(0, |all, choice| all | choice);
            let ours: u32 = (0..count).map(|node| u32::from(side[node]) << node).sum();
            assert_eq!(ours, largest, "{edges:?}");
        }
    }
}
