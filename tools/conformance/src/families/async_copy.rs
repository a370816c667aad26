//! Async copies (OpenCL C 1.2, 6.12.10): a group copies its elements to local memory and back, one of the
//! ways with a stride, and each work-item moves a neighbour's element in between.

use std::sync::Arc;

use crate::check::{Check, Expected, Form, Shape};
use crate::types::{Type, WIDTHS};

/// Which of the two copies has a stride.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strided {
    In,
    Out,
}

/// Elements that a strided copy steps over, and itself.
const STRIDE: usize = 3;

/// Copies of scalars and of every vector of a type.
pub fn of_type(type_: Type) -> Vec<Check> {
    let copies = WIDTHS.into_iter().flat_map(|width| {
        [Strided::In, Strided::Out].map(|strided| round_trip(type_, width, strided))
    });
    copies.collect()
}

fn round_trip(type_: Type, width: usize, strided: Strided) -> Check {
    let name = match strided {
        Strided::In => "async_work_group_strided_copy to local",
        Strided::Out => "async_work_group_strided_copy to global",
    };
    let vector = type_.vector(width);
    // A vector of three takes the room of four.
    let room = width.next_power_of_two();
    let (copy, by) = ("async_work_group_copy", "async_work_group_strided_copy");
    let (load, store, read, written) = match strided {
        Strided::In => (
            format!("{by}(to, from, size, {STRIDE}, 0)"),
            format!("{copy}(back, moved, size, 0)"),
            STRIDE * room,
            room,
        ),
        Strided::Out => (
            format!("{copy}(to, from, size, 0)"),
            format!("{by}(back, moved, size, {STRIDE}, 0)"),
            room,
            STRIDE * room,
        ),
    };
    let statements = format!(
        "const size_t size = get_local_size(0), first = get_group_id(0) * size, \
         next = (get_local_id(0) + 1) % size; \
         global const {vector} *from = (global const {vector} *)pa + first * {}; \
         global {vector} *back = (global {vector} *)r0 + first * {}; \
         prefetch(from, size); \
         event_t event = {load}; wait_group_events(1, &event); \
         moved[next] = to[next]; barrier(CLK_LOCAL_MEM_FENCE); \
         event = {store}; wait_group_events(1, &event);",
        read / room,
        written / room,
    );
    let mut check = Check::without_forms(name, &[type_]);
    check.declarations = format!("  local {vector} to[64], moved[64];\n");
    check.forms.push(Form {
        name: vector,
        operands: vec![Shape::Block(read)],
        result: type_,
        result_shape: Shape::Block(written),
        statements,
        reference: Arc::new(move |lanes| {
            let copied = lanes[0][..width].iter().map(|&bits| Expected::Bits(bits));
            let mut expected: Vec<Expected> = copied.collect();
            expected.resize(room, Expected::Anything);
            // What a stride steps over keeps what it held.
            expected.resize(
                written,
                Expected::Bits(0xA5A5_A5A5_A5A5_A5A5 & type_.mask()),
            );
            expected
        }),
    });
    check
}
