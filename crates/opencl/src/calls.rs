//! Functions of the program that it wants to have called.

use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

use crate::handles::Handle;

/// What the program wants its functions to get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UserData(pub(crate) *mut c_void);

// SAFETY: the specification lets callbacks come from any thread; what the pointer is for is the
// program's business.
unsafe impl Send for UserData {}
// SAFETY: as above.
unsafe impl Sync for UserData {}

/// A function that gets an object's handle.
pub(crate) type Function = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// A call to be made for an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) function: Function,
    pub(crate) data: UserData,
}

impl Call {
    /// Makes it.
    pub(crate) fn make(self, object: &Handle) {
        // SAFETY: the program gave the function for this.
        unsafe { (self.function)(object.pointer(), self.data.0) };
    }
}

/// Calls to be made when an object is destroyed, the last one first.
#[derive(Debug, Default)]
pub(crate) struct DestructorCallbacks(Mutex<Vec<Call>>);

impl DestructorCallbacks {
    /// One more.
    pub(crate) fn add(&self, call: Call) {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.push(call);
    }

    /// Makes them all.
    pub(crate) fn run(&mut self, object: &Handle) {
        let calls = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        for call in calls.drain(..).rev() {
            call.make(object);
        }
    }
}
