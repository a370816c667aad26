// One who reads anywhere in a copy of a buffer, from a memory of its own: an answer takes a fixed time. Beyond
// the lines of the copy there are zeros.
`default_nettype none

module sluice_copy_reader #(
    parameter BYTES   = 4,
    parameter ADDRESS = 32,
    parameter LINE    = 64,
    parameter LINES   = 16,
    parameter PIECE   = 4,
    parameter BLOCK   = 0,
    parameter ANSWERS = 8
) (
    input  wire                              clk,
    input  wire                              rst,
    input  wire [ADDRESS-$clog2(LINE)-1:0]   first, // line of the buffer
    input  wire [$clog2(LINES+1)-1:0]        lines,
    input  wire                              open,
    input  wire                              write,
    input  wire [$clog2(LINES*LINE/PIECE)-1:0] place,
    input  wire [8*PIECE-1:0]                written,
    input  wire                              read_valid,
    output wire                              read_ready,
    input  wire [ADDRESS-1:0]                read,
    output wire                              data_valid,
    input  wire                              data_ready,
    output wire [8*BYTES-1:0]                data
);
    localparam OFFSET = $clog2(LINE);
    localparam NUMBER = ADDRESS - OFFSET;
    localparam COUNT  = $clog2(LINES + 1);
    localparam PLACE  = $clog2(LINES * LINE / PIECE);
    localparam PIECES = LINE / PIECE;
    localparam WORDS  = PIECE / BYTES;
    localparam WORD   = WORDS > 1 ? $clog2(WORDS) : 1;

    wire some, unused_full;
    wire taken = read_valid && read_ready;
    assign read_ready = open && some;
    sluice_tally #(.MOST(ANSWERS), .START(ANSWERS)) credits (
        .clk(clk), .rst(rst), .up(data_valid && data_ready), .down(taken), .some(some), .room(unused_full)
    );

    // How far from the first line, and whether that is one of the copy.
    reg  [NUMBER-1:0]  distance;
    reg  [OFFSET-1:0]  offset;
    reg                is_there;
    wire [PLACE-1:0]   index;
    generate
        if (PIECES > 1) begin : pieces
            assign index = {distance[$clog2(LINES)-1:0], offset[OFFSET-1:$clog2(PIECE)]};
        end else begin : whole
            assign index = distance[$clog2(LINES)-1:0];
        end
    endgenerate

    wire [8*PIECE-1:0] found;
    sluice_queue_memory #(.WIDTH(8*PIECE), .DEPTH(LINES*PIECES), .ADDRESS(PLACE), .BLOCK(BLOCK)) memory (
        .clk(clk), .write(write), .write_address(place), .write_data(written),
        .read(1'b1), .read_address(index), .read_data(found)
    );
    reg  [8*BYTES-1:0] answer;
    wire [8*BYTES-1:0] chosen;
    generate
        if (WORDS > 1) begin : select
            reg [WORD-1:0] which;
            always @(posedge clk)
                which <= offset[$clog2(PIECE)-1:$clog2(BYTES)];
            assign chosen = found[which * 8 * BYTES +: 8*BYTES];
        end else begin : only
            assign chosen = found;
        end
    endgenerate

    reg [2:0] under_way;
    wire unused_ready;
    sluice_fifo #(.WIDTH(8*BYTES), .DEPTH(ANSWERS)) answers (
        .clk(clk), .rst(rst), .in_valid(under_way[2]), .in_ready(unused_ready), .in(answer),
        .out_valid(data_valid), .out_ready(data_ready), .out(data)
    );
    wire unused = &{1'b0, offset};

    always @(posedge clk) begin
        distance  <= read[ADDRESS-1:OFFSET] - first;
        offset    <= read[OFFSET-1:0];
        is_there    <= distance < {{NUMBER-COUNT{1'b0}}, lines};
        answer    <= is_there ? chosen : {8*BYTES{1'b0}};
        under_way <= rst ? 3'd0 : {under_way[1:0], taken};
    end
endmodule

`default_nettype wire
