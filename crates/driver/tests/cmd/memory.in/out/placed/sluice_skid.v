// A buffer of two tokens: the second place takes what comes while the first one stalls, so that
// neither valid nor ready passes through.
`default_nettype none

module sluice_skid #(
    parameter WIDTH = 8
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
    reg             first_full;
    reg             second_full;
    reg [WIDTH-1:0] first;
    reg [WIDTH-1:0] second;

    assign in_ready  = !second_full;
    assign out_valid = first_full;
    assign out       = first;

    wire push = in_valid && in_ready;
    wire free = !first_full || out_ready;

    always @(posedge clk) begin
        if (free) begin
            first       <= second_full ? second : in;
            first_full  <= second_full || push;
            second_full <= 1'b0;
        end else if (push)
            second_full <= 1'b1;
        if (in_ready)
            second <= in;
        if (rst) begin
            first_full  <= 1'b0;
            second_full <= 1'b0;
        end
    end
endmodule

`default_nettype wire
