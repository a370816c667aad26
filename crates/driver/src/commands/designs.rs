//! The designs that `sluice build` and `sluice synth` make of a file.

use sluice_circuit::verilog::distinct;
use sluice_kernel::Program;
use sluice_kernel::plan::{Buffers, Plan};

use crate::board::Board;
use crate::cli::DesignArgs;
use crate::compile::compile;
use crate::design::Design;
use crate::failure::Failure;
use crate::output::warn;
use crate::plan::Scope;

/// Compiles the file; the result is the programs that become a design each.
pub(super) fn programs(args: &DesignArgs, board: &Board) -> Result<Vec<Program>, Failure> {
    let compiled = compile(&args.compile)?;
    warn(&compiled.warnings);
    if compiled.program.kernels().is_empty() {
        return Err(Failure::usage(
            format!("{} has no kernel", args.compile.file.display()),
            "mark a function with __kernel",
        ));
    }
    // Before anything is written, what the plan says is checked against all kernels.
    let scope = match args.compile.kernel {
        None => Scope::Whole,
        Some(_) => Scope::Part,
    };
    let fit = |plan| for_any_launch(args, plan);
    args.plan.plan(&compiled.program, scope, board, fit)?;
    split(args, compiled.program)
}

/// The programs that become a design each: the plan's bitstreams, then the kernels that are in none.
fn split(args: &DesignArgs, program: Program) -> Result<Vec<Program>, Failure> {
    let file = args.plan.target.plan_file()?.unwrap_or_default();
    let bitstreams: Vec<(&str, Vec<&str>)> = file.bitstreams().collect();
    if args.together {
        if !bitstreams.is_empty() {
            return Err(Failure::usage(
                "--together with a plan that has bitstreams",
                "leave one of them out: a bitstream says which kernels share a design",
            ));
        }
        let stem = args.compile.file.file_stem();
        let name = match stem {
            // Standard input has no name.
            None => "kernels".into(),
            Some(stem) if stem == "-" => "kernels".into(),
            Some(stem) => stem.to_string_lossy().into_owned(),
        };
        return Ok(vec![program.named(name)]);
    }
    let mut designs: Vec<(&str, Program)> = Vec::new();
    for (name, kernels) in &bitstreams {
        let kernels = kernels.iter().copied();
        let here = kernels.filter(|name| program.kernel(name).is_some());
        let part = program.select(here).expect("they were just found");
        if !part.kernels().is_empty() {
            designs.push((name, part));
        }
    }
    for kernel in program.kernels() {
        let is_in_bitstream = |(_, kernels): &(&str, Vec<&str>)| kernels.contains(&&*kernel.name);
        if !bitstreams.iter().any(is_in_bitstream) {
            designs.push((&kernel.name, Program::of(kernel.clone())));
        }
    }
    // Each has a folder, also if names differ in what identifiers cannot have.
    let names = distinct(designs.iter().map(|(name, _)| *name));
    let named = designs.into_iter().zip(names);
    Ok(named.map(|((_, it), name)| it.named(name)).collect())
}

/// The plan for the launches that the command line tells of.
fn for_any_launch(args: &DesignArgs, plan: Plan) -> Plan {
    match args.may_alias {
        true => plan.with_buffers(Buffers::MayAlias),
        false => plan,
    }
}

/// The design of one of the programs.
pub(super) fn design(
    args: &DesignArgs,
    board: &Board,
    program: Program,
) -> Result<Design, Failure> {
    let fit = |plan| for_any_launch(args, plan);
    let plan = args.plan.plan(&program, Scope::Part, board, fit)?;
    let design = Design::of(program, &board.target, &plan)
        .map_err(|refusal| Failure::refusal(&refusal, &args.compile.file))?;
    warn(design.warnings());
    Ok(design)
}
