// What an atomic operation leaves in memory, given what was there and its operands. Narrow values
// stand in the low bits, zeros above them.
`default_nettype none

module sluice_atomics_compute #(
    parameter        BITS = 32,          // 32 or 64
    parameter [10:0] USED = 11'h7ff      // the kinds that occur
) (
    input  wire [3:0]      kind,
    input  wire            wide,         // all 64 bits, else 32
    input  wire [BITS-1:0] old,
    input  wire [BITS-1:0] operand,      // what is expected, for one that compares
    input  wire [BITS-1:0] replacement,  // for one that compares
    output wire [BITS-1:0] result
);
    localparam ADD = 0, SUB = 1, AND = 2, OR = 3, XOR = 4, XCHG = 5;
    localparam SMIN = 6, SMAX = 7, UMIN = 8, UMAX = 9, CMPXCHG = 10;

    wire [10:0] is = USED & (11'b1 << kind);

    wire [BITS-1:0] addend = is[SUB] ? ~operand : operand;
    wire [BITS-1:0] sum    = old + addend + {{(BITS - 1){1'b0}}, is[SUB]};

    // Signed numbers compare as unsigned ones with the sign turned round.
    wire            turned = is[SMIN] || is[SMAX];
    wire [BITS-1:0] sign, mask;
    generate
        if (BITS > 32) begin : either
            assign sign = {turned && wide, {(BITS - 33){1'b0}}, turned && !wide, 31'b0};
            assign mask = {{(BITS - 32){wide}}, 32'hffff_ffff};
        end else begin : narrow
            assign sign = {turned, 31'b0};
            assign mask = {BITS{1'b1}};
            wire unused = wide;
        end
    endgenerate
    wire less   = (old ^ sign) < (operand ^ sign);
    wire keeps  = less ? is[SMIN] || is[UMIN] : is[SMAX] || is[UMAX];
    wire yields = less ? is[SMAX] || is[UMAX] : is[SMIN] || is[UMIN];
    wire equal  = old == operand;

    assign result =
          ({BITS{is[ADD] || is[SUB]}}             & sum & mask)
        | ({BITS{is[AND]}}                        & old & operand)
        | ({BITS{is[OR]}}                         & (old | operand))
        | ({BITS{is[XOR]}}                        & (old ^ operand))
        | ({BITS{is[XCHG] || yields}}             & operand)
        | ({BITS{keeps || (is[CMPXCHG] && !equal)}} & old)
        | ({BITS{is[CMPXCHG] && equal}}           & replacement);
endmodule

`default_nettype wire
