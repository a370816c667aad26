// A barrier: no work-item leaves before the group is complete, groups leave whole and in the order in which
// their items came, and a complete group does leave.
`default_nettype none

module bench #(
    parameter SLOTS   = 2,
    parameter SLOT    = 1,
    parameter PLACE   = 2,
    parameter SIZE    = 2, // work-items of a group
    parameter SHIFT   = 1, // 2 to the power of it are its places
    parameter LATENCY = 7
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg            in_valid, in, out_ready;
    (* anyseq *) reg [SLOT-1:0] in_slot;
    wire                          in_ready, out_valid, out;
    wire [SLOT-1:0]               out_slot;
    unit unit (
        .clk(clk), .rst(rst), .u0_group_size(SIZE), .u0_group_shift(SHIFT),
        .u0_in_valid(in_valid), .u0_in_ready(in_ready), .u0_in({in, in_slot}),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out({out, out_slot})
    );

    wire comes  = in_valid && in_ready;
    wire leaves = out_valid && out_ready;

    // Number of groups, whose places are as many as there are or less.
    localparam RESIDENT = ((1 << PLACE) >> SHIFT) < SLOTS ? (1 << PLACE) >> SHIFT : SLOTS;
    always @* assume (!in_valid || in_slot < RESIDENT);

    wire [RESIDENT-1:0] complete; // a work-item may leave
    genvar s;
    generate
        for (s = 0; s < RESIDENT; s = s + 1) begin : each
            wire mine = out_valid && out_slot == s;
            wire [$clog2(SIZE + 2)-1:0] pending;
            in_order #(.PENDING(SIZE)) order (
                .clk(clk), .rst(rst), .comes(comes && in_slot == s), .in(in),
                .stands(mine), .leaves(mine && out_ready), .out(out), .pending(pending)
            );
            // The work-items of a group that are not in the barrier are before it.
            always @* assume (!(in_valid && in_slot == s) || pending < SIZE);

            reg [PLACE:0] arrived; // of a group that is not complete
            reg [PLACE:0] free;    // of one that is: those who have not left
            wire          completes = comes && in_slot == s && arrived + 1'b1 == SIZE;
            assign complete[s] = free != 0;
            always @(posedge clk)
                if (rst) begin
                    arrived <= 0;
                    free    <= 0;
                end else begin
                    if (comes && in_slot == s)
                        arrived <= completes ? 0 : arrived + 1'b1;
                    free <= free + (completes ? SIZE : 0) - (leaves && out_slot == s);
                end
            always @(posedge clk)
                if (!rst) begin
                    assert (!mine || free != 0);
                    assert (pending == arrived + free);
                end
        end
    endgenerate

    // The two queues inside take what comes without being asked: there is always room.
    (* hierconn *) wire \unit.u0.barrier.completes , \unit.u0.barrier.unused_room ;
    (* hierconn *) wire \unit.u0.barrier.second , \unit.u0.barrier.unused_ready ;
    always @(posedge clk)
        if (!rst) begin
            assert (!\unit.u0.barrier.completes || \unit.u0.barrier.unused_room );
            assert (!\unit.u0.barrier.second || \unit.u0.barrier.unused_ready );
            cover (\unit.u0.barrier.completes );
            cover (\unit.u0.barrier.second );
        end

    // Groups leave whole, one after the other.
    reg [PLACE:0]  gone;
    reg [SLOT-1:0] going;
    always @(posedge clk)
        if (rst)
            gone <= 0;
        else if (leaves) begin
            gone  <= gone + 1'b1 == SIZE ? 0 : gone + 1'b1;
            going <= out_slot;
        end
    always @(posedge clk)
        if (!rst) begin
            assert (in_ready);
            assert (!out_valid || out_slot < RESIDENT);
            cover (&complete);
            assert (!out_valid || gone == 0 || out_slot == going);
        end
    stays #(.WIDTH(SLOT + 1)) out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data({out, out_slot})
    );
    never_for_long #(.CYCLES(LATENCY - 1)) prompt (
        .clk(clk), .rst(rst), .happens(complete != 0 && !out_valid)
    );
endmodule

`default_nettype wire
