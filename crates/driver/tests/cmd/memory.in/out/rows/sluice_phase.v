// The place that all delay lines of one length read and write in a cycle.
`default_nettype none

module sluice_phase #(
    parameter DEPTH   = 4,
    parameter ADDRESS = 2
) (
    input  wire               clk,
    input  wire               rst,
    output reg  [ADDRESS-1:0] place
);
    always @(posedge clk)
        if (rst || place == DEPTH[ADDRESS-1:0] - 1'b1)
            place <= {ADDRESS{1'b0}};
        else
            place <= place + 1'b1;
endmodule

`default_nettype wire
