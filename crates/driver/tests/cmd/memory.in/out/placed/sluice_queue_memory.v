// The memory of a queue: one write and one synchronous read port, distributed or block RAM. A leaf
// module, so that a vendor's primitive can take its place. What is read while it is written is undefined.
`default_nettype none

module sluice_queue_memory #(
    parameter WIDTH   = 8,
    parameter DEPTH   = 16,
    parameter ADDRESS = 4,
    parameter BLOCK   = 0
) (
    input  wire               clk,
    input  wire               write,
    input  wire [ADDRESS-1:0] write_address,
    input  wire [WIDTH-1:0]   write_data,
    input  wire               read,
    input  wire [ADDRESS-1:0] read_address,
    output reg  [WIDTH-1:0]   read_data
);
    generate
        if (BLOCK) begin : block
            (* ram_style = "block", no_rw_check *)
            reg [WIDTH-1:0] words [0:DEPTH-1];
            always @(posedge clk) begin
                if (write)
                    words[write_address] <= write_data;
                if (read)
                    read_data <= words[read_address];
            end
        end else begin : distributed
            (* ram_style = "distributed", no_rw_check *)
            reg [WIDTH-1:0] words [0:DEPTH-1];
            always @(posedge clk) begin
                if (write)
                    words[write_address] <= write_data;
                if (read)
                    read_data <= words[read_address];
            end
        end
    endgenerate
endmodule

`default_nettype wire
