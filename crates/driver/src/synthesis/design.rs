//! An IP block as a design for synthesis: with its ports on a shift register, so that it fits any
//! package.

use sluice_circuit::hierarchy::own_modules;
use sluice_circuit::shell::{Direction, Shell};
use sluice_circuit::verilog::File;
use sluice_synth::Design;
use sluice_synth::scan::{self, Pin, Pins};

/// A design for synthesis.
pub(crate) struct PinnedDesign {
    /// The IP block's own files.
    pub(crate) files: Vec<File>,
    /// What is synthesised.
    pub(crate) design: Design,
}

/// The path of the circuit's instance in a netlist.
pub(super) fn circuit_path() -> String {
    format!("{}.{}", scan::INSTANCE, Shell::INSTANCE)
}

/// Puts an IP block's ports on a shift register.
pub(crate) fn pinned(shell: &Shell) -> PinnedDesign {
    let files = shell.emit();
    let mut apart = own_modules(&shell.circuit);
    apart.push(shell.module_name());
    let design = Design {
        files: files.clone(),
        top: shell.module_name(),
        apart,
    };
    PinnedDesign {
        design: scan::wrap(&design, &pins(shell)),
        files,
    }
}

fn pins(shell: &Shell) -> Pins {
    let ports = shell.ports();
    let pins = |direction| {
        let data = ports.iter().filter(|port| port.direction == direction);
        let data = data.filter(|port| ![Shell::CLOCK, Shell::RESET].contains(&&*port.name));
        let pin = data.map(|port| Pin {
            name: port.name.clone(),
            width: port.width,
        });
        pin.collect()
    };
    Pins {
        clock: Shell::CLOCK.into(),
        reset: Some(Shell::RESET.into()),
        inputs: pins(Direction::Input),
        outputs: pins(Direction::Output),
    }
}
