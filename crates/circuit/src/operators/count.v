// Counts leading zeros, trailing zeros or ones.
`default_nettype none

module sluice_count #(
    parameter         WIDTH = 32,
    parameter         KIND  = 0, // 0 leading zeros, 1 trailing zeros, 2 ones
    parameter [127:0] REGS  = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] a,
    output wire [WIDTH-1:0] y
);
    localparam COUNT  = WIDTH > 1 ? $clog2(WIDTH) : 1;
    localparam GROUPS = (WIDTH + 7) / 8;
    localparam [WIDTH-1:0] ALL = WIDTH;

    generate
        if (KIND == 2) begin : ones
            // Step 0: groups of eight bits.
            reg [4*GROUPS-1:0] counts;
            integer            i;
            always @* begin
                counts = {(4 * GROUPS) {1'b0}};
                for (i = 0; i < WIDTH; i = i + 1)
                    counts[i/8*4+:4] = counts[i/8*4+:4] + {3'b000, a[i]};
            end
            wire [4*GROUPS-1:0] counts0;
            sluice_stage #(.WIDTH(4 * GROUPS), .ENABLE(REGS[0])) stage0 (
                .clk(clk), .d(counts), .q(counts0)
            );

            // Step 1: add them.
            reg [6:0] total;
            integer   j;
            always @* begin
                total = 7'd0;
                for (j = 0; j < GROUPS; j = j + 1) total = total + {3'b000, counts0[4*j+:4]};
            end
            wire [WIDTH+6:0] extended = {{WIDTH{1'b0}}, total};
            wire             unused   = |extended[WIDTH+6:WIDTH];
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d(extended[WIDTH-1:0]), .q(y)
            );
        end else begin : zeros
            wire [WIDTH-1:0] from_top;
            genvar g;
            for (g = 0; g < WIDTH; g = g + 1) begin : mirror
                assign from_top[g] = KIND == 0 ? a[g] : a[WIDTH-1-g];
            end

            // Step 0: count.
            wire [COUNT-1:0] count, count0;
            wire             any, any0;
            sluice_lzc #(.WIDTH(WIDTH), .COUNT(COUNT)) lzc (
                .x(from_top), .count(count), .any(any)
            );
            sluice_stage #(.WIDTH(COUNT + 1), .ENABLE(REGS[0])) stage0 (
                .clk(clk), .d({any, count}), .q({any0, count0})
            );

            // Step 1: nothing set.
            wire [WIDTH+COUNT-1:0] extended = {{WIDTH{1'b0}}, count0};
            wire                   unused   = |extended[WIDTH+COUNT-1:WIDTH];
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[1])) stage1 (
                .clk(clk), .d(any0 ? extended[WIDTH-1:0] : ALL), .q(y)
            );
        end
    endgenerate
endmodule

`default_nettype wire
