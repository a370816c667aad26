// A register for one token: another one comes in when it is empty, so that neither valid nor ready passes
// through. It takes a token in every other cycle.
`default_nettype none

module sluice_held #(
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
    reg             full;
    reg [WIDTH-1:0] held;

    assign in_ready  = !full;
    assign out_valid = full;
    assign out       = held;

    always @(posedge clk) begin
        full <= full ? !out_ready : in_valid;
        if (!full)
            held <= in;
        if (rst)
            full <= 1'b0;
    end
endmodule

`default_nettype wire
