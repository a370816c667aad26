// The bank of a word, and its place in the bank. By bit of the bank's number a mask says which bits of
// the word's number it is the exclusive or of. The lowest bit of each mask is no part of the place.
`default_nettype none

module sluice_bank_of #(
    parameter                         BANK  = 2, // bits of a bank's number
    parameter                         INDEX = 4, // bits of a place
    parameter [BANK*(BANK+INDEX)-1:0] MASKS = 12'b101010_010101
) (
    input  wire [BANK+INDEX-1:0] number,
    output wire [BANK-1:0]       bank,
    output wire [INDEX-1:0]      index
);
    localparam WIDTH = BANK + INDEX;

    // Whether a bit is the lowest one of a mask.
    function is_lowest(input integer bit_number);
        integer of, below;
        reg     is_first;
        begin
            is_lowest = 1'b0;
            for (of = 0; of < BANK; of = of + 1) begin
                is_first = MASKS[of*WIDTH+bit_number];
                for (below = 0; below < bit_number; below = below + 1)
                    if (MASKS[of*WIDTH+below])
                        is_first = 1'b0;
                if (is_first)
                    is_lowest = 1'b1;
            end
        end
    endfunction

    // The number of bits of the place below a bit.
    function integer place(input integer bit_number);
        integer below;
        begin
            place = 0;
            for (below = 0; below < bit_number; below = below + 1)
                if (!is_lowest(below))
                    place = place + 1;
        end
    endfunction

    genvar at;
    generate
        for (at = 0; at < BANK; at = at + 1) begin : of_bank
            assign bank[at] = ^(number & MASKS[at*WIDTH +: WIDTH]);
        end
        for (at = 0; at < WIDTH; at = at + 1) begin : of_number
            if (!is_lowest(at)) begin : of_place
                assign index[place(at)] = number[at];
            end
        end
    endgenerate
endmodule

`default_nettype wire
