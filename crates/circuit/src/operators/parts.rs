//! The modules that several operators instantiate.

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
