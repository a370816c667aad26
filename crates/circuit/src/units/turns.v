// Turns: several who ask take turns at one who answers, and each gets the answer to its own question.
`default_nettype none

module sluice_turns #(
    parameter ASKERS = 2
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [ASKERS-1:0] in_valid,
    output wire [ASKERS-1:0] in_ready,
    output wire [ASKERS-1:0] out_valid,
    input  wire [ASKERS-1:0] out_ready,
    output wire              question_valid,
    input  wire              question_ready,
    input  wire              answer_valid,
    output wire              answer_ready
);
    localparam NUMBER = $clog2(ASKERS);
    localparam IDLE = 2'd0, ASKING = 2'd1, ASKED = 2'd2, ANSWERING = 2'd3;

    reg  [1:0]        state;
    reg  [ASKERS-1:0] waiting; // for their turn
    reg  [NUMBER-1:0] asker;   // whose turn it is, or was last
    wire [NUMBER-1:0] next;
    wire [ASKERS-1:0] candidates = waiting | in_valid;
    wire              begins     = state == IDLE && candidates != 0;
    sluice_turn #(.COUNT(ASKERS), .NUMBER(NUMBER)) turn (
        .wanting(candidates), .last(asker), .next(next)
    );

    assign in_ready       = ~waiting;
    assign question_valid = state == ASKING;
    assign answer_ready   = state == ASKED;
    assign out_valid      = {{(ASKERS-1){1'b0}}, state == ANSWERING} << asker;

    always @(posedge clk) begin
        waiting <= begins ? candidates & ~({{(ASKERS-1){1'b0}}, 1'b1} << next) : candidates;
        if (begins)
            asker <= next;
        case (state)
            IDLE:    if (candidates != 0) state <= ASKING;
            ASKING:  if (question_ready) state <= ASKED;
            ASKED:   if (answer_valid) state <= ANSWERING;
            default: if (out_ready[asker]) state <= IDLE;
        endcase
        if (rst) begin
            state   <= IDLE;
            waiting <= {ASKERS{1'b0}};
            asker   <= {NUMBER{1'b0}};
        end
    end
endmodule

`default_nettype wire
