// Two registers in a row: full throughput, though ready comes from a register.
`default_nettype none

module sluice_buffer #(
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
    reg             head_full;
    reg             next_full;
    reg [WIDTH-1:0] head;
    reg [WIDTH-1:0] next;

    assign in_ready  = !next_full;
    assign out_valid = head_full;
    assign out       = head;

    always @(posedge clk) begin
        if (!next_full)
            next <= in;
        if (!head_full || out_ready) begin
            head      <= next_full ? next : in;
            head_full <= next_full || in_valid;
            next_full <= 1'b0;
        end else if (in_valid)
            next_full <= 1'b1;
        if (rst) begin
            head_full <= 1'b0;
            next_full <= 1'b0;
        end
    end
endmodule

`default_nettype wire
