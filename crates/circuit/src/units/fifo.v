// A queue: tokens leave in the order in which they came. The head stands in a register of its own,
// so that reading the memory is not part of the consumer's path.
`default_nettype none

module sluice_fifo #(
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

    reg [ADDRESS-1:0] head;
    reg [ADDRESS-1:0] tail;
    reg [$clog2(DEPTH+1)-1:0] count;
    reg               full_head;
    reg [WIDTH-1:0]   head_data;

    wire push = in_valid && in_ready;
    wire pop  = count != 0 && (!full_head || out_ready);

    assign in_ready  = count != DEPTH[$clog2(DEPTH+1)-1:0];
    assign out_valid = full_head;
    assign out       = head_data;

    wire [WIDTH-1:0] stored;
    sluice_memory #(.WIDTH(WIDTH), .DEPTH(DEPTH), .ADDRESS(ADDRESS)) memory (
        .clk(clk), .write(push), .write_address(tail), .write_data(in),
        .read_address(head), .read_data(stored)
    );

    always @(posedge clk) begin
        if (push)
            tail <= tail == DEPTH[ADDRESS-1:0] - 1'b1 ? {ADDRESS{1'b0}} : tail + 1'b1;
        if (pop) begin
            head      <= head == DEPTH[ADDRESS-1:0] - 1'b1 ? {ADDRESS{1'b0}} : head + 1'b1;
            head_data <= stored;
        end
        if (push != pop)
            count <= push ? count + 1'b1 : count - 1'b1;
        if (pop)
            full_head <= 1'b1;
        else if (out_ready)
            full_head <= 1'b0;
        if (rst) begin
            head      <= {ADDRESS{1'b0}};
            tail      <= {ADDRESS{1'b0}};
            count     <= {$clog2(DEPTH+1){1'b0}};
            full_head <= 1'b0;
        end
    end
endmodule

`default_nettype wire
