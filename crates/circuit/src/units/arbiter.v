// An arbiter: several requesters share one memory port. Requests are passed on in the order of the
// cycles in which they were accepted, because a write counts as done when it was accepted; those of
// the same cycle by number. Responses return in the order of the requests that read.
`default_nettype none

module sluice_arbiter #(
    parameter COUNT       = 2,
    parameter READERS     = 2, // number of readers: they come first, the others write
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
    localparam WIDTH   = 9 * BYTES + ADDRESS + 1;
    localparam NUMBER  = COUNT > 1 ? $clog2(COUNT) : 1;
    localparam WRITERS = COUNT - READERS;
    localparam DATA    = 9 * BYTES; // what a write carries beside its address

    // The requests that were accepted in one cycle are a batch. While one is passed on, the next one is
    // collected in the other one of two banks.
    reg  [COUNT-1:0] rest;      // of the batch that is passed on, behind the first
    reg  [COUNT-1:0] following; // the next batch, unless it is open
    reg              some;      // there is a first
    wire             more;      // there is a rest
    reg              reads;     // the first does
    reg              open;      // requests are accepted
    reg              bank;      // of the batch that is passed on
    wire             leaves;    // the first
    wire             turns = !some || (leaves && !more);
    assign from_ready = {COUNT{open}};

    wire [COUNT-1:0] batch = open ? from_valid : following;
    wire [COUNT-1:0] first_of_rest, behind_first_of_rest, first_of_batch, behind_first_of_batch;
    sluice_lowest #(.COUNT(COUNT)) of_rest (
        .set(rest), .lowest(first_of_rest), .behind(behind_first_of_rest)
    );
    sluice_lowest #(.COUNT(COUNT)) of_batch (
        .set(batch), .lowest(first_of_batch), .behind(behind_first_of_batch)
    );
    wire [COUNT-1:0] rest_of_rest  = rest & behind_first_of_rest;
    wire [COUNT-1:0] rest_of_batch = batch & behind_first_of_batch;
    wire             batch_reads, rest_reads;

    // Of the next first both cases are known before it is decided which one it is.
    reg              turned, more_of_batch, more_of_rest;
    assign more = turned ? more_of_batch : more_of_rest;

    always @(posedge clk) begin
        open <= turns || (open && from_valid == 0);
        if (open)
            following <= from_valid;
        if (turns) begin
            bank <= !bank;
            some <= !open || from_valid != 0;
        end
        if (turns || leaves) begin
            rest          <= turns ? rest_of_batch : rest_of_rest;
            reads         <= turns ? batch_reads : rest_reads;
            turned        <= turns;
            more_of_batch <= rest_of_batch != 0;
            more_of_rest  <= rest_of_rest != 0;
        end
        if (rst) begin
            open <= 1'b1;
            some <= 1'b0;
            bank <= 1'b0;
        end
    end

    // By bank: the requests, and which of them is the first. Of those that read there is an address.
    localparam KEPT = WRITERS > 0 ? WRITERS : 1;
    reg  [2*COUNT-1:0]         firsts;
    wire [2*COUNT*ADDRESS-1:0] addresses;
    wire [2*KEPT-1:0]          first_writes;
    wire [2*KEPT*DATA-1:0]     writes;
    wire [COUNT-1:0]           first = firsts[COUNT-1:0] | firsts[2*COUNT-1:COUNT];
    genvar side, at;
    generate
        for (side = 0; side < 2; side = side + 1) begin : banks
            wire current  = bank == side[0];
            wire collects = open && !current;
            always @(posedge clk)
                if (turns || leaves)
                    firsts[side*COUNT +: COUNT] <= turns == current ? {COUNT{1'b0}}
                        : turns ? first_of_batch : first_of_rest;
            for (at = 0; at < COUNT; at = at + 1) begin : requesters
                reg [ADDRESS-1:0] address;
                always @(posedge clk)
                    if (collects)
                        address <= from[at*WIDTH + 1 +: ADDRESS];
                assign addresses[(side*COUNT+at)*ADDRESS +: ADDRESS] = address;
            end
            for (at = 0; at < WRITERS; at = at + 1) begin : writers
                reg [DATA-1:0] data;
                always @(posedge clk)
                    if (collects)
                        data <= from[(READERS+at)*WIDTH + 1 + ADDRESS +: DATA];
                assign first_writes[side*KEPT + at]            = firsts[side*COUNT + READERS + at];
                assign writes[(side*KEPT+at)*DATA +: DATA] = data;
            end
            if (WRITERS == 0) begin : no_writers
                assign first_writes[side]         = 1'b0;
                assign writes[side*DATA +: DATA] = {DATA{1'b0}};
            end
        end
        if (READERS > 0) begin : some_read
            assign batch_reads = batch[READERS-1:0] != 0;
            assign rest_reads  = rest[READERS-1:0] != 0;
        end else begin : none_reads
            assign batch_reads = 1'b0;
            assign rest_reads  = 1'b0;
        end
    endgenerate
    wire unused = &{1'b0, from};

    // The number of the first.
    reg  [NUMBER-1:0] number;
    integer           each;
    always @* begin
        number = {NUMBER{1'b0}};
        for (each = 0; each < COUNT; each = each + 1)
            number = number | (each[NUMBER-1:0] & {NUMBER{first[each]}});
    end

    // Its words; of many, in two steps: those of parts, then of all.
    wire               gathered, gathered_reads;
    wire [NUMBER-1:0]  gathered_number;
    wire [ADDRESS-1:0] address;
    wire [DATA-1:0]    data;
    wire               grant;
    generate
        if (COUNT <= AT_ONCE) begin : narrow
            sluice_gather #(.COUNT(2*COUNT), .WIDTH(ADDRESS)) gather_address (
                .words(addresses), .which(firsts), .word(address)
            );
            sluice_gather #(.COUNT(2*KEPT), .WIDTH(DATA)) gather_data (
                .words(writes), .which(first_writes), .word(data)
            );
            assign gathered        = some;
            assign gathered_reads  = reads;
            assign gathered_number = number;
            assign leaves          = grant;
        end else begin : wide
            reg              stands, stands_reads;
            reg [NUMBER-1:0] stands_number;
            assign leaves = some && (!stands || grant);
            always @(posedge clk) begin
                if (leaves) begin
                    stands_reads  <= reads;
                    stands_number <= number;
                end
                if (rst)
                    stands <= 1'b0;
                else
                    stands <= leaves || (stands && !grant);
            end
            sluice_gather_twice #(.COUNT(2*COUNT), .WIDTH(ADDRESS), .AT_ONCE(2*AT_ONCE)) gather_address (
                .clk(clk), .step(leaves), .words(addresses), .which(firsts), .word(address)
            );
            sluice_gather_twice #(.COUNT(2*KEPT), .WIDTH(DATA), .AT_ONCE(2*AT_ONCE)) gather_data (
                .clk(clk), .step(leaves), .words(writes), .which(first_writes), .word(data)
            );
            assign gathered        = stands;
            assign gathered_reads  = stands_reads;
            assign gathered_number = stands_number;
        end
    endgenerate

    reg              full;
    reg  [WIDTH-1:0] standing;
    wire             order_ready;
    assign grant         = gathered && (!full || request_ready) && (!gathered_reads || order_ready);
    assign request_valid = full;
    assign request       = standing;

    always @(posedge clk) begin
        if (grant)
            standing <= {data, address, !gathered_reads};
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
    wire flush_leaves = flush_waits && !some && !gathered && !full;
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
        .clk(clk), .rst(rst),
        .in_valid(grant && gathered_reads), .in_ready(order_ready), .in(gathered_number),
        .out_valid(order_valid), .out_ready(response_valid && space), .out(owner)
    );
    assign response_ready = space && order_valid;

    // The numbers are decoded in front of the buffer, so that the path from the requesters' `ready` begins
    // at a mask.
    localparam OWNERS = READERS > 0 ? READERS : 1;
    wire [OWNERS-1:0]  owners, answer_owners;
    wire               answer_valid;
    wire [8*BYTES-1:0] answer;
    sluice_skid #(.WIDTH(8*BYTES + OWNERS)) answers (
        .clk(clk), .rst(rst),
        .in_valid(response_valid && order_valid), .in_ready(space), .in({response, owners}),
        .out_valid(answer_valid), .out_ready(|(answer_owners & to_ready)), .out({answer, answer_owners})
    );
    generate
        for (at = 0; at < READERS; at = at + 1) begin : return_path
            assign owners[at]                = owner == at[NUMBER-1:0];
            assign to_valid[at]              = answer_valid && answer_owners[at];
            assign to[at*8*BYTES +: 8*BYTES] = answer;
        end
        if (READERS == 0) begin : no_return_path
            assign owners   = 1'b0;
            assign to_valid = 1'b0;
            assign to       = {8*BYTES{1'b0}};
            wire unused_answer = &{1'b0, owner, answer_valid, answer};
        end
    endgenerate
endmodule

`default_nettype wire
