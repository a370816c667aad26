// An arbiter of lines: the readers of several streams share a cache. Fetches take turns, and the cache answers
// them in order.
`default_nettype none

module sluice_line_arbiter #(
    parameter READERS     = 2,
    parameter ADDRESS     = 32,
    parameter LINE        = 64, // bytes of a line
    parameter OUTSTANDING = 64
) (
    input  wire                                      clk,
    input  wire                                      rst,
    input  wire [READERS-1:0]                        fetch_valid,
    output wire [READERS-1:0]                        fetch_ready,
    input  wire [READERS*(ADDRESS-$clog2(LINE))-1:0] fetch,
    input  wire                                      response_valid,
    output wire                                      response_ready,
    input  wire [8*LINE-1:0]                         response,
    output wire [READERS-1:0]                        fill_valid,
    input  wire [READERS-1:0]                        fill_ready,
    output wire [READERS*8*LINE-1:0]                 fill,
    output wire                                      request_valid,
    input  wire                                      request_ready,
    output wire [9*LINE+ADDRESS:0]                   request
);
    localparam OFFSET = $clog2(LINE);
    localparam NUMBER = ADDRESS - OFFSET; // bits of a line's number
    localparam READER = READERS > 1 ? $clog2(READERS) : 1; // bits of a reader's number

    wire [READERS-1:0]        fetching, granted;
    wire [READERS*NUMBER-1:0] fetches;
    wire                      grant, space;
    wire [READER-1:0]         next;
    wire [NUMBER-1:0]         chosen;
    reg  [READER-1:0]         last;
    reg                       full; // a request is on its way
    reg  [NUMBER-1:0]         line;
    genvar at;
    generate
        for (at = 0; at < READERS; at = at + 1) begin : reader
            sluice_skid #(.WIDTH(NUMBER)) buffer (
                .clk(clk), .rst(rst),
                .in_valid(fetch_valid[at]), .in_ready(fetch_ready[at]), .in(fetch[at*NUMBER +: NUMBER]),
                .out_valid(fetching[at]), .out_ready(granted[at]), .out(fetches[at*NUMBER +: NUMBER])
            );
            assign granted[at] = grant && next == at[READER-1:0];
        end
    endgenerate
    sluice_turn #(.COUNT(READERS), .NUMBER(READER)) turn (.wanting(fetching), .last(last), .next(next));
    sluice_choose #(.COUNT(READERS), .NUMBER(READER), .WIDTH(NUMBER)) choose (
        .words(fetches), .number(next), .word(chosen)
    );
    assign grant         = fetching != 0 && (!full || request_ready) && space;
    assign request_valid = full;
    assign request       = {{9*LINE{1'b0}}, line, {OFFSET{1'b0}}, 1'b0};

    wire              awaited, fill_space;
    wire [READER-1:0] awaiting;
    sluice_fifo #(.WIDTH(READER), .DEPTH(OUTSTANDING)) order (
        .clk(clk), .rst(rst), .in_valid(grant), .in_ready(space), .in(next),
        .out_valid(awaited), .out_ready(response_valid && fill_space), .out(awaiting)
    );
    assign response_ready = fill_space && awaited;

    wire              filled;
    wire [READER-1:0] filling;
    wire [8*LINE-1:0] found;
    sluice_skid #(.WIDTH(8*LINE + READER)) fills (
        .clk(clk), .rst(rst),
        .in_valid(response_valid && awaited), .in_ready(fill_space), .in({response, awaiting}),
        .out_valid(filled), .out_ready(|(fill_valid & fill_ready)), .out({found, filling})
    );
    assign fill = {READERS{found}};
    generate
        for (at = 0; at < READERS; at = at + 1) begin : ending
            assign fill_valid[at] = filled && filling == at[READER-1:0];
        end
    endgenerate

    always @(posedge clk) begin
        if (grant) begin
            line <= chosen;
            last <= next;
        end
        full <= grant || (full && !request_ready);
        if (rst) begin
            full <= 1'b0;
            last <= {READER{1'b0}};
        end
    end
endmodule

`default_nettype wire
