// A hash of a line's number: the low bits, mixed with those of the tag from the other end, so that
// lines of a set, and lines near each other, differ.
`default_nettype none

module sluice_line_hash #(
    parameter NUMBER  = 26,
    parameter INDEX = 10,
    parameter HASH  = 8
) (
    input  wire [NUMBER-1:0] line,
    output wire [HASH-1:0] hash
);
    genvar at;
    generate
        for (at = 0; at < HASH; at = at + 1) begin : bits
            if (INDEX + HASH - 1 - at < NUMBER) begin : mixed
                assign hash[at] = line[at] ^ line[INDEX + HASH - 1 - at];
            end else begin : plain
                assign hash[at] = line[at];
            end
        end
        if (INDEX + HASH < NUMBER) begin : rest
            wire unused = &line;
        end
    endgenerate
endmodule

`default_nettype wire
