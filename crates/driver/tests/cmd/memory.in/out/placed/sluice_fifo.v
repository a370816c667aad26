// A queue: tokens leave in the order in which they came. The head stands in a register of its own,
// so that reading the memory is not part of the consumer's path; that of a block memory is inside of it,
// and late.
`default_nettype none

module sluice_fifo #(
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
    localparam ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1;

    localparam LAST    = DEPTH - 1;
    localparam WRAPS   = DEPTH == (1 << ADDRESS); // counting on from the last address gives the first

    reg [ADDRESS-1:0] head;
    reg [ADDRESS-1:0] tail;
    reg               some;  // there is a token in the memory
    reg               space; // for another one
    reg               full_head;

    wire [ADDRESS-1:0] after_head = !WRAPS && head == LAST[ADDRESS-1:0] ? {ADDRESS{1'b0}} : head + 1'b1;
    wire [ADDRESS-1:0] after_tail = !WRAPS && tail == LAST[ADDRESS-1:0] ? {ADDRESS{1'b0}} : tail + 1'b1;

    wire push = in_valid && space;
    wire free = !full_head || out_ready;
    wire pop  = some && free;

    assign in_ready  = space;
    assign out_valid = full_head;

    // What is written while no token comes is written over.
    sluice_queue_memory #(
        .WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS), .BLOCK(BLOCK)
    ) memory (
        .clk(clk), .write(space), .write_address(tail), .write_data(in),
        .read(free), .read_address(head), .read_data(out)
    );

    always @(posedge clk) begin
        if (push)
            tail <= after_tail;
        if (pop)
            head <= after_head;
        if (push && !pop) begin
            some  <= 1'b1;
            space <= after_tail != head;
        end
        if (pop && !push) begin
            some  <= after_head != tail;
            space <= 1'b1;
        end
        if (free)
            full_head <= some;
        if (rst) begin
            head      <= {ADDRESS{1'b0}};
            tail      <= {ADDRESS{1'b0}};
            some      <= 1'b0;
            space     <= 1'b1;
            full_head <= 1'b0;
        end
    end
endmodule

`default_nettype wire
