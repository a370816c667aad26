//! Buffer objects.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_BUFFER_CREATE_TYPE_REGION, CL_INVALID_BUFFER_SIZE, CL_INVALID_CONTEXT, CL_INVALID_HOST_PTR,
    CL_INVALID_MEM_OBJECT, CL_INVALID_PROPERTY, CL_INVALID_VALUE, CL_MEM_ASSOCIATED_MEMOBJECT,
    CL_MEM_CONTEXT, CL_MEM_COPY_HOST_PTR, CL_MEM_FLAGS, CL_MEM_HOST_PTR, CL_MEM_MAP_COUNT,
    CL_MEM_OBJECT_BUFFER, CL_MEM_OFFSET, CL_MEM_PROPERTIES, CL_MEM_REFERENCE_COUNT, CL_MEM_SIZE,
    CL_MEM_TYPE, CL_MEM_USE_HOST_PTR, CL_MEM_USES_SVM_POINTER, CL_MISALIGNED_SUB_BUFFER_OFFSET,
    cl_buffer_create_type, cl_buffer_region, cl_context, cl_int, cl_mem, cl_mem_flags, cl_mem_info,
    cl_mem_properties, cl_uint,
};

use crate::calls::{Call, UserData};
use crate::code::{Answer, Code, require};
use crate::context::Context;
use crate::handles::{self, Object, find, publish, references};
use crate::memory::{Mem, PART_ALIGN, check_flags};
use crate::pointers::{HostPointer, Query, answer, create};
use crate::queue::Queue;

pub(crate) unsafe extern "C" fn clCreateBuffer(
    context: cl_context,
    flags: cl_mem_flags,
    size: usize,
    host: *mut c_void,
    code: *mut cl_int,
) -> cl_mem {
    create(code, || make(context, Vec::new(), flags, size, host))
}

pub(crate) unsafe extern "C" fn clCreateBufferWithProperties(
    context: cl_context,
    properties: *const cl_mem_properties,
    flags: cl_mem_flags,
    size: usize,
    host: *mut c_void,
    code: *mut cl_int,
) -> cl_mem {
    create(code, || {
        // There are none yet: the list is empty, but may be there.
        let given = match properties.is_null() {
            true => Vec::new(),
            false => {
                require(properties.read() == 0, CL_INVALID_PROPERTY)?;
                vec![0]
            }
        };
        make(context, given, flags, size, host)
    })
}

fn make(
    context: cl_context,
    properties: Vec<cl_mem_properties>,
    flags: cl_mem_flags,
    size: usize,
    host: *mut c_void,
) -> Answer<cl_mem> {
    let context = find::<Context>(context)?;
    check_flags(flags)?;
    let most = context
        .devices
        .iter()
        .map(|it| it.settings.board.memory_bytes);
    require(
        size > 0 && most.min().is_some_and(|most| size as u64 <= most),
        CL_INVALID_BUFFER_SIZE,
    )?;
    let wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR) != 0;
    require(wants_host != host.is_null(), CL_INVALID_HOST_PTR)?;
    let host = HostPointer::new(host).ok();
    let mem = Mem::new(context, flags, properties, host, size)?;
    Ok(publish(Arc::new(mem)))
}

pub(crate) unsafe extern "C" fn clCreateSubBuffer(
    buffer: cl_mem,
    flags: cl_mem_flags,
    kind: cl_buffer_create_type,
    info: *const c_void,
    code: *mut cl_int,
) -> cl_mem {
    create(code, || {
        let parent = find::<Mem>(buffer)?;
        require(parent.parent.is_none(), CL_INVALID_MEM_OBJECT)?;
        require(
            kind == CL_BUFFER_CREATE_TYPE_REGION && !info.is_null(),
            CL_INVALID_VALUE,
        )?;
        let region = info.cast::<cl_buffer_region>().read();
        require(region.size > 0, CL_INVALID_BUFFER_SIZE)?;
        parent.check_range(region.origin, region.size)?;
        require(
            region.origin.is_multiple_of(PART_ALIGN),
            CL_MISALIGNED_SUB_BUFFER_OFFSET,
        )?;
        let part = Mem::part(&parent, flags, region.origin, region.size)?;
        Ok(publish(Arc::new(part)))
    })
}

pub(crate) unsafe extern "C" fn clRetainMemObject(memory: cl_mem) -> cl_int {
    answer(|| handles::retain::<Mem>(memory))
}

pub(crate) unsafe extern "C" fn clReleaseMemObject(memory: cl_mem) -> cl_int {
    answer(|| handles::release::<Mem>(memory))
}

pub(crate) unsafe extern "C" fn clGetMemObjectInfo(
    memory: cl_mem,
    name: cl_mem_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    answer(|| {
        let mem = find::<Mem>(memory)?;
        let query = Query::new(size, value, size_ret);
        let parent = mem.parent.as_ref();
        match name {
            CL_MEM_TYPE => query.one(CL_MEM_OBJECT_BUFFER),
            CL_MEM_FLAGS => query.one(mem.flags),
            CL_MEM_SIZE => query.one(mem.size()),
            CL_MEM_HOST_PTR => {
                let host = mem.host.map_or(std::ptr::null_mut(), HostPointer::get);
                query.one(host.cast::<c_void>())
            }
            CL_MEM_MAP_COUNT => query.one(mem.map_count() as cl_uint),
            CL_MEM_REFERENCE_COUNT => query.one(references(&*mem)),
            CL_MEM_CONTEXT => query.one(mem.context.pointer()),
            CL_MEM_ASSOCIATED_MEMOBJECT => {
                query.one(parent.map_or(std::ptr::null_mut(), |(parent, _)| {
                    parent.handle().pointer()
                }))
            }
            CL_MEM_OFFSET => query.one(parent.map_or(0, |&(_, origin)| origin)),
            CL_MEM_USES_SVM_POINTER => query.truth(false),
            CL_MEM_PROPERTIES => query.all(&mem.properties),
            _ => Err(Code(CL_INVALID_VALUE)),
        }
    })
}

pub(crate) unsafe extern "C" fn clSetMemObjectDestructorCallback(
    memory: cl_mem,
    function: Option<unsafe extern "C" fn(cl_mem, *mut c_void)>,
    data: *mut c_void,
) -> cl_int {
    answer(|| {
        let mem = find::<Mem>(memory)?;
        let function = function.ok_or(Code(CL_INVALID_VALUE))?;
        let data = UserData(data);
        mem.destructor_callbacks.add(Call { function, data });
        Ok(())
    })
}

/// A buffer of the queue's context.
pub(super) fn buffer_for(queue: &Queue, memory: cl_mem) -> Answer<Arc<Mem>> {
    let mem = find::<Mem>(memory)?;
    require(
        Arc::ptr_eq(&mem.context, &queue.context),
        CL_INVALID_CONTEXT,
    )?;
    Ok(mem)
}
