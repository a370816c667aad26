// A queue in a block memory: tokens leave in the order in which they came. The memory shows the first token
// all the time, and a plain register behind it takes that, so that the late output of a block memory is not
// part of the consumer's path.
`default_nettype none

module sluice_block_fifo #(
    parameter WIDTH = 8,
    parameter DEPTH = 16 // in the memory; one more token stands in the register
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
    localparam ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1;
    localparam LAST    = DEPTH - 1;
    localparam WRAPS   = DEPTH == (1 << ADDRESS); // counting on from the last address gives the first

    reg [ADDRESS-1:0] head;
    reg [ADDRESS-1:0] tail;
    reg               pushed; // at the last edge: what is written can be read a cycle later
    reg               full;
    reg [WIDTH-1:0]   first;

    wire [ADDRESS-1:0] after_head = !WRAPS && head == LAST[ADDRESS-1:0] ? {ADDRESS{1'b0}} : head + 1'b1;
    wire [ADDRESS-1:0] after_tail = !WRAPS && tail == LAST[ADDRESS-1:0] ? {ADDRESS{1'b0}} : tail + 1'b1;

    wire some, unused_some, unused_room;
    wire push = in_valid && in_ready;
    wire pop  = some && (!full || out_ready);
    sluice_tally #(.MOST(DEPTH), .START(0)) places (
        .clk(clk), .rst(rst), .up(push), .down(pop), .some(unused_some), .room(in_ready)
    );
    sluice_tally #(.MOST(DEPTH), .START(0)) readable (
        .clk(clk), .rst(rst), .up(pushed), .down(pop), .some(some), .room(unused_room)
    );

    wire [WIDTH-1:0] stored;
    sluice_block_memory #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS)) memory (
        .clk(clk), .write(push), .write_address(tail), .write_data(in),
        .read(1'b1), .read_address(pop ? after_head : head), .read_data(stored)
    );
    assign out_valid = full;
    assign out       = first;

    always @(posedge clk) begin
        pushed <= push;
        if (push)
            tail <= after_tail;
        if (pop) begin
            head  <= after_head;
            first <= stored;
        end
        full <= pop || (full && !out_ready);
        if (rst) begin
            head   <= {ADDRESS{1'b0}};
            tail   <= {ADDRESS{1'b0}};
            pushed <= 1'b0;
            full   <= 1'b0;
        end
    end
endmodule

`default_nettype wire
