// The writer of a stream: what is written to one line in a row is gathered, and goes to memory when another
// line is written to. It is right for any addresses, and made for those of which several in a row lie in a
// line.
`default_nettype none

module sluice_writer #(
    parameter BYTES       = 4,
    parameter ADDRESS     = 32,
    parameter LINE        = 64, // bytes of a line
    parameter OUTSTANDING = 64  // lines on their way to memory
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     request_valid,
    output wire                     request_ready,
    input  wire [9*BYTES+ADDRESS:0] request,
    input  wire                     writeback_done_valid,
    output wire                     writeback_done_ready,
    input  wire                     writeback_done,
    input  wire                     flush_valid,
    output wire                     flush_ready,
    input  wire                     flush,
    output wire                     writeback_valid,
    input  wire                     writeback_ready,
    output wire [ADDRESS-$clog2(LINE)+9*LINE-1:0] writeback,
    output wire                     flushed_valid,
    input  wire                     flushed_ready,
    output wire                     flushed
);
    localparam OFFSET = $clog2(LINE);
    localparam NUMBER = ADDRESS - OFFSET; // bits of the number of a line
    localparam WORDS  = LINE / BYTES;
    localparam WORD   = WORDS > 1 ? $clog2(WORDS) : 1;

    localparam RUN = 2'd0, DRAIN = 2'd1, DONE = 2'd2;
    reg [1:0] state;

    // Whether a request is for the line of the one before is found when it comes.
    wire [NUMBER-1:0] line = request[ADDRESS:OFFSET+1];
    wire [WORD-1:0] word;
    generate
        if (WORDS > 1) begin : words
            assign word = request[OFFSET:$clog2(BYTES)+1];
        end else begin : whole
            assign word = 1'b0;
        end
    endgenerate
    reg                known; // the line of the request before
    reg  [NUMBER-1:0]  last;
    wire               entrance_ready, waiting_valid, waiting_same, takes;
    wire [NUMBER-1:0]  waiting_line;
    wire [WORD-1:0]    waiting_word;
    wire [BYTES-1:0]   waiting_mask;
    wire [8*BYTES-1:0] waiting_data;
    assign request_ready = state == RUN && entrance_ready;
    wire accepted = request_valid && request_ready;
    sluice_skid #(.WIDTH(NUMBER + WORD + 1 + 9 * BYTES)) entrance (
        .clk(clk), .rst(rst), .in_valid(accepted), .in_ready(entrance_ready),
        .in({line, word, known && line == last, request[ADDRESS+1 +: 9*BYTES]}),
        .out_valid(waiting_valid), .out_ready(takes),
        .out({waiting_line, waiting_word, waiting_same, waiting_data, waiting_mask})
    );

    reg            held; // a line is gathered
    reg [NUMBER-1:0] held_line;
    reg [LINE-1:0]   mask;
    reg [8*LINE-1:0] data;
    wire           on_the_way, room;
    wire           given = writeback_valid && writeback_ready;
    assign writeback_valid = held && room && (waiting_valid ? !waiting_same : state == DRAIN);
    assign writeback       = {data, mask, held_line};
    assign takes           = waiting_valid && (!held || waiting_same || given);

    genvar at;
    generate
        for (at = 0; at < WORDS; at = at + 1) begin : word_of_line
            localparam LOW = at * BYTES;
            wire here;
            if (WORDS > 1) begin : one
                assign here = waiting_word == at[WORD-1:0];
            end else begin : only
                assign here = 1'b1;
                wire unused = waiting_word;
            end
            wire [BYTES-1:0] written = here ? waiting_mask : {BYTES{1'b0}};
            integer          lane;
            always @(posedge clk) begin
                if (takes)
                    mask[LOW +: BYTES] <= written | (waiting_same ? mask[LOW +: BYTES] : {BYTES{1'b0}});
                for (lane = 0; lane < BYTES; lane = lane + 1)
                    if (rst)
                        data[8*(LOW+lane) +: 8] <= 8'd0;
                    else if (takes && written[lane])
                        data[8*(LOW+lane) +: 8] <= waiting_data[8*lane +: 8];
            end
        end
    endgenerate

    sluice_tally #(.MOST(OUTSTANDING), .START(0)) lines (
        .clk(clk), .rst(rst), .up(given), .down(writeback_done_valid && writeback_done_ready),
        .some(on_the_way), .room(room)
    );
    assign writeback_done_ready = on_the_way;
    assign flush_ready          = state == RUN;
    assign flushed_valid        = state == DONE;
    assign flushed              = 1'b0;
    wire ends = state == DRAIN && !waiting_valid && !held && !on_the_way;
    wire unused = &{flush, writeback_done, request};

    always @(posedge clk) begin
        if (accepted)
            last <= line;
        if (takes)
            held_line <= waiting_line;
        known <= (known || accepted) && !ends;
        held  <= takes || (held && !given);
        case (state)
            RUN:     if (flush_valid) state <= DRAIN;
            DRAIN:   if (ends) state <= DONE;
            default: if (flushed_ready) state <= RUN;
        endcase
        if (rst) begin
            state <= RUN;
            known <= 1'b0;
            held  <= 1'b0;
        end
    end
endmodule

`default_nettype wire
