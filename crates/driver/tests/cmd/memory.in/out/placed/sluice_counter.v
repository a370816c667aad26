// The counter: from a start on it takes tokens, and when the last one of `total` has come it says so.
// With several inputs it says so one cycle later, and takes tokens until then.
`default_nettype none

module sluice_counter #(
    parameter INPUTS = 1, // up to 16
    parameter BITS   = 64 // of what is counted
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [63:0]       total,
    input  wire              start_valid,
    output wire              start_ready,
    input  wire [INPUTS-1:0] in_valid,
    output wire [INPUTS-1:0] in_ready,
    output wire              finished_valid,
    input  wire              finished_ready
);
    reg        counting;
    reg        done;
    reg [BITS-1:0] remaining;
    // The low bits alone told in the cycle before how many remained: true at the latest when
    // one cycle may bring all that remain.
    reg        few;

    wire [4:0] come; // those that are counted in this cycle
    generate
        if (INPUTS == 1) begin : single
            assign come = {4'd0, in_valid};
        end else begin : several
            // Counted one cycle after they come. The sums of four are logic without carry chains.
            wire [15:0] valid = {{(16-INPUTS){1'b0}}, in_valid};
            wire [11:0] sums;
            reg  [4:0]  came;
            genvar      k;
            for (k = 0; k < 4; k = k + 1) begin : fours
                wire [3:0] of = valid[4*k +: 4];
                wire       pair = (of[0] && of[1]) || (of[2] && of[3])
                    || ((of[0] || of[1]) && (of[2] || of[3]));
                assign sums[3*k +: 3] = {&of, pair && !(&of), ^of};
            end
            wire [3:0] low  = {1'b0, sums[2:0]} + {1'b0, sums[5:3]};
            wire [3:0] high = {1'b0, sums[8:6]} + {1'b0, sums[11:9]};
            always @(posedge clk)
                came <= counting ? {1'b0, low} + {1'b0, high} : 5'd0;
            assign come = came;
        end
    endgenerate
    wire last = few && remaining[5:0] <= {1'b0, come};

    generate
        if (BITS < 64) begin : narrow
            wire unused = &total[63:BITS];
        end
    endgenerate

    assign start_ready    = !counting && !done;
    assign in_ready       = {INPUTS{counting}};
    assign finished_valid = done;

    always @(posedge clk) begin
        if (counting) begin
            remaining <= remaining - {{(BITS - 5){1'b0}}, come};
            few       <= remaining[BITS-1:6] == 0;
            counting  <= !last;
            done      <= last;
        end else if (done)
            done <= !finished_ready;
        else begin
            remaining <= total[BITS-1:0];
            few       <= total[BITS-1:6] == 0;
            counting  <= start_valid && total[BITS-1:0] != 0;
            done      <= start_valid && total[BITS-1:0] == 0;
        end
        if (rst) begin
            counting <= 1'b0;
            done     <= 1'b0;
        end
    end
endmodule

`default_nettype wire
