//! `sluice-calibrate forget`: removes areas from the files of measurements that no estimate needs any
//! more, because no kernel has such a unit as it is now.

use std::collections::BTreeSet;
use std::error::Error;

use sluice_circuit::family::FAMILIES;

use crate::kernels;
use crate::measure::{Measurer, Unmeasured};
use crate::samples;

/// Forgets what no kernel has, for all families.
pub fn run() -> Result<(), Box<dyn Error>> {
    let (fitted, held_out) = (kernels::fitted()?, kernels::held_out()?);
    let tables: BTreeSet<&str> = FAMILIES.iter().map(|it| it.areas_file).collect();
    for table in tables {
        let mut kept = Measurer::kept(table)?;
        for family in FAMILIES.iter().filter(|it| it.areas_file == table) {
            let board = kernels::board(family)?;
            let mut measurer = Measurer::with(board.target, kept, Unmeasured::Skipped)?;
            let units = kernels::distinct(&fitted, &board);
            measurer.measure(samples::all(units, &board.target))?;
            for (_, program) in &held_out {
                measurer.measure(kernels::units(program, &board, 1)?)?;
            }
            kept = measurer.kept;
        }
        kept.forget_others()?;
    }
    Ok(())
}
