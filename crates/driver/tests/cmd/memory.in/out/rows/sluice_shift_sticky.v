// Shifts right by the amount bits HIGH..LOW of their weights; what falls out is remembered in one
// bit, which is all that rounding needs to know of it.
`default_nettype none

module sluice_shift_sticky #(
    parameter WIDTH = 8,
    parameter HIGH  = 2,
    parameter LOW   = 0
) (
    input  wire [WIDTH-1:0]  x,
    input  wire              lost,
    input  wire [HIGH-LOW:0] amount,
    output wire [WIDTH-1:0]  y,
    output wire              sticky
);
    reg [WIDTH-1:0] kept;
    reg             fell;
    integer         bit_index;

    always @* begin
        kept = x;
        fell = lost;
        for (bit_index = HIGH; bit_index >= LOW; bit_index = bit_index - 1)
            if (amount[bit_index-LOW]) begin
                fell = fell | (|(kept & ~({WIDTH{1'b1}} << (1 << bit_index))));
                kept = kept >> (1 << bit_index);
            end
    end

    assign y      = kept;
    assign sticky = fell;
endmodule

`default_nettype wire
