//! Migrating buffers.

use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

#[test]
fn migrating_takes_every_allowed_flag_and_keeps_the_contents() {
    let session = Session::new();
    let (first, second) = (session.buffer(&[1, 2, 3]), session.buffer(&[4, 5, 6]));
    let both = [*first, *second];
    let queue = *session.queue;
    let (to_host, undefined) = (
        CL_MIGRATE_MEM_OBJECT_HOST,
        CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED,
    );
    for flags in [0, to_host] {
        assert_code!(
            CL_SUCCESS,
            clEnqueueMigrateMemObjects(queue, 2, both.as_ptr(), flags, 0, null(), null_mut())
        );
    }
    assert_eq!(session.read(*first, 3), [1, 2, 3]);
    assert_eq!(session.read(*second, 3), [4, 5, 6]);
    for flags in [undefined, undefined | to_host] {
        assert_code!(
            CL_SUCCESS,
            clEnqueueMigrateMemObjects(queue, 2, both.as_ptr(), flags, 0, null(), null_mut())
        );
    }
    let refused = |code, count, list: *const cl_mem, flags| {
        assert_code!(
            code,
            clEnqueueMigrateMemObjects(queue, count, list, flags, 0, null(), null_mut())
        );
    };
    refused(CL_INVALID_VALUE, 0, both.as_ptr(), 0);
    refused(CL_INVALID_VALUE, 1, null(), 0);
    refused(CL_INVALID_VALUE, 0, null(), 0);
    refused(CL_INVALID_VALUE, 2, both.as_ptr(), 1 << 20);
    refused(CL_INVALID_MEM_OBJECT, 2, [*first, null_mut()].as_ptr(), 0);
}
