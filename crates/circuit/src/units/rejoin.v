// Counts the iterations of a loop that are under way, and says when the last one was issued and all have ended.
`default_nettype none

module sluice_rejoin #(
    parameter BITS = 32
) (
    input  wire clk,
    input  wire rst,
    input  wire issued_valid,
    output wire issued_ready,
    input  wire issued, // whether more follow
    input  wire ended_valid,
    output wire ended_ready,
    input  wire ended,
    output wire done_valid,
    input  wire done_ready,
    output wire done
);
    reg [BITS-1:0] under_way;
    reg            last; // the last one was issued
    reg            stands;

    wire complete = last && under_way == {BITS{1'b0}};
    wire come     = issued_valid && issued_ready;

    assign issued_ready = !last && !stands;
    assign ended_ready  = 1'b1;
    assign done_valid   = stands;
    assign done         = 1'b0;
    wire unused = ended;

    always @(posedge clk) begin
        if (come && !ended_valid)
            under_way <= under_way + {{(BITS-1){1'b0}}, 1'b1};
        else if (!come && ended_valid)
            under_way <= under_way - {{(BITS-1){1'b0}}, 1'b1};
        if (come)
            last <= !issued;
        if (stands)
            stands <= !done_ready;
        else if (complete) begin
            stands <= 1'b1;
            last   <= 1'b0;
        end
        if (rst) begin
            under_way <= {BITS{1'b0}};
            last      <= 1'b0;
            stands    <= 1'b0;
        end
    end
endmodule

`default_nettype wire
