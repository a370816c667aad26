// Turns of three: each gets one answer for each question, one question is under way at a time, and
// no asker waits for more than the others once.
`default_nettype none

module bench (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg [2:0] in_valid, out_ready;
    (* anyseq *) reg       question_ready, answer_valid;
    wire [2:0]             in_ready, out_valid;
    wire                   question_valid, answer_ready;
    wire                   unused_question;
    wire [2:0]             unused_out;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_in_0_valid(in_valid[0]), .u0_in_0_ready(in_ready[0]), .u0_in_0(1'b0),
        .u0_in_1_valid(in_valid[1]), .u0_in_1_ready(in_ready[1]), .u0_in_1(1'b0),
        .u0_in_2_valid(in_valid[2]), .u0_in_2_ready(in_ready[2]), .u0_in_2(1'b0),
        .u0_answer_valid(answer_valid), .u0_answer_ready(answer_ready), .u0_answer(1'b0),
        .u0_out_0_valid(out_valid[0]), .u0_out_0_ready(out_ready[0]), .u0_out_0(unused_out[0]),
        .u0_out_1_valid(out_valid[1]), .u0_out_1_ready(out_ready[1]), .u0_out_1(unused_out[1]),
        .u0_out_2_valid(out_valid[2]), .u0_out_2_ready(out_ready[2]), .u0_out_2(unused_out[2]),
        .u0_question_valid(question_valid), .u0_question_ready(question_ready),
        .u0_question(unused_question)
    );

    wire asks    = question_valid && question_ready;
    wire answers = answer_valid && answer_ready;
    wire gives   = (out_valid & out_ready) != 0;

    // Answers come to questions.
    reg asked, answered;
    always @* assume (!answer_valid || asked);
    always @(posedge clk)
        if (rst) begin
            asked    <= 1'b0;
            answered <= 1'b0;
        end else begin
            if (asks || answers)
                asked <= asks;
            if (answers || gives)
                answered <= answers;
        end

    wire [2:0] waiting;
    genvar i;
    generate
        for (i = 0; i < 3; i = i + 1) begin : each
            reg [1:0] pending;
            reg [2:0] passed; // answers to others while this one waits
            assign waiting[i] = pending != 0;
            always @(posedge clk) begin
                if (rst)
                    pending <= 2'd0;
                else
                    pending <= pending + (in_valid[i] && in_ready[i]) - (out_valid[i] && out_ready[i]);
                if (rst || !waiting[i] || (out_valid[i] && out_ready[i]))
                    passed <= 3'd0;
                else if (gives && passed != 3'd7)
                    passed <= passed + 3'd1;
                if (!rst) begin
                    assert (pending <= 2);
                    assert (!out_valid[i] || waiting[i]);
                    assert (passed <= 2);
                    cover (passed == 2);
                end
            end
            stays out_stays (
                .clk(clk), .rst(rst), .valid(out_valid[i]), .ready(out_ready[i]), .data(1'b0)
            );
        end
    endgenerate
    stays question_stays (
        .clk(clk), .rst(rst), .valid(question_valid), .ready(question_ready), .data(1'b0)
    );
    always @(posedge clk)
        if (!rst) begin
            assert ((out_valid & (out_valid - 1'b1)) == 0);
            assert ((out_valid != 0) == answered);
            assert (!(question_valid && (asked || answered)));
            assert (answer_ready == asked);
        end
    never_for_long #(.CYCLES(1)) prompt (
        .clk(clk), .rst(rst), .happens(waiting != 0 && !question_valid && !asked && !answered)
    );
endmodule

`default_nettype wire
