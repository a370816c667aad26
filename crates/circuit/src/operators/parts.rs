//! The modules that several operators instantiate.

use super::Step;
use crate::arith::Format;
use crate::family::Delays;
use crate::verilog::Source;

macro_rules! part {
    ($constant:ident, $file:literal) => {
        pub const $constant: Source = Source {
            file: concat!("sluice_", $file, ".v"),
            text: include_str!(concat!("parts/", $file, ".v")),
        };
    };
}

part!(STAGE, "stage");
part!(LZC, "lzc");
part!(SHIFT_STICKY, "shift_sticky");
part!(SHIFT_LEFT, "shift_left");
part!(ROUND, "round");
part!(PRODUCT, "product");
part!(ALONG, "along");
part!(QUADRATIC, "quadratic");
part!(PACK, "pack");
part!(LOGARITHM, "logarithm");
part!(POWER_OF_TWO, "power_of_two");

/// The bits that count to `n - 1`, as Verilog's `$clog2`.
pub const fn clog2(n: u32) -> u32 {
    n.next_power_of_two().trailing_zeros()
}

/// The step of `sluice_round`, the last one of most float operators.
pub fn round(ns: &Delays, format: Format) -> Step {
    let bits = format.exp() + format.man();
    let delay = ns.tree(4) + ns.carry(bits) + ns.lut;
    Step::new("round", delay, bits + 1)
}
