//! What starts the iterations of a loop before it is known whether there are any.
//!
//! ```text
//! control -> runahead -> body ... -+-> branch -+-> exit
//!               ^                  |           +-> end
//!               +---- goes on -----+
//! ```
//!
//! The end of a kernel passes all such units, one behind the other: each of them holds it back while iterations in
//! vain are under way, since what these read would come into a cache behind its flush.

use sluice_circuit::circuit::Channel;
use sluice_circuit::unit::Fields;
use sluice_circuit::units::runahead::Runahead;

use super::{Lowering, Rounds};
use crate::ir::{Block, InstData};

/// Cycles from an iteration's end to where the next one can start, and from there into the body.
const TURN: u32 = 2;

/// Iterations that a loop begins with which reads external memory, and begins once: they often read the same line.
const FEW: u32 = 8;

/// The channels of such a unit in its loop.
#[derive(Clone, Copy)]
pub(super) struct RunaheadChannels {
    /// Iterations that were started.
    pub(super) started: Channel,
    /// Iterations that have ended.
    pub(super) ended: Channel,
}

/// The way of a kernel's end past these units.
#[derive(Clone, Copy)]
pub(super) struct QuietWay {
    /// Before the first one.
    pub(super) before: Channel,
    /// Behind the last one.
    pub(super) behind: Channel,
}

impl Lowering<'_> {
    /// Adds what starts the iterations of a body, between where work-items enter it and the body, which takes
    /// `latency` cycles; none if it is known ahead which iterations there are.
    pub(super) fn runahead(
        &mut self,
        body: Block,
        entry: Channel,
        latency: u32,
    ) -> Option<RunaheadChannels> {
        self.cut.speculation(body)?;
        let cut = self.cut.pipelined_body(body)?;
        let name = self.names[body].clone();
        let interval = self.timings.get(&cut.split.control);
        let interval = interval.map_or(1, |timing| timing.interval);
        let window = (latency + TURN).div_ceil(interval);
        let window = window.clamp(1, Runahead::WIDEST);
        let runahead = Runahead {
            fields: self.circuit.channels()[entry].fields.clone(),
            start: self.at_first(body, cut.is_nested).min(window),
            window,
        };
        let started = self
            .circuit
            .add_channel_like(format!("{name}_started"), entry);
        let ended = self
            .circuit
            .add_channel(format!("{name}_ended"), Fields::new([1]));
        let before = match self.quiet {
            Some(way) => way.behind,
            None => self.quiet_channel(&name, "finished"),
        };
        let behind = self.quiet_channel(&name, "quiet");
        self.quiet = Some(QuietWay {
            before: self.quiet.map_or(before, |way| way.before),
            behind,
        });
        self.circuit
            .unit(format!("{name}_runahead"), runahead)
            .input(Runahead::ENTRY, entry)
            .input(Runahead::ENDED, ended)
            .input(Runahead::FINISHED, before)
            .output(Runahead::OUT, started)
            .output(Runahead::QUIET, behind)
            .add();
        self.loops.push(Rounds {
            channel: started,
            loc: cut.split.loc,
        });
        Some(RunaheadChannels { started, ended })
    }

    /// Iterations in vain at most that an execution may have besides as many as count. Where they read external memory,
    /// lines that are not needed are in the way of what follows.
    fn at_first(&self, body: Block, is_nested: bool) -> u32 {
        let mut insts = self.kernel.block(body).insts.iter();
        let reads_external = insts.any(|&inst| {
            let data = self.kernel.inst(inst);
            matches!(data, InstData::Load { .. }) && self.is_external(inst)
        });
        match (reads_external, is_nested) {
            (false, _) => Runahead::WIDEST,
            (true, false) => FEW,
            (true, true) => 1,
        }
    }

    fn quiet_channel(&mut self, name: &str, what: &str) -> Channel {
        self.circuit
            .add_channel(format!("{name}_{what}"), Fields::NONE)
    }
}
