// Coefficients of 1/(1 + x), x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_recip_native #(
    parameter INDEX = 6,
    parameter ROW   = 54
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            6'd0: row = 54'h2000001ffef7d1;
            6'd1: row = 54'h1f81f81f04e777;
            6'd2: row = 54'h1f07c1de161722;
            6'd3: row = 54'h1e91319d31f6d2;
            6'd4: row = 54'h1e1e1e1c57b686;
            6'd5: row = 54'h1dae605b86f63f;
            6'd6: row = 54'h1d41d41abf15fc;
            6'd7: row = 54'h1cd85659ff95bd;
            6'd8: row = 54'h1c71c719480581;
            6'd9: row = 54'h1c0e071897f548;
            6'd10: row = 54'h1bacf8d7eee512;
            6'd11: row = 54'h1b4e81974cb4e0;
            6'd12: row = 54'h1af28696b0b4af;
            6'd13: row = 54'h1a98ef561ad481;
            6'd14: row = 54'h1a41a4158ab456;
            6'd15: row = 54'h19ec8e9500042d;
            6'd16: row = 54'h199999947a7405;
            6'd17: row = 54'h1948b113f9d3e0;
            6'd18: row = 54'h18f9c1937dd3bc;
            6'd19: row = 54'h18acb91306539a;
            6'd20: row = 54'h1861861293137a;
            6'd21: row = 54'h1818181223e35b;
            6'd22: row = 54'h17d05f11b8833e;
            6'd23: row = 54'h178a4c9150d321;
            6'd24: row = 54'h1745d190ecb307;
            6'd25: row = 54'h1702e0508be2ed;
            6'd26: row = 54'h16c16c102e42d4;
            6'd27: row = 54'h1681680fd3b2bd;
            6'd28: row = 54'h1642c84f7c12a6;
            6'd29: row = 54'h1605814f275291;
            6'd30: row = 54'h15c9884ed5427c;
            6'd31: row = 54'h158ed20e85b268;
            6'd32: row = 54'h1555554e38a255;
            6'd33: row = 54'h151d080dee0243;
            6'd34: row = 54'h14e5e0cda5a232;
            6'd35: row = 54'h14afd68d5f6221;
            6'd36: row = 54'h147ae14d1b4211;
            6'd37: row = 54'h1446f84cd92201;
            6'd38: row = 54'h1414140c9901f3;
            6'd39: row = 54'h13e22c8c5aa1e4;
            6'd40: row = 54'h13b13b0c1e21d6;
            6'd41: row = 54'h1381380be351c9;
            6'd42: row = 54'h13521d0baa31bc;
            6'd43: row = 54'h1323e34b72a1b0;
            6'd44: row = 54'h12f684cb3ca1a4;
            6'd45: row = 54'h12c9fb4b081199;
            6'd46: row = 54'h129e414ad5018e;
            6'd47: row = 54'h1273508aa33183;
            6'd48: row = 54'h1249248a72d179;
            6'd49: row = 54'h121fb78a43b16f;
            6'd50: row = 54'h11f7048a15d166;
            6'd51: row = 54'h11cf0689e9115c;
            6'd52: row = 54'h11a7b949bd9154;
            6'd53: row = 54'h1181180993214b;
            6'd54: row = 54'h115b1e4969c143;
            6'd55: row = 54'h1135c80941713b;
            6'd56: row = 54'h111111091a1133;
            6'd57: row = 54'h10ecf548f3b12b;
            6'd58: row = 54'h10c97148ce5124;
            6'd59: row = 54'h10a68108a9d11d;
            6'd60: row = 54'h10842108863116;
            6'd61: row = 54'h10624dc8637110;
            6'd62: row = 54'h10410408417109;
            6'd63: row = 54'h10204088205103;
        endcase
    end
endmodule

`default_nettype wire
