//! Callbacks that tests can wait for: each sends the number that it was registered with.

use std::ffi::c_void;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Where callbacks leave their numbers, in the order in which they come.
pub struct Calls {
    sender: Sender<u32>,
    receiver: Receiver<u32>,
}

impl Calls {
    /// None yet.
    pub fn new() -> Calls {
        let (sender, receiver) = channel();
        Calls { sender, receiver }
    }

    /// What [`note`] is to be registered with, once, to leave the number here.
    pub fn data(&self, number: u32) -> *mut c_void {
        Box::into_raw(Box::new((self.sender.clone(), number))).cast()
    }

    /// The next that comes; one that never does is a failure.
    pub fn next(&self) -> u32 {
        let waited = self.receiver.recv_timeout(Duration::from_secs(120));
        waited.expect("the callback is called")
    }

    /// The next, if one has come already.
    pub fn seen(&self) -> Option<u32> {
        self.receiver.try_recv().ok()
    }
}

/// A callback of any object whose callbacks have no more than its handle.
///
/// # Safety
///
/// The data is from [`Calls::data`], and this is the only call with it.
pub unsafe extern "C" fn note(_object: *mut c_void, data: *mut c_void) {
    // SAFETY: the caller's.
    let boxed = unsafe { Box::from_raw(data.cast::<(Sender<u32>, u32)>()) };
    let (sender, number) = *boxed;
    // A test that has ended no longer listens.
    let _ = sender.send(number);
}
