//! The program's pointers: read and written as the called function says.

use std::ffi::{CStr, c_char, c_void};

use opencl_sys::{CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY, cl_int};

use crate::code::{Answer, Code, require};

/// The elements that a pointer and a number stand for, if there is memory for a copy.
///
/// # Safety
///
/// `first` points to `count` elements, or is null.
pub(crate) unsafe fn list<T: Copy>(first: *const T, count: usize) -> Answer<Vec<T>> {
    let mut list = Vec::new();
    if first.is_null() {
        return Ok(list);
    }
    let reserved = list.try_reserve_exact(count);
    reserved.map_err(|_| Code(CL_OUT_OF_HOST_MEMORY))?;
    // SAFETY: the caller's; elements that are not aligned are read one by one.
    list.extend((0..count).map(|at| unsafe { first.add(at).read_unaligned() }));
    Ok(list)
}

/// The elements before the first that is zero, in steps of `step`: a list of properties.
///
/// # Safety
///
/// `first` points to such a list, or is null.
pub(crate) unsafe fn properties<T: Copy + Default + PartialEq>(first: *const T) -> Vec<(T, T)> {
    let mut found = Vec::new();
    if first.is_null() {
        return found;
    }
    let mut at = first;
    loop {
        // SAFETY: the caller's; the list has not ended.
        let key = unsafe { at.read_unaligned() };
        if key == T::default() {
            return found;
        }
        // SAFETY: a key is followed by its value and the rest of the list.
        found.push((key, unsafe { at.add(1).read_unaligned() }));
        // SAFETY: as above.
        at = unsafe { at.add(2) };
    }
}

/// A list of properties as the program gave it, with the zero at its end.
pub(crate) fn flatten<T: Copy + Default>(properties: &[(T, T)]) -> Vec<T> {
    let mut all: Vec<T> = properties
        .iter()
        .flat_map(|&(key, value)| [key, value])
        .collect();
    all.push(T::default());
    all
}

/// A string that ends with zero; empty for null.
///
/// # Safety
///
/// `text` is such a string, or null.
pub(crate) unsafe fn string(text: *const c_char) -> String {
    match text.is_null() {
        true => String::new(),
        // SAFETY: the caller's.
        false => unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    }
}

/// Leaves a value where the program wants it, if it does.
///
/// # Safety
///
/// `place` may be written, or is null.
pub(crate) unsafe fn put<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller's.
        unsafe { place.write_unaligned(value) };
    }
}

/// Where the answer to a query goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
}

/// Values whose bytes all mean something.
pub(crate) trait Plain: Copy {}

impl Plain for u8 {}
impl Plain for u32 {}
impl Plain for i32 {}
impl Plain for u64 {}
impl Plain for usize {}
impl Plain for isize {}
impl Plain for *mut c_void {}
impl Plain for opencl_sys::cl_name_version {}
impl<T: Plain, const N: usize> Plain for [T; N] {}

impl Query {
    /// A query with the three arguments that all have.
    ///
    /// # Safety
    ///
    /// `value` may be written for `size` bytes, or is null; `size_ret` may be written, or is null.
    pub(crate) unsafe fn new(size: usize, value: *mut c_void, size_ret: *mut usize) -> Query {
        Query {
            size,
            value,
            size_ret,
        }
    }

    /// Answers with a value.
    pub(crate) fn one<T: Plain>(self, value: T) -> Answer {
        self.all(&[value])
    }

    /// Answers with values.
    pub(crate) fn all<T: Plain>(self, values: &[T]) -> Answer {
        let bytes = size_of_val(values);
        if !self.value.is_null() {
            require(self.size >= bytes, CL_INVALID_VALUE)?;
            // SAFETY: `new` was promised that there is room; plain values have only meaningful bytes.
            unsafe {
                std::ptr::copy_nonoverlapping(
                    values.as_ptr().cast(),
                    self.value.cast::<u8>(),
                    bytes,
                )
            };
        }
        // SAFETY: `new` was promised that.
        unsafe { put(self.size_ret, bytes) };
        Ok(())
    }

    /// Answers with a string.
    pub(crate) fn string(self, text: &str) -> Answer {
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        self.all(&bytes)
    }

    /// Answers with yes or no.
    pub(crate) fn truth(self, truth: bool) -> Answer {
        self.one(u32::from(truth))
    }

    /// Writes each part to where the program's array of pointers says.
    pub(crate) fn parts(self, parts: &[Vec<u8>]) -> Answer {
        let bytes = size_of::<*mut c_void>() * parts.len();
        if !self.value.is_null() {
            require(self.size >= bytes, CL_INVALID_VALUE)?;
            for (at, part) in parts.iter().enumerate() {
                // SAFETY: the value is an array of as many pointers, each null or to enough room.
                let place = unsafe { self.value.cast::<*mut u8>().add(at).read_unaligned() };
                if !place.is_null() {
                    // SAFETY: as above.
                    unsafe { place.copy_from_nonoverlapping(part.as_ptr(), part.len()) };
                }
            }
        }
        // SAFETY: `new` was promised that.
        unsafe { put(self.size_ret, bytes) };
        Ok(())
    }
}

/// The program's memory, for a command that will run later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostPointer(*mut u8);

// SAFETY: the specification makes the program keep the memory until the command has ended, and not
// touch it.
unsafe impl Send for HostPointer {}
// SAFETY: as above.
unsafe impl Sync for HostPointer {}

impl HostPointer {
    /// A pointer, unless it is null.
    pub(crate) fn new(pointer: *const c_void) -> Answer<HostPointer> {
        match pointer.is_null() {
            true => Err(Code(CL_INVALID_VALUE)),
            false => Ok(HostPointer(pointer.cast_mut().cast())),
        }
    }

    /// The byte at an offset.
    pub(crate) fn at(self, offset: usize) -> HostPointer {
        HostPointer(self.0.wrapping_add(offset))
    }

    /// The pointer.
    pub(crate) fn get(self) -> *mut u8 {
        self.0
    }
}

/// Copies bytes; both sides may overlap.
///
/// # Safety
///
/// Both pointers are to as many bytes.
pub(crate) unsafe fn copy(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: the caller's.
    unsafe { std::ptr::copy(from, to, bytes) };
}

/// Runs an entry point: its code, whatever happens inside.
pub(crate) fn answer(body: impl FnOnce() -> Answer) -> cl_int {
    match guarded(body) {
        Ok(()) => opencl_sys::CL_SUCCESS,
        Err(code) => code.0,
    }
}

/// Runs an entry point that makes an object: its handle, or null; the code goes where it is wanted.
///
/// # Safety
///
/// `code` may be written, or is null.
pub(crate) unsafe fn create<T>(code: *mut cl_int, body: impl FnOnce() -> Answer<*mut T>) -> *mut T {
    let (value, found) = match guarded(body) {
        Ok(value) => (value, opencl_sys::CL_SUCCESS),
        Err(code) => (std::ptr::null_mut(), code.0),
    };
    // SAFETY: the caller's.
    unsafe { put(code, found) };
    value
}

/// A panic is a bug of ours: the program gets a code, and the panic's message is on stderr.
fn guarded<T>(body: impl FnOnce() -> Answer<T>) -> Answer<T> {
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
    result.unwrap_or(Err(Code::RESOURCES))
}
