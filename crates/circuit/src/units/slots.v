// Numbers of which each is out only once: a number is given out again when it was returned. Those
// that came back go first, so that few are in use; then those that were never out, by counting.
`default_nettype none

module sluice_slots #(
    parameter COUNT  = 4,
    parameter NUMBER = 2,
    parameter BLOCK  = 0 // 1: those that came back stand in a block memory
) (
    input  wire              clk,
    input  wire              rst,
    input  wire              returned_valid,
    output wire              returned_ready,
    input  wire [NUMBER-1:0] returned,
    output wire              free_valid,
    input  wire              free_ready,
    output wire [NUMBER-1:0] free
);
    wire              back_valid;
    wire [NUMBER-1:0] back;
    reg  [NUMBER:0]   fresh; // the next one that was never out
    reg               stands;
    reg  [NUMBER-1:0] number;

    wire room = !stands || free_ready;
    wire more = fresh != COUNT[NUMBER:0];
    sluice_fifo #(.WIDTH(NUMBER), .DEPTH(COUNT), .BLOCK(BLOCK)) came_back (
        .clk(clk), .rst(rst),
        .in_valid(returned_valid), .in_ready(returned_ready), .in(returned),
        .out_valid(back_valid), .out_ready(room), .out(back)
    );
    assign free_valid = stands;
    assign free       = number;

    always @(posedge clk) begin
        if (room) begin
            stands <= back_valid || more;
            number <= back_valid ? back : fresh[NUMBER-1:0];
            if (!back_valid && more)
                fresh <= fresh + 1'b1;
        end
        if (rst) begin
            stands <= 1'b1;
            number <= {NUMBER{1'b0}};
            fresh  <= {{NUMBER{1'b0}}, 1'b1};
        end
    end
endmodule

`default_nettype wire
