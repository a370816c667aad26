//! A buffer of two tokens: it parts two units, so that neither's ready depends on the other's.

use crate::area::Area;
use crate::connect::{Input, Output};
use crate::sim::Io;
use crate::text::parameters;
use crate::unit::{Fields, Model, Module, Origin, Port, UnitKind};
use crate::verilog::Source;

/// The buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// What the tokens carry.
    pub fields: Fields,
}

/// The module, for units with buffers inside.
pub(crate) const SOURCE: Source = Source {
    file: "sluice_buffer.v",
    text: include_str!("buffer.v"),
};

/// What a buffer for words of that many bits consists of.
pub(crate) fn area(width: u32) -> Area {
    Area::of("buffer", [("units", 1), ("bits", width)])
}

impl Buffer {
    /// Tokens.
    pub const IN: Input<Buffer> = Input::new(0, "in");
    /// The same tokens.
    pub const OUT: Output<Buffer> = Output::new(0, "out");
}

parameters! { UnitKind Buffer { fields } }

impl UnitKind for Buffer {
    fn module(&self) -> Module {
        Module {
            name: "sluice_buffer".into(),
            parameters: vec![("WIDTH", self.fields.bits().max(1).into())],
            sources: vec![SOURCE],
            text: None,
        }
    }

    fn inputs(&self) -> Vec<Port> {
        vec![Buffer::IN.carrying(self.fields.clone())]
    }

    fn outputs(&self) -> Vec<Port> {
        vec![Buffer::OUT.carrying(self.fields.clone())]
    }

    fn origin(&self, _: usize) -> Origin {
        Origin::Each
    }

    fn latency(&self) -> u32 {
        1
    }

    fn capacity(&self) -> u32 {
        2
    }

    fn area(&self) -> Area {
        area(self.fields.bits().max(1))
    }

    fn model(&self) -> Box<dyn Model> {
        Box::new(Behaviour {
            next: Next::default(),
        })
    }
}

struct Behaviour {
    next: Next,
}

impl Model for Behaviour {
    fn reset(&mut self, _: &[u64], io: &mut Io<'_>) {
        self.next.clear();
        io.accept(0, true);
    }

    fn clock(&mut self, io: &mut Io<'_>) {
        self.next.advance(io, 0);
        if io.takes(0) {
            self.next.pass(io, 0, 0);
        }
        io.accept(0, self.next.has_room());
    }
}

/// The second token of a buffer; the first one stands at the output.
#[derive(Clone, Default)]
pub(crate) struct Next {
    token: Vec<u64>,
    full: bool,
}

impl Next {
    /// Drops it.
    pub(crate) fn clear(&mut self) {
        self.full = false;
    }

    /// Whether another token can come.
    #[inline]
    pub(crate) fn has_room(&self) -> bool {
        !self.full
    }

    /// Moves to output `port` if that has become free.
    #[inline]
    pub(crate) fn advance(&mut self, io: &mut Io<'_>, port: usize) {
        if self.full && !io.offering(port) {
            io.offer(port, &self.token);
            self.full = false;
        }
    }

    /// Puts a token behind what stands at output `port`.
    pub(crate) fn put(&mut self, io: &mut Io<'_>, port: usize, token: &[u64]) {
        match io.offering(port) {
            true => self.keep(token.iter().copied()),
            false => io.offer(port, token),
        }
    }

    /// Puts the token just taken at input `from` behind what stands at output `port`.
    pub(crate) fn pass(&mut self, io: &mut Io<'_>, from: usize, port: usize) {
        match io.offering(port) {
            true => self.keep(taken(io, from).iter().copied()),
            false => io.pass(from, port),
        }
    }

    /// As [`Next::pass`], these fields of the token.
    pub(crate) fn pass_fields(
        &mut self,
        io: &mut Io<'_>,
        from: usize,
        fields: &[usize],
        port: usize,
    ) {
        match io.offering(port) {
            true => {
                let token = taken(io, from);
                self.keep(fields.iter().map(|&field| token[field]));
            }
            false => io.pass_fields(from, fields, port),
        }
    }

    fn keep(&mut self, token: impl Iterator<Item = u64>) {
        debug_assert!(!self.full, "tokens are taken only when there is room");
        self.token.clear();
        self.token.extend(token);
        self.full = true;
    }
}

fn taken<'a>(io: &'a Io<'_>, from: usize) -> &'a [u64] {
    io.taken(from).expect("the caller saw it")
}

/// The choices for tests.
pub fn samples() -> Vec<Box<dyn UnitKind>> {
    [vec![8], vec![], vec![1, 64, 33]]
        .map(|widths| {
            Box::new(Buffer {
                fields: Fields::new(widths),
            }) as Box<dyn UnitKind>
        })
        .into()
}
