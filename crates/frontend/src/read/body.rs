//! A kernel's body: blocks in reverse postorder, phis as block parameters, terminators.

use std::collections::HashMap;

use sluice_kernel::Kernel;
use sluice_kernel::ir::{self, BlockCall, InstData, Loc, Object, Predicate};
use smallvec::{SmallVec, smallvec};

use super::builder::Builder;
use super::llvm::{self, Module, Opcode, ValueKind};
use super::names::Names;
use super::refusal::{Code, Refusal};
use super::variables::ProgramVariables;
use super::{Lanes, Result, types};
use super::{loops, metadata};
use crate::choices::Contraction;
use crate::diagnostics::Location;
use crate::hints::SourceHint;

/// Translates one kernel function to a [`Kernel`].
pub struct Reader<'m> {
    pub module: Module<'m>,
    pub function: llvm::Value<'m>,
    pub contraction: Contraction,
    pub variables: &'m ProgramVariables<'m>,
    pub b: Builder,
    /// The lanes of the values read so far.
    pub values: HashMap<llvm::Value<'m>, Lanes>,
    /// The objects of the global variables used so far.
    pub globals: HashMap<llvm::Value<'m>, Object>,
    /// The object of the program's variables, if the kernel uses them.
    pub variables_object: Option<Object>,
    /// The local memory with one slot per work-item, by the slot's size in bytes.
    pub per_item: HashMap<u64, Object>,
    /// The variables whose addresses are in constant tables: their numbers there are one higher.
    pub targets: Vec<llvm::Value<'m>>,
    blocks: HashMap<llvm::Block<'m>, ir::Block>,
    pub names: Names<'m>,
}

impl<'m> Reader<'m> {
    /// A reader of one kernel function.
    pub fn new(
        module: Module<'m>,
        function: llvm::Value<'m>,
        contraction: Contraction,
        variables: &'m ProgramVariables<'m>,
    ) -> Reader<'m> {
        Reader {
            module,
            function,
            contraction,
            variables,
            b: Builder::new(Kernel::new(function.name())),
            values: HashMap::new(),
            globals: HashMap::new(),
            variables_object: None,
            per_item: HashMap::new(),
            targets: Vec::new(),
            blocks: HashMap::new(),
            names: Names::of(function),
        }
    }

    /// Reads parameters and body.
    pub fn read(mut self, hints: &[SourceHint]) -> Result<Kernel> {
        if let Some(location) = metadata::function_location(self.function) {
            self.file(&location.file);
        }
        self.number_targets();
        self.read_interface()?;
        let order = reverse_postorder(self.function);
        self.make_blocks(&order)?;
        for &block in &order {
            self.read_block(block)?;
        }
        self.read_hints(&order, hints);
        self.add_variables_param();
        Ok(self.b.finish())
    }

    /// Makes the IR blocks and their parameters.
    fn make_blocks(&mut self, order: &[llvm::Block<'m>]) -> Result<()> {
        self.blocks.insert(order[0], self.b.kernel.entry());
        for &block in &order[1..] {
            let made = self.b.kernel.add_block();
            self.blocks.insert(block, made);
            for phi in block.phis() {
                let mut lanes = Lanes::new();
                for ty in types::lanes(phi.ty())? {
                    lanes.push(self.b.kernel.add_block_param(made, ty));
                }
                self.define(phi, lanes);
            }
        }
        Ok(())
    }

    /// Gives the headers of loops what the source says about them.
    fn read_hints(&mut self, order: &[llvm::Block<'m>], hints: &[SourceHint]) {
        let positions: HashMap<llvm::Block<'m>, usize> =
            order.iter().enumerate().map(|(at, &it)| (it, at)).collect();
        for (at, block) in order.iter().enumerate() {
            // A back edge goes to the header; of two loops with one latch, the inner one is meant.
            let targets = block.successors().into_iter();
            let targets = targets.filter_map(|it| positions.get(&it).copied());
            if let Some(header) = targets.filter(|&it| it <= at).max() {
                let found = loops::hints(block.terminator(), hints);
                let header = self.blocks[&order[header]];
                if !found.is_empty() {
                    self.b.kernel.block_mut(header).hints = found;
                }
            }
        }
    }

    fn read_block(&mut self, block: llvm::Block<'m>) -> Result<()> {
        self.b.block = self.blocks[&block];
        for instruction in block.instructions() {
            if instruction.opcode() == Some(Opcode::LLVMPHI) {
                continue;
            }
            let location = metadata::instruction_location(instruction);
            self.b.loc = self.loc(location.as_ref());
            self.read_instruction(block, instruction)
                .map_err(|refusal| refusal.at(location))?;
        }
        Ok(())
    }

    fn read_instruction(
        &mut self,
        block: llvm::Block<'m>,
        instruction: llvm::Value<'m>,
    ) -> Result<()> {
        match instruction.opcode().expect("instructions have opcodes") {
            Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMRet | Opcode::LLVMUnreachable => {
                self.read_terminator(block, instruction)
            }
            opcode => {
                let lanes = self.read_operation(opcode, instruction)?;
                self.define(instruction, lanes);
                Ok(())
            }
        }
    }

    fn read_terminator(
        &mut self,
        block: llvm::Block<'m>,
        terminator: llvm::Value<'m>,
    ) -> Result<()> {
        let successors = block.successors();
        match terminator.opcode() {
            Some(Opcode::LLVMBr) if terminator.is_conditional() => {
                let cond = self.scalar(terminator.operand(0))?;
                let targets = [
                    self.edge(block, successors[0])?,
                    self.edge(block, successors[1])?,
                ];
                self.b.effect(InstData::Branch { cond, targets });
            }
            Some(Opcode::LLVMBr) => {
                let target = self.edge(block, successors[0])?;
                self.b.effect(InstData::Jump(target));
            }
            Some(Opcode::LLVMSwitch) => self.read_switch(block, terminator)?,
            // Only a return and what can never run are left.
            _ => self.b.effect(InstData::Return),
        }
        Ok(())
    }

    /// A switch becomes a chain of comparisons.
    fn read_switch(&mut self, block: llvm::Block<'m>, switch: llvm::Value<'m>) -> Result<()> {
        let cond = self.scalar(switch.operand(0))?;
        let default = switch.operand(1).as_block();
        for case in (2..switch.num_operands()).step_by(2) {
            let value = self.scalar(switch.operand(case))?;
            let equal = self.b.compare(Predicate::Eq, cond, value);
            let next = self.b.kernel.add_block();
            let targets = [
                self.edge(block, switch.operand(case + 1).as_block())?,
                call(next, Lanes::new()),
            ];
            let cond = equal;
            self.b.effect(InstData::Branch { cond, targets });
            self.b.block = next;
        }
        let target = self.edge(block, default)?;
        self.b.effect(InstData::Jump(target));
        Ok(())
    }

    /// The jump from one block to another, with the values of the target's phis.
    fn edge(&mut self, from: llvm::Block<'m>, to: llvm::Block<'m>) -> Result<BlockCall> {
        let mut args = Lanes::new();
        for phi in to.phis() {
            args.extend(self.lanes(phi.incoming(from))?);
        }
        Ok(call(self.blocks[&to], args))
    }

    /// Records the lanes of a value and names them.
    fn define(&mut self, value: llvm::Value<'m>, lanes: Lanes) {
        if let Some(name) = self.names.of_value(value) {
            for (at, &lane) in lanes.iter().enumerate() {
                if self.b.kernel.value_name(lane).is_none() && !self.is_shared(lane) {
                    let lane_name = match lanes.len() {
                        1 => name.clone(),
                        _ => format!("{name}_{at}"),
                    };
                    self.b.kernel.set_value_name(lane, &lane_name);
                }
            }
        }
        self.values.insert(value, lanes);
    }

    /// Whether a value may represent several source values: constants, arguments and addresses are
    /// emitted once for all their uses.
    fn is_shared(&self, value: ir::Value) -> bool {
        matches!(
            self.b.kernel.def_inst(value),
            Some(InstData::Const(_) | InstData::Arg { .. } | InstData::Addr(_))
        )
    }

    /// The lanes of an operand.
    pub fn lanes(&mut self, value: llvm::Value<'m>) -> Result<Lanes> {
        if !matches!(value.kind(), ValueKind::Instruction | ValueKind::Argument) {
            return self.constant_lanes(value);
        }
        let lanes = self.values.get(&value);
        Ok(lanes
            .expect("reverse postorder: operands are read before their uses")
            .clone())
    }

    /// The single lane of a scalar operand.
    pub fn scalar(&mut self, value: llvm::Value<'m>) -> Result<ir::Value> {
        match self.lanes(value)?[..] {
            [lane] => Ok(lane),
            _ => Err(types::unsupported(value.ty())),
        }
    }

    /// An instruction or constant expression that computes a value.
    pub fn read_operation(&mut self, opcode: Opcode, value: llvm::Value<'m>) -> Result<Lanes> {
        use Opcode::*;
        match opcode {
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMAnd
            | LLVMOr | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr | LLVMFAdd | LLVMFSub | LLVMFMul
            | LLVMFDiv => self.read_binary(opcode, value),
            LLVMFNeg => self.read_unary(ir::UnaryOp::FNeg, value),
            LLVMTrunc | LLVMZExt | LLVMSExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMFPTrunc | LLVMFPExt | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast
            | LLVMAddrSpaceCast => self.read_cast(opcode, value),
            LLVMICmp => self.read_int_compare(value),
            LLVMFCmp => self.read_float_compare(value),
            LLVMSelect => self.read_select(value),
            LLVMFreeze => self.lanes(value.operand(0)),
            LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector | LLVMExtractValue
            | LLVMInsertValue => self.read_rearrangement(opcode, value),
            LLVMGetElementPtr => self.read_element_pointer(value),
            LLVMAlloca => self.read_alloca(value),
            LLVMLoad => self.read_load(value),
            LLVMStore => self.read_store(value),
            LLVMAtomicRMW => self.read_atomic_update(value),
            LLVMAtomicCmpXchg => self.read_compare_exchange(value),
            LLVMFence => self.read_fence(),
            LLVMCall => self.read_call(value),
            _ => Err(Refusal::new(
                Code::UnsupportedOperation,
                format!("this cannot become hardware: `{}`", value.text()),
            )),
        }
    }

    fn loc(&mut self, location: Option<&Location>) -> Loc {
        location.map_or(Loc::default(), |location| Loc {
            file: self.file(&location.file),
            line: location.line,
            column: u16::try_from(location.column).unwrap_or(0),
        })
    }

    fn file(&mut self, name: &str) -> u16 {
        let files = &mut self.b.kernel.files;
        let at = files.iter().position(|file| file == name);
        let at = at.unwrap_or_else(|| {
            files.push(name.to_owned());
            files.len() - 1
        });
        u16::try_from(at).expect("a kernel's code comes from fewer than 65536 files")
    }
}

/// A jump's target.
pub fn call(block: ir::Block, args: SmallVec<[ir::Value; 4]>) -> BlockCall {
    BlockCall { block, args }
}

/// A value as a list of one lane.
pub fn one(value: ir::Value) -> Lanes {
    smallvec![value]
}

/// The blocks that can be reached, each after the blocks that dominate it; of a branch's two sides
/// the first comes first.
fn reverse_postorder(function: llvm::Value<'_>) -> Vec<llvm::Block<'_>> {
    let entry = function.blocks().next().expect("kernels have a body");
    let mut order = Vec::new();
    let mut seen = std::collections::HashSet::from([entry]);
    let mut stack = vec![(entry, entry.successors())];
    while let Some((block, pending)) = stack.last_mut() {
        match pending.pop() {
            Some(next) if seen.insert(next) => stack.push((next, next.successors())),
            Some(_) => {}
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
