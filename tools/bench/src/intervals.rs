//! Pipelined loops: the interval between iterations that the report says is the one that circuits have.

use sluice_driver::Board;
use sluice_kernel::launch::simulate;
use sluice_kernel::lower::LoopTiming;
use sluice_kernel::plan::LoopWay;

use crate::workloads::{Loaded, kernel_file};

const BOARD: &str = "arria10-pac";

/// Numbers of iterations of which the second run has more.
const ITERATIONS: [u64; 2] = [1024, 3072];

/// What an iteration takes longer than its interval in the mean, at most: external memory pauses now and then.
const PAUSES: f64 = 0.03;

/// A kernel with one pipelined loop.
struct Paced {
    file: &'static str,
    /// If the file has several.
    kernel: Option<&'static str>,
    options: &'static [&'static str],
    /// `N` is the number of iterations.
    launch: &'static str,
}

const fn paced(file: &'static str, launch: &'static str) -> Paced {
    Paced {
        file,
        kernel: None,
        options: &[],
        launch,
    }
}

/// A loop that waits for external memory, whose lines are all in a cache.
const fn cached(kernel: &'static str, launch: &'static str) -> Paced {
    Paced {
        kernel: Some(kernel),
        ..paced("loop_cached_recurrences.cl", launch)
    }
}

/// Those of this package.
const BENCH: &[Paced] = &[
    paced("single/sum.cl", "-a rand:4096:1 -a zero:1 -a N"),
    Paced {
        options: &["-cl-fast-relaxed-math"],
        ..paced("single/sum.cl", "-a rand:4096:1 -a zero:1 -a N")
    },
    paced("single/prefix_sum.cl", "-a rand:4096:1 -a zero:4096 -a N"),
    paced(
        "single/fir.cl",
        "-a rand:4096:1 -a rand:16:2 -a zero:4096 -a N",
    ),
    paced("single/histogram.cl", "-a rand:4096:1 -a zero:256 -a N"),
];

/// Those of `tests/run`.
const TESTS: &[Paced] = &[
    paced("window_same_bin.cl", "-a rand:4096:1:0:7 -a N -a zero:8"),
    paced("window_same_bin.cl", "-a fill:4096:3 -a N -a zero:8"),
    paced(
        "window_saturating_bytes.cl",
        "-a rand:4096:1:0:5 -a N -a zero:6",
    ),
    paced(
        "window_float_sums.cl",
        "-a rand:4096:1:0:3 -a rand:4096:2 -a N -a zero:4",
    ),
    paced(
        "window_two_stores.cl",
        "-a rand:4096:1:0:15 -a rand:4096:2:0:15 -a N -a zero:16",
    ),
    paced(
        "window_conditional_store.cl",
        "-a rand:4096:1:0:7 -a rand:4096:2:-9:9 -a N -a zero:8",
    ),
    paced("window_longs.cl", "-a rand:4096:1:0:3 -a N -a zero:4"),
    paced(
        "window_two_arrays.cl",
        "-a rand:4096:1:0:7 -a rand:4096:2:-9:9 -a N -a zero:8 -a zero:8",
    ),
    paced(
        "window_local_bins.cl",
        "-a rand:4096:1:0:31 -a N -a zero:32",
    ),
    paced(
        "window_global_sums.cl",
        "-a rand:4096:1:0:40 -a rand:4096:2 -a N -a zero:41",
    ),
    paced("window_every_distance.cl", "-a N -a 5 -a zero:64"),
    paced(
        "window_swaps.cl",
        "-a rand:4096:1:0:31 -a rand:4096:2:0:31 -a N -a zero:32",
    ),
    paced(
        "window_last_seen.cl",
        "-a rand:4096:1:0:15 -a N -a zero:4096",
    ),
    paced(
        "window_vectors.cl",
        "-a rand:4096:1:0:7 -a rand:4096:2:-9:9 -a N -a zero:8",
    ),
    paced(
        "window_parts_of_words.cl",
        "-a rand:4096:1:0:31 -a N -a zero:4096",
    ),
    paced(
        "histogram_private_bins.cl",
        "-a rand:4096:1:0:15 -a N -a zero:16",
    ),
    cached("unknown", "-a zero:64 -a 16 -a N"),
    cached("two_loads", "-a zero:64 -a 16 -a N"),
    cached("three_loads", "-a zero:64 -a 16 -a N"),
    cached("two_stores", "-a zero:64 -a 16 -a N"),
    cached("address", "-a zero:64 -a 16 -a N"),
    cached("conditional", "-a zero:64 -a 16 -a N"),
    cached("bytes", "-a zero:64 -a 16 -a N"),
    cached("floats", "-a zero:64 -a 16 -a N"),
    cached("seven", "-a zero:16 -a N"),
];

impl Paced {
    /// The report of its loop, and the cycles per iteration in the mean.
    fn measured(&self, folder: &str) -> (LoopTiming, f64) {
        let board = Board::find(BOARD).expect("it is known");
        let options: Vec<String> = self.options.iter().map(|it| (*it).into()).collect();
        let mut source = kernel_file(&format!("{folder}{}", self.file), &options);
        source.kernel = self.kernel.map(Into::into);
        let simulation = simulate::Options {
            timing: board.timing,
            ..simulate::Options::default()
        };
        let runs = ITERATIONS.map(|iterations| {
            let launch = self.launch.replace('N', &iterations.to_string());
            let loaded = Loaded::new(&source, &format!("-g 1 {launch}"), &board.target, 1);
            let loaded = loaded.unwrap_or_else(|error| panic!("{}: {error}", self.file));
            let cycles = loaded.cycles(&simulation);
            let cycles = cycles.unwrap_or_else(|error| panic!("{}: {error}", self.file));
            (loaded, cycles)
        });
        let [(loaded, few), (_, many)] = runs;
        let loops = loaded.design.lowered.kernels()[0].loop_ways.iter();
        let mut pipelined = loops.filter(|it| it.way == LoopWay::Pipelined);
        let (Some(described), None) = (pipelined.next(), pipelined.next()) else {
            panic!("{}: there is not one pipelined loop", self.file);
        };
        let timing = described.timing.clone().expect("it is in the circuit");
        let iterations = ITERATIONS[1] - ITERATIONS[0];
        (timing, (many - few) as f64 / iterations as f64)
    }

    /// What is wrong with the report.
    fn mistake(&self, folder: &str) -> Option<String> {
        let (timing, measured) = self.measured(folder);
        let interval = f64::from(timing.interval);
        // What waits for an iteration further back may take less than a whole number of cycles in the mean.
        let is_right = interval - 1.0 < measured && measured <= interval + PAUSES;
        (!is_right).then(|| {
            format!(
                "{} {}: {measured:.3} cycles per iteration, not {interval} ({:?})",
                self.file,
                self.kernel.unwrap_or_default(),
                timing.limit
            )
        })
    }
}

fn check(all: &[Paced], folder: &str) {
    let mistakes: Vec<String> = all.iter().filter_map(|it| it.mistake(folder)).collect();
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
}

#[test]
fn iterations_of_the_benchmarks_are_as_far_apart_as_the_report_says() {
    check(BENCH, "");
}

#[test]
fn iterations_of_the_tests_are_as_far_apart_as_the_report_says() {
    check(TESTS, "../../../tests/run/");
}
