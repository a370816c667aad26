// Atomic operations on one memory. They are taken one per cycle and take effect in that order: each
// one reads, computes when the response comes, and writes. One that changes a word whose last change
// is still under way computes with the result of that one instead of what memory answered.
`default_nettype none

module sluice_atomics #(
    parameter COUNT        = 1,  // operations
    parameter NUMBER       = 1,  // bits of an operation's number
    parameter BITS         = 32, // of the widest one: 32 or 64
    parameter MIXED        = 0,  // 1: there are 32 and 64
    parameter OPERANDS     = 1,  // 2: some compare and exchange
    parameter BYTES        = 4,  // of the port
    parameter ADDRESS      = 32,
    parameter WINDOW       = 16, // operations under way
    parameter OUTSTANDING  = 16, // of each: under way, or done and not taken
    parameter ACKNOWLEDGED = 0,  // 1: a write is done when it is acknowledged, else when accepted
    parameter GUARDED      = 0,  // 1: the last bit of a token says whether it is an operation
    parameter [4*COUNT-1:0] KINDS = {COUNT{4'd0}},
    parameter [COUNT-1:0]   WIDE  = {COUNT{1'b0}}, // which have 64 bits
    parameter [10:0]        USED  = 11'h7ff        // the kinds that occur
) (
    input  wire                                     clk,
    input  wire                                     rst,
    input  wire [COUNT-1:0]                         in_valid,
    output wire [COUNT-1:0]                         in_ready,
    input  wire [COUNT*(ADDRESS+OPERANDS*BITS+GUARDED)-1:0] in,
    input  wire                                     response_valid,
    output wire                                     response_ready,
    input  wire [8*BYTES-1:0]                       response,
    input  wire                                     acknowledged_valid,
    output wire                                     acknowledged_ready,
    output wire [COUNT-1:0]                         out_valid,
    input  wire [COUNT-1:0]                         out_ready,
    output wire [COUNT*BITS-1:0]                    out,
    output wire                                     read_valid,
    input  wire                                     read_ready,
    output wire [9*BYTES+ADDRESS:0]                 read,
    output wire                                     write_valid,
    input  wire                                     write_ready,
    output wire [9*BYTES+ADDRESS:0]                 write
);
    localparam TOKEN  = ADDRESS + OPERANDS * BITS + GUARDED;
    localparam SLOT   = $clog2(WINDOW);
    localparam LAST   = WINDOW - 1;
    localparam LANE   = BITS / 8;
    localparam LANES  = BYTES / LANE;
    localparam LOW    = $clog2(LANE);
    localparam INDEX  = LANES > 1 ? $clog2(LANES) : 1;
    localparam KEY    = ADDRESS - LOW;

    // Those that want to be taken: each has a place for its result.
    wire [COUNT-1:0]       waiting, funded, first, chosen;
    wire [COUNT*TOKEN-1:0] tokens;
    wire [COUNT-1:0]       wanting = waiting & funded;

    // The one that was taken last.
    wire              enters;
    reg  [NUMBER-1:0] next;
    wire [TOKEN-1:0]  token;
    reg               current_valid;
    reg  [NUMBER-1:0] current_number;
    reg  [TOKEN-1:0]  current;
    wire              open   = !current_valid || enters;
    wire              choose = wanting != 0 && open;

    genvar at;
    generate
        for (at = 0; at < COUNT; at = at + 1) begin : sources
            wire unused_full;
            sluice_skid #(.WIDTH(TOKEN)) skid (
                .clk(clk), .rst(rst),
                .in_valid(in_valid[at]), .in_ready(in_ready[at]), .in(in[at*TOKEN +: TOKEN]),
                .out_valid(waiting[at]), .out_ready(chosen[at]), .out(tokens[at*TOKEN +: TOKEN])
            );
            sluice_tally #(.MOST(OUTSTANDING), .START(OUTSTANDING)) credits (
                .clk(clk), .rst(rst), .up(out_valid[at] && out_ready[at]), .down(chosen[at]),
                .some(funded[at]), .room(unused_full)
            );
        end
    endgenerate

    // One after the other.
    sluice_round_robin #(.COUNT(COUNT), .BEHIND({COUNT{1'b1}} << 1)) turns (
        .clk(clk), .rst(rst), .open(open), .wanting(wanting), .first(first), .granted(chosen)
    );
    sluice_gather #(.COUNT(COUNT), .WIDTH(TOKEN)) gather (
        .words(tokens), .which(first), .word(token)
    );
    integer each;
    always @* begin
        next = {NUMBER{1'b0}};
        for (each = 0; each < COUNT; each = each + 1)
            next = next | (each[NUMBER-1:0] & {NUMBER{first[each]}});
    end
    always @(posedge clk) begin
        if (open) begin
            current        <= token;
            current_number <= next;
        end
        current_valid <= choose || !open;
        if (rst)
            current_valid <= 1'b0;
    end

    // It enters the window, and asks memory.
    wire [ADDRESS-1:0] address = current[ADDRESS-1:0];
    wire               current_wide, current_half, admits, forwards, newest, done;
    wire [SLOT-1:0]    source;
    sluice_choose #(.COUNT(COUNT), .NUMBER(NUMBER), .WIDTH(1)) current_size (
        .words(WIDE), .number(current_number), .word(current_wide)
    );
    generate
        if (MIXED) begin : halves
            assign current_half = !current_wide && address[2];
        end else begin : whole
            assign current_half = 1'b0;
        end
    endgenerate
    sluice_atomics_window #(.WINDOW(WINDOW), .SLOT(SLOT), .KEY(KEY)) window (
        .clk(clk), .rst(rst), .key(address[ADDRESS-1:LOW]), .half(current_half),
        .wide(current_wide), .enters(enters), .done(done),
        .admits(admits), .forwards(forwards), .source(source), .newest(newest)
    );
    reg               read_full;
    reg [ADDRESS-1:0] read_address;
    assign enters     = current_valid && admits && (!read_full || read_ready);
    assign read_valid = read_full;
    assign read       = {{9*BYTES{1'b0}}, read_address, 1'b0};
    always @(posedge clk) begin
        if (!read_full || read_ready)
            read_address <= address;
        read_full <= enters || (read_full && !read_ready);
        if (rst)
            read_full <= 1'b0;
    end

    // Those that await their response. Whose result they take is known one cycle after they entered, and
    // needed one later.
    wire              unused_space, asked_forwards, asked_newest;
    wire [SLOT-1:0]   asked_source;
    wire [NUMBER-1:0] asked_number;
    wire [TOKEN-1:0]  asked;
    sluice_fifo #(.WIDTH(NUMBER + TOKEN), .DEPTH(WINDOW)) pending (
        .clk(clk), .rst(rst), .in_valid(enters), .in_ready(unused_space),
        .in({current_number, current}),
        .out_valid(response_ready), .out_ready(response_valid), .out({asked_number, asked})
    );
    wire            answered = response_valid && response_ready;
    reg             entered;
    reg  [SLOT-1:0] entered_slot, asked_slot;
    sluice_memory #(.WIDTH(SLOT + 2), .DEPTH(WINDOW), .ADDRESS(SLOT)) origins (
        .clk(clk), .write(entered), .write_address(entered_slot),
        .write_data({forwards, newest, source}), .read_address(asked_slot),
        .read_data({asked_forwards, asked_newest, asked_source})
    );
    always @(posedge clk) begin
        entered <= enters;
        if (entered)
            entered_slot <= entered_slot == LAST[SLOT-1:0] ? {SLOT{1'b0}} : entered_slot + 1'b1;
        if (answered)
            asked_slot <= asked_slot == LAST[SLOT-1:0] ? {SLOT{1'b0}} : asked_slot + 1'b1;
        if (rst) begin
            entered      <= 1'b0;
            entered_slot <= {SLOT{1'b0}};
            asked_slot   <= {SLOT{1'b0}};
        end
    end
    wire [3:0]  asked_kind;
    wire        asked_wide;
    sluice_choose #(.COUNT(COUNT), .NUMBER(NUMBER), .WIDTH(4)) kind_of (
        .words(KINDS), .number(asked_number), .word(asked_kind)
    );
    sluice_choose #(.COUNT(COUNT), .NUMBER(NUMBER), .WIDTH(1)) size_of (
        .words(WIDE), .number(asked_number), .word(asked_wide)
    );

    // The word that it asked for.
    wire [BITS-1:0] lane, word;
    generate
        if (LANES > 1) begin : pick
            sluice_choose #(.COUNT(LANES), .NUMBER(INDEX), .WIDTH(BITS)) lane_of (
                .words(response), .number(asked[LOW +: INDEX]), .word(lane)
            );
        end else begin : only
            assign lane = response;
        end
        if (MIXED) begin : parts
            wire [31:0] part = asked[2] ? lane[BITS-1:BITS-32] : lane[31:0];
            assign word = asked_wide ? lane : {{(BITS - 32){1'b0}}, part};
        end else begin : all
            assign word = lane;
        end
    endgenerate

    // What it computes with. The result of the one right before it is there only in the next cycle.
    wire [BITS-1:0]   stored, computed, outcome, old;
    wire              enabled;
    reg               ready, ready_newest, ready_wide;
    reg  [3:0]        ready_kind;
    reg  [NUMBER-1:0] ready_number;
    reg  [TOKEN-1:0]  operation;
    reg  [BITS-1:0]   found, last_result;
    reg  [SLOT-1:0]   slot;
    sluice_memory #(.WIDTH(BITS), .DEPTH(WINDOW), .ADDRESS(SLOT)) results (
        .clk(clk), .write(ready), .write_address(slot), .write_data(computed),
        .read_address(asked_source), .read_data(stored)
    );
    always @(posedge clk) begin
        ready        <= answered;
        ready_newest <= asked_newest;
        ready_kind   <= asked_kind;
        ready_wide   <= asked_wide;
        ready_number <= asked_number;
        operation    <= asked;
        found        <= asked_forwards ? stored : word;
        if (ready) begin
            last_result <= computed;
            slot        <= slot == LAST[SLOT-1:0] ? {SLOT{1'b0}} : slot + 1'b1;
        end
        if (rst) begin
            ready <= 1'b0;
            slot  <= {SLOT{1'b0}};
        end
    end
    assign old = ready_newest ? last_result : found;
    sluice_atomics_compute #(.BITS(BITS), .USED(USED)) compute (
        .kind(ready_kind), .wide(ready_wide), .old(old), .operand(operation[ADDRESS +: BITS]),
        .replacement(operation[TOKEN-GUARDED-1 -: BITS]), .result(outcome)
    );
    generate
        if (GUARDED) begin : guarded
            assign enabled  = operation[TOKEN-1];
            assign computed = enabled ? outcome : old;
        end else begin : always_enabled
            assign enabled  = 1'b1;
            assign computed = outcome;
        end
    endgenerate

    // Those that are to be written. There are never more than the window has room for.
    wire               unused_write_space, write_wide, write_enabled;
    wire [1+GUARDED+BITS+ADDRESS-1:0] writing_in, writing_out;
    wire [ADDRESS-1:0] write_address;
    wire [BITS-1:0]    write_word, write_lane;
    wire [LANE-1:0]    lane_mask;
    wire [BYTES-1:0]   mask;
    sluice_fifo #(.WIDTH(1 + GUARDED + BITS + ADDRESS), .DEPTH(WINDOW)) writes (
        .clk(clk), .rst(rst), .in_valid(ready), .in_ready(unused_write_space), .in(writing_in),
        .out_valid(write_valid), .out_ready(write_ready), .out(writing_out)
    );
    assign {write_wide, write_word, write_address} = writing_out[BITS+ADDRESS:0];
    generate
        if (GUARDED) begin : mark
            assign writing_in    = {enabled, ready_wide, computed, operation[ADDRESS-1:0]};
            assign write_enabled = writing_out[1+BITS+ADDRESS];
        end else begin : unmarked
            assign writing_in    = {ready_wide, computed, operation[ADDRESS-1:0]};
            assign write_enabled = 1'b1;
        end
    endgenerate
    generate
        if (MIXED) begin : spread
            assign write_lane = write_wide ? write_word : {BITS/32{write_word[31:0]}};
            assign lane_mask  = write_wide ? {LANE{1'b1}}
                              : {{(LANE/2){write_address[2]}}, {(LANE/2){!write_address[2]}}};
        end else begin : keep
            assign write_lane = write_word;
            assign lane_mask  = {LANE{1'b1}};
            wire unused = write_wide;
        end
        if (LANES > 1) begin : place
            wire [INDEX-1:0] index = write_address[LOW +: INDEX];
            assign mask = {{(BYTES - LANE){1'b0}}, lane_mask} << (index * LANE);
        end else begin : exact
            assign mask = lane_mask;
        end
    endgenerate
    assign write = {{LANES{write_lane}}, mask & {BYTES{write_enabled}}, write_address, 1'b1};

    // Those whose write is to be done.
    wire              unused_done_space, unused_done_valid;
    wire              written = write_valid && write_ready;
    wire [NUMBER-1:0] done_number;
    wire [BITS-1:0]   done_old;
    sluice_fifo #(.WIDTH(NUMBER + BITS), .DEPTH(WINDOW)) writing (
        .clk(clk), .rst(rst), .in_valid(ready), .in_ready(unused_done_space),
        .in({ready_number, enabled ? old : {BITS{1'b0}}}),
        .out_valid(unused_done_valid), .out_ready(done), .out({done_number, done_old})
    );
    generate
        if (ACKNOWLEDGED) begin : count
            wire unused_room;
            assign done = acknowledged_valid && acknowledged_ready;
            sluice_tally #(.MOST(WINDOW)) unacknowledged (
                .clk(clk), .rst(rst), .up(written), .down(done),
                .some(acknowledged_ready), .room(unused_room)
            );
        end else begin : accept
            assign acknowledged_ready = 1'b0;
            assign done               = written;
            wire unused = acknowledged_valid;
        end
    endgenerate

    // Results. Credits keep a place for each.
    generate
        for (at = 0; at < COUNT; at = at + 1) begin : queues
            localparam [NUMBER-1:0] HERE  = at;
            localparam              WIDTH = WIDE[at] ? 64 : 32;
            wire unused_ready;
            sluice_fifo #(.WIDTH(WIDTH), .DEPTH(OUTSTANDING)) queue (
                .clk(clk), .rst(rst), .in_valid(done && done_number == HERE),
                .in_ready(unused_ready), .in(done_old[WIDTH-1:0]),
                .out_valid(out_valid[at]), .out_ready(out_ready[at]),
                .out(out[at*BITS +: WIDTH])
            );
            if (WIDTH < BITS) begin : padding
                assign out[at*BITS + WIDTH +: BITS - WIDTH] = {(BITS - WIDTH){1'b0}};
            end
        end
    endgenerate
endmodule

`default_nettype wire
