// A copy of a buffer: fetches its lines at the start of a launch, and then gives words of it to several at
// once. Those that read anywhere have a memory each, those that read one word have it in a register. Until all
// lines have come, and from a flush on, no request is taken.
`default_nettype none

module sluice_copy #(
    parameter BYTES   = 4,
    parameter ADDRESS = 32,
    parameter LINE    = 64, // bytes of a line
    parameter LINES   = 16, // of the copy: a power of two, 2 or more
    parameter PIECE   = 4,  // bytes that are written to the memories in a cycle
    parameter READERS = 1,
    parameter WORDS   = 1,
    parameter BLOCK   = 0,  // 1: block memories
    parameter ANSWERS = 8,  // places for answers to a reader
    parameter WAITING = 2,  // answers with a word that wait
    parameter [WORDS*$clog2(LINES*LINE/BYTES)-1:0] PLACES = 0 // of the words
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [63:0]              base,  // address of the buffer: at the beginning of a line
    input  wire [31:0]              bytes, // of the buffer
    input  wire                     start_valid,
    output wire                     start_ready,
    input  wire                     fill_valid,
    output wire                     fill_ready,
    input  wire [8*LINE-1:0]        fill,
    input  wire                     flush_valid,
    output wire                     flush_ready,
    output reg                      fetch_valid,
    input  wire                     fetch_ready,
    output reg  [ADDRESS-$clog2(LINE)-1:0] fetch,
    output wire                     flushed_valid,
    input  wire                     flushed_ready,
    input  wire [READERS-1:0]       read_valid,
    output wire [READERS-1:0]       read_ready,
    input  wire [READERS*ADDRESS-1:0] read,
    output wire [READERS-1:0]       data_valid,
    input  wire [READERS-1:0]       data_ready,
    output wire [READERS*8*BYTES-1:0] data,
    input  wire [WORDS-1:0]         get_valid,
    output wire [WORDS-1:0]         get_ready,
    output wire [WORDS-1:0]         word_valid,
    input  wire [WORDS-1:0]         word_ready,
    output wire [WORDS*8*BYTES-1:0] word
);
    localparam OFFSET = $clog2(LINE);
    localparam NUMBER = ADDRESS - OFFSET; // bits of the number of a line
    localparam COUNT  = $clog2(LINES + 1);
    localparam PIECES = LINE / PIECE;     // of a line
    localparam PART   = PIECES > 1 ? $clog2(PIECES) : 1;
    localparam PLACE  = $clog2(LINES * PIECES);
    localparam WORD   = $clog2(LINES * LINE / BYTES);
    localparam [COUNT-1:0] ALL = LINES;
    localparam [COUNT-1:0] ONE = 1;

    localparam IDLE = 2'd0, RUN = 2'd1, WAIT = 2'd2, DONE = 2'd3;
    reg  [1:0] state;
    wire       starts  = state == IDLE && start_valid;
    wire       flushes = state == RUN && flush_valid;
    assign start_ready   = state == IDLE;
    assign flush_ready   = state == RUN;
    assign flushed_valid = state == DONE;

    // Constants of a launch.
    wire [32:0]       up_to_line = {1'b0, bytes} + (LINE - 1);
    wire [32-OFFSET:0] needed    = up_to_line[32:OFFSET];
    wire [COUNT-1:0]  wanted     = needed > LINES ? ALL : needed[COUNT-1:0];
    wire [NUMBER-1:0] first      = base[ADDRESS-1:OFFSET];
    wire unused = &{1'b0, base, up_to_line, needed};

    // Lines are fetched one after the other, until a flush.
    reg  [COUNT-1:0] lines;    // of the copy in this launch
    reg  [COUNT-1:0] to_fetch; // that were not asked for
    reg  [COUNT-1:0] to_write; // that are not in the memories
    wire             asks = fetch_valid && fetch_ready;
    wire             fills = fill_valid && fill_ready;
    wire             awaited, unused_room;
    sluice_tally #(.MOST(LINES), .START(0)) fills_awaited (
        .clk(clk), .rst(rst), .up(asks), .down(fills), .some(awaited), .room(unused_room)
    );

    // A line stands in a register until its pieces are written.
    reg                held;
    reg  [8*LINE-1:0]  line;
    wire [8*PIECE-1:0] piece;
    wire               last_piece;
    wire               last = held && last_piece && to_write == ONE;
    generate
        if (PIECES > 1) begin : pieces
            reg [PART-1:0] part;
            assign last_piece = part == {PART{1'b1}};
            assign piece      = line[part * 8 * PIECE +: 8*PIECE];
            always @(posedge clk)
                if (rst)
                    part <= {PART{1'b0}};
                else if (held)
                    part <= part + 1'b1;
        end else begin : whole
            assign last_piece = 1'b1;
            assign piece      = line;
        end
    endgenerate
    assign fill_ready = awaited && (!held || last_piece);

    reg                write;
    reg  [PLACE-1:0]   place, next_place;
    reg  [8*PIECE-1:0] written;
    reg                open; // requests are taken
    wire [WORDS-1:0]   owing;
    genvar at;
    generate
        for (at = 0; at < READERS; at = at + 1) begin : reader
            sluice_copy_reader #(
                .BYTES(BYTES), .ADDRESS(ADDRESS), .LINE(LINE), .LINES(LINES), .PIECE(PIECE), .BLOCK(BLOCK),
                .ANSWERS(ANSWERS)
            ) port (
                .clk(clk), .rst(rst), .first(first), .lines(lines), .open(open),
                .write(write), .place(place), .written(written),
                .read_valid(read_valid[at]), .read_ready(read_ready[at]), .read(read[at*ADDRESS +: ADDRESS]),
                .data_valid(data_valid[at]), .data_ready(data_ready[at]), .data(data[at*8*BYTES +: 8*BYTES])
            );
        end
        for (at = 0; at < WORDS; at = at + 1) begin : fixed
            sluice_copy_word #(
                .BYTES(BYTES), .PIECE(PIECE), .PLACE(PLACE), .WORD(WORD), .WAITING(WAITING)
            ) port (
                .clk(clk), .rst(rst), .clear(starts), .open(open), .owing(owing[at]),
                .number(PLACES[at*WORD +: WORD]), .write(write), .place(place), .written(written),
                .get_valid(get_valid[at]), .get_ready(get_ready[at]),
                .word_valid(word_valid[at]), .word_ready(word_ready[at]), .word(word[at*8*BYTES +: 8*BYTES])
            );
        end
    endgenerate

    wire quiet = !fetch_valid && !awaited && !held && owing == 0;
    always @(posedge clk) begin
        if (fills)
            line <= fill;
        held    <= fills || (held && !last_piece);
        write   <= held;
        written <= piece;
        place   <= next_place;
        if (held)
            next_place <= next_place + 1'b1;
        if (held && last_piece)
            to_write <= to_write - ONE;
        if (asks) begin
            fetch       <= fetch + 1'b1;
            to_fetch    <= to_fetch - ONE;
            fetch_valid <= state == RUN && !flush_valid && to_fetch != ONE;
        end
        open <= state == RUN && !flush_valid && (open || last);
        case (state)
            IDLE:
                if (start_valid) begin
                    state       <= RUN;
                    fetch       <= first;
                    lines       <= wanted;
                    to_fetch    <= wanted;
                    to_write    <= wanted;
                    next_place  <= {PLACE{1'b0}};
                    fetch_valid <= wanted != 0;
                    open        <= wanted == 0;
                end
            RUN:     if (flushes) state <= WAIT;
            WAIT:    if (quiet) state <= DONE;
            default: if (flushed_ready) state <= IDLE;
        endcase
        if (rst) begin
            state       <= IDLE;
            fetch_valid <= 1'b0;
            held        <= 1'b0;
            write       <= 1'b0;
            open        <= 1'b0;
        end
    end
endmodule

`default_nettype wire
