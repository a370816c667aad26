//! What is known of the sizes of buffers: those of small ones that are only read can be copied to the chip.

use std::collections::BTreeMap;

use sluice_circuit::units::copy::BufferCopy;

use super::{KernelPlan, LaunchItems, MemoryUnit, Plan};
use crate::ir::{Block, InstData, Kernel, ObjectKind};
use crate::launch::{Argument, Launch, Memory};
use crate::program::Program;

/// How large a buffer is at most in all launches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferSize {
    /// Its bytes: a power of two.
    pub bytes: u32,
    /// Whether launches have twice as many work-items as it takes cycles to fill a memory with it.
    pub is_read_often: bool,
}

impl BufferSize {
    /// Most bytes that launches note.
    pub const MOST_NOTED: u32 = 1 << 13;

    /// Fewest bytes: smaller buffers share their circuits with those of this size.
    const LEAST: u32 = 128;

    /// Bytes that a copy takes in a cycle at the start of a launch, at least.
    const FETCHED_AT_ONCE: u64 = 4;

    /// The size of a buffer that has as many bytes; none if it is larger than any copy.
    pub fn of(bytes: u64) -> Option<u32> {
        let most = u64::from(BufferCopy::MOST_BYTES);
        (bytes <= most).then(|| (bytes as u32).next_power_of_two().max(BufferSize::LEAST))
    }

    /// That of a buffer in a launch with as many work-items.
    fn in_launch(bytes: u64, items: u64) -> Option<BufferSize> {
        let bytes = BufferSize::of(bytes)?;
        let cycles = u64::from(bytes) / BufferSize::FETCHED_AT_ONCE;
        Some(BufferSize {
            bytes,
            is_read_often: 2 * cycles <= items,
        })
    }

    /// What holds for the launches of both.
    fn and(self, other: BufferSize) -> BufferSize {
        BufferSize {
            bytes: self.bytes.max(other.bytes),
            is_read_often: self.is_read_often && other.is_read_often,
        }
    }
}

impl KernelPlan {
    /// Notes how large buffers are. Sizes are powers of two, so that few circuits serve all launches.
    pub(super) fn fit_buffers(&mut self, launch: &Launch, memory: &Memory) {
        let is_first = self.items == LaunchItems::Unknown;
        let items = launch.range.work_items();
        for (param, arg) in (0..).zip(&launch.args) {
            let bytes = match *arg {
                Argument::Buffer(id) => memory.buffer(id).len() as u64,
                Argument::Null => 0,
                Argument::Value(_) | Argument::Local(_) | Argument::Struct(_) => continue,
            };
            let size = BufferSize::in_launch(bytes, items);
            match (self.buffer_sizes.get_mut(&param), size) {
                (Some(known), Some(size)) => *known = known.and(size),
                (Some(_), None) => {
                    self.buffer_sizes.remove(&param);
                }
                (None, Some(size)) if is_first && size.bytes <= BufferSize::MOST_NOTED => {
                    self.buffer_sizes.insert(param, size);
                }
                (None, _) => {}
            }
        }
    }
}

impl Plan {
    /// The plan without the sizes of buffers that no kernel of the program can have use of: so launches that differ in
    /// these have the same circuit.
    pub fn with_useful_sizes(mut self, program: &Program) -> Plan {
        let kernels = program.kernels();
        for plan in self.all() {
            let mut sizes = std::mem::take(&mut plan.buffer_sizes);
            let is_useful = |param| kernels.iter().any(|kernel| is_useful(kernel, plan, param));
            sizes.retain(|&param, _| is_useful(param));
            plan.buffer_sizes = sizes;
        }
        self
    }
}

/// Whether a copy of the buffer of a parameter may be wanted: the kernel only reads it, and it is asked for, or there are
/// several loads in a block, which a cache would serve one after the other.
fn is_useful(kernel: &Kernel, plan: &KernelPlan, param: u32) -> bool {
    let is_it =
        |kind: &ObjectKind| matches!(*kind, ObjectKind::Buffer { param: of, .. } if of == param);
    let reaches = |data: &InstData| {
        let mut objects = data.objects().into_iter().flat_map(|it| it.iter());
        objects.any(|object| is_it(&kernel.objects[object].kind))
    };
    let mut loads: BTreeMap<Block, u32> = BTreeMap::new();
    for (block, inst) in kernel.insts() {
        match kernel.inst(inst) {
            data if !reaches(data) => {}
            InstData::Load { access, .. } if !access.volatile => {
                *loads.entry(block).or_default() += plan.lanes(kernel);
            }
            _ => return false,
        }
    }
    let units = plan.memory.iter();
    let units = units.chain(plan.objects.values().flat_map(|it| &it.memory));
    let mut units = units.chain(plan.accesses.values().flat_map(|it| &it.memory));
    let is_asked_for = units.any(|&unit| unit == MemoryUnit::Copy);
    let most = loads.into_values().max().unwrap_or(0);
    most > u32::from(!is_asked_for)
}
