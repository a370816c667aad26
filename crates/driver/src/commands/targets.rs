//! `sluice targets`: what circuits can be built for.

use crate::board::Board;
use crate::failure::Failure;
use crate::output::Output;

pub(super) fn targets(output: &Output) -> Result<(), Failure> {
    output.line(format_args!(
        "{:<12} {:>5} {:>14} {:>13} {:>12} {:>6}  board",
        "target", "MHz", "logic", "multipliers", "memories", "GB/s"
    ));
    for name in Board::names() {
        let board = Board::find(name)?;
        let (chip, names) = (&board.chip, &board.target.family.resources);
        let bandwidth = f64::from(board.timing.bytes_per_cycle) * board.mhz / 1000.0;
        let logic = format!("{} {}", chip.logic, names.logic);
        let multipliers = format!("{} {}", chip.multipliers, names.multipliers);
        let memories = format!("{} {}", chip.block_memories, names.block_memories);
        output.line(format_args!(
            "{name:<12} {:>5} {logic:>14} {multipliers:>13} {memories:>12} {bandwidth:>6.1}  {}",
            board.mhz, board.description
        ));
    }
    Ok(())
}
