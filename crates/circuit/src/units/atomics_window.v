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
    output wire            forwards,
    output reg  [SLOT-1:0] source,  // whose result, if `forwards`
    output wire            newest   // that is the last one that entered
);
    localparam COUNT = $clog2(WINDOW + 1);
    localparam LAST  = WINDOW - 1;

    reg  [COUNT-1:0]  count;
    reg  [SLOT-1:0]   tail, before_tail, oldest;
    wire [WINDOW-1:0] same, overlapping;

    assign admits   = count != WINDOW[COUNT-1:0] && overlapping == 0;
    assign forwards = same != 0;
    assign newest   = forwards && source == before_tail;

    genvar at;
    generate
        for (at = 0; at < WINDOW; at = at + 1) begin : entries
            localparam [SLOT-1:0] HERE = at;
            reg           live;   // not done
            reg           latest; // no operation on the same word entered after it
            reg [KEY-1:0] its_key;
            reg           its_half, its_wide;
            wire meets = live && its_key == key;
            assign overlapping[at] = meets && its_wide != wide;
            assign same[at]        = meets && its_wide == wide && its_half == half && latest;
            always @(posedge clk) begin
                if (enters && tail == HERE) begin
                    its_key  <= key;
                    its_half <= half;
                    its_wide <= wide;
                    latest   <= 1'b1;
                    live     <= 1'b1;
                end else begin
                    if (enters && same[at])
                        latest <= 1'b0;
                    if (done && oldest == HERE)
                        live <= 1'b0;
                end
                if (rst)
                    live <= 1'b0;
            end
        end
    endgenerate

    integer slot;
    always @* begin
        source = {SLOT{1'b0}};
        for (slot = 0; slot < WINDOW; slot = slot + 1)
            source = source | (slot[SLOT-1:0] & {SLOT{same[slot]}});
    end

    always @(posedge clk) begin
        if (enters) begin
            before_tail <= tail;
            tail        <= tail == LAST[SLOT-1:0] ? {SLOT{1'b0}} : tail + 1'b1;
        end
        if (done)
            oldest <= oldest == LAST[SLOT-1:0] ? {SLOT{1'b0}} : oldest + 1'b1;
        if (enters != done)
            count <= enters ? count + 1'b1 : count - 1'b1;
        if (rst) begin
            count  <= {COUNT{1'b0}};
            tail   <= {SLOT{1'b0}};
            oldest <= {SLOT{1'b0}};
        end
    end
endmodule

`default_nettype wire
