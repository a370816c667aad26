// A memory with one write and one asynchronous read port: distributed RAM. A leaf module, so that
// a vendor's primitive can take its place.
`default_nettype none

module sluice_memory #(
    parameter WIDTH   = 8,
    parameter DEPTH   = 16,
    parameter ADDRESS = 4
) (
    input  wire               clk,
    input  wire               write,
    input  wire [ADDRESS-1:0] write_address,
    input  wire [WIDTH-1:0]   write_data,
    input  wire [ADDRESS-1:0] read_address,
    output wire [WIDTH-1:0]   read_data
);
    (* ram_style = "distributed", no_rw_check *)
    reg [WIDTH-1:0] words [0:DEPTH-1];

    assign read_data = words[read_address];

    always @(posedge clk)
        if (write)
            words[write_address] <= write_data;
endmodule

`default_nettype wire
