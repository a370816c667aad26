// Coefficients of 2^x, x in [0, 1).
// Written by the example `make_tables`.
`default_nettype none

module sluice_exp2_full #(
    parameter INDEX = 6,
    parameter ROW   = 67
) (
    input  wire [INDEX-1:0] index,
    output reg  [ROW-1:0]   row
);
    always @* begin
        case (index)
            6'd0: row = 67'h4000000d62e333dd5;
            6'd1: row = 67'h40b2690566c083e81;
            6'd2: row = 67'h4166c3596aa893f30;
            6'd3: row = 67'h421d146d6e9b8bfe0;
            6'd4: row = 67'h42d561c1729984092;
            6'd5: row = 67'h438fb0d976a29c146;
            6'd6: row = 67'h444c074d7ab6fc1fc;
            6'd7: row = 67'h450a6ac97ed6b42b4;
            6'd8: row = 67'h45cae0fd8301ec36e;
            6'd9: row = 67'h468d6fb98738c442a;
            6'd10: row = 67'h47521cd18b7b5c4e8;
            6'd11: row = 67'h4818ee2d8fc9d45a8;
            6'd12: row = 67'h48e1e9c994244c66a;
            6'd13: row = 67'h49ad15a5988aec72e;
            6'd14: row = 67'h4a7a77e19cfdcc7f5;
            6'd15: row = 67'h4b4a16a9a17d148bd;
            6'd16: row = 67'h4c1bf835a608e4988;
            6'd17: row = 67'h4cf022d5aaa164a55;
            6'd18: row = 67'h4dc69ce9af46acb24;
            6'd19: row = 67'h4e9f6ce1b3f8ecbf6;
            6'd20: row = 67'h4f7a993db8b844cc9;
            6'd21: row = 67'h50582895bd84dcd9f;
            6'd22: row = 67'h51382191c25ecce78;
            6'd23: row = 67'h521a8ae5c74644f53;
            6'd24: row = 67'h52ff6b61cc3b6d030;
            6'd25: row = 67'h53e6c9e9d13e6510f;
            6'd26: row = 67'h54d0ad69d64f551f1;
            6'd27: row = 67'h55bd1ce9db6e652d6;
            6'd28: row = 67'h56ac1f81e09bbd3bd;
            6'd29: row = 67'h579dbc65e5d7854a6;
            6'd30: row = 67'h5891fad1eb21dd592;
            6'd31: row = 67'h5988e219f07afd680;
            6'd32: row = 67'h5a8279a9f5e2fd772;
            6'd33: row = 67'h5b7ec901fb5a15865;
            6'd34: row = 67'h5c7dd7b600e06595c;
            6'd35: row = 67'h5d7fad6a06761da55;
            6'd36: row = 67'h5e8451de0c1b6db51;
            6'd37: row = 67'h5f8bccee11d075c4f;
            6'd38: row = 67'h60962676179565d51;
            6'd39: row = 67'h61a3667e1d6a65e55;
            6'd40: row = 67'h62b3951a234fadf5c;
            6'd41: row = 67'h63c6ba7629456e065;
            6'd42: row = 67'h64dcded62f4bbe172;
            6'd43: row = 67'h65f60a923562de282;
            6'd44: row = 67'h6712461a3b8afe394;
            6'd45: row = 67'h683199fe41c43e4aa;
            6'd46: row = 67'h69540eda480ed65c3;
            6'd47: row = 67'h6a79ad664e6b066de;
            6'd48: row = 67'h6ba27e7654d8e67fd;
            6'd49: row = 67'h6cce8af25b58b691f;
            6'd50: row = 67'h6dfddbde61ea9ea44;
            6'd51: row = 67'h6f307a52688edeb6c;
            6'd52: row = 67'h70666f8a6f459ec98;
            6'd53: row = 67'h719fc4ce760f16dc6;
            6'd54: row = 67'h72dc83867ceb7eef8;
            6'd55: row = 67'h741cb53e83daf702e;
            6'd56: row = 67'h756063868addcf167;
            6'd57: row = 67'h76a7982291f4372a3;
            6'd58: row = 67'h77f25ce2991e5f3e2;
            6'd59: row = 67'h7940bbb2a05c7f525;
            6'd60: row = 67'h7a92be9ea7aecf66c;
            6'd61: row = 67'h7be86fceaf15877b6;
            6'd62: row = 67'h7d41d982b690df904;
            6'd63: row = 67'h7e9f061ebe2117a55;
        endcase
    end
endmodule

`default_nettype wire
