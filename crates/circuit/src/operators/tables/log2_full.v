// Coefficients of log2(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_log2_full #(
    parameter INDEX = 7,
    parameter ROW   = 69
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            7'd0: row = 69'h17154763ee2a5bfa09;
            7'd1: row = 69'h16fe50b5edb053f7ed;
            7'd2: row = 69'h16e79684ad3867f5de;
            7'd3: row = 69'h16d117c5acc28af3db;
            7'd4: row = 69'h16bad3746c4eb0f1e5;
            7'd5: row = 69'h16a4c892ebdccc6ffb;
            7'd6: row = 69'h168ef6292b6cd26e1d;
            7'd7: row = 69'h16795b44eafeb66c49;
            7'd8: row = 69'h1663f6f9ea926dea81;
            7'd9: row = 69'h164ec860ea27ed68c4;
            7'd10: row = 69'h1639ce9929bf2a6710;
            7'd11: row = 69'h162508c5e9581ae567;
            7'd12: row = 69'h1610761028f2b4e3c7;
            7'd13: row = 69'h15fc15a5a88eee6231;
            7'd14: row = 69'h15e7e6b8e82cbe60a4;
            7'd15: row = 69'h15d3e880e7cc1b5f1f;
            7'd16: row = 69'h15c01a39276cfc5da3;
            7'd17: row = 69'h15ac7b21e70f59dc30;
            7'd18: row = 69'h15990a7f66b32a5ac5;
            7'd19: row = 69'h1585c799a65865d961;
            7'd20: row = 69'h1572b1bd65ff055806;
            7'd21: row = 69'h155fc83aa5a6ffd6b1;
            7'd22: row = 69'h154d0a6525504f5564;
            7'd23: row = 69'h153a779524faeb541e;
            7'd24: row = 69'h15280f2564a6cdd2df;
            7'd25: row = 69'h1515d074a453ef51a7;
            7'd26: row = 69'h1503bae56402495075;
            7'd27: row = 69'h14f1cddc63b1d4cf49;
            7'd28: row = 69'h14e008c2e3628c4e23;
            7'd29: row = 69'h14ce6b04231469cd04;
            7'd30: row = 69'h14bcf40f22c7664bea;
            7'd31: row = 69'h14aba355227b7c4ad6;
            7'd32: row = 69'h149a784b2230a6c9c7;
            7'd33: row = 69'h1489726861e6dfc8be;
            7'd34: row = 69'h14789126e19e21c7ba;
            7'd35: row = 69'h1467d403615667c6bc;
            7'd36: row = 69'h14573a7d610facc5c2;
            7'd37: row = 69'h1446c41660c9eb44cd;
            7'd38: row = 69'h14367052e0851ec3dd;
            7'd39: row = 69'h14263eb9a0414242f1;
            7'd40: row = 69'h14162ed39ffe51c20a;
            7'd41: row = 69'h1406402c1fbc484127;
            7'd42: row = 69'h13f672509f7b21c049;
            7'd43: row = 69'h13e6c4d11f3ad93f6e;
            7'd44: row = 69'h13d7373f1efb6b3e98;
            7'd45: row = 69'h13c7c92e5ebcd33dc6;
            7'd46: row = 69'h13b87a355e7f0e3cf8;
            7'd47: row = 69'h13a949eb5e4216bc2d;
            7'd48: row = 69'h139a37ea5e05e9bb66;
            7'd49: row = 69'h138b43ce1dca83baa3;
            7'd50: row = 69'h137c6d341d8fe139e3;
            7'd51: row = 69'h136db3bb5d55fe3927;
            7'd52: row = 69'h135f17051d1cd7b86e;
            7'd53: row = 69'h135096b3dce469b7b8;
            7'd54: row = 69'h1342326c1cacb1b706;
            7'd55: row = 69'h1333e9d41c75ac3657;
            7'd56: row = 69'h1325bc92dc3f5535aa;
            7'd57: row = 69'h1317aa521c09ab3501;
            7'd58: row = 69'h1309b2bbdbd4aa345b;
            7'd59: row = 69'h12fbd57cdba04fb3b8;
            7'd60: row = 69'h12ee12425b6c97b317;
            7'd61: row = 69'h12e068bb9b3980b279;
            7'd62: row = 69'h12d2d8989b070831de;
            7'd63: row = 69'h12c5618b5ad52a3145;
            7'd64: row = 69'h1a8ff97121b873ba31;
            7'd65: row = 69'h1a7f2bc2e17e433987;
            7'd66: row = 69'h1a6e7b026144bcb8df;
            7'd67: row = 69'h1a5de6db210bddb83a;
            7'd68: row = 69'h1a4d6efa20d3a3b798;
            7'd69: row = 69'h1a3d130da09c0bb6f8;
            7'd70: row = 69'h1a2cd2c4e06513365b;
            7'd71: row = 69'h1a1cadd1602eb835c1;
            7'd72: row = 69'h1a0ca3e4dff8f7b529;
            7'd73: row = 69'h19fcb4b29fc3cf3493;
            7'd74: row = 69'h19ecdfef1f8f3c3400;
            7'd75: row = 69'h19dd25505f5b3cb36f;
            7'd76: row = 69'h19cd848d1f27ce32e0;
            7'd77: row = 69'h19bdfd5d5ef4ee3253;
            7'd78: row = 69'h19ae8f7a5ec29bb1c9;
            7'd79: row = 69'h199f3a9e5e90d2b140;
            7'd80: row = 69'h198ffe845e5f92b0ba;
            7'd81: row = 69'h1980dae91e2ed8b036;
            7'd82: row = 69'h1971cf899dfea32fb4;
            7'd83: row = 69'h1962dc245dceef2f33;
            7'd84: row = 69'h195400791d9fbc2eb5;
            7'd85: row = 69'h19453c479d71072e38;
            7'd86: row = 69'h19368f515d42cf2dbe;
            7'd87: row = 69'h1927f9589d1511ad45;
            7'd88: row = 69'h19197a209ce7cd2cce;
            7'd89: row = 69'h190b116d1cbaff2c58;
            7'd90: row = 69'h18fcbf031c8ea72be5;
            7'd91: row = 69'h18ee82a85c62c22b73;
            7'd92: row = 69'h18e05c235c374f2b02;
            7'd93: row = 69'h18d24b3b9c0c4d2a94;
            7'd94: row = 69'h18c44fb95be1b9aa27;
            7'd95: row = 69'h18b66965dbb79329bb;
            7'd96: row = 69'h18a8980a9b8dd82951;
            7'd97: row = 69'h189adb721b648728e8;
            7'd98: row = 69'h188d33681b3b9f2881;
            7'd99: row = 69'h187f9fb85b131e281c;
            7'd100: row = 69'h1872202fdaeb0227b7;
            7'd101: row = 69'h1864b49bdac34b2754;
            7'd102: row = 69'h18575ccb1a9bf726f3;
            7'd103: row = 69'h184a188bda75042693;
            7'd104: row = 69'h183ce7ae1a4e712634;
            7'd105: row = 69'h182fca01da283d25d6;
            7'd106: row = 69'h1822bf585a0267257a;
            7'd107: row = 69'h1815c78319dced251f;
            7'd108: row = 69'h1808e253d9b7ce24c5;
            7'd109: row = 69'h17fc0f9dd99309246d;
            7'd110: row = 69'h17ef4f34196e9c2415;
            7'd111: row = 69'h17e2a0ead94a8723bf;
            7'd112: row = 69'h17d604969926c8236a;
            7'd113: row = 69'h17c97a0cd9035ea316;
            7'd114: row = 69'h17bd012298e048a2c3;
            7'd115: row = 69'h17b099aed8bd85a271;
            7'd116: row = 69'h17a44387d89b142220;
            7'd117: row = 69'h1797fe855878f421d1;
            7'd118: row = 69'h178bca7f1857232182;
            7'd119: row = 69'h177fa74d9835a12134;
            7'd120: row = 69'h177394c9d8146d20e8;
            7'd121: row = 69'h176792ccd7f385209c;
            7'd122: row = 69'h175ba130d7d2e92051;
            7'd123: row = 69'h174fbfd057b2982008;
            7'd124: row = 69'h1743ee85d792901fbf;
            7'd125: row = 69'h17382d2d5772d19f77;
            7'd126: row = 69'h172c7ba1d7535a9f30;
            7'd127: row = 69'h1720d9c057342b1eea;
        endcase
    end
endmodule

`default_nettype wire
