// The words that operations under way change: whether another one may join them, and whose result
// it finds instead of what memory holds.
`default_nettype none

module sluice_atomics_window #(
    parameter WINDOW = 16,
    parameter SLOT   = 4,
    parameter KEY    = 29
) (
    input  wire            clk,
    input  wire            rst,
    // The one that wants to enter: where it is, and which part of that place it changes.
    input  wire [KEY-1:0]  key,
    input  wire            half,
    input  wire            wide,
    input  wire            enters,
    input  wire            done,    // the oldest one
    output wire            admits,
    // In the cycle after the one in which one entered:
    output reg             forwards,
    output reg  [SLOT-1:0] source,  // whose result, if `forwards`
    output reg             newest   // that is the one that entered before it
);
    wire              some, room;
    reg               live_wide; // those that are not done are so
    reg  [WINDOW-1:0] tail, oldest; // the place of the next one, and of the oldest one: one bit is set
    wire [WINDOW-1:0] same;
    reg  [WINDOW-1:0] found;     // `same` for the one that entered

    // Those of different widths are never under way together.
    assign admits = room && (!some || live_wide == wide);

    sluice_tally #(.MOST(WINDOW)) under_way (
        .clk(clk), .rst(rst), .up(enters), .down(done), .some(some), .room(room)
    );

    genvar at;
    generate
        for (at = 0; at < WINDOW; at = at + 1) begin : entries
            reg           live;   // not done
            reg           latest; // no operation on the same word entered after it
            reg [KEY-1:0] its_key;
            reg           its_half;
            assign same[at] = live && latest && its_key == key && its_half == half;
            always @(posedge clk) begin
                if (enters && tail[at]) begin
                    its_key  <= key;
                    its_half <= half;
                    latest   <= 1'b1;
                    live     <= 1'b1;
                end else begin
                    if (enters && same[at])
                        latest <= 1'b0;
                    if (done && oldest[at])
                        live <= 1'b0;
                end
                if (rst)
                    live <= 1'b0;
            end
        end
    endgenerate

    // The one that entered is right before the tail, and the one before it two places before.
    integer slot;
    always @* begin
        forwards = found != 0;
        newest   = 1'b0;
        source   = {SLOT{1'b0}};
        for (slot = 0; slot < WINDOW; slot = slot + 1) begin
            newest = newest || (found[slot] && tail[(slot + 2) % WINDOW]);
            source = source | (slot[SLOT-1:0] & {SLOT{found[slot]}});
        end
    end

    always @(posedge clk) begin
        found <= same;
        if (enters) begin
            live_wide <= wide;
            tail      <= {tail[WINDOW-2:0], tail[WINDOW-1]};
        end
        if (done)
            oldest <= {oldest[WINDOW-2:0], oldest[WINDOW-1]};
        if (rst) begin
            tail   <= {{(WINDOW-1){1'b0}}, 1'b1};
            oldest <= {{(WINDOW-1){1'b0}}, 1'b1};
        end
    end
endmodule

`default_nettype wire
