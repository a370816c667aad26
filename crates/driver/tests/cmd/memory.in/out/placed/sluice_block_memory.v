// A memory with one write and one synchronous read port: block RAM. A leaf module, so that a
// vendor's primitive can take its place. What is read while it is written is undefined.
`default_nettype none

module sluice_block_memory #(
    parameter WIDTH   = 8,
    parameter DEPTH   = 16,
    parameter ADDRESS = 4
) (
    input  wire               clk,
    input  wire               write,
    input  wire [ADDRESS-1:0] write_address,
    input  wire [WIDTH-1:0]   write_data,
    input  wire               read,
    input  wire [ADDRESS-1:0] read_address,
    output reg  [WIDTH-1:0]   read_data
);
    // The width of a block as deep as this, so that no words are chosen behind blocks, whose outputs are
    // late.
    localparam SLICE  = DEPTH > 8192 ? 1 : DEPTH > 4096 ? 2 : DEPTH > 2048 ? 4 : DEPTH > 1024 ? 9 : WIDTH;
    localparam SLICES = (WIDTH + SLICE - 1) / SLICE;

    genvar at;
    generate
        for (at = 0; at < SLICES; at = at + 1) begin : slices
            localparam LOW  = at * SLICE;
            localparam PART = WIDTH - LOW < SLICE ? WIDTH - LOW : SLICE;
            (* ram_style = "block", no_rw_check *)
            reg [PART-1:0] words [0:DEPTH-1];
            always @(posedge clk) begin
                if (write)
                    words[write_address] <= write_data[LOW +: PART];
                if (read)
                    read_data[LOW +: PART] <= words[read_address];
            end
        end
    endgenerate
endmodule

`default_nettype wire
