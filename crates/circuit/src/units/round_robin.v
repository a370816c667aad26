// Whose turn it is, as a mask with one bit set: the first of those who want, from the one behind the
// last on, in a circle. There is no grant while it is closed.
`default_nettype none

module sluice_round_robin #(
    parameter             COUNT  = 2,
    parameter [COUNT-1:0] BEHIND = {COUNT{1'b0}} // those behind the last one, after a reset
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             open,
    input  wire [COUNT-1:0] wanting,
    output wire [COUNT-1:0] first, // whose turn it is, or will be when it is open
    output wire [COUNT-1:0] granted
);
    reg  [COUNT-1:0] behind; // those behind the last one
    wire [COUNT-1:0] later = wanting & behind;
    wire [COUNT-1:0] from  = later != 0 ? later : wanting;
    wire [COUNT-1:0] behind_first;
    sluice_lowest #(.COUNT(COUNT)) pick (.set(from), .lowest(first), .behind(behind_first));
    assign granted = open ? first : {COUNT{1'b0}};

    always @(posedge clk)
        if (rst)
            behind <= BEHIND;
        else if (open && wanting != 0)
            behind <= behind_first;
endmodule

`default_nettype wire
