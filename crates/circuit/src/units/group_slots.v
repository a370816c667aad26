// Slots for work-groups: a group gets one that is free, and it is free again when all items of the
// group have ended. When another number of slots is to be used, all of them are free.
`default_nettype none

module sluice_group_slots #(
    parameter SLOTS = 4,
    parameter SLOT  = 2,
    parameter COUNT = 4, // bits: a group has up to 2 to the power of this
    parameter WIDTH = 8  // of a group's token with its slot
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [31:0]      group_size,
    input  wire [31:0]      resident,
    input  wire             in_valid,
    output wire             in_ready,
    output wire [SLOT-1:0]  slot,  // of the group that comes
    input  wire [WIDTH-1:0] token, // of the group that comes, with it
    input  wire             ended_valid,
    output wire             ended_ready,
    input  wire [SLOT-1:0]  ended,
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out
);
    wire             complete;
    wire [COUNT-1:0] unused_earlier;
    reg              returned_valid;
    reg  [SLOT-1:0]  returned;
    wire             unused_returned_ready; // there is a place for every slot
    wire             back_valid;
    wire [SLOT-1:0]  back;
    reg  [SLOT:0]    used;  // number of slots that are in use or free
    reg  [SLOT:0]    fresh; // the next one that was never out
    reg              stands;
    reg  [SLOT-1:0]  number;
    wire             room;

    wire changed = used != resident[SLOT:0];
    wire taken   = in_valid && in_ready;
    wire next    = !stands || taken;
    wire more    = fresh != used;
    wire unused  = &{1'b0, group_size[31:COUNT], resident[31:SLOT+1]};

    assign in_ready    = stands && room;
    assign slot        = number;
    assign ended_ready = 1'b1;

    sluice_group_count #(.SLOTS(SLOTS), .SLOT(SLOT), .COUNT(COUNT)) items (
        .clk(clk), .rst(rst), .group_size(group_size[COUNT-1:0]),
        .come(ended_valid), .slot(ended), .earlier(unused_earlier), .complete(complete)
    );
    sluice_fifo #(.WIDTH(SLOT), .DEPTH(SLOTS)) came_back (
        .clk(clk), .rst(rst || changed),
        .in_valid(returned_valid), .in_ready(unused_returned_ready), .in(returned),
        .out_valid(back_valid), .out_ready(next), .out(back)
    );
    sluice_buffer #(.WIDTH(WIDTH)) groups (
        .clk(clk), .rst(rst), .in_valid(in_valid && stands), .in_ready(room), .in(token),
        .out_valid(out_valid), .out_ready(out_ready), .out(out)
    );

    always @(posedge clk) begin
        used           <= resident[SLOT:0];
        returned_valid <= ended_valid && complete;
        returned       <= ended;
        if (next) begin
            stands <= back_valid || more;
            number <= back_valid ? back : fresh[SLOT-1:0];
            if (!back_valid && more)
                fresh <= fresh + 1'b1;
        end
        if (rst || changed) begin
            stands <= 1'b0;
            fresh  <= {(SLOT+1){1'b0}};
        end
        if (rst) begin
            used           <= {(SLOT+1){1'b0}};
            returned_valid <= 1'b0;
        end
    end
endmodule

`default_nettype wire
