// A join: takes a token from all inputs at once.
`default_nettype none

module sluice_join #(
    parameter WIDTH  = 8, // of all inputs together
    parameter INPUTS = 2
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [INPUTS-1:0] in_valid,
    output wire [INPUTS-1:0] in_ready,
    input  wire [WIDTH-1:0]  in,
    output wire              out_valid,
    input  wire              out_ready,
    output wire [WIDTH-1:0]  out
);
    wire all = &in_valid;
    wire room;

    assign in_ready = {INPUTS{all && room}};

    sluice_buffer #(.WIDTH(WIDTH)) buffer (
        .clk(clk), .rst(rst), .in_valid(all), .in_ready(room), .in(in),
        .out_valid(out_valid), .out_ready(out_ready), .out(out)
    );
endmodule

`default_nettype wire
