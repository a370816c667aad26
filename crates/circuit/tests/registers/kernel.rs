//! A kernel by hand: `y[i] = x[i] + bias`, with a cache for each buffer.

use std::collections::BTreeMap;

use sluice_circuit::access::{Access, Enable, LINE};
use sluice_circuit::circuit::{Channel, Circuit, Constant};
use sluice_circuit::shell::{self, KernelPorts, Shell};
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::counter::Counter;
use sluice_circuit::units::fork::Fork;
use sluice_circuit::units::items::{Coordinate, Id};
use sluice_circuit::units::join::Join;
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::memory_port::{MemoryInterface, MemoryPort};
use sluice_circuit::units::segment::{Graph, InlineOp, Operand, Segment};
use sluice_circuit::units::store::{Done, Store};

use crate::dispatch;

/// Bits of an address.
pub const ADDRESS: u32 = 40;

const ACCESS: Access = Access {
    bytes: 4,
    address_bits: ADDRESS,
};

const FLOAT: Vector = Vector {
    lanes: 1,
    lane_bits: 32,
    alignment: 4,
};

/// What a launch is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments {
    pub x: u64,
    pub y: u64,
    pub bias: u64,
    pub items: u64,
}

impl Arguments {
    /// In the order of the circuit's constants.
    pub fn constants(&self) -> Vec<u64> {
        let Arguments { x, y, bias, items } = *self;
        let sizes = [[items, 1, 1], [1, 1, 1], [0, 0, 0]];
        [&sizes.concat()[..], &[items, x, y, bias]].concat()
    }
}

/// Whether a kernel prints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prints {
    /// It does not.
    Nothing,
    /// Each work-item its number and the three lowest bits of it, then nothing at all.
    Twice,
}

struct Builder {
    circuit: Circuit,
    channels: BTreeMap<&'static str, Channel>,
    /// The first of its constants.
    first: usize,
    prints: Prints,
}

impl Builder {
    /// Adds a unit; channels with the same name are the same.
    fn unit(
        &mut self,
        name: &str,
        kind: impl UnitKind + 'static,
        [inputs, outputs]: [&[&'static str]; 2],
        constants: Vec<Constant>,
    ) {
        let mut channel = |name: &'static str, fields: Fields| {
            let new = self.channels.entry(name);
            *new.or_insert_with(|| self.circuit.add_channel(name, fields))
        };
        let (ins, outs) = (kind.inputs(), kind.outputs());
        let ins = inputs
            .iter()
            .zip(ins)
            .map(|(name, port)| channel(name, port.fields));
        let inputs: Vec<Channel> = ins.collect();
        let outs = outputs
            .iter()
            .zip(outs)
            .map(|(name, port)| channel(name, port.fields));
        let outputs: Vec<Channel> = outs.collect();
        self.circuit
            .unit(name, kind)
            .inputs_in_order(inputs)
            .outputs_in_order(outputs)
            .constants(constants)
            .add();
    }

    /// What starts, counts and ends.
    fn control(&mut self) {
        let sizes = dispatch::add_sizes(&mut self.circuit);
        let total = self.circuit.add_constant("total", 64);
        let fork = || Fork {
            fields: Fields::NONE,
            outputs: vec![vec![], vec![]],
        };
        self.unit(
            "fork_start",
            fork(),
            [&["start"], &["dispatch", "count"]],
            vec![],
        );
        let id = Coordinate {
            id: Id::Global,
            dimension: 0,
            width: 32,
        };
        let low = Coordinate { width: 3, ..id };
        let start = self.channels["dispatch"];
        let ids = match self.prints {
            Prints::Nothing => vec![id],
            Prints::Twice => vec![id, low],
        };
        let item = dispatch::add(&mut self.circuit, start, &sizes, ids);
        match self.prints {
            Prints::Nothing => {
                self.channels.insert("item", item);
            }
            Prints::Twice => self.print(item),
        }
        let ends: [&[&str]; 2] = [&["count", "stored"], &["finished"]];
        self.unit(
            "counter",
            Counter {
                inputs: 1,
                bits: 64,
            },
            ends,
            vec![total],
        );
        self.unit(
            "fork_finished",
            fork(),
            [&["finished"], &["flush_x", "flush_y"]],
            vec![],
        );
        let join = Join {
            inputs: vec![Fields::NONE, Fields::NONE],
        };
        self.unit(
            "join_flushed",
            join,
            [&["flushed_x", "flushed_y"], &["done"]],
            vec![],
        );
    }

    fn print(&mut self, item: Channel) {
        self.channels.insert("item_prints", item);
        let fork = Fork {
            fields: Fields::new([32, 3]),
            outputs: vec![vec![0], vec![0, 1], vec![]],
        };
        let ends: [&[&str]; 2] = [&["item_prints"], &["item", "numbers", "nothing"]];
        self.unit("prints", fork, ends, vec![]);
    }

    fn datapath(&mut self) {
        let [x, y] = ["base_x", "base_y"].map(|name| self.circuit.add_constant(name, ADDRESS));
        let bias = self.circuit.add_constant("bias", 32);
        let (addresses, sum) = segments();
        let ends: [&[&str]; 2] = [&["item"], &["x_at", "y_at"]];
        self.unit("addresses", addresses, ends, vec![x, y]);
        let load = Load {
            vector: FLOAT,
            access: ACCESS,
            outstanding: 64,
            results: 64,
            enable: Enable::Always,
        };
        let ends: [&[&str]; 2] = [&["x_at", "response_x"], &["x", "request_x"]];
        self.unit("load", load, ends, vec![]);
        self.unit("sum", sum, [&["x", "y_at"], &["y"]], vec![bias]);
        let store = Store {
            vector: FLOAT,
            access: ACCESS,
            outstanding: 2,
            done: Done::Accepted,
            enable: Enable::Always,
        };
        self.unit("store", store, [&["y"], &["stored", "request_y"]], vec![]);
    }

    fn memory(&mut self) {
        let cache = |mode| Cache {
            lines: 16,
            line: LINE,
            access: ACCESS,
            outstanding: 64,
            mode,
        };
        let ends: [&[&str]; 2] = [
            &["request_x", "fill_x", "flush_x"],
            &["response_x", "fetch_x", "flushed_x"],
        ];
        self.unit("cache_x", cache(Mode::ReadOnly), ends, vec![]);
        let ends: [&[&str]; 2] = [
            &["request_y", "fill_y", "flush_y", "written_y"],
            &["response_y", "fetch_y", "flushed_y", "back_y"],
        ];
        self.unit("cache_y", cache(Mode::WriteOnly), ends, vec![]);
        let port = MemoryPort {
            readers: 2,
            datapaths: 1,
            longest_run: MemoryPort::LONGEST_RUN,
            writers: 1,
            address_bits: ADDRESS,
            line: LINE,
            outstanding: 64,
        };
        let ends: [&[&str]; 2] = [
            &["fetch_x", "fetch_y", "back_y", "r", "b"],
            &["fill_x", "fill_y", "written_y", "ar", "aw", "w"],
        ];
        self.unit("memory_port", port, ends, vec![]);
        self.circuit.discard(self.channels["response_y"]);
    }
}

/// Work-item to addresses, and what was loaded to what is stored.
fn segments() -> (Segment, Segment) {
    let mut graph = Graph::new("addresses");
    let item = graph.add_input(Fields::new([32]))[0];
    let item = graph.add_inline(InlineOp::Zext { to: ADDRESS }, 32, &[item]);
    let mut add = |a: Operand, b: Operand| graph.add_inline(InlineOp::Add, ADDRESS, &[a, b]);
    let twice = add(item, item);
    let offset = add(twice, twice);
    for name in ["base_x", "base_y"] {
        let base = graph.add_constant(name, ADDRESS);
        let address = graph.add_inline(InlineOp::Add, ADDRESS, &[base, offset]);
        graph.add_output(&[address], 64);
    }
    let addresses = Segment::schedule(graph, &Target::ECP5);
    let mut graph = Graph::new("sum");
    let x = graph.add_input(Fields::new([32]))[0];
    let address = graph.add_input(Fields::new([ADDRESS]))[0];
    let bias = graph.add_constant("bias", 32);
    let y = graph.add_inline(InlineOp::Add, 32, &[x, bias]);
    graph.add_output(&[address, y], 0);
    (addresses, Segment::schedule(graph, &Target::ECP5))
}

impl Builder {
    /// A kernel beside those that a circuit has.
    fn add(circuit: Circuit, prints: Prints) -> Builder {
        let mut builder = Builder {
            first: circuit.constants().len(),
            circuit,
            channels: BTreeMap::new(),
            prints,
        };
        builder.control();
        builder.datapath();
        builder.memory();
        builder
    }

    /// The kernel's ports become the circuit's.
    fn finish(self, name: &str) -> (Circuit, KernelPorts, MemoryInterface) {
        let Builder {
            mut circuit,
            channels,
            first,
            prints,
        } = self;
        for input in ["start", "r", "b"] {
            circuit.add_input(channels[input]);
        }
        for output in ["ar", "aw", "w", "done"] {
            circuit.add_output(channels[output]);
        }
        let prints: Vec<Channel> = match prints {
            Prints::Nothing => Vec::new(),
            Prints::Twice => ["numbers", "nothing"].map(|name| channels[name]).into(),
        };
        prints.iter().for_each(|&print| circuit.add_output(print));
        let ports = KernelPorts {
            name: name.into(),
            start: channels["start"],
            done: channels["done"],
            arguments: circuit.constants().keys().skip(first).collect(),
            prints,
        };
        let memory = MemoryInterface {
            ar: channels["ar"],
            aw: channels["aw"],
            w: channels["w"],
            r: channels["r"],
            b: channels["b"],
            line: LINE,
        };
        (circuit, ports, memory)
    }
}

/// The kernel's circuit.
pub fn circuit(name: &str) -> Circuit {
    Builder::add(Circuit::new(name), Prints::Nothing)
        .finish(name)
        .0
}

/// The kernel with a shell.
pub fn shell(name: &str) -> Shell {
    let (circuit, ports, memory) = Builder::add(Circuit::new(name), Prints::Nothing).finish(name);
    shell::wrap(circuit, vec![ports], &[memory]).expect("it has all that a shell needs")
}

/// Two such kernels, `quiet` and `loud`, which prints; each has a memory port of its own.
pub fn pair(name: &str) -> Shell {
    let (circuit, quiet, of_quiet) =
        Builder::add(Circuit::new(name), Prints::Nothing).finish("quiet");
    let (circuit, loud, of_loud) = Builder::add(circuit, Prints::Twice).finish("loud");
    let memories = [of_quiet, of_loud];
    shell::wrap(circuit, vec![quiet, loud], &memories).expect("they have all that a shell needs")
}
