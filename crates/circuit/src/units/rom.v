// A constant table's port: requests that read are answered in order, a fixed time later. The table
// itself is a module of its own.
`default_nettype none

module sluice_rom #(
    parameter BYTES   = 4,
    parameter ADDRESS = 32,
    parameter INDEX   = 4,
    parameter ANSWERS = 8 // places for responses
) (
    input  wire                     clk,
    input  wire                     rst,
    output wire [INDEX-1:0]         index,
    input  wire [8*BYTES-1:0]       data, // one cycle after its index
    input  wire                     request_valid,
    output wire                     request_ready,
    input  wire [9*BYTES+ADDRESS:0] request,
    output wire                     response_valid,
    input  wire                     response_ready,
    output wire [8*BYTES-1:0]       response
);
    reg               first, second;
    reg [8*BYTES-1:0] read;

    assign index         = request[1 + $clog2(BYTES) +: INDEX];
    wire unused = &request;

    wire unused_ready;
    sluice_fifo #(.WIDTH(8*BYTES), .DEPTH(ANSWERS)) answers (
        .clk(clk), .rst(rst), .in_valid(second), .in_ready(unused_ready), .in(read),
        .out_valid(response_valid), .out_ready(response_ready), .out(response)
    );

    wire spend = request_valid && request_ready && !request[0];
    wire earn  = response_valid && response_ready;
    wire unused_full;
    sluice_tally #(.MOST(ANSWERS), .START(ANSWERS)) credits (
        .clk(clk), .rst(rst), .up(earn), .down(spend), .some(request_ready), .room(unused_full)
    );

    always @(posedge clk) begin
        first  <= spend;
        second <= first;
        read   <= data;
        if (rst) begin
            first  <= 1'b0;
            second <= 1'b0;
        end
    end
endmodule

`default_nettype wire
