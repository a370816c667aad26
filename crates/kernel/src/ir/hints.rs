//! Hints: what the source asks for or promises about a loop.

use std::fmt::{self, Display, Formatter};

/// What the source says about the loop that a block is the header of. A block that heads no loop any more
/// may still have hints: they mean nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopHints {
    /// `#pragma ivdep`: promises that iterations do not depend on each other through memory.
    pub independence: Vec<Independence>,
    /// `#pragma ii`, or `xcl_pipeline_loop` with a number: cycles between the starts of iterations.
    pub interval: Option<u32>,
    /// Whether iterations are to overlap.
    pub pipelining: Option<Pipelining>,
    /// How far the loop is to be unrolled, if LLVM has not done so.
    pub unroll: Option<Unroll>,
    /// `#pragma loop_coalesce`: how many nested loops are to become one.
    pub coalesce: Option<Coalesce>,
    /// `#pragma max_concurrency`: executions of the loop that are under way at a time, at most; 0 is no limit.
    pub concurrency: Option<u32>,
    /// `xcl_pipeline_workitems`: work-items are to overlap in the loop.
    pub work_items: bool,
}

/// A promise that a loop carries no dependences through memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Independence {
    /// The name of the memory object that it is about; all of them if absent.
    pub array: Option<String>,
    /// Dependences have at least this distance; there are none if absent.
    pub safe_length: Option<u32>,
    /// The only kind of dependences that it is about; all of them if absent. The source never says one.
    pub conflict: Option<Conflict>,
}

/// What two accesses of one place in memory do there, the earlier one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Conflict {
    /// A write, then a read.
    Flow,
    /// A read, then a write.
    Anti,
    /// Two writes.
    Output,
}

impl Conflict {
    /// All of them.
    pub const ALL: [Conflict; 3] = [Conflict::Flow, Conflict::Anti, Conflict::Output];

    /// What texts call it.
    pub fn name(self) -> &'static str {
        match self {
            Conflict::Flow => "flow",
            Conflict::Anti => "anti",
            Conflict::Output => "output",
        }
    }
}

/// Whether the iterations of a loop are to overlap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pipelining {
    /// `xcl_pipeline_loop`.
    Wanted,
    /// `#pragma disable_loop_pipelining`.
    Never,
}

/// How far a loop is to be unrolled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unroll {
    /// By this factor.
    By(u32),
    /// Completely.
    Full,
}

/// How many nested loops are to become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coalesce {
    /// All of them.
    All,
    /// This number of them.
    Levels(u32),
}

impl LoopHints {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == LoopHints::default()
    }
}

impl Display for LoopHints {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.independence.iter().map(|it| it.to_string()).collect();
        parts.extend(self.interval.map(|cycles| format!("ii {cycles}")));
        parts.extend(self.pipelining.map(|it| match it {
            Pipelining::Wanted => "pipeline".to_owned(),
            Pipelining::Never => "no_pipeline".to_owned(),
        }));
        parts.extend(self.unroll.map(|it| match it {
            Unroll::By(factor) => format!("unroll {factor}"),
            Unroll::Full => "unroll full".to_owned(),
        }));
        parts.extend(self.coalesce.map(|it| match it {
            Coalesce::All => "coalesce all".to_owned(),
            Coalesce::Levels(levels) => format!("coalesce {levels}"),
        }));
        parts.extend(self.concurrency.map(|it| format!("concurrency {it}")));
        parts.extend(self.work_items.then(|| "work_items".to_owned()));
        f.write_str(&parts.join(" "))
    }
}

impl Display for Independence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("ivdep")?;
        if let Some(conflict) = self.conflict {
            write!(f, " {}", conflict.name())?;
        }
        if let Some(array) = &self.array {
            write!(f, " {array:?}")?;
        }
        match self.safe_length {
            Some(length) => write!(f, " safelen {length}"),
            None => Ok(()),
        }
    }
}
