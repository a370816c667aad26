// Coefficients of ln(m)/(m - 1), m in [1, 1.5), then in [0.75, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_log_full #(
    parameter INDEX = 7,
    parameter ROW   = 68
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            7'd0: row = 68'h7ffffff9fffdcd497;
            7'd1: row = 68'h7f80a9a5fab465320;
            7'd2: row = 68'h7f02a2bdf582751b3;
            7'd3: row = 68'h7e85e579f0674d04e;
            7'd4: row = 68'h7e0a6c33eb6274ef2;
            7'd5: row = 68'h7d90316de6735cd9e;
            7'd6: row = 68'h7d172fc7e19984c53;
            7'd7: row = 68'h7c9f61ffdcd45cb0f;
            7'd8: row = 68'h7c28c2fbd823749d3;
            7'd9: row = 68'h7bb34db7d3864c89e;
            7'd10: row = 68'h7b3efd55cefc74770;
            7'd11: row = 68'h7acbcd0dca857c649;
            7'd12: row = 68'h7a59b835c620ec529;
            7'd13: row = 68'h79e8ba41c1ce5c40f;
            7'd14: row = 68'h7978cebdbd8d742fc;
            7'd15: row = 68'h7909f14db95db41ef;
            7'd16: row = 68'h789c1db5b53ed40e8;
            7'd17: row = 68'h782f4fc7b13053fe6;
            7'd18: row = 68'h77c38373ad31f3eea;
            7'd19: row = 68'h7758b4bfa94353df4;
            7'd20: row = 68'h76eedfc9a5641bd03;
            7'd21: row = 68'h768600bfa193ebc17;
            7'd22: row = 68'h761e13e99dd27bb30;
            7'd23: row = 68'h75b715a19a1f7ba4e;
            7'd24: row = 68'h75510255967a9b971;
            7'd25: row = 68'h74ebd68792e393899;
            7'd26: row = 68'h74878ecb8f5a0b7c4;
            7'd27: row = 68'h742427c98bddcb6f5;
            7'd28: row = 68'h73c19e37886e83629;
            7'd29: row = 68'h735feee1850bf3562;
            7'd30: row = 68'h72ff16a181b5db49f;
            7'd31: row = 68'h729f12617e6bf33df;
            7'd32: row = 68'h723fdf1b7b2e03324;
            7'd33: row = 68'h71e179db77fbcb26c;
            7'd34: row = 68'h7183dfbb74d5131b8;
            7'd35: row = 68'h71270ddf71b993107;
            7'd36: row = 68'h70cb01816ea92305a;
            7'd37: row = 68'h706fb7e76ba382fb0;
            7'd38: row = 68'h70152e5f68a88af0a;
            7'd39: row = 68'h6fbb624965b7eae66;
            7'd40: row = 68'h6f62511562d18adc6;
            7'd41: row = 68'h6f09f8395ff52ad29;
            7'd42: row = 68'h6eb255395d22a2c8f;
            7'd43: row = 68'h6e5b65ab5a59babf8;
            7'd44: row = 68'h6e052727579a42b63;
            7'd45: row = 68'h6daf975754e412ad1;
            7'd46: row = 68'h6d5ab3ef5236faa42;
            7'd47: row = 68'h6d067aaf4f92da9b6;
            7'd48: row = 68'h6cb2e95f4cf78292c;
            7'd49: row = 68'h6c5ffdd14a64c28a5;
            7'd50: row = 68'h6c0db5e547da7a820;
            7'd51: row = 68'h6bbc0f8145587a79d;
            7'd52: row = 68'h6b6b089942deaa71d;
            7'd53: row = 68'h6b1a9f23406cda69f;
            7'd54: row = 68'h6acad1273e02ea624;
            7'd55: row = 68'h6a7b9cb13ba0b25aa;
            7'd56: row = 68'h6a2cffd5394612533;
            7'd57: row = 68'h69def8b136f2ea4be;
            7'd58: row = 68'h6991856f34a70a44a;
            7'd59: row = 68'h6944a43b32626a3d9;
            7'd60: row = 68'h68f8534f3024e236a;
            7'd61: row = 68'h68ac90e72dee422fc;
            7'd62: row = 68'h68615b492bbe82291;
            7'd63: row = 68'h6816b0c729957a227;
            7'd64: row = 68'h934b108775f8f2856;
            7'd65: row = 68'h92ede2f373739a7e0;
            7'd66: row = 68'h929155c770f5a276c;
            7'd67: row = 68'h923567336e7eea6f9;
            7'd68: row = 68'h91da15676c0f5a689;
            7'd69: row = 68'h917f5e9f69a6ca61a;
            7'd70: row = 68'h9125411b6745225ad;
            7'd71: row = 68'h90cbbb2964ea52542;
            7'd72: row = 68'h9072cb156296324d9;
            7'd73: row = 68'h901a6f356048a2471;
            7'd74: row = 68'h8fc2a5eb5e019240b;
            7'd75: row = 68'h8f6b6d995bc0e23a6;
            7'd76: row = 68'h8f14c4a9598682343;
            7'd77: row = 68'h8ebea98b57524a2e2;
            7'd78: row = 68'h8e691ab9552432282;
            7'd79: row = 68'h8e1416ad52fc0a223;
            7'd80: row = 68'h8dbf9bed50d9da1c6;
            7'd81: row = 68'h8d6ba8ff4ebd7a16b;
            7'd82: row = 68'h8d183c734ca6ca110;
            7'd83: row = 68'h8cc554dd4a95c20b7;
            7'd84: row = 68'h8c72f0d9488a52060;
            7'd85: row = 68'h8c210f0146845a00a;
            7'd86: row = 68'h8bcfadfd4483c1fb5;
            7'd87: row = 68'h8b7ecc73428879f61;
            7'd88: row = 68'h8b2e6915409269f0e;
            7'd89: row = 68'h8ade82953ea189ebd;
            7'd90: row = 68'h8a8f17a93cb5b9e6d;
            7'd91: row = 68'h8a4027113acef1e1e;
            7'd92: row = 68'h89f1af8f38ed19dd0;
            7'd93: row = 68'h89a3afe7371019d83;
            7'd94: row = 68'h895626e33537e1d37;
            7'd95: row = 68'h89091355336471ced;
            7'd96: row = 68'h88bc74113195a1ca3;
            7'd97: row = 68'h887047eb2fcb71c5b;
            7'd98: row = 68'h88248dc32e05c1c13;
            7'd99: row = 68'h87d944772c4489bcd;
            7'd100: row = 68'h878e6aeb2a87b9b87;
            7'd101: row = 68'h8744000728cf49b43;
            7'd102: row = 68'h86fa02b9271b19aff;
            7'd103: row = 68'h86b071ef256b29abd;
            7'd104: row = 68'h86674c9b23bf59a7b;
            7'd105: row = 68'h861e91b92217a9a3a;
            7'd106: row = 68'h85d6403f2074099fa;
            7'd107: row = 68'h858e572d1ed4699bb;
            7'd108: row = 68'h8546d5871d38c197d;
            7'd109: row = 68'h84ffba4f1ba0e993f;
            7'd110: row = 68'h84b9048f1a0cf9903;
            7'd111: row = 68'h8472b355187cd18c7;
            7'd112: row = 68'h842cc5ad16f06188c;
            7'd113: row = 68'h83e73aab1567a1852;
            7'd114: row = 68'h83a2116313e281818;
            7'd115: row = 68'h835d48f11261017e0;
            7'd116: row = 68'h8318e06d10e3097a8;
            7'd117: row = 68'h82d4d6f90f6889770;
            7'd118: row = 68'h82912bb50df18973a;
            7'd119: row = 68'h824dddc30c7de9704;
            7'd120: row = 68'h820aec4f0b0da96cf;
            7'd121: row = 68'h81c8567f09a0b969a;
            7'd122: row = 68'h81861b85083719667;
            7'd123: row = 68'h81443a8b06d0b1634;
            7'd124: row = 68'h8102b2c3056d71601;
            7'd125: row = 68'h80c18367040d615cf;
            7'd126: row = 68'h8080abad02b07159e;
            7'd127: row = 68'h80402ac901568956d;
        endcase
    end
endmodule

`default_nettype wire
