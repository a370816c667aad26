// Coefficients of log10(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_log10_native #(
    parameter INDEX = 5,
    parameter ROW   = 52
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            5'd0: row = 52'hde5bd7bc9a8f3;
            5'd1: row = 52'hdaf483aab685b;
            5'd2: row = 52'hd7afc79a017d2;
            5'd3: row = 52'hd48b658a5e755;
            5'd4: row = 52'hd1854d7bb56e2;
            5'd5: row = 52'hce9ba16df267a;
            5'd6: row = 52'hcbccad610061a;
            5'd7: row = 52'hc916dd54cd5c1;
            5'd8: row = 52'hc678c1494c570;
            5'd9: row = 52'hc3f1053e6d524;
            5'd10: row = 52'hc17e7134254df;
            5'd11: row = 52'hbf1fe12a6849e;
            5'd12: row = 52'hbcd44b212b462;
            5'd13: row = 52'hba9ab7186842b;
            5'd14: row = 52'hb8723b10123f7;
            5'd15: row = 52'hb65a0308253c7;
            5'd16: row = 52'hffdfe144cb44e;
            5'd17: row = 52'hfd5ee53c2f41d;
            5'd18: row = 52'hfaeebd33f53ef;
            5'd19: row = 52'hf88eb12c173c4;
            5'd20: row = 52'hf63e09248f39c;
            5'd21: row = 52'hf3fc211d57376;
            5'd22: row = 52'hf1c85d166c352;
            5'd23: row = 52'hefa2290fc8330;
            5'd24: row = 52'hed88f70968310;
            5'd25: row = 52'heb7c4703482f2;
            5'd26: row = 52'he97b9afd642d6;
            5'd27: row = 52'he7867cf7b82ba;
            5'd28: row = 52'he59c7ef2442a1;
            5'd29: row = 52'he3bd36ed03289;
            5'd30: row = 52'he1e840e7f1271;
            5'd31: row = 52'he01d40e30f25c;
        endcase
    end
endmodule

`default_nettype wire
