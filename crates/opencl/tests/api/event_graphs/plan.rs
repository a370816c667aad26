//! A graph of commands, and what it does when it is run serially.

use std::collections::BTreeSet;

use opencl_sys::{CL_COMPLETE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, cl_int};

/// Words of a buffer.
pub const WORDS: usize = 16;

/// With what a user event fails.
pub const FAILURE: cl_int = -99;

/// What graphs are like.
pub struct Shape {
    pub commands: usize,
    pub buffers: usize,
    pub queues: Vec<Order>,
    /// Whether commands wait without saying for what.
    pub barriers: Use,
    /// Whether user events fail.
    pub failures: Use,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    None,
    AsEnqueued,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    Never,
    Sometimes,
}

impl Shape {
    pub fn usual() -> Shape {
        Shape {
            commands: 24,
            buffers: 5,
            queues: vec![Order::None, Order::None],
            barriers: Use::Sometimes,
            failures: Use::Never,
        }
    }
}

/// What is done to buffers, by number.
#[derive(Clone, Debug)]
pub enum Action {
    /// A user event, and how it ends.
    Gate(cl_int),
    Write {
        to: usize,
        first: usize,
        words: Vec<u32>,
    },
    Fill {
        to: usize,
        first: usize,
        words: usize,
        with: u32,
    },
    Copy {
        from: usize,
        to: usize,
        first: usize,
        place: usize,
        words: usize,
    },
    /// `to = to * times + place` in each word.
    Scale {
        to: usize,
        times: u32,
    },
    /// `to += from` in each word, the other way round.
    Add {
        from: usize,
        to: usize,
    },
    Read {
        from: usize,
    },
    Marker,
    /// All that is behind it in its queue waits for it.
    Barrier,
}

/// A command or a user event. It waits for others by their number.
#[derive(Clone, Debug)]
pub struct Node {
    pub action: Action,
    pub queue: usize,
    pub waits: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub buffers: usize,
    pub queues: Vec<Order>,
    pub nodes: Vec<Node>,
}

/// What a run leaves behind.
#[derive(Default)]
pub struct Outcome {
    pub buffers: Vec<Vec<u32>>,
    /// What each read got, in the order of the plan.
    pub reads: Vec<Vec<u32>>,
    /// How each node ended.
    pub statuses: Vec<cl_int>,
}

/// Numbers from a seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 32) as u32
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        self.word() as usize % bound
    }
}

/// What is known of the nodes so far.
struct Maker<'a> {
    shape: &'a Shape,
    random: Random,
    nodes: Vec<Node>,
    /// What has ended when a node starts.
    before: Vec<BTreeSet<usize>>,
    /// Who last wrote a buffer, and who has read it since.
    writers: Vec<Option<usize>>,
    readers: Vec<Vec<usize>>,
}

impl Plan {
    pub fn random(seed: u64, shape: &Shape) -> Plan {
        let mut maker = Maker {
            shape,
            random: Random::new(seed),
            nodes: Vec::new(),
            before: Vec::new(),
            writers: vec![None; shape.buffers],
            readers: vec![Vec::new(); shape.buffers],
        };
        while maker.nodes.len() < shape.commands {
            maker.add_node();
        }
        Plan {
            buffers: shape.buffers,
            queues: shape.queues.clone(),
            nodes: maker.nodes,
        }
    }

    /// What a buffer has in it at first.
    pub fn initial(buffer: usize) -> Vec<u32> {
        (0..WORDS).map(|at| (buffer * 1000 + at) as u32).collect()
    }

    /// Runs one node after the other; what waits for a failed one fails.
    pub fn serial(&self) -> Outcome {
        let mut outcome = Outcome {
            buffers: (0..self.buffers).map(Plan::initial).collect(),
            ..Outcome::default()
        };
        for node in &self.nodes {
            let is_lost = node
                .waits
                .iter()
                .any(|&it| outcome.statuses[it] < CL_COMPLETE);
            let status = match (&node.action, is_lost) {
                (Action::Gate(status), _) => *status,
                (_, true) => CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                (_, false) => CL_COMPLETE,
            };
            outcome.statuses.push(status);
            if matches!(node.action, Action::Read { .. }) {
                outcome.reads.push(vec![0; WORDS]);
            }
            if !is_lost {
                node.action.act(&mut outcome);
            }
        }
        outcome
    }
}

impl Action {
    fn act(&self, outcome: &mut Outcome) {
        let buffers = &mut outcome.buffers;
        match self {
            Action::Gate(_) | Action::Marker | Action::Barrier => {}
            Action::Write { to, first, words } => {
                buffers[*to][*first..first + words.len()].copy_from_slice(words);
            }
            Action::Fill {
                to,
                first,
                words,
                with,
            } => {
                buffers[*to][*first..first + words].fill(*with);
            }
            Action::Copy {
                from,
                to,
                first,
                place,
                words,
            } => {
                let copied = buffers[*from][*first..first + words].to_vec();
                buffers[*to][*place..place + words].copy_from_slice(&copied);
            }
            Action::Scale { to, times } => {
                for (at, word) in buffers[*to].iter_mut().enumerate() {
                    *word = word.wrapping_mul(*times).wrapping_add(at as u32);
                }
            }
            Action::Add { from, to } => {
                let added = buffers[*from].clone();
                for (word, added) in buffers[*to].iter_mut().zip(added.iter().rev()) {
                    *word = word.wrapping_add(*added);
                }
            }
            Action::Read { from } => {
                let read = buffers[*from].clone();
                *outcome.reads.last_mut().expect("there is room for it") = read;
            }
        }
    }

    /// The buffers that it reads, and those that it writes.
    fn uses(&self) -> (Vec<usize>, Vec<usize>) {
        match *self {
            Action::Gate(_) | Action::Marker | Action::Barrier => (vec![], vec![]),
            Action::Write { to, .. } | Action::Fill { to, .. } => (vec![], vec![to]),
            Action::Copy { from, to, .. } | Action::Add { from, to } => (vec![from], vec![to]),
            Action::Scale { to, .. } => (vec![to], vec![to]),
            Action::Read { from } => (vec![from], vec![]),
        }
    }
}

impl Maker<'_> {
    fn add_node(&mut self) {
        let queue = self.random.below(self.shape.queues.len());
        let action = self.action();
        let mut node = Node {
            action,
            queue,
            waits: Vec::new(),
        };
        if !matches!(node.action, Action::Gate(_)) {
            self.add_waits(&mut node);
        }
        let before = self.ended_before(&node);
        let at = self.nodes.len();
        let (reads, writes) = node.action.uses();
        reads
            .iter()
            .for_each(|&buffer| self.readers[buffer].push(at));
        for buffer in writes {
            self.writers[buffer] = Some(at);
            self.readers[buffer].clear();
        }
        self.nodes.push(node);
        self.before.push(before);
    }

    fn action(&mut self) -> Action {
        let random = &mut self.random;
        let buffers = self.shape.buffers;
        let to = random.below(buffers);
        let from = (to + 1 + random.below(buffers - 1)) % buffers;
        let (first, words) = (random.below(WORDS / 2), 1 + random.below(WORDS / 2));
        match random.below(20) {
            0 | 1 => {
                let fails = self.shape.failures == Use::Sometimes && random.below(4) == 0;
                Action::Gate(if fails { FAILURE } else { CL_COMPLETE })
            }
            2 | 3 => Action::Marker,
            4 if self.shape.barriers == Use::Sometimes => Action::Barrier,
            4..=6 => {
                let words = (0..words).map(|_| random.word()).collect();
                Action::Write { to, first, words }
            }
            7 | 8 => Action::Fill {
                to,
                first,
                words,
                with: random.word(),
            },
            9..=11 => {
                let place = random.below(WORDS / 2);
                Action::Copy {
                    from,
                    to,
                    first,
                    place,
                    words,
                }
            }
            12..=14 => Action::Scale {
                to,
                times: random.word() | 1,
            },
            15..=17 => Action::Add { from, to },
            _ => Action::Read { from },
        }
    }

    /// Some waits by chance, and those that the buffers demand, each directly or through another.
    fn add_waits(&mut self, node: &mut Node) {
        let says_nothing = matches!(node.action, Action::Marker | Action::Barrier)
            && self.shape.barriers == Use::Sometimes
            && self.random.below(2) == 0;
        if says_nothing {
            return;
        }
        let so_far = self.nodes.len();
        for _ in 0..self.random.below(3).min(so_far) {
            let wait = self.random.below(so_far);
            node.waits.push(wait);
        }
        // Without a list they would wait for all: not what this shape is about.
        let needs_one = matches!(node.action, Action::Marker | Action::Barrier);
        if needs_one && node.waits.is_empty() && so_far > 0 {
            node.waits.push(self.random.below(so_far));
        }
        for needed in self.needed(&node.action) {
            if !self.ended_before(node).contains(&needed) {
                let through: Vec<usize> = (needed..so_far)
                    .filter(|&it| it == needed || self.before[it].contains(&needed))
                    .collect();
                node.waits.push(through[self.random.below(through.len())]);
            }
        }
    }

    /// Who must have ended because of the buffers.
    fn needed(&self, action: &Action) -> Vec<usize> {
        let (reads, writes) = action.uses();
        let readers = writes.iter().flat_map(|&buffer| &self.readers[buffer]);
        let writers = reads
            .iter()
            .chain(&writes)
            .filter_map(|&buffer| self.writers[buffer]);
        readers.copied().chain(writers).collect()
    }

    /// All that has ended when a node that is to be the next starts.
    fn ended_before(&self, node: &Node) -> BTreeSet<usize> {
        let is_command = |it: &Node| !matches!(it.action, Action::Gate(_));
        let in_queue = |it: &usize| {
            let other = &self.nodes[*it];
            other.queue == node.queue && is_command(other)
        };
        let mut waits: BTreeSet<usize> = node.waits.iter().copied().collect();
        let mut earlier = (0..self.nodes.len()).rev().filter(in_queue);
        let is_in_order = self.shape.queues[node.queue] == Order::AsEnqueued;
        let waits_for_all =
            node.waits.is_empty() && matches!(node.action, Action::Marker | Action::Barrier);
        if !is_command(node) {
            waits.clear();
        } else if waits_for_all {
            waits.extend(earlier);
        } else if is_in_order {
            waits.extend(earlier.next());
        } else {
            let is_barrier = |it: &usize| matches!(self.nodes[*it].action, Action::Barrier);
            waits.extend(earlier.find(is_barrier));
        }
        let through = waits
            .iter()
            .flat_map(|&it| &self.before[it])
            .copied()
            .collect::<Vec<_>>();
        waits.extend(through);
        waits
    }
}
