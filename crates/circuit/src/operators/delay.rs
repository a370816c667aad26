//! Delays on the reference target, an ECP5 of speed grade 8, in nanoseconds, routing included.
//!
//! They are fitted to critical paths that nextpnr-ecp5 reports (`--85k --speed 8`): two digits of a
//! binary32 division, each a 26-bit carry chain and a multiplexer, take 7.0 ns from register to
//! register, of which a carry chain is 0.64 ns and 0.028 ns per bit, and each net about 0.9 ns.

/// One level of look-up tables.
pub const LUT: f64 = 0.75;

/// An 18x18-bit multiplier.
pub const DSP: f64 = 4.0;

/// Clock to output and set-up of the registers around a step.
pub const REGISTER: f64 = 0.9;

/// An addition, subtraction or comparison of that many bits.
pub fn carry(bits: u32) -> f64 {
    1.45 + 0.029 * f64::from(bits)
}

/// A function of many inputs that is a tree of look-up tables, such as "any of them is set".
pub fn tree(inputs: u32) -> f64 {
    LUT * f64::from(inputs.max(2).ilog2().div_ceil(2).max(1))
}

/// A shifter with that many amount bits; the select lines' fan-out costs extra. Two bits select one
/// of four in a pair of look-up tables and the multiplexer behind them: less than two levels. (A
/// binary32 to integer conversion whose longest path is two shifters of five bits in all takes
/// 4.15 ns from register to register.)
pub fn shift(amount_bits: u32) -> f64 {
    if amount_bits == 0 {
        0.0
    } else {
        0.4 + 0.6 * f64::from(amount_bits)
    }
}

/// A count of leading zeros.
pub fn lzc(bits: u32) -> f64 {
    LUT * f64::from(bits.max(2).ilog2()) + 0.4
}
