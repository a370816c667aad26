// The bits of 2/pi that decide an angle, by the leading bits of its exponent.
// Written by the example `make_tables`.
`default_nettype none

module sluice_window_full #(
    parameter INDEX = 5,
    parameter ROW   = 90
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            5'd14: row = 90'h000000000028be60db93910;
            5'd15: row = 90'h0000000028be60db9391054;
            5'd16: row = 90'h00000028be60db9391054a7;
            5'd17: row = 90'h000028be60db9391054a7f0;
            5'd18: row = 90'h0028be60db9391054a7f09d;
            5'd19: row = 90'h28be60db9391054a7f09d5f;
            5'd20: row = 90'h3e60db9391054a7f09d5f47;
            5'd21: row = 90'h20db9391054a7f09d5f47d4;
            5'd22: row = 90'h1b9391054a7f09d5f47d4d3;
            5'd23: row = 90'h1391054a7f09d5f47d4d377;
            5'd24: row = 90'h11054a7f09d5f47d4d37703;
            5'd25: row = 90'h054a7f09d5f47d4d377036d;
            5'd26: row = 90'h0a7f09d5f47d4d377036d8a;
            5'd27: row = 90'h3f09d5f47d4d377036d8a56;
            5'd28: row = 90'h09d5f47d4d377036d8a5664;
            5'd29: row = 90'h15f47d4d377036d8a5664f1;
            5'd30: row = 90'h347d4d377036d8a5664f10e;
            5'd31: row = 90'h3d4d377036d8a5664f10e41;
            default: row = 90'd0;
        endcase
    end
endmodule

`default_nettype wire
