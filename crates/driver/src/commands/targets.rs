//! `sluice targets`: what circuits can be built for.

use crate::board::Board;
use crate::failure::Failure;
use crate::output::Output;

pub(super) fn targets(output: &Output) -> Result<(), Failure> {
    output.line(format_args!(
        "{:<12} {:>5} {:>9} {:>6} {:>7} {:>6}  board",
        "target", "MHz", "LUTs", "DSPs", "BRAMs", "GB/s"
    ));
    for name in Board::names() {
        let board = Board::find(name)?;
        let chip = &board.chip;
        let bandwidth = f64::from(board.timing.bytes_per_cycle) * board.mhz / 1000.0;
        output.line(format_args!(
            "{name:<12} {:>5} {:>9} {:>6} {:>7} {bandwidth:>6.1}  {}",
            board.mhz, chip.luts, chip.multipliers, chip.block_memories, board.description
        ));
    }
    Ok(())
}
