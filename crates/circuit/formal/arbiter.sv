// An arbiter of two readers and a writer: requests leave in the order in which they were accepted,
// answers go to whom they belong, no requester waits for more than two rounds, a flush comes behind what
// was accepted before it.
`default_nettype none

module bench (
    input wire clk
);
    localparam OUTSTANDING = 2;

    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    // A request says by its address whose it is, and carries one bit of data.
    (* anyseq *) reg [2:0] from_valid, write, word;
    (* anyseq *) reg       response_valid, response, request_ready, flush_valid, flush_out_ready;
    (* anyseq *) reg [1:0] to_ready;
    wire [2:0]             from_ready;
    wire [1:0]             to_valid;
    wire [7:0]             to_0, to_1;
    wire                   response_ready, request_valid, flush_ready, flush_out_valid;
    wire [11:0]            request;
    wire                   unused_flush;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_from_0_valid(from_valid[0]), .u0_from_0_ready(from_ready[0]),
        .u0_from_0({7'd0, word[0], 1'b1, 2'd0, write[0]}),
        .u0_from_1_valid(from_valid[1]), .u0_from_1_ready(from_ready[1]),
        .u0_from_1({7'd0, word[1], 1'b1, 2'd1, write[1]}),
        .u0_from_2_valid(from_valid[2]), .u0_from_2_ready(from_ready[2]),
        .u0_from_2({7'd0, word[2], 1'b1, 2'd2, write[2]}),
        .u0_response_valid(response_valid), .u0_response_ready(response_ready),
        .u0_response({7'd0, response}),
        .u0_flush_valid(flush_valid), .u0_flush_ready(flush_ready), .u0_flush(1'b0),
        .u0_to_0_valid(to_valid[0]), .u0_to_0_ready(to_ready[0]), .u0_to_0(to_0),
        .u0_to_1_valid(to_valid[1]), .u0_to_1_ready(to_ready[1]), .u0_to_1(to_1),
        .u0_request_valid(request_valid), .u0_request_ready(request_ready), .u0_request(request),
        .u0_flush_out_valid(flush_out_valid), .u0_flush_out_ready(flush_out_ready),
        .u0_flush_out(unused_flush)
    );
    // Readers read, the writer writes.
    always @* assume (write == 3'b100);

    wire [2:0] accepted = from_valid & from_ready;
    wire [1:0] many     = accepted[0] + accepted[1] + accepted[2];
    wire       leaves   = request_valid && request_ready;
    wire [3:0] said     = {request[4], request[2:0]};

    // Any one request is watched from its acceptance on.
    (* anyseq *) reg       watch;
    (* anyseq *) reg [1:0] whose;
    wire [2:0] lower = accepted & ((3'd1 << whose) - 1'b1);
    reg        watching;
    reg  [3:0] pending, ahead, token;
    always @(posedge clk)
        if (rst) begin
            pending  <= 4'd0;
            watching <= 1'b0;
        end else begin
            pending <= pending + many - leaves;
            if (watching) begin
                if (leaves && ahead == 0)
                    watching <= 1'b0;
                ahead <= ahead - leaves;
            end else if (watch && whose != 2'd3 && accepted[whose]) begin
                watching <= 1'b1;
                ahead    <= pending - leaves + lower[0] + lower[1];
                token    <= {word[whose] && write[whose], whose, write[whose]};
            end
            assert (pending <= 7);
            cover (pending == 7);
            cover (watching && ahead == 6);
            assert (!request_valid || pending != 0);
            assert (!(watching && ahead == 0 && request_valid) || said == token);
        end

    // Memory answers what was read, in the order of the reads.
    reg [2:0] unanswered;
    wire      reads   = leaves && !request[0];
    wire      answers = response_valid && response_ready;
    wire      given   = (to_valid & to_ready) != 0;
    always @* assume (!response_valid || unanswered != 0);
    always @(posedge clk)
        if (rst)
            unanswered <= 3'd0;
        else
            unanswered <= unanswered + reads - answers;
    wire [2:0] awaited;
    wire [1:0] stored;
    in_order #(.PENDING(OUTSTANDING + 3)) owners (
        .clk(clk), .rst(rst), .comes(reads), .in(request[1]), .stands(to_valid != 0),
        .leaves(given), .out(to_valid[1]), .pending(awaited)
    );
    in_order #(.PENDING(2)) answers_order (
        .clk(clk), .rst(rst), .comes(answers), .in(response), .stands(to_valid != 0),
        .leaves(given), .out(to_valid[1] ? to_1[0] : to_0[0]), .pending(stored)
    );

    // A flush waits for those that were accepted before it, or with it.
    reg [3:0] before;
    always @(posedge clk)
        if (rst)
            before <= 4'd0;
        else if (flush_valid && flush_ready)
            before <= pending + many - leaves;
        else if (before != 0)
            before <= before - leaves;

    always @(posedge clk)
        if (!rst) begin
            assert (to_valid != 2'b11);
            assert (pending != 0 || from_ready == 3'd7);
            assert (!flush_out_valid || before == 0);
            cover (flush_out_valid);
        end
    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : each
            reg [3:0] passed; // requests that leave while this one is not even accepted
            always @(posedge clk) begin
                if (rst || !from_valid[i] || from_ready[i])
                    passed <= 4'd0;
                else if (passed != 4'd15)
                    passed <= passed + leaves;
                if (!rst) begin
                    assert (passed <= 3);
                    cover (passed == 3);
                end
            end
        end
        for (i = 0; i < 2; i = i + 1) begin : responses
            stays to_stays (
                .clk(clk), .rst(rst), .valid(to_valid[i]), .ready(to_ready[i]),
                .data(i == 0 ? to_0[0] : to_1[0])
            );
        end
    endgenerate
    stays #(.WIDTH(4)) request_stays (
        .clk(clk), .rst(rst), .valid(request_valid), .ready(request_ready), .data(said)
    );
    stays flush_stays (
        .clk(clk), .rst(rst), .valid(flush_out_valid), .ready(flush_out_ready), .data(1'b0)
    );
    // Only reads that wait for memory hold a request up.
    never_for_long #(.CYCLES(1)) prompt (
        .clk(clk), .rst(rst),
        .happens(pending != 0 && !request_valid && unanswered < OUTSTANDING)
    );
endmodule

`default_nettype wire
