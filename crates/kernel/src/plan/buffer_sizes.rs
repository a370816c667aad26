//! What is known of the sizes of buffers: those of small ones that are only read can be copied to the chip.

use sluice_circuit::units::copy::BufferCopy;

use super::{KernelPlan, LaunchItems, Plan};
use crate::ir::{InstData, Kernel, ObjectKind};
use crate::launch::{Argument, Launch, Memory};
use crate::program::Program;

/// How large a buffer is at most in all launches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufferSize {
    /// Its bytes: a power of two.
    pub bytes: u32,
    /// Whether launches have so many work-items that a copy of it, which takes some cycles at their start, is read often.
    pub is_read_often: bool,
}

impl BufferSize {
    /// Most bytes that launches note.
    pub const MOST_NOTED: u32 = 1 << 13;

    /// Fewest bytes: smaller buffers share their circuits with those of this size.
    const LEAST: u32 = 128;

    /// Bytes that a copy takes in a cycle at the start of a launch, at least.
    const FETCHED_AT_ONCE: u64 = 4;

    /// Bytes that are fetched in the time that a cache takes for the first of its lines.
    const FETCHED_SOON: u32 = 256;

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
            is_read_often: bytes <= BufferSize::FETCHED_SOON || cycles <= items,
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
    /// The plan without sizes of buffers that the program's kernels do not only read: so launches that differ in these
    /// have the same circuit.
    pub fn with_useful_sizes(mut self, program: &Program) -> Plan {
        for kernel in program.kernels() {
            let plan = match self.kernels.get_mut(&kernel.name) {
                Some(plan) => plan,
                None => &mut self.otherwise,
            };
            let is_of_program_of_one = program.kernels().len() == 1;
            if is_of_program_of_one {
                plan.buffer_sizes
                    .retain(|&param, _| is_read_only(kernel, param));
            }
        }
        self
    }
}

/// Whether a kernel reads the buffer of a parameter, and neither writes it nor reads it as volatile.
fn is_read_only(kernel: &Kernel, param: u32) -> bool {
    let is_it = |kind: &ObjectKind| matches!(*kind, ObjectKind::Buffer { param: of, .. } if of == param);
    let insts = kernel.insts().map(|(_, inst)| kernel.inst(inst));
    let accesses = insts.filter(|data| {
        let mut objects = data.objects().into_iter().flat_map(|it| it.iter());
        objects.any(|object| is_it(&kernel.objects[object].kind))
    });
    let mut reads = false;
    for data in accesses {
        match data {
            InstData::Load { access, .. } if !access.volatile => reads = true,
            _ => return false,
        }
    }
    reads
}
