//! The parser: a kernel's header, then its blocks.
//!
//! Entities are made in the order of the text, which is the compact numbering. What the text calls
//! them matters only within it: instructions first hold the numbers as written, and when all
//! definitions are known, the entities that they stand for.

use std::collections::HashMap;

use super::cursor::{Cursor, Written};
use crate::ir::{Block, Inst, InstData, Kernel, Loc, Object, Type, Value};
use sluice_circuit::text::{ParseError, Pos, Token};

/// Reads the text form of one kernel.
///
/// What it reads is well-formed text, not necessarily a valid kernel:
/// that is for [`verify`](crate::verify::verify).
pub fn parse(source: &str) -> Result<Kernel, ParseError> {
    let mut parser = Parser {
        cursor: Cursor::new(source)?,
        kernel: Kernel::new(String::new()),
        objects: HashMap::new(),
        blocks: HashMap::new(),
        values: HashMap::new(),
        block_uses: Vec::new(),
        value_uses: Vec::new(),
    };
    parser.header()?;
    parser.body()?;
    parser.resolve()?;
    Ok(parser.kernel)
}

pub(super) struct Parser<'s> {
    pub cursor: Cursor<'s>,
    pub kernel: Kernel,
    /// The entities by their numbers in the text.
    pub objects: HashMap<u32, Object>,
    blocks: HashMap<u32, Block>,
    values: HashMap<u32, Value>,
    /// Numbers that need a definition somewhere in the text.
    block_uses: Vec<(u32, Pos)>,
    value_uses: Vec<(u32, Pos)>,
}

/// A value where it is defined.
struct Definition<'s> {
    written: Written<'s>,
    ty: Type,
}

impl<'s> Parser<'s> {
    fn body(&mut self) -> Result<(), ParseError> {
        self.cursor.punct('{')?;
        self.cursor.end_of_line()?;
        while !self.cursor.eat('}') {
            let block = self.label()?;
            while !self.cursor.at_entity('b') && *self.cursor.peek() != Token::Punct('}') {
                self.instruction(block)?;
            }
        }
        self.cursor.end_of_line()?;
        match self.cursor.peek() {
            Token::End => Ok(()),
            _ => Err(self.cursor.expected("the end of the text")),
        }
    }

    /// `b1(v2.i: i32) ivdep:`
    fn label(&mut self) -> Result<Block, ParseError> {
        let (number, pos) = self.cursor.reference('b', "a block label or `}`")?;
        let block = self.kernel.add_block();
        if self.blocks.insert(number, block).is_some() {
            return Err(pos.error(format!("b{number} is defined twice")));
        }
        if self.cursor.eat('(') {
            for definition in self.definitions()? {
                let value = self.kernel.add_block_param(block, definition.ty);
                self.define(&definition.written, value)?;
            }
            self.cursor.punct(')')?;
        }
        self.kernel.block_mut(block).hints = self.hints()?;
        self.cursor.punct(':')?;
        self.cursor.end_of_line()?;
        Ok(block)
    }

    /// `v5.x: f32, v6.y: f32 = load f32x2 v4 align 8 {m0} !4:3`
    fn instruction(&mut self, block: Block) -> Result<(), ParseError> {
        let mut results = Vec::new();
        if self.cursor.at_entity('v') {
            results = self.definitions()?;
            self.cursor.punct('=')?;
        }
        let types: Vec<Type> = results.iter().map(|definition| definition.ty).collect();
        let data = self.operation(&types)?;
        let loc = self.loc()?;
        self.cursor.end_of_line()?;
        let inst = self.kernel.append(block, data, &types, loc);
        for (at, definition) in results.iter().enumerate() {
            let value = self.kernel.results(inst)[at];
            self.define(&definition.written, value)?;
        }
        Ok(())
    }

    fn definitions(&mut self) -> Result<Vec<Definition<'s>>, ParseError> {
        let mut definitions = Vec::new();
        loop {
            let written = self.cursor.entity('v', "a value such as `v0`")?;
            self.cursor.punct(':')?;
            let ty = self.cursor.ty()?;
            definitions.push(Definition { written, ty });
            if !self.cursor.eat(',') {
                return Ok(definitions);
            }
        }
    }

    fn define(&mut self, written: &Written<'_>, value: Value) -> Result<(), ParseError> {
        if let Some(name) = written.name {
            self.kernel.set_value_name(value, name);
        }
        let number = written.number;
        match self.values.insert(number, value) {
            None => Ok(()),
            Some(_) => Err(written.pos.error(format!("v{number} is defined twice"))),
        }
    }

    /// `!line:column`, `!file:line:column` or nothing.
    fn loc(&mut self) -> Result<Loc, ParseError> {
        if !self.cursor.eat('!') {
            return Ok(Loc::default());
        }
        let pos = self.cursor.pos();
        let first: u32 = self.cursor.number("a line")?;
        self.cursor.punct(':')?;
        let second: u32 = self.cursor.number("a column")?;
        let (file, line, column) = match self.cursor.eat(':') {
            true => (first, second, self.cursor.number("a column")?),
            false => (0, first, second),
        };
        let narrow = |number| u16::try_from(number).map_err(|_| too_large(pos, number));
        Ok(Loc {
            file: narrow(file)?,
            line,
            column: narrow(column)?,
        })
    }

    /// A use of a value, as written.
    pub fn value(&mut self) -> Result<Value, ParseError> {
        let (number, pos) = self.cursor.reference('v', "a value such as `v0`")?;
        self.value_uses.push((number, pos));
        Ok(Value::from_u32(number))
    }

    /// A use of a block, as written.
    pub fn block(&mut self) -> Result<Block, ParseError> {
        let (number, pos) = self.cursor.reference('b', "a block such as `b0`")?;
        self.block_uses.push((number, pos));
        Ok(Block::from_u32(number))
    }

    /// A use of an object; the header has defined them all.
    pub fn object(&mut self) -> Result<Object, ParseError> {
        let (number, pos) = self.cursor.reference('m', "an object such as `m0`")?;
        let object = self.objects.get(&number).copied();
        object.ok_or_else(|| undefined(pos, 'm', number))
    }

    /// Replaces values and blocks as written by those that they stand for.
    fn resolve(&mut self) -> Result<(), ParseError> {
        for &(number, pos) in &self.value_uses {
            if !self.values.contains_key(&number) {
                return Err(undefined(pos, 'v', number));
            }
        }
        for &(number, pos) in &self.block_uses {
            if !self.blocks.contains_key(&number) {
                return Err(undefined(pos, 'b', number));
            }
        }
        self.kernel.map_operands(|v| self.values[&v.as_u32()]);
        let insts: Vec<Inst> = self.kernel.insts().map(|(_, inst)| inst).collect();
        for inst in insts {
            for target in InstData::targets_mut(self.kernel.inst_mut(inst)) {
                target.block = self.blocks[&target.block.as_u32()];
            }
        }
        Ok(())
    }
}

pub(super) fn undefined(pos: Pos, prefix: char, number: u32) -> ParseError {
    pos.error(format!("{prefix}{number} is not defined"))
}

fn too_large(pos: Pos, number: u32) -> ParseError {
    pos.error(format!("{number} is too large for a file or column"))
}
