//! Loops of one work-item beside published figures of other tools for the same loops.

use std::error::Error;

use crate::loops::{BOARD, Measured, Single};

/// A kernel with what others have published for it.
struct Published {
    single: Single,
    /// Tools and their cycles.
    others: &'static [(&'static str, u64)],
}

const INT: &[&str] = &["-DT=int"];
const FLOAT: &[&str] = &["-DT=float"];
const DOUBLE: &[&str] = &["-DT=double"];

/// Without unrolling, with loops pipelined where that made a difference, and the fewest cycles of all its configurations.
const BAMBU: &str = "Bambu";
const BAMBU_BEST: &str = "Bambu, best";
const DYNAMATIC: &str = "Dynamatic";
const DYNAMATIC_SPECULATIVE: &str = "Dynamatic, speculative";
const LEGUP: &str = "LegUp";

macro_rules! published {
    ($name:literal, $file:literal, $options:expr, $launch:literal, $iterations:expr, [$($other:expr),*]) => {
        Published {
            single: Single {
                name: $name,
                file: concat!("published/", $file),
                options: $options,
                launch: || $launch.into(),
                iterations: $iterations,
                goal: None,
            },
            others: &[$($other),*],
        }
    };
}

/// Sizes are those of the published runs: PolyBench's MINI, MachSuite's.
const PUBLISHED: &[Published] = &[
    published!(
        "gemm, int",
        "gemm.cl",
        INT,
        "-g 1 -a rand:600 -a rand:750:2 -a rand:500:3 -a 3 -a 2 -a 20 -a 25 -a 30",
        20 * 25 * 30,
        [(BAMBU, 64_482), (BAMBU_BEST, 34_982), (LEGUP, 83_676)]
    ),
    published!(
        "gemm, float",
        "gemm.cl",
        FLOAT,
        "-g 1 -a rand:600 -a rand:750:2 -a rand:500:3 -a 3 -a 2 -a 20 -a 25 -a 30",
        20 * 25 * 30,
        [(BAMBU, 157_862), (BAMBU_BEST, 91_282)]
    ),
    published!(
        "atax, int",
        "atax.cl",
        INT,
        "-g 1 -a rand:1596 -a rand:42:2 -a zero:42 -a zero:38 -a 38 -a 42",
        2 * 38 * 42,
        [(BAMBU, 8_291), (BAMBU_BEST, 4_472)]
    ),
    published!(
        "atax, float",
        "atax.cl",
        FLOAT,
        "-g 1 -a rand:1596 -a rand:42:2 -a zero:42 -a zero:38 -a 38 -a 42",
        2 * 38 * 42,
        [(BAMBU, 22_807), (BAMBU_BEST, 16_176)]
    ),
    published!(
        "bicg, int",
        "bicg.cl",
        INT,
        "-g 1 -a rand:1596 -a rand:38:2 -a rand:42:3 -a zero:42 -a zero:38 -a 42 -a 38",
        42 * 38,
        [(BAMBU, 6_635), (BAMBU_BEST, 3_428)]
    ),
    published!(
        "bicg, float",
        "bicg.cl",
        FLOAT,
        "-g 1 -a rand:1596 -a rand:38:2 -a rand:42:3 -a zero:42 -a zero:38 -a 42 -a 38",
        42 * 38,
        [(BAMBU, 16_211), (BAMBU_BEST, 9_224)]
    ),
    published!(
        "mvt, int",
        "mvt.cl",
        INT,
        "-g 1 -a rand:1600 -a rand:40:2 -a rand:40:3 -a zero:40 -a zero:40 -a 40",
        2 * 40 * 40,
        [(BAMBU, 3_722), (BAMBU_BEST, 2_203)]
    ),
    published!(
        "mvt, float",
        "mvt.cl",
        FLOAT,
        "-g 1 -a rand:1600 -a rand:40:2 -a rand:40:3 -a zero:40 -a zero:40 -a 40",
        2 * 40 * 40,
        [(BAMBU, 13_682), (BAMBU_BEST, 13_682)]
    ),
    published!(
        "Floyd-Warshall, int",
        "floyd_warshall.cl",
        INT,
        "-g 1 -a rand:3600:1:0:99 -a 60",
        60 * 60 * 60,
        [
            (BAMBU, 1_087_322),
            (BAMBU_BEST, 763_322),
            (LEGUP, 1_238_764)
        ]
    ),
    published!(
        "Gauss-Seidel of 9 points, int",
        "seidel.cl",
        INT,
        "-g 1 -a rand:1600:1:0:99 -a 40 -a 20",
        20 * 38 * 38,
        [(BAMBU, 1_175_543), (BAMBU_BEST, 1_144_382)]
    ),
    published!(
        "Gauss-Seidel of 9 points, float",
        "seidel.cl",
        FLOAT,
        "-g 1 -a rand:1600:1:0:99 -a 40 -a 20",
        20 * 38 * 38,
        [(BAMBU, 1_247_202), (BAMBU_BEST, 1_244_922)]
    ),
    published!(
        "Needleman-Wunsch, 128 x 128",
        "needleman_wunsch.cl",
        &[],
        "-g 1 -a rand:128:1:0:3 -a rand:128:2:0:3 -a zero:16641 -a zero:16641",
        128 * 128,
        [(BAMBU, 100_068), (BAMBU_BEST, 83_494)]
    ),
    published!(
        "sparse product, 10 a row, double",
        "spmv_rows.cl",
        DOUBLE,
        "-g 1 -a rand:4940 -a rand:4940:2:0:493 -a rand:494:3 -a zero:494 -a 494 -a 10",
        494 * 10,
        [(BAMBU, 28_160), (BAMBU_BEST, 24_208)]
    ),
    published!(
        "convolution 3 x 3, int",
        "convolution.cl",
        &[],
        "-g 1 -a rand:8192 -a zero:8192 -a rand:9:2 -a 128 -a 64",
        126 * 62 * 9,
        [(BAMBU, 70_949), (BAMBU_BEST, 39_697)]
    ),
    published!(
        "products until 1,000",
        "product_until.cl",
        &[],
        "-g 1 -a fill:1000:2 -a iota:1000 -a zero:1000",
        501,
        [(DYNAMATIC, 3_011), (DYNAMATIC_SPECULATIVE, 511)]
    ),
    published!(
        "sums until a sixth",
        "sum_until.cl",
        &[],
        "-g 1 -a iota:1000 -a fill:1000:1 -a zero:1000",
        167,
        [(DYNAMATIC, 339), (DYNAMATIC_SPECULATIVE, 173)]
    ),
];

/// Prints a table.
pub fn measure() -> Result<(), Box<dyn Error>> {
    println!(
        "Cycles per innermost iteration on {BOARD}, one work-item, beside published figures\n"
    );
    println!("| kernel | iterations | Sluice | others |\n| --- | ---: | ---: | --- |");
    for Published { single, others } in PUBLISHED {
        let Measured { cycles, .. } = single.measure()?;
        let rate = |cycles: u64| format!("{:.2}", cycles as f64 / single.iterations as f64);
        let others = others.iter();
        let others: Vec<String> = others
            .map(|&(tool, cycles)| format!("{tool} {}", rate(cycles)))
            .collect();
        println!(
            "| {} | {} | {} | {} |",
            single.name,
            single.iterations,
            rate(cycles),
            others.join(", ")
        );
    }
    println!();
    Ok(())
}
