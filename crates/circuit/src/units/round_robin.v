// Whose turn it is, as a mask with one bit set: the first of those who want, from the one behind the
// last on, in a circle. There is no grant while it is closed.
`default_nettype none

module sluice_round_robin #(
    parameter COUNT = 2
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
    assign first   = from & (~from + 1'b1);
    assign granted = open ? first : {COUNT{1'b0}};

    always @(posedge clk)
        if (rst)
            behind <= {COUNT{1'b0}};
        else if (open && wanting != 0)
            behind <= ~(first | (first - 1'b1));
endmodule

`default_nettype wire
