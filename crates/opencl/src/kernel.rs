//! Kernel objects: a kernel with the arguments of its next launch.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use opencl_sys::{
    CL_INVALID_ARG_INDEX, CL_INVALID_ARG_SIZE, CL_INVALID_ARG_VALUE, CL_INVALID_KERNEL,
    CL_INVALID_KERNEL_ARGS, CL_INVALID_MEM_OBJECT, CL_INVALID_PROGRAM_EXECUTABLE, cl_int, cl_mem,
};
use sluice_kernel::ir::{Element, Kernel as Ir, ObjectKind, Param, ParamKind, Scalar};
use sluice_kernel::launch::{Argument, Buffer, Memory};

use crate::code::{Answer, Code, require};
use crate::device::Device;
use crate::handles::{Handle, Object, find};
use crate::kernel_code::KernelCode;
use crate::memory::Mem;
use crate::pointers::list;
use crate::program::Program;

/// A kernel object.
#[derive(Debug)]
pub(crate) struct Kernel {
    handle: Handle,
    pub(crate) program: Arc<Program>,
    codes: Vec<(Arc<Device>, Arc<KernelCode>)>,
    args: Mutex<Vec<Option<Arg>>>,
}

impl Object for Kernel {
    const INVALID: cl_int = CL_INVALID_KERNEL;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

/// An argument.
#[derive(Clone, Debug)]
enum Arg {
    /// The lanes of a value, the bytes of a struct, or local memory.
    Plain(Argument),
    /// A buffer; being an argument does not keep it alive.
    Buffer(Weak<Mem>),
}

/// The arguments of a launch, with the buffers that must live until its end.
#[derive(Debug)]
pub(crate) struct Arguments {
    args: Vec<Argument>,
    memory: Memory,
    kept: Vec<Arc<Mem>>,
}

impl Arguments {
    /// The arguments, the memory, and what keeps it.
    pub(crate) fn into_parts(self) -> (Vec<Argument>, Memory, Vec<Arc<Mem>>) {
        (self.args, self.memory, self.kept)
    }
}

impl Kernel {
    /// A kernel of a program, without arguments.
    pub(crate) fn new(program: Arc<Program>, codes: Vec<(Arc<Device>, Arc<KernelCode>)>) -> Kernel {
        program.attach();
        let args = vec![None; codes[0].1.kernel().host_params().len()];
        Kernel {
            handle: Handle::new(),
            program,
            codes,
            args: Mutex::new(args),
        }
    }

    /// Another with the same arguments.
    pub(crate) fn copy(&self) -> Kernel {
        let copy = Kernel::new(self.program.clone(), self.codes.clone());
        copy.args().clone_from(&self.args());
        copy
    }

    /// The kernel itself: the same for all devices.
    pub(crate) fn ir(&self) -> &Ir {
        self.codes[0].1.kernel()
    }

    /// The devices that it was built for.
    pub(crate) fn devices(&self) -> impl Iterator<Item = &Arc<Device>> {
        self.codes.iter().map(|(device, _)| device)
    }

    /// What runs on a device.
    pub(crate) fn code(&self, device: &Arc<Device>) -> Answer<&Arc<KernelCode>> {
        let found = self.codes.iter().find(|(it, _)| Arc::ptr_eq(it, device));
        let found = found.map(|(_, code)| code);
        found.ok_or(Code(CL_INVALID_PROGRAM_EXECUTABLE))
    }

    fn args(&self) -> MutexGuard<'_, Vec<Option<Arg>>> {
        self.args.lock().expect("nothing panics with the lock")
    }

    /// Sets an argument.
    ///
    /// # Safety
    ///
    /// `value` points to `size` bytes, or is null.
    pub(crate) unsafe fn set(&self, index: u32, size: usize, value: *const c_void) -> Answer {
        let param = self.ir().host_params().get(index as usize);
        let param = param.ok_or(Code(CL_INVALID_ARG_INDEX))?;
        // SAFETY: the caller's.
        let arg = unsafe { argument(self, param, size, value) }?;
        self.args()[index as usize] = Some(arg);
        Ok(())
    }

    /// The local memory of a work-group of `items` work-items: its variables and, as far as they are set, its
    /// arguments.
    pub(crate) fn local_bytes(&self, items: u64) -> u64 {
        let variables = self.ir().objects.values().map(|object| match object.kind {
            ObjectKind::Local { size } => size,
            ObjectKind::LocalPerItem { bytes } => bytes.saturating_mul(items),
            _ => 0,
        });
        let args = self.args();
        let arguments = args.iter().map(|arg| match arg {
            Some(Arg::Plain(Argument::Local(bytes))) => *bytes,
            _ => 0,
        });
        variables.chain(arguments).fold(0, u64::saturating_add)
    }

    /// The arguments as they are now.
    pub(crate) fn arguments(&self) -> Answer<Arguments> {
        let mut all = Arguments {
            args: Vec::new(),
            memory: Memory::new(),
            kept: Vec::new(),
        };
        for arg in self.args().iter() {
            let arg = match arg {
                None => return Err(Code(CL_INVALID_KERNEL_ARGS)),
                Some(Arg::Plain(argument)) => argument.clone(),
                Some(Arg::Buffer(buffer)) => {
                    let mem = buffer.upgrade().ok_or(Code(CL_INVALID_KERNEL_ARGS))?;
                    let id = all.memory.add(Buffer::clone(&mem.buffer));
                    all.kept.push(mem);
                    Argument::Buffer(id)
                }
            };
            all.args.push(arg);
        }
        Ok(all)
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        self.program.detach();
    }
}

/// The argument that the program means.
///
/// # Safety
///
/// `value` points to `size` bytes, or is null.
unsafe fn argument(
    kernel: &Kernel,
    param: &Param,
    size: usize,
    value: *const c_void,
) -> Answer<Arg> {
    // SAFETY: the caller's.
    let bytes = || unsafe { list(value.cast::<u8>(), size) };
    match param.kind {
        ParamKind::Buffer { .. } => {
            require(size == size_of::<cl_mem>(), CL_INVALID_ARG_SIZE)?;
            // SAFETY: the caller's; there are as many bytes as a handle has.
            let handle = unsafe { list(value.cast::<cl_mem>(), 1) }?;
            match handle.first().copied().filter(|handle| !handle.is_null()) {
                None => Ok(Arg::Plain(Argument::Null)),
                Some(handle) => {
                    let mem = find::<Mem>(handle)?;
                    let is_ours = Arc::ptr_eq(&mem.context, &kernel.program.context);
                    require(is_ours, CL_INVALID_MEM_OBJECT)?;
                    Ok(Arg::Buffer(Arc::downgrade(&mem)))
                }
            }
        }
        ParamKind::Local { .. } => {
            require(value.is_null(), CL_INVALID_ARG_VALUE)?;
            require(size > 0, CL_INVALID_ARG_SIZE)?;
            Ok(Arg::Plain(Argument::Local(size as u64)))
        }
        ParamKind::Value(element) => {
            require(!value.is_null(), CL_INVALID_ARG_VALUE)?;
            require(element_bytes(element).contains(&size), CL_INVALID_ARG_SIZE)?;
            Ok(Arg::Plain(Argument::Value(lanes(element, &bytes()?))))
        }
        ParamKind::Variables { .. } => Err(Code(CL_INVALID_ARG_INDEX)),
        ParamKind::Struct { object } => {
            require(!value.is_null(), CL_INVALID_ARG_VALUE)?;
            let expected = kernel.ir().objects[object].size();
            require(expected == Some(size as u64), CL_INVALID_ARG_SIZE)?;
            Ok(Arg::Plain(Argument::Struct(bytes()?)))
        }
    }
}

fn scalar_bytes(scalar: Scalar) -> usize {
    match scalar {
        Scalar::Signed(bits) | Scalar::Unsigned(bits) => usize::from(bits) / 8,
        Scalar::Half => 2,
        Scalar::Float => 4,
        Scalar::Double => 8,
    }
}

/// The sizes that a program may pass: three components take the room of four, but programs whose own
/// type has three pass those alone.
fn element_bytes(element: Element) -> [usize; 2] {
    let lanes = match element.lanes {
        3 => [3, 4],
        lanes => [usize::from(lanes); 2],
    };
    lanes.map(|lanes| lanes * scalar_bytes(element.scalar))
}

fn lanes(element: Element, bytes: &[u8]) -> smallvec::SmallVec<[u64; 4]> {
    let lanes = bytes.chunks(scalar_bytes(element.scalar));
    let lane = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    lanes.take(element.lanes.into()).map(lane).collect()
}
