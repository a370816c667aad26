// A load: an address becomes one request per piece of memory that surely lies within the width of
// the port; the responses' pieces become the result. Unless there are fewer places for results than loads
// in flight, one is reserved when the first request is sent, so that responses never wait. A token that is no
// load waits among those in flight and gives zero.
`default_nettype none

module sluice_load #(
    parameter SIZE        = 4,  // bytes of the result
    parameter GRAIN       = 4,  // bytes per request: a power of two, at most BYTES
    parameter BYTES       = 4,  // of the port
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 16,
    parameter RESULTS     = 16, // places for results
    parameter BLOCK       = 0,  // 1: results stand in a block memory
    parameter GUARDED     = 0   // 1: the last bit of a token says whether it is a load
) (
    input  wire                       clk,
    input  wire                       rst,
    input  wire                       in_valid,
    output wire                       in_ready,
    input  wire [ADDRESS+GUARDED-1:0] in,
    input  wire                       response_valid,
    output wire                       response_ready,
    input  wire [8*BYTES-1:0]         response,
    output wire                       out_valid,
    input  wire                       out_ready,
    output wire [8*SIZE-1:0]          out,
    output wire                       request_valid,
    input  wire                       request_ready,
    output wire [9*BYTES+ADDRESS:0]   request
);
    localparam BEATS  = (SIZE + GRAIN - 1) / GRAIN;
    localparam LAST   = BEATS - 1;
    localparam PIECES = BYTES / GRAIN;
    localparam OFFSET = PIECES > 1 ? $clog2(PIECES) : 1;
    localparam WHOLE  = 8 * GRAIN * BEATS;

    wire funded, unused_full; // another load may be in flight
    wire room;                // there is a place for a result
    wire given    = request_valid && request_ready;
    wire answered = response_valid && response_ready;

    // The address of the next request.
    wire               address_valid, first_beat, last_beat;
    wire [ADDRESS-1:0] address;
    wire               enabled;
    wire               passed = address_valid && !enabled && funded;
    assign request_valid = address_valid && enabled && (!first_beat || funded);
    assign request       = {{9*BYTES{1'b0}}, address, 1'b0};

    wire [ADDRESS+GUARDED-1:0] token;
    wire [ADDRESS-1:0]         source = token[ADDRESS-1:0];
    sluice_skid #(.WIDTH(ADDRESS + GUARDED)) addresses (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
        .out_valid(address_valid), .out_ready((given && last_beat) || passed), .out(token)
    );
    generate
        if (GUARDED) begin : guarded
            assign enabled = token[ADDRESS];
        end else begin : always_enabled
            assign enabled = 1'b1;
        end
    endgenerate

    generate
        if (BEATS > 1) begin : split
            localparam BEAT = $clog2(BEATS);
            reg [BEAT-1:0] beat;
            assign first_beat = beat == 0;
            assign last_beat  = beat == LAST[BEAT-1:0];
            assign address    = source + ({{(ADDRESS - BEAT){1'b0}}, beat} << $clog2(GRAIN));
            always @(posedge clk)
                if (rst || (given && last_beat))
                    beat <= {BEAT{1'b0}};
                else if (given)
                    beat <= beat + 1'b1;
        end else begin : whole
            assign first_beat = 1'b1;
            assign last_beat  = 1'b1;
            assign address    = source;
        end
    endgenerate

    // Which piece of the response each request asked for, and which tokens asked for none.
    wire [OFFSET-1:0] asked, offset;
    generate
        if (PIECES > 1) begin : pieces
            assign asked = address[$clog2(BYTES)-1:$clog2(GRAIN)];
        end else begin : all
            assign asked = 1'b0;
        end
    endgenerate
    wire                      unused_ready, flight_valid, blank;
    wire [OFFSET+GUARDED-1:0] entering, flight;
    wire                      landed = (response_valid || blank) && flight_valid && room;
    assign offset         = flight[OFFSET-1:0];
    assign response_ready = flight_valid && !blank && room;
    generate
        if (PIECES > 1 || GUARDED) begin : queued
            sluice_fifo #(.WIDTH(OFFSET + GUARDED), .DEPTH(OUTSTANDING * BEATS)) offsets (
                .clk(clk), .rst(rst), .in_valid(given || passed), .in_ready(unused_ready), .in(entering),
                .out_valid(flight_valid), .out_ready(landed), .out(flight)
            );
        end else begin : counted // they are all the same
            sluice_tally #(.MOST(OUTSTANDING * BEATS), .START(0)) flights (
                .clk(clk), .rst(rst), .up(given), .down(landed), .some(flight_valid), .room(unused_ready)
            );
            assign flight = entering;
        end
    endgenerate
    generate
        if (GUARDED) begin : mark
            assign entering = {passed, asked};
            assign blank    = flight_valid && flight[OFFSET];
        end else begin : unmarked
            assign entering = asked;
            assign blank    = 1'b0;
        end
    endgenerate

    wire [8*GRAIN-1:0] piece;
    generate
        if (PIECES > 1) begin : select
            assign piece = response[offset * 8 * GRAIN +: 8*GRAIN];
        end else begin : keep
            assign piece = response;
            wire unused = offset[0];
        end
    endgenerate

    wire             complete;
    wire [WHOLE-1:0] data;
    generate
        if (BEATS > 1) begin : collect
            localparam BEAT = $clog2(BEATS);
            reg [BEAT-1:0]          beat;
            reg [WHOLE-8*GRAIN-1:0] collected;
            assign complete = answered && beat == LAST[BEAT-1:0];
            assign data     = {piece, collected};
            always @(posedge clk) begin
                if (answered)
                    collected <= data[WHOLE-1:8*GRAIN];
                if (rst || complete)
                    beat <= {BEAT{1'b0}};
                else if (answered)
                    beat <= beat + 1'b1;
            end
        end else begin : pass
            assign complete = answered;
            assign data     = piece;
        end
        if (WHOLE > 8 * SIZE) begin : padding
            wire unused = &data[WHOLE-1:8*SIZE];
        end
    endgenerate

    wire [8*SIZE-1:0] result = blank ? {8*SIZE{1'b0}} : data[8*SIZE-1:0];
    sluice_any_fifo #(.WIDTH(8*SIZE), .DEPTH(RESULTS), .BLOCK(BLOCK)) results (
        .clk(clk), .rst(rst), .in_valid(complete || blank), .in_ready(room), .in(result),
        .out_valid(out_valid), .out_ready(out_ready), .out(out)
    );

    wire spend = (given && first_beat) || passed;
    wire earn  = out_valid && out_ready;
    sluice_tally #(.MOST(OUTSTANDING), .START(OUTSTANDING)) credits (
        .clk(clk), .rst(rst), .up(earn), .down(spend), .some(funded), .room(unused_full)
    );
endmodule

`default_nettype wire
