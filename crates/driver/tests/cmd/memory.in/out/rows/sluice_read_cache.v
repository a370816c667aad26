// A cache that is only read: it writes nothing back.
`default_nettype none

module sluice_read_cache #(
    parameter LINES       = 1024,
    parameter LINE        = 64, // bytes of a line
    parameter BYTES       = 4,
    parameter ADDRESS     = 32,
    parameter OUTSTANDING = 128,
    parameter FETCHES     = 4,  // that wait for the memory port
    parameter ANSWERS     = 8,  // places for responses
    parameter SLOTS       = 8,
    parameter DEEP        = 0   // 1: queues of requests are block memories
) (
    input  wire                            clk,
    input  wire                            rst,
    input  wire                            request_valid,
    output wire                            request_ready,
    input  wire [9*BYTES+ADDRESS:0]        request,
    input  wire                            fill_valid,
    output wire                            fill_ready,
    input  wire [8*LINE-1:0]               fill,
    input  wire                            flush_valid,
    output wire                            flush_ready,
    input  wire                            flush,
    output wire                            response_valid,
    input  wire                            response_ready,
    output wire [8*BYTES-1:0]              response,
    output wire                            fetch_valid,
    input  wire                            fetch_ready,
    output wire [ADDRESS-$clog2(LINE)-1:0] fetch,
    output wire                            flushed_valid,
    input  wire                            flushed_ready,
    output wire                            flushed
);
    localparam READ_ONLY = 1;
    wire                                     done_ready, back_valid;
    wire [ADDRESS-$clog2(LINE)+9*LINE-1:0] back;
    sluice_cache #(
        .LINES(LINES), .LINE(LINE), .BYTES(BYTES), .ADDRESS(ADDRESS), .OUTSTANDING(OUTSTANDING),
        .MODE(READ_ONLY), .FETCHES(FETCHES), .ANSWERS(ANSWERS), .SLOTS(SLOTS), .DEEP(DEEP)
    ) cache (
        .clk(clk), .rst(rst),
        .request_valid(request_valid), .request_ready(request_ready), .request(request),
        .fill_valid(fill_valid), .fill_ready(fill_ready), .fill(fill),
        .writeback_done_valid(1'b0), .writeback_done_ready(done_ready), .writeback_done(1'b0),
        .flush_valid(flush_valid), .flush_ready(flush_ready), .flush(flush),
        .response_valid(response_valid), .response_ready(response_ready), .response(response),
        .fetch_valid(fetch_valid), .fetch_ready(fetch_ready), .fetch(fetch),
        .writeback_valid(back_valid), .writeback_ready(1'b0), .writeback(back),
        .flushed_valid(flushed_valid), .flushed_ready(flushed_ready), .flushed(flushed)
    );
    wire unused = &{done_ready, back_valid, back};
endmodule

`default_nettype wire
