//! Runs a Verilog module from Rust: Verilator translates it to C++, the C++ compiler makes a shared
//! library, and an [`Instance`] drives its ports.
//!
//! [`Model::build`] keeps the libraries in a cache directory under a hash of everything that goes
//! into them, so an unchanged design is loaded, not built. A design's clock, if it has one, is the
//! input port `clk`; every state changes on its rising edge.

mod build;
pub mod ip_block;
mod library;
mod pins;
pub mod rtl;
mod shim;

use std::path::Path;
use std::sync::Arc;

pub use build::BuildError;
use library::{Handle, Library};

/// The name of the clock port.
pub const CLOCK: &str = "clk";

/// Which way a port's values go, seen from the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven by the environment.
    Input,
    /// Driven by the module.
    Output,
}

/// A port of the top module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Its name: an identifier of letters, digits and underscores, no keyword of Verilog or C++.
    pub name: String,
    /// Its width in bits.
    pub width: u32,
    /// Its direction.
    pub direction: Direction,
}

impl Port {
    /// An input port.
    pub fn input(name: impl Into<String>, width: u32) -> Self {
        let direction = Direction::Input;
        let name = name.into();
        Self {
            name,
            width,
            direction,
        }
    }

    /// An output port.
    pub fn output(name: impl Into<String>, width: u32) -> Self {
        let direction = Direction::Output;
        let name = name.into();
        Self {
            name,
            width,
            direction,
        }
    }

    /// How many 32-bit words hold a value.
    pub fn words(&self) -> usize {
        self.width.div_ceil(32) as usize
    }

    fn is_clock(&self) -> bool {
        self.name == CLOCK
    }
}

/// Whether instances can write waveforms; building with support slows a model down even if unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trace {
    /// No waveforms.
    Off,
    /// Value change dumps, started by [`Instance::trace`].
    Vcd,
}

/// Whether to optimise for build time or for run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effort {
    /// Built in less than half the time; runs slower. For short runs.
    QuickBuild,
    /// Runs as fast as it can.
    FastRun,
}

/// What to build.
#[derive(Clone, Debug)]
pub struct Design<'a> {
    /// The top module's name.
    pub top: &'a str,
    /// Verilog files: name and text.
    pub sources: &'a [(&'a str, &'a str)],
    /// Values of the top module's parameters.
    pub parameters: &'a [(&'a str, i64)],
    /// All ports of the top module.
    pub ports: &'a [Port],
    /// Whether the model can write waveforms.
    pub trace: Trace,
    /// Whether to optimise for build time or for run time.
    pub effort: Effort,
}

/// A design that has been built and loaded.
#[derive(Clone)]
pub struct Model {
    library: Arc<Library>,
    ports: Arc<[Port]>,
}

/// A port of a model, found by name once and used often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortId(u32);

fn load(design: &Design, cache_dir: &Path) -> Result<Library, BuildError> {
    let path = build::shared_library(design, cache_dir)?;
    Library::load(&path).map_err(|source| BuildError::Load { path, source })
}

impl Model {
    /// Builds the design, or finds it in the cache directory.
    pub fn build(design: &Design, cache_dir: &Path) -> Result<Self, BuildError> {
        let library = match load(design, cache_dir) {
            // Another process deleted the library between the check and the use.
            Err(error) if error.may_be_gone() => load(design, cache_dir)?,
            loaded => loaded?,
        };
        Ok(Self {
            library: Arc::new(library),
            ports: design.ports.into(),
        })
    }

    /// The port of that name.
    pub fn port(&self, name: &str) -> Option<PortId> {
        let index = self.ports.iter().position(|port| port.name == name)?;
        Some(PortId(index as u32))
    }

    /// The ports, in the order of the design.
    pub fn ports(&self) -> &[Port] {
        &self.ports
    }

    /// A fresh instance: inputs zero, registers at their initial values.
    pub fn instance(&self) -> Instance {
        Instance {
            handle: Handle::new(Arc::clone(&self.library)),
            ports: Arc::clone(&self.ports),
            clock: self.port(CLOCK),
        }
    }
}

/// One running copy of a model.
pub struct Instance {
    handle: Handle,
    ports: Arc<[Port]>,
    clock: Option<PortId>,
}

impl Instance {
    /// Drives an input port of at most 64 bits; it takes effect at the next [`Self::eval`].
    pub fn set(&mut self, port: PortId, value: u64) {
        self.expect(port, Direction::Input, |port| port.width <= 64);
        self.handle.set(port.0, value);
    }

    /// Reads a port of at most 64 bits.
    pub fn get(&self, port: PortId) -> u64 {
        assert!(self.port(port).width <= 64, "wide ports are read as words");
        self.handle.get(port.0)
    }

    /// Drives an input port of more than 64 bits, least significant word first.
    pub fn set_words(&mut self, port: PortId, words: &[u32]) {
        self.expect(port, Direction::Input, |port| {
            port.width > 64 && port.words() == words.len()
        });
        self.handle.set_words(port.0, words);
    }

    /// Reads a port of more than 64 bits, least significant word first.
    pub fn get_words(&self, port: PortId) -> Vec<u32> {
        let words = self.port(port).words();
        assert!(words > 2, "narrow ports are read as values");
        self.handle.get_words(port.0, words)
    }

    /// Lets the inputs take effect.
    pub fn eval(&mut self) {
        self.handle.eval();
    }

    /// One clock cycle: settles the inputs, then a rising and a falling edge.
    pub fn tick(&mut self) {
        let clock = self.clock.expect("only a design with a port `clk` ticks");
        self.handle.eval();
        self.handle.set(clock.0, 1);
        self.handle.eval();
        self.handle.set(clock.0, 0);
        self.handle.eval();
    }

    /// The edges of a clock cycle whose inputs have been settled by [`Self::eval`]. What the module
    /// drives from then on is seen behind the next [`Self::eval`].
    pub fn edge(&mut self) {
        let clock = self.clock.expect("only a design with a port `clk` ticks");
        self.handle.set(clock.0, 1);
        self.handle.eval();
        // Nothing happens at the falling edge: it is evaluated with the inputs that come next.
        self.handle.set(clock.0, 0);
    }

    /// Writes waveforms to a file from now on; the design must have been built with [`Trace::Vcd`].
    pub fn trace(&mut self, path: &Path) {
        let started = self.handle.trace(path);
        assert!(started, "the design was built without waveforms");
    }

    /// Sends a new set of inputs in each cycle and collects the outputs.
    ///
    /// A row holds the input (output) ports in the design's order, the clock left out. The output
    /// port `i` answers a row of inputs `latencies[i]` cycles later. All ports have at most 64 bits.
    pub fn run_vectors(&mut self, inputs: &[u64], latencies: &[u32]) -> Vec<u64> {
        assert!(self.ports.iter().all(|port| port.width <= 64));
        let data = |direction| {
            let ports = self.ports.iter();
            ports
                .filter(move |port| port.direction == direction && !port.is_clock())
                .count()
        };
        let (n_inputs, n_outputs) = (data(Direction::Input), data(Direction::Output));
        assert_eq!(latencies.len(), n_outputs, "one latency per output port");
        assert!(
            n_inputs > 0 && inputs.len().is_multiple_of(n_inputs),
            "whole rows of inputs"
        );
        let rows = inputs.len() / n_inputs;
        let mut outputs = vec![0; rows * n_outputs];
        self.handle.run(inputs, rows, &mut outputs, latencies);
        outputs
    }

    fn port(&self, port: PortId) -> &Port {
        &self.ports[port.0 as usize]
    }

    fn expect(&self, id: PortId, direction: Direction, fits: impl Fn(&Port) -> bool) {
        let port = self.port(id);
        assert!(
            port.direction == direction && fits(port),
            "cannot drive {port:?} this way"
        );
    }
}
