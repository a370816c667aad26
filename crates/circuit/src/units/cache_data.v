// A cache's data end: does in order what the tags have decided. One access to the lines per cycle:
// a load or a store, the old line on its way out, or the new one coming in. A fill is written and,
// for a load, answered in the same cycle. Where lines are only written, writing comes one cycle
// behind, so that an old line is read in the cycle of the store that takes its place.
`default_nettype none

module sluice_cache_data #(
    parameter LINES       = 1024,
    parameter LINE        = 64, // bytes of a line
    parameter INDEX       = 10,
    parameter NUMBER      = 26, // bits of a line's number
    parameter BYTES       = 4,
    parameter WORD        = 4,
    parameter HASH        = 8,
    parameter OUTSTANDING = 128,
    parameter MODE        = 0,
    parameter ANSWERS     = 8, // places for responses
    parameter SLOTS       = 8, // places for lines on their way out
    parameter DEEP        = 0, // 1: queues of requests are block memories
    parameter FOLLOWS     = 0  // 1: requests tell whether the one before had the same place
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire                  in_valid,
    output wire                  in_ready, // looks at fill_valid; stays inside of the cache
    input  wire [NUMBER+WORD+3+FOLLOWS:0] in,
    output wire                  write_taken,
    input  wire [9*BYTES-1:0]    write,
    input  wire                  fetch_given,
    output wire                  response_valid,
    input  wire                  response_ready,
    output wire [8*BYTES-1:0]    response,
    input  wire                  fill_valid,
    output wire                  fill_ready,
    input  wire [8*LINE-1:0]     fill,
    output wire                  writeback_valid,
    input  wire                  writeback_ready,
    output wire [NUMBER+9*LINE-1:0] writeback,
    input  wire                  writeback_done_valid,
    output wire                  writeback_done_ready,
    output wire                  done,
    output wire [HASH-1:0]       done_hash,
    output wire                  idle // no line is on its way to memory
);
    localparam TAG        = NUMBER - INDEX;
    localparam READ_WRITE = 0;
    localparam READ_ONLY  = 1;
    localparam WRITE_ONLY = 2;
    localparam LOAD       = 2'd0;
    localparam STORE      = 2'd1;
    localparam FLUSH      = 2'd2;
    localparam BYTE       = MODE == READ_ONLY ? 8 : 9; // bits of a byte: the ninth says that it is dirty

    wire [1:0]       kind   = in[1:0];
    wire             miss   = in[2];
    wire             evict  = MODE != READ_ONLY && in[3];
    wire [INDEX-1:0] index  = in[4 +: INDEX];
    wire [WORD-1:0]  word   = in[4+INDEX +: WORD];
    wire [TAG-1:0]   victim = in[4+INDEX+WORD +: TAG];

    reg  evicted;
    wire answerable; // a place for a response is free
    wire slot_free;  // a place for a line on its way out is
    wire awaiting;   // there are fetches without fill
    wire memory_free; // memory may be given another line
    wire departing;  // lines are on their way out, until memory has them
    wire unanswered; // memory was given some of those

    // What a mode excludes is said here again: through the queue, synthesis does not see it.
    wire loads     = MODE != WRITE_ONLY && kind == LOAD;
    wire stores    = MODE != READ_ONLY && kind == STORE;
    wire fills     = miss && MODE != WRITE_ONLY;
    wire leaves    = slot_free && memory_free; // a line can
    wire turn, access, evict_now;
    generate
        if (MODE == WRITE_ONLY) begin : at_once
            reg writing; // what was stored in the last cycle, by the request before, is being written
            always @(posedge clk)
                writing <= access && stores && !rst;
            wire follows = in[NUMBER+WORD+3+FOLLOWS];
            assign turn      = in_valid && (!evict || (leaves && !(writing && follows)));
            assign access    = turn;
            assign evict_now = turn && evict;
            assign in_ready  = turn;
            wire unused = &{evicted, answerable, awaiting, fill_valid};
        end else begin : in_turn
            assign turn      = in_valid && (!evict || evicted) && (!loads || answerable);
            assign access    = turn && (!fills || (fill_valid && awaiting));
            assign evict_now = in_valid && evict && !evicted && leaves;
            assign in_ready  = access || (evict_now && kind == FLUSH);
        end
    endgenerate
    assign fill_ready  = turn && fills && awaiting;
    assign write_taken = access && stores;

    // What goes into the lines.
    wire [LINE-1:0]      bytes;
    wire [8*LINE-1:0]    stored = {(LINE/BYTES){write[BYTES +: 8*BYTES]}};
    wire [BYTE*LINE-1:0] incoming;
    wire [BYTE*LINE-1:0] outgoing;
    generate
        if (BYTES < LINE) begin : place
            assign bytes = stores ? {{(LINE - BYTES){1'b0}}, write[BYTES-1:0]} << (word * BYTES) : {LINE{1'b0}};
        end else begin : whole
            assign bytes = stores ? write[BYTES-1:0] : {LINE{1'b0}};
        end
    endgenerate
    genvar at;
    generate
        for (at = 0; at < LINE; at = at + 1) begin : byte_of_line
            wire [7:0] other = MODE == WRITE_ONLY ? 8'd0 : fill[8*at +: 8];
            assign incoming[BYTE*at +: 8] = bytes[at] ? stored[8*at +: 8] : other;
            if (BYTE > 8) begin : dirty
                assign incoming[BYTE*at+8] = bytes[at];
            end
        end
    endgenerate
    wire [LINE-1:0]      write_now = access ? (miss ? {LINE{1'b1}} : bytes) : {LINE{1'b0}};
    wire [LINE-1:0]      line_write;
    wire [INDEX-1:0]     line_index;
    wire [BYTE*LINE-1:0] line_incoming;
    generate
        if (MODE == WRITE_ONLY) begin : behind
            reg [LINE-1:0]      last_write;
            reg [INDEX-1:0]     last_index;
            reg [BYTE*LINE-1:0] last_incoming;
            always @(posedge clk) begin
                last_write    <= rst ? {LINE{1'b0}} : write_now;
                last_index    <= index;
                last_incoming <= incoming;
            end
            assign line_write    = last_write;
            assign line_index    = last_index;
            assign line_incoming = last_incoming;
        end else begin : with_access
            assign line_write    = write_now;
            assign line_index    = index;
            assign line_incoming = incoming;
        end
    endgenerate
    sluice_line_memory #(.LINES(LINES), .LINE(LINE), .INDEX(INDEX), .BYTE(BYTE)) lines (
        .clk(clk),
        .write(line_write), .write_address(line_index), .write_data(line_incoming),
        .read_address(index), .read_data(outgoing)
    );

    // What comes out of them: one cycle in the memory, one in a register behind it.
    reg               first_load, first_fill, first_evict, second_load, second_fill, second_evict;
    reg [WORD-1:0]    first_word, second_word;
    reg [NUMBER-1:0]    first_line, second_line;
    wire [NUMBER-1:0]   victim_line;
    sluice_line_place #(.NUMBER(NUMBER), .INDEX(INDEX), .INVERSE(1)) number (
        .line({victim, index}), .placed(victim_line)
    );
    reg [8*BYTES-1:0] first_data, second_data;
    reg [BYTE*LINE-1:0] line;
    wire [8*BYTES-1:0] filled, found;
    wire [8*LINE-1:0]  line_data;
    wire [LINE-1:0]    line_mask;
    generate
        for (at = 0; at < LINE; at = at + 1) begin : byte_of_register
            assign line_data[8*at +: 8] = line[BYTE*at +: 8];
            if (BYTE > 8) begin : dirty
                assign line_mask[at] = line[BYTE*at+8];
            end else begin : clean
                assign line_mask[at] = 1'b0;
            end
        end
        if (BYTES < LINE) begin : select
            assign filled = fill[word * 8 * BYTES +: 8*BYTES];
            assign found  = line_data[second_word * 8 * BYTES +: 8*BYTES];
        end else begin : keep
            assign filled = fill;
            assign found  = line_data;
            wire unused = &{word, second_word};
        end
    endgenerate
    always @(posedge clk) begin
        first_load   <= access && loads;
        first_fill   <= miss;
        first_evict  <= evict_now;
        first_word   <= word;
        first_line   <= victim_line;
        first_data   <= filled;
        second_load  <= first_load;
        second_fill  <= first_fill;
        second_evict <= first_evict;
        second_word  <= first_word;
        second_line  <= first_line;
        second_data  <= first_data;
        line         <= outgoing;
        if (rst) begin
            first_load   <= 1'b0;
            first_evict  <= 1'b0;
            second_load  <= 1'b0;
            second_evict <= 1'b0;
        end
    end

    // Queues that a mode has no use for are not built: synthesis does not see that nothing enters.
    generate
        if (MODE == WRITE_ONLY) begin : no_responses
            assign response_valid = 1'b0;
            assign response       = {(8*BYTES){1'b0}};
            wire unused = &{second_load, second_fill, second_data, found};
        end else begin : answer
            wire unused_ready;
            sluice_fifo #(.WIDTH(8*BYTES), .DEPTH(ANSWERS)) responses (
                .clk(clk), .rst(rst),
                .in_valid(second_load), .in_ready(unused_ready), .in(second_fill ? second_data : found),
                .out_valid(response_valid), .out_ready(response_ready), .out(response)
            );
        end
        if (MODE == READ_ONLY) begin : no_evictions
            assign writeback_valid = 1'b0;
            assign writeback       = {(NUMBER+9*LINE){1'b0}};
            wire unused = &{second_evict, second_line, line_mask};
        end else begin : write_back
            wire unused_ready;
            sluice_fifo #(.WIDTH(NUMBER + 9*LINE), .DEPTH(SLOTS)) evictions (
                .clk(clk), .rst(rst),
                .in_valid(second_evict), .in_ready(unused_ready), .in({line_data, line_mask, second_line}),
                .out_valid(writeback_valid), .out_ready(writeback_ready), .out(writeback)
            );
        end
    endgenerate

    // Hashes of the lines on their way out.
    assign writeback_done_ready = unanswered;
    assign done                 = writeback_done_valid && writeback_done_ready;
    assign idle                 = !departing;
    generate
        if (MODE == READ_WRITE) begin : track
            wire [HASH-1:0] hash;
            wire            unused_ready, unused_valid;
            sluice_line_hash #(.NUMBER(NUMBER), .INDEX(INDEX), .HASH(HASH)) of_victim (
                .line({victim, index}), .hash(hash)
            );
            sluice_any_fifo #(.WIDTH(HASH), .DEPTH(OUTSTANDING), .BLOCK(DEEP)) hashes (
                .clk(clk), .rst(rst), .in_valid(evict_now), .in_ready(unused_ready), .in(hash),
                .out_valid(unused_valid), .out_ready(done), .out(done_hash)
            );
        end else begin : no_track
            assign done_hash = {HASH{1'b0}};
        end
    endgenerate

    wire answer_spent = access && loads;
    wire answer_back  = response_valid && response_ready;
    wire slot_back    = writeback_valid && writeback_ready;
    wire filled_now   = fill_valid && fill_ready;
    wire [3:0] unused_ends;
    sluice_tally #(.MOST(ANSWERS), .START(ANSWERS)) answers (
        .clk(clk), .rst(rst), .up(answer_back), .down(answer_spent), .some(answerable), .room(unused_ends[0])
    );
    sluice_tally #(.MOST(SLOTS), .START(SLOTS)) slots (
        .clk(clk), .rst(rst), .up(slot_back), .down(evict_now), .some(slot_free), .room(unused_ends[1])
    );
    sluice_tally #(.MOST(OUTSTANDING)) fetches (
        .clk(clk), .rst(rst), .up(fetch_given), .down(filled_now), .some(awaiting), .room(unused_ends[2])
    );
    sluice_tally #(.MOST(OUTSTANDING)) writebacks (
        .clk(clk), .rst(rst), .up(evict_now), .down(done), .some(departing), .room(memory_free)
    );
    sluice_tally #(.MOST(OUTSTANDING)) answers_of_memory (
        .clk(clk), .rst(rst), .up(slot_back), .down(done), .some(unanswered), .room(unused_ends[3])
    );
    always @(posedge clk) begin
        if (evict_now)
            evicted <= kind != FLUSH;
        else if (access)
            evicted <= 1'b0;
        if (rst)
            evicted <= 1'b0;
    end
endmodule

`default_nettype wire
