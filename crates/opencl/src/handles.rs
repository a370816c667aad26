//! Handles: what the program holds of an object.
//!
//! A handle is the address of a [`Block`], whose first word leads the loader to our entry points. What
//! it stands for is looked up among the living objects: no pointer of the program is followed to find
//! it, so that a wrong one is told from a right one.

use std::any::Any;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

use opencl_sys::{cl_int, cl_uint};

use crate::code::{Answer, Code};
use crate::dispatch::{DISPATCH, Table};

/// What programs have handles of.
pub(crate) trait Object: Any + Send + Sync {
    /// The code for a handle that is none of these.
    const INVALID: cl_int;

    /// Its handle.
    fn handle(&self) -> &Handle;
}

/// What a handle points to.
#[repr(C)]
#[derive(Debug)]
struct Block {
    dispatch: &'static Table,
}

/// An object's handle, which answers as long as the object lives.
#[derive(Debug)]
pub(crate) struct Handle(Box<Block>);

impl Handle {
    /// A handle that stands for nothing yet.
    pub(crate) fn new() -> Handle {
        Handle(Box::new(Block {
            dispatch: &DISPATCH,
        }))
    }

    /// What the program gets.
    pub(crate) fn pointer(&self) -> *mut c_void {
        std::ptr::from_ref::<Block>(&self.0).cast_mut().cast()
    }

    fn address(&self) -> usize {
        self.pointer() as usize
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let entry = write().remove(&self.address());
        // Outside of the lock: it may be the last to know another object.
        drop(entry);
    }
}

type Anything = dyn Any + Send + Sync;

struct Entry {
    /// Of the program.
    references: u32,
    /// Keeps the object alive while the program has references.
    owner: Option<Arc<Anything>>,
    object: Weak<Anything>,
}

static LIVING: LazyLock<RwLock<HashMap<usize, Entry>>> = LazyLock::new(RwLock::default);

fn read() -> RwLockReadGuard<'static, HashMap<usize, Entry>> {
    LIVING.read().expect("nobody panics with the table")
}

fn write() -> RwLockWriteGuard<'static, HashMap<usize, Entry>> {
    LIVING.write().expect("nobody panics with the table")
}

/// Gives an object to the program, which has one reference. The result is its handle.
pub(crate) fn publish<T: Object>(object: Arc<T>) -> *mut c_void {
    let pointer = object.handle().pointer();
    let owner: Arc<Anything> = object;
    let entry = Entry {
        references: 1,
        object: Arc::downgrade(&owner),
        owner: Some(owner),
    };
    write().insert(pointer as usize, entry);
    pointer
}

/// Makes an object known without giving it to the program: it lives as long as we hold it.
pub(crate) fn introduce<T: Object>(object: &Arc<T>) {
    let weak: Weak<T> = Arc::downgrade(object);
    let entry = Entry {
        references: 0,
        owner: None,
        object: weak,
    };
    write().insert(object.handle().address(), entry);
}

/// The object that a handle stands for.
pub(crate) fn find<T: Object>(handle: *mut c_void) -> Answer<Arc<T>> {
    let found = read()
        .get(&(handle as usize))
        .and_then(|it| it.object.upgrade());
    found
        .and_then(|object| object.downcast::<T>().ok())
        .ok_or(Code(T::INVALID))
}

/// The objects that handles stand for.
pub(crate) fn find_all<T: Object>(handles: &[*mut c_void]) -> Answer<Vec<Arc<T>>> {
    handles.iter().map(|&handle| find(handle)).collect()
}

/// One reference more.
pub(crate) fn retain<T: Object>(handle: *mut c_void) -> Answer {
    let object = find::<T>(handle)?;
    if let Some(entry) = write().get_mut(&object.handle().address()) {
        entry.references += 1;
        entry.owner.get_or_insert(object);
    }
    Ok(())
}

/// One reference less; the object goes with the last one, unless somebody else needs it.
pub(crate) fn release<T: Object>(handle: *mut c_void) -> Answer {
    let object = find::<T>(handle)?;
    let owner = match write().get_mut(&object.handle().address()) {
        Some(entry) if entry.references > 1 => {
            entry.references -= 1;
            None
        }
        Some(entry) if entry.references == 1 => {
            entry.references = 0;
            entry.owner.take()
        }
        Some(_) | None => return Err(Code(T::INVALID)),
    };
    // Outside of the lock: objects that go take others with them.
    drop((object, owner));
    Ok(())
}

/// How many references the program has.
pub(crate) fn references(object: &impl Object) -> cl_uint {
    let address = object.handle().address();
    read().get(&address).map_or(0, |entry| entry.references)
}
