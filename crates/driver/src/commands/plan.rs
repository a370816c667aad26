//! `sluice plan`: what is chosen for circuits where nothing else is asked for.

use crate::board::Board;
use crate::cli::PlanCommandArgs;
use crate::compile::compile;
use crate::failure::Failure;
use crate::output::{Output, warn};
use crate::plan::default_rules;

pub(super) fn plan(args: &PlanCommandArgs, output: &Output) -> Result<(), Failure> {
    let board = Board::find(&args.target)?;
    let compiled = compile(&args.compile)?;
    warn(&compiled.warnings);
    output.show(default_rules(&compiled.program, &board));
    Ok(())
}
