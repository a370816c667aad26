//! Rejects what clang accepts but hardware cannot implement: recursion, calls through pointers, images, pipes.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use inkwell::module::Module;

use crate::diagnostics::{Code, Diagnostic};
use crate::llvm::{self, Callee, Function, Instruction};

/// Checks all functions that the kernels reach.
pub(crate) fn reject_unsynthesizable(module: &Module<'_>) -> Result<(), Vec<Diagnostic>> {
    let mut found = Vec::new();
    let defined: Vec<Function> = llvm::functions(module)
        .into_iter()
        .filter(|function| !function.is_declaration())
        .collect();
    for function in &defined {
        found.extend(opaque_parameter(*function));
        found.extend(variadic(*function));
        found.extend(address_taken(*function));
        if !is_block(&function.name()) {
            found.extend(indirect_calls(*function));
        }
    }
    found.extend(recursion(&defined));
    if found.is_empty() {
        return Ok(());
    }
    found.sort_by(|a, b| a.location.cmp(&b.location));
    Err(found)
}

fn opaque_parameter(function: Function) -> Option<Diagnostic> {
    let name = function.name();
    let types = function.parameter_types();
    let mut parameters = types.into_iter().zip(function.parameter_names());
    parameters.find_map(|(type_, parameter)| {
        let opaque = type_.opaque_name()?;
        let (code, what, help) = match opaque.strip_prefix("spirv.").unwrap_or(&opaque) {
            "Image" | "SampledImage" => (Code::Image, "an image", NO_IMAGES),
            "Sampler" => (Code::Image, "a sampler", NO_IMAGES),
            "Pipe" => (Code::Pipe, "a pipe", NO_PIPES),
            "Queue" => (Code::DeviceEnqueue, "a queue", NO_QUEUES),
            _ => return None,
        };
        let message = format!(
            "the parameter `{parameter}` of `{name}` is {what}, which the device does not have"
        );
        let location = function.location();
        Some(
            Diagnostic::new(code, message)
                .at(location, "in this function")
                .help(help),
        )
    })
}

const NO_IMAGES: &str = "pass the data as a buffer and compute the address";
const NO_PIPES: &str = "pass the data through a buffer in global memory";
const NO_QUEUES: &str = "enqueue the kernel from the host program";

fn variadic(function: Function) -> Option<Diagnostic> {
    function.is_variadic().then(|| {
        Diagnostic::new(
            Code::Variadic,
            format!("`{}` takes a variable number of arguments", function.name()),
        )
        .at(function.location(), "this function")
        .help("give the function a fixed list of parameters")
    })
}

const NO_POINTERS: &str = "call the function by its name; choose between several with if or switch";

/// Whether clang generated the function from a block: `__caller_block_invoke`, `..._2`, and with `_kernel` for blocks
/// that are enqueued.
fn is_block(name: &str) -> bool {
    name.starts_with("__") && name.contains("_block_invoke")
}

fn block(function: Function) -> Diagnostic {
    Diagnostic::new(Code::DeviceEnqueue, "a block cannot become hardware")
        .at(function.location(), "this block")
        .help("write a function and call it by its name; kernels are enqueued by the host program")
}

fn address_taken(function: Function) -> Option<Diagnostic> {
    if is_block(&function.name()) {
        // The block itself is reported; clang generated the kernel around it.
        return (!function.name().contains("_kernel")).then(|| block(function));
    }
    let calls = function.calls();
    let user = function
        .users()
        .into_iter()
        .find(|user| !calls.contains(&Instruction(*user)))?;
    Some(
        Diagnostic::new(
            Code::FunctionPointer,
            format!("the address of `{}` is taken", function.name()),
        )
        .at(
            llvm::instruction(user).and_then(Instruction::location),
            "here",
        )
        .help(NO_POINTERS),
    )
}

fn indirect_calls(function: Function) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for instruction in function.instructions() {
        match instruction.callee() {
            Some(Callee::Pointer) => found.push(
                Diagnostic::new(
                    Code::FunctionPointer,
                    "a call through a pointer cannot become hardware",
                )
                .at(instruction.location(), "called here")
                .help(NO_POINTERS),
            ),
            Some(Callee::Assembly) => found.push(
                Diagnostic::new(Code::Assembly, "inline assembly cannot become hardware")
                    .at(instruction.location(), "here")
                    .help("write it in OpenCL C"),
            ),
            Some(Callee::Function(_)) | None => {}
        }
    }
    found
}

/// One diagnostic per recursive function, at the call that closes the cycle.
fn recursion(defined: &[Function]) -> Vec<Diagnostic> {
    let graph = CallGraph::of(defined);
    let mut found = Vec::new();
    let mut reported = BTreeSet::new();
    for function in defined {
        if reported.contains(function) {
            continue;
        }
        let Some(cycle) = graph.cycle_through(*function) else {
            continue;
        };
        reported.extend(cycle.iter().map(|edge| edge.callee));
        let names: Vec<String> = cycle
            .iter()
            .map(|edge| format!("`{}`", edge.callee.name()))
            .collect();
        let message = match names.as_slice() {
            [only] => format!("recursion cannot become hardware: {only} calls itself"),
            _ => format!(
                "recursion cannot become hardware: `{}` calls {}",
                function.name(),
                names.join(", which calls ")
            ),
        };
        let closing = cycle.last().expect("a cycle has a call");
        found.push(
            Diagnostic::new(Code::Recursion, message)
                .at(closing.call.location(), "the recursive call")
                .help("rewrite as a loop with an explicit stack"),
        );
    }
    found
}

#[derive(Clone, Copy)]
struct CallEdge {
    call: Instruction,
    callee: Function,
}

struct CallGraph {
    calls: BTreeMap<Function, Vec<CallEdge>>,
}

impl CallGraph {
    fn of(defined: &[Function]) -> CallGraph {
        let calls = defined.iter().map(|function| {
            let steps =
                function
                    .instructions()
                    .into_iter()
                    .filter_map(|call| match call.callee() {
                        Some(Callee::Function(callee)) if !callee.is_declaration() => {
                            Some(CallEdge { call, callee })
                        }
                        Some(Callee::Function(_) | Callee::Assembly | Callee::Pointer) | None => {
                            None
                        }
                    });
            (*function, steps.collect())
        });
        CallGraph {
            calls: calls.collect(),
        }
    }

    /// The shortest call cycle through `function`.
    fn cycle_through(&self, function: Function) -> Option<Vec<CallEdge>> {
        let mut reached_by: BTreeMap<Function, (Function, CallEdge)> = BTreeMap::new();
        let mut frontier = vec![function];
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for caller in frontier {
                for edge in &self.calls[&caller] {
                    if let Entry::Vacant(unseen) = reached_by.entry(edge.callee) {
                        unseen.insert((caller, *edge));
                        next.push(edge.callee);
                    }
                }
            }
            frontier = next;
        }
        let mut cycle = Vec::new();
        let mut current = function;
        loop {
            let (caller, edge) = reached_by.get(&current)?;
            cycle.push(*edge);
            current = *caller;
            if current == function {
                cycle.reverse();
                return Some(cycle);
            }
        }
    }
}
