// The dispatcher: from a start on, one work-item per cycle, work-group by work-group, dimension 0
// fastest. All identifiers are counted, none is multiplied.
`default_nettype none

module sluice_dispatcher #(
    parameter DIMENSIONS = 3
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [32*DIMENSIONS-1:0] global_size,
    input  wire [32*DIMENSIONS-1:0] local_size,
    input  wire [32*DIMENSIONS-1:0] offset,
    input  wire [32*DIMENSIONS-1:0] num_groups,
    input  wire                     start_valid,
    output wire                     start_ready,
    output wire                     out_valid,
    input  wire                     out_ready,
    output wire [32*DIMENSIONS-1:0] global_id,
    output wire [32*DIMENSIONS-1:0] local_id,
    output wire [32*DIMENSIONS-1:0] group_id
);
    reg                   running;
    wire [DIMENSIONS-1:0] last_item;  // by dimension: the last work-item of its group
    wire [DIMENSIONS-1:0] last_group; // by dimension: the last work-group
    wire [DIMENSIONS-1:0] occupied;   // by dimension: no size is 0

    wire start      = start_valid && !running;
    wire next_item  = running && out_ready;
    wire next_group = next_item && (&last_item);

    assign start_ready = !running;
    assign out_valid   = running;

    always @(posedge clk)
        if (rst)
            running <= 1'b0;
        else if (start)
            running <= &occupied;
        else if (next_group && (&last_group))
            running <= 1'b0;

    genvar d;
    generate
        for (d = 0; d < DIMENSIONS; d = d + 1) begin : dimension
            localparam [DIMENSIONS-1:0] BELOW = (1 << d) - 1;

            wire [31:0] items  = local_size[32*d +: 32];
            wire [31:0] groups = num_groups[32*d +: 32];
            wire [31:0] from   = offset[32*d +: 32];

            reg [31:0] item;
            reg [31:0] group;
            reg [31:0] place; // of the work-item among all
            reg [31:0] base;  // of the work-group's first
            reg        item_last;
            reg        group_last;

            // The work-item behind a group's last one is the next group's first one.
            wire [31:0] behind     = place + 32'd1;
            wire        step_item  = next_item && ((last_item & BELOW) == BELOW);
            wire        step_group = next_group && ((last_group & BELOW) == BELOW);

            assign last_item[d]           = item_last;
            assign last_group[d]          = group_last;
            assign occupied[d]            = global_size[32*d +: 32] != 0 && items != 0 && groups != 0;
            assign global_id[32*d +: 32]  = place;
            assign local_id[32*d +: 32]   = item;
            assign group_id[32*d +: 32]   = group;

            always @(posedge clk) begin
                if (start || (step_item && item_last)) begin
                    item      <= 32'd0;
                    item_last <= items == 32'd1;
                end else if (step_item) begin
                    item      <= item + 32'd1;
                    item_last <= item + 32'd2 == items;
                end
                if (start || (step_group && group_last)) begin
                    group      <= 32'd0;
                    group_last <= groups == 32'd1;
                    base       <= from;
                    place      <= from;
                end else if (step_group) begin
                    group      <= group + 32'd1;
                    group_last <= group + 32'd2 == groups;
                    base       <= behind;
                    place      <= behind;
                end else if (step_item)
                    place <= item_last ? base : behind;
            end
        end
    endgenerate
endmodule

`default_nettype wire
