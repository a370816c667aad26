// A branch: two registers in a row, whose head is offered at the output that its condition names.
`default_nettype none

module sluice_branch #(
    parameter WIDTH = 8
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire             condition,
    input  wire [WIDTH-1:0] in,
    output wire             on_true_valid,
    input  wire             on_true_ready,
    output wire             on_false_valid,
    input  wire             on_false_ready,
    output wire [WIDTH-1:0] out
);
    wire valid;
    wire head;

    assign on_true_valid  = valid && head;
    assign on_false_valid = valid && !head;

    sluice_buffer #(.WIDTH(WIDTH + 1)) buffer (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in({condition, in}),
        .out_valid(valid), .out_ready(head ? on_true_ready : on_false_ready), .out({head, out})
    );
endmodule

`default_nettype wire
