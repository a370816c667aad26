// One of many words, which a mask with one bit set says, one cycle later: the words of each part are
// gathered, then those of all parts.
`default_nettype none

module sluice_gather_twice #(
    parameter COUNT   = 2,
    parameter WIDTH   = 8,
    parameter AT_ONCE = 16 // words of a part
) (
    input  wire                   clk,
    input  wire                   step,
    input  wire [COUNT*WIDTH-1:0] words,
    input  wire [COUNT-1:0]       which,
    output reg  [WIDTH-1:0]       word // from the last step on
);
    localparam PARTS = (COUNT + AT_ONCE - 1) / AT_ONCE;

    wire [PARTS*WIDTH-1:0] gathered;
    reg  [PARTS*WIDTH-1:0] kept;
    genvar part;
    generate
        for (part = 0; part < PARTS; part = part + 1) begin : parts
            localparam FIRST = part * AT_ONCE;
            localparam SIZE  = COUNT - FIRST < AT_ONCE ? COUNT - FIRST : AT_ONCE;
            sluice_gather #(.COUNT(SIZE), .WIDTH(WIDTH)) gather (
                .words(words[FIRST*WIDTH +: SIZE*WIDTH]), .which(which[FIRST +: SIZE]),
                .word(gathered[part*WIDTH +: WIDTH])
            );
        end
    endgenerate
    always @(posedge clk)
        if (step)
            kept <= gathered;

    // The parts without the word have zeros.
    integer at;
    always @* begin
        word = {WIDTH{1'b0}};
        for (at = 0; at < PARTS; at = at + 1)
            word = word | kept[at*WIDTH +: WIDTH];
    end
endmodule

`default_nettype wire
