// A store that is done when memory has acknowledged each of its requests, in their order. A token
// that is no store is done when those before it are.
`default_nettype none

module sluice_store_acknowledged #(
    parameter SIZE        = 4,  // bytes of the data
    parameter GRAIN       = 4,  // bytes per request: a power of two, at most BYTES
    parameter BYTES       = 4,  // of the port
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 2,
    parameter GUARDED     = 0   // 1: the last bit of a token says whether it is a store
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire                              in_valid,
    output wire                              in_ready,
    input  wire [8*SIZE+ADDRESS+GUARDED-1:0] in,
    input  wire                              acknowledged_valid,
    output wire                              acknowledged_ready,
    input  wire                              acknowledged,
    output wire                              out_valid,
    input  wire                              out_ready,
    output wire                              out,
    output wire                              request_valid,
    input  wire                              request_ready,
    output wire [9*BYTES+ADDRESS:0]          request
);
    localparam BEATS = (SIZE + GRAIN - 1) / GRAIN;
    localparam LAST  = BEATS - 1;

    wire accepted, passed, room;
    wire unused = acknowledged;
    sluice_store_requests #(
        .SIZE(SIZE), .GRAIN(GRAIN), .BYTES(BYTES), .ADDRESS(ADDRESS), .GUARDED(GUARDED)
    ) requests (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
        .room(room), .accepted(accepted), .passed(passed),
        .request_valid(request_valid), .request_ready(request_ready), .request(request)
    );
    assign out = 1'b0;

    wire given  = request_valid && request_ready;
    wire arrive = acknowledged_valid && acknowledged_ready;
    wire leave  = out_valid && out_ready;

    // What is acknowledged next: a request, or nothing that has to be.
    wire blank;
    generate
        if (GUARDED) begin : guarded
            wire unused_ready, flight_valid, flight;
            sluice_fifo #(.WIDTH(1), .DEPTH(OUTSTANDING * BEATS)) order (
                .clk(clk), .rst(rst), .in_valid(given || passed), .in_ready(unused_ready),
                .in(passed), .out_valid(flight_valid), .out_ready(acknowledged_valid || blank),
                .out(flight)
            );
            assign blank              = flight_valid && flight;
            assign acknowledged_ready = flight_valid && !flight;
        end else begin : always_enabled
            wire unused_room;
            assign blank = 1'b0;
            // Requests that are not acknowledged.
            sluice_tally #(.MOST(OUTSTANDING * BEATS)) awaited (
                .clk(clk), .rst(rst), .up(given), .down(arrive),
                .some(acknowledged_ready), .room(unused_room)
            );
        end
    endgenerate

    wire complete;
    generate
        if (BEATS > 1) begin : split
            localparam BEAT = $clog2(BEATS);
            reg [BEAT-1:0] beat;
            assign complete = (arrive && beat == LAST[BEAT-1:0]) || blank;
            always @(posedge clk)
                if (rst || complete)
                    beat <= {BEAT{1'b0}};
                else if (arrive)
                    beat <= beat + 1'b1;
        end else begin : whole
            assign complete = arrive || blank;
        end
    endgenerate

    // Stores that are accepted and not taken, and those of them that are acknowledged.
    wire unused_some, unused_room;
    sluice_tally #(.MOST(OUTSTANDING)) owed (
        .clk(clk), .rst(rst), .up(accepted || passed), .down(leave),
        .some(unused_some), .room(room)
    );
    sluice_tally #(.MOST(OUTSTANDING)) done (
        .clk(clk), .rst(rst), .up(complete), .down(leave), .some(out_valid), .room(unused_room)
    );
endmodule

`default_nettype wire
