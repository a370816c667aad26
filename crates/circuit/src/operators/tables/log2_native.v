// Coefficients of log2(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_log2_native #(
    parameter INDEX = 5,
    parameter ROW   = 54
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            5'd0: row = 54'h2e2a8e6e277edd;
            5'd1: row = 54'h2d75a6ac4c1de2;
            5'd2: row = 54'h2cc7edaa900cfd;
            5'd3: row = 54'h2c20ebe8f08c2d;
            5'd4: row = 54'h2b8034276afb6f;
            5'd5: row = 54'h2ae56325fd2ac1;
            5'd6: row = 54'h2a501e24a52a22;
            5'd7: row = 54'h29c0116361098f;
            5'd8: row = 54'h2934f0622f4908;
            5'd9: row = 54'h28ae74e10e688b;
            5'd10: row = 54'h282c5d5ffd1817;
            5'd11: row = 54'h27ae6e5efa47ac;
            5'd12: row = 54'h27346f9e04d748;
            5'd13: row = 54'h26be2ddd1be6ec;
            5'd14: row = 54'h264b791c3e7696;
            5'd15: row = 54'h25dc245b6bb645;
            5'd16: row = 54'h351ff2e1b78726;
            5'd17: row = 54'h349adde0d2c6d5;
            5'd18: row = 54'h3419479ff82689;
            5'd19: row = 54'h339b091f271642;
            5'd20: row = 54'h331ffd1e5ee5ff;
            5'd21: row = 54'h32a800dd9f05bf;
            5'd22: row = 54'h3232f45ce73584;
            5'd23: row = 54'h31c0b85c36c54c;
            5'd24: row = 54'h3151301b8d5517;
            5'd25: row = 54'h30e4405aea74e4;
            5'd26: row = 54'h3079cf5a4df4b5;
            5'd27: row = 54'h3011c499b75488;
            5'd28: row = 54'h2fac095926645e;
            5'd29: row = 54'h2f4887189aa435;
            5'd30: row = 54'h2ee7299814040f;
            5'd31: row = 54'h2e87dd179223ea;
        endcase
    end
endmodule

`default_nettype wire
