//! The C boundary: the few OpenCL functions that a launch needs, loaded at run time.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use libloading::Library;

use crate::{Job, JobArg, OracleError, Outcome, POCL};

type Handle = *mut c_void;

const SUCCESS: i32 = 0;
const PLATFORM_NAME: u32 = 0x0902;
const DEVICE_TYPE_ALL: u64 = 0xFFFF_FFFF;
const MEM_READ_WRITE: u64 = 1;
const MEM_COPY_HOST_PTR: u64 = 1 << 5;
const PROGRAM_BUILD_LOG: u32 = 0x1183;
const BUILD_PROGRAM_FAILURE: i32 = -11;
const INVALID_BUILD_OPTIONS: i32 = -43;
const INVALID_KERNEL_NAME: i32 = -46;
const BLOCKING: u32 = 1;

type Notify = Option<unsafe extern "C" fn()>;

/// Declares the table of entry points and how it is read from the loader.
macro_rules! entry_points {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        #[allow(non_snake_case)]
        struct Api {
            $($name: unsafe extern "C" fn($($argument),*) -> $result,)*
            // The entry points live as long as the library.
            _library: Library,
        }

        impl Api {
            fn load() -> Result<Api, OracleError> {
                let missing = |error: libloading::Error| OracleError::NoLoader(error.to_string());
                // SAFETY: the ICD loader's initialisers may run in any thread, at any time.
                let library = unsafe { Library::new("libOpenCL.so.1") }.map_err(missing)?;
                Ok(Api {
                    $(
                        // SAFETY: the type is the one that the OpenCL 1.2 headers give this function.
                        $name: *unsafe { library.get(stringify!($name).as_bytes()) }.map_err(missing)?,
                    )*
                    _library: library,
                })
            }
        }
    };
}

entry_points! {
    clGetPlatformIDs(u32, *mut Handle, *mut u32) -> i32;
    clGetPlatformInfo(Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clGetDeviceIDs(Handle, u64, u32, *mut Handle, *mut u32) -> i32;
    clCreateContext(*const isize, u32, *const Handle, Notify, *mut c_void, *mut i32) -> Handle;
    clCreateCommandQueue(Handle, Handle, u64, *mut i32) -> Handle;
    clCreateProgramWithSource(Handle, u32, *const *const c_char, *const usize, *mut i32) -> Handle;
    clBuildProgram(Handle, u32, *const Handle, *const c_char, Notify, *mut c_void) -> i32;
    clGetProgramBuildInfo(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> i32;
    clCreateKernel(Handle, *const c_char, *mut i32) -> Handle;
    clSetKernelArg(Handle, u32, usize, *const c_void) -> i32;
    clCreateBuffer(Handle, u64, usize, *mut c_void, *mut i32) -> Handle;
    clEnqueueNDRangeKernel(Handle, Handle, u32, *const usize, *const usize, *const usize, u32, *const Handle, *mut Handle) -> i32;
    clEnqueueReadBuffer(Handle, Handle, u32, usize, usize, *mut c_void, u32, *const Handle, *mut Handle) -> i32;
    clFinish(Handle) -> i32;
    clReleaseMemObject(Handle) -> i32;
    clReleaseKernel(Handle) -> i32;
    clReleaseProgram(Handle) -> i32;
    clReleaseCommandQueue(Handle) -> i32;
    clReleaseContext(Handle) -> i32;
}

fn checked(call: &'static str, code: i32) -> Result<(), OracleError> {
    if code == SUCCESS {
        Ok(())
    } else {
        Err(OracleError::Call { call, code })
    }
}

/// An OpenCL object that is released when dropped.
struct Owned<'api> {
    handle: Handle,
    release: unsafe extern "C" fn(Handle) -> i32,
    _api: &'api Api,
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle was created by this API, belongs to this value alone and is released once.
        unsafe { (self.release)(self.handle) };
    }
}

/// Serialises all OpenCL calls. PoCL 3.1 is not ready when its first call returns if another thread is also in its
/// first call: devices are then missing, or refuse every buffer as too large.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn lock_opencl() -> MutexGuard<'static, ()> {
    // The lock guards no data that a panic could leave half-changed.
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One device of another OpenCL implementation, with the programs built for it so far.
pub struct Oracle {
    api: Api,
    device: Handle,
    context: Handle,
    queue: Handle,
    programs: RefCell<BTreeMap<(String, String), Built>>,
}

/// A program as built, or the log that says why it does not build.
#[derive(Clone)]
struct Built {
    program: Result<Handle, ()>,
    log: String,
}

impl Oracle {
    /// The CPU implementation PoCL.
    pub fn pocl() -> Result<Oracle, OracleError> {
        Oracle::on_platform(POCL)
    }

    /// The first device of the platform whose name contains `name`.
    pub fn on_platform(name: &str) -> Result<Oracle, OracleError> {
        let _alone = lock_opencl();
        let api = Api::load()?;
        let platform = find_platform(&api, name)?;
        let mut device = null_mut();
        // SAFETY: one handle of room is promised and given; the count is not asked for.
        let code =
            unsafe { (api.clGetDeviceIDs)(platform, DEVICE_TYPE_ALL, 1, &mut device, null_mut()) };
        checked("clGetDeviceIDs", code)?;
        let mut code = SUCCESS;
        // SAFETY: one device is promised and given; properties and callback are optional.
        let context =
            unsafe { (api.clCreateContext)(null(), 1, &device, None, null_mut(), &mut code) };
        checked("clCreateContext", code)?;
        // SAFETY: context and device were just obtained and belong together.
        let queue = unsafe { (api.clCreateCommandQueue)(context, device, 0, &mut code) };
        checked("clCreateCommandQueue", code)?;
        Ok(Oracle {
            api,
            device,
            context,
            queue,
            programs: RefCell::default(),
        })
    }

    /// Builds (or finds) the program, launches the kernel once and reads every buffer back.
    pub fn run(&self, job: &Job) -> Result<Outcome, OracleError> {
        let _alone = lock_opencl();
        let built = self.build(&job.source, &job.options)?;
        let Ok(program) = built.program else {
            return Err(OracleError::Build { log: built.log });
        };
        let kernel = self.kernel(program, &job.kernel)?;
        let memory = job
            .buffers
            .iter()
            .map(|bytes| self.buffer(bytes))
            .collect::<Result<Vec<_>, _>>()?;
        for (index, arg) in job.args.iter().enumerate() {
            self.set_argument(&kernel, index, arg, &memory)?;
        }
        let start = Instant::now();
        self.launch(&kernel, job)?;
        let seconds = start.elapsed().as_secs_f64();
        let read = job
            .buffers
            .iter()
            .zip(&memory)
            .map(|(bytes, memory)| self.read(memory, bytes.len()));
        Ok(Outcome {
            buffers: read.collect::<Result<_, _>>()?,
            log: built.log,
            seconds,
        })
    }

    fn build(&self, source: &str, options: &str) -> Result<Built, OracleError> {
        let key = (source.to_owned(), options.to_owned());
        if let Some(built) = self.programs.borrow().get(&key) {
            return Ok(built.clone());
        }
        let built = self.build_afresh(source, options)?;
        self.programs.borrow_mut().insert(key, built.clone());
        Ok(built)
    }

    fn build_afresh(&self, source: &str, options: &str) -> Result<Built, OracleError> {
        let options = CString::new(options).map_err(|_| OracleError::Call {
            call: "clBuildProgram",
            code: INVALID_BUILD_OPTIONS,
        })?;
        let (text, length) = (source.as_ptr().cast::<c_char>(), source.len());
        let mut code = SUCCESS;
        // SAFETY: one string of `length` bytes, alive during the call, which copies it.
        let program = unsafe {
            (self.api.clCreateProgramWithSource)(self.context, 1, &text, &length, &mut code)
        };
        checked("clCreateProgramWithSource", code)?;
        // SAFETY: one device is promised and given; the options are a C string alive during the (blocking) call.
        let code = unsafe {
            (self.api.clBuildProgram)(program, 1, &self.device, options.as_ptr(), None, null_mut())
        };
        let log = self.build_log(program)?;
        match code {
            SUCCESS => Ok(Built {
                program: Ok(program),
                log,
            }),
            BUILD_PROGRAM_FAILURE => {
                // SAFETY: the program is used nowhere else.
                unsafe { (self.api.clReleaseProgram)(program) };
                Ok(Built {
                    program: Err(()),
                    log,
                })
            }
            code => Err(OracleError::Call {
                call: "clBuildProgram",
                code,
            }),
        }
    }

    fn build_log(&self, program: Handle) -> Result<String, OracleError> {
        let info = self.api.clGetProgramBuildInfo;
        // SAFETY: `text_of` gives room for as many bytes as it says.
        text_of("clGetProgramBuildInfo", |size, value, actual| unsafe {
            info(program, self.device, PROGRAM_BUILD_LOG, size, value, actual)
        })
    }

    fn kernel(&self, program: Handle, name: &str) -> Result<Owned<'_>, OracleError> {
        let unknown = || OracleError::NoKernel(name.to_owned());
        let c_name = CString::new(name).map_err(|_| unknown())?;
        let mut code = SUCCESS;
        // SAFETY: the program is built and alive as long as this oracle; the name is a C string.
        let handle = unsafe { (self.api.clCreateKernel)(program, c_name.as_ptr(), &mut code) };
        if code == INVALID_KERNEL_NAME {
            return Err(unknown());
        }
        checked("clCreateKernel", code)?;
        Ok(Owned {
            handle,
            release: self.api.clReleaseKernel,
            _api: &self.api,
        })
    }

    fn buffer(&self, bytes: &[u8]) -> Result<Owned<'_>, OracleError> {
        // OpenCL has no empty buffers: an empty one is one byte that is not read back.
        let contents = if bytes.is_empty() { &[0] } else { bytes };
        let flags = MEM_READ_WRITE | MEM_COPY_HOST_PTR;
        let mut code = SUCCESS;
        // SAFETY: the host pointer is valid for the given length and is only read, during the call.
        let handle = unsafe {
            (self.api.clCreateBuffer)(
                self.context,
                flags,
                contents.len(),
                contents.as_ptr().cast_mut().cast(),
                &mut code,
            )
        };
        checked("clCreateBuffer", code)?;
        Ok(Owned {
            handle,
            release: self.api.clReleaseMemObject,
            _api: &self.api,
        })
    }

    fn set_argument(
        &self,
        kernel: &Owned,
        index: usize,
        arg: &JobArg,
        memory: &[Owned],
    ) -> Result<(), OracleError> {
        let (size, value): (usize, *const c_void) = match arg {
            JobArg::Buffer(buffer) => {
                let missing = OracleError::NoBuffer {
                    argument: index,
                    buffer: *buffer,
                    buffers: memory.len(),
                };
                (
                    size_of::<Handle>(),
                    (&raw const memory.get(*buffer).ok_or(missing)?.handle).cast(),
                )
            }
            JobArg::Scalar(bytes) => (bytes.len(), bytes.as_ptr().cast()),
            JobArg::Local(bytes) => (*bytes, null()),
            JobArg::Null => (size_of::<Handle>(), null()),
        };
        // SAFETY: `value` is null or valid for `size` bytes, which the call copies.
        checked("clSetKernelArg", unsafe {
            (self.api.clSetKernelArg)(kernel.handle, index as u32, size, value)
        })
    }

    fn launch(&self, kernel: &Owned, job: &Job) -> Result<(), OracleError> {
        let dimensions = job.global.len();
        let sizes = |list: &[u64]| {
            assert!(
                list.len() == dimensions,
                "sizes and offsets have one entry per dimension"
            );
            list.iter()
                .map(|&size| size as usize)
                .collect::<Vec<usize>>()
        };
        let global = sizes(&job.global);
        let local = job.local.as_deref().map(sizes);
        let offset = if job.offset.is_empty() {
            vec![0; dimensions]
        } else {
            sizes(&job.offset)
        };
        // SAFETY: each array holds `dimensions` entries; no events are waited for or returned.
        let code = unsafe {
            (self.api.clEnqueueNDRangeKernel)(
                self.queue,
                kernel.handle,
                dimensions as u32,
                offset.as_ptr(),
                global.as_ptr(),
                local.as_ref().map_or(null(), |local| local.as_ptr()),
                0,
                null(),
                null_mut(),
            )
        };
        checked("clEnqueueNDRangeKernel", code)?;
        // SAFETY: the queue belongs to this oracle.
        checked("clFinish", unsafe { (self.api.clFinish)(self.queue) })
    }

    fn read(&self, memory: &Owned, length: usize) -> Result<Vec<u8>, OracleError> {
        let mut bytes = vec![0; length];
        if length > 0 {
            let target = bytes.as_mut_ptr().cast();
            // SAFETY: the buffer is `length` bytes long, as is `bytes`; the call blocks until they are written.
            let code = unsafe {
                (self.api.clEnqueueReadBuffer)(
                    self.queue,
                    memory.handle,
                    BLOCKING,
                    0,
                    length,
                    target,
                    0,
                    null(),
                    null_mut(),
                )
            };
            checked("clEnqueueReadBuffer", code)?;
        }
        Ok(bytes)
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        let _alone = lock_opencl();
        for built in self.programs.borrow().values() {
            if let Ok(program) = built.program {
                // SAFETY: a cached program is released here only, and no kernel outlives `run`.
                unsafe { (self.api.clReleaseProgram)(program) };
            }
        }
        // SAFETY: both belong to this oracle, which is going away; nothing is enqueued any more.
        unsafe {
            (self.api.clReleaseCommandQueue)(self.queue);
            (self.api.clReleaseContext)(self.context);
        }
    }
}

fn find_platform(api: &Api, name: &str) -> Result<Handle, OracleError> {
    let mut platforms = [null_mut(); 16];
    let mut count = 0;
    // SAFETY: room for as many handles as promised.
    // A loader without any platform returns an error: there is then nothing to look through.
    unsafe { (api.clGetPlatformIDs)(platforms.len() as u32, platforms.as_mut_ptr(), &mut count) };
    let mut found = Vec::new();
    for &platform in platforms.iter().take(count as usize) {
        // SAFETY: `text_of` gives room for as many bytes as it says.
        let found_name = text_of("clGetPlatformInfo", |size, value, actual| unsafe {
            (api.clGetPlatformInfo)(platform, PLATFORM_NAME, size, value, actual)
        })?;
        if found_name.contains(name) {
            return Ok(platform);
        }
        found.push(found_name);
    }
    Err(OracleError::NoPlatform {
        name: name.to_owned(),
        found,
    })
}

/// Calls a query function for the length, then for the text.
fn text_of(
    call: &'static str,
    query: impl Fn(usize, *mut c_void, *mut usize) -> i32,
) -> Result<String, OracleError> {
    let mut size = 0;
    checked(call, query(0, null_mut(), &mut size))?;
    let mut bytes = vec![0u8; size];
    checked(call, query(size, bytes.as_mut_ptr().cast(), null_mut()))?;
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Writes out what C's output streams hold.
pub(crate) fn flush_c_streams() {
    // SAFETY: a null pointer stands for all streams, and each is locked while it is flushed.
    unsafe { libc::fflush(null_mut()) };
}
