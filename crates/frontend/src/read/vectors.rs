//! Instructions that only rearrange lanes: they emit nothing, but for computed indices.

use sluice_kernel::ir::{self, Predicate};

use super::body::{Reader, one};
use super::llvm::{Opcode, Value};
use super::{Lanes, Result, types};

impl<'m> Reader<'m> {
    /// An instruction that picks, replaces or reorders lanes.
    pub fn read_rearrangement(&mut self, opcode: Opcode, value: Value<'m>) -> Result<Lanes> {
        match opcode {
            Opcode::LLVMExtractElement => self.read_extract_element(value),
            Opcode::LLVMInsertElement => self.read_insert_element(value),
            Opcode::LLVMShuffleVector => self.read_shuffle(value),
            Opcode::LLVMExtractValue => {
                let aggregate = self.lanes(value.operand(0))?;
                let range = member(value.operand(0), &value.indices())?;
                Ok(aggregate[range].into())
            }
            Opcode::LLVMInsertValue => {
                let mut aggregate = self.lanes(value.operand(0))?;
                let inserted = self.lanes(value.operand(1))?;
                let range = member(value.operand(0), &value.indices())?;
                aggregate[range].copy_from_slice(&inserted);
                Ok(aggregate)
            }
            other => unreachable!("{other:?} does not rearrange lanes"),
        }
    }

    fn read_extract_element(&mut self, value: Value<'m>) -> Result<Lanes> {
        let vector = self.lanes(value.operand(0))?;
        if let Some(at) = value.operand(1).as_int() {
            // An index beyond the vector gives anything.
            let at = usize::try_from(at).unwrap_or(0);
            return Ok(one(vector.get(at).copied().unwrap_or(vector[0])));
        }
        let index = self.scalar(value.operand(1))?;
        let mut chosen = vector[0];
        for (at, &lane) in vector.iter().enumerate().skip(1) {
            let here = self.is_index(index, at);
            chosen = self.b.select(here, lane, chosen);
        }
        Ok(one(chosen))
    }

    fn read_insert_element(&mut self, value: Value<'m>) -> Result<Lanes> {
        let mut vector = self.lanes(value.operand(0))?;
        let element = self.scalar(value.operand(1))?;
        if let Some(at) = value.operand(2).as_int() {
            if let Some(lane) = usize::try_from(at).ok().and_then(|at| vector.get_mut(at)) {
                *lane = element;
            }
            return Ok(vector);
        }
        let index = self.scalar(value.operand(2))?;
        for (at, lane) in vector.iter_mut().enumerate() {
            let here = self.is_index(index, at);
            *lane = self.b.select(here, element, *lane);
        }
        Ok(vector)
    }

    fn is_index(&mut self, index: ir::Value, at: usize) -> ir::Value {
        self.b.compare_constant(Predicate::Eq, index, at as u64)
    }

    fn read_shuffle(&mut self, value: Value<'m>) -> Result<Lanes> {
        let mut source = self.lanes(value.operand(0))?;
        source.extend(self.lanes(value.operand(1))?);
        let pick = |from: Option<u32>| match from {
            Some(at) => source[at as usize],
            None => self.b.constant_like(source[0], 0),
        };
        Ok(value.shuffle_mask().into_iter().map(pick).collect())
    }
}

/// The lanes of an aggregate's member that `indices` lead to.
fn member(aggregate: Value<'_>, indices: &[u32]) -> Result<std::ops::Range<usize>> {
    let mut ty = aggregate.ty();
    let mut start = 0;
    for &index in indices {
        let (element, before) = types::element(ty, index)?;
        ty = element;
        start += before;
    }
    Ok(start..start + types::lanes(ty)?.len())
}
