//! Waveforms: what all channels do, as a value change dump (VCD) that waveform viewers read.
//!
//! The names are those of the Verilog: in the scope of the circuit each channel `x` is `x_valid`,
//! `x_ready` and `x`, its fields side by side, the first one lowest; in a scope for each unit the
//! same under the names of its ports. One unit of time is one cycle, and only changes are written.
//! The Verilog under another simulator shows the same, but for what means nothing: the data of a
//! channel that is not valid (here, those of the token before), and the ready of a joined one that
//! is not valid (here, whether a token would be taken).

use std::io::{self, Write};

use vcd::{IdCode, ReferenceIndex, SimulationCommand, TimescaleUnit, Value, VarType, Writer};

use super::topology::Topology;
use super::wires::Wires;
use crate::circuit::{ChannelData, Circuit};

/// A channel's signals.
struct Signals {
    valid: IdCode,
    ready: IdCode,
    /// Behind the widths of the fields; none if there are none.
    data: Option<IdCode>,
    widths: Vec<u32>,
    /// What was written last.
    shown: Option<(bool, bool)>,
    token: Option<Vec<u64>>,
}

/// Writes waveforms.
pub(super) struct Waves {
    writer: Writer<Box<dyn Write + Send>>,
    topology: Topology,
    signals: Vec<Signals>,
    /// The cycle that is being written, if something was.
    written: Option<u64>,
    changed: Vec<u32>,
    /// The first thing that went wrong; nothing is written after it.
    failed: Option<io::Error>,
}

impl Waves {
    /// Begins with what is driven in the cycle to come.
    pub(super) fn new(
        circuit: &Circuit,
        wires: &Wires,
        out: Box<dyn Write + Send>,
    ) -> io::Result<Waves> {
        let mut writer = Writer::new(out);
        let signals = define(&mut writer, circuit)?;
        let topology = Topology::of(circuit);
        let mut waves = Waves {
            changed: (0..topology.channel_count() as u32).collect(),
            writer,
            topology,
            signals,
            written: Some(wires.cycle),
            failed: None,
        };
        waves.writer.timestamp(wires.cycle)?;
        waves.writer.begin(SimulationCommand::Dumpvars)?;
        waves.write(wires)?;
        waves.writer.end()?;
        Ok(waves)
    }

    /// What is driven in the cycle to come has been decided.
    pub(super) fn settled(&mut self, wires: &Wires) {
        if self.failed.is_some() {
            return;
        }
        self.changed.clear();
        for channel in wires.settled() {
            let consumer = self.topology.consumer(channel);
            match self.topology.is_joining(consumer) {
                // One's valid is in the others' ready.
                true => self.changed.extend(self.topology.inputs(consumer)),
                false => self.changed.push(channel),
            }
        }
        // The order in which the simulator comes by channels means nothing.
        self.changed.sort_unstable();
        self.changed.dedup();
        self.failed = self.write(wires).err();
    }

    /// Ends with the last time and says what went wrong.
    pub(super) fn finish(mut self, cycle: u64) -> io::Result<()> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.written != Some(cycle) {
            self.writer.timestamp(cycle)?;
        }
        self.writer.flush()
    }

    fn write(&mut self, wires: &Wires) -> io::Result<()> {
        for index in 0..self.changed.len() {
            self.write_channel(self.changed[index], wires)?;
        }
        Ok(())
    }

    fn write_channel(&mut self, channel: u32, wires: &Wires) -> io::Result<()> {
        let (valid, token) = wires.standing(channel as usize);
        let now = (valid, self.is_ready(channel, wires));
        let signals = &self.signals[channel as usize];
        let (was_valid, was_ready) = match signals.shown {
            Some((valid, ready)) => (Some(valid), Some(ready)),
            None => (None, None),
        };
        let is_new = signals.token.as_deref() != Some(token);
        let data = signals.data.filter(|_| match valid {
            true => is_new,
            false => signals.shown.is_none(),
        });
        let (valid_id, ready_id) = (signals.valid, signals.ready);
        if was_valid != Some(now.0) {
            self.begin(wires.cycle)?;
            self.writer.change_scalar(valid_id, now.0)?;
        }
        if was_ready != Some(now.1) {
            self.begin(wires.cycle)?;
            self.writer.change_scalar(ready_id, now.1)?;
        }
        let signals = &mut self.signals[channel as usize];
        signals.shown = Some(now);
        if let Some(id) = data {
            if valid {
                let shown = signals.token.get_or_insert_with(|| vec![0; token.len()]);
                shown.copy_from_slice(token);
            }
            let bits = bits(&signals.widths, token, valid);
            self.begin(wires.cycle)?;
            self.writer.change_vector(id, bits)?;
        }
        Ok(())
    }

    fn is_ready(&self, channel: u32, wires: &Wires) -> bool {
        let consumer = self.topology.consumer(channel);
        let mut others = self.topology.inputs(consumer).iter();
        let joined = self.topology.is_joining(consumer);
        wires.driven(channel).1
            && (!joined || others.all(|&other| other == channel || wires.driven(other).0))
    }

    /// Something is written for a cycle.
    fn begin(&mut self, cycle: u64) -> io::Result<()> {
        if self.written != Some(cycle) {
            self.writer.timestamp(cycle)?;
            self.written = Some(cycle);
        }
        Ok(())
    }
}

/// A token's bits, the highest first; unknown before the first one.
fn bits(widths: &[u32], token: &[u64], known: bool) -> Vec<Value> {
    let fields = widths.iter().zip(token).rev();
    fields
        .flat_map(|(&width, &value)| (0..width).rev().map(move |bit| value >> bit & 1 == 1))
        .map(|bit| match known {
            true => Value::from(bit),
            false => Value::X,
        })
        .collect()
}

/// Writes the definitions.
fn define<W: Write>(writer: &mut Writer<W>, circuit: &Circuit) -> io::Result<Vec<Signals>> {
    writer.timescale(1, TimescaleUnit::NS)?;
    writer.add_module(&circuit.name)?;
    let mut signals = Vec::with_capacity(circuit.channels().len());
    for (at, channel) in circuit.channels().values().enumerate() {
        let id = |signal: usize| IdCode::from(3 * at as u64 + signal as u64);
        let of_channel = Signals {
            valid: id(0),
            ready: id(1),
            data: (!channel.fields.is_empty()).then(|| id(2)),
            widths: channel.fields.widths().collect(),
            shown: None,
            token: None,
        };
        of_channel.define(writer, &channel.name, channel)?;
        signals.push(of_channel);
    }
    for unit in circuit.units().values() {
        writer.add_module(&unit.name)?;
        let ports = unit.kind.inputs().into_iter().chain(unit.kind.outputs());
        for (port, &channel) in ports.zip(unit.inputs.iter().chain(&unit.outputs)) {
            let of_channel = &signals[channel.as_u32() as usize];
            of_channel.define(writer, &port.name, &circuit.channels()[channel])?;
        }
        writer.upscope()?;
    }
    writer.upscope()?;
    writer.enddefinitions()?;
    Ok(signals)
}

impl Signals {
    /// Writes the definitions under a name.
    fn define<W: Write>(
        &self,
        writer: &mut Writer<W>,
        name: &str,
        channel: &ChannelData,
    ) -> io::Result<()> {
        let wire = VarType::Wire;
        writer.var_def(wire, 1, self.valid, &format!("{name}_valid"), None)?;
        writer.var_def(wire, 1, self.ready, &format!("{name}_ready"), None)?;
        if let Some(data) = self.data {
            let width = channel.fields.bits();
            let range = ReferenceIndex::Range(width as i32 - 1, 0);
            writer.var_def(wire, width, data, name, Some(range))?;
        }
        Ok(())
    }
}
