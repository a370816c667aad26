// Work-groups, from a start on, dimension 0 fastest: one per cycle, each to one of several ways, in
// turns, or in turns among those that have room. Nothing is multiplied.
`default_nettype none

module sluice_groups #(
    parameter WIDTH      = 8, // of a group's token
    parameter WAYS       = 1,
    parameter DIMENSIONS = 3, // in those beyond, there is one work-group
    parameter IN_TURNS   = 0  // 1: a way whose turn it is and that has no room is waited for
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [95:0]           num_groups,
    input  wire [95:0]           local_size, // 0 where the base does not matter
    input  wire [95:0]           offset,     // likewise
    input  wire                  start_valid,
    output wire                  start_ready,
    output wire [95:0]           group_id,
    output wire [95:0]           base,
    input  wire [WIDTH-1:0]      token, // what of these is given
    output wire [WAYS-1:0]       out_valid,
    input  wire [WAYS-1:0]       out_ready,
    output wire [WAYS*WIDTH-1:0] out
);
    reg        running;
    wire [2:0] last;     // by dimension: the last work-group
    wire [2:0] occupied; // by dimension: there are work-groups

    reg  [WAYS-1:0] full;
    wire [WAYS-1:0] room = ~full | out_ready;
    wire [WAYS-1:0] chosen;

    wire start = start_valid && !running;
    wire step  = running && chosen != 0;
    generate
        if (IN_TURNS != 0) begin : in_turns
            reg [WAYS-1:0] turn;
            assign chosen = room & turn;
            always @(posedge clk)
                if (rst)
                    turn <= {{(WAYS-1){1'b0}}, 1'b1};
                else if (step)
                    turn <= turn << 1 | turn >> (WAYS - 1);
        end else begin : to_room
            reg  [WAYS-1:0] behind; // the ways behind the one whose turn was last
            wire [WAYS-1:0] later = room & behind;
            wire [WAYS-1:0] behind_chosen;
            sluice_lowest #(.COUNT(WAYS)) pick (
                .set(later != 0 ? later : room), .lowest(chosen), .behind(behind_chosen)
            );
            always @(posedge clk)
                if (rst)
                    behind <= {WAYS{1'b0}};
                else if (step)
                    behind <= behind_chosen;
        end
    endgenerate

    assign start_ready = !running;
    assign out_valid   = full;

    always @(posedge clk) begin
        full <= (full & ~out_ready) | (chosen & {WAYS{running}});
        if (start)
            running <= &occupied;
        else if (step && (&last))
            running <= 1'b0;
        if (rst) begin
            full    <= {WAYS{1'b0}};
            running <= 1'b0;
        end
    end

    genvar d;
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : way
            reg [WIDTH-1:0] held;
            always @(posedge clk)
                if (room[w]) // without a new token, its content does not matter
                    held <= token;
            assign out[w*WIDTH +: WIDTH] = held;
        end

        for (d = DIMENSIONS; d < 3; d = d + 1) begin : beyond
            assign last[d]              = 1'b1;
            assign occupied[d]          = 1'b1;
            assign group_id[32*d +: 32] = 32'd0;
            assign base[32*d +: 32]     = 32'd0;
            wire unused = &{num_groups[32*d +: 32], local_size[32*d +: 32], offset[32*d +: 32]};
        end

        for (d = 0; d < DIMENSIONS; d = d + 1) begin : dimension
            localparam [2:0] BELOW = (1 << d) - 1;

            wire [31:0] items  = local_size[32*d +: 32];
            wire [31:0] groups = num_groups[32*d +: 32];
            wire [31:0] from   = offset[32*d +: 32];

            reg [31:0] group;
            reg [31:0] place; // of the work-group's first item
            reg        group_last;

            assign last[d]              = group_last;
            assign occupied[d]          = groups != 32'd0;
            assign group_id[32*d +: 32] = group;
            assign base[32*d +: 32]     = place;

            wire step_here = step && ((last & BELOW) == BELOW);
            wire last_next; // the next work-group is the last one
            sluice_sum_is #(.WIDTH(32), .ADDEND(2)) sum_is (.from(group), .sum(groups), .is(last_next));

            always @(posedge clk)
                if (start || (step_here && group_last)) begin
                    group      <= 32'd0;
                    group_last <= groups == 32'd1;
                    place      <= from;
                end else if (step_here) begin
                    group      <= group + 32'd1;
                    group_last <= last_next;
                    place      <= place + items;
                end
        end
    endgenerate
endmodule

`default_nettype wire
