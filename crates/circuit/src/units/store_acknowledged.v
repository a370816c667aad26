// A store that is done when memory has acknowledged each of its requests, in their order.
`default_nettype none

module sluice_store_acknowledged #(
    parameter SIZE        = 4,  // bytes of the data
    parameter GRAIN       = 4,  // bytes per request: a power of two, at most BYTES
    parameter BYTES       = 4,  // of the port
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 2
) (
    input  wire                      clk,
    input  wire                      rst,
    input  wire                      in_valid,
    output wire                      in_ready,
    input  wire [8*SIZE+ADDRESS-1:0] in,
    input  wire                      acknowledged_valid,
    output wire                      acknowledged_ready,
    input  wire                      acknowledged,
    output wire                      out_valid,
    input  wire                      out_ready,
    output wire                      out,
    output wire                      request_valid,
    input  wire                      request_ready,
    output wire [9*BYTES+ADDRESS:0]  request
);
    localparam BEATS = (SIZE + GRAIN - 1) / GRAIN;
    localparam LAST  = BEATS - 1;
    localparam COUNT = $clog2(OUTSTANDING + 1);
    localparam AWAIT = $clog2(OUTSTANDING * BEATS + 1);

    reg [COUNT-1:0] done;    // stores that are acknowledged and not taken
    reg [AWAIT-1:0] awaited; // requests that are not acknowledged
    wire unused = acknowledged;

    // Nothing is done that was not accepted.
    wire unused_accepted;
    sluice_store #(
        .SIZE(SIZE), .GRAIN(GRAIN), .BYTES(BYTES), .ADDRESS(ADDRESS), .OUTSTANDING(OUTSTANDING)
    ) store (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
        .out_valid(unused_accepted), .out_ready(out_valid && out_ready), .out(out),
        .request_valid(request_valid), .request_ready(request_ready), .request(request)
    );
    assign acknowledged_ready = awaited != 0;
    assign out_valid          = done != 0;

    wire given  = request_valid && request_ready;
    wire arrive = acknowledged_valid && acknowledged_ready;
    wire leave  = out_valid && out_ready;
    wire complete;
    generate
        if (BEATS > 1) begin : split
            localparam BEAT = $clog2(BEATS);
            reg [BEAT-1:0] beat;
            assign complete = arrive && beat == LAST[BEAT-1:0];
            always @(posedge clk)
                if (rst || complete)
                    beat <= {BEAT{1'b0}};
                else if (arrive)
                    beat <= beat + 1'b1;
        end else begin : whole
            assign complete = arrive;
        end
    endgenerate

    always @(posedge clk) begin
        if (given != arrive)
            awaited <= given ? awaited + 1'b1 : awaited - 1'b1;
        if (complete != leave)
            done <= complete ? done + 1'b1 : done - 1'b1;
        if (rst) begin
            awaited <= {AWAIT{1'b0}};
            done    <= {COUNT{1'b0}};
        end
    end
endmodule

`default_nettype wire
