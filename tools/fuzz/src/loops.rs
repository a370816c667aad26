//! Checks that transformations of loops keep what kernels compute.

use std::collections::BTreeMap;
use std::fmt;

use sluice_generator::{Program, Random};
use sluice_kernel::analysis::{Cfg, Dominators, Loops};
use sluice_kernel::interp::{self, Checks};
use sluice_kernel::ir::{Block, Kernel};
use sluice_kernel::launch::{Launch, Memory};
use sluice_kernel::loops::{TRANSFORMATIONS, Transformation};
use sluice_kernel::passes;
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::order;
use sluice_kernel::program::Optimised;
use sluice_kernel::structure;
use sluice_kernel::verify::verify;

use crate::{Finding, bind, compile};

/// Transformations of a random sequence.
const SEQUENCE: usize = 8;

/// How often each transformation was applied, and why it was not.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// By name.
    pub applied: BTreeMap<&'static str, u64>,
    /// By name and reason.
    pub refused: BTreeMap<(&'static str, String), u64>,
}

impl Applied {
    /// Adds those of another kernel.
    pub fn add(&mut self, other: &Applied) {
        for (&name, count) in &other.applied {
            *self.applied.entry(name).or_default() += count;
        }
        for (key, count) in &other.refused {
            *self.refused.entry(key.clone()).or_default() += count;
        }
    }

    /// How often a transformation was applied.
    pub fn count(&self, name: &str) -> u64 {
        self.applied.get(name).copied().unwrap_or(0)
    }
}

impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in &self.applied {
            writeln!(f, "{name} was applied to {count} loops")?;
        }
        for ((name, reason), count) in &self.refused {
            writeln!(f, "{name} was refused for {count}: {reason}")?;
        }
        Ok(())
    }
}

/// Applies each transformation wherever it may be, then random sequences of them, and compares results.
pub fn check_kernel(
    kernel: &Optimised,
    seed: u64,
    launch: impl Fn() -> (Launch, Memory),
) -> Result<Applied, String> {
    let (given, memory) = launch();
    let plan = Plan::for_launch(&given, &memory);
    // Buffers of the launch may be the same: what moves accesses relies on their objects.
    let prepared = order::kernel_after(kernel, &plan, "assume_aliasing").expect("a step");
    let mut original = prepared.map_err(|refusal| refusal.to_string())?.kernel;
    let _ = structure::prepare(&mut original);
    let expected = results(&original, &launch)?;
    let mut applied = Applied::default();
    let compare = |kernel: &Kernel, names: &[&str]| {
        let fault = |what: String| format!("{}: {what}\n{original}{kernel}", names.join(", "));
        match results(kernel, &launch).map_err(fault)? == expected {
            true => Ok(()),
            false => Err(fault("other results".into())),
        }
    };
    for transformation in TRANSFORMATIONS {
        let mut kernel = original.clone();
        if apply_everywhere(&mut kernel, transformation, &mut applied)? {
            compare(&kernel, &[transformation.name])?;
        }
    }
    let mut random = Random::new(seed);
    let mut kernel = original.clone();
    let mut names = Vec::new();
    for _ in 0..SEQUENCE {
        let transformation = random.pick(TRANSFORMATIONS);
        if apply_everywhere(&mut kernel, &transformation, &mut applied)? {
            names.push(transformation.name);
        }
        if random.percent(25) {
            kernel = Kernel::clone(&passes::optimise(kernel));
            let _ = structure::prepare(&mut kernel);
            names.push("optimise");
        }
    }
    compare(&kernel, &names)?;
    Ok(applied)
}

/// Checks a random program.
pub fn check_program(program: &Program, seed: u64) -> Result<Applied, Finding> {
    let Some(kernel) = compile(program)? else {
        return Ok(Applied::default());
    };
    let kernel = passes::optimise(kernel);
    let launch = || {
        let mut session = bind(&kernel, program);
        (session.launches.remove(0), session.memory)
    };
    check_kernel(&kernel, seed, launch).map_err(Finding::Claim)
}

/// Applies a transformation to all loops, inner ones first. Says whether there was one that it could be applied to.
fn apply_everywhere(
    kernel: &mut Kernel,
    transformation: &Transformation,
    applied: &mut Applied,
) -> Result<bool, String> {
    let name = transformation.name;
    let mut is_changed = false;
    for header in headers(kernel).into_iter().rev() {
        if !kernel.layout().contains(&header) {
            continue;
        }
        let before = kernel.clone();
        match (transformation.run)(kernel, header) {
            Ok(()) => {
                is_changed = true;
                *applied.applied.entry(name).or_default() += 1;
                verify(kernel)
                    .map_err(|errors| format!("{name} {header}: {errors}\n{before}{kernel}"))?;
            }
            Err(_) if *kernel != before => {
                return Err(format!("{name} {header} changes the kernel and refuses"));
            }
            Err(refused) => {
                let key = (name, refused.reason.into_owned());
                *applied.refused.entry(key).or_default() += 1;
            }
        }
    }
    Ok(is_changed)
}

fn headers(kernel: &Kernel) -> Vec<Block> {
    let cfg = Cfg::of(kernel);
    let loops = Loops::of(kernel, &cfg, &Dominators::of(kernel, &cfg));
    loops.iter().map(|(_, data)| data.header).collect()
}

fn results(
    kernel: &Kernel,
    launch: &impl Fn() -> (Launch, Memory),
) -> Result<Vec<Vec<u8>>, String> {
    let (launch, memory) = launch();
    let options = interp::Options {
        checks: Checks::ALL,
        ..interp::Options::default()
    };
    interp::run(kernel, &launch, &memory, &options).map_err(|fault| fault.to_string())?;
    let buffers = memory.buffers();
    Ok(buffers.map(|(_, buffer)| buffer.to_bytes()).collect())
}
