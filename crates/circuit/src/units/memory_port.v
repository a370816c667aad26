// The port to external memory: the lines of several readers and writers over one AXI4 interface, each in
// its turn, or those of a datapath as long as they have fetches. A transfer is one beat, a line; answers come
// in order.
`default_nettype none

module sluice_memory_port #(
    parameter READERS     = 1,
    parameter DATAPATHS   = 1,   // that the readers belong to, one behind the other
    parameter LONGEST_RUN = 256, // fetches of a datapath, at most, while others wait
    parameter WRITERS     = 1,
    parameter ADDRESS     = 32,
    parameter LINE        = 64, // bytes of a line
    parameter OUTSTANDING = 64
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [READERS-1:0]               fetch_valid,
    output wire [READERS-1:0]               fetch_ready,
    input  wire [READERS*(ADDRESS-$clog2(LINE))-1:0] fetch,
    input  wire [WRITERS-1:0]               writeback_valid,
    output wire [WRITERS-1:0]               writeback_ready,
    input  wire [WRITERS*(ADDRESS-$clog2(LINE)+9*LINE)-1:0] writeback,
    input  wire                           r_valid,
    output wire                           r_ready,
    input  wire [8*LINE:0]                r,
    input  wire                           b_valid,
    output wire                           b_ready,
    input  wire                           b,
    output wire [READERS-1:0]               fill_valid,
    input  wire [READERS-1:0]               fill_ready,
    output wire [READERS*8*LINE-1:0]        fill,
    output wire [WRITERS-1:0]               writeback_done_valid,
    input  wire [WRITERS-1:0]               writeback_done_ready,
    output wire [WRITERS-1:0]               writeback_done,
    output wire                           ar_valid,
    input  wire                           ar_ready,
    output wire [ADDRESS+7:0]             ar,
    output wire                           aw_valid,
    input  wire                           aw_ready,
    output wire [ADDRESS+7:0]             aw,
    output wire                           w_valid,
    input  wire                           w_ready,
    output wire [9*LINE:0]                w
);
    localparam OFFSET = $clog2(LINE);
    localparam NUMBER = ADDRESS - OFFSET; // bits of a line's number
    localparam BACK   = NUMBER + 9 * LINE;
    localparam READER = READERS > 1 ? $clog2(READERS) : 1; // bits of a reader's number
    localparam WRITER = WRITERS > 1 ? $clog2(WRITERS) : 1;

    // Fetches.
    wire [READERS-1:0]      fetching, fetch_granted;
    wire [READERS*NUMBER-1:0] fetches;
    wire                  fetch_grant;
    wire [READERS-1:0]      fetch_first;
    genvar at;
    generate
        for (at = 0; at < READERS; at = at + 1) begin : reader
            sluice_skid #(.WIDTH(NUMBER)) buffer (
                .clk(clk), .rst(rst),
                .in_valid(fetch_valid[at]), .in_ready(fetch_ready[at]), .in(fetch[at*NUMBER +: NUMBER]),
                .out_valid(fetching[at]), .out_ready(fetch_granted[at]), .out(fetches[at*NUMBER +: NUMBER])
            );
        end
    endgenerate
    wire [READERS-1:0] fetch_wanting;
    generate
        if (DATAPATHS > 1) begin : by_datapath
            localparam SHARE = READERS / DATAPATHS;
            localparam RUN   = $clog2(LONGEST_RUN);
            localparam LAST  = LONGEST_RUN - 1;
            reg  [READERS-1:0] mates; // the readers of the datapath that fetched last
            reg  [RUN-1:0]     run;   // its fetches in a row, but for the first one
            wire [READERS-1:0] own     = fetching & mates;
            wire [READERS-1:0] others  = fetching & ~mates;
            wire               longest = run == LAST[RUN-1:0];
            wire               goes_on = own != 0 && (others == 0 || !longest);
            assign fetch_wanting = goes_on ? own : others;
            for (at = 0; at < DATAPATHS; at = at + 1) begin : datapath
                always @(posedge clk)
                    if (rst)
                        mates[at*SHARE +: SHARE] <= {SHARE{at == 0}};
                    else if (fetch_grant)
                        mates[at*SHARE +: SHARE] <= {SHARE{|fetch_granted[at*SHARE +: SHARE]}};
            end
            always @(posedge clk)
                if (rst)
                    run <= {RUN{1'b0}};
                else if (fetch_grant)
                    run <= !goes_on ? {RUN{1'b0}} : longest ? run : run + 1'b1;
        end else begin : by_reader
            assign fetch_wanting = fetching;
        end
    endgenerate
    localparam [READERS-1:0] BUT_FIRST_READER = {READERS{1'b1}} << 1;
    localparam [READERS-1:0] ONE_READER       = {READERS{READERS == 1}}; // there is nothing to choose
    sluice_round_robin #(.COUNT(READERS), .BEHIND(BUT_FIRST_READER)) fetch_turn (
        .clk(clk), .rst(rst), .open(fetch_grant), .wanting(fetch_wanting),
        .first(fetch_first), .granted(fetch_granted)
    );

    wire [NUMBER-1:0] fetch_chosen;
    sluice_gather #(.COUNT(READERS), .WIDTH(NUMBER)) choose_fetch (
        .words(fetches), .which(fetch_first | ONE_READER), .word(fetch_chosen)
    );
    wire [READER-1:0] fetch_next;
    sluice_number_of #(.COUNT(READERS), .NUMBER(READER)) fetch_number (.which(fetch_first), .number(fetch_next));

    reg            ar_full;
    reg [NUMBER-1:0] ar_line;
    wire           read_space;
    assign fetch_grant = fetching != 0 && (!ar_full || ar_ready) && read_space;
    assign ar_valid    = ar_full;
    assign ar          = {8'd0, ar_line, {OFFSET{1'b0}}};

    wire              reader_valid, fill_space;
    wire [READER-1:0] reader_number;
    sluice_fifo #(.WIDTH(READER), .DEPTH(OUTSTANDING)) read_order (
        .clk(clk), .rst(rst), .in_valid(fetch_grant), .in_ready(read_space), .in(fetch_next),
        .out_valid(reader_valid), .out_ready(r_valid && fill_space), .out(reader_number)
    );
    assign r_ready = fill_space && reader_valid;

    wire              filled_valid;
    wire [READER-1:0] filled_number;
    wire [8*LINE-1:0] filled;
    sluice_skid #(.WIDTH(8*LINE + READER)) fills (
        .clk(clk), .rst(rst),
        .in_valid(r_valid && reader_valid), .in_ready(fill_space), .in({r[8*LINE-1:0], reader_number}),
        .out_valid(filled_valid), .out_ready(|(fill_valid & fill_ready)), .out({filled, filled_number})
    );
    assign fill = {READERS{filled}};

    // Write-backs. One place for each cache suffices, for whether it becomes free is known from
    // registers: behind it stand buffers.
    reg  [WRITERS-1:0]      writing;
    reg  [WRITERS*BACK-1:0] backs;
    wire                  back_grant;
    wire [WRITERS-1:0]      back_first, back_granted;
    generate
        for (at = 0; at < WRITERS; at = at + 1) begin : writer
            assign writeback_ready[at] = !writing[at] || back_granted[at];
            always @(posedge clk) begin
                if (writeback_ready[at])
                    backs[at*BACK +: BACK] <= writeback[at*BACK +: BACK];
                if (rst)
                    writing[at] <= 1'b0;
                else if (writeback_ready[at])
                    writing[at] <= writeback_valid[at];
            end
        end
    endgenerate
    localparam [WRITERS-1:0] BUT_FIRST_WRITER = {WRITERS{1'b1}} << 1;
    localparam [WRITERS-1:0] ONE_WRITER       = {WRITERS{WRITERS == 1}};
    sluice_round_robin #(.COUNT(WRITERS), .BEHIND(BUT_FIRST_WRITER)) back_turn (
        .clk(clk), .rst(rst), .open(back_grant), .wanting(writing),
        .first(back_first), .granted(back_granted)
    );

    wire [BACK-1:0] back;
    sluice_gather #(.COUNT(WRITERS), .WIDTH(BACK)) choose_back (
        .words(backs), .which(back_first | ONE_WRITER), .word(back)
    );
    wire [WRITER-1:0] back_next;
    sluice_number_of #(.COUNT(WRITERS), .NUMBER(WRITER)) back_number (.which(back_first), .number(back_next));
    wire            aw_space, w_space, write_space;
    wire [NUMBER-1:0] aw_line;
    wire [9*LINE-1:0] w_data;
    assign back_grant = writing != 0 && aw_space && w_space && write_space;
    sluice_skid #(.WIDTH(NUMBER)) addresses (
        .clk(clk), .rst(rst), .in_valid(back_grant), .in_ready(aw_space), .in(back[NUMBER-1:0]),
        .out_valid(aw_valid), .out_ready(aw_ready), .out(aw_line)
    );
    sluice_skid #(.WIDTH(9*LINE)) data (
        .clk(clk), .rst(rst), .in_valid(back_grant), .in_ready(w_space),
        .in({back[NUMBER +: LINE], back[NUMBER+LINE +: 8*LINE]}),
        .out_valid(w_valid), .out_ready(w_ready), .out(w_data)
    );
    assign aw = {8'd0, aw_line, {OFFSET{1'b0}}};
    assign w  = {1'b1, w_data};

    wire              writer_valid, done_space;
    wire [WRITER-1:0] writer_number;
    sluice_fifo #(.WIDTH(WRITER), .DEPTH(OUTSTANDING)) write_order (
        .clk(clk), .rst(rst), .in_valid(back_grant), .in_ready(write_space), .in(back_next),
        .out_valid(writer_valid), .out_ready(b_valid && done_space), .out(writer_number)
    );
    assign b_ready = done_space && writer_valid;

    wire              done_valid;
    wire [WRITER-1:0] done_number;
    sluice_skid #(.WIDTH(WRITER)) dones (
        .clk(clk), .rst(rst),
        .in_valid(b_valid && writer_valid), .in_ready(done_space), .in(writer_number),
        .out_valid(done_valid), .out_ready(|(writeback_done_valid & writeback_done_ready)),
        .out(done_number)
    );
    assign writeback_done = {WRITERS{1'b0}};
    generate
        for (at = 0; at < READERS; at = at + 1) begin : filling
            assign fill_valid[at] = filled_valid && filled_number == at[READER-1:0];
        end
        for (at = 0; at < WRITERS; at = at + 1) begin : ending
            assign writeback_done_valid[at] = done_valid && done_number == at[WRITER-1:0];
        end
    endgenerate
    wire unused = &{b, r[8*LINE]};

    always @(posedge clk) begin
        if (fetch_grant)
            ar_line <= fetch_chosen;
        ar_full <= !rst && (fetch_grant || (ar_full && !ar_ready));
    end
endmodule

`default_nettype wire
