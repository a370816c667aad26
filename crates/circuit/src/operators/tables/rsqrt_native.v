// Coefficients of 1/sqrt(m): m is 1 + x, then 2 + 2x, x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_rsqrt_native #(
    parameter INDEX = 6,
    parameter ROW   = 54
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            6'd0: row = 54'h2000001ffd5b8c;
            6'd1: row = 54'h1f82ec1e8c1ab4;
            6'd2: row = 54'h1f0b67dd35c9f2;
            6'd3: row = 54'h1e990c9bf7a942;
            6'd4: row = 54'h1e2b7d9acf88a3;
            6'd5: row = 54'h1dc26759bb4813;
            6'd6: row = 54'h1d5d7e58b9078f;
            6'd7: row = 54'h1cfc7d57c74717;
            6'd8: row = 54'h1c9f2596e486a9;
            6'd9: row = 54'h1c453d560f7644;
            6'd10: row = 54'h1bee90554705e7;
            6'd11: row = 54'h1b9aed948a2592;
            6'd12: row = 54'h1b4a2913d7f543;
            6'd13: row = 54'h1afc19932f94fa;
            6'd14: row = 54'h1ab099929064b7;
            6'd15: row = 54'h1a678591f98478;
            6'd16: row = 54'h1a20bd516a843e;
            6'd17: row = 54'h19dc2290e2b408;
            6'd18: row = 54'h1999999061c3d6;
            6'd19: row = 54'h195907cfe703a7;
            6'd20: row = 54'h191a554f72337b;
            6'd21: row = 54'h18dd6b4f02d352;
            6'd22: row = 54'h18a2344e98a32c;
            6'd23: row = 54'h18689cce333308;
            6'd24: row = 54'h183091cdd242e6;
            6'd25: row = 54'h17fa024d7592c6;
            6'd26: row = 54'h17c4dd4d1cd2a8;
            6'd27: row = 54'h179113ccc7e28c;
            6'd28: row = 54'h175e970c766271;
            6'd29: row = 54'h172d59cc285258;
            6'd30: row = 54'h16fd4e8bdd5240;
            6'd31: row = 54'h16ce694b95522a;
            6'd32: row = 54'h16a09e169eb82a;
            6'd33: row = 54'h16482cd5999791;
            6'd34: row = 54'h15f3aa14a79708;
            6'd35: row = 54'h15a2cd53c6a68c;
            6'd36: row = 54'h15555512f5361b;
            6'd37: row = 54'h150b069231e5b5;
            6'd38: row = 54'h14c3abd17b5558;
            6'd39: row = 54'h147f1410d05503;
            6'd40: row = 54'h143d13503004b6;
            6'd41: row = 54'h13fd804f99546e;
            6'd42: row = 54'h13c0364f0ba42d;
            6'd43: row = 54'h1385128e8613f0;
            6'd44: row = 54'h134bf60e0813b9;
            6'd45: row = 54'h1314c3cd910385;
            6'd46: row = 54'h12df608d206355;
            6'd47: row = 54'h12abb40cb5c329;
            6'd48: row = 54'h1279a74c50a300;
            6'd49: row = 54'h1249248bf0a2da;
            6'd50: row = 54'h121a184b9562b6;
            6'd51: row = 54'h11ec700b3ea295;
            6'd52: row = 54'h11c01a8aec0276;
            6'd53: row = 54'h119507ca9d4259;
            6'd54: row = 54'h116b290a52323e;
            6'd55: row = 54'h11426fca0a7224;
            6'd56: row = 54'h111acec9c5e20c;
            6'd57: row = 54'h10f43a498461f6;
            6'd58: row = 54'h10cea60945a1e1;
            6'd59: row = 54'h10aa07c90991cd;
            6'd60: row = 54'h10865488cff1ba;
            6'd61: row = 54'h1063830898b1a8;
            6'd62: row = 54'h10418a4863b197;
            6'd63: row = 54'h1020614830d188;
        endcase
    end
endmodule

`default_nettype wire
