//! Written by `sluice-calibrate delays`: 73 paths, 0.42 ns root mean square error, 85 % within 15 %.

use super::{Delays, Linear};

/// Delays of an ECP5 of speed grade 8 after place and route with nextpnr.
pub const ECP5: Delays = Delays {
    lut: 0.691,
    dsp: 4.623,
    register: 0.790,
    fan_out: 0.454,
    carry: Linear {
        base: 1.507,
        per_bit: 0.0188,
    },
    shift: Linear {
        base: 0.000,
        per_bit: 0.7534,
    },
    lzc: Linear {
        base: 0.000,
        per_bit: 0.5681,
    },
};
