// A memory with one write port, which has an enable per byte, and one read port: block RAM. A leaf
// module, so that a vendor's primitive can take its place. What is read while it is written is
// undefined.
`default_nettype none

module sluice_bank_memory #(
    parameter BYTES = 4,
    parameter INDEX = 4
) (
    input  wire               clk,
    input  wire [BYTES-1:0]   write,
    input  wire [INDEX-1:0]   write_index,
    input  wire [8*BYTES-1:0] write_data,
    input  wire               read,
    input  wire [INDEX-1:0]   read_index,
    output reg  [8*BYTES-1:0] read_data
);
    (* ram_style = "block", no_rw_check *)
    reg [8*BYTES-1:0] words [0:(1<<INDEX)-1];

    integer at;
    always @(posedge clk) begin
        for (at = 0; at < BYTES; at = at + 1)
            if (write[at])
                words[write_index][8*at +: 8] <= write_data[8*at +: 8];
        if (read)
            read_data <= words[read_index];
    end
endmodule

`default_nettype wire
