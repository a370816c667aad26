//! Programs, and what becomes of them for each device.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

use opencl_sys::{
    CL_BUILD_ERROR, CL_BUILD_IN_PROGRESS, CL_BUILD_NONE, CL_BUILD_PROGRAM_FAILURE,
    CL_BUILD_SUCCESS, CL_COMPILE_PROGRAM_FAILURE, CL_COMPILER_NOT_AVAILABLE,
    CL_INVALID_BUILD_OPTIONS, CL_INVALID_COMPILER_OPTIONS, CL_INVALID_LINKER_OPTIONS,
    CL_INVALID_OPERATION, CL_INVALID_PROGRAM, CL_LINK_PROGRAM_FAILURE, CL_LINKER_NOT_AVAILABLE,
    CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT, CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
    CL_PROGRAM_BINARY_TYPE_LIBRARY, CL_PROGRAM_BINARY_TYPE_NONE, cl_build_status, cl_int,
    cl_program, cl_program_binary_type,
};
use sluice_driver::program::{
    self, Binary, BuildCache, BuildFailure, Contents, Destination, FailureKind, Input, Keep,
    NoKernels, Object as Part, Options, Passes, Request, SOURCE_NAME, Source,
};
use sluice_kernel::launch::Buffer;
use sluice_kernel::{Optimised, Program as Kernels};

use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::device::Device;
use crate::handles::{Handle, Object};
use crate::kernel_code::KernelCode;
use crate::notices::say_once;
use crate::workers::compute;

/// A program.
#[derive(Debug)]
pub(crate) struct Program {
    handle: Handle,
    pub(crate) context: Arc<Context>,
    pub(crate) devices: Vec<Arc<Device>>,
    /// None if it came as a binary or from a linker.
    pub(crate) source: Option<Vec<u8>>,
    builds: Mutex<Vec<Build>>,
    /// Kernel objects made of it.
    kernels: AtomicUsize,
}

impl Object for Program {
    const INVALID: cl_int = CL_INVALID_PROGRAM;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// What was made of a program for a device.
#[derive(Clone, Debug)]
pub(crate) struct Build {
    pub(crate) status: cl_build_status,
    pub(crate) options: String,
    pub(crate) log: String,
    pub(crate) product: Option<Product>,
}

/// What a build gives.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    /// As the program may have it.
    pub(crate) binary: Arc<Binary>,
    /// Kernels that can run; none in objects and libraries.
    pub(crate) codes: Vec<Arc<KernelCode>>,
}

impl Product {
    /// Kernels that have no circuits yet.
    fn new(binary: Binary, device: &Device) -> Product {
        let codes = match &binary.contents {
            Contents::Executable(kernels) => codes(kernels, device),
            Contents::Object(_) | Contents::Library(_) => Vec::new(),
        };
        Product {
            binary: Arc::new(binary),
            codes,
        }
    }

    /// What kind of binary it is.
    pub(crate) fn kind(&self) -> cl_program_binary_type {
        match self.binary.contents {
            Contents::Executable(_) => CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
            Contents::Object(_) => CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            Contents::Library(_) => CL_PROGRAM_BINARY_TYPE_LIBRARY,
        }
    }
}

impl Build {
    fn none() -> Build {
        Build {
            status: CL_BUILD_NONE,
            options: String::new(),
            log: String::new(),
            product: None,
        }
    }

    /// Bytes of its variables in global memory.
    pub(crate) fn variable_bytes(&self) -> usize {
        let codes = self.product.iter().flat_map(|product| &product.codes);
        let mut variables = codes.filter_map(|code| code.kernel().variables.as_ref());
        variables
            .next()
            .map_or(0, |variables| variables.size as usize)
    }

    /// What kind of binary there is.
    pub(crate) fn kind(&self) -> cl_program_binary_type {
        self.product
            .as_ref()
            .map_or(CL_PROGRAM_BINARY_TYPE_NONE, Product::kind)
    }
}

/// What is to be made.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// An executable.
    Build,
    /// An object; the headers have the names that they are included by.
    Compile { headers: Vec<(String, String)> },
    /// An executable, or a library, of what others were compiled to.
    Link { inputs: Vec<Arc<Program>> },
}

impl Program {
    /// A program that nothing was made of yet.
    pub(crate) fn new(
        context: Arc<Context>,
        devices: Vec<Arc<Device>>,
        source: Option<Vec<u8>>,
    ) -> Program {
        let builds = vec![Build::none(); devices.len()];
        Program {
            handle: Handle::new(),
            context,
            devices,
            source,
            builds: Mutex::new(builds),
            kernels: AtomicUsize::new(0),
        }
    }

    /// A program of binaries, one for each device; a device without one has nothing.
    pub(crate) fn from_binaries(
        context: Arc<Context>,
        devices: Vec<Arc<Device>>,
        binaries: Vec<Binary>,
    ) -> Program {
        let program = Program::new(context, devices, None);
        let products = program.devices.iter().zip(binaries);
        let products = products.map(|(device, binary)| Product::new(binary, device));
        for (build, product) in program.builds().iter_mut().zip(products) {
            build.product = Some(product);
        }
        program
    }

    fn builds(&self) -> MutexGuard<'_, Vec<Build>> {
        self.builds.lock().unwrap_or_else(|it| it.into_inner())
    }

    /// Its handle.
    pub(crate) fn pointer(&self) -> cl_program {
        self.handle.pointer()
    }

    /// What was made for each device.
    pub(crate) fn all_builds(&self) -> Vec<Build> {
        self.builds().clone()
    }

    /// What was made for a device.
    pub(crate) fn build_of(&self, device: &Arc<Device>) -> Option<Build> {
        let at = self.devices.iter().position(|it| Arc::ptr_eq(it, device));
        at.map(|at| self.builds()[at].clone())
    }

    /// The source as the compiler wants it. In programs of before UTF-8, comments have other bytes.
    pub(crate) fn text(&self) -> Option<String> {
        let source = self.source.as_ref();
        source.map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// Whether there is something to build: source, or an executable for each device.
    pub(crate) fn is_buildable(&self, devices: &[Arc<Device>]) -> bool {
        let is_runnable = |device| {
            let kind = self.build_of(device).map(|build| build.kind());
            kind == Some(CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
        };
        self.source.is_some() || devices.iter().all(is_runnable)
    }

    /// A kernel object is made of it.
    pub(crate) fn attach(&self) {
        self.kernels.fetch_add(1, Relaxed);
    }

    /// A kernel object of it goes.
    pub(crate) fn detach(&self) {
        self.kernels.fetch_sub(1, Relaxed);
    }

    /// Refuses what cannot be started now, and marks the devices as being worked for.
    pub(crate) fn begin(&self, devices: &[Arc<Device>], options: &str) -> Answer {
        require(self.kernels.load(Relaxed) == 0, CL_INVALID_OPERATION)?;
        let mut builds = self.builds();
        let mut chosen: Vec<&mut Build> = self
            .devices
            .iter()
            .zip(builds.iter_mut())
            .filter(|(device, _)| devices.iter().any(|it| Arc::ptr_eq(it, device)))
            .map(|(_, build)| build)
            .collect();
        let is_free = chosen
            .iter()
            .all(|build| build.status != CL_BUILD_IN_PROGRESS);
        require(is_free, CL_INVALID_OPERATION)?;
        for build in &mut chosen {
            build.status = CL_BUILD_IN_PROGRESS;
            build.options = options.to_owned();
            build.log.clear();
        }
        Ok(())
    }

    /// Does a task for the devices, on threads of ours; [`Program::begin`] came before.
    pub(crate) fn perform(&self, devices: &[Arc<Device>], task: &Task, options: &str) -> Answer {
        let mut result = Ok(());
        for device in devices {
            let made = compute(|| self.make(device, task, options));
            let made = made.unwrap_or_else(|| Err(failed("internal error: see stderr\n")));
            if let Err(failure) = &made {
                result = result.and(Err(code(task, failure.kind)));
            }
            self.set(device, made);
        }
        result
    }

    fn set(&self, device: &Arc<Device>, made: Result<(Product, String), BuildFailure>) {
        let at = self.devices.iter().position(|it| Arc::ptr_eq(it, device));
        let mut builds = self.builds();
        let build = &mut builds[at.expect("the device is one of its own")];
        match made {
            Ok((product, log)) => {
                build.status = CL_BUILD_SUCCESS;
                build.log = log;
                build.product = Some(product);
            }
            Err(failure) => {
                build.status = CL_BUILD_ERROR;
                build.log = failure.log;
                build.product = None;
            }
        }
    }

    /// What comes of a task, and its log.
    fn make(
        &self,
        device: &Arc<Device>,
        task: &Task,
        options: &str,
    ) -> Result<(Product, String), BuildFailure> {
        let words = crate::options::split(options);
        let builder = Builder {
            device,
            destination: device.destination(),
            cache: BuildCache::from_environment(),
            options: Options {
                clang_args: words.clone(),
                ..Options::default()
            },
            text: options,
        };
        match (task, self.text()) {
            (Task::Build, Some(source)) => {
                builder.build(Input::Source(&Source::from_text(SOURCE_NAME, source)))
            }
            (Task::Build, None) => {
                let loaded = self.build_of(device).and_then(|build| build.product);
                let loaded = loaded.ok_or_else(|| failed("there is nothing to build\n"))?;
                builder.rebuild(loaded)
            }
            (Task::Compile { headers }, source) => {
                let source = source.unwrap_or_default();
                let compiled = program::compile(&source, headers, &words, builder.keep())?;
                let contents = Contents::Object(compiled.object);
                Ok((builder.product(contents, None), compiled.log))
            }
            (Task::Link { inputs }, _) => {
                let parts = parts(inputs, device);
                let parts: Vec<&Part> = parts.iter().collect();
                match words.iter().any(|word| word == "-create-library") {
                    true => {
                        let library = program::link_library(&parts, &words)?;
                        let product = builder.product(Contents::Library(library), None);
                        Ok((product, String::new()))
                    }
                    false => builder.build(Input::Objects(&parts)),
                }
            }
        }
    }
}

/// Makes products for a device.
struct Builder<'a> {
    device: &'a Device,
    destination: Destination,
    cache: Option<BuildCache>,
    options: Options,
    /// The options as the program gave them.
    text: &'a str,
}

impl Builder<'_> {
    fn keep(&self) -> Option<Keep<'_>> {
        let destination = &self.destination;
        let cache = self.cache.as_ref();
        cache.map(|cache| Keep { cache, destination })
    }

    fn request<'a>(&'a self, input: Input<'a>) -> Request<'a> {
        Request {
            input,
            options: &self.options,
            passes: Passes::Run,
            no_kernels: NoKernels::Allowed,
        }
    }

    /// An executable, and its log.
    fn build(&self, input: Input<'_>) -> Result<(Product, String), BuildFailure> {
        let mut made = None;
        // What comes out of the cache has become circuits before.
        let accept = |kernels: &Kernels| {
            let codes = codes(kernels, self.device);
            circuits(&codes)?;
            made = Some(codes);
            Ok(())
        };
        let built = program::build(&self.request(input), self.keep(), accept)?;
        let contents = Contents::Executable(built.program);
        Ok((self.product(contents, made), built.log))
    }

    /// An executable that was loaded as a binary: its kernels keep their variables.
    fn rebuild(&self, loaded: Product) -> Result<(Product, String), BuildFailure> {
        let Contents::Executable(kernels) = &loaded.binary.contents else {
            return Err(failed("there is nothing to build\n"));
        };
        let request = self.request(Input::Program(kernels));
        let built = program::build(&request, None, |_| circuits(&loaded.codes))?;
        Ok((loaded, built.log))
    }

    fn product(&self, contents: Contents, codes: Option<Vec<Arc<KernelCode>>>) -> Product {
        let binary = Binary {
            target: self.destination.target.clone(),
            datapaths: self.destination.datapaths,
            options: self.text.to_owned(),
            contents,
        };
        match codes {
            Some(codes) => Product {
                binary: Arc::new(binary),
                codes,
            },
            None => Product::new(binary, self.device),
        }
    }
}

fn failed(log: &str) -> BuildFailure {
    BuildFailure {
        log: log.to_owned(),
        kind: FailureKind::Failed,
    }
}

fn codes(program: &Kernels, device: &Device) -> Vec<Arc<KernelCode>> {
    // All kernels of a program see the same variables, whatever is launched in between.
    let size = program.variables().map(|it| it.size as usize);
    let variables = size.map(Buffer::uninitialised);
    let code = |kernel: &Optimised| {
        let variables = kernel.variables.as_ref().and(variables.clone());
        Arc::new(KernelCode::new(kernel.clone(), variables, device))
    };
    program.kernels().iter().map(code).collect()
}

/// What others were compiled to for a device.
fn parts(inputs: &[Arc<Program>], device: &Arc<Device>) -> Vec<Part> {
    let builds = inputs.iter().filter_map(|input| input.build_of(device));
    let products = builds.filter_map(|build| build.product);
    let parts = products.filter_map(|product| match &product.binary.contents {
        Contents::Object(part) | Contents::Library(part) => Some(part.clone()),
        Contents::Executable(_) => None,
    });
    parts.collect()
}

/// Makes the circuits, so that what cannot become one is known now.
fn circuits(codes: &[Arc<KernelCode>]) -> Result<(), String> {
    let mut problems = String::new();
    std::thread::scope(|scope| {
        let threads = codes.iter().map(|code| scope.spawn(|| code.prepare()));
        let threads: Vec<_> = threads.collect();
        for (thread, code) in threads.into_iter().zip(codes) {
            let name = &code.kernel().name;
            match thread.join() {
                Ok(Ok(())) => {}
                Ok(Err(problem)) => {
                    let problem = format!("kernel `{name}`: {problem}");
                    problems += &format!("error: {problem}\n");
                    // Many programs never show the log.
                    say_once(problem.clone(), &problem);
                }
                Err(_) => problems += &format!("internal error in kernel `{name}`: see stderr\n"),
            }
        }
    });
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems),
    }
}

/// The code for a task that went wrong.
fn code(task: &Task, kind: FailureKind) -> Code {
    Code(match (task, kind) {
        (Task::Link { .. }, FailureKind::NoCompiler) => CL_LINKER_NOT_AVAILABLE,
        (_, FailureKind::NoCompiler) => CL_COMPILER_NOT_AVAILABLE,
        (Task::Build, FailureKind::Failed) => CL_BUILD_PROGRAM_FAILURE,
        (Task::Build, FailureKind::InvalidOptions) => CL_INVALID_BUILD_OPTIONS,
        (Task::Compile { .. }, FailureKind::Failed) => CL_COMPILE_PROGRAM_FAILURE,
        (Task::Compile { .. }, FailureKind::InvalidOptions) => CL_INVALID_COMPILER_OPTIONS,
        (Task::Link { .. }, FailureKind::Failed) => CL_LINK_PROGRAM_FAILURE,
        (Task::Link { .. }, FailureKind::InvalidOptions) => CL_INVALID_LINKER_OPTIONS,
    })
}
