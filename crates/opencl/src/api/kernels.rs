//! Kernel objects.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use opencl_sys::*;
use sluice_kernel::ir::{ObjectKind, Param, ParamKind, Space};

use crate::code::{Answer, Code, require};
use crate::device::Device;
use crate::handles::{self, find, publish, references};
use crate::kernel::Kernel;
use crate::kernel_code::KernelCode;
use crate::pointers::{Query, answer, create, put, string};
use crate::program::Program;

pub(crate) unsafe extern "C" fn clCreateKernel(
    program: cl_program,
    name: *const c_char,
    code: *mut cl_int,
) -> cl_kernel {
    create(code, || {
        let program = find::<Program>(program)?;
        let built = built(&program)?;
        require(!name.is_null(), CL_INVALID_VALUE)?;
        let kernel = make(&program, &built, &string(name))?;
        Ok(publish(Arc::new(kernel)))
    })
}

pub(crate) unsafe extern "C" fn clCreateKernelsInProgram(
    program: cl_program,
    entries: cl_uint,
    kernels: *mut cl_kernel,
    count: *mut cl_uint,
) -> cl_int {
    answer(|| {
        let program = find::<Program>(program)?;
        let built = built(&program)?;
        let names = names(&built);
        require(
            kernels.is_null() || entries as usize >= names.len(),
            CL_INVALID_VALUE,
        )?;
        if !kernels.is_null() {
            let made = names.iter().map(|name| make(&program, &built, name));
            let made: Vec<Kernel> = made.collect::<Answer<_>>()?;
            for (at, kernel) in made.into_iter().enumerate() {
                put(kernels.add(at), publish(Arc::new(kernel)));
            }
        }
        put(count, names.len() as cl_uint);
        Ok(())
    })
}

/// The kernels of each device that the program was built for.
pub(super) type Built = Vec<(Arc<Device>, Vec<Arc<KernelCode>>)>;

/// What of a program can run.
pub(super) fn built(program: &Program) -> Answer<Built> {
    let builds = program.devices.iter().zip(program.all_builds());
    let built = builds.filter_map(|(device, build)| {
        let product = build.product.filter(|_| build.status == CL_BUILD_SUCCESS)?;
        (product.kind() == CL_PROGRAM_BINARY_TYPE_EXECUTABLE)
            .then(|| (device.clone(), product.codes))
    });
    let built: Built = built.collect();
    require(!built.is_empty(), CL_INVALID_PROGRAM_EXECUTABLE)?;
    Ok(built)
}

/// The names of the kernels, in the order of the source.
pub(super) fn names(built: &Built) -> Vec<String> {
    let codes = built.first().map(|(_, codes)| codes.iter());
    let names = codes.into_iter().flatten();
    names.map(|code| code.kernel().name.clone()).collect()
}

fn make(program: &Arc<Program>, built: &Built, name: &str) -> Answer<Kernel> {
    let of_device = |(device, codes): &(Arc<Device>, Vec<Arc<KernelCode>>)| {
        let code = codes.iter().find(|code| code.kernel().name == name)?;
        Some((device.clone(), code.clone()))
    };
    let codes: Vec<_> = built.iter().filter_map(of_device).collect();
    require(!codes.is_empty(), CL_INVALID_KERNEL_NAME)?;
    let same = |codes: &[(Arc<Device>, Arc<KernelCode>)]| {
        let params = &codes[0].1.kernel().params;
        codes
            .iter()
            .all(|(_, code)| code.kernel().params == *params)
    };
    require(same(&codes), CL_INVALID_KERNEL_DEFINITION)?;
    Ok(Kernel::new(program.clone(), codes))
}

pub(crate) unsafe extern "C" fn clCloneKernel(kernel: cl_kernel, code: *mut cl_int) -> cl_kernel {
    create(code, || {
        let kernel = find::<Kernel>(kernel)?;
        Ok(publish(Arc::new(kernel.copy())))
    })
}

pub(crate) unsafe extern "C" fn clRetainKernel(kernel: cl_kernel) -> cl_int {
    answer(|| handles::retain::<Kernel>(kernel))
}

pub(crate) unsafe extern "C" fn clReleaseKernel(kernel: cl_kernel) -> cl_int {
    answer(|| handles::release::<Kernel>(kernel))
}

pub(crate) unsafe extern "C" fn clSetKernelArg(
    kernel: cl_kernel,
    index: cl_uint,
    size: usize,
    value: *const c_void,
) -> cl_int {
    answer(|| find::<Kernel>(kernel)?.set(index, size, value))
}

pub(crate) unsafe extern "C" fn clGetKernelInfo(
    kernel: cl_kernel,
    name: cl_kernel_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let kernel = find::<Kernel>(kernel)?;
        let query = Query::new(size, value, size_ret);
        match name {
            CL_KERNEL_FUNCTION_NAME => query.string(&kernel.ir().name),
            CL_KERNEL_NUM_ARGS => query.one(kernel.ir().host_params().len() as cl_uint),
            CL_KERNEL_REFERENCE_COUNT => query.one(references(&*kernel)),
            CL_KERNEL_CONTEXT => query.one(kernel.program.context.pointer()),
            CL_KERNEL_PROGRAM => query.one(kernel.program.pointer()),
            CL_KERNEL_ATTRIBUTES => query.string(&attributes(&kernel)),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

fn attributes(kernel: &Kernel) -> String {
    let sizes = &kernel.ir().work_group_size;
    let hint = kernel.ir().vec_type_hint;
    let attribute =
        |name: &str, size: Option<[u32; 3]>| size.map(|[x, y, z]| format!("{name}({x},{y},{z})"));
    let all = [
        attribute("reqd_work_group_size", sizes.required),
        attribute("work_group_size_hint", sizes.hint),
        hint.map(|element| format!("vec_type_hint({element})")),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub(crate) unsafe extern "C" fn clGetKernelArgInfo(
    kernel: cl_kernel,
    index: cl_uint,
    name: cl_kernel_arg_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let kernel = find::<Kernel>(kernel)?;
        let param = kernel.ir().host_params().get(index as usize);
        let param = param.ok_or(Code(CL_INVALID_ARG_INDEX))?;
        let query = Query::new(size, value, size_ret);
        match name {
            CL_KERNEL_ARG_ADDRESS_QUALIFIER => query.one(address_qualifier(&kernel, param)),
            CL_KERNEL_ARG_ACCESS_QUALIFIER => query.one(CL_KERNEL_ARG_ACCESS_NONE),
            CL_KERNEL_ARG_TYPE_NAME => query.string(&param.type_name),
            CL_KERNEL_ARG_TYPE_QUALIFIER => query.one(type_qualifier(&kernel, param)),
            CL_KERNEL_ARG_NAME => query.string(&param.name),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

fn address_qualifier(kernel: &Kernel, param: &Param) -> cl_kernel_arg_address_qualifier {
    match param.kind {
        ParamKind::Value(_) | ParamKind::Struct { .. } => CL_KERNEL_ARG_ADDRESS_PRIVATE,
        ParamKind::Local { .. } => CL_KERNEL_ARG_ADDRESS_LOCAL,
        ParamKind::Variables { .. } => CL_KERNEL_ARG_ADDRESS_GLOBAL,
        ParamKind::Buffer { object, .. } => match kernel.ir().objects[object].kind {
            ObjectKind::Buffer {
                space: Space::Constant,
                ..
            } => CL_KERNEL_ARG_ADDRESS_CONSTANT,
            _ => CL_KERNEL_ARG_ADDRESS_GLOBAL,
        },
    }
}

/// `cl_kernel_arg_type_qualifier` has 64 bits.
fn type_qualifier(kernel: &Kernel, param: &Param) -> u64 {
    let is_constant = address_qualifier(kernel, param) == CL_KERNEL_ARG_ADDRESS_CONSTANT;
    let qualifiers = [
        (
            param.qualifiers.is_const || is_constant,
            CL_KERNEL_ARG_TYPE_CONST,
        ),
        (param.qualifiers.is_restrict, CL_KERNEL_ARG_TYPE_RESTRICT),
        (param.qualifiers.is_volatile, CL_KERNEL_ARG_TYPE_VOLATILE),
    ];
    let set = qualifiers.iter().filter(|(holds, _)| *holds);
    set.fold(0, |all, &(_, bit)| all | u64::from(bit))
}

/// The device meant by a query: null will do if there is only one.
fn device_of(kernel: &Kernel, device: cl_device_id) -> Answer<Arc<Device>> {
    let mut devices = kernel.devices();
    match (device.is_null(), devices.next(), devices.next()) {
        (true, Some(only), None) => Ok(only.clone()),
        (true, _, _) => Err(Code(CL_INVALID_DEVICE)),
        (false, _, _) => {
            let device = find::<Device>(device)?;
            kernel.code(&device).map_err(|_| Code(CL_INVALID_DEVICE))?;
            Ok(device)
        }
    }
}

pub(crate) unsafe extern "C" fn clGetKernelWorkGroupInfo(
    kernel: cl_kernel,
    device: cl_device_id,
    name: cl_kernel_work_group_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let kernel = find::<Kernel>(kernel)?;
        let device = device_of(&kernel, device)?;
        let query = Query::new(size, value, size_ret);
        let required = kernel.ir().work_group_size.required;
        match name {
            CL_KERNEL_WORK_GROUP_SIZE => query.one(match required {
                Some(size) => size.iter().map(|&it| it as usize).product(),
                None => device.settings.group_items as usize,
            }),
            CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
                query.all(&required.unwrap_or([0; 3]).map(|it| it as usize))
            }
            CL_KERNEL_LOCAL_MEM_SIZE => {
                query.one(kernel.local_bytes(device.settings.group_items.into()))
            }
            CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => query.one(1_usize),
            CL_KERNEL_PRIVATE_MEM_SIZE => query.one(private_bytes(&kernel)),
            // Only for custom devices and built-in kernels.
            CL_KERNEL_GLOBAL_WORK_SIZE => Err(Code(CL_INVALID_VALUE)),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

fn private_bytes(kernel: &Kernel) -> cl_ulong {
    let objects = kernel.ir().objects.values();
    let sizes = objects.filter_map(|object| match object.kind {
        ObjectKind::Private { size } => Some(size),
        _ => None,
    });
    sizes.sum()
}

/// There are no sub-groups.
pub(crate) unsafe extern "C" fn clGetKernelSubGroupInfo(
    kernel: cl_kernel,
    device: cl_device_id,
    _name: cl_kernel_sub_group_info,
    _input_size: usize,
    _input: *const c_void,
    _size: usize,
    _value: *mut c_void,
    _size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let kernel = find::<Kernel>(kernel)?;
        device_of(&kernel, device)?;
        Err(Code(CL_INVALID_OPERATION))
    })
}
