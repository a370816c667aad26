//! Pins at the boundary of a circuit, between its Verilog and a model of its environment.

use sluice_circuit::sim::Environment;

use crate::{Instance, PortId};

/// A channel's pins.
pub(crate) struct Pins {
    pub(crate) valid: PortId,
    pub(crate) ready: PortId,
    pub(crate) data: Vec<Data>,
}

/// A port with some of a channel's fields, side by side.
pub(crate) struct Data {
    port: PortId,
    widths: Vec<u32>,
    bits: u32,
}

impl Data {
    pub(crate) fn new(port: PortId, widths: Vec<u32>) -> Data {
        let bits = widths.iter().sum();
        Data { port, widths, bits }
    }

    fn write(&self, instance: &mut Instance, token: &[u64]) {
        if self.bits <= 64 {
            let mut bits = 0;
            let mut at = 0;
            for (&width, &value) in self.widths.iter().zip(token) {
                bits |= value << at;
                at += width;
            }
            return instance.set(self.port, bits);
        }
        let mut words = vec![0_u32; self.bits.div_ceil(32) as usize];
        let mut at = 0;
        for (&width, &value) in self.widths.iter().zip(token) {
            let shifted = u128::from(value) << (at % 32);
            let parts = (0..4).map(|part| (shifted >> (32 * part)) as u32);
            for (word, part) in words[(at / 32) as usize..].iter_mut().zip(parts) {
                *word |= part;
            }
            at += width;
        }
        instance.set_words(self.port, &words);
    }

    fn read(&self, instance: &Instance, token: &mut [u64]) {
        let words = match self.bits {
            0..=64 => {
                let bits = instance.get(self.port);
                vec![bits as u32, (bits >> 32) as u32]
            }
            _ => instance.get_words(self.port),
        };
        let mut at = 0;
        for (&width, value) in self.widths.iter().zip(token) {
            let parts = words[(at / 32) as usize..].iter().take(3).enumerate();
            let wide = parts.fold(0_u128, |wide, (part, &word)| {
                wide | u128::from(word) << (32 * part)
            });
            *value = (wide >> (at % 32)) as u64 & (u64::MAX >> (64 - width));
            at += width;
        }
    }
}

impl Pins {
    fn fields(&self) -> usize {
        self.data.iter().map(|data| data.widths.len()).sum()
    }

    fn write(&self, instance: &mut Instance, mut token: &[u64]) {
        for data in &self.data {
            let (now, later) = token.split_at(data.widths.len());
            data.write(instance, now);
            token = later;
        }
    }

    fn read(&self, instance: &Instance, mut token: &mut [u64]) {
        for data in &self.data {
            let (now, later) = token.split_at_mut(data.widths.len());
            data.read(instance, now);
            token = later;
        }
    }
}

/// The pins of a circuit's channels to its environment, each with its index among those of its direction.
pub(crate) struct Boundary {
    pub(crate) inputs: Vec<(usize, Pins)>,
    pub(crate) outputs: Vec<(usize, Pins)>,
}

impl Boundary {
    /// A buffer for a token of any channel.
    pub(crate) fn token(&self) -> Vec<u64> {
        let pins = self.inputs.iter().chain(&self.outputs);
        vec![0; pins.map(|(_, pins)| pins.fields()).max().unwrap_or(0)]
    }

    /// Propagates what each side drives in this cycle to the other.
    pub(crate) fn settle(
        &self,
        instance: &mut Instance,
        environment: &mut Environment,
        token: &mut [u64],
    ) {
        for (index, pins) in &self.inputs {
            let (valid, token) = environment.drives(*index);
            instance.set(pins.valid, valid.into());
            pins.write(instance, token);
        }
        for (index, pins) in &self.outputs {
            instance.set(pins.ready, environment.accepts(*index).into());
        }
        instance.eval();
        for (index, pins) in &self.inputs {
            environment.input_pins(*index, instance.get(pins.ready) == 1);
        }
        for (index, pins) in &self.outputs {
            let token = &mut token[..pins.fields()];
            let valid = instance.get(pins.valid) == 1;
            if valid {
                pins.read(instance, token);
            }
            environment.output_pins(*index, valid.then_some(&*token));
        }
    }
}
