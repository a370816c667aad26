// Values of a segment's output that arrive in the same cycle: they are written when they arrive,
// which may be before the last value of their token does.
`default_nettype none

module sluice_segment_column #(
    parameter WIDTH   = 8,
    parameter DEPTH   = 16,
    parameter ADDRESS = 4,
    parameter BLOCK   = 0 // a block memory, or a distributed one
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               write,
    input  wire [WIDTH-1:0]   in,
    input  wire [ADDRESS-1:0] first, // of a block memory, in the next cycle
    output wire [WIDTH-1:0]   stored
);
    reg [ADDRESS-1:0] next;

    generate
        if (BLOCK != 0) begin : block
            sluice_block_memory #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS)) memory (
                .clk(clk), .write(write), .write_address(next), .write_data(in),
                .read(1'b1), .read_address(first), .read_data(stored)
            );
        end else begin : distributed
            sluice_memory #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS)) memory (
                .clk(clk), .write(write), .write_address(next), .write_data(in),
                .read_address(first), .read_data(stored)
            );
        end
    endgenerate

    always @(posedge clk)
        if (rst)
            next <= {ADDRESS{1'b0}};
        else if (write)
            next <= next == DEPTH[ADDRESS-1:0] - 1'b1 ? {ADDRESS{1'b0}} : next + 1'b1;
endmodule

`default_nettype wire
