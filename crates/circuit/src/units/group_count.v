// Counts by slot how many tokens of a group have come. What a slot's count is before its first token
// stands in a register of its own, so that the counts need no reset.
`default_nettype none

module sluice_group_count #(
    parameter SLOTS = 4,
    parameter SLOT  = 2,
    parameter COUNT = 4 // bits: a group has up to 2 to the power of this
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [COUNT-1:0] group_size, // its low bits
    input  wire             come,
    input  wire [SLOT-1:0]  slot,
    output wire [COUNT-1:0] earlier, // number of tokens of the group that came before this one
    output wire             complete // this one is the last
);
    reg  [SLOTS-1:0] begun;
    wire [COUNT-1:0] counted;

    // What depends on the count is made ready for both cases.
    localparam [COUNT-1:0] ONE = 1;
    wire goes_on = begun[slot];
    wire counted_all;
    assign earlier  = goes_on ? counted : {COUNT{1'b0}};
    assign complete = goes_on ? counted_all : group_size == ONE;
    sluice_sum_is #(.WIDTH(COUNT), .ADDEND(1)) sum_is (
        .from(counted), .sum(group_size), .is(counted_all)
    );

    sluice_memory #(.WIDTH(COUNT), .DEPTH(SLOTS), .ADDRESS(SLOT)) counts (
        .clk(clk), .write(come), .write_address(slot), .write_data(goes_on ? counted + ONE : ONE),
        .read_address(slot), .read_data(counted)
    );

    always @(posedge clk)
        if (rst)
            begun <= {SLOTS{1'b0}};
        else if (come)
            begun[slot] <= !complete;
endmodule

`default_nettype wire
