// Coefficients of 1/sqrt(m): m is 1 + x, then 2 + 2x, x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_rsqrt_full #(
    parameter INDEX = 7,
    parameter ROW   = 66
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        (* logic_block *)
        case (index)
            7'd0: row = 66'h1ffffff2fffaa5e27;
            7'd1: row = 66'h1fc0bd76fa1845a9a;
            7'd2: row = 66'h1f82ec78f46edd73c;
            7'd3: row = 66'h1f467f18eefb4d40a;
            7'd4: row = 66'h1f0b683ae9badd101;
            7'd5: row = 66'h1ed19b68e4aaf4e1f;
            7'd6: row = 66'h1e990cccdfc924b61;
            7'd7: row = 66'h1e61b12cdb13348c6;
            7'd8: row = 66'h1e2b7dd0d686f464a;
            7'd9: row = 66'h1df6688ed222743ec;
            7'd10: row = 66'h1dc267b4cde3d41ab;
            7'd11: row = 66'h1d8f71fec9c943f83;
            7'd12: row = 66'h1d5d7e9ec5d123d75;
            7'd13: row = 66'h1d2c852cc1f9f3b7f;
            7'd14: row = 66'h1cfc7d9abe421b99e;
            7'd15: row = 66'h1ccd603cbaa8537d3;
            7'd16: row = 66'h1c9f25beb72b3b61b;
            7'd17: row = 66'h1c71c714b3c99b476;
            7'd18: row = 66'h1c453d8ab082532e3;
            7'd19: row = 66'h1c1982aaad5433160;
            7'd20: row = 66'h1bee9050aa3e42fee;
            7'd21: row = 66'h1bc4608ca73f7ae8a;
            7'd22: row = 66'h1b9aedb2a456ead35;
            7'd23: row = 66'h1b723254a183b2bed;
            7'd24: row = 66'h1b4a29369ec4f2ab2;
            7'd25: row = 66'h1b22cd509c19e2983;
            7'd26: row = 66'h1afc19d29981c2860;
            7'd27: row = 66'h1ad60a1896fbd2748;
            7'd28: row = 66'h1ab099a894875a63a;
            7'd29: row = 66'h1a8bc43c9223c2537;
            7'd30: row = 66'h1a6785b08fd06a43d;
            7'd31: row = 66'h1a43da068d8ca234c;
            7'd32: row = 66'h1a20bd6c8b57f2263;
            7'd33: row = 66'h19fe2c2c8931c2183;
            7'd34: row = 66'h19dc22ba8719920ab;
            7'd35: row = 66'h19ba9da2850ee9fdb;
            7'd36: row = 66'h19999996831141f11;
            7'd37: row = 66'h19791360812039e4f;
            7'd38: row = 66'h195907e87f3b51d93;
            7'd39: row = 66'h193974347d6229cde;
            7'd40: row = 66'h191a555e7b9451c2e;
            7'd41: row = 66'h18fba89e79d179b84;
            7'd42: row = 66'h18dd6b42781939ae0;
            7'd43: row = 66'h18bf9aae766b41a41;
            7'd44: row = 66'h18a2345a74c7319a7;
            7'd45: row = 66'h188535d6732cc1912;
            7'd46: row = 66'h18689cc4719b99882;
            7'd47: row = 66'h184c66dc7013797f6;
            7'd48: row = 66'h183091e46e941976f;
            7'd49: row = 66'h18151bb66d1d316ec;
            7'd50: row = 66'h17fa023c6bae7966d;
            7'd51: row = 66'h17df43726a47b15f1;
            7'd52: row = 66'h17c4dd6468e8a1579;
            7'd53: row = 66'h17aace28679111505;
            7'd54: row = 66'h179113e86640c1494;
            7'd55: row = 66'h1777acdc64f789427;
            7'd56: row = 66'h175e974463b5193bc;
            7'd57: row = 66'h1745d172627959355;
            7'd58: row = 66'h172d59c26144092f1;
            7'd59: row = 66'h17152e9e60150128f;
            7'd60: row = 66'h16fd4e765eec11230;
            7'd61: row = 66'h16e5b7d05dc9111d4;
            7'd62: row = 66'h16ce69305cabd117a;
            7'd63: row = 66'h16b7612c5b9429123;
            7'd64: row = 66'h16a09e58b50114294;
            7'd65: row = 66'h1673e322b0d7fc010;
            7'd66: row = 66'h16482d2cacd71bdaf;
            7'd67: row = 66'h161d72aca8fc43b6c;
            7'd68: row = 66'h15f3aa5ca5459b947;
            7'd69: row = 66'h15cacb6ea1b14b73e;
            7'd70: row = 66'h15a2cd829e3d8b54d;
            7'd71: row = 66'h157ba8a69ae8cb375;
            7'd72: row = 66'h1555554c97b1931b4;
            7'd73: row = 66'h152fcc3e94966b007;
            7'd74: row = 66'h150b06a2919612e6f;
            7'd75: row = 66'h14e6fdec8eaf32ce9;
            7'd76: row = 66'h14c3abe28be0b2b75;
            7'd77: row = 66'h14a10a9089297aa12;
            7'd78: row = 66'h147f144886886a8be;
            7'd79: row = 66'h145dc39c83fc9a779;
            7'd80: row = 66'h143d135c81851a642;
            7'd81: row = 66'h141cfe8e7f2102518;
            7'd82: row = 66'h13fd80727ccf8a3fb;
            7'd83: row = 66'h13de947a7a8fe22ea;
            7'd84: row = 66'h13c0364c7861521e4;
            7'd85: row = 66'h13a261b476431a0e8;
            7'd86: row = 66'h138512b67434a1ff7;
            7'd87: row = 66'h13684572723539f0f;
            7'd88: row = 66'h134bf638704451e31;
            7'd89: row = 66'h1330217c6e6151d5a;
            7'd90: row = 66'h1314c3d66c8bb9c8d;
            7'd91: row = 66'h12f9d9fa6ac2f9bc7;
            7'd92: row = 66'h12df60c2690691b08;
            7'd93: row = 66'h12c55526675619a50;
            7'd94: row = 66'h12abb43865b1219a0;
            7'd95: row = 66'h12927b2a6417298f5;
            7'd96: row = 66'h1279a7426287e1851;
            7'd97: row = 66'h126135e66102d97b3;
            7'd98: row = 66'h124924905f87b971a;
            7'd99: row = 66'h123170d05e1619686;
            7'd100: row = 66'h121a18505cadc15f8;
            7'd101: row = 66'h120318ca5b4e4156e;
            7'd102: row = 66'h11ec701059f7694ea;
            7'd103: row = 66'h11d61c0458a8d1469;
            7'd104: row = 66'h11c01a9e5762413ed;
            7'd105: row = 66'h11aa69e2562379375;
            7'd106: row = 66'h119507ea54ec29301;
            7'd107: row = 66'h117ff2de53bc21291;
            7'd108: row = 66'h116b28f2529319224;
            7'd109: row = 66'h1156a8705170e11bb;
            7'd110: row = 66'h11426faa505541155;
            7'd111: row = 66'h112e7d004f3ff90f2;
            7'd112: row = 66'h111acee24e30d9092;
            7'd113: row = 66'h110763ce4d27c1035;
            7'd114: row = 66'h10f43a444c2470fdb;
            7'd115: row = 66'h10e150dc4b26c0f84;
            7'd116: row = 66'h10cea6304a2e80f2f;
            7'd117: row = 66'h10bc38ea493b90edd;
            7'd118: row = 66'h10aa07bc484dc0e8d;
            7'd119: row = 66'h109811624764f8e40;
            7'd120: row = 66'h108654a2468100df5;
            7'd121: row = 66'h1074d04a45a1b8dac;
            7'd122: row = 66'h1063833044c700d65;
            7'd123: row = 66'h10526c3843f0b8d20;
            7'd124: row = 66'h10418a46431ec0cdd;
            7'd125: row = 66'h1030dc4e4250f8c9b;
            7'd126: row = 66'h10206144418748c5c;
            7'd127: row = 66'h1010182640c188c1e;
        endcase
    end
endmodule

`default_nettype wire
