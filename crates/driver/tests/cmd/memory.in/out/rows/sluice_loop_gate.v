// The gate of a loop: counts the tokens inside, from those that come in here to those that leave,
// and lets no token in beyond a limit.
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
    localparam COUNT = $clog2(LIMIT + 1);
    localparam [COUNT-1:0] ONE = 1;

    reg [COUNT-1:0] places; // for tokens that may come in
    reg             open;   // there is one
    wire            room;

    assign entry_in_ready = open && room;
    wire enters = entry_in_valid && entry_in_ready;

    sluice_buffer #(.WIDTH(WIDTH)) buffer (
        .clk(clk), .rst(rst), .in_valid(entry_in_valid && open), .in_ready(room), .in(entry_in),
        .out_valid(entry_out_valid), .out_ready(entry_out_ready), .out(entry_out)
    );

    reg [COUNT-1:0] change;
    integer k;
    always @* begin
        change = {COUNT{enters}};
        for (k = 0; k < EXITS; k = k + 1)
            if (left[k])
                change = change + ONE;
    end

    always @(posedge clk)
        if (rst) begin
            places <= LIMIT[COUNT-1:0];
            open   <= 1'b1;
        end else begin
            places <= places + change;
            open   <= |left || (enters ? places != ONE : open);
        end
endmodule

`default_nettype wire
