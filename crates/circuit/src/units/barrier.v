// A barrier: tokens wait, by the slot of their group, until the group is complete; complete groups
// leave one after the other. A token's place is its number among those of its group that have come.
// Of the next round the n-th can only come when n of this round have left, so each place is free when
// its next token comes.
`default_nettype none

module sluice_barrier #(
    parameter WIDTH = 8, // of what is kept of a token, beside its slot
    parameter KEEPS = 1, // whether anything is
    parameter SLOTS = 4,
    parameter SLOT  = 2,
    parameter PLACE = 4, // bits of a place's number
    parameter ANSWERS = 8 // places for tokens that leave
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [31:0]      group_size,
    input  wire [31:0]      group_shift,
    input  wire             in_valid,
    output wire             in_ready,
    input  wire [SLOT-1:0]  in_slot,
    input  wire [WIDTH-1:0] in,
    output wire             out_valid,
    input  wire             out_ready,
    output wire [SLOT-1:0]  out_slot,
    output wire [WIDTH-1:0] out
);
    // Who comes.
    wire [PLACE-1:0]      earlier;
    wire                  complete;
    wire [SLOT+PLACE-1:0] to_group = {{PLACE{1'b0}}, in_slot} << group_shift[4:0];
    reg                   came, completes;
    reg  [SLOT-1:0]       came_slot;
    reg  [PLACE-1:0]      came_group; // its first place

    assign in_ready = 1'b1;
    sluice_group_count #(.SLOTS(SLOTS), .SLOT(SLOT), .COUNT(PLACE)) arrivals (
        .clk(clk), .rst(rst), .group_size(group_size[PLACE-1:0]),
        .come(in_valid), .slot(in_slot), .earlier(earlier), .complete(complete)
    );

    // The groups that are complete; the first one leaves.
    wire                  unused_room; // there is a place for every slot
    wire                  leaves;
    wire [SLOT-1:0]       slot;
    reg  [PLACE-1:0]      place;
    wire                  funded, unused_full; // there is a place for one that leaves
    wire                  read = leaves && funded;
    reg                   last; // the next one that leaves is the last of its group
    wire                  next_is_last, single;
    wire [PLACE-1:0]      from_group; // its first place
    wire                  earn = out_valid && out_ready;
    reg                   first, second;
    reg  [SLOT-1:0]       first_slot, second_slot;

    // The one behind the next one is the last: `place` and two are the size of the group.
    localparam [PLACE-1:0] NONE = 0;
    localparam [PLACE:0]   TWO  = 2;
    sluice_sum_is #(.WIDTH(PLACE), .ADDEND(TWO[PLACE-1:0])) next_last (
        .from(place), .sum(group_size[PLACE-1:0]), .is(next_is_last)
    );
    sluice_sum_is #(.WIDTH(PLACE), .ADDEND(1)) first_last (
        .from(NONE), .sum(group_size[PLACE-1:0]), .is(single)
    );
    sluice_fifo #(.WIDTH(PLACE + SLOT), .DEPTH(SLOTS)) groups (
        .clk(clk), .rst(rst),
        .in_valid(completes), .in_ready(unused_room), .in({came_group, came_slot}),
        .out_valid(leaves), .out_ready(read && last), .out({from_group, slot})
    );

    sluice_tally #(.MOST(ANSWERS), .START(ANSWERS)) credits (
        .clk(clk), .rst(rst), .up(earn), .down(read), .some(funded), .room(unused_full)
    );

    always @(posedge clk) begin
        came        <= in_valid;
        completes   <= in_valid && complete;
        came_slot   <= in_slot;
        came_group  <= to_group[PLACE-1:0];
        first       <= read;
        second      <= first;
        first_slot  <= slot;
        second_slot <= first_slot;
        if (read)
            place <= last ? NONE : place + 1'b1;
        if (!leaves || funded)
            last <= !leaves || last ? single : next_is_last;
        if (rst) begin
            came      <= 1'b0;
            completes <= 1'b0;
            first     <= 1'b0;
            second    <= 1'b0;
            place     <= NONE;
        end
    end

    wire unused_ready; // credits see to it
    wire unused = &{1'b0, group_size, group_shift, to_group, from_group, came};
    generate
        if (KEEPS != 0) begin : kept
            reg  [PLACE-1:0] write_address;
            reg  [WIDTH-1:0] write_data;
            wire [WIDTH-1:0] stored;
            reg  [WIDTH-1:0] data;

            sluice_block_memory #(.WIDTH(WIDTH), .DEPTH(1 << PLACE), .ADDRESS(PLACE)) places (
                .clk(clk), .write(came), .write_address(write_address), .write_data(write_data),
                .read(read), .read_address(from_group | place), .read_data(stored)
            );
            always @(posedge clk) begin
                write_address <= to_group[PLACE-1:0] | earlier;
                write_data    <= in;
                data          <= stored;
            end
            sluice_fifo #(.WIDTH(SLOT + WIDTH), .DEPTH(ANSWERS)) answers (
                .clk(clk), .rst(rst),
                .in_valid(second), .in_ready(unused_ready), .in({data, second_slot}),
                .out_valid(out_valid), .out_ready(out_ready), .out({out, out_slot})
            );
        end else begin : only_counted
            wire unused_in = &{1'b0, in, earlier};
            assign out = {WIDTH{1'b0}};
            sluice_fifo #(.WIDTH(SLOT), .DEPTH(ANSWERS)) answers (
                .clk(clk), .rst(rst),
                .in_valid(second), .in_ready(unused_ready), .in(second_slot),
                .out_valid(out_valid), .out_ready(out_ready), .out(out_slot)
            );
        end
    endgenerate
endmodule

`default_nettype wire
