//! Adding units to circuits: typed ports, and the one builder that connects them.
//!
//! A unit declares each of its ports once, as a constant or a function that gives an [`Input`] or an
//! [`Output`] of its type; [`UnitKind::inputs`] and [`UnitKind::outputs`] take the names from there.
//! [`Circuit::unit`] starts a unit, [`UnitBuilder::add`] adds it. A port of another unit's type does
//! not compile; a port that the unit does not have with its parameters, that is connected twice or
//! left open, or that carries other fields than its channel is an assertion.

use std::marker::PhantomData;

use crate::circuit::{Channel, Circuit, Constant, Unit, UnitData};
use crate::unit::{Fields, Port, UnitKind};

/// A port's name: with a number in place of `#`, if it is one of several.
#[derive(Clone, Copy)]
struct Name {
    pattern: &'static str,
    number: Option<usize>,
}

impl Name {
    fn text(self) -> String {
        match self.number {
            Some(number) => self.pattern.replace('#', &number.to_string()),
            None => self.pattern.into(),
        }
    }
}

macro_rules! typed_port {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        pub struct $name<K: ?Sized> {
            index: usize,
            name: Name,
            kind: PhantomData<fn(&K)>,
        }

        impl<K: ?Sized> Clone for $name<K> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<K: ?Sized> Copy for $name<K> {}

        impl<K: ?Sized> $name<K> {
            /// The port at an index, with its name in Verilog.
            pub const fn new(index: usize, name: &'static str) -> Self {
                let name = Name { pattern: name, number: None };
                $name { index, name, kind: PhantomData }
            }

            /// One of several ports: `number` stands in its name in place of `#`.
            pub const fn numbered(index: usize, pattern: &'static str, number: usize) -> Self {
                let name = Name { pattern, number: Some(number) };
                $name { index, name, kind: PhantomData }
            }

            /// Its index among the unit's ports of this direction.
            pub const fn index(self) -> usize {
                self.index
            }

            /// The port with what its tokens carry.
            pub fn carrying(self, fields: Fields) -> Port {
                Port::new(self.name.text(), fields)
            }
        }
    };
}

typed_port! {
    /// An input of units of type `K`.
    Input
}

typed_port! {
    /// An output of units of type `K`.
    Output
}

/// A unit that is about to be added.
#[must_use = "`add` adds the unit"]
pub struct UnitBuilder<'c, K: ?Sized> {
    circuit: &'c mut Circuit,
    name: String,
    kind: Box<dyn UnitKind>,
    lines: Vec<u32>,
    inputs: Connections,
    outputs: Connections,
    constants: Vec<Constant>,
    driven: Vec<Constant>,
    typed: PhantomData<fn(&K)>,
}

/// The ports of one direction, and what they are connected to so far.
struct Connections {
    ports: Vec<Port>,
    channels: Vec<Option<Channel>>,
}

impl Connections {
    fn new(ports: Vec<Port>) -> Connections {
        let channels = vec![None; ports.len()];
        Connections { ports, channels }
    }

    fn connect(&mut self, unit: &str, index: usize, name: Option<Name>, channel: Channel) {
        let Some(port) = self.ports.get(index) else {
            let name = name.map_or(index.to_string(), Name::text);
            panic!("{unit}: there is no port {name}");
        };
        if let Some(name) = name {
            assert_eq!(port.name, name.text(), "{unit}: the port at {index}");
        }
        let before = self.channels[index].replace(channel);
        assert_eq!(before, None, "{unit}: {} is connected once", port.name);
    }

    /// The channels in the order of the ports.
    fn finish(self, unit: &str) -> Vec<Channel> {
        let connected = self.ports.iter().zip(self.channels);
        let channel = |(port, channel): (&Port, Option<Channel>)| {
            channel.unwrap_or_else(|| panic!("{unit}: {} is not connected", port.name))
        };
        connected.map(channel).collect()
    }
}

/// A unit that was added, with the channels at its ports.
pub struct Added<K: ?Sized> {
    /// The unit.
    pub unit: Unit,
    inputs: Vec<Channel>,
    outputs: Vec<Channel>,
    typed: PhantomData<fn(&K)>,
}

impl<K: ?Sized> Added<K> {
    /// The channel at an input.
    pub fn input(&self, port: Input<K>) -> Channel {
        self.inputs[port.index]
    }

    /// The channel at an output.
    pub fn output(&self, port: Output<K>) -> Channel {
        self.outputs[port.index]
    }
}

impl Circuit {
    /// Starts a unit.
    pub fn unit<K: UnitKind + 'static>(
        &mut self,
        name: impl Into<String>,
        kind: K,
    ) -> UnitBuilder<'_, K> {
        UnitBuilder::new(self, name.into(), Box::new(kind))
    }

    /// Starts a unit of any type: its ports are known by their order only.
    pub fn any_unit(
        &mut self,
        name: impl Into<String>,
        kind: Box<dyn UnitKind>,
    ) -> UnitBuilder<'_, dyn UnitKind> {
        UnitBuilder::new(self, name.into(), kind)
    }
}

impl<'c, K: ?Sized> UnitBuilder<'c, K> {
    fn new(circuit: &'c mut Circuit, name: String, kind: Box<dyn UnitKind>) -> Self {
        UnitBuilder {
            circuit,
            name,
            lines: Vec::new(),
            inputs: Connections::new(kind.inputs()),
            outputs: Connections::new(kind.outputs()),
            constants: Vec::new(),
            driven: Vec::new(),
            kind,
            typed: PhantomData,
        }
    }

    /// The source lines that it works for.
    pub fn lines(mut self, lines: Vec<u32>) -> Self {
        self.lines = lines;
        self
    }

    /// The constants that it reads, in the order of [`UnitKind::constants`].
    pub fn constants(mut self, constants: impl IntoIterator<Item = Constant>) -> Self {
        self.constants = constants.into_iter().collect();
        self
    }

    /// The constants that it drives, in the order of [`UnitKind::drives`].
    pub fn drives(mut self, constants: impl IntoIterator<Item = Constant>) -> Self {
        self.driven = constants.into_iter().collect();
        self
    }

    /// Connects an input.
    pub fn input(mut self, port: Input<K>, channel: Channel) -> Self {
        let Input { index, name, .. } = port;
        self.inputs.connect(&self.name, index, Some(name), channel);
        self
    }

    /// Connects an output.
    pub fn output(mut self, port: Output<K>, channel: Channel) -> Self {
        let Output { index, name, .. } = port;
        self.outputs.connect(&self.name, index, Some(name), channel);
        self
    }

    /// Connects several inputs.
    pub fn inputs(self, connections: impl IntoIterator<Item = (Input<K>, Channel)>) -> Self {
        let connect = |unit: Self, (port, channel)| unit.input(port, channel);
        connections.into_iter().fold(self, connect)
    }

    /// Connects several outputs.
    pub fn outputs(self, connections: impl IntoIterator<Item = (Output<K>, Channel)>) -> Self {
        let connect = |unit: Self, (port, channel)| unit.output(port, channel);
        connections.into_iter().fold(self, connect)
    }

    /// Connects the inputs in the order of [`UnitKind::inputs`], from the first one on.
    pub fn inputs_in_order(mut self, channels: impl IntoIterator<Item = Channel>) -> Self {
        for (index, channel) in channels.into_iter().enumerate() {
            self.inputs.connect(&self.name, index, None, channel);
        }
        self
    }

    /// Connects the outputs in the order of [`UnitKind::outputs`], from the first one on.
    pub fn outputs_in_order(mut self, channels: impl IntoIterator<Item = Channel>) -> Self {
        for (index, channel) in channels.into_iter().enumerate() {
            self.outputs.connect(&self.name, index, None, channel);
        }
        self
    }

    /// Makes a channel for every port that is not connected, called after the unit and the port.
    pub fn with_new_channels(mut self) -> Self {
        for side in [&mut self.inputs, &mut self.outputs] {
            for (port, channel) in side.ports.iter().zip(&mut side.channels) {
                let name = || format!("{}_{}", self.name, port.name);
                let add = || self.circuit.add_channel(name(), port.fields.clone());
                channel.get_or_insert_with(add);
            }
        }
        self
    }

    /// Adds the unit. Every port must be connected.
    pub fn add(self) -> Added<K> {
        let UnitBuilder { name, circuit, .. } = self;
        let (inputs, outputs) = (self.inputs.finish(&name), self.outputs.finish(&name));
        let unit = circuit.add_unit(UnitData {
            name,
            kind: self.kind,
            lines: self.lines,
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            constants: self.constants,
        });
        circuit.drive(unit, &self.driven);
        Added {
            unit,
            inputs,
            outputs,
            typed: PhantomData,
        }
    }
}
