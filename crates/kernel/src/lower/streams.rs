//! Streams: units between one access and a memory port.

use sluice_circuit::access::{Access, Lines};
use sluice_circuit::circuit::{Channel, Circuit, ModuleGroup};
use sluice_circuit::connect::Added;
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::copy::BufferCopy;
use sluice_circuit::units::line_arbiter::LineArbiter;
use sluice_circuit::units::reader::Reader;
use sluice_circuit::units::writer::Writer;

use super::users::{LineSource, StreamUse};

/// A stream in the making.
#[derive(Debug)]
pub(super) struct StreamPlan {
    pub(super) stream: StreamUse,
    /// The kernel at whose end it writes back.
    pub(super) kernel: usize,
    /// The memory port behind it.
    pub(super) bank: u32,
    /// The datapath that it belongs to, if there are several.
    pub(super) datapath: Option<ModuleGroup>,
}

/// Streams behind one cache, which each asks once for a line.
#[derive(Debug)]
pub(super) struct SharedPlan {
    /// The name of their buffer.
    pub(super) name: String,
    /// Bytes of the cache.
    pub(super) size: u32,
    /// Fetches of lines under way, at most.
    pub(super) latency: u32,
    /// All of the same kernel, memory port and datapath.
    pub(super) streams: Vec<StreamPlan>,
}

/// What is connected to a memory port.
pub(super) enum Attached {
    Cache(Added<Cache>, Mode),
    Reader(Added<Reader>),
    Writer(Added<Writer>),
    Copy(Added<BufferCopy>),
}

impl StreamUse {
    /// Whether it writes; else it reads.
    pub(super) fn writes(&self) -> bool {
        self.user.response().is_none()
    }

    /// Lines that a reader has room for: those of all requests under way, if they follow each other, the one
    /// before them and one more.
    fn lines_under_way(&self, line: u32) -> u32 {
        if self.source == LineSource::PortOnce {
            return 1;
        }
        let lines = (self.outstanding * self.bytes).div_ceil(line) + 2;
        lines.next_power_of_two().min(Reader::MOST_LINES)
    }
}

impl StreamPlan {
    /// Builds its unit.
    pub(super) fn build(self, circuit: &mut Circuit, transfers: Lines, flush: Channel) -> Attached {
        let StreamPlan { stream, .. } = self;
        let access = Access {
            bytes: stream.bytes,
            address_bits: transfers.address_bits,
        };
        match stream.user.response() {
            Some(response) => {
                let reader = Reader {
                    access,
                    line: transfers.bytes,
                    lines: stream.lines_under_way(transfers.bytes),
                    outstanding: stream.outstanding,
                };
                let reader = circuit
                    .unit(format!("reader_of_{}", stream.name), reader)
                    .lines(stream.lines)
                    .input(Reader::REQUEST, stream.user.request)
                    .input(Reader::FLUSH, flush)
                    .output(Reader::RESPONSE, response);
                Attached::Reader(reader.with_new_channels().add())
            }
            None => {
                let writer = Writer {
                    access,
                    line: transfers.bytes,
                    outstanding: stream.outstanding,
                };
                let writer = circuit
                    .unit(format!("writer_of_{}", stream.name), writer)
                    .lines(stream.lines)
                    .input(Writer::REQUEST, stream.user.request)
                    .input(Writer::FLUSH, flush);
                Attached::Writer(writer.with_new_channels().add())
            }
        }
    }
}

impl SharedPlan {
    /// The kernel at whose end they forget what they have read.
    pub(super) fn kernel(&self) -> usize {
        self.streams[0].kernel
    }

    /// The memory port behind the cache.
    pub(super) fn bank(&self) -> u32 {
        self.streams[0].bank
    }

    /// The datapath that they belong to, if there are several.
    pub(super) fn datapath(&self) -> Option<ModuleGroup> {
        self.streams[0].datapath
    }

    /// Fetches of lines under way: as many as all streams have room for, and as cover the latency at one per cycle.
    pub(super) fn outstanding(&self, line: u32) -> u32 {
        let lines = self.streams.iter();
        let lines = lines.map(|it| it.stream.lines_under_way(line));
        lines.sum::<u32>().min(self.latency)
    }

    /// Builds all units; `flushes` are those of the cache and of each stream. Gives the cache and where the streams say
    /// that they have forgotten what they have read.
    pub(super) fn build(
        self,
        circuit: &mut Circuit,
        transfers: Lines,
        flushes: Vec<Channel>,
    ) -> (Attached, Vec<Channel>) {
        let outstanding = self.outstanding(transfers.bytes);
        let access = Access {
            bytes: transfers.bytes,
            address_bits: transfers.address_bits,
        };
        let mut flushes = flushes.into_iter();
        let flush = flushes.next().expect("one for the cache");
        let streams = self.streams.into_iter().zip(flushes);
        let streams = streams.map(|(stream, flush)| stream.build(circuit, transfers, flush));
        let streams: Vec<Attached> = streams.collect();
        let arbiter = LineArbiter {
            readers: streams.len() as u32,
            address_bits: transfers.address_bits,
            line: transfers.bytes,
            outstanding,
        };
        let (request, response) = (arbiter.request(), arbiter.response());
        let mut unit = circuit.unit(format!("lines_of_{}", self.name), arbiter);
        for (at, stream) in streams.iter().enumerate() {
            let [fetch, fill] = stream
                .fetch()
                .expect("only loads are behind a shared cache");
            unit = unit
                .input(LineArbiter::fetch(at), fetch)
                .output(LineArbiter::fill(at), fill);
        }
        let arbiter = unit.with_new_channels().add();
        let cache = Cache {
            lines: (self.size / transfers.bytes).max(2),
            line: transfers.bytes,
            access,
            outstanding,
            mode: Mode::ReadOnly,
        };
        let cache = circuit
            .unit(format!("shared_cache_{}", self.name), cache)
            .input(Cache::FLUSH, flush)
            .input(Cache::REQUEST, arbiter.output(request))
            .output(Cache::RESPONSE, arbiter.input(response))
            .with_new_channels()
            .add();
        let flushed = streams.iter().map(Attached::flushed).collect();
        (Attached::Cache(cache, Mode::ReadOnly), flushed)
    }
}

impl Attached {
    /// Where it asks for lines, and where they come.
    pub(super) fn fetch(&self) -> Option<[Channel; 2]> {
        match self {
            Attached::Cache(cache, _) => {
                Some([cache.output(Cache::FETCH), cache.input(Cache::FILL)])
            }
            Attached::Reader(it) => Some([it.output(Reader::FETCH), it.input(Reader::FILL)]),
            Attached::Copy(it) => Some([it.output(BufferCopy::FETCH), it.input(BufferCopy::FILL)]),
            Attached::Writer(_) => None,
        }
    }

    /// Where it writes lines, and where it is told that they are in memory.
    pub(super) fn writeback(&self) -> Option<[Channel; 2]> {
        match self {
            Attached::Cache(_, Mode::ReadOnly) => None,
            Attached::Cache(cache, _) => Some([
                cache.output(Cache::WRITEBACK),
                cache.input(Cache::WRITEBACK_DONE),
            ]),
            Attached::Writer(writer) => Some([
                writer.output(Writer::WRITEBACK),
                writer.input(Writer::WRITEBACK_DONE),
            ]),
            Attached::Reader(_) | Attached::Copy(_) => None,
        }
    }

    /// Where it says that everything is in memory.
    pub(super) fn flushed(&self) -> Channel {
        match self {
            Attached::Cache(cache, _) => cache.output(Cache::FLUSHED),
            Attached::Reader(reader) => reader.output(Reader::FLUSHED),
            Attached::Writer(writer) => writer.output(Writer::FLUSHED),
            Attached::Copy(copy) => copy.output(BufferCopy::FLUSHED),
        }
    }
}
