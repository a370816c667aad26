// The end of a segment's output: counts the tokens that have entered the segment for it, those that
// wait in its memories, and holds the first one in a register. A token enters the segment only
// while there is room, so what arrives always has its place.
`default_nettype none

module sluice_segment_queue #(
    parameter WIDTH   = 8,
    parameter DEPTH   = 16, // in the memories; one more token stands in the register
    parameter ADDRESS = 4,
    parameter BLOCK   = 0 // whether some memory shows a word one cycle after it is asked for
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               enter, // a token enters the segment
    output reg                room,
    input  wire               push, // a token has arrived here
    output reg  [ADDRESS-1:0] first,
    output wire [ADDRESS-1:0] first_next, // `first` in the next cycle
    input  wire [WIDTH-1:0]   stored, // what the memories hold at `first`
    output reg                out_valid,
    input  wire               out_ready,
    output reg  [WIDTH-1:0]   out
);
    localparam COUNT = $clog2(DEPTH + 2);

    reg [COUNT-1:0] held;  // entered and not yet taken
    reg [COUNT-1:0] count; // in the memories

    // What is written to a block memory can be read a cycle later.
    reg  pushed;
    wire arrive = BLOCK != 0 ? pushed : push;

    wire leave = out_valid && out_ready;
    wire pop   = count != 0 && (!out_valid || out_ready);

    assign first_next = !pop ? first :
        first == DEPTH[ADDRESS-1:0] - 1'b1 ? {ADDRESS{1'b0}} : first + 1'b1;

    always @(posedge clk) begin
        first  <= first_next;
        pushed <= push;
        if (enter != leave) begin
            held <= enter ? held + 1'b1 : held - 1'b1;
            room <= !enter || held != DEPTH[COUNT-1:0];
        end
        if (arrive != pop)
            count <= arrive ? count + 1'b1 : count - 1'b1;
        if (pop) begin
            out_valid <= 1'b1;
            out       <= stored;
        end
        else if (out_ready)
            out_valid <= 1'b0;
        if (rst) begin
            held      <= {COUNT{1'b0}};
            room      <= 1'b1;
            count     <= {COUNT{1'b0}};
            first     <= {ADDRESS{1'b0}};
            pushed    <= 1'b0;
            out_valid <= 1'b0;
        end
    end
endmodule

`default_nettype wire
