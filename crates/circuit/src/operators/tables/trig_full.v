// Coefficients of cos(x), then of sin(x)/2x, x in quarter turns, in [0, 1/2).
// Written by the example `make_tables`.
`default_nettype none

module sluice_trig_full #(
    parameter INDEX = 7,
    parameter ROW   = 72
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            7'd0: row = 72'h800000000000033bd2;
            7'd1: row = 72'h7ffd885804ef4f3bc6;
            7'd2: row = 72'h7ff6218009de693bae;
            7'd3: row = 72'h7fe9cbbe0ecd233b89;
            7'd4: row = 72'h7fd8878c13bb4b3b58;
            7'd5: row = 72'h7fc2559418a8ad3b1c;
            7'd6: row = 72'h7fa736b21d951f3ad3;
            7'd7: row = 72'h7f872bf222806f3a7d;
            7'd8: row = 72'h7f623690276a673a1c;
            7'd9: row = 72'h7f3857f62c52d939af;
            7'd10: row = 72'h7f0991c43139993935;
            7'd11: row = 72'h7ed5e5c6361e7138b0;
            7'd12: row = 72'h7e9d55fe3b0135381e;
            7'd13: row = 72'h7e5fe4943fe1af3781;
            7'd14: row = 72'h7e1d93ea44bfb536d7;
            7'd15: row = 72'h7dd66690499b153621;
            7'd16: row = 72'h7d8a5f424e739d3560;
            7'd17: row = 72'h7d3980ee5349213492;
            7'd18: row = 72'h7ce3ceb4581b6d33b9;
            7'd19: row = 72'h7c894be05cea5332d4;
            7'd20: row = 72'h7c29fbf261b5a531e3;
            7'd21: row = 72'h7bc5e292667d3130e6;
            7'd22: row = 72'h7b5d03a26b40cd2fdd;
            7'd23: row = 72'h7aef63267000432ec9;
            7'd24: row = 72'h7a7d055e74bb692da9;
            7'd25: row = 72'h7a05eeb279720f2c7d;
            7'd26: row = 72'h798a23b67e24072b46;
            7'd27: row = 72'h7909a93282d1212a03;
            7'd28: row = 72'h7884841887793128b5;
            7'd29: row = 72'h77fab98e8c1c07275b;
            7'd30: row = 72'h776c4ee090b97725f6;
            7'd31: row = 72'h76d9498e9551512486;
            7'd32: row = 72'h7641af4299e36b230a;
            7'd33: row = 72'h75a585d49e6f952183;
            7'd34: row = 72'h7504d34ca2f5a51ff1;
            7'd35: row = 72'h745f9dd8a7756b1e54;
            7'd36: row = 72'h73b5ebd6abeebb1cac;
            7'd37: row = 72'h7307c3d8b0616f1af8;
            7'd38: row = 72'h72552c8cb4cd53193a;
            7'd39: row = 72'h719e2cdab9323f1771;
            7'd40: row = 72'h70e2cbcebd9005159e;
            7'd41: row = 72'h702310a2c1e67f13bf;
            7'd42: row = 72'h6f5f02bac6357f11d6;
            7'd43: row = 72'h6e96a9a6ca7cdb0fe2;
            7'd44: row = 72'h6dca0d1ccebc670de4;
            7'd45: row = 72'h6cf93504d2f3fb0bdc;
            7'd46: row = 72'h6c24296ad7236d09c9;
            7'd47: row = 72'h6b4af282db4a9507ac;
            7'd48: row = 72'h6a6d98aedf69470585;
            7'd49: row = 72'h698c2476e37f5d0353;
            7'd50: row = 72'h68a69e8ae78cad0118;
            7'd51: row = 72'h67bd0fc6eb9110fed3;
            7'd52: row = 72'h66cf812aef8c5efc84;
            7'd53: row = 72'h65ddfbdef37e70fa2b;
            7'd54: row = 72'h64e88930f7671ef7c9;
            7'd55: row = 72'h63ef329afb4644f55d;
            7'd56: row = 72'h62f201b8ff1bbaf2e7;
            7'd57: row = 72'h61f1004b02e75af068;
            7'd58: row = 72'h60ec383d06a8feede0;
            7'd59: row = 72'h5fe3b39b0a6082eb4f;
            7'd60: row = 72'h5ed77c970e0dc0e8b5;
            7'd61: row = 72'h5dc79d8911b094e612;
            7'd62: row = 72'h5cb420ed1548dee365;
            7'd63: row = 72'h5b9d116118d676e0b0;
            7'd64: row = 72'h6487ed5000000052af;
            7'd65: row = 72'h648747f2014abc52ad;
            7'd66: row = 72'h648557dc02956e52a9;
            7'd67: row = 72'h64821d1c03e01452a3;
            7'd68: row = 72'h647d97c2052aa0529c;
            7'd69: row = 72'h6477c7ec0675105292;
            7'd70: row = 72'h6470adb807bf585287;
            7'd71: row = 72'h646849520909725279;
            7'd72: row = 72'h645e9af00a5358526a;
            7'd73: row = 72'h6453a2c40b9d005259;
            7'd74: row = 72'h644761140ce6625246;
            7'd75: row = 72'h6439d6260e2f7a5231;
            7'd76: row = 72'h642b024c0f783c521a;
            7'd77: row = 72'h641ae5de10c0a45201;
            7'd78: row = 72'h640981381208a851e6;
            7'd79: row = 72'h63f6d4c413504251ca;
            7'd80: row = 72'h63e2e0f014976a51ab;
            7'd81: row = 72'h63cda63215de16518b;
            7'd82: row = 72'h63b725081724425169;
            7'd83: row = 72'h639f5df61869e45145;
            7'd84: row = 72'h6386518819aef6511f;
            7'd85: row = 72'h636c00561af37250f7;
            7'd86: row = 72'h63506af81c374e50cd;
            7'd87: row = 72'h633392121d7a8450a1;
            7'd88: row = 72'h6315764e1ebd085074;
            7'd89: row = 72'h62f618601ffed85045;
            7'd90: row = 72'h62d57900213fec5014;
            7'd91: row = 72'h62b398ee22803a4fe1;
            7'd92: row = 72'h629078f423bfbe4fac;
            7'd93: row = 72'h626c19e224fe6e4f75;
            7'd94: row = 72'h62467c8c263c424f3d;
            7'd95: row = 72'h621fa1d22779364f02;
            7'd96: row = 72'h61f78a9a28b5404ec6;
            7'd97: row = 72'h61ce37d029f05a4e88;
            7'd98: row = 72'h61a3aa682b2a7c4e49;
            7'd99: row = 72'h6177e35c2c63a04e07;
            7'd100: row = 72'h614ae3b22d9bbe4dc4;
            7'd101: row = 72'h611cac6e2ed2ce4d7f;
            7'd102: row = 72'h60ed3ea43008ca4d38;
            7'd103: row = 72'h60bc9b6e313daa4cf0;
            7'd104: row = 72'h608ac3e632716a4ca5;
            7'd105: row = 72'h6057b93433a4004c59;
            7'd106: row = 72'h60237c8634d5664c0b;
            7'd107: row = 72'h5fee0f0e3605924bbc;
            7'd108: row = 72'h5fb772063734824b6b;
            7'd109: row = 72'h5f7fa6b238622c4b18;
            7'd110: row = 72'h5f46ae5a398e8c4ac3;
            7'd111: row = 72'h5f0c8a4a3ab9964a6d;
            7'd112: row = 72'h5ed13bde3be34c4a14;
            7'd113: row = 72'h5e94c46e3d0b9c49bb;
            7'd114: row = 72'h5e5725603e3288495f;
            7'd115: row = 72'h5e18601e3f58064902;
            7'd116: row = 72'h5dd87618407c0e48a4;
            7'd117: row = 72'h5d9768c6419e9e4843;
            7'd118: row = 72'h5d5539a642bfaa47e1;
            7'd119: row = 72'h5d11ea3e43df2e477e;
            7'd120: row = 72'h5ccd7c1844fd284718;
            7'd121: row = 72'h5c87f0c446198846b2;
            7'd122: row = 72'h5c4149dc4734504649;
            7'd123: row = 72'h5bf98900484d7645df;
            7'd124: row = 72'h5bb0afd04964f24574;
            7'd125: row = 72'h5b66bffa4a7ac24507;
            7'd126: row = 72'h5b1bbb2e4b8ede4498;
            7'd127: row = 72'h5acfa3264ca1404428;
        endcase
    end
endmodule

`default_nettype wire
