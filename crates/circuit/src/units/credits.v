// A queue of tokens without fields that begins full: only their number is kept.
`default_nettype none

module sluice_credits #(
    parameter COUNT = 4
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
    localparam BITS = $clog2(COUNT + 1);
    localparam [BITS-1:0] ONE = 1;

    reg [BITS-1:0] held;
    reg            some; // not none
    reg            room; // not all

    assign in_ready  = room;
    assign out_valid = some;
    assign out       = 1'b0;

    wire comes  = in_valid && room;
    wire leaves = out_ready && some;

    always @(posedge clk)
        if (rst) begin
            held <= COUNT[BITS-1:0];
            some <= 1'b1;
            room <= 1'b0;
        end else if (comes != leaves) begin
            held <= comes ? held + ONE : held - ONE;
            some <= comes || held != ONE;
            room <= leaves || held != COUNT[BITS-1:0] - ONE;
        end

    wire unused = &{1'b0, in};
endmodule

`default_nettype wire
