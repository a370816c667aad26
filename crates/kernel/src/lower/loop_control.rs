//! What controls loops whose iterations overlap: a segment that sends a token for each iteration, and for
//! parallel loops the unit that collects them.
//!
//! ```text
//! entry -> gate -> control -+-> body ... -> end -+
//!            ^              +-> issued ----------+-> rejoin -+
//!            |              +-> last one --------------------+-> join -> gate -> exit
//! ```

use sluice_circuit::circuit::{Channel, Constant};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::branch::Branch;
use sluice_circuit::units::join::Join;
use sluice_circuit::units::loop_gate::LoopGate;
use sluice_circuit::units::rejoin::Rejoin;
use sluice_circuit::units::segment::{Operand, Segment};

use super::block::Built;
use super::{LoopDescription, LoopLimit, LoopTiming, Lowering, Rounds};
use crate::ir::{Block, Value};
use crate::prepare::{CutLoop, LoopReport, PreparedKernel, Way};

/// Bits of the count of iterations that are under way.
const COUNT_BITS: u32 = 32;

impl Lowering<'_> {
    /// What is to be said of the kernel's loops.
    pub(super) fn loop_ways(&self, prepared: &PreparedKernel) -> Vec<LoopDescription> {
        let reports = prepared.loop_reports.iter();
        let describe = |report: &LoopReport| {
            let cut = self.cut.loops.iter();
            let cut = cut.clone().find(|it| it.split.body == report.header);
            LoopDescription {
                key: report.key,
                way: report.way,
                reason: report.reason.clone(),
                keeps_order: report.keeps_order,
                copies: report.copies,
                is_rest: report.is_rest,
                not_unrolled: report.not_unrolled.clone(),
                timing: cut.and_then(|it| self.timings.get(&it.split.control).cloned()),
            }
        };
        reports.map(describe).collect()
    }

    /// Notes that a segment of a loop takes an iteration only every so many cycles.
    pub(super) fn note_interval(&mut self, control: Block, segment: &Segment) {
        let ring = segment.limiting_recurrence().iter();
        let ring = ring.map(|&it| &segment.graph().operations[it as usize]);
        let mut lines: Vec<u32> = ring.clone().filter_map(|it| it.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let operations = ring.filter(|it| !it.is_state());
        let limit = LoopLimit::Values {
            lines,
            operations: operations.map(|it| it.kind.word()).collect(),
        };
        self.note_limit(control, segment.interval(), limit);
    }

    /// Notes that the iterations of a loop follow each other only every so many cycles.
    pub(super) fn note_limit(&mut self, control: Block, interval: u32, limit: LoopLimit) {
        let timing = self.timings.entry(control).or_insert(LoopTiming {
            interval: 1,
            latency: 0,
            limit: None,
        });
        if interval > timing.interval {
            timing.interval = interval;
            timing.limit = Some(limit);
        }
    }

    /// Builds what controls a loop, between where work-items enter it and its ways: to the body, and of a
    /// parallel loop out of it. Iterations come back at `ended`.
    pub(super) fn loop_control(
        &mut self,
        cut: &CutLoop,
        entry: Channel,
        ways: &[Channel],
        ended: Channel,
    ) -> Built {
        let latency = match cut.split.way {
            Way::Parallel => self.parallel_control(cut, entry, ways, ended),
            Way::Pipelined(_) | Way::Speculative(_) => {
                self.circuit.discard(ended);
                self.pipelined_control(cut, entry, ways[0])
            }
        };
        // A work-item that goes round a loop around this one has a place here.
        Built {
            capacity: 1,
            latency,
        }
    }

    fn pipelined_control(&mut self, cut: &CutLoop, entry: Channel, body: Channel) -> u32 {
        let control = cut.split.control;
        let values = self.carried(&self.kernel.successors(control)[0]);
        let segment = self.control_segment(cut, &[values]);
        self.add_control(cut, segment, entry, vec![body])
    }

    fn parallel_control(
        &mut self,
        cut: &CutLoop,
        entry: Channel,
        ways: &[Channel],
        ended: Channel,
    ) -> u32 {
        let control = cut.split.control;
        let name = self.names[control].clone();
        let targets = self.kernel.successors(control);
        let [to_body, to_exit] = [0, 1].map(|at| self.carried(&targets[at]));
        let mut leaving = vec![cut.split.again];
        for &value in &to_exit {
            if !leaving[1..].contains(&value) {
                leaving.push(value);
            }
        }
        let segment = self.control_segment(cut, &[to_body, vec![cut.split.again], leaving.clone()]);
        let [issued, decision] = [1, 2].map(|at| {
            let fields = segment.0.outputs()[at].fields.clone();
            let what = ["issued", "decision"][at - 1];
            self.circuit.add_channel(format!("{name}_{what}"), fields)
        });
        let exit = ways[1];
        let joined = self
            .circuit
            .add_channel_like(format!("{name}_joined"), exit);
        let entered = self.single_gate(&name, entry, joined, exit);
        let latency = self.add_control(cut, segment, entered, vec![ways[0], issued, decision]);
        let place = |value: &Value| leaving[1..].iter().position(|it| it == value);
        let kept = to_exit
            .iter()
            .map(|value| place(value).expect("it was put there"));
        let left = self.last_token(&name, decision, kept.collect(), exit);
        let done = self.rejoin(&name, issued, ended);
        let fields = self.circuit.channels()[left].fields.clone();
        let join = Join {
            inputs: vec![fields, Fields::NONE],
        };
        self.circuit
            .unit(format!("{name}_join"), join)
            .inputs_in_order([left, done])
            .output(Join::OUT, joined)
            .add();
        latency
    }

    /// A gate that lets in one work-item at a time.
    fn single_gate(
        &mut self,
        name: &str,
        entry: Channel,
        leaving: Channel,
        left: Channel,
    ) -> Channel {
        let fields = |channel: Channel| self.circuit.channels()[channel].fields.clone();
        let gate = LoopGate {
            entry: fields(entry),
            exits: vec![fields(left)],
            limit: 1,
        };
        let entered = self
            .circuit
            .add_channel_like(format!("{name}_entered"), entry);
        self.circuit
            .unit(format!("{name}_gate"), gate)
            .input(LoopGate::ENTRY_IN, entry)
            .output(LoopGate::ENTRY_OUT, entered)
            .input(LoopGate::exit_in(0), leaving)
            .output(LoopGate::exit_out(0), left)
            .add();
        entered
    }

    /// Of the tokens that begin with whether there is another one, those that are the last.
    fn last_token(
        &mut self,
        name: &str,
        decision: Channel,
        kept: Vec<usize>,
        like: Channel,
    ) -> Channel {
        let all = self.circuit.channels()[decision].fields.clone();
        let branch = Branch {
            fields: Fields::new(all.widths().skip(1)),
            on_true: Vec::new(),
            on_false: kept,
        };
        let left = self.circuit.add_channel_like(format!("{name}_last"), like);
        let others = self
            .circuit
            .add_channel(format!("{name}_others"), Fields::NONE);
        self.circuit
            .unit(format!("{name}_choose_last"), branch)
            .input(Branch::IN, decision)
            .output(Branch::ON_TRUE, others)
            .output(Branch::ON_FALSE, left)
            .add();
        self.circuit.discard(others);
        left
    }

    /// What collects the iterations of a parallel loop.
    fn rejoin(&mut self, name: &str, issued: Channel, ended: Channel) -> Channel {
        let rejoin = Rejoin {
            ended: 1,
            bits: COUNT_BITS,
        };
        let done = self
            .circuit
            .add_channel(format!("{name}_done"), Fields::NONE);
        self.circuit
            .unit(format!("{name}_rejoin"), rejoin)
            .input(Rejoin::ISSUED, issued)
            .input(Rejoin::ended(0), ended)
            .output(Rejoin::DONE, done)
            .add();
        done
    }

    /// The segment that sends a token with values for each iteration, to each of the outputs.
    fn control_segment(
        &mut self,
        cut: &CutLoop,
        outputs: &[Vec<Value>],
    ) -> (Segment, Vec<Constant>) {
        let control = cut.split.control;
        let graph = self.dataflow.block(control);
        let name = format!("{}_control", self.names[control]);
        let mut builder = self.segment_builder(&name);
        builder.add_input(&graph.inputs);
        let (first, goes_on) = builder.first_of_loop();
        let params = cut.split.controlled.iter().zip(&cut.next);
        let needed = params.filter(|(param, _)| graph.inputs.contains(param));
        let states: Vec<(Operand, Value)> = needed
            .map(|(&param, &next)| {
                let state = builder.add_state(param);
                let initial = builder.operand(self.circuit, &mut self.constants, param);
                builder.begin_with(param, first, initial, state);
                (state, next)
            })
            .collect();
        for &inst in graph.levels.iter().flat_map(|level| &level.pure) {
            builder.compute(self.circuit, &mut self.constants, inst);
        }
        for (state, next) in states {
            let next = builder.operand(self.circuit, &mut self.constants, next);
            builder.graph.set_next(state, next);
        }
        let again = builder.operand(self.circuit, &mut self.constants, cut.split.again);
        builder.graph.set_next(goes_on, again);
        builder.graph.set_repeat(again);
        for values in outputs {
            let operands = self.operands(&mut builder, values);
            builder.graph.add_output(&operands, 0);
        }
        (
            Segment::schedule(builder.graph, self.target),
            builder.constants,
        )
    }

    fn add_control(
        &mut self,
        cut: &CutLoop,
        (segment, constants): (Segment, Vec<Constant>),
        entry: Channel,
        outputs: Vec<Channel>,
    ) -> u32 {
        let latency = segment.latency();
        let control = cut.split.control;
        self.note_interval(control, &segment);
        self.loops.push(Rounds {
            channel: outputs[0],
            loc: cut.split.loc,
        });
        let lines = self.lines(&self.kernel.block(control).insts);
        let name = format!("{}_control", self.names[control]);
        self.circuit
            .unit(name, segment)
            .lines(lines)
            .constants(constants)
            .input(Segment::input(0), entry)
            .outputs_in_order(outputs)
            .add();
        latency
    }
}
