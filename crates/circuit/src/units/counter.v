// The counter: from a start on it takes tokens, and when the last one of `total` has come it says so.
`default_nettype none

module sluice_counter #(
    parameter INPUTS = 1 // up to 16
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
    reg [63:0] remaining;
    // The low bits alone told in the cycle before how many remained: true at the latest when
    // one cycle may bring all that remain.
    reg        few;

    reg  [4:0] come;
    integer    k;
    always @* begin
        come = 5'd0;
        for (k = 0; k < INPUTS; k = k + 1)
            if (in_valid[k])
                come = come + 5'd1;
    end
    wire last = few && remaining[5:0] <= {1'b0, come};

    assign start_ready    = !counting && !done;
    assign in_ready       = {INPUTS{counting}};
    assign finished_valid = done;

    always @(posedge clk) begin
        if (counting) begin
            remaining <= remaining - {59'd0, come};
            few       <= remaining[63:6] == 58'd0;
            counting  <= !last;
            done      <= last;
        end else if (done)
            done <= !finished_ready;
        else begin
            remaining <= total;
            few       <= total[63:6] == 58'd0;
            counting  <= start_valid && total != 0;
            done      <= start_valid && total == 0;
        end
        if (rst) begin
            counting <= 1'b0;
            done     <= 1'b0;
        end
    end
endmodule

`default_nettype wire
