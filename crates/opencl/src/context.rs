//! Contexts.

use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

use opencl_sys::{
    CL_INVALID_CONTEXT, CL_INVALID_DEVICE, cl_context, cl_context_properties, cl_int,
};

use crate::calls::{DestructorCallbacks, UserData};
use crate::code::{Answer, Code};
use crate::device::Device;
use crate::event::Clock;
use crate::handles::{Handle, Object};
use crate::workers::Workers;

/// A context.
#[derive(Debug)]
pub(crate) struct Context {
    handle: Handle,
    pub(crate) devices: Vec<Arc<Device>>,
    /// As the program gave them.
    pub(crate) properties: Vec<cl_context_properties>,
    notify: Option<Notify>,
    pub(crate) destructor_callbacks: DestructorCallbacks,
    /// Of all its devices: they are parts of one.
    pub(crate) clock: Arc<Clock>,
    pub(crate) workers: Workers,
}

/// What the program wants to be called when something goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notify {
    pub(crate) function: unsafe extern "C" fn(*const c_char, *const c_void, usize, *mut c_void),
    pub(crate) data: UserData,
}

impl Object for Context {
    const INVALID: cl_int = CL_INVALID_CONTEXT;

    fn handle(&self) -> &Handle {
        &self.handle
    }
}

impl Context {
    /// A context of devices.
    pub(crate) fn new(
        devices: Vec<Arc<Device>>,
        properties: Vec<cl_context_properties>,
        notify: Option<Notify>,
    ) -> Context {
        let clock = devices[0].clock.clone();
        Context {
            handle: Handle::new(),
            devices,
            properties,
            notify,
            destructor_callbacks: DestructorCallbacks::default(),
            clock,
            workers: Workers::new(),
        }
    }

    /// Its handle.
    pub(crate) fn pointer(&self) -> cl_context {
        self.handle.pointer()
    }

    /// Refuses a device that is none of its own.
    pub(crate) fn require(&self, device: &Arc<Device>) -> Answer {
        match self.devices.iter().any(|it| Arc::ptr_eq(it, device)) {
            true => Ok(()),
            false => Err(Code(CL_INVALID_DEVICE)),
        }
    }

    /// Reports a problem to the program's callback and on standard error.
    pub(crate) fn report(&self, message: &str) {
        eprintln!("sluice: {message}");
        if let Some(Notify { function, data }) = self.notify {
            let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
            // SAFETY: the program gave the function for this.
            unsafe { function(text.as_ptr(), std::ptr::null(), 0, data.0) };
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        self.destructor_callbacks.run(&self.handle);
    }
}
