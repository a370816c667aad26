// A select: tokens from several inputs leave one by one. A token goes straight into the register at
// the output; one that must wait stands in a register of its input.
`default_nettype none

module sluice_select #(
    parameter WIDTH       = 8,
    parameter INPUTS      = 2,
    parameter ROUND_ROBIN = 0 // otherwise the first input has priority
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [INPUTS-1:0]       in_valid,
    output wire [INPUTS-1:0]       in_ready,
    input  wire [INPUTS*WIDTH-1:0] in,
    output wire                    out_valid,
    input  wire                    out_ready,
    output wire [WIDTH-1:0]        out
);
    reg                     full;
    reg  [WIDTH-1:0]        head;
    reg  [INPUTS-1:0]       waiting;
    wire [INPUTS*WIDTH-1:0] offered;
    wire [INPUTS-1:0]       chosen;

    wire [INPUTS-1:0] candidates = waiting | in_valid;
    wire              move       = !full || out_ready;

    assign in_ready  = ~waiting;
    assign out_valid = full;
    assign out       = head;

    genvar i;
    generate
        for (i = 0; i < INPUTS; i = i + 1) begin : input_registers
            reg [WIDTH-1:0] held;
            always @(posedge clk)
                if (!waiting[i])
                    held <= in[i*WIDTH +: WIDTH];
            assign offered[i*WIDTH +: WIDTH] = waiting[i] ? held : in[i*WIDTH +: WIDTH];
        end

        if (ROUND_ROBIN != 0) begin : round_robin
            reg  [INPUTS-1:0] behind; // the inputs behind the one whose turn was last
            wire [INPUTS-1:0] later = candidates & behind;
            wire [INPUTS-1:0] behind_chosen;
            sluice_lowest #(.COUNT(INPUTS)) pick (
                .set(later != 0 ? later : candidates), .lowest(chosen), .behind(behind_chosen)
            );
            always @(posedge clk)
                if (rst)
                    behind <= {INPUTS{1'b0}};
                else if (move && candidates != 0)
                    behind <= behind_chosen;
        end else begin : first_input_first
            wire [INPUTS-1:0] unused_behind;
            sluice_lowest #(.COUNT(INPUTS)) pick (
                .set(candidates), .lowest(chosen), .behind(unused_behind)
            );
        end
    endgenerate

    reg [WIDTH-1:0] choice;
    integer k;
    always @* begin
        choice = {WIDTH{1'b0}};
        for (k = 0; k < INPUTS; k = k + 1)
            choice = choice | (offered[k*WIDTH +: WIDTH] & {WIDTH{chosen[k]}});
    end

    always @(posedge clk) begin
        waiting <= candidates & ~(chosen & {INPUTS{move}});
        if (move) begin
            full <= candidates != 0;
            head <= choice;
        end
        if (rst) begin
            full    <= 1'b0;
            waiting <= {INPUTS{1'b0}};
        end
    end
endmodule

`default_nettype wire
