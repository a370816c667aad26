//! Writes the windows into 2/pi as Verilog.

use std::fmt::Write;

use sluice_circuit::elementary::windows::Windows;

/// The bits of 2/pi behind the point.
const TWO_OVER_PI: [u64; 5] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
];

/// The Verilog file of windows.
pub fn verilog(windows: &Windows) -> String {
    let (index, width) = (windows.index(), windows.width);
    let module = windows.source.file.strip_suffix(".v");
    let module = module.expect("the file of a module ends in .v");
    let mut text = format!(
        "// The bits of 2/pi that decide an angle, by the leading bits of its exponent.\n\
         // Written by the example `make_tables`.\n`default_nettype none\n\n\
         module {module} #(\n    parameter INDEX = {index},\n    parameter ROW   = {width}\n) (\n    \
         input  wire [INDEX-1:0] index,\n    output reg  [ROW-1:0]   row\n);\n    \
         always @* begin\n        case (index)\n",
    );
    let digits = width.div_ceil(4) as usize;
    for row in windows.indices() {
        // The significand's last bit has this weight, so the first bit of the window, which makes
        // two quarter turns, has the weight 1 - unit.
        let unit = ((row << windows.shift) as i32) - 127 - 23;
        let bits = (0..width as i32).fold(0u128, |bits, place| bits << 1 | bit(1 - unit - place));
        writeln!(
            text,
            "            {index}'d{row}: row = {width}'h{bits:0digits$x};"
        )
        .expect("strings accept all text");
    }
    writeln!(text, "            default: row = {width}'d0;").expect("strings accept all text");
    text + "        endcase\n    end\nendmodule\n\n`default_nettype wire\n"
}

/// The bit of a weight, a power of two.
fn bit(weight: i32) -> u128 {
    if weight >= 0 {
        return 0;
    }
    let place = (-1 - weight) as usize;
    u128::from(TWO_OVER_PI[place / 64] >> (63 - place % 64) & 1)
}
