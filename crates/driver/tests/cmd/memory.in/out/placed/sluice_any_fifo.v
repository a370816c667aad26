// A queue in a distributed or in a block memory; in the latter a token takes a cycle longer.
`default_nettype none

module sluice_any_fifo #(
    parameter WIDTH = 8,
    parameter DEPTH = 16, // in the memory; one more token stands in the register
    parameter BLOCK = 0   // 1: a block memory
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [WIDTH-1:0] in,
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out
);
    generate
        if (BLOCK) begin : block
            sluice_block_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
                .out_valid(out_valid), .out_ready(out_ready), .out(out)
            );
        end else begin : distributed
            sluice_fifo #(.WIDTH(WIDTH), .DEPTH(DEPTH)) queue (
                .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
                .out_valid(out_valid), .out_ready(out_ready), .out(out)
            );
        end
    endgenerate
endmodule

`default_nettype wire
