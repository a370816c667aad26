// Coefficients of 2^x, x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_pow_exp2 #(
    parameter INDEX = 7,
    parameter ROW   = 70
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            7'd0: row = 70'h200000012c5c7e3daa;
            7'd1: row = 70'h202c7b552c9a283e00;
            7'd2: row = 70'h2059347e2cd8283e56;
            7'd3: row = 70'h20862bd22d167e3ead;
            7'd4: row = 70'h20b361a7ad552abf04;
            7'd5: row = 70'h20e0d654ad942f3f5b;
            7'd6: row = 70'h210e8a322dd389bfb4;
            7'd7: row = 70'h213c7d96ae133dc00c;
            7'd8: row = 70'h216ab0db2e5349c065;
            7'd9: row = 70'h219924582e93aec0bf;
            7'd10: row = 70'h21c7d866aed46d4119;
            7'd11: row = 70'h21f6cd612f1585c173;
            7'd12: row = 70'h222603a12f56f941ce;
            7'd13: row = 70'h22557b822f98c6c22a;
            7'd14: row = 70'h2285355eafdaf04286;
            7'd15: row = 70'h22b53192b01d75c2e2;
            7'd16: row = 70'h22e5707a306057c33f;
            7'd17: row = 70'h2315f27230a397439c;
            7'd18: row = 70'h2346b7d830e73343fa;
            7'd19: row = 70'h2377c109312b2dc459;
            7'd20: row = 70'h23a90e64316f8644b8;
            7'd21: row = 70'h23daa04731b43ec517;
            7'd22: row = 70'h240c771231f955c577;
            7'd23: row = 70'h243e9324323ecd45d8;
            7'd24: row = 70'h2470f4de3284a54639;
            7'd25: row = 70'h24a39ca0b2cade469b;
            7'd26: row = 70'h24d68acd331178c6fd;
            7'd27: row = 70'h2509bfc5335875c760;
            7'd28: row = 70'h253d3bebb39fd547c3;
            7'd29: row = 70'h2570ffa333e797c827;
            7'd30: row = 70'h25a50b4f342fbe488b;
            7'd31: row = 70'h25d95f53b4784948f0;
            7'd32: row = 70'h260dfc15b4c138c955;
            7'd33: row = 70'h2642e1f9b50a8dc9bb;
            7'd34: row = 70'h26781165b554494a21;
            7'd35: row = 70'h26ad8ac0b59e69ca89;
            7'd36: row = 70'h26e34e6fb5e8f2caf0;
            7'd37: row = 70'h27195cdb3633e2cb58;
            7'd38: row = 70'h274fb66b367f3b4bc1;
            7'd39: row = 70'h27865b8736cafc4c2a;
            7'd40: row = 70'h27bd4c99b717264c94;
            7'd41: row = 70'h27f48a0ab763ba4cff;
            7'd42: row = 70'h282c144537b0b8cd6a;
            7'd43: row = 70'h2863ebb3b7fe22cdd5;
            7'd44: row = 70'h289c10c2384bf84e41;
            7'd45: row = 70'h28d483dbb89a394eae;
            7'd46: row = 70'h290d456cb8e8e74f1c;
            7'd47: row = 70'h294655e3393802cf8a;
            7'd48: row = 70'h297fb5abb9878ccff8;
            7'd49: row = 70'h29b9653539d784d067;
            7'd50: row = 70'h29f364eeba27ebd0d7;
            7'd51: row = 70'h2a2db546ba78c35147;
            7'd52: row = 70'h2a6856ae3aca0ad1b8;
            7'd53: row = 70'h2aa349963b1bc2d22a;
            7'd54: row = 70'h2ade8e6ebb6decd29c;
            7'd55: row = 70'h2b1a25aabbc088d30f;
            7'd56: row = 70'h2b560fbbbc1397d383;
            7'd57: row = 70'h2b924d163c671a53f7;
            7'd58: row = 70'h2bcede2cbcbb11546b;
            7'd59: row = 70'h2c0bc3743d0f7c54e1;
            7'd60: row = 70'h2c48fd61bd645cd557;
            7'd61: row = 70'h2c868c6b3db9b3d5cd;
            7'd62: row = 70'h2cc471063e0f805645;
            7'd63: row = 70'h2d02abaa3e65c556bc;
            7'd64: row = 70'h2d413cce3ebc81d735;
            7'd65: row = 70'h2d8024eb3f13b6d7ae;
            7'd66: row = 70'h2dbf647a3f6b64d828;
            7'd67: row = 70'h2dfefbf43fc38cd8a3;
            7'd68: row = 70'h2e3eebd3401c2f591e;
            7'd69: row = 70'h2e7f3492c0754d599a;
            7'd70: row = 70'h2ebfd6adc0cee75a16;
            7'd71: row = 70'h2f00d2a14128fd5a94;
            7'd72: row = 70'h2f4228e9418390db11;
            7'd73: row = 70'h2f83da03c1dea25b90;
            7'd74: row = 70'h2fc5e66f423a325c0f;
            7'd75: row = 70'h30084ea9c29641dc8f;
            7'd76: row = 70'h304b133442f2d0dd10;
            7'd77: row = 70'h308e348dc34fe0dd91;
            7'd78: row = 70'h30d1b33843ad71de13;
            7'd79: row = 70'h31158fb4c40b855e96;
            7'd80: row = 70'h3159ca85c46a1adf1a;
            7'd81: row = 70'h319e642ec4c934df9e;
            7'd82: row = 70'h31e35d33c528d26023;
            7'd83: row = 70'h3228b618c588f560a8;
            7'd84: row = 70'h326e6f6345e99d612f;
            7'd85: row = 70'h32b48999464acc61b6;
            7'd86: row = 70'h32fb054146ac81e23e;
            7'd87: row = 70'h3341e2e2c70ebfe2c6;
            7'd88: row = 70'h33892306c77185e34f;
            7'd89: row = 70'h33d0c63547d4d4e3da;
            7'd90: row = 70'h3418ccf84838aee464;
            7'd91: row = 70'h346137da489d12e4f0;
            7'd92: row = 70'h34aa0765c90202e57c;
            7'd93: row = 70'h34f33c27c9677ee609;
            7'd94: row = 70'h353cd6acc9cd87e697;
            7'd95: row = 70'h3586d7814a341ee726;
            7'd96: row = 70'h35d13f344a9b44e7b5;
            7'd97: row = 70'h361c0e54cb02f9e845;
            7'd98: row = 70'h366745724b6b3ee8d6;
            7'd99: row = 70'h36b2e51d4bd414e968;
            7'd100: row = 70'h36feede74c3d7d69fa;
            7'd101: row = 70'h374b6062cca7776a8e;
            7'd102: row = 70'h37983d224d1204eb22;
            7'd103: row = 70'h37e584b94d7d26ebb7;
            7'd104: row = 70'h383337bccde8dd6c4d;
            7'd105: row = 70'h388156c1ce5529ece3;
            7'd106: row = 70'h38cfe25e4ec20d6d7a;
            7'd107: row = 70'h391edb29cf2f86ee13;
            7'd108: row = 70'h396e41bb4f9d99eeac;
            7'd109: row = 70'h39be16ac500c456f45;
            7'd110: row = 70'h3a0e5a95d07b8aefe0;
            7'd111: row = 70'h3a5f0e11d0eb6a707c;
            7'd112: row = 70'h3ab031bbd15be67118;
            7'd113: row = 70'h3b01c62f51ccfe71b5;
            7'd114: row = 70'h3b53cc09d23eb37253;
            7'd115: row = 70'h3ba643e7d2b106f2f2;
            7'd116: row = 70'h3bf92e68d323f8f392;
            7'd117: row = 70'h3c4c8c2bd3978a7433;
            7'd118: row = 70'h3ca05dd0d40bbd74d4;
            7'd119: row = 70'h3cf4a3f9548090f577;
            7'd120: row = 70'h3d495f4754f607761a;
            7'd121: row = 70'h3d9e905cd56c2176be;
            7'd122: row = 70'h3df437de55e2df7763;
            7'd123: row = 70'h3e4a5670d65a427809;
            7'd124: row = 70'h3ea0ecb8d6d24af8b0;
            7'd125: row = 70'h3ef7fb5cd74afaf958;
            7'd126: row = 70'h3f4f8304d7c4527a00;
            7'd127: row = 70'h3fa78458d83e527aaa;
        endcase
    end
endmodule

`default_nettype wire
