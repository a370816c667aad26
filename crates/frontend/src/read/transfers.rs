//! memcpy, memmove and memset: loads and stores, or a loop of them.

use sluice_kernel::ir::{self, BinaryOp, InstData, Predicate, Type};
use smallvec::smallvec;

use super::body::{Reader, call};
use super::llvm::Value;
use super::memory::{MAX_LANES, MemoryOperand, align_at};
use super::{Lanes, Result};

/// Transfers of up to this many bytes become straight-line code.
const UNROLLED_BYTES: u64 = 256;

/// Whether source and target may overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// They do not: from the first byte to the last.
    Forward,
    /// They may: whichever way reads each byte before it is overwritten.
    Any,
}

/// One access of a transfer.
#[derive(Clone, Copy)]
struct Chunk {
    offset: u64,
    ty: Type,
    lanes: usize,
}

impl<'m> Reader<'m> {
    /// A memcpy or memmove.
    pub fn read_copy(&mut self, direction: Direction, call: Value<'m>) -> Result<Lanes> {
        let to = self.transfer_operand(call, 0)?;
        let from = self.transfer_operand(call, 1)?;
        let align = to.align.min(from.align);
        match call.operand(2).as_int() {
            Some(size) if size as u64 <= UNROLLED_BYTES => {
                self.copy_unrolled(to, from, &chunks_from(0, size as u64, align));
            }
            Some(size) if direction == Direction::Forward => {
                self.copy_wide(to, from, size as u64, align);
            }
            Some(size) => {
                // Equal elements, so that the loop can run either way.
                let bytes = widest_element(size as u64, align);
                let size = self.b.constant(Type::I64, size as u64);
                self.copy_loop(direction, to, from, size, bytes);
            }
            None => {
                let size = self.scalar(call.operand(2))?;
                let size = self.b.resize(size, Type::I64);
                self.guarded(size, |reader| {
                    reader.copy_loop(direction, to, from, size, 1);
                });
            }
        }
        self.copy_addresses(call, to, from)?;
        Ok(Lanes::new())
    }

    /// A memset.
    pub fn read_fill(&mut self, call: Value<'m>) -> Result<Lanes> {
        let to = self.transfer_operand(call, 0)?;
        let byte = self.scalar(call.operand(1))?;
        match call.operand(2).as_int() {
            Some(size) if size as u64 <= UNROLLED_BYTES => {
                self.fill_unrolled(to, byte, &chunks_from(0, size as u64, to.align));
            }
            Some(size) => self.fill_wide(to, byte, size as u64),
            None => {
                let size = self.scalar(call.operand(2))?;
                let size = self.b.resize(size, Type::I64);
                self.guarded(size, |reader| {
                    reader.counted_loop(size, 1, |reader, offset| {
                        let operand = reader.moved(to, offset, 1);
                        reader.store(operand, 0, &[byte]);
                    });
                });
            }
        }
        Ok(Lanes::new())
    }

    fn fill_unrolled(&mut self, to: MemoryOperand, byte: ir::Value, chunks: &[Chunk]) {
        for chunk in chunks {
            let word = self.replicate(byte, chunk.ty);
            self.store(to, chunk.offset, &vec![word; chunk.lanes]);
        }
    }

    fn fill_wide(&mut self, to: MemoryOperand, byte: ir::Value, size: u64) {
        let (chunk, body) = widest_chunk(size, to.align);
        let word = self.replicate(byte, chunk.ty);
        let end = self.b.constant(Type::I64, body);
        self.counted_loop(end, chunk.bytes(), |reader, offset| {
            let target = reader.moved(to, offset, chunk.bytes());
            reader.store(target, 0, &vec![word; chunk.lanes]);
        });
        self.fill_unrolled(to, byte, &chunks_from(body, size, to.align));
    }

    fn transfer_operand(&mut self, call: Value<'m>, at: u32) -> Result<MemoryOperand> {
        Ok(MemoryOperand {
            ptr: self.scalar(call.operand(at))?,
            align: call.argument_align(at),
            volatile: call.operand(3).as_int() != Some(0),
            unit: None,
        })
    }

    /// All loads come before the stores, which makes overlapping harmless.
    fn copy_unrolled(&mut self, to: MemoryOperand, from: MemoryOperand, chunks: &[Chunk]) {
        let loaded: Vec<Lanes> = chunks
            .iter()
            .map(|chunk| self.load(from, chunk.offset, chunk.ty, chunk.lanes))
            .collect();
        for (chunk, values) in chunks.iter().zip(loaded) {
            self.store(to, chunk.offset, &values);
        }
    }

    /// A loop of the widest accesses, and the rest unrolled.
    fn copy_wide(&mut self, to: MemoryOperand, from: MemoryOperand, size: u64, align: u32) {
        let (chunk, body) = widest_chunk(size, align);
        let end = self.b.constant(Type::I64, body);
        self.counted_loop(end, chunk.bytes(), |reader, offset| {
            let source = reader.moved(from, offset, chunk.bytes());
            let target = reader.moved(to, offset, chunk.bytes());
            let values = reader.load(source, 0, chunk.ty, chunk.lanes);
            reader.store(target, 0, &values);
        });
        self.copy_unrolled(to, from, &chunks_from(body, size, align));
    }

    fn copy_loop(
        &mut self,
        direction: Direction,
        to: MemoryOperand,
        from: MemoryOperand,
        size: ir::Value,
        bytes: u64,
    ) {
        let backward = (direction == Direction::Any).then(|| {
            let (to, from) = (self.b.as_int(to.ptr), self.b.as_int(from.ptr));
            let last = self.b.binary_constant(BinaryOp::Sub, size, bytes);
            (self.b.compare(Predicate::Ult, from, to), last)
        });
        self.counted_loop(size, bytes, |reader, mut offset| {
            if let Some((backward, last)) = backward {
                let mirrored = reader.b.binary(BinaryOp::Sub, last, offset);
                offset = reader.b.select(backward, mirrored, offset);
            }
            let source = reader.moved(from, offset, bytes);
            let target = reader.moved(to, offset, bytes);
            let word = reader.load(source, 0, element(bytes), 1);
            reader.store(target, 0, &word);
        });
    }

    /// Runs `body` for the offsets 0, `step`, ... below `size`, which is a positive multiple of
    /// `step`.
    fn counted_loop(
        &mut self,
        size: ir::Value,
        step: u64,
        body: impl FnOnce(&mut Self, ir::Value),
    ) {
        let head = self.b.kernel.add_block();
        let offset = self.b.kernel.add_block_param(head, Type::I64);
        let exit = self.b.kernel.add_block();
        let zero = self.b.constant(Type::I64, 0);
        self.b.effect(InstData::Jump(call(head, smallvec![zero])));
        self.b.block = head;
        body(self, offset);
        let next = self.b.binary_constant(BinaryOp::Add, offset, step);
        let cond = self.b.compare(Predicate::Ult, next, size);
        let targets = [call(head, smallvec![next]), call(exit, Lanes::new())];
        self.b.effect(InstData::Branch { cond, targets });
        self.b.block = exit;
    }

    /// Runs `body` unless `size` is zero.
    fn guarded(&mut self, size: ir::Value, body: impl FnOnce(&mut Self)) {
        let cond = self.b.compare_constant(Predicate::Ne, size, 0);
        let inside = self.b.kernel.add_block();
        let after = self.b.kernel.add_block();
        let targets = [call(inside, Lanes::new()), call(after, Lanes::new())];
        self.b.effect(InstData::Branch { cond, targets });
        self.b.block = inside;
        body(self);
        self.b.effect(InstData::Jump(call(after, Lanes::new())));
        self.b.block = after;
    }

    fn moved(&mut self, operand: MemoryOperand, offset: ir::Value, step: u64) -> MemoryOperand {
        MemoryOperand {
            ptr: self.b.offset(operand.ptr, offset),
            align: align_at(operand.align, step),
            volatile: operand.volatile,
            unit: operand.unit,
        }
    }

    /// A word of copies of one byte.
    fn replicate(&mut self, byte: ir::Value, ty: Type) -> ir::Value {
        let pattern = 0x0101_0101_0101_0101 & ty.mask();
        if let Some(bits) = self.b.kernel.constant(byte) {
            return self.b.constant(ty, bits * pattern);
        }
        let word = self.b.resize(byte, ty);
        match pattern {
            1 => word,
            _ => self.b.binary_constant(BinaryOp::Mul, word, pattern),
        }
    }
}

fn element(bytes: u64) -> Type {
    Type::Int(8 * bytes as u8)
}

/// The widest element that the alignment permits and that divides the size.
fn widest_element(size: u64, align: u32) -> u64 {
    u64::from(align.min(8)).min(1 << size.trailing_zeros().min(3))
}

/// The widest access that the alignment permits, and how many bytes of a transfer of more than
/// [`UNROLLED_BYTES`] whole ones cover.
fn widest_chunk(size: u64, align: u32) -> (Chunk, u64) {
    let chunk = Chunk {
        offset: 0,
        ty: element(u64::from(align.min(8))),
        lanes: MAX_LANES,
    };
    (chunk, size - size % chunk.bytes())
}

/// The accesses that transfer the bytes from `start` to `end`: as wide as the alignment permits, in
/// order.
fn chunks_from(start: u64, end: u64, align: u32) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut offset = start;
    for bytes in [8u64, 4, 2, 1] {
        if bytes > u64::from(align) {
            continue;
        }
        while end - offset >= bytes {
            let lanes = ((end - offset) / bytes).min(MAX_LANES as u64);
            chunks.push(Chunk {
                offset,
                ty: element(bytes),
                lanes: lanes as usize,
            });
            offset += lanes * bytes;
        }
    }
    chunks
}

impl Chunk {
    fn bytes(self) -> u64 {
        u64::from(self.ty.bits() / 8) * self.lanes as u64
    }
}
