//! The primitives: the only calls that remain in a module, besides LLVM's intrinsics, when everything has been
//! linked and inlined. The later stages implement them.
//!
//! The intrinsics that occur besides them, on scalars of 8 to 64 bits: `abs`, `smin`, `smax`, `umin`, `umax`,
//! `ctlz`, `cttz`, `ctpop`, `fshl`, `fshr`, `bswap`, `bitreverse`, `sadd.sat`, `uadd.sat`, `ssub.sat`,
//! `usub.sat`; `fabs`, `copysign`, `sqrt`, `fma`, `fmuladd`, `minnum`, `maxnum`, `floor`, `ceil`, `trunc`, `rint`,
//! `round`, `is.fpclass`; `memcpy`, `memmove`, `memset`; `lifetime.start`, `lifetime.end` and `assume`, which mean
//! nothing to a circuit.

use sluice_kernel::ir::Elementary;

/// A function that is not made of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `size_t get_global_id(uint dimension)`
    GlobalId,
    /// `size_t get_local_id(uint dimension)`
    LocalId,
    /// `size_t get_group_id(uint dimension)`
    GroupId,
    /// `size_t get_global_size(uint dimension)`
    GlobalSize,
    /// `size_t get_local_size(uint dimension)`
    LocalSize,
    /// `size_t get_num_groups(uint dimension)`
    NumGroups,
    /// `size_t get_global_offset(uint dimension)`
    GlobalOffset,
    /// `uint get_work_dim(void)`
    WorkDim,
    /// `void barrier(cl_mem_fence_flags flags)`: 1 for local, 2 for global memory.
    Barrier,
    /// `void mem_fence(cl_mem_fence_flags flags)`
    MemFence,
    /// `void read_mem_fence(cl_mem_fence_flags flags)`
    ReadMemFence,
    /// `void write_mem_fence(cl_mem_fence_flags flags)`
    WriteMemFence,
    /// `int printf(constant char *format, ...)`; arguments may be vectors.
    Printf,
    /// `ulong __sluice_mul_hi_u64(ulong, ulong)`: the upper half of the 128-bit product.
    MulHiU64,
    /// `long __sluice_mul_hi_s64(long, long)`: the same, signed.
    MulHiS64,
    /// `local void *__sluice_per_item(uint bytes)`: local memory with `bytes` bytes for each work-item of the
    /// group; calls with equal `bytes` return the same memory.
    PerItem,
    /// `bool __sluice_in_local(const void *)`
    InLocal,
    /// `bool __sluice_in_private(const void *)`
    InPrivate,
    /// `float __sluice_f32_<function>(float, ...)`: an elementary function that has a core.
    Elementary(Elementary),
}

/// The prefix of the symbols of elementary functions.
const ELEMENTARY: &str = "__sluice_f32_";

/// Every other primitive with its symbol.
const SYMBOLS: [(Primitive, &str); 18] = [
    (Primitive::GlobalId, "_Z13get_global_idj"),
    (Primitive::LocalId, "_Z12get_local_idj"),
    (Primitive::GroupId, "_Z12get_group_idj"),
    (Primitive::GlobalSize, "_Z15get_global_sizej"),
    (Primitive::LocalSize, "_Z14get_local_sizej"),
    (Primitive::NumGroups, "_Z14get_num_groupsj"),
    (Primitive::GlobalOffset, "_Z17get_global_offsetj"),
    (Primitive::WorkDim, "_Z12get_work_dimv"),
    (Primitive::Barrier, "_Z7barrierj"),
    (Primitive::MemFence, "_Z9mem_fencej"),
    (Primitive::ReadMemFence, "_Z14read_mem_fencej"),
    (Primitive::WriteMemFence, "_Z15write_mem_fencej"),
    (Primitive::Printf, "printf"),
    (Primitive::MulHiU64, "__sluice_mul_hi_u64"),
    (Primitive::MulHiS64, "__sluice_mul_hi_s64"),
    (Primitive::PerItem, "__sluice_per_item"),
    (Primitive::InLocal, "__sluice_in_local"),
    (Primitive::InPrivate, "__sluice_in_private"),
];

impl Primitive {
    /// The primitive with this symbol.
    pub fn from_symbol(symbol: &str) -> Option<Primitive> {
        if let Some(name) = symbol.strip_prefix(ELEMENTARY) {
            return Elementary::from_name(name).map(Primitive::Elementary);
        }
        SYMBOLS
            .iter()
            .find(|(_, name)| *name == symbol)
            .map(|(primitive, _)| *primitive)
    }

    /// Whether it is pure: within one work-item, the same arguments always give the same result.
    pub fn is_pure(self) -> bool {
        match self {
            Primitive::GlobalId
            | Primitive::LocalId
            | Primitive::GroupId
            | Primitive::GlobalSize
            | Primitive::LocalSize
            | Primitive::NumGroups
            | Primitive::GlobalOffset
            | Primitive::WorkDim
            | Primitive::MulHiU64
            | Primitive::MulHiS64
            | Primitive::PerItem
            | Primitive::InLocal
            | Primitive::InPrivate
            | Primitive::Elementary(_) => true,
            Primitive::Barrier
            | Primitive::MemFence
            | Primitive::ReadMemFence
            | Primitive::WriteMemFence
            | Primitive::Printf => false,
        }
    }
}
