//! Buffers and parts of them.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard};

use opencl_sys::{
    CL_INVALID_MEM_OBJECT, CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_MAP_READ, CL_MAP_WRITE,
    CL_MAP_WRITE_INVALIDATE_REGION, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
    CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_MEM_READ_ONLY,
    CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, CL_MEM_WRITE_ONLY, cl_int, cl_map_flags, cl_mem_flags,
    cl_mem_properties,
};
use sluice_kernel::launch::Buffer;

use crate::calls::DestructorCallbacks;
use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::device_memory::{Reservation, allocate};
use crate::handles::{Handle, Object};
use crate::pointers::{HostPointer, copy};

/// A buffer, or a part of one.
#[derive(Debug)]
pub(crate) struct Mem {
    handle: Handle,
    pub(crate) context: Arc<Context>,
    pub(crate) flags: cl_mem_flags,
    /// As the program gave them, if it did so as a list.
    pub(crate) properties: Vec<cl_mem_properties>,
    /// The program's memory that mapping leads to.
    pub(crate) host: Option<HostPointer>,
    /// The contents.
    pub(crate) buffer: Buffer,
    /// What it is a part of, and where it begins there.
    pub(crate) parent: Option<(Arc<Mem>, usize)>,
    /// What it takes of the device's memory; a part takes nothing more.
    _reservation: Option<Reservation>,
    maps: Mutex<Vec<Map>>,
    pub(crate) destructor_callbacks: DestructorCallbacks,
}

/// A part of a buffer that the program has a pointer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub(crate) pointer: HostPointer,
    pub(crate) offset: usize,
    pub(crate) size: usize,
    pub(crate) flags: cl_map_flags,
}

impl Map {
    /// Whether the program may write there.
    fn writes(&self) -> bool {
        self.flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0
    }

    /// Whether they have a byte in common.
    fn overlaps(&self, other: &Map) -> bool {
        self.offset < other.offset + other.size && other.offset < self.offset + self.size
    }
}

impl Object for Mem {
    const INVALID: cl_int = CL_INVALID_MEM_OBJECT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// Parts of buffers begin at multiples of this: no two of them share a line.
pub(crate) const PART_ALIGN: usize = 128;

const KERNEL_ACCESS: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
const HOST_ACCESS: cl_mem_flags =
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;
const HOST_POINTER: cl_mem_flags =
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;

/// Refuses flags that contradict each other.
pub(crate) fn check_flags(flags: cl_mem_flags) -> Answer {
    let known = KERNEL_ACCESS | HOST_ACCESS | HOST_POINTER;
    let one_of = |group: cl_mem_flags| (flags & group).count_ones() <= 1;
    let pointer = flags & HOST_POINTER;
    let excludes = pointer & CL_MEM_USE_HOST_PTR != 0 && pointer != CL_MEM_USE_HOST_PTR;
    require(
        flags & !known == 0 && one_of(KERNEL_ACCESS) && one_of(HOST_ACCESS) && !excludes,
        CL_INVALID_VALUE,
    )
}

/// What a part inherits if it does not say otherwise; refuses what its parent does not allow.
fn part_flags(flags: cl_mem_flags, parent: cl_mem_flags) -> Answer<cl_mem_flags> {
    check_flags(flags)?;
    require(flags & HOST_POINTER == 0, CL_INVALID_VALUE)?;
    let contradicts =
        |has: cl_mem_flags, wants: cl_mem_flags| parent & has != 0 && flags & wants != 0;
    require(
        !(contradicts(CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY)
            || contradicts(CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY)
            || contradicts(CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY)
            || contradicts(CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY)
            || contradicts(
                CL_MEM_HOST_NO_ACCESS,
                CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
            )),
        CL_INVALID_VALUE,
    )?;
    let inherit = |group: cl_mem_flags| match flags & group {
        0 => parent & group,
        own => own,
    };
    Ok(inherit(KERNEL_ACCESS) | inherit(HOST_ACCESS) | parent & HOST_POINTER)
}

impl Mem {
    /// A buffer of that many bytes, if device and host have them.
    pub(crate) fn new(
        context: Arc<Context>,
        flags: cl_mem_flags,
        properties: Vec<cl_mem_properties>,
        host: Option<HostPointer>,
        size: usize,
    ) -> Answer<Mem> {
        // All devices of a context are parts of one.
        let reservation = context.devices[0].memory.reserve(size as u64)?;
        let buffer = allocate(size)?;
        if let Some(host) = host {
            // SAFETY: the program says that its memory is as large as the buffer.
            unsafe { copy(host.get(), buffer.as_mut_ptr(), size) };
            buffer.mark_initialised();
        }
        let flags = match flags & KERNEL_ACCESS {
            0 => flags | CL_MEM_READ_WRITE,
            _ => flags,
        };
        Ok(Mem {
            handle: Handle::new(),
            context,
            flags,
            properties,
            host: host.filter(|_| flags & CL_MEM_USE_HOST_PTR != 0),
            buffer,
            parent: None,
            _reservation: Some(reservation),
            maps: Mutex::default(),
            destructor_callbacks: DestructorCallbacks::default(),
        })
    }

    /// A part of a buffer.
    pub(crate) fn part(
        parent: &Arc<Mem>,
        flags: cl_mem_flags,
        origin: usize,
        size: usize,
    ) -> Answer<Mem> {
        Ok(Mem {
            handle: Handle::new(),
            context: parent.context.clone(),
            flags: part_flags(flags, parent.flags)?,
            properties: Vec::new(),
            host: parent.host.map(|host| host.at(origin)),
            buffer: parent.buffer.part(origin, size),
            parent: Some((parent.clone(), origin)),
            _reservation: None,
            maps: Mutex::default(),
            destructor_callbacks: DestructorCallbacks::default(),
        })
    }

    /// Its size in bytes.
    pub(crate) fn size(&self) -> usize {
        self.buffer.len()
    }

    /// Refuses a range that leaves the buffer. One of no bytes is a range.
    pub(crate) fn check_range(&self, offset: usize, size: usize) -> Answer {
        let end = offset.checked_add(size);
        require(end.is_some_and(|end| end <= self.size()), CL_INVALID_VALUE)
    }

    /// Where in memory a byte is.
    pub(crate) fn pointer(&self, offset: usize) -> *mut u8 {
        self.buffer.as_mut_ptr().wrapping_add(offset)
    }

    fn maps(&self) -> MutexGuard<'_, Vec<Map>> {
        self.maps.lock().expect("nothing panics with the lock")
    }

    /// How often it is mapped.
    pub(crate) fn map_count(&self) -> usize {
        self.maps().len()
    }

    /// Maps a range.
    pub(crate) fn map(&self, offset: usize, size: usize, flags: cl_map_flags) -> Answer<Map> {
        let pointer = match self.host {
            Some(host) => host.at(offset),
            None => HostPointer::new(self.pointer(offset).cast())?,
        };
        let map = Map {
            pointer,
            offset,
            size,
            flags,
        };
        let mut maps = self.maps();
        let collides = |other: &Map| map.writes() && other.writes() && map.overlaps(other);
        require(!maps.iter().any(collides), CL_INVALID_OPERATION)?;
        maps.push(map);
        Ok(map)
    }

    /// Takes a map back.
    pub(crate) fn unmap(&self, pointer: *mut c_void) -> Answer<Map> {
        let mut maps = self.maps();
        let at = maps
            .iter()
            .rposition(|map| map.pointer.get().cast() == pointer);
        at.map(|at| maps.remove(at)).ok_or(Code(CL_INVALID_VALUE))
    }

    /// Brings the contents to where a map leads.
    pub(crate) fn fetch(&self, map: &Map) {
        let reads = map.flags & (CL_MAP_READ | CL_MAP_WRITE) != 0;
        let overwrites = map.flags & CL_MAP_WRITE_INVALIDATE_REGION != 0;
        if self.host.is_some() && reads && !overwrites {
            // SAFETY: the map's range was checked, and the program's memory is as large.
            unsafe { copy(self.pointer(map.offset), map.pointer.get(), map.size) };
        }
    }

    /// Takes over what the program wrote to where a map leads.
    pub(crate) fn take_over(&self, map: &Map) {
        let writes = map.writes();
        if writes {
            self.buffer.mark_initialised();
        }
        if self.host.is_some() && writes {
            // SAFETY: the map's range was checked, and the program's memory is as large.
            unsafe { copy(map.pointer.get(), self.pointer(map.offset), map.size) };
        }
    }
}

impl Drop for Mem {
    fn drop(&mut self) {
        self.destructor_callbacks.run(&self.handle);
    }
}
