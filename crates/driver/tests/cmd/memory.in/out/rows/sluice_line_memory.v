// The lines of a cache: a memory with a write and a read port and a write enable per byte of eight bits, or of
// nine, the ninth of which says that the byte is dirty. A leaf module, so that a vendor's primitive can take
// its place. What is read while it is written is undefined.
`default_nettype none

module sluice_line_memory #(
    parameter LINES = 1024,
    parameter LINE  = 64, // bytes of a line
    parameter INDEX = 10,
    parameter BYTE  = 9
) (
    input  wire             clk,
    input  wire [LINE-1:0]  write,
    input  wire [INDEX-1:0] write_address,
    input  wire [BYTE*LINE-1:0] write_data,
    input  wire [INDEX-1:0] read_address,
    output reg  [BYTE*LINE-1:0] read_data
);
    (* ram_style = "block", no_rw_check *)
    reg [BYTE*LINE-1:0] words [0:LINES-1];

    integer at;
    always @(posedge clk) begin
        for (at = 0; at < LINE; at = at + 1)
            if (write[at])
                words[write_address][BYTE*at +: BYTE] <= write_data[BYTE*at +: BYTE];
        read_data <= words[read_address];
    end
endmodule

`default_nettype wire
