//! The device's memory: how much of it buffers take, and the host's memory that stands for it.

use std::alloc::{Layout, alloc_zeroed};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use opencl_sys::CL_MEM_OBJECT_ALLOCATION_FAILURE;
use sluice_circuit::shared_bytes::SharedBytes;
use sluice_kernel::launch::Buffer;

use crate::code::{Answer, Code};

/// The memory of a device, which its parts share.
#[derive(Debug)]
pub(crate) struct DeviceMemory {
    size: u64,
    used: AtomicU64,
}

/// What a buffer takes of the device's memory, until it goes.
#[derive(Debug)]
pub(crate) struct Reservation {
    memory: Arc<DeviceMemory>,
    bytes: u64,
}

impl DeviceMemory {
    /// Memory of `size` bytes, all of it free.
    pub(crate) fn new(size: u64) -> DeviceMemory {
        DeviceMemory {
            size,
            used: AtomicU64::new(0),
        }
    }

    /// Takes `bytes` of it, unless fewer are free.
    pub(crate) fn reserve(self: &Arc<DeviceMemory>, bytes: u64) -> Answer<Reservation> {
        let more = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.size);
        let reserved = self.used.fetch_update(Relaxed, Relaxed, more);
        match reserved {
            Ok(_) => Ok(Reservation {
                memory: self.clone(),
                bytes,
            }),
            Err(_) => Err(Code(CL_MEM_OBJECT_ALLOCATION_FAILURE)),
        }
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.memory.used.fetch_sub(self.bytes, Relaxed);
    }
}

/// A buffer of zeros, if the host has the memory. The host's pages are not touched.
pub(crate) fn allocate(len: usize) -> Answer<Buffer> {
    let failed = Code(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    // Alignment takes some more; rounding up must not wrap.
    if len > isize::MAX as usize / 2 {
        return Err(failed);
    }
    let count = SharedBytes::words_for(len);
    let layout = Layout::array::<AtomicU32>(count).map_err(|_| failed)?;
    // SAFETY: the layout has at least one word.
    let words = unsafe { alloc_zeroed(layout) }.cast::<AtomicU32>();
    if words.is_null() {
        return Err(failed);
    }
    let words = std::ptr::slice_from_raw_parts_mut(words, count);
    // SAFETY: the memory is the global allocator's, of this layout, and zeros are words.
    let words = unsafe { Box::from_raw(words) };
    Ok(Buffer::in_words(words, len))
}
