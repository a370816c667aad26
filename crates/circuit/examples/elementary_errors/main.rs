//! Measures how far elementary functions are from the exact ones:
//!
//! ```text
//! cargo run --release -p sluice-circuit --example elementary_errors -- [--all] [FUNCTION...]
//! ```
//!
//! Errors are in units in the last place in the full grade; in the native one in 2^-23 of the exact
//! result, of 1 for sine and cosine. With `--all`, functions of one operand are tried on all 2^32 of
//! them. A function beyond its bound makes the command fail.

mod measure;

use std::env;
use std::process::ExitCode;
use std::thread;

use measure::Worst;
use sluice_circuit::elementary::{Function, Function2, Grade};

/// Of this number of operands one is tried, unless all are: coprime to powers of two.
const STRIDE: u64 = 251;

/// Pairs of operands that are tried.
const PAIRS: u64 = 1 << 26;

const THREADS: u64 = 2;

fn main() -> ExitCode {
    let mut names: Vec<String> = env::args().skip(1).collect();
    let stride = match names.iter().position(|name| name == "--all") {
        Some(at) => {
            names.remove(at);
            1
        }
        None => STRIDE,
    };
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    println!("function  grade    worst error  at operands          bound");
    let mut within = true;
    for function in Function::ALL {
        for grade in Grade::ALL {
            let name = format!("{function:?}").to_lowercase();
            if wanted(&name) {
                let worst = one(function, grade, stride);
                within &= report(&name, grade, worst, measure::bound(function, grade));
            }
        }
    }
    for function in Function2::ALL {
        for grade in Grade::ALL {
            let name = format!("{function:?}").to_lowercase();
            if wanted(&name) {
                let worst = two(function, grade);
                within &= report(&name, grade, worst, measure::bound2(function, grade));
            }
        }
    }
    if within {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn report(name: &str, grade: Grade, worst: Worst, bound: f64) -> bool {
    let within = worst.error <= bound;
    let grade = format!("{grade:?}").to_lowercase();
    let [a, b] = worst.operands;
    let verdict = if within { "" } else { "  exceeded" };
    println!(
        "{name:8}  {grade:6} {:13.4}  {a:08x} {b:08x}  {bound:7.1}{verdict}",
        worst.error
    );
    within
}

/// The worst of what several threads found, each of its own share.
fn in_threads(of: impl Fn(u64) -> Worst + Sync) -> Worst {
    thread::scope(|scope| {
        let shares: Vec<_> = (0..THREADS)
            .map(|share| {
                scope.spawn({
                    let of = &of;
                    move || of(share)
                })
            })
            .collect();
        let worst = shares
            .into_iter()
            .map(|share| share.join().expect("no share panics"));
        worst.fold(Worst::default(), Worst::or)
    })
}

fn one(function: Function, grade: Grade, stride: u64) -> Worst {
    in_threads(|share| {
        let mut worst = Worst::default();
        let operands = (share * stride..1 << 32).step_by((THREADS * stride) as usize);
        for (done, a) in operands.enumerate() {
            worst = measure::error(function, grade, a as u32).or(worst);
            if share == 0 && done % (1 << 28) == 0 && done > 0 {
                eprintln!("{function:?} {grade:?}: {:2} of 8", done >> 28);
            }
        }
        worst
    })
}

fn two(function: Function2, grade: Grade) -> Worst {
    in_threads(|share| {
        let mut worst = Worst::default();
        let mut state = share;
        for _ in 0..PAIRS / THREADS {
            let [a, b] = pair(function, &mut state);
            worst = measure::error2(function, grade, a, b).or(worst);
        }
        worst
    })
}

/// A random pair (by splitmix64). Powers are mostly of numbers and exponents whose result is
/// neither infinite nor zero.
fn pair(function: Function2, state: &mut u64) -> [u32; 2] {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    let z = z ^ z >> 31;
    let [a, b] = [z as u32, (z >> 32) as u32];
    match function {
        Function2::Divide => [a, b],
        Function2::Pow => {
            let base = f32::from_bits(a);
            let most = 128.0 / base.abs().log2().abs().max(1e-6);
            let exponent = (f64::from(b) / 2f64.powi(31) - 1.0) * f64::from(most) * 1.2;
            [a, (exponent as f32).to_bits()]
        }
    }
}
