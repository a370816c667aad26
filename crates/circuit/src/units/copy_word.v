// One who reads the same word of a copy of a buffer each time: it stands in a register. Of answers that wait, only
// the number is kept.
`default_nettype none

module sluice_copy_word #(
    parameter BYTES = 4,
    parameter PIECE = 4,
    parameter PLACE = 4, // bits of the number of a piece
    parameter WORD  = 4, // bits of the number of a word
    parameter WAITING = 2
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,
    input  wire               open,
    output wire               owing, // answers wait
    input  wire [WORD-1:0]    number,
    input  wire               write,
    input  wire [PLACE-1:0]   place,
    input  wire [8*PIECE-1:0] written,
    input  wire               get_valid,
    output wire               get_ready,
    output wire               word_valid,
    input  wire               word_ready,
    output reg  [8*BYTES-1:0] word
);
    wire room;
    assign get_ready  = open && room;
    assign word_valid = owing;
    sluice_tally #(.MOST(WAITING), .START(0)) answers (
        .clk(clk), .rst(rst), .up(get_valid && get_ready), .down(word_valid && word_ready),
        .some(owing), .room(room)
    );

    wire [8*BYTES-1:0] chosen;
    generate
        if (PIECE > BYTES) begin : select
            assign chosen = written[number[WORD-PLACE-1:0] * 8 * BYTES +: 8*BYTES];
        end else begin : only
            assign chosen = written;
        end
    endgenerate

    always @(posedge clk)
        if (clear)
            word <= {8*BYTES{1'b0}};
        else if (write && place == number[WORD-1 -: PLACE])
            word <= chosen;
endmodule

`default_nettype wire
