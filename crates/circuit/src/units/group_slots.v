// Slots for work-groups: a slot is free again when all items of its group have ended. When another
// number of slots is to be used, all of them are free, and whatever was offered is forgotten.
`default_nettype none

module sluice_group_slots #(
    parameter SLOTS = 4,
    parameter SLOT  = 2,
    parameter COUNT = 4 // bits: a group has up to 2 to the power of this
) (
    input  wire            clk,
    input  wire            rst,
    input  wire [31:0]     group_size,
    input  wire [31:0]     resident,
    input  wire            ended_valid,
    output wire            ended_ready,
    input  wire [SLOT-1:0] ended,
    output wire            free_valid,
    input  wire            free_ready,
    output wire [SLOT-1:0] free
);
    wire              complete;
    wire [COUNT-1:0]  unused_earlier;
    reg               returned_valid;
    reg  [SLOT-1:0]   returned;
    wire              unused_returned_ready; // there is a place for every slot
    wire              back_valid;
    wire [SLOT-1:0]   back;
    reg  [SLOT:0]     used;  // so many slots are in use or free
    reg  [SLOT:0]     fresh; // the next one that was never out
    reg               stands;
    reg  [SLOT-1:0]   number;

    wire changed = used != resident[SLOT:0];
    wire room    = !stands || free_ready;
    wire more    = fresh != used;
    wire unused  = &{1'b0, group_size[31:COUNT], resident[31:SLOT+1]};

    assign ended_ready = 1'b1;
    assign free_valid  = stands;
    assign free        = number;

    sluice_group_count #(.SLOTS(SLOTS), .SLOT(SLOT), .COUNT(COUNT)) items (
        .clk(clk), .rst(rst), .group_size(group_size[COUNT-1:0]),
        .come(ended_valid), .slot(ended), .earlier(unused_earlier), .complete(complete)
    );
    sluice_fifo #(.WIDTH(SLOT), .DEPTH(SLOTS)) came_back (
        .clk(clk), .rst(rst || changed),
        .in_valid(returned_valid), .in_ready(unused_returned_ready), .in(returned),
        .out_valid(back_valid), .out_ready(room), .out(back)
    );

    always @(posedge clk) begin
        used           <= resident[SLOT:0];
        returned_valid <= ended_valid && complete;
        returned       <= ended;
        if (room) begin
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
