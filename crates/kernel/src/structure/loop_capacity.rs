//! How many work-items a loop admits without deadlock: SOFF's theorem 1, with what
//! blocks and inner loops truly hold.
//!
//! A round that goes back to the header is stuck only if every block on it is full. So a loop
//! may hold one work-item less than its shortest round. A queue on the back edge, which is part of
//! every round, lets it hold as many as its longest round can use.
//!
//! A round passes an inner loop from its header to one of its exits. When the exit is stuck, the
//! inner loop stops taking work-items when the blocks from its header to the exit are full, or when
//! it has admitted all that it admits.

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;

use crate::analysis::{Cfg, Loop, Loops};
use crate::ir::{Block, Kernel};

/// What a loop admits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoopCapacity {
    /// Most work-items inside: N_max.
    pub limit: u32,
    /// Least places on the back edge: N_max - N_min.
    pub queue: u32,
}

/// The least and the most that lies on a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sum {
    least: u32,
    most: u32,
}

/// The edges out of a loop, each with what lies from the header to its source.
type Exits = BTreeMap<(Block, Block), Sum>;

/// What each loop of a reducible kernel admits, if each block holds `capacity` work-items.
pub fn loop_capacities(
    kernel: &Kernel,
    cfg: &Cfg,
    loops: &Loops,
    capacity: impl Fn(Block) -> u32,
) -> SecondaryMap<Loop, LoopCapacity> {
    let mut capacities = SecondaryMap::new();
    let mut exits: SecondaryMap<Loop, Exits> = SecondaryMap::new();
    // Inner loops first.
    for (loop_, _) in loops.iter().rev() {
        let mut ways = Ways {
            loops,
            loop_,
            until: BTreeMap::new(),
            round: None,
            exits: Exits::new(),
        };
        ways.follow(kernel, cfg, &capacity, &exits);
        let round = ways.round.expect("a header reaches its latches");
        let limit = round.most.saturating_sub(1).max(1);
        capacities[loop_] = LoopCapacity {
            limit,
            queue: round.most - round.least,
        };
        for sum in ways.exits.values_mut() {
            *sum = Sum {
                least: sum.least.min(limit),
                most: limit,
            };
        }
        exits[loop_] = ways.exits;
    }
    capacities
}

/// The ways from a loop's header, inner loops passed as one.
struct Ways<'a> {
    loops: &'a Loops,
    loop_: Loop,
    /// What lies before a block.
    until: BTreeMap<Block, Sum>,
    /// What lies on the ways back to the header.
    round: Option<Sum>,
    exits: Exits,
}

impl Ways<'_> {
    fn follow(
        &mut self,
        kernel: &Kernel,
        cfg: &Cfg,
        capacity: impl Fn(Block) -> u32,
        inner: &SecondaryMap<Loop, Exits>,
    ) {
        let data = self.loops.get(self.loop_);
        self.until.insert(data.header, Sum { least: 0, most: 0 });
        debug_assert!(data.blocks.is_sorted_by_key(|&block| cfg.index(block)));
        for &block in &data.blocks {
            // Blocks of inner loops other than their headers are passed with these.
            let Some(&before) = self.until.get(&block) else {
                continue;
            };
            let innermost = self.loops.innermost(block).expect("it is in this loop");
            if innermost == self.loop_ {
                let held = capacity(block);
                let held = Sum {
                    least: held,
                    most: held,
                };
                for to in kernel.successors(block) {
                    self.arrive(block, to.block, before + held);
                }
            } else {
                for (&(from, to), &held) in &inner[self.child(innermost)] {
                    self.arrive(from, to, before + held);
                }
            }
        }
    }

    /// The loop directly inside this one that a loop is in.
    fn child(&self, mut inner: Loop) -> Loop {
        while self.loops.get(inner).parent != Some(self.loop_) {
            inner = self.loops.get(inner).parent.expect("it is inside");
        }
        inner
    }

    fn arrive(&mut self, from: Block, to: Block, sum: Sum) {
        let join = |other: &mut Sum| {
            *other = Sum {
                least: other.least.min(sum.least),
                most: other.most.max(sum.most),
            }
        };
        if to == self.loops.get(self.loop_).header {
            join(self.round.get_or_insert(sum));
        } else if self.loops.contains(self.loop_, to) {
            self.until.entry(to).and_modify(join).or_insert(sum);
        } else {
            self.exits.entry((from, to)).and_modify(join).or_insert(sum);
        }
    }
}

impl std::ops::Add for Sum {
    type Output = Sum;

    fn add(self, other: Sum) -> Sum {
        Sum {
            least: self.least + other.least,
            most: self.most + other.most,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Dominators;
    use crate::text::parse;

    /// Limits and queues, outer loops first, of a kernel whose block `bN` holds `held[N]`.
    fn capacities(blocks: &[&[u32]], held: &[u32]) -> Vec<(u32, u32)> {
        let mut text = String::from("kernel \"k\"\n{\n");
        for (at, targets) in blocks.iter().enumerate() {
            text += &match targets {
                [] => format!("b{at}:\nreturn\n"),
                [to] => format!("b{at}:\njump b{to}\n"),
                [yes, no, ..] => {
                    format!("b{at}:\nv{at}: i1 = const 1\nbranch v{at}, b{yes}, b{no}\n")
                }
            };
        }
        let kernel = parse(&(text + "}\n")).unwrap();
        let cfg = Cfg::of(&kernel);
        let loops = Loops::of(&kernel, &cfg, &Dominators::of(&kernel, &cfg));
        let capacity = |block: Block| held[block.as_u32() as usize];
        let capacities = loop_capacities(&kernel, &cfg, &loops, capacity);
        let numbers = |(loop_, _)| (capacities[loop_].limit, capacities[loop_].queue);
        loops.iter().map(numbers).collect()
    }

    #[test]
    fn a_loop_admits_its_longest_round_less_one() {
        // b1 goes on to b3, or to it by b2.
        let blocks: [&[u32]; 5] = [&[1], &[2, 3], &[3], &[1, 4], &[]];
        assert_eq!(capacities(&blocks, &[9, 10, 100, 20, 9]), [(129, 100)]);
    }

    #[test]
    fn an_inner_loop_holds_no_more_than_it_admits() {
        // b2 is a loop by itself, so it admits 49.
        let blocks: [&[u32]; 5] = [&[1], &[2], &[2, 3], &[1, 4], &[]];
        let found = capacities(&blocks, &[9, 10, 50, 20, 9]);
        assert_eq!(found, [(10 + 49 + 20 - 1, 0), (49, 0)]);
    }

    #[test]
    fn an_inner_loop_that_is_left_at_its_header_is_stuck_when_the_header_is_full() {
        // b2 leaves to b4 or goes round by b3.
        let blocks: [&[u32]; 6] = [&[1], &[2], &[3, 4], &[2], &[1, 5], &[]];
        let found = capacities(&blocks, &[9, 10, 8, 40, 20, 9]);
        assert_eq!(found, [(10 + 47 + 20 - 1, 47 - 8), (47, 0)]);
    }

    #[test]
    fn an_exit_of_two_loops_at_once_ends_a_round_of_neither() {
        // b3 leaves both loops; the ways back are by b2 and b4.
        let blocks: [&[u32]; 6] = [&[1], &[2], &[3, 4], &[2, 5], &[1, 5], &[]];
        let found = capacities(&blocks, &[9, 10, 8, 40, 20, 9]);
        assert_eq!(found, [(10 + 47 + 20 - 1, 47 - 8), (47, 0)]);
    }
}
