// A memory on the chip: requests are done in the order in which they come, and those that read are
// answered a fixed time later.
`default_nettype none

module sluice_private_memory #(
    parameter BYTES   = 4,
    parameter ADDRESS = 32,
    parameter INDEX   = 4, // bits of a word's number
    parameter ANSWERS = 8  // places for responses
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire                     request_valid,
    output wire                     request_ready,
    input  wire [9*BYTES+ADDRESS:0] request,
    output wire                     response_valid,
    input  wire                     response_ready,
    output wire [8*BYTES-1:0]       response
);
    reg                first, second;
    reg  [8*BYTES-1:0] read;
    wire [8*BYTES-1:0] data;

    wire taken = request_valid && request_ready;
    wire spend = taken && !request[0];
    wire earn  = response_valid && response_ready;
    wire unused = &request[ADDRESS:1];

    sluice_byte_memory #(.BYTES(BYTES), .INDEX(INDEX)) memory (
        .clk(clk), .index(request[1 + $clog2(BYTES) +: INDEX]),
        .write(request[1+ADDRESS +: BYTES] & {BYTES{taken && request[0]}}),
        .write_data(request[1+ADDRESS+BYTES +: 8*BYTES]), .read_data(data)
    );

    wire unused_ready;
    sluice_fifo #(.WIDTH(8*BYTES), .DEPTH(ANSWERS)) answers (
        .clk(clk), .rst(rst), .in_valid(second), .in_ready(unused_ready), .in(read),
        .out_valid(response_valid), .out_ready(response_ready), .out(response)
    );

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
