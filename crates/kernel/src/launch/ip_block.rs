//! Circuits of kernels as IP blocks.

use sluice_circuit::shell::{self, KernelPorts, Shell};

use crate::lower::Lowered;
use crate::program::Program;

/// Puts a circuit behind registers: those of each kernel hold its
/// [constants](crate::lower::Interface::constants), in their order. The program is the one that
/// the circuit was built of.
pub fn wrap(lowered: Lowered, program: &Program) -> Shell {
    let ports = program.kernels().iter().zip(lowered.kernels());
    let ports = ports.map(|(kernel, interface)| {
        let arguments = interface.constants.iter();
        let prints = interface.prints.iter();
        KernelPorts {
            name: kernel.name.clone(),
            start: interface.start,
            done: interface.done,
            arguments: arguments.map(|&(constant, _)| constant).collect(),
            prints: prints.map(|print| print.channel).collect(),
        }
    });
    let (ports, memories) = (ports.collect(), lowered.memory_ports().to_vec());
    let shell = shell::wrap(lowered.into_circuit(), ports, &memories);
    shell.expect("Lowered: each channel to the environment is a kernel's or a memory port's")
}
