// Whose turn it is: the first of those who want, from the one after the last on, in a circle.
`default_nettype none

module sluice_turn #(
    parameter COUNT  = 2,
    parameter NUMBER = 1
) (
    input  wire [COUNT-1:0]  wanting,
    input  wire [NUMBER-1:0] last,
    output reg  [NUMBER-1:0] next
);
    wire [COUNT-1:0] later = wanting & ({COUNT{1'b1}} << last << 1);
    wire [COUNT-1:0] from  = later != 0 ? later : wanting;

    integer at;
    always @* begin
        next = {NUMBER{1'b0}};
        for (at = COUNT - 1; at >= 0; at = at - 1)
            if (from[at])
                next = at[NUMBER-1:0];
    end
endmodule

`default_nettype wire
