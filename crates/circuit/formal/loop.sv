// A loop: gate (u0), select (u1) where those who enter go first, queue (u2), branch (u3), queue on the
// way back (u4). Each token goes round as often as it likes.
`default_nettype none

module bench #(
    parameter LIMIT = 2,
    parameter FULL  = 0 // whether the limit is all that the loop can hold
) (
    input wire clk
);
    localparam STILL = 1; // cycles in which tokens move inside of units only

    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg enter_valid, decision, leave_ready;
    wire             enter_ready, leave_valid;
    wire             entry_valid, entry_ready, merged_valid, merged_ready, done_valid, done_ready;
    wire             again_valid, again_ready, back_valid, back_ready, exit_valid, exit_ready;
    wire [1:0]       done;
    wire [5:0]       unused;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_entry_in_valid(enter_valid), .u0_entry_in_ready(enter_ready), .u0_entry_in(1'b0),
        .u0_entry_out_valid(entry_valid), .u0_entry_out_ready(entry_ready),
        .u0_entry_out(unused[0]),
        .u0_exit_0_in_valid(exit_valid), .u0_exit_0_in_ready(exit_ready), .u0_exit_0_in(1'b0),
        .u0_exit_0_out_valid(leave_valid), .u0_exit_0_out_ready(leave_ready),
        .u0_exit_0_out(unused[1]),
        .u1_in_0_valid(entry_valid), .u1_in_0_ready(entry_ready), .u1_in_0(1'b0),
        .u1_in_1_valid(back_valid), .u1_in_1_ready(back_ready), .u1_in_1(1'b0),
        .u1_out_valid(merged_valid), .u1_out_ready(merged_ready), .u1_out(unused[2]),
        .u2_in_valid(merged_valid), .u2_in_ready(merged_ready), .u2_in({1'b0, decision}),
        .u2_out_valid(done_valid), .u2_out_ready(done_ready), .u2_out(done),
        .u3_in_valid(done_valid), .u3_in_ready(done_ready), .u3_in(done),
        .u3_on_true_valid(again_valid), .u3_on_true_ready(again_ready), .u3_on_true(unused[3]),
        .u3_on_false_valid(exit_valid), .u3_on_false_ready(exit_ready), .u3_on_false(unused[4]),
        .u4_in_valid(again_valid), .u4_in_ready(again_ready), .u4_in(1'b0),
        .u4_out_valid(back_valid), .u4_out_ready(back_ready), .u4_out(unused[5])
    );

    wire enters = enter_valid && enter_ready;
    wire exits  = exit_valid && exit_ready;
    wire moves  = enters || exits || (entry_valid && entry_ready) || (merged_valid && merged_ready)
        || (done_valid && done_ready) || (again_valid && again_ready) || (back_valid && back_ready);

    // What stands where, inside of the units: induction needs to know that it is as many as the gate
    // has counted.
    localparam COUNT = $clog2(LIMIT + 1);
    (* hierconn *) wire             \unit.u0.gate.buffer.head_full , \unit.u0.gate.buffer.next_full ;
    (* hierconn *) wire             \unit.u1.merge.full ;
    (* hierconn *) wire [1:0]       \unit.u1.merge.waiting ;
    (* hierconn *) wire             \unit.u2.some , \unit.u2.space , \unit.u2.full_head ;
    (* hierconn *) wire             \unit.u3.steer.buffer.head_full , \unit.u3.steer.buffer.next_full ;
    (* hierconn *) wire             \unit.u4.some , \unit.u4.space , \unit.u4.full_head ;
    (* hierconn *) wire             \unit.u2.head , \unit.u2.tail , \unit.u4.head , \unit.u4.tail ;
    (* hierconn *) wire             \unit.u0.gate.open ;
    (* hierconn *) wire [COUNT-1:0] \unit.u0.gate.places ;
    wire [3:0] standing = \unit.u0.gate.buffer.head_full + \unit.u0.gate.buffer.next_full
        + \unit.u1.merge.full + \unit.u1.merge.waiting [0] + \unit.u1.merge.waiting [1]
        + \unit.u2.some + \unit.u2.full_head
        + \unit.u3.steer.buffer.head_full + \unit.u3.steer.buffer.next_full
        + \unit.u4.some + \unit.u4.full_head ;
    always @(posedge clk)
        if (!rst) begin
            assert (inside == standing);
            assert (\unit.u0.gate.places == LIMIT - inside);
            assert (\unit.u0.gate.open == (inside != LIMIT));
            assert (\unit.u2.space == !\unit.u2.some && !\unit.u2.head && !\unit.u2.tail );
            assert (\unit.u4.space == !\unit.u4.some && !\unit.u4.head && !\unit.u4.tail );
            assert (\unit.u0.gate.buffer.head_full || !\unit.u0.gate.buffer.next_full );
            assert (\unit.u3.steer.buffer.head_full || !\unit.u3.steer.buffer.next_full );
            // Who waits at a select waits for who stands at its output.
            assert (\unit.u1.merge.full || \unit.u1.merge.waiting == 0);
        end

    // Those in the loop, and for how many cycles none of them has moved while the way out was open.
    reg [$clog2(LIMIT + 2)-1:0] inside;
    reg [$clog2(STILL + 2)-1:0] still;
    always @(posedge clk)
        if (rst) begin
            inside <= 0;
            still  <= 0;
        end else begin
            inside <= inside + enters - exits;
            if (inside == 0 || moves || !exit_ready)
                still <= 0;
            else if (still != STILL + 1)
                still <= still + 1'b1;
            assert (inside <= LIMIT);
            cover (inside == LIMIT);
            if (FULL != 0) begin
                // It can deadlock: no token ever moves again.
                assert (still != STILL + 1 || (!moves && exit_ready));
                cover (still == STILL + 1);
            end else begin
                assert (still != STILL + 1);
                cover (still == STILL);
            end
        end
endmodule

`default_nettype wire
