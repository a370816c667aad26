// A block memory of Intel that may have contents: Yosys 0.23 maps only those without.
module __MISTRAL_M20K_SDP #(
    parameter CFG_ABITS    = 10,
    parameter CFG_DBITS    = 20,
    parameter CFG_ENABLE_A = 1,
    parameter CFG_ENABLE_B = 1,
    parameter INIT         = 0
) (
    input  wire                    CLK1,
    input  wire [CFG_ABITS-1:0]    A1ADDR,
    input  wire [CFG_DBITS-1:0]    A1DATA,
    input  wire [CFG_ENABLE_A-1:0] A1EN,
    input  wire [CFG_ABITS-1:0]    B1ADDR,
    output wire [CFG_DBITS-1:0]    B1DATA,
    input  wire [CFG_ENABLE_B-1:0] B1EN
);
    altsyncram #(
        .operation_mode("dual_port"), .ram_block_type("m20k"),
        .widthad_a(CFG_ABITS), .width_a(CFG_DBITS), .widthad_b(CFG_ABITS), .width_b(CFG_DBITS)
    ) _TECHMAP_REPLACE_ (
        .clock0(CLK1), .clock1(CLK1), .wren_a(A1EN), .address_a(A1ADDR), .data_a(A1DATA),
        .address_b(B1ADDR), .q_b(B1DATA)
    );
endmodule
