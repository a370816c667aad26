// Coefficients of ln(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_log_native #(
    parameter INDEX = 5,
    parameter ROW   = 53
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            5'd0: row = 53'h0fffffdffdda4d;
            5'd1: row = 53'h0fc14d7eb4599f;
            5'd2: row = 53'h0f85185d809901;
            5'd3: row = 53'h0f4b36fc609871;
            5'd4: row = 53'h0f13839b5287ed;
            5'd5: row = 53'h0edddbfa550775;
            5'd6: row = 53'h0eaa2039668706;
            5'd7: row = 53'h0e7833b885d6a0;
            5'd8: row = 53'h0e47fbd7b1e642;
            5'd9: row = 53'h0e196036e9b5ec;
            5'd10: row = 53'h0dec4a162c459c;
            5'd11: row = 53'h0dc0a4d578d551;
            5'd12: row = 53'h0d965d14ceb50c;
            5'd13: row = 53'h0d6d61142d34cc;
            5'd14: row = 53'h0d459ff393c491;
            5'd15: row = 53'h0d1f0a7301b459;
            5'd16: row = 53'h126962175ef4f5;
            5'd17: row = 53'h123b42b6c064bd;
            5'd18: row = 53'h120e595628d488;
            5'd19: row = 53'h11e2989597e456;
            5'd20: row = 53'h11b7f3750d2428;
            5'd21: row = 53'h118e5e148833fc;
            5'd22: row = 53'h1165cd3408c3d3;
            5'd23: row = 53'h113e35f38e73ac;
            5'd24: row = 53'h11178e7318f387;
            5'd25: row = 53'h10f1cd72a82364;
            5'd26: row = 53'h10cce9923b9343;
            5'd27: row = 53'h10a8dab1d33324;
            5'd28: row = 53'h108598d16ec307;
            5'd29: row = 53'h10631c110df2eb;
            5'd30: row = 53'h10415d90b092d0;
            5'd31: row = 53'h102056505692b7;
        endcase
    end
endmodule

`default_nettype wire
