// Slots for work-groups: no more groups under way than may be, no two with the same slot, none is
// refused a slot for long while one is free; also when another launch uses another number of them.
`default_nettype none

module bench #(
    parameter SLOTS = 4,
    parameter SLOT  = 2,
    parameter ITEMS = 2 // the most of a group
) (
    input wire clk
);
    localparam LEFT = $clog2(ITEMS + 1);

    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg            in_valid, in, ended_valid, out_ready;
    (* anyseq *) reg [SLOT-1:0] ended;
    (* anyseq *) reg [SLOT:0]   resident;
    (* anyseq *) reg [LEFT-1:0] group_size;
    wire                        in_ready, ended_ready, out_valid;
    wire [SLOT:0]               out;
    unit unit (
        .clk(clk), .rst(rst), .u0_group_size({{(32-LEFT){1'b0}}, group_size}),
        .u0_resident({{(31-SLOT){1'b0}}, resident}),
        .u0_in_valid(in_valid), .u0_in_ready(in_ready), .u0_in(in),
        .u0_ended_valid(ended_valid), .u0_ended_ready(ended_ready), .u0_ended(ended),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out(out)
    );

    wire            comes  = in_valid && in_ready;
    wire            begins = out_valid && out_ready;
    wire [SLOT-1:0] slot   = out[SLOT-1:0];
    wire [1:0]      pending;
    wire [SLOTS-1:0] running; // which slots are of groups that have begun and not ended
    genvar s;
    generate
        for (s = 0; s < SLOTS; s = s + 1) begin : each
            // Work-items of the group that have not ended.
            reg [LEFT-1:0] left;
            assign running[s] = left != 0;
            always @* assume (!(ended_valid && ended == s) || left != 0);
            always @(posedge clk)
                if (rst)
                    left <= 0;
                else
                    left <= left + (begins && slot == s ? group_size : 1'b0)
                        - (ended_valid && ended == s);
        end
    endgenerate

    // Constants change when all has ended, and while nothing comes.
    reg [SLOT:0] was_resident;
    reg [LEFT-1:0] was_size;
    reg          rested; // nothing was under way in the cycle before
    wire         rests = !running && pending == 0 && !in_valid;
    always @(posedge clk) begin
        rested       <= rests || rst;
        was_resident <= resident;
        was_size     <= group_size;
    end
    always @* begin
        assume (1 <= resident && resident <= SLOTS);
        assume (1 <= group_size && group_size <= ITEMS);
        if (!rst && !(rests && rested))
            assume (resident == was_resident && group_size == was_size);
        if (rst)
            assume (!in_valid);
    end

    integer k;
    reg [SLOT+2:0] under_way;
    always @* begin
        under_way = pending;
        for (k = 0; k < SLOTS; k = k + 1)
            under_way = under_way + running[k];
    end
    always @(posedge clk)
        if (!rst) begin
            assert (ended_ready);
            assert (under_way <= resident);
            cover (under_way == SLOTS);
            cover (under_way != 0 && resident == 1);
            assert (!out_valid || slot < resident);
            assert (!out_valid || !running[slot]);
        end
    stays #(.WIDTH(SLOT + 1)) out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out)
    );
    in_order #(.PENDING(2)) order (
        .clk(clk), .rst(rst), .comes(comes), .in(in), .stands(out_valid),
        .leaves(begins), .out(out[SLOT]), .pending(pending)
    );
    // A slot is free again four cycles after the end of its group; new constants take less.
    never_for_long #(.CYCLES(3)) given (
        .clk(clk), .rst(rst),
        .happens(resident == was_resident && under_way != resident && pending != 2 && !in_ready)
    );
endmodule

`default_nettype wire
