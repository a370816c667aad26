// A delay line in distributed memory: what is read was written when the place came round last, and
// the register behind it is one cycle more.
`default_nettype none

module sluice_delay #(
    parameter WIDTH   = 8,
    parameter CYCLES  = 5,
    parameter ADDRESS = 2
) (
    input  wire               clk,
    input  wire [ADDRESS-1:0] place,
    input  wire [WIDTH-1:0]   in,
    output reg  [WIDTH-1:0]   out
);
    wire [WIDTH-1:0] oldest;

    sluice_memory #(.WIDTH(WIDTH), .DEPTH(CYCLES - 1), .ADDRESS(ADDRESS)) memory (
        .clk(clk), .write(1'b1), .write_address(place), .write_data(in),
        .read_address(place), .read_data(oldest)
    );

    always @(posedge clk)
        out <= oldest;
endmodule

`default_nettype wire
