//! Circuits of kernels as IP blocks.

use sluice_circuit::shell::{self, KernelPorts, Shell};

use crate::launch::host::Shape;
use crate::lower::Lowered;
use crate::program::Program;

/// Puts a circuit behind registers: those of each kernel hold its
/// [constants](crate::lower::Interface::constants), in their order. The program is the one that
/// the circuit was built of.
pub fn wrap(lowered: Lowered, program: &Program) -> Shell {
    let shape = Shape::of(&lowered);
    let circuit = &lowered.circuit;
    let mut prints = 0;
    let ports = program.kernels().iter().zip(&lowered.kernels).enumerate();
    let ports = ports.map(|(at, (kernel, interface))| {
        let first = prints;
        prints += interface.prints.len();
        let arguments = interface.constants.iter();
        KernelPorts {
            name: kernel.name.clone(),
            start: circuit.inputs()[at],
            done: circuit.outputs()[shape.done(at)],
            arguments: arguments.map(|&(constant, _)| constant).collect(),
            prints: (first..prints)
                .map(|print| circuit.outputs()[shape.print(print)])
                .collect(),
        }
    });
    let ports = ports.collect();
    shell::wrap(lowered.circuit, ports).expect("Lowered: kernels own all but the memory ports")
}
