//! Circuits of loads, stores, arbiters, caches and a port to external memory, all of whose outer
//! ends are ports of the circuit.

use sluice_circuit::access::{Access, Enable, LINE, Lines};
use sluice_circuit::circuit::{Channel, Circuit};
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units::arbiter::{Arbiter, Flush};
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::load::{Load, Vector};
use sluice_circuit::units::memory_port::MemoryPort;
use sluice_circuit::units::store::{Done, Store};

/// Bits of an address.
pub const ADDRESS: u32 = 24;

/// Transfers to and from memory.
const TRANSFERS: Lines = Lines {
    bytes: LINE,
    address_bits: ADDRESS,
};

/// A memory object with its cache and the units that access it.
#[derive(Clone)]
pub struct Object {
    pub mode: Mode,
    pub bytes: u32,
    pub lines: u32,
    pub outstanding: u32,
    pub loads: Vec<Vector>,
    pub stores: Vec<Vector>,
}

/// What a unit does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Load,
    Store,
}

impl Object {
    /// The units, in the order of [`Ends::units`].
    pub fn units(&self) -> impl Iterator<Item = (Vector, Direction)> {
        let loads = self.loads.iter().map(|&vector| (vector, Direction::Load));
        let stores = self.stores.iter().map(|&vector| (vector, Direction::Store));
        loads.chain(stores)
    }

    pub fn access(&self) -> Access {
        Access {
            bytes: self.bytes,
            address_bits: ADDRESS,
        }
    }
}

/// The circuit's ports as its environment counts them.
#[derive(Clone, Default)]
pub struct Ends {
    /// By object, loads first: where the environment gives tokens to the unit, and where it takes them.
    pub units: Vec<Vec<(usize, usize)>>,
    /// By object: flush and flushed.
    pub flushes: Vec<(usize, usize)>,
    pub dram: Option<sluice_circuit::dram::Ports>,
}

/// What a cache has to do with the memory port.
struct Memory {
    /// Fetches and fills.
    reads: [Channel; 2],
    /// Lines that are written back, and answers.
    writes: Option<[Channel; 2]>,
}

struct Builder {
    circuit: Circuit,
    inputs: usize,
    outputs: usize,
}

impl Builder {
    fn channel(&mut self, name: String, fields: Fields) -> Channel {
        self.circuit.add_channel(name, fields)
    }

    fn input(&mut self, name: String, fields: Fields) -> (Channel, usize) {
        let channel = self.channel(name, fields);
        self.circuit.add_input(channel);
        self.inputs += 1;
        (channel, self.inputs - 1)
    }

    fn output(&mut self, name: String, fields: Fields) -> (Channel, usize) {
        let channel = self.channel(name, fields);
        self.circuit.add_output(channel);
        self.outputs += 1;
        (channel, self.outputs - 1)
    }

    fn unit(&mut self, name: String, kind: impl UnitKind + 'static, ends: [Vec<Channel>; 2]) {
        let [inputs, outputs] = ends;
        self.circuit
            .unit(name, kind)
            .inputs_in_order(inputs)
            .outputs_in_order(outputs)
            .add();
    }

    /// A load or store; gives its requests, its responses if it is a load, and its outer ends.
    fn access_unit(
        &mut self,
        object: &Object,
        name: String,
        (vector, direction): (Vector, Direction),
    ) -> (Channel, Option<Channel>, (usize, usize)) {
        let access = object.access();
        let address = Fields::new([ADDRESS]);
        let lanes = Fields::new(vec![vector.lane_bits; vector.lanes as usize]);
        let request = self.channel(format!("{name}_request"), access.request());
        let (taken, given) = match direction {
            Direction::Load => (address, lanes),
            Direction::Store => (address.followed_by(&lanes), Fields::NONE),
        };
        let (input, give) = self.input(format!("{name}_in"), taken);
        let (output, take) = self.output(format!("{name}_out"), given);
        let outstanding = object.outstanding;
        match direction {
            Direction::Load => {
                let response = self.channel(format!("{name}_response"), access.response());
                let kind = Load {
                    vector,
                    access,
                    outstanding,
                    results: outstanding,
                    enable: Enable::Always,
                };
                let ends = [vec![input, response], vec![output, request]];
                self.unit(name, kind, ends);
                (request, Some(response), (give, take))
            }
            Direction::Store => {
                let kind = Store {
                    vector,
                    access,
                    outstanding: 4,
                    done: Done::Accepted,
                    enable: Enable::Always,
                };
                self.unit(name, kind, [vec![input], vec![output, request]]);
                (request, None, (give, take))
            }
        }
    }

    /// An object's units, arbiter and cache; gives the cache's channels to memory: fetch, fill,
    /// write-back, done.
    fn object(&mut self, at: usize, object: &Object, ends: &mut Ends) -> Memory {
        let access = object.access();
        let (mut requests, mut responses, mut units) = (Vec::new(), Vec::new(), Vec::new());
        for (place, unit) in object.units().enumerate() {
            let name = format!("o{at}_u{place}");
            let (request, response, outer) = self.access_unit(object, name, unit);
            requests.push(request);
            responses.extend(response);
            units.push(outer);
        }
        ends.units.push(units);
        let named = |name: &str| format!("o{at}_{name}");
        let request = self.channel(named("request"), access.request());
        let response = self.channel(named("response"), access.response());
        let arbiter = Arbiter {
            readers: object.loads.len() as u32,
            writers: object.stores.len() as u32,
            access,
            outstanding: object.outstanding + 8,
            flush: Flush::Passed,
        };
        let (flush, give) = self.input(named("flush"), Fields::NONE);
        let passed_flush = self.channel(named("passed_flush"), Fields::NONE);
        requests.extend([response, flush]);
        responses.extend([request, passed_flush]);
        self.unit(named("arbiter"), arbiter, [requests, responses]);
        let fetch = self.channel(named("fetch"), TRANSFERS.fetch());
        let fill = self.channel(named("fill"), TRANSFERS.fill());
        let writes = (object.mode != Mode::ReadOnly).then(|| {
            let writeback = self.channel(named("writeback"), TRANSFERS.writeback());
            [writeback, self.channel(named("done"), Fields::NONE)]
        });
        let (flushed, take) = self.output(named("flushed"), Fields::NONE);
        ends.flushes.push((give, take));
        let cache = Cache {
            lines: object.lines,
            line: TRANSFERS.bytes,
            access,
            outstanding: object.outstanding,
            mode: object.mode,
        };
        let mut inputs = vec![request, fill, passed_flush];
        let mut outputs = vec![response, fetch, flushed];
        if let Some([writeback, done]) = writes {
            inputs.push(done);
            outputs.push(writeback);
        }
        self.unit(named("cache"), cache, [inputs, outputs]);
        Memory {
            reads: [fetch, fill],
            writes,
        }
    }
}

/// The circuit of these objects.
pub fn circuit(name: &str, objects: &[Object]) -> (Circuit, Ends) {
    let mut builder = Builder {
        circuit: Circuit::new(name),
        inputs: 0,
        outputs: 0,
    };
    let mut ends = Ends::default();
    let memory: Vec<Memory> = objects
        .iter()
        .enumerate()
        .map(|(at, object)| builder.object(at, object, &mut ends))
        .collect();
    let address = TRANSFERS.address();
    let (ar, ar_at) = builder.output("ar".into(), address.clone());
    let (aw, aw_at) = builder.output("aw".into(), address);
    let (w, w_at) = builder.output("w".into(), TRANSFERS.write());
    let (r, r_at) = builder.input("r".into(), TRANSFERS.read());
    let (b, b_at) = builder.input("b".into(), Fields::NONE);
    ends.dram = Some(sluice_circuit::dram::Ports {
        ar: ar_at,
        aw: aw_at,
        w: w_at,
        r: r_at,
        b: b_at,
        line: TRANSFERS.bytes,
    });
    let reads = |at: usize| memory.iter().map(move |it| it.reads[at]);
    let writes = |at: usize| memory.iter().filter_map(move |it| Some(it.writes?[at]));
    let inputs = reads(0).chain(writes(0)).chain([r, b]).collect();
    let outputs = reads(1).chain(writes(1)).chain([ar, aw, w]).collect();
    let port = MemoryPort {
        readers: objects.len() as u32,
        datapaths: 1,
        longest_run: MemoryPort::LONGEST_RUN,
        writers: writes(0).count() as u32,
        address_bits: ADDRESS,
        line: TRANSFERS.bytes,
        outstanding: 128,
    };
    builder.unit("memory_port".into(), port, [inputs, outputs]);
    (builder.circuit, ends)
}
