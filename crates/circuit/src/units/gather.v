// One of several words, which a mask with one bit set says; without a bit set, zeros.
`default_nettype none

module sluice_gather #(
    parameter COUNT = 2,
    parameter WIDTH = 8
) (
    input  wire [COUNT*WIDTH-1:0] words,
    input  wire [COUNT-1:0]       which,
    output reg  [WIDTH-1:0]       word
);
    integer at;
    always @* begin
        word = {WIDTH{1'b0}};
        for (at = 0; at < COUNT; at = at + 1)
            word = word | (words[at*WIDTH +: WIDTH] & {WIDTH{which[at]}});
    end
endmodule

`default_nettype wire
