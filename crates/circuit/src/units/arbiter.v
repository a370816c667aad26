// An arbiter: several requesters share one memory port. Requests are passed on in the order of the
// cycles in which they were accepted, because a write counts as done when it was accepted; those of
// the same cycle by number. Responses return in the order of the requests that read.
`default_nettype none

module sluice_arbiter #(
    parameter COUNT       = 2,
    parameter READERS     = 2, // number of readers: they come first, the others only write
    parameter BYTES       = 4,
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 16,
    parameter AT_ONCE     = 16  // words that are gathered in one cycle; more take two
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
    wire [COUNT-1:0]       first = current & (~current + 1'b1);
    wire                   leaves; // the first of the batch
    wire             open    = following == 0;
    wire [COUNT-1:0] arrived = open ? from_valid : {COUNT{1'b0}};
    wire [COUNT-1:0] remaining = leaves ? current & ~first : current;
    assign from_ready = {COUNT{open}};

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

    // The word of the first and its number; of many, in two steps: of each group, then of all.
    wire              gathered;
    wire [WIDTH-1:0]  chosen;
    wire [NUMBER-1:0] next;
    wire              grant;
    genvar at;
    generate
        if (COUNT <= AT_ONCE) begin : narrow
            sluice_gather #(.COUNT(COUNT), .FIRST(0), .NUMBER(NUMBER), .WIDTH(WIDTH)) gather (
                .words(current_requests), .which(first), .word(chosen), .number(next)
            );
            assign gathered = current != 0;
            assign leaves   = grant;
        end else begin : wide
            localparam GROUPS = (COUNT + AT_ONCE - 1) / AT_ONCE;
            reg                       stands;
            reg  [GROUPS*WIDTH-1:0]   words;
            reg  [GROUPS*NUMBER-1:0]  numbers;
            wire [GROUPS*WIDTH-1:0]   word_of;
            wire [GROUPS*NUMBER-1:0]  number_of;
            for (at = 0; at < GROUPS; at = at + 1) begin : group
                localparam FIRST = at * AT_ONCE;
                localparam SIZE  = COUNT - FIRST < AT_ONCE ? COUNT - FIRST : AT_ONCE;
                sluice_gather #(
                    .COUNT(SIZE), .FIRST(FIRST), .NUMBER(NUMBER), .WIDTH(WIDTH)
                ) gather (
                    .words(current_requests[FIRST*WIDTH +: SIZE*WIDTH]),
                    .which(first[FIRST +: SIZE]),
                    .word(word_of[at*WIDTH +: WIDTH]), .number(number_of[at*NUMBER +: NUMBER])
                );
            end
            assign leaves = current != 0 && (!stands || grant);
            always @(posedge clk) begin
                if (leaves) begin
                    words   <= word_of;
                    numbers <= number_of;
                end
                if (rst)
                    stands <= 1'b0;
                else
                    stands <= leaves || (stands && !grant);
            end
            // The groups without the first have zeros.
            reg [WIDTH-1:0]  word;
            reg [NUMBER-1:0] number;
            integer          each;
            always @* begin
                word   = {WIDTH{1'b0}};
                number = {NUMBER{1'b0}};
                for (each = 0; each < GROUPS; each = each + 1) begin
                    word   = word | words[each*WIDTH +: WIDTH];
                    number = number | numbers[each*NUMBER +: NUMBER];
                end
            end
            assign gathered = stands;
            assign chosen   = word;
            assign next     = number;
        end
    endgenerate

    reg              full;
    reg  [WIDTH-1:0] standing;
    wire             reads;
    wire             order_ready;
    assign grant = gathered && (!full || request_ready) && (!reads || order_ready);
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
        if (grant)
            standing <= chosen;
        if (rst)
            full <= 1'b0;
        else if (grant)
            full <= 1'b1;
        else if (request_ready)
            full <= 1'b0;
    end

    // A flush stays behind the requests accepted before it.
    reg flush_waits, flush_stands;
    assign flush_ready     = !flush_waits && !flush_stands;
    assign flush_out_valid = flush_stands;
    assign flush_out       = 1'b0;
    wire unused_flush = flush;
    wire flush_leaves = flush_waits && current == 0 && !gathered && !full;
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
