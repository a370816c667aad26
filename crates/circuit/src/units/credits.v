// A queue of tokens without data that begins full.
`default_nettype none

module sluice_credits #(
    parameter COUNT = 1,
    parameter BITS  = 2
) (
    input  wire clk,
    input  wire rst,
    input  wire in_valid,
    output wire in_ready,
    input  wire in,
    output wire out_valid,
    input  wire out_ready,
    output wire out
);
    reg [BITS-1:0] left;
    reg            some; // left is not 0
    reg            room; // left is not COUNT

    wire comes = in_valid && room;
    wire goes  = some && out_ready;
    wire [BITS-1:0] one = {{(BITS-1){1'b0}}, 1'b1};

    assign in_ready  = room;
    assign out_valid = some;
    assign out       = 1'b0;
    wire unused = in;

    always @(posedge clk) begin
        if (comes && !goes) begin
            left <= left + one;
            some <= 1'b1;
            room <= left + one != COUNT[BITS-1:0];
        end else if (!comes && goes) begin
            left <= left - one;
            some <= left != one;
            room <= 1'b1;
        end
        if (rst) begin
            left <= COUNT[BITS-1:0];
            some <= 1'b1;
            room <= 1'b0;
        end
    end
endmodule

`default_nettype wire
