// The number of zeros above the highest one, as a tree over pairs of groups: a group's count is
// that of its upper half, or of its lower half plus the upper half's size.
`default_nettype none

module sluice_lzc #(
    parameter WIDTH = 8,
    parameter COUNT = 3 // bits of the count: clog2(WIDTH)
) (
    input  wire [WIDTH-1:0] x,
    output wire [COUNT-1:0] count, // meaningful if any bit is set
    output wire             any
);
    localparam LEAVES = 1 << COUNT;

    reg [LEAVES-1:0]       set;
    reg [LEAVES*COUNT-1:0] zeros;
    integer                level;
    integer                group;

    // Group 0 is the one of the highest bits; after each level, groups are twice as large.
    always @* begin
        zeros = {(LEAVES*COUNT) {1'b0}};
        set   = {LEAVES{1'b0}};
        for (group = 0; group < WIDTH; group = group + 1) set[group] = x[WIDTH-1-group];
        for (level = 0; level < COUNT; level = level + 1)
            for (group = 0; group < (LEAVES >> (level + 1)); group = group + 1) begin
                zeros[group*COUNT+:COUNT] = set[2*group] ? zeros[2*group*COUNT+:COUNT]
                                                         : zeros[(2*group+1)*COUNT+:COUNT];
                zeros[group*COUNT+level] = !set[2*group];
                set[group] = set[2*group] | set[2*group+1];
            end
    end

    assign count = zeros[COUNT-1:0];
    assign any   = set[0];
endmodule

`default_nettype wire
