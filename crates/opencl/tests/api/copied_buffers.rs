//! Small buffers that circuits copy to the chip.

use std::ptr::{null, null_mut};

use crate::support::*;
use opencl_sys::*;

/// A buffer that is only read, in several places by each work-item: it is copied to the chip.
const TABLE: &str = "
    kernel void look_up(global const uint *table, uint mask, global uint *out) {
        uint i = get_global_id(0);
        out[i] = 3 * table[i & mask] + 5 * table[(7 * i + 1) & mask] + table[2];
    }";

fn look_up(table: &[u32], items: usize) -> Vec<u32> {
    let of = |at: usize| table[at & (table.len() - 1)];
    let items = 0..items;
    items
        .map(|i| 3 * of(i) + 5 * of(7 * i + 1) + table[2])
        .collect()
}

#[test]
fn launches_see_what_the_host_has_written_to_a_copied_buffer() {
    const ITEMS: usize = 96;
    let session = Session::new();
    let program = session.build(TABLE);
    let kernel = kernel(*program, "look_up");
    let out = session.buffer(&[0; ITEMS]);
    set_argument(*kernel, 2, *out);
    // The same circuit with other contents, then smaller and larger buffers, and one that is too large for a copy.
    for size in [32, 32, 4, 64, 4096, 32] {
        let table: Vec<u32> = (0..size).map(|at| 1000 * size + 17 * at).collect();
        let buffer = session.buffer(&table);
        set_argument(*kernel, 0, *buffer);
        set_argument(*kernel, 1, size - 1);
        session.launch(*kernel, ITEMS);
        assert_eq!(session.read(*out, ITEMS), look_up(&table, ITEMS));
        let other: Vec<u32> = table.iter().map(|it| it ^ 0x55).collect();
        let bytes = 4 * other.len();
        call!(clEnqueueWriteBuffer(
            *session.queue,
            *buffer,
            CL_TRUE,
            0,
            bytes,
            other.as_ptr().cast(),
            0,
            null(),
            null_mut()
        ));
        session.launch(*kernel, ITEMS);
        assert_eq!(session.read(*out, ITEMS), look_up(&other, ITEMS));
    }
}
