// Coefficients of cos(x), then of sin(x)/2x, x in quarter turns, in [0, 1/2).
// Written by the example `make_tables`.
`default_nettype none

module sluice_trig_native #(
    parameter INDEX = 5,
    parameter ROW   = 57
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            5'd0: row = 57'h10000000000a777;
            5'd1: row = 57'h0ffb10e13bce75f;
            5'd2: row = 57'h0fec46c276d272e;
            5'd3: row = 57'h0fd3aac3b0526e5;
            5'd4: row = 57'h0fb14be4e786685;
            5'd5: row = 57'h0f853f861bb660c;
            5'd6: row = 57'h0f4fa0c74c2657c;
            5'd7: row = 57'h0f1090a878124d5;
            5'd8: row = 57'h0ec836099ec6417;
            5'd9: row = 57'h0e76bdaabf8a343;
            5'd10: row = 57'h0e1c59abd9ae259;
            5'd11: row = 57'h0db941ecec8215a;
            5'd12: row = 57'h0d4db34df75a047;
            5'd13: row = 57'h0cd9f06ef99df1f;
            5'd14: row = 57'h0c5e408ff2a1de4;
            5'd15: row = 57'h0bdaeff0e1cdc97;
            5'd16: row = 57'h0c90fda00004a55;
            5'd17: row = 57'h0c8fb2e052aca52;
            5'd18: row = 57'h0c8bd340a53ca4a;
            5'd19: row = 57'h0c856040f790a3e;
            5'd20: row = 57'h0c7c5c014984a2f;
            5'd21: row = 57'h0c70ca219b00a1c;
            5'd22: row = 57'h0c62aec1ebe4a05;
            5'd23: row = 57'h0c520f023c109eb;
            5'd24: row = 57'h0c3ef1428b6c9cd;
            5'd25: row = 57'h0c295c62d9d89ab;
            5'd26: row = 57'h0c1158832734986;
            5'd27: row = 57'h0bf6ee23736495e;
            5'd28: row = 57'h0bda2763be54932;
            5'd29: row = 57'h0bbb0ec407e4902;
            5'd30: row = 57'h0b99af644ff48d0;
            5'd31: row = 57'h0b7615e4967489a;
        endcase
    end
endmodule

`default_nettype wire
