// A cache: direct-mapped, written back, in order, with any number of misses under way. Tags are
// looked up when a request enters; a queue then holds it until its data are there.
`default_nettype none

module sluice_cache #(
    parameter LINES       = 1024,
    parameter LINE        = 64,   // bytes of a line
    parameter BYTES       = 4,
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 128,
    parameter MODE        = 0,    // 0 reads and writes, 1 only reads, 2 only writes
    parameter FETCHES     = 4,    // that wait for the memory port
    parameter ANSWERS     = 8,    // places for responses
    parameter SLOTS       = 8,    // places for lines on their way out
    parameter DEEP        = 0     // 1: queues of requests are block memories
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     request_valid,
    output wire                     request_ready,
    input  wire [9*BYTES+ADDRESS:0] request,
    input  wire                     fill_valid,
    output wire                     fill_ready,
    input  wire [8*LINE-1:0]        fill,
    input  wire                     writeback_done_valid,
    output wire                     writeback_done_ready,
    input  wire                     writeback_done,
    input  wire                     flush_valid,
    output wire                     flush_ready,
    input  wire                     flush,
    output wire                     response_valid,
    input  wire                     response_ready,
    output wire [8*BYTES-1:0]       response,
    output wire                     fetch_valid,
    input  wire                     fetch_ready,
    output wire [ADDRESS-$clog2(LINE)-1:0] fetch,
    output wire                     writeback_valid,
    input  wire                     writeback_ready,
    output wire [ADDRESS-$clog2(LINE)+9*LINE-1:0] writeback,
    output wire                     flushed_valid,
    input  wire                     flushed_ready,
    output wire                     flushed
);
    localparam INDEX     = $clog2(LINES);
    localparam OFFSET    = $clog2(LINE);
    localparam NUMBER    = ADDRESS - OFFSET; // bits of a line's number
    localparam WORD      = BYTES < LINE ? $clog2(LINE / BYTES) : 1;
    // Twice as many hashes as lines can be on their way, as far as that stays cheap.
    localparam WANTED    = $clog2(OUTSTANDING) + 1 < 8 ? $clog2(OUTSTANDING) + 1 : 8;
    localparam HASH      = NUMBER < WANTED ? NUMBER : WANTED;
    localparam LAST      = LINES - 1;
    localparam BLOCK     = INDEX < 5 ? INDEX : 5; // bits of the number of a block of lines
    localparam REST      = INDEX - BLOCK;
    localparam READ_ONLY = 1;
    localparam FOLLOWS   = MODE == 2 ? 1 : 0; // where lines are only written
    localparam LOAD      = 2'd0;
    localparam STORE     = 2'd1;
    localparam FLUSH     = 2'd2;

    // Clear makes all lines invalid after reset; walk sends back all that requests have touched. Where lines are
    // only read, a flush begins another generation of them instead, and after the last generation comes clear.
    localparam CLEAR = 3'd0, RUN = 3'd1, START = 3'd2, WALK = 3'd3, WAIT = 3'd4, DONE = 3'd5;
    reg [2:0]       state;
    reg [INDEX-1:0] walk;
    reg [INDEX-1:0] low;  // the touched lines lie from here
    reg [INDEX-1:0] high; // to here; nowhere if that is before
    reg [(1<<BLOCK)-1:0] touched; // by block
    reg [1:0]       generation; // 1 to 3
    wire            inflight;   // there are some from the entrance to the end of the data's queue

    wire [ADDRESS-1:0] address = request[ADDRESS:1];
    wire [1:0]         kind;
    wire [WORD-1:0]    word;
    generate
        if (MODE == 0) begin : both
            assign kind = request[0] ? STORE : LOAD;
        end else begin : one
            assign kind = MODE == READ_ONLY ? LOAD : STORE;
        end
        if (BYTES < LINE) begin : words
            assign word = address[OFFSET-1:$clog2(BYTES)];
        end else begin : whole_line
            assign word = 1'b0;
        end
    endgenerate

    // Inside of the cache, lines have the numbers of their places.
    wire [NUMBER-1:0] line;
    sluice_line_place #(.NUMBER(NUMBER), .INDEX(INDEX)) place (.line(address[ADDRESS-1:OFFSET]), .placed(line));

    wire space; // for another one
    wire entrance_ready, waiting_valid, look_ready, taken;
    wire [1:0]      waiting_kind;
    wire [NUMBER-1:0] waiting_line;
    wire [WORD-1:0] waiting_word;
    assign request_ready = state == RUN && space && entrance_ready;
    wire accepted = request_valid && request_ready;
    sluice_skid #(.WIDTH(NUMBER + WORD + 2)) entrance (
        .clk(clk), .rst(rst), .in_valid(accepted), .in_ready(entrance_ready),
        .in({line, word, kind}),
        .out_valid(waiting_valid), .out_ready(look_ready), .out({waiting_line, waiting_word, waiting_kind})
    );

    // Blocks without a touched line are passed over.
    wire [BLOCK-1:0] block = walk[INDEX-1 -: BLOCK];
    localparam WALKS = MODE != READ_ONLY;
    wire skips  = WALKS && state == WALK && !touched[block];
    wire [INDEX-1:0] next_block;
    generate
        if (REST > 0) begin : blocks_of_lines
            assign next_block = {block + 1'b1, {REST{1'b0}}};
        end else begin : single_lines
            assign next_block = block + 1'b1;
        end
    endgenerate
    wire walks  = WALKS && state == WALK && !skips && !waiting_valid && space;
    wire walked = walks && look_ready;
    wire                 entry_valid, head_valid, head_taken, miss_valid, miss_ready, done;
    wire [NUMBER+WORD+3+FOLLOWS:0] entry, head;
    wire [NUMBER-1:0]      miss, missed;
    wire [HASH-1:0]      done_hash;
    sluice_cache_tags #(
        .LINES(LINES), .INDEX(INDEX), .NUMBER(NUMBER), .WORD(WORD), .HASH(HASH), .MODE(MODE),
        .FOLLOWS(FOLLOWS)
    ) tags (
        .clk(clk), .rst(rst), .clear(state == CLEAR), .clear_index(walk), .generation(generation),
        .in_valid(waiting_valid || walks), .in_ready(look_ready),
        .in_kind(waiting_valid ? waiting_kind : FLUSH),
        .in_line(waiting_valid ? waiting_line : {{(NUMBER - INDEX){1'b0}}, walk}),
        .in_word(waiting_word),
        .out_valid(entry_valid), .out(entry),
        .fetch_valid(miss_valid), .fetch_ready(miss_ready), .fetch(miss),
        .done(done), .done_hash(done_hash)
    );
    sluice_line_place #(.NUMBER(NUMBER), .INDEX(INDEX), .INVERSE(1)) number (.line(miss), .placed(missed));
    sluice_fifo #(.WIDTH(NUMBER), .DEPTH(FETCHES)) fetches (
        .clk(clk), .rst(rst), .in_valid(miss_valid), .in_ready(miss_ready), .in(missed),
        .out_valid(fetch_valid), .out_ready(fetch_ready), .out(fetch)
    );

    wire unused_entry_ready;
    sluice_any_fifo #(.WIDTH(NUMBER + WORD + 4 + FOLLOWS), .DEPTH(OUTSTANDING), .BLOCK(DEEP)) entries (
        .clk(clk), .rst(rst), .in_valid(entry_valid), .in_ready(unused_entry_ready), .in(entry),
        .out_valid(head_valid), .out_ready(head_taken), .out(head)
    );

    wire [9*BYTES-1:0] write;
    wire               write_taken, idle;
    generate
        if (MODE == READ_ONLY) begin : no_writes
            assign write = {9*BYTES{1'b0}};
        end else begin : with_writes
            wire unused_ready, unused_valid;
            sluice_any_fifo #(.WIDTH(9*BYTES), .DEPTH(OUTSTANDING), .BLOCK(DEEP)) writes (
                .clk(clk), .rst(rst), .in_valid(accepted && kind == STORE), .in_ready(unused_ready),
                .in(request[ADDRESS+1 +: 9*BYTES]),
                .out_valid(unused_valid), .out_ready(write_taken), .out(write)
            );
        end
    endgenerate

    sluice_cache_data #(
        .LINES(LINES), .LINE(LINE), .INDEX(INDEX), .NUMBER(NUMBER), .BYTES(BYTES), .WORD(WORD), .HASH(HASH),
        .OUTSTANDING(OUTSTANDING), .MODE(MODE), .ANSWERS(ANSWERS), .SLOTS(SLOTS), .DEEP(DEEP),
        .FOLLOWS(FOLLOWS)
    ) data (
        .clk(clk), .rst(rst),
        .in_valid(head_valid), .in_ready(head_taken), .in(head),
        .write_taken(write_taken), .write(write), .fetch_given(fetch_valid && fetch_ready),
        .response_valid(response_valid), .response_ready(response_ready), .response(response),
        .fill_valid(fill_valid), .fill_ready(fill_ready), .fill(fill),
        .writeback_valid(writeback_valid), .writeback_ready(writeback_ready), .writeback(writeback),
        .writeback_done_valid(writeback_done_valid), .writeback_done_ready(writeback_done_ready),
        .done(done), .done_hash(done_hash), .idle(idle)
    );
    assign taken = head_valid && head_taken;

    assign flush_ready   = state == RUN;
    assign flushed_valid = state == DONE;
    assign flushed       = 1'b0;
    wire unused = &{flush, writeback_done, request, address, write_taken};

    wire entered = accepted || walked;
    sluice_tally #(.MOST(OUTSTANDING)) requests (
        .clk(clk), .rst(rst), .up(entered), .down(taken), .some(inflight), .room(space)
    );
    wire [INDEX-1:0] index = line[INDEX-1:0];
    always @(posedge clk) begin
        if (accepted && index < low)
            low <= index;
        if (accepted && index > high)
            high <= index;
        if (accepted)
            touched[index[INDEX-1 -: BLOCK]] <= 1'b1;
        if (WALKS && state == START)
            walk <= low;
        else if (skips)
            walk <= next_block;
        else if (state == CLEAR || walked)
            walk <= walk + 1'b1;
        if (rst || state == WAIT) begin
            low     <= LAST[INDEX-1:0];
            high    <= {INDEX{1'b0}};
            touched <= {(1<<BLOCK){1'b0}};
        end
        case (state)
            CLEAR:   if (walk == LAST[INDEX-1:0]) state <= RUN;
            RUN:     if (flush_valid) state <= WALKS ? START : WAIT;
            START:   state <= low > high ? WAIT : WALK;
            WALK:    if (walked && walk == high) state <= WAIT;
            WAIT:    if (!inflight && idle) state <= DONE;
            default: if (flushed_ready) state <= !WALKS && generation == 2'd3 ? CLEAR : RUN;
        endcase
        if (state == DONE && flushed_ready)
            generation <= generation == 2'd3 ? 2'd1 : generation + 1'b1;
        if (rst) begin
            state      <= CLEAR;
            walk       <= {INDEX{1'b0}};
            generation <= 2'd1;
        end
    end
endmodule

`default_nettype wire
