// The lines of a cache: a memory with a write and a read port and a write enable per byte of nine
// bits, the ninth of which says that the byte is dirty. A leaf module, so that a vendor's primitive can take its
// place. What is read while it is written is undefined.
`default_nettype none

module sluice_line_memory #(
    parameter LINES = 1024,
    parameter INDEX = 10
) (
    input  wire             clk,
    input  wire [63:0]      write,
    input  wire [INDEX-1:0] write_address,
    input  wire [575:0]     write_data,
    input  wire [INDEX-1:0] read_address,
    output reg  [575:0]     read_data
);
    (* ram_style = "block", no_rw_check *)
    reg [575:0] words [0:LINES-1];

    integer at;
    always @(posedge clk) begin
        for (at = 0; at < 64; at = at + 1)
            if (write[at])
                words[write_address][9*at +: 9] <= write_data[9*at +: 9];
        read_data <= words[read_address];
    end
endmodule

`default_nettype wire
