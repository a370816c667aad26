// Keeps the tokens of a segment apart: after one has entered, the next may follow CYCLES later.
`default_nettype none

module sluice_interval #(
    parameter CYCLES = 2 // at least 2
) (
    input  wire clk,
    input  wire rst,
    input  wire enter, // a token enters
    output reg  open   // one may
);
    localparam COUNT = $clog2(CYCLES);

    reg [COUNT-1:0] shut; // cycles for which none may, the coming one included

    localparam [COUNT-1:0] ONE = 1;

    always @(posedge clk)
        if (rst) begin
            shut <= {COUNT{1'b0}};
            open <= 1'b1;
        end else if (enter) begin
            shut <= CYCLES[COUNT-1:0] - ONE;
            open <= 1'b0;
        end else if (!open) begin
            shut <= shut - ONE;
            open <= shut == ONE;
        end
endmodule

`default_nettype wire
