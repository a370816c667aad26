// Control of a fork: a token comes in when each output's buffer has room, and goes to all of them.
`default_nettype none

module sluice_fork #(
    parameter OUTPUTS = 2
) (
    input  wire               in_valid,
    output wire               in_ready,
    input  wire [OUTPUTS-1:0] room,
    output wire               put
);
    assign in_ready = &room;
    assign put      = in_valid && in_ready;
endmodule

`default_nettype wire
