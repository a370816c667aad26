// A memory with one port and a write enable per byte: block RAM. A leaf module, so that a vendor's
// primitive can take its place. What is read while it is written is undefined.
`default_nettype none

module sluice_byte_memory #(
    parameter BYTES = 4,
    parameter INDEX = 4
) (
    input  wire               clk,
    input  wire [INDEX-1:0]   index,
    input  wire [BYTES-1:0]   write,
    input  wire [8*BYTES-1:0] write_data,
    output reg  [8*BYTES-1:0] read_data
);
    (* ram_style = "block", no_rw_check *)
    reg [8*BYTES-1:0] words [0:(1<<INDEX)-1];

    integer at;
    always @(posedge clk) begin
        for (at = 0; at < BYTES; at = at + 1)
            if (write[at])
                words[index][8*at +: 8] <= write_data[8*at +: 8];
        read_data <= words[index];
    end
endmodule

`default_nettype wire
