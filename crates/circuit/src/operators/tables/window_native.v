// The bits of 2/pi that decide an angle, by the leading bits of its exponent.
// Written by the example `make_tables`.
`default_nettype none

module sluice_window_native #(
    parameter INDEX = 6,
    parameter ROW   = 54
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            6'd29: row = 54'h00000000028be6;
            6'd30: row = 54'h0000000028be60;
            6'd31: row = 54'h000000028be60d;
            6'd32: row = 54'h00000028be60db;
            6'd33: row = 54'h0000028be60db9;
            6'd34: row = 54'h000028be60db93;
            6'd35: row = 54'h00028be60db939;
            6'd36: row = 54'h0028be60db9391;
            6'd37: row = 54'h028be60db93910;
            6'd38: row = 54'h28be60db939105;
            6'd39: row = 54'h0be60db9391054;
            6'd40: row = 54'h3e60db9391054a;
            6'd41: row = 54'h260db9391054a7;
            6'd42: row = 54'h20db9391054a7f;
            6'd43: row = 54'h0db9391054a7f0;
            6'd44: row = 54'h1b9391054a7f09;
            6'd45: row = 54'h39391054a7f09d;
            6'd46: row = 54'h1391054a7f09d5;
            6'd47: row = 54'h391054a7f09d5f;
            6'd48: row = 54'h11054a7f09d5f4;
            6'd49: row = 54'h1054a7f09d5f47;
            6'd50: row = 54'h054a7f09d5f47d;
            6'd51: row = 54'h14a7f09d5f47d4;
            6'd52: row = 54'h0a7f09d5f47d4d;
            6'd53: row = 54'h27f09d5f47d4d3;
            6'd54: row = 54'h3f09d5f47d4d37;
            6'd55: row = 54'h309d5f47d4d377;
            6'd56: row = 54'h09d5f47d4d3770;
            6'd57: row = 54'h1d5f47d4d37703;
            6'd58: row = 54'h15f47d4d377036;
            6'd59: row = 54'h1f47d4d377036d;
            6'd60: row = 54'h347d4d377036d8;
            6'd61: row = 54'h07d4d377036d8a;
            6'd62: row = 54'h3d4d377036d8a5;
            6'd63: row = 54'h14d377036d8a56;
            default: row = 54'd0;
        endcase
    end
endmodule

`default_nettype wire
