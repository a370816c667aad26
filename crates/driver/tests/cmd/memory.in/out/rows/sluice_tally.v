// A count from 0 to MOST that goes up and down by one. Whether it is at its ends stands in registers,
// so that the comparison is not part of the path of those who ask.
`default_nettype none

module sluice_tally #(
    parameter MOST  = 8,
    parameter START = 0 // after a reset: 0 or MOST
) (
    input  wire clk,
    input  wire rst,
    input  wire up,   // not beyond MOST
    input  wire down, // not below 0
    output reg  some, // it is not 0
    output reg  room  // it is not MOST
);
    localparam WIDTH = $clog2(MOST + 1);
    localparam LAST  = MOST - 1;
    localparam [WIDTH-1:0] ONE = 1;

    reg [WIDTH-1:0] count;

    always @(posedge clk)
        if (rst) begin
            count <= START[WIDTH-1:0];
            some  <= START != 0;
            room  <= START != MOST;
        end else if (up != down) begin
            count <= count + (up ? ONE : {WIDTH{1'b1}});
            some  <= up || count != ONE;
            room  <= !up || count != LAST[WIDTH-1:0];
        end
endmodule

`default_nettype wire
