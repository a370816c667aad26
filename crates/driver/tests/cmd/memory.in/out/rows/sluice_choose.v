// One of several words side by side. A chain of choices rather than a part-select with a variable
// start, which some tools build as a shifter over all words.
`default_nettype none

module sluice_choose #(
    parameter COUNT  = 2,
    parameter NUMBER = 1,
    parameter WIDTH  = 8
) (
    input  wire [COUNT*WIDTH-1:0] words,
    input  wire [NUMBER-1:0]      number,
    output reg  [WIDTH-1:0]       word
);
    integer at;
    always @* begin
        word = words[WIDTH-1:0];
        for (at = 1; at < COUNT; at = at + 1)
            if (number == at[NUMBER-1:0])
                word = words[at*WIDTH +: WIDTH];
    end
    generate
        if (COUNT == 1) begin : single
            wire unused = &number;
        end
    endgenerate
endmodule

`default_nettype wire
