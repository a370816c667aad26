// Coefficients of 2^x, x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_exp2_native #(
    parameter INDEX = 5,
    parameter ROW   = 52
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            5'd0: row = 52'h800000b1703e3;
            5'd1: row = 52'h82cd8ab5533f8;
            5'd2: row = 52'h85aac6b94b40f;
            5'd3: row = 52'h889812bd5a425;
            5'd4: row = 52'h8b95c6c17f43d;
            5'd5: row = 52'h8ea43cc5bc454;
            5'd6: row = 52'h91c3d6ca10c6d;
            5'd7: row = 52'h94f4f2ce7d486;
            5'd8: row = 52'h9837f4d302c9f;
            5'd9: row = 52'h9b8d3cd7a1cb9;
            5'd10: row = 52'h9ef536dc5acd3;
            5'd11: row = 52'ha27046e12dcee;
            5'd12: row = 52'ha5fedae61bd0a;
            5'd13: row = 52'ha9a15eeb26526;
            5'd14: row = 52'had5842f04c543;
            5'd15: row = 52'hb123f8f58ed61;
            5'd16: row = 52'hb504f6faef57f;
            5'd17: row = 52'hb8fbb3006e59e;
            5'd18: row = 52'hbd08a7060bdbd;
            5'd19: row = 52'hc12c510bc8ddd;
            5'd20: row = 52'hc5672f11a5dfe;
            5'd21: row = 52'hc9b9c117a3e20;
            5'd22: row = 52'hce24911dc3642;
            5'd23: row = 52'hd2a8212405665;
            5'd24: row = 52'hd745012a6a689;
            5'd25: row = 52'hdbfbbb30f36ad;
            5'd26: row = 52'he0cce337a06d3;
            5'd27: row = 52'he5b90b3e736f9;
            5'd28: row = 52'heac0cb456cf20;
            5'd29: row = 52'hefe4bd4c8cf48;
            5'd30: row = 52'hf5258153d4f71;
            5'd31: row = 52'hfa83b75b45f9b;
        endcase
    end
endmodule

`default_nettype wire
