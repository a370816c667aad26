//! Instructions: an operation's name and its operands.

use smallvec::SmallVec;

use super::constant::parse_constant;
use super::cursor::type_from_name;
use super::parse::Parser;
use crate::ir::{
    Access, AtomicOp, BinaryOp, BlockCall, CastOp, Elementary, Fences, InstData, MemoryUnit,
    ObjectSet, Predicate, Query, TernaryOp, Type, UnaryOp, Value,
};
use sluice_circuit::text::{ParseError, Token};

impl Parser<'_> {
    /// An instruction's part behind the results, whose types a constant needs.
    pub fn operation(&mut self, results: &[Type]) -> Result<InstData, ParseError> {
        let pos = self.cursor.pos();
        let name = self.cursor.word("an operation", Some)?;
        match name {
            "const" => self.constant(results),
            "arg" => self.argument(),
            "addr" => Ok(InstData::Addr(self.object()?)),
            "select" => {
                let [cond, first, second] = self.operands()?;
                let args = [first, second];
                Ok(InstData::Select { cond, args })
            }
            "ptradd" => {
                let [base, offset] = self.operands()?;
                Ok(InstData::PtrAdd { base, offset })
            }
            "in_space" => {
                let space = self.cursor.space()?;
                let [ptr] = self.operands()?;
                Ok(InstData::InSpace { space, ptr })
            }
            "load" => self.load(),
            "store" => self.store(),
            "atomic" => self.atomic(),
            "cmpxchg" => self.cmpxchg(),
            "barrier" => Ok(InstData::Barrier(self.fences())),
            "fence" => Ok(InstData::Fence(self.fences())),
            "printf" => self.printf(),
            "jump" => Ok(InstData::Jump(self.block_call()?)),
            "branch" => self.branch(),
            "return" => Ok(InstData::Return),
            _ => match self.table_operation(name)? {
                Some(data) => Ok(data),
                None => Err(pos.error(format!("`{name}` is not an operation"))),
            },
        }
    }

    /// The operations that are rows of a table.
    fn table_operation(&mut self, name: &str) -> Result<Option<InstData>, ParseError> {
        Ok(Some(if let Some(op) = UnaryOp::from_name(name) {
            let [arg] = self.operands()?;
            InstData::Unary { op, arg }
        } else if let Some(op) = BinaryOp::from_name(name) {
            let args = self.operands()?;
            InstData::Binary { op, args }
        } else if let Some(op) = TernaryOp::from_name(name) {
            let args = self.operands()?;
            InstData::Ternary { op, args }
        } else if let Some(op) = Elementary::from_name(name) {
            let args = match op {
                Elementary::One(..) => self.operands::<1>()?.as_slice().into(),
                Elementary::Two(..) => self.operands::<2>()?.as_slice().into(),
            };
            InstData::Elementary { op, args }
        } else if let Some(pred) = Predicate::from_name(name) {
            let args = self.operands()?;
            InstData::Compare { pred, args }
        } else if let Some(op) = CastOp::from_name(name) {
            let [arg] = self.operands()?;
            InstData::Cast { op, arg }
        } else if let Some(query) = Query::from_name(name) {
            let dim = self.cursor.number("a dimension")?;
            InstData::Query { query, dim }
        } else {
            return Ok(None);
        }))
    }

    fn operands<const N: usize>(&mut self) -> Result<[Value; N], ParseError> {
        let mut operands = [Value::from_u32(0); N];
        for (at, operand) in operands.iter_mut().enumerate() {
            if at > 0 {
                self.cursor.punct(',')?;
            }
            *operand = self.value()?;
        }
        Ok(operands)
    }

    /// `, v1, v2` until something else follows.
    fn more_operands(&mut self) -> Result<SmallVec<[Value; 4]>, ParseError> {
        let mut operands = SmallVec::new();
        while self.cursor.eat(',') {
            operands.push(self.value()?);
        }
        Ok(operands)
    }

    fn constant(&mut self, results: &[Type]) -> Result<InstData, ParseError> {
        let (Token::Number(text) | Token::Word(text)) = *self.cursor.peek() else {
            return Err(self.cursor.expected("a constant"));
        };
        // Without a type of its own, the constant is bare bits.
        let ty = match results {
            [ty] => *ty,
            _ => Type::I64,
        };
        let pos = self.cursor.pos();
        let bits = parse_constant(ty, text).map_err(|message| pos.error(message))?;
        self.cursor.advance();
        Ok(InstData::Const(bits))
    }

    /// `2` or `2.3`, which the lexer takes for a decimal.
    fn argument(&mut self) -> Result<InstData, ParseError> {
        let what = "a parameter's index, `.` and a lane if it is a vector";
        let read = match *self.cursor.peek() {
            Token::Number(text) => {
                let (param, lane) = text.split_once('.').unwrap_or((text, "0"));
                param.parse().ok().zip(lane.parse().ok())
            }
            _ => None,
        };
        let (param, lane) = read.ok_or_else(|| self.cursor.expected(what))?;
        self.cursor.advance();
        Ok(InstData::Arg { param, lane })
    }

    /// `load f32x2 v4 align 8 {m0}`, and ` if v7` for one with a guard.
    fn load(&mut self) -> Result<InstData, ParseError> {
        let access = self.access()?;
        Ok(InstData::Load {
            ptr: self.value()?,
            access: Access {
                align: self.align()?,
                ..access
            },
            objects: self.object_set()?,
            guard: self.guard()?,
        })
    }

    /// `store f32x2 v4, v5, v6 align 8 {m0}`
    fn store(&mut self) -> Result<InstData, ParseError> {
        let access = self.access()?;
        Ok(InstData::Store {
            ptr: self.value()?,
            values: self.more_operands()?,
            access: Access {
                align: self.align()?,
                ..access
            },
            objects: self.object_set()?,
            guard: self.guard()?,
        })
    }

    /// `volatile stream lag 4 f32x2`; the alignment stands behind the operands.
    fn access(&mut self) -> Result<Access, ParseError> {
        let volatile = self.cursor.eat_word("volatile");
        let mut units = MemoryUnit::ALL.into_iter();
        let unit = units.find(|unit| self.cursor.eat_word(unit.name()));
        let lag = match self.cursor.eat_word("lag") {
            true => self.cursor.number("a number of iterations")?,
            false => 0,
        };
        let (ty, lanes) = self
            .cursor
            .word("a type such as `f32` or `f32x4`", |word| {
                let (ty, lanes) = word.rsplit_once('x').unwrap_or((word, "1"));
                type_from_name(ty).zip(lanes.parse().ok())
            })?;
        Ok(Access {
            ty,
            lanes,
            align: 0,
            volatile,
            unit,
            lag,
        })
    }

    fn object_set(&mut self) -> Result<ObjectSet, ParseError> {
        self.cursor.punct('{')?;
        let mut objects = ObjectSet::default();
        if self.cursor.eat('}') {
            return Ok(objects);
        }
        loop {
            objects.insert(self.object()?);
            if !self.cursor.eat(',') {
                self.cursor.punct('}')?;
                return Ok(objects);
            }
        }
    }

    /// `if v7`, or nothing.
    fn guard(&mut self) -> Result<Option<Value>, ParseError> {
        match self.cursor.eat_word("if") {
            true => self.value().map(Some),
            false => Ok(None),
        }
    }

    fn atomic(&mut self) -> Result<InstData, ParseError> {
        let op = self
            .cursor
            .word("an atomic operation", AtomicOp::from_name)?;
        let [ptr, value] = self.operands()?;
        Ok(InstData::AtomicRmw {
            op,
            ptr,
            value,
            objects: self.object_set()?,
            guard: self.guard()?,
        })
    }

    fn cmpxchg(&mut self) -> Result<InstData, ParseError> {
        let [ptr, expected, new] = self.operands()?;
        Ok(InstData::CmpXchg {
            ptr,
            expected,
            new,
            objects: self.object_set()?,
            guard: self.guard()?,
        })
    }

    fn fences(&mut self) -> Fences {
        Fences {
            local: self.cursor.eat_word("local"),
            global: self.cursor.eat_word("global"),
        }
    }

    fn printf(&mut self) -> Result<InstData, ParseError> {
        let format = self.cursor.text("a format string")?.into();
        let args = self.more_operands()?;
        Ok(InstData::Printf { format, args })
    }

    /// `b1(v2, v3)`
    fn block_call(&mut self) -> Result<BlockCall, ParseError> {
        let block = self.block()?;
        let mut args = SmallVec::new();
        if self.cursor.eat('(') && !self.cursor.eat(')') {
            args.push(self.value()?);
            args.extend(self.more_operands()?);
            self.cursor.punct(')')?;
        }
        Ok(BlockCall { block, args })
    }

    fn branch(&mut self) -> Result<InstData, ParseError> {
        let cond = self.value()?;
        self.cursor.punct(',')?;
        let first = self.block_call()?;
        self.cursor.punct(',')?;
        let second = self.block_call()?;
        let targets = [first, second];
        Ok(InstData::Branch { cond, targets })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_has_a_name_of_its_own() {
        let mut names: Vec<&str> = vec![
            "const", "arg", "addr", "select", "ptradd", "load", "store", "atomic", "cmpxchg",
            "barrier", "fence", "printf", "jump", "branch", "return",
        ];
        names.extend(UnaryOp::ALL.iter().map(|op| op.name()));
        names.extend(BinaryOp::ALL.iter().map(|op| op.name()));
        names.extend(TernaryOp::ALL.iter().map(|op| op.name()));
        names.extend(Predicate::ALL.iter().map(|op| op.name()));
        names.extend(CastOp::ALL.iter().map(|op| op.name()));
        names.extend(Query::ALL.iter().map(|op| op.name()));
        let elementary: Vec<String> = Elementary::all().map(|op| op.to_string()).collect();
        names.extend(elementary.iter().map(String::as_str));
        names.sort_unstable();
        let mut distinct = names.clone();
        distinct.dedup();
        assert_eq!(names, distinct);
    }
}
