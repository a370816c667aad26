//! Every family's delays and resources, and what operators and units take on it, are what the files
//! in `families` say. `SLUICE_BLESS=1` writes the expected files anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use sluice_circuit::arith::{Format, Signedness, Subnormals};
use sluice_circuit::cost::Cost;
use sluice_circuit::family::memories::{self, Memory};
use sluice_circuit::family::multipliers::Multiplication;
use sluice_circuit::family::{Delays, FAMILIES, Family, Linear};
use sluice_circuit::operators::fma::Fma;
use sluice_circuit::operators::fmul::Fmul;
use sluice_circuit::operators::mul::{Half, Mul};
use sluice_circuit::operators::{self, Operator, Regs};
use sluice_circuit::target::Target;
use sluice_circuit::unit::{Fields, UnitKind};
use sluice_circuit::units;
use sluice_circuit::units::fifo::Fifo;

fn figures(out: &mut String, family: &Family) -> std::fmt::Result {
    let Delays {
        lut,
        dsp,
        register,
        fan_out,
        carry,
        shift,
        lzc,
    } = family.delays;
    let linear = |Linear { base, per_bit }| format!("{base:.3} + {per_bit:.4} per bit");
    writeln!(out, "{}: {}\n", family.name, family.description)?;
    writeln!(out, "{}\n", family.basis())?;
    writeln!(out, "delays in ns, {:?}", family.source)?;
    for (name, delay) in [
        ("lut", lut),
        ("dsp", dsp),
        ("register", register),
        ("fan_out", fan_out),
    ] {
        writeln!(out, "  {name:<9} {delay:.3}")?;
    }
    for (name, delay) in [("carry", carry), ("shift", shift), ("lzc", lzc)] {
        writeln!(out, "  {name:<9} {}", linear(delay))?;
    }
    let resources = &family.resources;
    writeln!(out, "\nresources {}", resources.names().join(", "))?;
    writeln!(
        out,
        "  a multiplier takes {} by {} bits, a block memory has {} kbit",
        family.tile.a, family.tile.b, resources.block_memory_kbits
    )?;
    writeln!(
        out,
        "  {} look-up tables are as scarce as a block memory",
        family.luts_per_block_memory
    )
}

/// The middle one of each operator's samples, and those with multipliers of the family's size.
fn operators(family: &Family) -> Vec<Box<dyn Operator>> {
    let catalog = operators::catalog().into_iter();
    let middles = catalog.filter_map(|(_, samples)| {
        let middle = samples.len() / 2;
        samples.into_iter().nth(middle)
    });
    let (tile, subnormals) = (family.tile, Subnormals::Kept);
    let products: [Box<dyn Operator>; 3] = [
        Box::new(Mul {
            width: 64,
            half: Half::High(Signedness::Signed),
            tile,
        }),
        Box::new(Fmul {
            format: Format::F32,
            tile,
            subnormals,
        }),
        Box::new(Fma {
            format: Format::F64,
            tile,
            subnormals,
        }),
    ];
    middles.chain(products).collect()
}

fn row(out: &mut String, cost: &Cost, what: &str) -> std::fmt::Result {
    for count in cost.counts() {
        write!(out, "{count:>8} ")?;
    }
    writeln!(out, " {what}")
}

fn costs(out: &mut String, family: &'static Family) -> std::fmt::Result {
    let target = Target {
        family,
        period: 5.0,
        grade: 1.0,
    };
    for name in family.resources.names() {
        write!(out, "{name:>8} ")?;
    }
    writeln!(out, " operators at 200 MHz")?;
    for operator in operators(family) {
        let regs = operator.pipeline(&target);
        let path: f64 = operator
            .steps(&target.delays())
            .iter()
            .map(|it| it.delay)
            .sum();
        let mut what = format!("{} ", operator.word());
        operator.print_parameters(&mut what);
        write!(what, ", {path:.3} ns, {} registers", regs.latency())?;
        row(out, &operator.area(regs).cost(family), &what)?;
    }
    writeln!(out, "\n{:>37}units", "")?;
    for (name, samples) in units::catalog() {
        if let Some(unit) = samples.get(samples.len() / 2) {
            row(out, &unit.cost(family), name)?;
        }
    }
    Ok(())
}

#[test]
fn every_family_has_the_delays_and_costs_that_its_file_says() {
    for family in FAMILIES {
        let mut found = String::new();
        figures(&mut found, family).expect("strings take all text");
        found.push('\n');
        costs(&mut found, family).expect("strings take all text");
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/families")
            .join(format!("{}.txt", family.name));
        if env::var_os("SLUICE_BLESS").is_some() {
            fs::write(&path, &found).expect("the file can be written");
        }
        let expected = fs::read_to_string(&path).expect("the file exists");
        assert!(found == expected, "{} is now:\n{found}", family.name);
    }
}

#[test]
fn families_are_listed_by_name_and_found_by_it() {
    assert!(FAMILIES.is_sorted_by(|a, b| a.name < b.name));
    for family in FAMILIES {
        assert_eq!(Family::find(family.name), Some(family));
    }
    assert_eq!(Family::find("spartan_6"), None);
}

/// Every term that units, operators, memories and multiplications may have.
fn terms(family: &'static Family) -> BTreeSet<(&'static str, &'static str)> {
    let units = units::catalog()
        .into_iter()
        .flat_map(|(_, samples)| samples);
    let areas = units.map(|unit| unit.area());
    let operators = operators::catalog().into_iter();
    let operators = operators.flat_map(|(_, samples)| samples);
    let steps = |it: &dyn Operator| Regs::all(it.steps(&family.delays).len());
    let areas = areas.chain(operators.map(|it| it.area(steps(&*it))));
    let terms = areas.flat_map(|area| area.terms(family));
    let terms = terms.map(|term| (term.owner, term.name));
    let memories = memories::TERMS.map(|name| (Memory::OWNER, name));
    let multiplications = [(Multiplication::OWNER, Multiplication::LOGIC)];
    terms.chain(memories).chain(multiplications).collect()
}

#[test]
fn every_table_has_coefficients_for_all_terms_and_no_others() {
    for family in FAMILIES {
        let wanted = terms(family);
        let found: BTreeSet<(&str, &str)> = family.areas.names().collect();
        let missing: Vec<_> = wanted.difference(&found).collect();
        assert!(missing.is_empty(), "{family:?} lacks {missing:?}");
        let unused: Vec<_> = found.difference(&wanted).collect();
        assert!(
            unused.is_empty(),
            "{family:?} has {unused:?}, which nothing uses"
        );
    }
}

#[test]
fn everything_takes_something() {
    for family in FAMILIES {
        // What drops tokens is a wire.
        let units = units::catalog().into_iter();
        for (name, samples) in units.filter(|(name, _)| *name != "discard") {
            for unit in samples {
                let cost = unit.cost(family);
                assert!(
                    cost.logic + cost.registers > 0,
                    "{name} on {family:?}: {unit:?}"
                );
            }
        }
    }
}

#[test]
fn deeper_and_wider_queues_take_more() {
    let cost = |bits: u32, depth: u32, family: &Family| {
        let fields = Fields::new(vec![1; bits as usize]);
        Fifo { fields, depth }.cost(family).counts()
    };
    for family in FAMILIES {
        for depth in [8, 64, 512] {
            let small = cost(8, depth, family);
            let takes_more = |other: [u32; 4]| other.iter().zip(small).any(|(it, than)| *it > than);
            assert!(takes_more(cost(40, depth, family)), "{family:?}");
            assert!(takes_more(cost(8, 4 * depth, family)), "{family:?}");
        }
    }
}

/// What single lines occupy is part of a unit's cost, also after both have been rounded.
#[test]
fn lines_never_occupy_more_than_their_unit() {
    for family in FAMILIES {
        for (name, samples) in units::catalog() {
            for unit in samples {
                let lines: Cost = unit.cost_by_line(family).iter().map(|it| it.1).sum();
                let all = unit.cost(family).counts();
                let parts = lines.counts().into_iter().zip(all);
                assert!(
                    parts.clone().all(|(part, all)| part <= all),
                    "{name} on {family:?}"
                );
            }
        }
    }
}
