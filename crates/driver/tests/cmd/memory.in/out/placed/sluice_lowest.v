// The lowest bit of a set, alone, and all bits behind it: by steps of four, without a carry.
`default_nettype none

module sluice_lowest #(
    parameter COUNT = 2
) (
    input  wire [COUNT-1:0] set,
    output wire [COUNT-1:0] lowest,
    output wire [COUNT-1:0] behind
);
    reg [COUNT-1:0] from; // the lowest one and all behind it
    integer         step;
    always @* begin
        from = set;
        for (step = 1; step < COUNT; step = 4 * step)
            from = from | (from << step) | (from << 2 * step) | (from << 3 * step);
    end
    assign behind = from << 1;
    assign lowest = set & ~behind;
endmodule

`default_nettype wire
