// The bank of a word: the exclusive or of its number's digits, so that words at a distance of a power
// of two are in different banks, too.
`default_nettype none

module sluice_bank_of #(
    parameter BANK  = 2, // bits of a digit
    parameter WIDTH = 6
) (
    input  wire [WIDTH-1:0] number,
    output reg  [BANK-1:0]  bank
);
    integer at;
    always @* begin
        bank = {BANK{1'b0}};
        for (at = 0; at < WIDTH; at = at + 1)
            bank[at % BANK] = bank[at % BANK] ^ number[at];
    end
endmodule

`default_nettype wire
