// What proofs ask of channels. Beside a unit they stand as modules of their own, so that the unit's
// Verilog stays as it is. What is covered must be reachable: so no proof holds because nothing can
// happen, and no bound is wider than it has to be.
`default_nettype none

// Reset in the first cycle and never again.
module reset (
    input  wire clk,
    output wire rst
);
    reg begun = 1'b0;
    assign rst = !begun;
    always @(posedge clk)
        begun <= 1'b1;
endmodule

// What is offered stays, and stays the same, until it is taken.
module stays #(
    parameter WIDTH = 1
) (
    input wire             clk,
    input wire             rst,
    input wire             valid,
    input wire             ready,
    input wire [WIDTH-1:0] data
);
    reg             stood = 1'b0;
    reg [WIDTH-1:0] held;
    always @(posedge clk) begin
        stood <= !rst && valid && !ready;
        held  <= data;
        if (stood && !rst) begin
            assert (valid);
            assert (data == held);
        end
        cover (stood);
    end
endmodule

// No token is lost, doubled, changed or overtaken: any one that comes in is watched, and leaves when
// those that came before it have left. PENDING is the most that are inside.
module in_order #(
    parameter WIDTH   = 1,
    parameter PENDING = 2,
    parameter COUNT   = $clog2(PENDING + 2)
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             comes,
    input  wire [WIDTH-1:0] in,
    input  wire             stands, // something is offered
    input  wire             leaves,
    input  wire [WIDTH-1:0] out,
    output reg  [COUNT-1:0] pending
);
    (* anyseq *) reg watch;
    reg              watching = 1'b0;
    reg  [COUNT-1:0] ahead;
    reg  [WIDTH-1:0] token;

    always @(posedge clk) begin
        if (rst) begin
            pending  <= {COUNT{1'b0}};
            watching <= 1'b0;
        end else begin
            pending <= pending + comes - leaves;
            if (watching) begin
                if (leaves && ahead == 0)
                    watching <= 1'b0;
                ahead <= ahead - leaves;
            end else if (comes && watch) begin
                watching <= 1'b1;
                ahead    <= pending - leaves;
                token    <= in;
            end
            assert (pending <= PENDING);
            assert (!stands || pending != 0);
            assert (!(watching && ahead == 0 && stands) || out == token);
            cover (watching && ahead == 0 && leaves);
            cover (pending == PENDING);
        end
    end
endmodule

// It is never so for more cycles than this.
module never_for_long #(
    parameter CYCLES = 1
) (
    input wire clk,
    input wire rst,
    input wire happens
);
    reg [$clog2(CYCLES + 2)-1:0] lasted = 0;
    always @(posedge clk) begin
        if (rst || !happens)
            lasted <= 0;
        else if (lasted != CYCLES)
            lasted <= lasted + 1'b1;
        if (!rst)
            assert (!happens || lasted != CYCLES);
        cover (lasted == CYCLES);
    end
endmodule

`default_nettype wire
