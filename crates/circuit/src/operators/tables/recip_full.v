// Coefficients of 1/(1 + x), x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_recip_full #(
    parameter INDEX = 7,
    parameter ROW   = 66
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            7'd0: row = 66'h1ffffff8fffdcbf42;
            7'd1: row = 66'h1fc07efafc09bbdcd;
            7'd2: row = 66'h1f81f818f82cebc64;
            7'd3: row = 66'h1f446598f466b3b06;
            7'd4: row = 66'h1f07c1eaf0b65b9b3;
            7'd5: row = 66'h1ecc07aced1b33869;
            7'd6: row = 66'h1e9131a6e994ab72a;
            7'd7: row = 66'h1e573ac2e622135f3;
            7'd8: row = 66'h1e1e1e18e2c2eb4c6;
            7'd9: row = 66'h1de5d6dedf76933a1;
            7'd10: row = 66'h1dae6070dc3c83285;
            7'd11: row = 66'h1d77b64ed9143b171;
            7'd12: row = 66'h1d41d418d5fd33065;
            7'd13: row = 66'h1d0cb58ad2f6f2f60;
            7'd14: row = 66'h1cd85684d000fae62;
            7'd15: row = 66'h1ca4b300cd1adad6c;
            7'd16: row = 66'h1c71c716ca4422c7c;
            7'd17: row = 66'h1c3f8efcc77c6ab93;
            7'd18: row = 66'h1c0e06fec4c342ab0;
            7'd19: row = 66'h1bdd2b84c2184a9d3;
            7'd20: row = 66'h1bacf910bf7b1a8fc;
            7'd21: row = 66'h1b7d6c3abceb5a82b;
            7'd22: row = 66'h1b4e81b0ba68b2760;
            7'd23: row = 66'h1b20363cb7f2ba699;
            7'd24: row = 66'h1af286b8b5892a5d8;
            7'd25: row = 66'h1ac57016b32baa51c;
            7'd26: row = 66'h1a98ef5cb0d9f2465;
            7'd27: row = 66'h1a6d01a4ae93aa3b2;
            7'd28: row = 66'h1a41a416ac588a304;
            7'd29: row = 66'h1a16d3f6aa285225b;
            7'd30: row = 66'h19ec8e92a802aa1b5;
            7'd31: row = 66'h19c2d14ca5e75a114;
            7'd32: row = 66'h19999996a3d62a077;
            7'd33: row = 66'h1970e4f4a1ceb9fdd;
            7'd34: row = 66'h1948b0f89fd0e9f47;
            7'd35: row = 66'h1920fb469ddc79eb5;
            7'd36: row = 66'h18f9c18c9bf129e27;
            7'd37: row = 66'h18d3018a9a0ec1d9c;
            7'd38: row = 66'h18acb90c983509d14;
            7'd39: row = 66'h1886e5ee9663c9c90;
            7'd40: row = 66'h18618616949ad1c0e;
            7'd41: row = 66'h183c977892d9f9b90;
            7'd42: row = 66'h181818169120f9b14;
            7'd43: row = 66'h17f405fa8f6fb9a9c;
            7'd44: row = 66'h17d05f3e8dc601a26;
            7'd45: row = 66'h17ad22068c23a19b3;
            7'd46: row = 66'h178a4c7e8a8871942;
            7'd47: row = 66'h1767dce288f4598d5;
            7'd48: row = 66'h1745d172876709869;
            7'd49: row = 66'h1724287c85e079800;
            7'd50: row = 66'h1702e05a846079799;
            7'd51: row = 66'h16e1f76882e6e9735;
            7'd52: row = 66'h16c16c148173a16d3;
            7'd53: row = 66'h16a13cce800671673;
            7'd54: row = 66'h168168147e9f49615;
            7'd55: row = 66'h1661ec687d3e015b9;
            7'd56: row = 66'h1642c8567be27155f;
            7'd57: row = 66'h1623fa767a8c89507;
            7'd58: row = 66'h1605815e793c194b1;
            7'd59: row = 66'h15e75bb877f11145d;
            7'd60: row = 66'h15c9882a76ab4940a;
            7'd61: row = 66'h15ac056a756aa93b9;
            7'd62: row = 66'h158ed22e742f1136a;
            7'd63: row = 66'h1571ed3a72f87931d;
            7'd64: row = 66'h1555555471c6b12d1;
            7'd65: row = 66'h153909487099a9287;
            7'd66: row = 66'h151d07e86f713923e;
            7'd67: row = 66'h150150126e4d591f6;
            7'd68: row = 66'h14e5e0a66d2e011b1;
            7'd69: row = 66'h14cab8866c12f116c;
            7'd70: row = 66'h14afd69e6afc31129;
            7'd71: row = 66'h149539e269e9a10e7;
            7'd72: row = 66'h147ae14668db310a7;
            7'd73: row = 66'h1460cbc667d0c1068;
            7'd74: row = 66'h1446f86466ca4102a;
            7'd75: row = 66'h142d662465c7a8fed;
            7'd76: row = 66'h1414141264c8d8fb2;
            7'd77: row = 66'h13fb013e63cdb8f77;
            7'd78: row = 66'h13e22cbc62d648f3e;
            7'd79: row = 66'h13c995a261e268f06;
            7'd80: row = 66'h13b13b1260f210ecf;
            7'd81: row = 66'h13991c2a600520e99;
            7'd82: row = 66'h138138125f1b98e64;
            7'd83: row = 66'h13698df25e3558e30;
            7'd84: row = 66'h13521cfa5d5260dfd;
            7'd85: row = 66'h133ae45a5c7298dcb;
            7'd86: row = 66'h1323e3485b95e8d9a;
            7'd87: row = 66'h130d19005abc50d69;
            7'd88: row = 66'h12f684bc59e5c0d3a;
            7'd89: row = 66'h12e025be591218d0b;
            7'd90: row = 66'h12c9fb4c584168cde;
            7'd91: row = 66'h12b404ac577390cb1;
            7'd92: row = 66'h129e412856a880c85;
            7'd93: row = 66'h1288b01255e030c5a;
            7'd94: row = 66'h127350b8551a90c2f;
            7'd95: row = 66'h125e22705457a0c06;
            7'd96: row = 66'h12492492539748bdd;
            7'd97: row = 66'h1234567852d978bb4;
            7'd98: row = 66'h121fb780521e38b8d;
            7'd99: row = 66'h120b470c516568b66;
            7'd100: row = 66'h11f7047c50af00b40;
            7'd101: row = 66'h11e2ef3a4ffb08b1b;
            7'd102: row = 66'h11cf06ac4f4960af6;
            7'd103: row = 66'h11bb4a404e9a00ad1;
            7'd104: row = 66'h11a7b9604decf0aae;
            7'd105: row = 66'h119453804d4210a8b;
            7'd106: row = 66'h118118104c9960a69;
            7'd107: row = 66'h116e06884bf2d8a47;
            7'd108: row = 66'h115b1e5e4b4e70a26;
            7'd109: row = 66'h11485f0e4aac18a05;
            7'd110: row = 66'h1135c8104a0bc89e5;
            7'd111: row = 66'h112358e6496d789c5;
            7'd112: row = 66'h1111111048d1289a6;
            7'd113: row = 66'h10fef0104836c8987;
            7'd114: row = 66'h10ecf56a479e50969;
            7'd115: row = 66'h10db20a84707c094c;
            7'd116: row = 66'h10c9714e46730092f;
            7'd117: row = 66'h10b7e6ea45e010912;
            7'd118: row = 66'h10a6810a454ef08f6;
            7'd119: row = 66'h10953f3844bf908da;
            7'd120: row = 66'h108421064431e88bf;
            7'd121: row = 66'h1073260a43a5f88a4;
            7'd122: row = 66'h10624dd2431bb888a;
            7'd123: row = 66'h105197f6429318870;
            7'd124: row = 66'h10410410420c18856;
            7'd125: row = 66'h103091b44186b883d;
            7'd126: row = 66'h102040804102e0824;
            7'd127: row = 66'h101010104080a080c;
        endcase
    end
endmodule

`default_nettype wire
