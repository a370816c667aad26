//! From the tree to a program: its text, its memory and its arguments.

use crate::ast::*;
use crate::print::{KERNEL, print};
use crate::random::Random;
use crate::types::Type;
use crate::{ArgSpec, BufferSpec, Program};

/// The program that `module` stands for.
pub fn render(module: Module) -> Program {
    let mut buffers = Vec::new();
    let mut args: Vec<ArgSpec> = Vec::new();
    for input in &module.inputs {
        let shared = input
            .shares
            .and_then(|name| module.inputs.iter().position(|other| other.name == name));
        args.push(match shared {
            Some(position) => args[position].clone(),
            None => add(&mut buffers, input.element, input.bytes.clone()),
        });
    }
    args.extend(
        module
            .values
            .iter()
            .map(|value| ArgSpec::Value(value.bytes.clone())),
    );
    let arrays = module
        .local_arrays
        .iter()
        .filter(|array| array.storage == LocalStorage::Argument);
    args.extend(
        arrays.map(|array| ArgSpec::Local((array.element.bytes() * module.group_items()) as usize)),
    );
    for tally in &module.tallies {
        let element = Type::scalar(tally.scalar);
        args.push(add(
            &mut buffers,
            element,
            background(element.bytes() * tally.len),
        ));
    }
    for output in &module.outputs {
        let bytes = output.element.bytes() * output.slots * module.items();
        args.push(add(&mut buffers, output.element, background(bytes)));
    }
    let global = |dim: usize| u64::from(module.local[dim] * module.groups[dim]);
    Program {
        source: print(&module),
        kernel: KERNEL.into(),
        work_dim: module.work_dim,
        global: [global(0), global(1), global(2)],
        local: module.local.map(u64::from),
        offset: module.offset.map(u64::from),
        buffers,
        args,
        module: Some(module),
    }
}

fn add(buffers: &mut Vec<BufferSpec>, element: Type, bytes: Vec<u8>) -> ArgSpec {
    buffers.push(BufferSpec { bytes, element });
    ArgSpec::Buffer(buffers.len() - 1)
}

/// What written memory holds before the launch: small numbers of any type (no float NaNs), never zero, so that a
/// store which is missing or too many shows.
fn background(bytes: u32) -> Vec<u8> {
    let mut random = Random::new(u64::from(bytes));
    (0..bytes)
        .map(|_| 0x20 + (random.below(0x20) as u8))
        .collect()
}
