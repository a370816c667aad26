// A store that is done when the last of its requests was accepted: then a token says so.
`default_nettype none

module sluice_store #(
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
    output wire                              out_valid,
    input  wire                              out_ready,
    output wire                              out,
    output wire                              request_valid,
    input  wire                              request_ready,
    output wire [9*BYTES+ADDRESS:0]          request
);
    wire accepted, passed, room;
    sluice_store_requests #(
        .SIZE(SIZE), .GRAIN(GRAIN), .BYTES(BYTES), .ADDRESS(ADDRESS), .GUARDED(GUARDED)
    ) requests (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in(in),
        .room(room), .accepted(accepted), .passed(passed),
        .request_valid(request_valid), .request_ready(request_ready), .request(request)
    );
    assign out = 1'b0;

    // Stores that are done and not taken.
    sluice_tally #(.MOST(OUTSTANDING)) owed (
        .clk(clk), .rst(rst), .up(accepted || passed), .down(out_valid && out_ready),
        .some(out_valid), .room(room)
    );
endmodule

`default_nettype wire
