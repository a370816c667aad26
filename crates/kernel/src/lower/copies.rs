//! Copies of small buffers on the chip.

use std::collections::BTreeSet;

use sluice_circuit::access::{Access, Lines};
use sluice_circuit::circuit::{Channel, Circuit, Constant, ModuleGroup};
use sluice_circuit::units::copy::BufferCopy;

use super::Lowering;
use super::streams::Attached;
use super::users::CopyUse;
use crate::prepare::{LaunchValue, copies};

/// A copy in the making.
#[derive(Debug)]
pub(super) struct CopyPlan {
    /// The name of the buffer.
    name: String,
    /// Bytes per transfer of its ports.
    pub(super) bytes: u32,
    /// Bytes of the buffer at most.
    size: u32,
    /// The address of the buffer, and its size in a launch.
    constants: [Constant; 2],
    start: Channel,
    loads: Vec<CopyUse>,
    /// Fetches of lines under way, at most.
    latency: u32,
    /// The kernel at whose end it forgets everything.
    pub(super) kernel: usize,
    /// The memory port behind it.
    pub(super) bank: u32,
    /// The datapath that it belongs to, if there are several.
    pub(super) datapath: Option<ModuleGroup>,
}

impl CopyPlan {
    /// Fetches under way: all of its lines, if the port has room for as many.
    pub(super) fn outstanding(&self, line: u32) -> u32 {
        self.size.div_ceil(line).clamp(2, self.latency.max(2))
    }

    /// Builds its unit.
    pub(super) fn build(self, circuit: &mut Circuit, transfers: Lines, flush: Channel) -> Attached {
        let access = Access {
            bytes: self.bytes,
            address_bits: transfers.address_bits,
        };
        let words = self.loads.iter().filter(|it| it.place.is_some());
        let waiting = words.map(|it| it.outstanding).max().unwrap_or(0);
        let places: Vec<Option<u64>> = self.loads.iter().map(|it| it.place).collect();
        let (copy, order) = copies::unit(access, self.size, transfers.bytes, &places, waiting);
        let lines: BTreeSet<u32> = self.loads.iter().flat_map(|it| it.lines.clone()).collect();
        let mut unit = circuit
            .unit(format!("copy_of_{}", self.name), copy)
            .constants(self.constants)
            .lines(lines.into_iter().collect())
            .input(BufferCopy::START, self.start)
            .input(BufferCopy::FLUSH, flush);
        for (port, load) in order.into_iter().enumerate() {
            let user = &self.loads[load].user;
            let response = user.response().expect("only loads read a copy");
            unit = unit
                .input(BufferCopy::request(port), user.request)
                .output(BufferCopy::response(port), response);
        }
        Attached::Copy(unit.with_new_channels().add())
    }
}

impl Lowering<'_> {
    /// Buffers that are copied, in each datapath.
    pub(super) fn copies(&self) -> usize {
        let units = self.memory_units.iter();
        let copied = units.filter(|&(inst, _)| self.memory_units.is_copy(inst));
        let sets = copied.map(|(inst, _)| self.alias_sets.accessed(self.kernel.inst(inst)));
        sets.collect::<BTreeSet<_>>().len()
    }

    /// Plans the copy of the buffer of an alias set for these loads, if there are any.
    pub(super) fn plan_copy(&mut self, at: usize, loads: Vec<CopyUse>, bank: u32) {
        if loads.is_empty() {
            return;
        }
        let set = &self.alias_sets.sets[at];
        let (object, size) = copies::copied(self.kernel, set, self.plan)
            .expect("only what is known of one buffer is copied");
        let constants = [LaunchValue::Address(object), LaunchValue::Bytes(object)];
        let constants = constants.map(|it| self.constant(it));
        let plan = CopyPlan {
            name: format!("{}{}", self.prefix, set.name),
            bytes: set.bytes,
            size,
            constants,
            start: self.copy_starts.pop().expect("a start for each copy"),
            loads,
            latency: set.figures.latency,
            kernel: self.number,
            bank,
            datapath: None,
        };
        self.system.copies.push(plan);
    }
}
