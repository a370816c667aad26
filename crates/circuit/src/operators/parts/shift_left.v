// Shifts left and keeps the highest bits. The largest shift comes first, so that each step needs
// only the bits that can still be kept.
`default_nettype none

module sluice_shift_left #(
    parameter WIDTH  = 8,
    parameter AMOUNT = 3,
    parameter OUT    = 8
) (
    input  wire [WIDTH-1:0]  x,
    input  wire [AMOUNT-1:0] amount,
    output wire [OUT-1:0]    y
);
    reg [WIDTH-1:0] shifted;
    integer         bit_index;

    always @* begin
        shifted = x;
        for (bit_index = AMOUNT - 1; bit_index >= 0; bit_index = bit_index - 1)
            if (amount[bit_index]) shifted = shifted << (1 << bit_index);
    end

    assign y = shifted[WIDTH-1-:OUT];
    wire unused_low = |shifted;
endmodule

`default_nettype wire
