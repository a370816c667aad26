//! Streams: units between one access and a memory port.

use sluice_circuit::access::{Access, Lines};
use sluice_circuit::circuit::{Channel, Circuit, ModuleGroup};
use sluice_circuit::connect::Added;
use sluice_circuit::units::cache::{Cache, Mode};
use sluice_circuit::units::reader::Reader;
use sluice_circuit::units::writer::Writer;

use super::users::StreamUse;

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

/// What is connected to a memory port.
pub(super) enum Attached {
    Cache(Added<Cache>, Mode),
    Reader(Added<Reader>),
    Writer(Added<Writer>),
}

impl StreamUse {
    /// Whether it writes; else it reads.
    pub(super) fn writes(&self) -> bool {
        self.user.response().is_none()
    }

    /// Lines that a reader has room for: those of all requests under way, if they follow each other, the one
    /// before them and one more.
    fn lines_under_way(&self, line: u32) -> u32 {
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

impl Attached {
    /// Where it asks for lines, and where they come.
    pub(super) fn fetch(&self) -> Option<[Channel; 2]> {
        match self {
            Attached::Cache(cache, _) => {
                Some([cache.output(Cache::FETCH), cache.input(Cache::FILL)])
            }
            Attached::Reader(it) => Some([it.output(Reader::FETCH), it.input(Reader::FILL)]),
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
            Attached::Reader(_) => None,
        }
    }

    /// Where it says that everything is in memory.
    pub(super) fn flushed(&self) -> Channel {
        match self {
            Attached::Cache(cache, _) => cache.output(Cache::FLUSHED),
            Attached::Reader(reader) => reader.output(Reader::FLUSHED),
            Attached::Writer(writer) => writer.output(Writer::FLUSHED),
        }
    }
}
