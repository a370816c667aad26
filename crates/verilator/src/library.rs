//! The C boundary: the functions of a shim's shared library, and instances behind a pointer.
#![allow(unsafe_code)]

use std::ffi::{CString, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

type Raw = *mut c_void;

/// A loaded shim. The function pointers stay valid while `_library` is loaded.
pub struct Library {
    create: unsafe extern "C" fn() -> Raw,
    destroy: unsafe extern "C" fn(Raw),
    eval: unsafe extern "C" fn(Raw),
    set: unsafe extern "C" fn(Raw, u32, u64),
    get: unsafe extern "C" fn(Raw, u32) -> u64,
    set_word: unsafe extern "C" fn(Raw, u32, u32, u32),
    get_word: unsafe extern "C" fn(Raw, u32, u32) -> u32,
    trace: unsafe extern "C" fn(Raw, *const c_char) -> c_int,
    run: unsafe extern "C" fn(Raw, *const u64, u64, *mut u64, *const u32),
    _library: libloading::Library,
}

impl Library {
    /// Loads a shared library that was built around `shim.rs`'s text.
    pub fn load(path: &Path) -> Result<Self, libloading::Error> {
        // SAFETY: the library is the verilated model and its shim; neither runs code with
        // requirements of its own when loaded.
        let library = unsafe { libloading::Library::new(path) }?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the field's type is the signature that the shim's text declares.
                *unsafe { library.get($name) }?
            };
        }
        Ok(Self {
            create: function!(b"sluice_create\0"),
            destroy: function!(b"sluice_destroy\0"),
            eval: function!(b"sluice_eval\0"),
            set: function!(b"sluice_set\0"),
            get: function!(b"sluice_get\0"),
            set_word: function!(b"sluice_set_word\0"),
            get_word: function!(b"sluice_get_word\0"),
            trace: function!(b"sluice_trace\0"),
            run: function!(b"sluice_run\0"),
            _library: library,
        })
    }
}

/// An instance that the library owns.
pub struct Handle {
    library: Arc<Library>,
    raw: NonNull<c_void>,
}

// SAFETY: an instance has its own Verilator context and no tie to the thread that created it;
// `&Handle` only reads ports, everything else takes `&mut`.
unsafe impl Send for Handle {}

impl Handle {
    pub fn new(library: Arc<Library>) -> Self {
        // SAFETY: `create` has no precondition; C++ `new` does not return null.
        let raw = unsafe { (library.create)() };
        let raw = NonNull::new(raw).expect("the shim's `new` never returns null");
        Self { library, raw }
    }

    pub fn set(&mut self, port: u32, value: u64) {
        // SAFETY: `raw` is a live instance; the shim ignores unknown ports.
        unsafe { (self.library.set)(self.raw.as_ptr(), port, value) }
    }

    pub fn get(&self, port: u32) -> u64 {
        // SAFETY: `raw` is a live instance; the shim answers unknown ports with zero.
        unsafe { (self.library.get)(self.raw.as_ptr(), port) }
    }

    pub fn set_words(&mut self, port: u32, words: &[u32]) {
        for (index, &word) in words.iter().enumerate() {
            // SAFETY: `raw` is a live instance; the caller checked the port's number of words.
            unsafe { (self.library.set_word)(self.raw.as_ptr(), port, index as u32, word) }
        }
    }

    pub fn get_words(&self, port: u32, words: usize) -> Vec<u32> {
        let word =
            // SAFETY: `raw` is a live instance; `words` is the port's number of words.
            |index| unsafe { (self.library.get_word)(self.raw.as_ptr(), port, index as u32) };
        (0..words).map(word).collect()
    }

    pub fn eval(&mut self) {
        // SAFETY: `raw` is a live instance.
        unsafe { (self.library.eval)(self.raw.as_ptr()) }
    }

    /// Whether the model can write waveforms; if so it does from now on.
    pub fn trace(&mut self, path: &Path) -> bool {
        let path = CString::new(path.as_os_str().as_bytes()).expect("a path has no zero byte");
        // SAFETY: `raw` is a live instance and the shim does not keep the string.
        unsafe { (self.library.trace)(self.raw.as_ptr(), path.as_ptr()) != 0 }
    }

    /// The caller checked that the slices hold whole rows of the model's ports.
    pub fn run(&mut self, inputs: &[u64], rows: usize, outputs: &mut [u64], latencies: &[u32]) {
        // SAFETY: `raw` is a live instance; it reads `rows` rows of inputs, writes as many rows of
        // outputs and reads one latency per output, which is what the slices hold.
        unsafe {
            (self.library.run)(
                self.raw.as_ptr(),
                inputs.as_ptr(),
                rows as u64,
                outputs.as_mut_ptr(),
                latencies.as_ptr(),
            );
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: `raw` is a live instance and is not used after this.
        unsafe { (self.library.destroy)(self.raw.as_ptr()) }
    }
}
