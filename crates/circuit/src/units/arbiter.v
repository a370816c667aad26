// An arbiter: several requesters share one memory port. Requests are passed on in the order of the
// cycles in which they were accepted, because a write counts as done when it was accepted; those of
// the same cycle each in its turn. Responses return in the order of the requests that read.
`default_nettype none

module sluice_arbiter #(
    parameter COUNT       = 2,
    parameter READERS     = 2, // the first so many; the others only write
    parameter BYTES       = 4,
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 16
) (
    input  wire                                 clk,
    input  wire                                 rst,
    input  wire [COUNT-1:0]                     from_valid,
    output wire [COUNT-1:0]                     from_ready,
    input  wire [COUNT*(9*BYTES+ADDRESS+1)-1:0] from,
    input  wire                                 response_valid,
    output wire                                 response_ready,
    input  wire [8*BYTES-1:0]                   response,
    input  wire                                 flush_valid,
    output wire                                 flush_ready,
    input  wire                                 flush,
    output wire [(READERS > 0 ? READERS : 1)-1:0] to_valid,
    input  wire [(READERS > 0 ? READERS : 1)-1:0] to_ready,
    output wire [(READERS > 0 ? READERS : 1)*8*BYTES-1:0] to,
    output wire                                 request_valid,
    input  wire                                 request_ready,
    output wire [9*BYTES+ADDRESS:0]             request,
    output wire                                 flush_out_valid,
    input  wire                                 flush_out_ready,
    output wire                                 flush_out
);
    localparam WIDTH  = 9 * BYTES + ADDRESS + 1;
    localparam NUMBER = COUNT > 1 ? $clog2(COUNT) : 1;

    // Requests accepted in one cycle, and those accepted in a later one while these are passed on.
    reg  [COUNT-1:0]       current, following;
    reg  [COUNT*WIDTH-1:0] current_requests, following_requests;
    reg  [NUMBER-1:0]      last;
    wire [NUMBER-1:0]      next;
    sluice_turn #(.COUNT(COUNT), .NUMBER(NUMBER)) turn (
        .wanting(current), .last(last), .next(next)
    );
    wire             open    = following == 0;
    wire [COUNT-1:0] arrived = open ? from_valid : {COUNT{1'b0}};
    wire [COUNT-1:0] remaining;
    assign from_ready = {COUNT{open}};
    genvar at;
    generate
        for (at = 0; at < COUNT; at = at + 1) begin : requester
            assign remaining[at] = current[at] && !(grant && next == at[NUMBER-1:0]);
        end
    endgenerate

    always @(posedge clk) begin
        if (remaining == 0) begin
            current          <= open ? arrived : following;
            current_requests <= open ? from : following_requests;
            following        <= {COUNT{1'b0}};
        end else begin
            current <= remaining;
            if (open) begin
                following          <= arrived;
                following_requests <= from;
            end
        end
        if (rst) begin
            current   <= {COUNT{1'b0}};
            following <= {COUNT{1'b0}};
        end
    end

    reg              full;
    reg  [WIDTH-1:0] standing;
    wire [WIDTH-1:0] chosen;
    wire             reads;
    wire             order_ready;
    wire             grant  = current != 0 && (!full || request_ready) && (!reads || order_ready);
    sluice_choose #(.COUNT(COUNT), .NUMBER(NUMBER), .WIDTH(WIDTH)) choose (
        .words(current_requests), .number(next), .word(chosen)
    );
    generate
        if (READERS == COUNT) begin : all_read
            assign reads = !chosen[0];
        end else if (READERS == 0) begin : none_reads
            assign reads = 1'b0;
        end else begin : some_read
            assign reads = !chosen[0] && {1'b0, next} < READERS[NUMBER:0];
        end
    endgenerate
    assign request_valid = full;
    assign request       = standing;

    always @(posedge clk) begin
        if (grant) begin
            standing <= chosen;
            last     <= next;
        end
        if (grant)
            full <= 1'b1;
        else if (request_ready)
            full <= 1'b0;
        if (rst) begin
            full <= 1'b0;
            last <= {NUMBER{1'b0}};
        end
    end

    // A flush stays behind the requests accepted before it.
    reg flush_waits, flush_stands;
    assign flush_ready     = !flush_waits && !flush_stands;
    assign flush_out_valid = flush_stands;
    assign flush_out       = 1'b0;
    wire unused_flush = flush;
    wire flush_leaves = flush_waits && current == 0 && !full;
    always @(posedge clk) begin
        if (flush_ready)
            flush_waits <= flush_valid;
        else if (flush_leaves)
            flush_waits <= 1'b0;
        if (flush_leaves)
            flush_stands <= 1'b1;
        else if (flush_out_ready)
            flush_stands <= 1'b0;
        if (rst) begin
            flush_waits  <= 1'b0;
            flush_stands <= 1'b0;
        end
    end

    // Who awaits the responses to come.
    wire              order_valid, space;
    wire [NUMBER-1:0] owner;
    sluice_fifo #(.WIDTH(NUMBER), .DEPTH(OUTSTANDING)) order (
        .clk(clk), .rst(rst), .in_valid(grant && reads), .in_ready(order_ready), .in(next),
        .out_valid(order_valid), .out_ready(response_valid && space), .out(owner)
    );
    assign response_ready = space && order_valid;

    wire                    answer_valid;
    wire [NUMBER-1:0]       answer_owner;
    wire [8*BYTES-1:0]      answer;
    sluice_skid #(.WIDTH(8*BYTES + NUMBER)) answers (
        .clk(clk), .rst(rst),
        .in_valid(response_valid && order_valid), .in_ready(space), .in({response, owner}),
        .out_valid(answer_valid), .out_ready(|(to_valid & to_ready)), .out({answer, answer_owner})
    );
    generate
        for (at = 0; at < READERS; at = at + 1) begin : return_path
            assign to_valid[at]             = answer_valid && answer_owner == at[NUMBER-1:0];
            assign to[at*8*BYTES +: 8*BYTES] = answer;
        end
        if (READERS == 0) begin : no_return_path
            assign to_valid = 1'b0;
            assign to       = {8*BYTES{1'b0}};
            wire unused = &{answer_valid, answer_owner, answer};
        end
    endgenerate
endmodule

`default_nettype wire
