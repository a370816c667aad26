// Coefficients of log10(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_log10_full #(
    parameter INDEX = 7,
    parameter ROW   = 67
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            7'd0: row = 67'h6f2dec4fbcb5c4979;
            7'd1: row = 67'h6ebf51c3b81e44834;
            7'd2: row = 67'h6e51da8fb39b0c6f6;
            7'd3: row = 67'h6de581adaf2bb45c1;
            7'd4: row = 67'h6d7a4235aacfac492;
            7'd5: row = 67'h6d101763a6869436b;
            7'd6: row = 67'h6ca6fc89a24fe424b;
            7'd7: row = 67'h6c3eed1d9e2b3c132;
            7'd8: row = 67'h6bd7e4a79a181c01f;
            7'd9: row = 67'h6b71ded3961633f13;
            7'd10: row = 67'h6b0cd76392250be0d;
            7'd11: row = 67'h6aa8ca2f8e4443d0d;
            7'd12: row = 67'h6a45b32f8a737bc12;
            7'd13: row = 67'h69e38e6b86b25bb1e;
            7'd14: row = 67'h69825807830083a2f;
            7'd15: row = 67'h69220c3b7f5da3945;
            7'd16: row = 67'h68c2a7557bc953860;
            7'd17: row = 67'h686425b778435b781;
            7'd18: row = 67'h680683d974cb536a6;
            7'd19: row = 67'h67a9be497160fb5d0;
            7'd20: row = 67'h674dd1a36e04034ff;
            7'd21: row = 67'h66f2ba976ab41b432;
            7'd22: row = 67'h669875ed677103369;
            7'd23: row = 67'h663f0077643a7b2a5;
            7'd24: row = 67'h65e6571b61102b1e5;
            7'd25: row = 67'h658e76d35df1eb129;
            7'd26: row = 67'h65375ca35adf5b070;
            7'd27: row = 67'h64e105a557d85afbc;
            7'd28: row = 67'h648b6eff54dca2f0b;
            7'd29: row = 67'h643695e751ebf2e5e;
            7'd30: row = 67'h63e277a14f0612db4;
            7'd31: row = 67'h638f117d4c2ad2d0e;
            7'd32: row = 67'h633c60df4959eac6b;
            7'd33: row = 67'h62ea6335469342bcc;
            7'd34: row = 67'h629915f743d682b2f;
            7'd35: row = 67'h624876ad412392a96;
            7'd36: row = 67'h61f882ef3e7a3a9ff;
            7'd37: row = 67'h61a938593bda4a96c;
            7'd38: row = 67'h615a949939438a8db;
            7'd39: row = 67'h610c956736b5d284d;
            7'd40: row = 67'h60bf38873431027c2;
            7'd41: row = 67'h60727bc531b4e273a;
            7'd42: row = 67'h60265cfb2f414a6b4;
            7'd43: row = 67'h5fdada0d2cd60a630;
            7'd44: row = 67'h5f8ff0e52a73025af;
            7'd45: row = 67'h5f459f7d281812531;
            7'd46: row = 67'h5efbe3d525c50a4b5;
            7'd47: row = 67'h5eb2bbf72379c243b;
            7'd48: row = 67'h5e6a25f921361a3c3;
            7'd49: row = 67'h5e221ff31ef9ea34d;
            7'd50: row = 67'h5ddaa80f1cc5122da;
            7'd51: row = 67'h5d93bc7b1a977a269;
            7'd52: row = 67'h5d4d5b691870ea1f9;
            7'd53: row = 67'h5d07831d16515a18c;
            7'd54: row = 67'h5cc231db1438a2121;
            7'd55: row = 67'h5c7d65ef1226920b7;
            7'd56: row = 67'h5c391db5101b2204f;
            7'd57: row = 67'h5bf557870e1631fea;
            7'd58: row = 67'h5bb211c90c1799f85;
            7'd59: row = 67'h5b6f4aeb0a1f49f23;
            7'd60: row = 67'h5b2d015b082d11ec2;
            7'd61: row = 67'h5aeb33970640f1e63;
            7'd62: row = 67'h5aa9e01d045ac1e06;
            7'd63: row = 67'h5a690575027a61daa;
            7'd64: row = 67'h7feff0af44d412309;
            7'd65: row = 67'h7f9f01b942a3822a2;
            7'd66: row = 67'h7f4e9e1740795a23d;
            7'd67: row = 67'h7efec4373e558a1da;
            7'd68: row = 67'h7eaf72853c37f2179;
            7'd69: row = 67'h7e60a7773a2062118;
            7'd70: row = 67'h7e12618d380ee20ba;
            7'd71: row = 67'h7dc49f4536034205d;
            7'd72: row = 67'h7d775f2933fd72001;
            7'd73: row = 67'h7d2a9fcb31fd61fa7;
            7'd74: row = 67'h7cde5fbd3002e9f4e;
            7'd75: row = 67'h7c929d9b2e0e09ef7;
            7'd76: row = 67'h7c4758032c1e99ea1;
            7'd77: row = 67'h7bfc8d9d2a3489e4c;
            7'd78: row = 67'h7bb23d0f284fc1df9;
            7'd79: row = 67'h7b68650d267031da7;
            7'd80: row = 67'h7b1f044b2495c1d56;
            7'd81: row = 67'h7ad6198322c069d07;
            7'd82: row = 67'h7a8da37320eff9cb8;
            7'd83: row = 67'h7a45a0e11f2481c6b;
            7'd84: row = 67'h79fe10951d5dd1c1f;
            7'd85: row = 67'h79b6f15b1b9be9bd4;
            7'd86: row = 67'h7970420719dea9b8a;
            7'd87: row = 67'h792a016d182609b41;
            7'd88: row = 67'h78e42e6b1671f9af9;
            7'd89: row = 67'h789ec7db14c261ab3;
            7'd90: row = 67'h7859cca7131739a6d;
            7'd91: row = 67'h78153bb1117069a29;
            7'd92: row = 67'h77d113e50fcdd99e5;
            7'd93: row = 67'h778d54350e2f899a2;
            7'd94: row = 67'h7749fb950c9571961;
            7'd95: row = 67'h770708f90aff61920;
            7'd96: row = 67'h76c47b5d096d698e0;
            7'd97: row = 67'h768251c107df698a1;
            7'd98: row = 67'h76408b27065559863;
            7'd99: row = 67'h75ff269304cf31826;
            7'd100: row = 67'h75be2311034cd17e9;
            7'd101: row = 67'h757d7fad01ce417ae;
            7'd102: row = 67'h753d3b77005361773;
            7'd103: row = 67'h74fd5582fedc31739;
            7'd104: row = 67'h74bdcce6fd6899700;
            7'd105: row = 67'h747ea0befbf8a16c8;
            7'd106: row = 67'h743fd024fa8c21690;
            7'd107: row = 67'h74015a3af92319659;
            7'd108: row = 67'h73c33e24f7bd81623;
            7'd109: row = 67'h73857b06f65b515ee;
            7'd110: row = 67'h7348100cf4fc715b9;
            7'd111: row = 67'h730afc60f3a0d9585;
            7'd112: row = 67'h72ce3f32f24889552;
            7'd113: row = 67'h7291d7b4f0f369520;
            7'd114: row = 67'h7255c516efa1694ee;
            7'd115: row = 67'h721a0696ee52894bc;
            7'd116: row = 67'h71de9b6aed06c948c;
            7'd117: row = 67'h71a382ceebbe0945c;
            7'd118: row = 67'h7168bc00ea785142d;
            7'd119: row = 67'h712e4644e935893fe;
            7'd120: row = 67'h70f420dee7f5b13d0;
            7'd121: row = 67'h70ba4b10e6b8b13a2;
            7'd122: row = 67'h7080c426e57e91375;
            7'd123: row = 67'h70478b6ae44741349;
            7'd124: row = 67'h700ea02ae312b931d;
            7'd125: row = 67'h6fd601b4e1e0e92f2;
            7'd126: row = 67'h6f9daf5ce0b1d12c7;
            7'd127: row = 67'h6f65a876df856929d;
        endcase
    end
endmodule

`default_nettype wire
