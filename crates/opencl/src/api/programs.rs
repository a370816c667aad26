//! Programs.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use opencl_sys::*;
use sluice_driver::program::Binary;

use super::kernels::{built, names};
use crate::calls::{Call, UserData};
use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::device::Device;
use crate::handles::{self, Object, find, find_all, publish, references};
use crate::pointers::{Query, answer, create, list, put, string};
use crate::program::{Program, Task};

type Notify = Option<unsafe extern "C" fn(cl_program, *mut c_void)>;

pub(crate) unsafe extern "C" fn clCreateProgramWithSource(
    context: cl_context,
    count: cl_uint,
    strings: *mut *const c_char,
    lengths: *const usize,
    code: *mut cl_int,
) -> cl_program {
    create(code, || {
        let context = find::<Context>(context)?;
        require(count > 0 && !strings.is_null(), CL_INVALID_VALUE)?;
        let mut source = Vec::new();
        for at in 0..count as usize {
            let text = strings.add(at).read();
            require(!text.is_null(), CL_INVALID_VALUE)?;
            let length = match lengths.is_null() {
                true => 0,
                false => lengths.add(at).read(),
            };
            match length {
                0 => {
                    let text = CStr::from_ptr(text).to_bytes();
                    reserve(&mut source, text.len())?;
                    source.extend(text);
                }
                _ => {
                    let text = list(text.cast::<u8>(), length)?;
                    reserve(&mut source, text.len())?;
                    source.extend(text);
                }
            }
        }
        let devices = context.devices.clone();
        Ok(publish(Arc::new(Program::new(
            context,
            devices,
            Some(source),
        ))))
    })
}

/// Makes room for more of a source.
fn reserve(source: &mut Vec<u8>, more: usize) -> Answer {
    let reserved = source.try_reserve(more);
    reserved.map_err(|_| Code(CL_OUT_OF_HOST_MEMORY))
}

pub(crate) unsafe extern "C" fn clCreateProgramWithBinary(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    lengths: *const usize,
    binaries: *mut *const u8,
    status: *mut cl_int,
    code: *mut cl_int,
) -> cl_program {
    create(code, || {
        let context = find::<Context>(context)?;
        require(
            count > 0 && !devices.is_null() && !lengths.is_null() && !binaries.is_null(),
            CL_INVALID_VALUE,
        )?;
        let devices = find_all::<Device>(devices, count)?;
        devices
            .iter()
            .try_for_each(|device| context.require(device))?;
        // Two binaries for one device would leave it open which is meant.
        let is_again = |at: usize| devices[..at].iter().any(|it| Arc::ptr_eq(it, &devices[at]));
        require(!(0..devices.len()).any(is_again), CL_INVALID_DEVICE)?;
        let mut read = Vec::new();
        let mut worst = Ok(());
        for at in 0..count as usize {
            let (bytes, length) = (binaries.add(at).read(), lengths.add(at).read());
            let binary = match bytes.is_null() || length == 0 {
                true => Err(Code(CL_INVALID_VALUE)),
                false => {
                    Binary::from_bytes(&list(bytes, length)?).map_err(|_| Code(CL_INVALID_BINARY))
                }
            };
            if !status.is_null() {
                put(
                    status.add(at),
                    binary.as_ref().err().map_or(CL_SUCCESS, |code| code.0),
                );
            }
            match binary {
                Ok(binary) => read.push(binary),
                Err(code) => worst = worst.and(Err(code)),
            }
        }
        worst?;
        Ok(publish(Arc::new(Program::from_binaries(
            context, devices, read,
        ))))
    })
}

pub(crate) unsafe extern "C" fn clCreateProgramWithBuiltInKernels(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    names: *const c_char,
    code: *mut cl_int,
) -> cl_program {
    create(code, || {
        let context = find::<Context>(context)?;
        require(count > 0 && !devices.is_null(), CL_INVALID_VALUE)?;
        let devices = find_all::<Device>(devices, count)?;
        devices
            .iter()
            .try_for_each(|device| context.require(device))?;
        require(!names.is_null(), CL_INVALID_VALUE)?;
        // The device has none of any name.
        Err(Code(CL_INVALID_VALUE))
    })
}

/// No intermediate language is offered.
pub(crate) unsafe extern "C" fn clCreateProgramWithIL(
    context: cl_context,
    _il: *const c_void,
    _length: usize,
    code: *mut cl_int,
) -> cl_program {
    create(code, || {
        find::<Context>(context)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}

pub(crate) unsafe extern "C" fn clRetainProgram(program: cl_program) -> cl_int {
    answer(|| handles::retain::<Program>(program))
}

pub(crate) unsafe extern "C" fn clReleaseProgram(program: cl_program) -> cl_int {
    answer(|| handles::release::<Program>(program))
}

pub(crate) unsafe extern "C" fn clSetProgramReleaseCallback(
    program: cl_program,
    _function: Notify,
    _data: *mut c_void,
) -> cl_int {
    // It is for programs with global constructors and destructors, of which there are none.
    answer(|| {
        find::<Program>(program)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}

/// There are no specialisation constants without an intermediate language.
pub(crate) unsafe extern "C" fn clSetProgramSpecializationConstant(
    program: cl_program,
    _id: cl_uint,
    _size: usize,
    _value: *const c_void,
) -> cl_int {
    answer(|| {
        find::<Program>(program)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}

/// The devices that a build is for: all, if none is named.
unsafe fn chosen(
    all: &[Arc<Device>],
    count: cl_uint,
    devices: *const cl_device_id,
) -> Answer<Vec<Arc<Device>>> {
    require((count == 0) == devices.is_null(), CL_INVALID_VALUE)?;
    if devices.is_null() {
        return Ok(all.to_vec());
    }
    let chosen = find_all::<Device>(devices, count)?;
    let is_known = |device: &Arc<Device>| all.iter().any(|it| Arc::ptr_eq(it, device));
    require(chosen.iter().all(is_known), CL_INVALID_DEVICE)?;
    Ok(chosen)
}

fn checked(function: Notify, data: *mut c_void) -> Answer<Option<Call>> {
    require(function.is_some() || data.is_null(), CL_INVALID_VALUE)?;
    let data = UserData(data);
    Ok(function.map(|function| Call { function, data }))
}

/// Does a task, now, or later if the program wants to be called then.
fn perform(
    program: Arc<Program>,
    devices: Vec<Arc<Device>>,
    task: Task,
    options: String,
    notify: Option<Call>,
) -> Answer {
    program.begin(&devices, &options)?;
    let Some(notify) = notify else {
        return program.perform(&devices, &task, &options);
    };
    let context = program.context.clone();
    context.workers.submit(Box::new(move || {
        // The build's status says how it went.
        let _ = program.perform(&devices, &task, &options);
        notify.make(program.handle());
    }));
    Ok(())
}

pub(crate) unsafe extern "C" fn clBuildProgram(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    notify: Notify,
    data: *mut c_void,
) -> cl_int {
    answer(|| {
        let program = find::<Program>(program)?;
        let devices = chosen(&program.devices, count, devices)?;
        let notify = checked(notify, data)?;
        require(program.is_buildable(&devices), CL_INVALID_BINARY)?;
        perform(program, devices, Task::Build, string(options), notify)
    })
}

pub(crate) unsafe extern "C" fn clCompileProgram(
    program: cl_program,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    header_count: cl_uint,
    headers: *const cl_program,
    header_names: *mut *const c_char,
    notify: Notify,
    data: *mut c_void,
) -> cl_int {
    answer(|| {
        let program = find::<Program>(program)?;
        let devices = chosen(&program.devices, count, devices)?;
        let consistent = if header_count == 0 {
            headers.is_null() && header_names.is_null()
        } else {
            !headers.is_null() && !header_names.is_null()
        };
        require(consistent, CL_INVALID_VALUE)?;
        let notify = checked(notify, data)?;
        require(program.source.is_some(), CL_INVALID_OPERATION)?;
        let mut texts = Vec::new();
        let programs = find_all::<Program>(headers, header_count)?;
        for (at, header) in programs.iter().enumerate() {
            let text = header.text().ok_or(Code(CL_INVALID_OPERATION))?;
            texts.push((string(header_names.add(at).read()), text));
        }
        let task = Task::Compile { headers: texts };
        perform(program, devices, task, string(options), notify)
    })
}

pub(crate) unsafe extern "C" fn clLinkProgram(
    context: cl_context,
    count: cl_uint,
    devices: *const cl_device_id,
    options: *const c_char,
    input_count: cl_uint,
    inputs: *const cl_program,
    notify: Notify,
    data: *mut c_void,
    code: *mut cl_int,
) -> cl_program {
    let mut result = CL_SUCCESS;
    let handle = create(code, || {
        let context = find::<Context>(context)?;
        require((count == 0) == devices.is_null(), CL_INVALID_VALUE)?;
        let devices = chosen(&context.devices, count, devices)?;
        require(input_count > 0 && !inputs.is_null(), CL_INVALID_VALUE)?;
        let inputs = find_all::<Program>(inputs, input_count)?;
        let notify = checked(notify, data)?;
        let devices = linkable(devices, &inputs)?;
        let program = Arc::new(Program::new(context, devices.clone(), None));
        let handle = publish(program.clone());
        let linked = perform(
            program,
            devices,
            Task::Link { inputs },
            string(options),
            notify,
        );
        if let Err(code) = linked {
            // The program is there all the same, with its log.
            result = code.0;
            if code.0 == CL_INVALID_LINKER_OPTIONS || code.0 == CL_INVALID_OPERATION {
                handles::release::<Program>(handle)?;
                return Err(code);
            }
        }
        Ok(handle)
    });
    if result != CL_SUCCESS {
        put(code, result);
    }
    handle
}

/// The devices for which every input was compiled; an input for some only is a mistake.
fn linkable(devices: Vec<Arc<Device>>, inputs: &[Arc<Program>]) -> Answer<Vec<Arc<Device>>> {
    let is_object = |program: &Arc<Program>, device: &Arc<Device>| {
        let kind = program.build_of(device).map(|build| build.kind());
        matches!(
            kind,
            Some(CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT | CL_PROGRAM_BINARY_TYPE_LIBRARY)
        )
    };
    let mut chosen = Vec::new();
    for device in devices {
        let having = inputs
            .iter()
            .filter(|input| is_object(input, &device))
            .count();
        require(having == 0 || having == inputs.len(), CL_INVALID_OPERATION)?;
        if having > 0 {
            chosen.push(device);
        }
    }
    require(!chosen.is_empty(), CL_INVALID_OPERATION)?;
    Ok(chosen)
}

pub(crate) unsafe extern "C" fn clGetProgramInfo(
    program: cl_program,
    name: cl_program_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let program = find::<Program>(program)?;
        let query = Query::new(size, value, size_ret);
        let binaries = || -> Vec<Vec<u8>> {
            let builds = program.all_builds().into_iter();
            builds
                .map(|build| build.product.map_or(Vec::new(), |it| it.binary.to_bytes()))
                .collect()
        };
        match name {
            CL_PROGRAM_REFERENCE_COUNT => query.one(references(&*program)),
            CL_PROGRAM_CONTEXT => query.one(program.context.pointer()),
            CL_PROGRAM_NUM_DEVICES => query.one(program.devices.len() as cl_uint),
            CL_PROGRAM_DEVICES => {
                let devices = program.devices.iter().map(|device| device.pointer());
                query.all(&devices.collect::<Vec<cl_device_id>>())
            }
            CL_PROGRAM_SOURCE => {
                let source = program.source.as_deref().unwrap_or_default();
                query.all(&[source, &[0]].concat())
            }
            CL_PROGRAM_BINARY_SIZES => {
                query.all(&binaries().iter().map(Vec::len).collect::<Vec<usize>>())
            }
            CL_PROGRAM_BINARIES => query.parts(&binaries()),
            CL_PROGRAM_NUM_KERNELS => query.one(names(&built(&program)?).len()),
            CL_PROGRAM_KERNEL_NAMES => query.string(&names(&built(&program)?).join(";")),
            CL_PROGRAM_IL => query.all::<u8>(&[]),
            CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT | CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => {
                query.truth(false)
            }
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

pub(crate) unsafe extern "C" fn clGetProgramBuildInfo(
    program: cl_program,
    device: cl_device_id,
    name: cl_program_build_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let program = find::<Program>(program)?;
        let device = find::<Device>(device)?;
        let build = program.build_of(&device).ok_or(Code(CL_INVALID_DEVICE))?;
        let query = Query::new(size, value, size_ret);
        match name {
            CL_PROGRAM_BUILD_STATUS => query.one(build.status),
            CL_PROGRAM_BUILD_OPTIONS => query.string(&build.options),
            CL_PROGRAM_BUILD_LOG => query.string(&build.log),
            CL_PROGRAM_BINARY_TYPE => query.one(build.kind()),
            CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => query.one(build.variable_bytes()),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}
