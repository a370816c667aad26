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
    localparam COUNT = $clog2(OUTSTANDING + 1);

    reg [COUNT-1:0] owed; // stores that are accepted and not taken
    reg [COUNT-1:0] done; // stores that are acknowledged and not taken
    wire            accepted, passed;
    wire            unused = acknowledged;
    sluice_store_requests #(
        .SIZE(SIZE), .GRAIN(GRAIN), .BYTES(BYTES), .ADDRESS(ADDRESS), .GUARDED(GUARDED)
    ) requests (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
        .room(owed != OUTSTANDING[COUNT-1:0]), .accepted(accepted), .passed(passed),
        .request_valid(request_valid), .request_ready(request_ready), .request(request)
    );
    assign out_valid = done != 0;
    assign out       = 1'b0;

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
            localparam AWAIT = $clog2(OUTSTANDING * BEATS + 1);
            reg [AWAIT-1:0] awaited; // requests that are not acknowledged
            assign blank              = 1'b0;
            assign acknowledged_ready = awaited != 0;
            always @(posedge clk)
                if (rst)
                    awaited <= {AWAIT{1'b0}};
                else if (given != arrive)
                    awaited <= given ? awaited + 1'b1 : awaited - 1'b1;
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

    wire enter = accepted || passed;
    always @(posedge clk) begin
        if (enter != leave)
            owed <= enter ? owed + 1'b1 : owed - 1'b1;
        if (complete != leave)
            done <= complete ? done + 1'b1 : done - 1'b1;
        if (rst) begin
            owed <= {COUNT{1'b0}};
            done <= {COUNT{1'b0}};
        end
    end
endmodule

`default_nettype wire
