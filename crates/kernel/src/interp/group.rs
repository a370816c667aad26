//! Executes work-groups: their strips in turn, from barrier to barrier.

use std::collections::VecDeque;

use crate::ir::{Fences, Loc};

use super::{
    checks::Observer,
    execute::{Pause, Worker},
    fault::{Elsewhere, Fault},
    lanes::LANES,
    memory::Owned,
    program::Exit,
    strip::Strip,
};

/// Units that a strip executes before it is the next one's turn.
const TURNS: u32 = 1 << 16;

/// Executes groups one after the other, with strips and local memory that it keeps.
pub(super) struct GroupRunner<'a, O> {
    pub worker: Worker<'a, O>,
    pub owned: &'a Owned,
    /// Strips that are not in use.
    pub idle: Vec<Strip>,
}

/// A work-group that is being executed.
struct RunningGroup {
    running: VecDeque<Strip>,
    /// One of the work-items that have ended, by its position among all.
    ended: Option<u64>,
}

impl<O: Observer> GroupRunner<'_, O> {
    /// Executes work-items that need not know of each other.
    pub fn run_items(&mut self, first_item: u64, count: u64) -> Result<(), Box<Fault>> {
        for at in (0..count).step_by(LANES) {
            let lanes = (count - at).min(LANES as u64) as usize;
            let mut strip = self.start(first_item + at, lanes);
            while self.worker.run(&mut strip, u32::MAX)? == Pause::Preempted {}
            self.idle.push(strip);
        }
        Ok(())
    }

    /// Executes a work-group.
    pub fn run_group(&mut self, number: u64) -> Result<(), Box<Fault>> {
        self.owned.clear_local();
        self.worker.observer.begin_group();
        let size = self.worker.launch.range.group_size();
        let mut group = RunningGroup {
            running: VecDeque::new(),
            ended: None,
        };
        for at in (0..size).step_by(LANES) {
            let lanes = (size - at).min(LANES as u64) as usize;
            let strip = self.start(number * size + at, lanes);
            self.run_strip(&mut group, strip)?;
        }
        while !group.running.is_empty() {
            if group.running.iter().all(Strip::is_stuck) {
                self.pass_barrier(&mut group)?;
            }
            for _ in 0..group.running.len() {
                let strip = group.running.pop_front();
                self.run_strip(&mut group, strip.expect("counted"))?;
            }
        }
        Ok(())
    }

    fn start(&mut self, first_item: u64, lanes: usize) -> Strip {
        let worker = &self.worker;
        let idle = self.idle.pop();
        let mut strip =
            idle.unwrap_or_else(|| Strip::new(worker.program, worker.launch, &worker.regions));
        strip.start(worker.program, &worker.space, first_item, lanes);
        strip
    }

    /// Executes a strip for its turn. Its registers serve the next one when its lanes have ended.
    fn run_strip(&mut self, group: &mut RunningGroup, mut strip: Strip) -> Result<(), Box<Fault>> {
        self.worker.run(&mut strip, TURNS)?;
        let ended = strip.started & !strip.live;
        if ended != 0 {
            let item = strip.first_item + u64::from(ended.trailing_zeros());
            group.ended = group.ended.or(Some(item));
        }
        if strip.live == 0 {
            self.idle.push(strip);
        } else {
            group.running.push_back(strip);
        }
        Ok(())
    }

    /// Opens the barriers that all lanes which have not ended wait at.
    fn pass_barrier(&mut self, group: &mut RunningGroup) -> Result<(), Box<Fault>> {
        if self.worker.options.checks.divergence {
            let verdict = self.check_divergence(group);
            self.worker.report(verdict)?;
        }
        let units = &self.worker.program.units;
        let mut ordered = Fences {
            local: false,
            global: false,
        };
        for strip in &mut group.running {
            strip.release(|unit| match units[unit].exit {
                Exit::Barrier { next, fences, .. } => {
                    ordered.local |= fences.local;
                    ordered.global |= fences.global;
                    next
                }
                Exit::Jump(_) | Exit::Branch { .. } | Exit::Return => {
                    unreachable!("lanes are blocked at barriers only")
                }
            });
        }
        self.worker.observer.pass_barrier(ordered);
        Ok(())
    }

    fn check_divergence(&self, group: &RunningGroup) -> Result<(), Box<Fault>> {
        let mut waiting = group.running.iter().flat_map(|strip| {
            let items = strip.blocked.iter();
            items.map(|&(unit, lanes)| (unit, strip.first_item + u64::from(lanes.trailing_zeros())))
        });
        let Some((unit, item)) = waiting.next() else {
            return Ok(());
        };
        let (other, instead) = if let Some(ended) = group.ended {
            (ended, Elsewhere::Ended)
        } else if let Some((elsewhere, other)) = waiting.find(|&(at, _)| at != unit) {
            let place = self.worker.place(self.barrier_loc(elsewhere));
            (other, Elsewhere::Barrier(place))
        } else {
            return Ok(());
        };
        Err(Box::new(Fault::BarrierDivergence {
            item: self.worker.item_at(item),
            place: self.worker.place(self.barrier_loc(unit)),
            other: self.worker.item_at(other),
            instead,
        }))
    }

    fn barrier_loc(&self, unit: usize) -> Loc {
        match self.worker.program.units[unit].exit {
            Exit::Barrier { loc, .. } => loc,
            Exit::Jump(_) | Exit::Branch { .. } | Exit::Return => Loc::default(),
        }
    }
}
