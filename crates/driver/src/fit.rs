//! Whether a circuit fits its target, by the cost estimates of its units, and how many datapaths do.

use std::fmt;

use sluice_circuit::circuit::Circuit;
use sluice_circuit::cost::Cost;
use sluice_circuit::family::Resources;
use sluice_kernel::Program;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::Refusal;
use thiserror::Error;

use crate::board::{Board, Chip};
use crate::design::Design;

/// What a circuit uses of one resource of a chip.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Usage {
    /// The resource, as reports name it.
    pub resource: &'static str,
    /// What the circuit uses.
    pub used: u32,
    /// What the chip has.
    pub available: u32,
}

/// Why a design does not fit: the resources that the chip has too few of, the scarcest first.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{datapaths} datapath{} need{} {}", plural(.datapaths), verb(.datapaths), shown(.exceeded, .target))]
pub struct Oversize {
    /// Datapaths of each kernel.
    pub datapaths: u32,
    /// The target's name.
    pub target: String,
    /// At least one.
    pub exceeded: Vec<Usage>,
}

impl Usage {
    /// The share of the chip in percent. Infinite if the chip has nothing of it.
    pub fn percent(&self) -> f64 {
        match self.used {
            0 => 0.0,
            used => 100.0 * f64::from(used) / f64::from(self.available),
        }
    }

    /// Whether the chip has enough.
    pub fn fits(&self) -> bool {
        self.used <= self.available
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.available {
            0 => write!(
                f,
                "{} {}, of which there are none",
                self.used, self.resource
            ),
            // Rounded up: what does not fit never shows as 100 %.
            _ => write!(f, "{:.0} % of the {}", self.percent().ceil(), self.resource),
        }
    }
}

/// What a circuit of this cost, which is that on the board's family, uses of its chip, by resource.
pub fn usage(cost: &Cost, board: &Board) -> [Usage; 4] {
    usage_of(cost.counts(), &board.chip, &board.target.family.resources)
}

/// As [`usage`], for counts in the order of the family's resources.
pub(crate) fn usage_of(used: [u32; 4], chip: &Chip, resources: &Resources) -> [Usage; 4] {
    let &Chip {
        logic,
        registers,
        multipliers,
        block_memories,
    } = chip;
    let available = [logic, registers, multipliers, block_memories];
    let names = resources.names();
    std::array::from_fn(|at| Usage {
        resource: names[at],
        used: used[at],
        available: available[at],
    })
}

/// Checks that a circuit with `datapaths` copies of its pipelines fits the board's chip.
pub fn check(circuit: &Circuit, datapaths: u32, board: &Board) -> Result<(), Oversize> {
    let units = circuit.units().values();
    let cost: Cost = units.map(|unit| unit.kind.cost(board.target.family)).sum();
    check_cost(&cost, datapaths, board)
}

/// As [`check`], for a cost that is known.
pub fn check_cost(cost: &Cost, datapaths: u32, board: &Board) -> Result<(), Oversize> {
    let mut exceeded: Vec<Usage> = usage(cost, board)
        .into_iter()
        .filter(|usage| !usage.fits())
        .collect();
    exceeded.sort_by(|a, b| b.percent().total_cmp(&a.percent()));
    if exceeded.is_empty() {
        return Ok(());
    }
    Err(Oversize {
        datapaths,
        target: board.name.clone(),
        exceeded,
    })
}

/// A program's circuit with as many datapaths as fit its board.
#[derive(Debug)]
pub struct Fitted {
    /// The program as a circuit.
    pub design: Design,
    /// Why it has fewer datapaths than the plan says, if it does.
    pub fewer: Option<String>,
    /// What even one datapath needs too much of.
    pub oversize: Option<Oversize>,
}

impl Fitted {
    /// The circuit of a program, with fewer datapaths than the plan says if as many do not fit.
    pub fn of(program: &Program, board: &Board, plan: &Plan) -> Result<Fitted, Refusal> {
        let kernels = program.kernels().iter();
        let datapaths = kernels.map(|kernel| plan.kernel(&kernel.name).datapaths);
        let mut datapaths = datapaths.max().unwrap_or(1);
        let mut plan = plan.clone();
        let mut why = None;
        loop {
            match Design::of(program.clone(), &board.target, &plan) {
                Ok(design) => match check(design.lowered.circuit(), datapaths, board) {
                    Err(oversize) if datapaths > 1 => {
                        datapaths = fewer(&oversize);
                        why.get_or_insert(oversize.to_string());
                    }
                    fits => {
                        return Ok(Fitted {
                            design,
                            fewer: why,
                            oversize: fits.err(),
                        });
                    }
                },
                // The limits of memory ports and arbiters hold for all datapaths together.
                Err(refusal) if datapaths > 1 => {
                    why.get_or_insert(refusal.to_string());
                    datapaths /= 2;
                }
                Err(refusal) => return Err(refusal),
            }
            plan = plan.with_datapaths(datapaths);
        }
    }
}

/// How many datapaths may fit where more do not: at least one, and fewer than there are.
fn fewer(oversize: &Oversize) -> u32 {
    let percent = oversize.exceeded[0].percent();
    let fitting = f64::from(oversize.datapaths) * 100.0 / percent;
    (fitting as u32).clamp(1, oversize.datapaths - 1)
}

fn plural(datapaths: &u32) -> &'static str {
    if *datapaths == 1 { "" } else { "s" }
}

fn verb(datapaths: &u32) -> &'static str {
    if *datapaths == 1 { "s" } else { "" }
}

fn shown(exceeded: &[Usage], target: &str) -> String {
    let names: Vec<String> = exceeded.iter().map(Usage::to_string).collect();
    let (last, first) = names.split_last().expect("something is exceeded");
    match first {
        [] => format!("{last} of {target}"),
        first => format!("{} and {last} of {target}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board() -> Board {
        Board::find("ecp5-85").expect("it is built in")
    }

    #[test]
    fn a_circuit_within_the_chip_fits() {
        let chip = board().chip;
        let cost = Cost {
            logic: chip.logic,
            registers: chip.registers,
            multipliers: chip.multipliers,
            block_memories: chip.block_memories,
        };
        assert_eq!(check_cost(&cost, 1, &board()), Ok(()));
    }

    #[test]
    fn what_does_not_fit_is_named_with_its_share() {
        let luts = Cost {
            logic: 326_000,
            ..Cost::default()
        };
        let oversize = check_cost(&luts, 16, &board()).expect_err("it is too large");
        assert_eq!(
            oversize.to_string(),
            "16 datapaths need 390 % of the LUT4s of ecp5-85"
        );
        let both = Cost {
            logic: 83_641,
            multipliers: 312,
            ..Cost::default()
        };
        let oversize = check_cost(&both, 1, &board()).expect_err("it is too large");
        assert_eq!(
            oversize.to_string(),
            "1 datapath needs 200 % of the MULT18s and 101 % of the LUT4s of ecp5-85"
        );
    }
}
