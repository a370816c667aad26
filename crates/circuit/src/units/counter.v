// The counter: from a start on it takes tokens, and when the last one of `total` has come it says so.
`default_nettype none

module sluice_counter (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] total,
    input  wire        start_valid,
    output wire        start_ready,
    input  wire [0:0]  start,
    input  wire        in_valid,
    output wire        in_ready,
    input  wire [0:0]  in,
    output wire        finished_valid,
    input  wire        finished_ready,
    output wire [0:0]  finished
);
    reg        counting;
    reg        done;
    reg [63:0] remaining;
    reg        last; // one remains

    wire unused = &{1'b0, start, in};

    assign start_ready    = !counting && !done;
    assign in_ready       = counting;
    assign finished_valid = done;
    assign finished       = 1'b0;

    always @(posedge clk) begin
        if (counting) begin
            if (in_valid) begin
                remaining <= remaining - 64'd1;
                last      <= remaining == 64'd2;
                counting  <= !last;
                done      <= last;
            end
        end else if (done)
            done <= !finished_ready;
        else begin
            remaining <= total;
            last      <= total == 64'd1;
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
