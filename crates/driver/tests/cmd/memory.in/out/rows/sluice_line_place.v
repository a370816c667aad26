// Where a line of memory stands in a cache: the low bits of its number and those above them added, so that
// rows of a matrix whose length is a power of two do not all stand in the same places, and neighbouring
// lines stand next to each other.
`default_nettype none

module sluice_line_place #(
    parameter NUMBER    = 26,
    parameter INDEX   = 10,
    parameter INVERSE = 0 // 1: from the place back to the line
) (
    input  wire [NUMBER-1:0] line,
    output wire [NUMBER-1:0] placed
);
    localparam TAG = NUMBER - INDEX;
    wire [TAG-1:0]   tag = line[NUMBER-1:INDEX];
    wire [INDEX-1:0] low = line[INDEX-1:0];
    wire [INDEX-1:0] mixed;
    generate
        if (TAG < INDEX) begin : short_tag
            assign mixed = {{(INDEX - TAG){1'b0}}, tag};
        end else begin : long_tag
            assign mixed = tag[INDEX-1:0];
        end
    endgenerate
    assign placed = {tag, INVERSE ? low - mixed : low + mixed};
endmodule

`default_nettype wire
