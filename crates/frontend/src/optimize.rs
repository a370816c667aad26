//! The LLVM passes: from linked functions to one loop nest of scalar operations per kernel.
//!
//! They take 5 ms on a tiled matrix product, 25 ms on an n-body step with a Black-Scholes kernel, 45 ms on one that
//! inlines four sines (release build). The whole front end including clang takes 55 to 110 ms of processor time there.
#![allow(unsafe_code, reason = "LLVM's pass interface")]

use std::ffi::{CStr, CString};
use std::ptr;
use std::sync::Once;

use inkwell::module::Module;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::support::LLVMParseCommandLineOptions;
use llvm_sys::transforms::pass_builder::{
    LLVMCreatePassBuilderOptions, LLVMDisposePassBuilderOptions, LLVMRunPasses,
};

use crate::choices::Optimization;
use crate::llvm;
use crate::primitives::Primitive;
use crate::unrolling;

/// LLVM's switches that no pass parameter reaches.
const SWITCHES: &[&CStr] = &[
    // A 32-bit counter stays one: widening it to save an extension would cost a 64-bit adder.
    c"-indvars-widen-indvars=false",
    // The closed form of a sum needs one bit more than its 64, which no later stage has.
    c"-replexitval=never",
    // LLVM may know trip counts that `unrolling.rs` does not: more copies than that make no usable circuit.
    c"-pragma-unroll-full-max-iterations=4096",
];

/// Simplifies control flow only: a switch stays comparisons (a table would be a memory), loops stay loops, and nothing
/// is hoisted or sunk out of a conditional branch.
const SIMPLIFY_CFG: &str = "simplifycfg<bonus-inst-threshold=0;no-forward-switch-cond;no-switch-range-to-icmp;\
    no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts>";

/// instcombine may stop before its fixpoint; that is no reason to abort.
const COMBINE: &str = "instcombine<no-verify-fixpoint>";

/// One step of the pipeline: passes over the module, or over each function.
enum Stage {
    Module(&'static str),
    /// `S` and `IC` stand for [`SIMPLIFY_CFG`] and [`COMBINE`].
    Function(&'static str),
}

/// The whole pass order. There is no loop-idiom: it would turn shift registers into memmove.
const PIPELINE: &[Stage] = &[
    // Hardware has no calls; unreachable functions would only cost compile time.
    Stage::Module("always-inline,globaldce,globalopt"),
    // Variables become values, equal computations one. A copy of a copy becomes one copy.
    Stage::Function("sroa<modify-cfg>,early-cse<memssa>,S,memcpyopt,IC,S"),
    // Loop-invariant code motion, never speculative: an access that the program does not make must not be made.
    // Rotation gives loops a guard, so that more can be hoisted.
    Stage::Function(
        "loop-simplify,lcssa,loop-mssa(licm<no-allowspeculation>,loop-rotate,licm<no-allowspeculation>),S,IC",
    ),
    // Induction variables get closed forms; loops with small constant trip counts are unrolled, which turns private
    // arrays into registers.
    Stage::Function(
        "loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,early-cse<memssa>,gvn,sccp,bdce,IC,dse,adce,S",
    ),
    // Unrolling by pragma, and the simplifications that it enables.
    Stage::Function(
        "loop-simplify,loop-unroll<O2;no-runtime;no-partial;no-peeling;no-upperbound>,sroa<modify-cfg>,early-cse<memssa>,gvn,IC,dse,adce,S",
    ),
    // Vectors remain in loads and stores only, also where combining made new shuffles; one return and no switch
    // make the control flow simple.
    Stage::Function(
        "scalarizer,IC,scalarizer,early-cse,adce,mergereturn,lower-switch,S,loop-simplify",
    ),
    // Inlining left unused declarations.
    Stage::Module("globaldce"),
];

/// The passes with `-cl-opt-disable`: inlining, promotion of variables to values, and the normal forms that the reader
/// needs. Nothing is combined, merged, moved or unrolled.
const LEAST: &[Stage] = &[
    Stage::Module("always-inline,globaldce"),
    Stage::Function("sroa<modify-cfg>,S,scalarizer,adce,mergereturn,lower-switch,S,loop-simplify"),
    Stage::Module("globaldce"),
];

/// How many stages of [`PIPELINE`] come before those that unroll: after them, loops have the form in which their trip
/// counts can be computed.
const BEFORE_UNROLLING: usize = 3;

/// Inlines everything into the kernels and simplifies them. Returns warnings in whole lines.
pub(crate) fn optimize(module: &Module<'_>, optimization: Optimization) -> String {
    set_switches();
    inline_everything(module);
    free_pure_primitives(module);
    let warnings = match optimization {
        Optimization::Full => {
            let (before, after) = PIPELINE.split_at(BEFORE_UNROLLING);
            run(module, &pipeline(before));
            let warnings = unrolling::drop_excessive_hints(module);
            run(module, &pipeline(after));
            warnings + &unrolling::unfollowed_hints(module)
        }
        Optimization::Least => {
            run(module, &pipeline(LEAST));
            String::new()
        }
    };
    if cfg!(debug_assertions) {
        module.verify().expect("LLVM's passes keep a module valid");
    }
    warnings
}

/// Removes what no kernel uses.
pub(crate) fn drop_unreachable(module: &Module<'_>) {
    set_switches();
    run(module, "globaldce");
}

/// Makes values of variables whose addresses are not taken.
pub(crate) fn promote_variables(module: &Module<'_>) {
    set_switches();
    run(module, "function(sroa<preserve-cfg>)");
}

fn inline_everything(module: &Module<'_>) {
    for variable in llvm::variables(module) {
        variable.limit_to_program();
    }
    for function in llvm::functions(module) {
        if function.is_declaration() {
            continue;
        }
        if !function.is_kernel() {
            function.make_internal();
        }
        function.remove_attribute("noinline");
        function.remove_attribute("optnone");
        function.add_attribute("alwaysinline");
        for instruction in function.instructions() {
            instruction.remove_call_attribute("noinline");
        }
    }
}

/// clang marks every function convergent, since any might contain a barrier. Pure functions may be moved.
fn free_pure_primitives(module: &Module<'_>) {
    for function in llvm::functions(module) {
        if !Primitive::from_symbol(&function.name()).is_some_and(Primitive::is_pure) {
            continue;
        }
        function.remove_attribute("convergent");
        // LLVM encodes "touches no memory" as zero.
        for attribute in ["memory", "nounwind", "willreturn", "speculatable"] {
            function.add_attribute(attribute);
        }
        for call in function.calls() {
            call.remove_call_attribute("convergent");
        }
    }
}

fn pipeline(stages: &[Stage]) -> String {
    let stages = stages.iter().map(|stage| match stage {
        Stage::Module(passes) => (*passes).to_owned(),
        Stage::Function(passes) => {
            let passes: Vec<&str> = passes
                .split(',')
                .map(|pass| match pass {
                    "S" => SIMPLIFY_CFG,
                    "IC" => COMBINE,
                    other => other,
                })
                .collect();
            format!("function({})", passes.join(","))
        }
    });
    stages.collect::<Vec<_>>().join(",")
}

fn run(module: &Module<'_>, passes: &str) {
    let text = CString::new(passes).expect("pass names hold no NUL");
    // SAFETY: the module is live; no target machine is needed; options and message are disposed of once.
    unsafe {
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.as_mut_ptr(), text.as_ptr(), ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if !error.is_null() {
            let message = LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(message);
            panic!("LLVM 19 knows the passes of the pipeline: {text}");
        }
    }
}

fn set_switches() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        let mut arguments = vec![c"sluice".as_ptr()];
        arguments.extend(SWITCHES.iter().map(|switch| switch.as_ptr()));
        let count = i32::try_from(arguments.len()).expect("a handful of switches");
        // SAFETY: the strings live for ever; LLVM reads them before it returns. Called once.
        unsafe { LLVMParseCommandLineOptions(count, arguments.as_ptr(), c"".as_ptr()) }
    });
}
