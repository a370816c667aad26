// The requests of a store: an address and data become one request per piece of memory that surely
// lies within the width of the port. A token that is no store passes without a request.
`default_nettype none

module sluice_store_requests #(
    parameter SIZE    = 4,  // bytes of the data
    parameter GRAIN   = 4,  // bytes per request: a power of two, at most BYTES
    parameter BYTES   = 4,  // of the port
    parameter ADDRESS = 32,
    parameter GUARDED = 0   // 1: the last bit of a token says whether it is a store
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              in_valid,
    output wire                              in_ready,
    input  wire [8*SIZE+ADDRESS+GUARDED-1:0] in,
    input  wire                              room,     // for another one that is accepted or passes
    output wire                              accepted, // the last request of a store
    output wire                              passed,   // a token that is no store
    output wire                              request_valid,
    input  wire                              request_ready,
    output wire [9*BYTES+ADDRESS:0]          request
);
    localparam BEATS  = (SIZE + GRAIN - 1) / GRAIN;
    localparam LAST   = BEATS - 1;
    localparam PIECES = BYTES / GRAIN;
    localparam REST   = SIZE - (BEATS - 1) * GRAIN; // bytes of the last request
    localparam WHOLE  = 8 * GRAIN * BEATS;
    localparam TOKEN  = 8 * SIZE + ADDRESS + GUARDED;

    wire             source_valid, last_beat, enabled;
    wire [TOKEN-1:0] source;
    wire             given = request_valid && request_ready;
    assign accepted = given && last_beat;
    assign passed   = source_valid && !enabled && room;
    sluice_skid #(.WIDTH(TOKEN)) tokens (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
        .out_valid(source_valid), .out_ready(accepted || passed), .out(source)
    );
    generate
        if (GUARDED) begin : guarded
            assign enabled = source[TOKEN-1];
        end else begin : always_enabled
            assign enabled = 1'b1;
        end
    endgenerate

    wire [WHOLE-1:0] data;
    generate
        if (WHOLE > 8 * SIZE) begin : padding
            assign data = {{(WHOLE - 8*SIZE){1'b0}}, source[ADDRESS +: 8*SIZE]};
        end else begin : exact
            assign data = source[ADDRESS +: 8*SIZE];
        end
    endgenerate

    wire [ADDRESS-1:0] address;
    wire [8*GRAIN-1:0] piece;
    generate
        if (BEATS > 1) begin : split
            localparam BEAT = $clog2(BEATS);
            reg [BEAT-1:0] beat;
            assign last_beat = beat == LAST[BEAT-1:0];
            assign address   = source[ADDRESS-1:0] + ({{(ADDRESS - BEAT){1'b0}}, beat} << $clog2(GRAIN));
            assign piece     = data[beat * 8 * GRAIN +: 8*GRAIN];
            always @(posedge clk)
                if (rst || (given && last_beat))
                    beat <= {BEAT{1'b0}};
                else if (given)
                    beat <= beat + 1'b1;
        end else begin : whole
            assign last_beat = 1'b1;
            assign address   = source[ADDRESS-1:0];
            assign piece     = data;
        end
    endgenerate

    wire [GRAIN-1:0] strobes;
    wire [BYTES-1:0] mask;
    generate
        if (REST < GRAIN) begin : partial
            assign strobes = last_beat ? {{(GRAIN - REST){1'b0}}, {REST{1'b1}}} : {GRAIN{1'b1}};
        end else begin : full
            assign strobes = {GRAIN{1'b1}};
        end
        if (PIECES > 1) begin : place
            wire [$clog2(PIECES)-1:0] offset = address[$clog2(BYTES)-1:$clog2(GRAIN)];
            assign mask = {{(BYTES - GRAIN){1'b0}}, strobes} << (offset * GRAIN);
        end else begin : keep
            assign mask = strobes;
        end
    endgenerate

    assign request_valid = source_valid && enabled && room;
    assign request       = {{PIECES{piece}}, mask, address, 1'b1};
endmodule

`default_nettype wire
