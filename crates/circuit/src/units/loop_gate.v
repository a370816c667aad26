// The gate of a loop: knows how many tokens may still come in, one more for each that leaves.
`default_nettype none

module sluice_loop_gate #(
    parameter WIDTH = 8,
    parameter EXITS = 1,
    parameter LIMIT = 4
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             entry_in_valid,
    output wire             entry_in_ready,
    input  wire [WIDTH-1:0] entry_in,
    output wire             entry_out_valid,
    input  wire             entry_out_ready,
    output wire [WIDTH-1:0] entry_out,
    input  wire [EXITS-1:0] left // a token has left by this exit
);
    // At least two bits, so that a single one can be extended.
    localparam COUNT = LIMIT > 1 ? $clog2(LIMIT + 1) : 2;

    reg [COUNT-1:0] free; // how many more may come in
    reg             open; // free != 0
    wire            room;

    assign entry_in_ready = open && room;

    sluice_buffer #(.WIDTH(WIDTH)) buffer (
        .clk(clk), .rst(rst), .in_valid(entry_in_valid && open), .in_ready(room), .in(entry_in),
        .out_valid(entry_out_valid), .out_ready(entry_out_ready), .out(entry_out)
    );

    reg [COUNT-1:0] freed; // how many may come in if now nobody does
    integer k;
    always @* begin
        freed = free;
        for (k = 0; k < EXITS; k = k + 1)
            freed = freed + {{(COUNT-1){1'b0}}, left[k]};
    end

    wire enters = entry_in_valid && entry_in_ready;

    always @(posedge clk)
        if (rst) begin
            free <= LIMIT[COUNT-1:0];
            open <= 1'b1;
        end else begin
            free <= freed - {{(COUNT-1){1'b0}}, enters};
            open <= freed[0] != enters || freed[COUNT-1:1] != 0;
        end
endmodule

`default_nettype wire
