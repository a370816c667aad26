//! The platform: there is one.

use std::sync::OnceLock;

use opencl_sys::{CL_INVALID_PLATFORM, cl_int, cl_name_version, cl_platform_id, cl_version};
use std::sync::Arc;

use crate::device::Device;
use crate::handles::{Handle, Object, introduce};
use crate::settings::Settings;

/// The platform.
#[derive(Debug)]
pub(crate) struct Platform {
    handle: Handle,
    /// Its device, unless the environment asks for one that does not exist.
    pub(crate) device: Option<Arc<Device>>,
}

impl Object for Platform {
    const INVALID: cl_int = CL_INVALID_PLATFORM;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Platform {
    /// The platform.
    pub(crate) fn get() -> &'static Arc<Platform> {
        static PLATFORM: OnceLock<Arc<Platform>> = OnceLock::new();
        PLATFORM.get_or_init(|| {
            let device = Settings::get().map(|settings| Arc::new(Device::whole(settings)));
            device.iter().for_each(introduce);
            let platform = Arc::new(Platform {
                handle: Handle::new(),
                device,
            });
            introduce(&platform);
            platform
        })
    }

    /// Its handle.
    pub(crate) fn pointer(&self) -> cl_platform_id {
        self.handle.pointer()
    }
}

/// A version as OpenCL 3.0 writes it.
pub(crate) const fn version(major: u32, minor: u32, patch: u32) -> cl_version {
    major << 22 | minor << 12 | patch
}

/// OpenCL 3.0.
pub(crate) const OPENCL: cl_version = version(3, 0, 0);

/// A name with a version.
pub(crate) fn named(name: &str, version: cl_version) -> cl_name_version {
    let mut named = cl_name_version {
        version,
        name: [0; 64],
    };
    for (place, byte) in named.name.iter_mut().zip(name.bytes().take(63)) {
        *place = byte as _;
    }
    named
}

/// What the platform and its device can do beyond what OpenCL demands.
pub(crate) const EXTENSIONS: [&str; 10] = [
    "cl_khr_icd",
    "cl_khr_byte_addressable_store",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
];
