// The word and the number of one of several requesters, which a mask with one bit set says; without
// a bit set, zeros.
`default_nettype none

module sluice_gather #(
    parameter COUNT  = 2,
    parameter FIRST  = 0, // the number of the first
    parameter NUMBER = 1,
    parameter WIDTH  = 8
) (
    input  wire [COUNT*WIDTH-1:0] words,
    input  wire [COUNT-1:0]       which,
    output reg  [WIDTH-1:0]       word,
    output reg  [NUMBER-1:0]      number
);
    integer at;
    always @* begin
        word   = {WIDTH{1'b0}};
        number = {NUMBER{1'b0}};
        for (at = FIRST; at < FIRST + COUNT; at = at + 1) begin
            word   = word | (words[(at-FIRST)*WIDTH +: WIDTH] & {WIDTH{which[at-FIRST]}});
            number = number | (at[NUMBER-1:0] & {NUMBER{which[at-FIRST]}});
        end
    end
endmodule

`default_nettype wire
