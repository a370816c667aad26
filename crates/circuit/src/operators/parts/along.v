// Carries bits along STEPS steps, through the registers that stand behind them.
`default_nettype none

module sluice_along #(
    parameter         WIDTH = 1,
    parameter         STEPS = 1,
    parameter [127:0] REGS  = 128'd0
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] d,
    output wire [WIDTH-1:0] q
);
    wire [(STEPS+1)*WIDTH-1:0] state /*verilator split_var*/;
    assign state[WIDTH-1:0] = d;
    assign q = state[STEPS*WIDTH+:WIDTH];

    genvar step;
    generate
        for (step = 0; step < STEPS; step = step + 1) begin : each
            sluice_stage #(.WIDTH(WIDTH), .ENABLE(REGS[step])) stage (
                .clk(clk), .d(state[step*WIDTH+:WIDTH]), .q(state[(step+1)*WIDTH+:WIDTH])
            );
        end
    endgenerate
endmodule

`default_nettype wire
