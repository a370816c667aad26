// The number of the bit that is set in a mask with one bit set; without a bit set, zero.
`default_nettype none

module sluice_number_of #(
    parameter COUNT  = 2,
    parameter NUMBER = 1
) (
    input  wire [COUNT-1:0]  which,
    output reg  [NUMBER-1:0] number
);
    integer at;
    always @* begin
        number = {NUMBER{1'b0}};
        for (at = 0; at < COUNT; at = at + 1)
            if (which[at])
                number = number | at[NUMBER-1:0];
    end
endmodule

`default_nettype wire
