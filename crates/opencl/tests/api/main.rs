//! The OpenCL API through the system's loader, chapter by chapter: what each entry point does, and each
//! code that the specification lists for it, as far as a device without images can give it.
#![allow(unsafe_code)] // The API is C.
#![allow(deprecated)] // Programs of before OpenCL 2.0 call what is.

mod absent;
mod arguments;
mod binaries;
mod boxes;
mod buffers;
mod build_options;
mod builds;
mod callbacks;
mod commands;
mod contexts;
mod copied_buffers;
mod devices;
mod event_callbacks;
mod event_graphs;
mod events;
mod graphics;
mod kernels;
mod launches;
mod limits;
mod linking;
mod maps;
mod migrations;
mod platforms;
mod printing;
mod profiling;
mod program_variables;
mod programs_from_source;
mod queues;
mod random;
mod rectangles;
mod rectangles_refused;
mod support;
mod synchronization;
mod threads;
mod transfers;
mod transfers_waiting;
mod violations;

/// The tests run on the simulator, unless `SLUICE_DEVICE` says otherwise; this one runs them on the
/// interpreter.
#[test]
fn all_tests_hold_on_the_other_executor() {
    support::run_on_the_other_executor("all_tests_hold_on_the_other_executor");
}
