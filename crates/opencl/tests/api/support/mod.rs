//! The OpenCL API through the system's loader, as the tests call it: [`Session`] is a context with a
//! queue, [`Owned`] a handle that is released when it goes, `call!`, `make!` and `assert_code!` the
//! calls themselves, [`info`] the queries.
#![allow(dead_code, unused_macros, unused_imports)] // Each test file uses a part of it.

use std::ffi::c_void;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::Once;

use opencl_sys::*;

pub mod events;
mod session;

pub use session::*;

/// Calls the API.
macro_rules! call {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        $crate::support::load();
        // SAFETY: the arguments are what the specification lets a program pass, or are refused.
        unsafe { $function($($argument),*) }
    }};
}

/// Calls what makes an object: the last argument, the code, is not written. An object or its code.
macro_rules! make {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        let mut code: opencl_sys::cl_int = 1;
        let made = call!($function($($argument,)* &mut code));
        $crate::support::made(made, code)
    }};
}

/// The call answers with the code.
macro_rules! assert_code {
    ($code:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let code = call!($function($($argument),*));
        assert_eq!(code, $code, "{}", concat!(stringify!($function), "(", stringify!($($argument),*), ")"));
    }};
}

/// What would make an object answers with the code instead.
macro_rules! assert_refused {
    ($code:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let made = make!($function($($argument),*)).map(|_| "an object");
        assert_eq!(made, Err($code), "{}", concat!(stringify!($function), "(", stringify!($($argument),*), ")"));
    }};
}

pub(crate) use {assert_code, assert_refused, call, make};

/// Where the process's loader finds Sluice and nothing else. Before the first call of the API.
pub fn load() {
    static LOADED: Once = Once::new();
    LOADED.call_once(|| {
        let library = library();
        assert!(
            library.exists(),
            "{} is not there: `cargo build -p sluice-opencl` makes it",
            library.display()
        );
        let base =
            option_env!("CARGO_TARGET_TMPDIR").map_or_else(std::env::temp_dir, PathBuf::from);
        let folder = base.join(format!("sluice-opencl-{}", std::process::id()));
        let cache = folder.join("cache");
        // A process before this one may have had its number.
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&cache).expect("the temporary folder can be written");
        let icd = format!("{}\n", library.display());
        std::fs::write(folder.join("sluice.icd"), icd)
            .expect("the temporary folder can be written");
        set("OCL_ICD_VENDORS", &folder);
        set("SLUICE_CACHE_DIR", &cache);
    });
}

fn library() -> PathBuf {
    if let Some(library) = std::env::var_os("SLUICE_OPENCL_LIBRARY") {
        return library.into();
    }
    // Beside the test, or above where `cargo build` leaves what was asked for.
    let test = std::env::current_exe().expect("a test has a file");
    let folders = test.ancestors().skip(1).take(2);
    let mut places = folders.map(|folder| folder.join("libsluice_opencl.so"));
    let first = places.next().expect("a file is in a folder");
    match first.exists() {
        true => first,
        false => places.next().unwrap_or(first),
    }
}

/// What runs the kernels, as far as tests can tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Executor {
    /// Circuits, simulated.
    Circuit,
    /// The interpreter.
    Interpreter,
}

/// What runs the kernels of this process.
pub fn executor() -> Executor {
    match std::env::var_os("SLUICE_DEVICE") {
        Some(name) if name == "interp" => Executor::Interpreter,
        _ => Executor::Circuit,
    }
}

/// Runs the tests of this file, but for the one that calls this, in a process whose kernels run on
/// the other executor. All settings are the process's.
pub fn run_on_the_other_executor(this: &str) {
    let device = match executor() {
        Executor::Circuit => "interp",
        Executor::Interpreter => "sim",
    };
    let program = std::env::current_exe().expect("a test has a file");
    let output = std::process::Command::new(program)
        .args(["--skip", this])
        .env("SLUICE_DEVICE", device)
        .output()
        .expect("the tests can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "on {device}: {text}{errors}");
    assert!(!text.contains("running 0 tests"), "on {device}: {text}");
}

/// Sets a variable of the environment; before the first call of the API.
pub fn set(name: &str, value: impl AsRef<std::ffi::OsStr>) {
    // SAFETY: every call of the API comes behind `load`, and nothing else reads the environment
    // without the standard library's lock.
    unsafe { std::env::set_var(name, value) }
}

/// What `make!` gives.
pub fn made<T: IsNull>(made: T, code: cl_int) -> Result<T, cl_int> {
    assert_eq!(
        made.is_nothing(),
        code != CL_SUCCESS,
        "an object or an error, never both: {code}"
    );
    if code == CL_SUCCESS {
        Ok(made)
    } else {
        Err(code)
    }
}

/// What a call that makes something gives back.
pub trait IsNull {
    fn is_nothing(&self) -> bool;
}

impl IsNull for *mut c_void {
    fn is_nothing(&self) -> bool {
        self.is_null()
    }
}

/// The call has worked.
#[track_caller]
pub fn check(code: cl_int) {
    assert_eq!(code, CL_SUCCESS);
}

/// A handle that is released when it goes. `*owned` is the handle.
pub struct Owned {
    handle: *mut c_void,
    release: unsafe extern "system" fn(*mut c_void) -> cl_int,
}

// SAFETY: the specification lets handles be used from any thread (kernels' arguments are set by one
// thread at a time, which is up to the test).
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Owned {
    /// Takes over a reference.
    pub fn new(
        handle: *mut c_void,
        release: unsafe extern "system" fn(*mut c_void) -> cl_int,
    ) -> Owned {
        assert!(!handle.is_null());
        Owned { handle, release }
    }

    /// An event that an enqueueing function gave.
    pub fn event(handle: cl_event) -> Owned {
        Owned::new(handle, clReleaseEvent)
    }
}

impl std::ops::Deref for Owned {
    type Target = *mut c_void;

    fn deref(&self) -> &*mut c_void {
        &self.handle
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the reference is ours.
        let code = unsafe { (self.release)(self.handle) };
        assert!(
            code == CL_SUCCESS || std::thread::panicking(),
            "release: {code}"
        );
    }
}

/// A query of an object: `clGet*Info`.
pub type Info =
    unsafe extern "system" fn(*mut c_void, cl_uint, usize, *mut c_void, *mut usize) -> cl_int;

/// The bytes that a query answers with. Also that the size can be asked for alone, and that room for
/// less is refused.
#[track_caller]
pub fn answer(query: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> Result<Vec<u8>, cl_int> {
    load();
    let mut size = usize::MAX;
    match query(0, null_mut(), &mut size) {
        CL_SUCCESS => {}
        code => return Err(code),
    }
    // One more, which stays as it is: the query writes no more than it says.
    let mut bytes = vec![0xa5_u8; size + 1];
    if size > 0 {
        let room = bytes.as_mut_ptr().cast();
        assert_eq!(
            query(size - 1, room, null_mut()),
            CL_INVALID_VALUE,
            "room for less"
        );
    }
    let mut written = usize::MAX;
    check(query(size + 1, bytes.as_mut_ptr().cast(), &mut written));
    assert_eq!(written, size);
    assert_eq!(bytes.pop(), Some(0xa5));
    Ok(bytes)
}

/// The values of a query of an object.
#[track_caller]
pub fn infos<T: Plain>(function: Info, object: *mut c_void, name: cl_uint) -> Vec<T> {
    // SAFETY: `answer` gives room of the size that it says.
    let bytes =
        answer(|size, room, written| unsafe { function(object, name, size, room, written) });
    values(&bytes.unwrap_or_else(|code| panic!("query {name:#x}: {code}")))
}

/// The value of a query of an object.
#[track_caller]
pub fn info<T: Plain>(function: Info, object: *mut c_void, name: cl_uint) -> T {
    let values = infos(function, object, name);
    assert_eq!(values.len(), 1, "query {name:#x} has one answer");
    values[0]
}

/// The text of a query of an object.
#[track_caller]
pub fn text(function: Info, object: *mut c_void, name: cl_uint) -> String {
    let mut bytes = infos::<u8>(function, object, name);
    assert_eq!(bytes.pop(), Some(0), "query {name:#x} ends with a zero");
    String::from_utf8(bytes).expect("Sluice speaks UTF-8")
}

/// The code with which a query of an object is refused.
#[track_caller]
pub fn refusal(function: Info, object: *mut c_void, name: cl_uint) -> cl_int {
    // SAFETY: `answer` gives room of the size that it says.
    answer(|size, room, written| unsafe { function(object, name, size, room, written) })
        .expect_err("the query is refused")
}

/// The code of a query of an object without room for the answer.
pub fn ask(function: Info, object: *mut c_void, name: cl_uint) -> cl_int {
    load();
    // SAFETY: nothing is to be written.
    unsafe { function(object, name, 0, null_mut(), null_mut()) }
}

/// What bytes can be read as.
pub trait Plain: Copy {}
impl Plain for u8 {}
impl Plain for u32 {}
impl Plain for i32 {}
impl Plain for u64 {}
impl Plain for usize {}
impl Plain for isize {}
impl Plain for *mut c_void {}
impl Plain for cl_name_version {}

/// Bytes as what they are.
#[track_caller]
pub fn values<T: Plain>(bytes: &[u8]) -> Vec<T> {
    let size = size_of::<T>();
    assert_eq!(
        bytes.len() % size,
        0,
        "{} bytes, of {size} each",
        bytes.len()
    );
    let read = |chunk: &[u8]| {
        // SAFETY: the chunk has the size, and every pattern of bits is a value of a plain type.
        unsafe { chunk.as_ptr().cast::<T>().read_unaligned() }
    };
    bytes.chunks_exact(size).map(read).collect()
}

/// The name of what has a version.
pub fn name_of(named: &cl_name_version) -> String {
    let text = std::ffi::CStr::from_bytes_until_nul(&named.name).expect("a name ends");
    text.to_str().expect("Sluice speaks UTF-8").to_owned()
}
