// Counts the iterations of a loop that were issued and those that have ended, in any order; says once
// per series that all have. With several ways it counts what ends in a cycle one cycle later.
`default_nettype none

module sluice_rejoin #(
    parameter ENDED = 1, // ways by which iterations end, up to 16
    parameter BITS  = 16 // of the count, with a sign; at least 6
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             issued_valid,
    output wire             issued_ready,
    input  wire             more, // of a series, behind the one that is issued
    input  wire [ENDED-1:0] ended,
    output wire             done_valid,
    input  wire             done_ready
);
    reg [BITS-1:0] open;     // issued, less those that have ended
    reg            complete; // the last one of the series has been issued
    reg            done;

    wire [4:0] come; // those that are counted in this cycle
    generate
        if (ENDED == 1) begin : single
            assign come = {4'd0, ended};
        end else begin : several
            reg [4:0] sum;
            reg [4:0] came;
            integer   k;
            always @* begin
                sum = 5'd0;
                for (k = 0; k < ENDED; k = k + 1)
                    sum = sum + {4'd0, ended[k]};
            end
            always @(posedge clk)
                came <= rst ? 5'd0 : sum;
            assign come = came;
        end
    endgenerate

    assign issued_ready = !complete;
    assign done_valid   = done;

    wire issues  = issued_valid && issued_ready;
    wire is_zero = open == {BITS{1'b0}};

    always @(posedge clk)
        if (rst) begin
            open     <= {BITS{1'b0}};
            complete <= 1'b0;
            done     <= 1'b0;
        end else begin
            open <= open + {{(BITS-1){1'b0}}, issues} - {{(BITS-5){1'b0}}, come};
            if (done) begin
                done     <= !done_ready;
                complete <= !done_ready;
            end else begin
                done     <= complete && (open[BITS-1] || is_zero);
                complete <= complete || (issues && !more);
            end
        end
endmodule

`default_nettype wire
