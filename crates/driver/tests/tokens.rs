//! What work-items carry round the loops of kernels, in bits.

use std::path::Path;

use sluice_circuit::target::Target;
use sluice_driver::{CompileArgs, compile};
use sluice_kernel::lower::{Lowered, lower};
use sluice_kernel::plan::Plan;
use sluice_kernel::prepare::prepare;

/// The circuit of a kernel of the benchmarks, on an ECP5.
fn lowered(kernel: &str) -> Lowered {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/bench/kernels");
    let args = CompileArgs {
        file: folder.join(kernel).with_extension("cl"),
        kernel: None,
        clang: Vec::new(),
    };
    let compiled = compile(&args).unwrap_or_else(|failure| panic!("{failure}"));
    prepare(&compiled.program, &Plan::default(), &Target::ECP5)
        .and_then(|prepared| lower(&prepared))
        .unwrap_or_else(|why| panic!("{why}"))
}

/// The bits of a token that goes round each loop.
fn loop_bits(lowered: &Lowered) -> Vec<u32> {
    let channels = lowered.circuit().channels();
    let loops = lowered.kernels().iter().flat_map(|kernel| &kernel.loops);
    loops
        .map(|back| channels[back.channel].fields.bits())
        .collect()
}

/// The bits of the widest channel whose name ends like this.
fn widest(lowered: &Lowered, ending: &str) -> u32 {
    let channels = lowered.circuit().channels().values();
    let named = channels.filter(|channel| channel.name.ends_with(ending));
    let bits = named.map(|channel| channel.fields.bits());
    bits.max().expect("there is such a channel")
}

#[test]
fn a_work_item_of_tiled_matrix_multiply_carries_what_it_cannot_compute() {
    let lowered = lowered("matrix_multiply_tiled");
    // The tile, the sum, the row's start and the column with 32 bits, two local ids with 4, a slot.
    assert_eq!(loop_bits(&lowered), [4 * 32 + 2 * 4 + 3]);
    // Both ways of the loop's end need most of it, and the condition comes first.
    assert_eq!(widest(&lowered, "_decision"), 1 + 139);
}

#[test]
fn local_addresses_have_the_bits_of_their_memory() {
    let lowered = lowered("reduce");
    let channels = lowered.circuit().channels().values();
    let loads = channels.filter(|it| it.name.starts_with("load_part") && it.name.ends_with("_in"));
    let widths: Vec<u32> = loads.map(|load| load.fields.bits()).collect();
    assert!(!widths.is_empty());
    let slots = 16;
    assert!(
        widths
            .iter()
            .all(|&bits| bits == (1024_u32 * slots).ilog2()),
        "{widths:?}"
    );
    // A value and an id in front of each barrier, no address.
    assert!(
        widest(&lowered, "_barrier_passed") <= 8 + 24 + 4,
        "{}",
        widest(&lowered, "_barrier_passed")
    );
}

#[test]
fn naive_matrix_multiply_carries_indices() {
    // The counter with 31 bits, the sum, the row's start, the column.
    assert_eq!(loop_bits(&lowered("matrix_multiply")), [31 + 3 * 32]);
}
