// The reader of a stream: requests for the line of the request before share its fetch, every other request
// fetches a line. Lines stand in a ring until all requests for them are answered. It is right for any
// addresses, and made for those of which several in a row lie in a line. With one place, the line stands in a
// register, and makes place for another one when all requests for it are answered.
`default_nettype none

module sluice_reader #(
    parameter BYTES       = 4,
    parameter ADDRESS     = 32,
    parameter LINE        = 64,  // bytes of a line
    parameter LINES       = 8,   // places for lines: a power of two, or 1
    parameter OUTSTANDING = 128, // requests between the entrance and their answers
    parameter FETCHES     = 4,   // that wait for the memory port
    parameter BLOCK       = 0    // 1: lines stand in a block memory
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     request_valid,
    output wire                     request_ready,
    input  wire [9*BYTES+ADDRESS:0] request,
    input  wire                     fill_valid,
    output wire                     fill_ready,
    input  wire [8*LINE-1:0]        fill,
    input  wire                     flush_valid,
    output wire                     flush_ready,
    input  wire                     flush,
    output wire                     response_valid,
    input  wire                     response_ready,
    output wire [8*BYTES-1:0]       response,
    output wire                     fetch_valid,
    input  wire                     fetch_ready,
    output wire [ADDRESS-$clog2(LINE)-1:0] fetch,
    output wire                     flushed_valid,
    input  wire                     flushed_ready,
    output wire                     flushed
);
    localparam OFFSET = $clog2(LINE);
    localparam NUMBER = ADDRESS - OFFSET; // bits of the number of a line
    localparam WORD = BYTES < LINE ? $clog2(LINE / BYTES) : 1;
    localparam SLOT = LINES > 1 ? $clog2(LINES) : 1;
    localparam MOST = OUTSTANDING + 4; // requests here: in the queue, at its head, at the entrance

    localparam RUN = 2'd0, WAIT = 2'd1, DONE = 2'd2;
    reg [1:0] state;
    wire      busy; // there are requests without an answer
    wire      ends = state == WAIT && !busy;

    // Whether a request is for the line of the one before is found when it comes.
    wire [NUMBER-1:0] line = request[ADDRESS:OFFSET+1];
    wire [WORD-1:0] word;
    generate
        if (BYTES < LINE) begin : words
            assign word = request[OFFSET:$clog2(BYTES)+1];
        end else begin : whole
            assign word = 1'b0;
        end
    endgenerate
    reg             known; // the line of the request before
    reg  [NUMBER-1:0] last;
    wire            entrance_ready, waiting_valid, goes, waiting_same;
    wire [NUMBER-1:0] waiting_line;
    wire [WORD-1:0] waiting_word;
    assign request_ready = state == RUN && entrance_ready;
    wire accepted = request_valid && request_ready;
    sluice_skid #(.WIDTH(NUMBER + WORD + 1)) entrance (
        .clk(clk), .rst(rst), .in_valid(accepted), .in_ready(entrance_ready),
        .in({line, word, known && line == last}),
        .out_valid(waiting_valid), .out_ready(goes), .out({waiting_line, waiting_word, waiting_same})
    );

    // Another line is fetched when there is a place for it.
    wire place, fetch_space, entry_space, release_line, unused_full;
    wire fetches = goes && !waiting_same;
    assign goes = waiting_valid && entry_space && (waiting_same || (place && fetch_space));
    sluice_tally #(.MOST(LINES), .START(LINES)) places (
        .clk(clk), .rst(rst), .up(release_line), .down(fetches), .some(place), .room(unused_full)
    );
    sluice_fifo #(.WIDTH(NUMBER), .DEPTH(FETCHES)) to_fetch (
        .clk(clk), .rst(rst), .in_valid(fetches), .in_ready(fetch_space), .in(waiting_line),
        .out_valid(fetch_valid), .out_ready(fetch_ready), .out(fetch)
    );
    wire            head_valid, head_same, takes;
    wire [WORD-1:0] head_word;
    sluice_fifo #(.WIDTH(WORD + 1), .DEPTH(OUTSTANDING)) entries (
        .clk(clk), .rst(rst), .in_valid(goes), .in_ready(entry_space), .in({waiting_word, waiting_same}),
        .out_valid(head_valid), .out_ready(takes), .out({head_word, head_same})
    );

    // The place that a line is fetched to is free, so that no fill waits.
    wire filled = fill_valid && fill_ready;
    wire unused_awaited;
    sluice_tally #(.MOST(LINES), .START(0)) awaited (
        .clk(clk), .rst(rst), .up(fetch_valid && fetch_ready), .down(filled),
        .some(fill_ready), .room(unused_awaited)
    );
    wire            arrived; // a line that no answer was taken from yet
    reg  [SLOT-1:0] fill_slot;
    reg  [SLOT-1:0] slot; // of the line that the last answer was taken from
    reg             held; // there is one
    wire            unused_arrived;
    wire            turns = takes && !head_same;
    sluice_tally #(.MOST(LINES), .START(0)) lines_arrived (
        .clk(clk), .rst(rst), .up(filled), .down(turns), .some(arrived), .room(unused_arrived)
    );
    wire            drops; // the only place is needed for another line
    assign release_line = held && (turns || ends || drops);

    // An answer takes three steps: its line comes out of the ring, stands in a register, and its word is
    // chosen. All answers on the way move together.
    reg                response_full, read_full, line_full;
    reg  [8*BYTES-1:0] answer;
    reg  [WORD-1:0]    read_word, line_word;
    wire               free = !response_full || response_ready;
    wire [8*LINE-1:0]  held_line;
    wire [8*BYTES-1:0] found;
    assign takes = head_valid && free && (head_same || arrived);
    generate
        if (LINES > 1) begin : ring
            wire [8*LINE-1:0] read;
            reg  [8*LINE-1:0] behind; // a plain register behind the memory's
            sluice_queue_memory #(.WIDTH(8*LINE), .DEPTH(LINES), .ADDRESS(SLOT), .BLOCK(BLOCK)) lines (
                .clk(clk), .write(filled), .write_address(fill_slot), .write_data(fill),
                .read(free), .read_address(head_same ? slot : slot + 1'b1), .read_data(read)
            );
            always @(posedge clk)
                if (free)
                    behind <= read;
            assign held_line = behind;
            assign drops     = 1'b0;
        end else begin : single
            reg  [8*LINE-1:0] only;
            wire              queued, unused_queued;
            sluice_tally #(.MOST(OUTSTANDING + 2), .START(0)) in_queue (
                .clk(clk), .rst(rst), .up(goes), .down(takes), .some(queued), .room(unused_queued)
            );
            always @(posedge clk)
                if (filled)
                    only <= fill;
            assign held_line = only;
            assign drops     = held && waiting_valid && !waiting_same && !queued && !read_full && !line_full;
            wire   unused    = &{slot, fill_slot};
        end
        if (BYTES < LINE) begin : select
            assign found = held_line[line_word * 8 * BYTES +: 8*BYTES];
        end else begin : keep
            assign found = held_line;
            wire unused = line_word;
        end
    endgenerate
    assign response_valid = response_full;
    assign response       = answer;

    wire unused_room;
    sluice_tally #(.MOST(MOST), .START(0)) requests (
        .clk(clk), .rst(rst), .up(accepted), .down(takes), .some(busy), .room(unused_room)
    );
    assign flush_ready   = state == RUN;
    assign flushed_valid = state == DONE;
    assign flushed       = 1'b0;
    wire unused = &{flush, request};

    always @(posedge clk) begin
        if (accepted)
            last <= line;
        if (free) begin
            read_full     <= takes;
            read_word     <= head_word;
            line_full     <= read_full;
            line_word     <= read_word;
            response_full <= line_full;
            answer        <= found;
        end
        known         <= (known || accepted) && !ends;
        held          <= (held || turns) && !ends && !drops;
        if (filled)
            fill_slot <= fill_slot + 1'b1;
        if (turns)
            slot <= slot + 1'b1;
        case (state)
            RUN:     if (flush_valid) state <= WAIT;
            WAIT:    if (!busy) state <= DONE;
            default: if (flushed_ready) state <= RUN;
        endcase
        if (rst) begin
            state         <= RUN;
            known         <= 1'b0;
            held          <= 1'b0;
            read_full     <= 1'b0;
            line_full     <= 1'b0;
            response_full <= 1'b0;
            fill_slot     <= {SLOT{1'b0}};
            slot          <= {SLOT{1'b1}};
        end
    end
endmodule

`default_nettype wire
