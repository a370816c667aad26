//! The parser: the hints of a loop, behind the parameters of its header.

use super::parse::Parser;
use crate::ir::{Coalesce, Conflict, Independence, LoopHints, Pipelining, Unroll};
use sluice_circuit::text::{ParseError, Token};

impl Parser<'_> {
    /// `ivdep "a" safelen 4 ii 2`
    pub fn hints(&mut self) -> Result<LoopHints, ParseError> {
        let mut hints = LoopHints::default();
        while *self.cursor.peek() != Token::Punct(':') {
            self.hint(&mut hints)?;
        }
        Ok(hints)
    }

    fn hint(&mut self, hints: &mut LoopHints) -> Result<(), ParseError> {
        let what = "`:` or a hint: `ivdep`, `ii`, `pipeline`, `no_pipeline`, `unroll`, `coalesce`, `concurrency` or \
                    `work_items`";
        let pos = self.cursor.pos();
        let name = self.cursor.word(what, Some)?;
        let is_new = match name {
            "ivdep" => {
                let independence = self.independence()?;
                hints.independence.push(independence);
                true
            }
            "ii" => {
                let cycles = self.cursor.number("a number of cycles")?;
                hints.interval.replace(cycles).is_none()
            }
            "pipeline" => hints.pipelining.replace(Pipelining::Wanted).is_none(),
            "no_pipeline" => hints.pipelining.replace(Pipelining::Never).is_none(),
            "unroll" => {
                let unroll = match self.cursor.eat_word("full") {
                    true => Unroll::Full,
                    false => Unroll::By(self.cursor.number("a factor or `full`")?),
                };
                hints.unroll.replace(unroll).is_none()
            }
            "coalesce" => {
                let coalesce = match self.cursor.eat_word("all") {
                    true => Coalesce::All,
                    false => Coalesce::Levels(self.cursor.number("a number of loops or `all`")?),
                };
                hints.coalesce.replace(coalesce).is_none()
            }
            "concurrency" => {
                let most = self.cursor.number("a number of executions")?;
                hints.concurrency.replace(most).is_none()
            }
            "work_items" => !std::mem::replace(&mut hints.work_items, true),
            other => return Err(pos.error(format!("expected {what}, found `{other}`"))),
        };
        match is_new {
            true => Ok(()),
            false => Err(pos.error(format!("`{name}` is given twice"))),
        }
    }

    fn independence(&mut self) -> Result<Independence, ParseError> {
        let mut conflicts = Conflict::ALL.into_iter();
        let conflict = conflicts.find(|it| self.cursor.eat_word(it.name()));
        let array = match self.cursor.peek() {
            Token::Text(_) => Some(self.cursor.text("the name of an array")?),
            _ => None,
        };
        let safe_length = match self.cursor.eat_word("safelen") {
            true => Some(self.cursor.number("a number of iterations")?),
            false => None,
        };
        Ok(Independence {
            array,
            safe_length,
            conflict,
        })
    }
}
