//! A shell's outermost module under Verilator, with the host at its AXI pins.

use std::path::Path;

use sluice_circuit::shell::Shell;
use sluice_circuit::sim::Outside;
use sluice_verilator::{Design, Effort, Instance, Model, Port, PortId, Trace};

/// A channel's pins: its name on the bus, and the ports of its fields with the fields' widths.
struct Bus {
    prefix: String,
    fields: Vec<(&'static str, Vec<u32>)>,
}

fn bus(prefix: String, fields: &[(&'static str, &[u32])]) -> Option<Bus> {
    let fields = fields.iter().map(|&(name, widths)| (name, widths.to_vec()));
    let fields = fields.collect();
    Some(Bus { prefix, fields })
}

/// By input and output of the circuit; none for what is no bus.
fn buses(shell: &Shell) -> [Vec<Option<Bus>>; 2] {
    let mut inputs: Vec<Option<Bus>> = shell.circuit.inputs().iter().map(|_| None).collect();
    let mut outputs: Vec<Option<Bus>> = shell.circuit.outputs().iter().map(|_| None).collect();
    let address: &[u32] = &[shell.registers.address_bits];
    let control = |channel: &str| format!("s_axi_control_{channel}");
    let ports = shell.control;
    inputs[ports.aw] = bus(control("aw"), &[("addr", address)]);
    inputs[ports.w] = bus(control("w"), &[("data", &[32]), ("strb", &[4])]);
    inputs[ports.ar] = bus(control("ar"), &[("addr", address)]);
    outputs[ports.b] = bus(control("b"), &[("resp", &[2])]);
    outputs[ports.r] = bus(control("r"), &[("data", &[32]), ("resp", &[2])]);
    for (at, ports) in shell.memories.iter().enumerate() {
        let name = |channel: &str| format!("{}_{channel}", shell.memory_name(at));
        let address: &[u32] = &[crate::kernel::ADDRESS];
        outputs[ports.ar] = bus(name("ar"), &[("addr", address), ("len", &[8])]);
        outputs[ports.aw] = bus(name("aw"), &[("addr", address), ("len", &[8])]);
        let beat: [(&str, &[u32]); 3] = [("data", &[64; 8]), ("strb", &[64]), ("last", &[1])];
        outputs[ports.w] = bus(name("w"), &beat);
        inputs[ports.r] = bus(name("r"), &[beat[0], beat[2]]);
        inputs[ports.b] = bus(name("b"), &[]);
    }
    [inputs, outputs]
}

/// The Verilated IP block.
pub fn build(shell: &Shell) -> Model {
    let files = shell.emit();
    let sources: Vec<(&str, &str)> = files
        .iter()
        .map(|file| (file.name.as_str(), file.text.as_str()))
        .collect();
    let mut ports = vec![
        Port::input("aclk", 1),
        Port::input("aresetn", 1),
        Port::output("irq", 1),
        Port::input("s_axi_control_awprot", 3),
        Port::input("s_axi_control_arprot", 3),
    ];
    type Make = fn(String, u32) -> Port;
    let sides: [(Make, Make); 2] = [(Port::input, Port::output), (Port::output, Port::input)];
    for ((forth, back), buses) in sides.into_iter().zip(buses(shell)) {
        for Bus { prefix, fields } in buses.into_iter().flatten() {
            ports.push(forth(format!("{prefix}valid"), 1));
            ports.push(back(format!("{prefix}ready"), 1));
            for (name, widths) in fields {
                ports.push(forth(format!("{prefix}{name}"), widths.iter().sum()));
            }
        }
    }
    for at in 0..shell.memories.len() {
        let name = shell.memory_name(at);
        ports.extend(["r", "b"].map(|it| Port::input(format!("{name}_{it}resp"), 2)));
        for channel in ["ar", "aw"] {
            let signals = [
                ("size", 3),
                ("burst", 2),
                ("lock", 1),
                ("cache", 4),
                ("prot", 3),
            ];
            let port = |(signal, width)| Port::output(format!("{name}_{channel}{signal}"), width);
            ports.extend(signals.map(port));
        }
    }
    let top = shell.module_name();
    let design = Design {
        top: &top,
        sources: &sources,
        parameters: &[],
        ports: &ports,
        trace: Trace::Off,
        effort: Effort::QuickBuild,
    };
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilated");
    Model::build(&design, &cache).unwrap_or_else(|error| panic!("{top}: {error}"))
}

struct Pins {
    valid: PortId,
    ready: PortId,
    fields: Vec<(PortId, Vec<u32>)>,
}

impl Pins {
    fn of(model: &Model, bus: &Bus) -> Pins {
        let port = |name: &str| {
            let name = format!("{}{name}", bus.prefix);
            model.port(&name).expect("build declared it")
        };
        let fields = bus.fields.iter();
        Pins {
            valid: port("valid"),
            ready: port("ready"),
            fields: fields
                .map(|(name, widths)| (port(name), widths.clone()))
                .collect(),
        }
    }

    fn write(&self, rtl: &mut Instance, token: &[u64]) {
        let mut values = token.iter();
        for (port, widths) in &self.fields {
            if let [_] = widths[..] {
                rtl.set(*port, *values.next().expect("a value per field"));
            } else {
                let values = values.by_ref().take(widths.len());
                let words = values.flat_map(|&value| [value as u32, (value >> 32) as u32]);
                rtl.set_words(*port, &words.collect::<Vec<u32>>());
            }
        }
    }

    fn read(&self, rtl: &Instance) -> Vec<u64> {
        let mut token = Vec::new();
        for (port, widths) in &self.fields {
            if let [_] = widths[..] {
                token.push(rtl.get(*port));
            } else {
                let words = rtl.get_words(*port);
                let pairs = words.chunks(2);
                token.extend(pairs.map(|pair| u64::from(pair[1]) << 32 | u64::from(pair[0])));
            }
        }
        token
    }
}

/// What memory answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemoryAnswer {
    Okay,
    Error,
}

/// Runs the IP block as long as `goes_on` says; gives the level of the interrupt line at the end.
pub fn run(
    model: &Model,
    shell: &Shell,
    host: Box<dyn sluice_circuit::unit::Model>,
    memory: MemoryAnswer,
    goes_on: impl Fn(u64) -> bool,
) -> u64 {
    let mut outside = Outside::new(&shell.circuit, host);
    let [inputs, outputs] = buses(shell).map(|buses| -> Vec<Option<Pins>> {
        let pins = buses
            .iter()
            .map(|bus| bus.as_ref().map(|bus| Pins::of(model, bus)));
        pins.collect()
    });
    let mut rtl = model.instance();
    let port = |name: &str| model.port(name).expect("build declared it");
    let (clock, reset) = (port("aclk"), port("aresetn"));
    let tick = |rtl: &mut Instance| {
        for level in [1, 0] {
            rtl.set(clock, level);
            rtl.eval();
        }
    };
    for at in 0..shell.memories.len() {
        for channel in ["r", "b"] {
            let answer = match memory {
                MemoryAnswer::Okay => 0,
                MemoryAnswer::Error => 2,
            };
            rtl.set(
                port(&format!("{}_{channel}resp", shell.memory_name(at))),
                answer,
            );
        }
    }
    rtl.set(reset, 0);
    tick(&mut rtl);
    tick(&mut rtl);
    rtl.set(reset, 1);
    while goes_on(outside.cycle()) {
        exchange(&mut rtl, &mut outside, &inputs, &outputs);
        tick(&mut rtl);
        outside.edge();
    }
    check_fixed(model, &rtl, shell);
    rtl.get(port("irq"))
}

/// What never changes has its value.
fn check_fixed(model: &Model, rtl: &Instance, shell: &Shell) {
    for at in 0..shell.memories.len() {
        for channel in ["ar", "aw"] {
            let fixed = [
                ("size", 6),
                ("burst", 1),
                ("lock", 0),
                ("cache", 3),
                ("prot", 0),
            ];
            for (signal, value) in fixed {
                let name = format!("{}_{channel}{signal}", shell.memory_name(at));
                assert_eq!(
                    rtl.get(model.port(&name).expect("build declared it")),
                    value,
                    "{name}"
                );
            }
        }
    }
}

/// One cycle: what each side drives becomes known to the other.
fn exchange(
    rtl: &mut Instance,
    outside: &mut Outside,
    inputs: &[Option<Pins>],
    outputs: &[Option<Pins>],
) {
    for (index, pins) in inputs.iter().enumerate() {
        if let Some(pins) = pins {
            let (valid, token) = outside.drives(index);
            rtl.set(pins.valid, valid.into());
            pins.write(rtl, token);
        }
    }
    for (index, pins) in outputs.iter().enumerate() {
        if let Some(pins) = pins {
            rtl.set(pins.ready, outside.accepts(index).into());
        }
    }
    rtl.eval();
    for (index, pins) in inputs.iter().enumerate() {
        if let Some(pins) = pins {
            outside.input_pins(index, rtl.get(pins.ready) == 1);
        }
    }
    for (index, pins) in outputs.iter().enumerate() {
        if let Some(pins) = pins {
            let token = (rtl.get(pins.valid) == 1).then(|| pins.read(rtl));
            outside.output_pins(index, token.as_deref());
        }
    }
}
