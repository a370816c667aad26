//! Handles: what the program holds of an object.
//!
//! A handle is the address of a [`Block`], whose first word leads the loader to our entry points. What
//! it stands for is looked up among the living objects: no pointer of the program is followed to find
//! it, so that a wrong one is told from a right one.

use std::any::Any;
use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::sync::{Arc, LazyLock, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard, Weak};

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
pub(crate) struct Handle(Arc<Block>);

impl Handle {
    /// A handle that stands for nothing yet.
    pub(crate) fn new() -> Handle {
        Handle(Arc::new(Block {
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
        retire(self.0.clone());
        // Outside of the lock: it may be the last to know another object.
        drop(entry);
    }
}

/// Blocks of objects that are gone, the oldest first.
static RETIRED: Mutex<VecDeque<Arc<Block>>> = Mutex::new(VecDeque::new());

/// How many blocks outlive their objects: a few megabytes.
const MOST_RETIRED: usize = 1 << 16;

/// Keeps a block for a while. The loader follows a handle before any check of ours, so one that a
/// program uses once too often must still lead to our entry points, which refuse it.
fn retire(block: Arc<Block>) {
    let mut retired = RETIRED.lock().unwrap_or_else(|it| it.into_inner());
    retired.push_back(block);
    if retired.len() > MOST_RETIRED {
        retired.pop_front();
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
    LIVING
        .read()
        .expect("nothing panics while it holds the table")
}

fn write() -> RwLockWriteGuard<'static, HashMap<usize, Entry>> {
    LIVING
        .write()
        .expect("nothing panics while it holds the table")
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

/// The objects that handles stand for, up to the first that stands for none: behind it, the list is
/// not read.
///
/// # Safety
///
/// `first` points to `count` handles, or to fewer of which one is wrong, or is null.
pub(crate) unsafe fn find_all<T: Object>(
    first: *const *mut c_void,
    count: cl_uint,
) -> Answer<Vec<Arc<T>>> {
    let mut found = Vec::new();
    if first.is_null() {
        return Ok(found);
    }
    for at in 0..count as usize {
        // SAFETY: the caller's; all before it are right.
        let handle = unsafe { first.add(at).read_unaligned() };
        found.push(find(handle)?);
    }
    Ok(found)
}

/// One reference more.
pub(crate) fn retain<T: Object>(handle: *mut c_void) -> Answer {
    let object = find::<T>(handle)?;
    if let Some(entry) = write().get_mut(&object.handle().address()) {
        entry.references = entry.references.saturating_add(1);
        entry.owner.get_or_insert(object);
    }
    Ok(())
}

/// One reference less; the object goes with the last one, unless another object needs it.
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
