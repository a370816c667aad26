// Work-items of work-groups, dimension 0 fastest: one per cycle, also from one group to the next.
`default_nettype none

module sluice_items #(
    parameter GROUP  = 8,  // bits of a group's token
    parameter WIDTH  = 8,  // of a work-item's token
    parameter SIZE_0 = 32, // of a group's size, by dimension; 0: it is 1
    parameter SIZE_1 = 32,
    parameter SIZE_2 = 32
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [95:0]      local_size,
    input  wire             group_valid,
    output wire             group_ready,
    input  wire [GROUP-1:0] group,
    output wire [GROUP-1:0] current,
    output wire [95:0]      local_id,
    input  wire [WIDTH-1:0] token, // what of these is given
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out
);
    localparam DIMENSIONS = SIZE_1 == 0 ? 1 : SIZE_2 == 0 ? 2 : 3;

    wire             busy;
    wire [2:0]       last; // by dimension: the last work-item of the group
    reg              full;
    reg  [WIDTH-1:0] held;

    wire room = !full || out_ready;
    wire step = busy && room;

    assign out_valid = full;
    assign out       = held;

    sluice_buffer #(.WIDTH(GROUP)) groups (
        .clk(clk), .rst(rst), .in_valid(group_valid), .in_ready(group_ready), .in(group),
        .out_valid(busy), .out_ready(room && (&last)), .out(current)
    );

    always @(posedge clk) begin
        if (room) begin
            full <= busy;
            held <= token;
        end
        if (rst)
            full <= 1'b0;
    end

    genvar d;
    generate
        for (d = DIMENSIONS; d < 3; d = d + 1) begin : beyond
            assign last[d]              = 1'b1;
            assign local_id[32*d +: 32] = 32'd0;
            wire unused = &local_size[32*d +: 32];
        end

        for (d = 0; d < DIMENSIONS; d = d + 1) begin : dimension
            localparam [2:0] BELOW = (1 << d) - 1;
            localparam       SIZE  = d == 0 ? SIZE_0 : d == 1 ? SIZE_1 : SIZE_2;

            wire [SIZE-1:0] items = local_size[32*d +: SIZE];

            reg [SIZE-1:0] item;
            reg        first;     // item is 0
            reg        item_last; // otherwise: whether it is the last
            reg        single;    // there is one item

            wire step_here = step && ((last & BELOW) == BELOW);
            wire last_next; // the next work-item is the last one
            sluice_sum_is #(.WIDTH(SIZE), .ADDEND(2)) sum_is (.from(item), .sum(items), .is(last_next));

            assign last[d]                = first ? single : item_last;
            assign local_id[32*d +: SIZE] = item;
            if (SIZE < 32) begin : narrow
                assign local_id[32*d + SIZE +: 32 - SIZE] = {(32 - SIZE){1'b0}};
                wire unused = &{1'b0, local_size[32*d + SIZE +: 32 - SIZE]};
            end

            always @(posedge clk) begin
                single <= items == {{(SIZE-1){1'b0}}, 1'b1};
                if (rst || (step_here && last[d])) begin
                    item  <= {SIZE{1'b0}};
                    first <= 1'b1;
                end else if (step_here) begin
                    item      <= item + {{(SIZE-1){1'b0}}, 1'b1};
                    item_last <= last_next;
                    first     <= 1'b0;
                end
            end
        end
    endgenerate
endmodule

`default_nettype wire
