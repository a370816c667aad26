//! A block's pipeline as a graph of stages: how much each channel has to hold so that nothing waits
//! for room, and how many work-items the whole holds when nothing leaves it.
//!
//! Stages are numbered along the channels: the first one takes the work-items, the last one is where
//! they leave.

use sluice_circuit::potentials::{Node, Potentials};

/// A channel between two stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    /// The stage that gives.
    pub(super) from: usize,
    /// The stage that takes.
    pub(super) to: usize,
    /// Cycles from taking a token at `from` to offering it at `to`.
    pub(super) latency: u32,
    /// Bits of a token.
    pub(super) bits: u32,
}

/// By link: how long a token waits there for what comes another way, if every stage takes as long
/// as it says. So many places more than its latency needs the link has to have. Their bits are the
/// fewest possible: one linear program over the times at which the stages take a work-item.
///
/// `backwards` says how far a stage may be ahead of a later one that it waits for, as links with negative latencies;
/// where they contradict the others, they are left out.
pub(super) fn slacks(stages: usize, links: &[Link], backwards: &[Backwards]) -> Vec<u32> {
    if let Some(slacks) = slacks_within(stages, links, backwards) {
        return slacks;
    }
    slacks_within(stages, links, &[])
        .expect("stages are numbered along the links, and weights are not negative")
}

/// A stage that waits for a later one of an earlier token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Backwards {
    /// The later stage.
    pub(super) from: usize,
    /// The stage that waits.
    pub(super) to: usize,
    /// How far `from` may be behind `to`.
    pub(super) most: u32,
}

fn slacks_within(stages: usize, links: &[Link], backwards: &[Backwards]) -> Option<Vec<u32>> {
    let mut program = Potentials::new();
    let times: Vec<Node> = (0..stages).map(|_| program.add_node()).collect();
    for link in links {
        let (from, to) = (times[link.from], times[link.to]);
        program.at_least(from, to, link.latency.into());
        // A token without data still has to be counted.
        program.weigh(from, to, link.bits.max(1));
    }
    for it in backwards {
        program.at_least(times[it.from], times[it.to], -i64::from(it.most));
    }
    let solution = program.solve(times[0]).ok()?;
    let slack = |link: &Link| {
        let wait = solution.of(times[link.to]) - solution.of(times[link.from]);
        u32::try_from(wait - i64::from(link.latency)).expect("solutions keep the bounds")
    };
    Some(links.iter().map(slack).collect())
}

/// Cycles from the first stage's taking a work-item to the last one's, if none waits for another.
pub(super) fn latency(stages: usize, links: &[Link]) -> u32 {
    let mut times = vec![0; stages];
    // Stages are numbered along the links.
    for stage in 0..stages {
        for link in links.iter().filter(|link| link.to == stage) {
            times[stage] = times[stage].max(times[link.from] + link.latency);
        }
    }
    times[stages - 1]
}

/// Places between two stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Places {
    /// The stage that gives.
    pub(super) from: usize,
    /// The stage that takes.
    pub(super) to: usize,
    /// Tokens that `from` can give without `to` taking any.
    pub(super) tokens: u32,
}

/// How many work-items the pipeline takes when none is taken from it: SOFF's l_min, exactly.
///
/// How often a stage can take a work-item is bounded by how often another one can: by those before
/// it, whose tokens it needs, and by those behind it, as many more as there are places between. The
/// bound of the first stage is thus a shortest way from the last one, which takes none. The way may
/// go forward, too: where two ways part and meet again, a stage can starve because the stage that
/// feeds it stands still for the other way.
pub(super) fn capacity(stages: usize, places: &[Places]) -> u32 {
    let mut most = vec![u32::MAX; stages];
    most[stages - 1] = 0;
    loop {
        let before = most.clone();
        for place in places {
            let bound = most[place.to].saturating_add(place.tokens);
            most[place.from] = most[place.from].min(bound);
            most[place.to] = most[place.to].min(most[place.from]);
        }
        if most == before {
            return most[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(from: usize, to: usize, latency: u32, bits: u32) -> Link {
        Link {
            from,
            to,
            latency,
            bits,
        }
    }

    fn place(from: usize, to: usize, tokens: u32) -> Places {
        Places { from, to, tokens }
    }

    #[test]
    fn what_waits_beside_an_access_waits_as_long_as_the_access_takes() {
        // A segment, a load of 128 cycles between it and the next segment, a value beside it.
        let links = [link(0, 1, 3, 40), link(1, 2, 128, 32), link(0, 2, 5, 64)];
        assert_eq!(slacks(3, &links, &[]), [0, 0, 126]);
    }

    #[test]
    fn the_latency_is_that_of_the_longest_way() {
        let links = [link(0, 1, 3, 40), link(1, 2, 128, 32), link(0, 2, 5, 64)];
        assert_eq!(latency(3, &links), 131);
    }

    #[test]
    fn the_narrower_of_two_channels_in_a_row_is_the_one_that_waits() {
        // Two ways from 0 to 3: a long one, and one by 2 that grows from 8 to 32 bits there.
        let links = [
            link(0, 1, 50, 16),
            link(1, 3, 50, 16),
            link(0, 2, 10, 8),
            link(2, 3, 10, 32),
        ];
        assert_eq!(slacks(4, &links, &[]), [0, 0, 80, 0]);
    }

    #[test]
    fn a_short_way_past_a_stage_bounds_the_capacity() {
        let places = [place(0, 1, 20), place(1, 2, 20), place(0, 2, 25)];
        assert_eq!(capacity(3, &places), 25);
    }

    #[test]
    fn a_stage_that_starves_bounds_the_capacity() {
        // 1 stands still for 4; so 3 starves, and with it 2, which fills the way from 0.
        let places = [
            place(0, 1, 50),
            place(0, 2, 3),
            place(2, 3, 4),
            place(1, 3, 9),
            place(1, 4, 5),
            place(3, 4, 30),
        ];
        assert_eq!(capacity(5, &places), 12);
        assert_eq!(played(5, &places), 12);
    }

    /// Lets stages take tokens until none can, the last one excepted.
    fn played(stages: usize, places: &[Places]) -> u32 {
        let mut held = vec![0; places.len()];
        let mut taken = 0;
        loop {
            let ready = (0..stages - 1).find(|&stage| {
                let mut around = places.iter().zip(&held);
                around.all(|(place, &held)| {
                    (place.from != stage || held < place.tokens) && (place.to != stage || held > 0)
                })
            });
            let Some(stage) = ready else { return taken };
            taken += u32::from(stage == 0);
            for (place, held) in places.iter().zip(&mut held) {
                *held += u32::from(place.from == stage);
                *held -= u32::from(place.to == stage);
            }
        }
    }

    #[test]
    fn the_capacity_is_what_a_pipeline_takes() {
        let mut state = 11_u64;
        let mut random = |bound: u64| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 33) % bound
        };
        for _ in 0..500 {
            let stages = 2 + random(6) as usize;
            let mut places = Vec::new();
            for to in 1..stages {
                // Every stage is fed, and feeds.
                places.push(place(random(to as u64) as usize, to, 1 + random(9) as u32));
                places.push(place(to - 1, to, 1 + random(9) as u32));
            }
            assert_eq!(
                capacity(stages, &places),
                played(stages, &places),
                "{places:?}"
            );
        }
    }
}
