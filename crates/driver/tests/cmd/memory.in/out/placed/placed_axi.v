`default_nettype none

module placed_axi (
    input  wire aclk,
    input  wire aresetn,
    output wire irq,
    input  wire s_axi_control_awvalid,
    output wire s_axi_control_awready,
    input  wire [11:0] s_axi_control_awaddr,
    input  wire s_axi_control_wvalid,
    output wire s_axi_control_wready,
    input  wire [31:0] s_axi_control_wdata,
    input  wire [3:0] s_axi_control_wstrb,
    output wire s_axi_control_bvalid,
    input  wire s_axi_control_bready,
    output wire [1:0] s_axi_control_bresp,
    input  wire s_axi_control_arvalid,
    output wire s_axi_control_arready,
    input  wire [11:0] s_axi_control_araddr,
    output wire s_axi_control_rvalid,
    input  wire s_axi_control_rready,
    output wire [31:0] s_axi_control_rdata,
    output wire [1:0] s_axi_control_rresp,
    input  wire [2:0] s_axi_control_awprot,
    input  wire [2:0] s_axi_control_arprot,
    output wire m_axi_mem0_arvalid,
    input  wire m_axi_mem0_arready,
    output wire [39:0] m_axi_mem0_araddr,
    output wire [7:0] m_axi_mem0_arlen,
    output wire [2:0] m_axi_mem0_arsize,
    output wire [1:0] m_axi_mem0_arburst,
    output wire m_axi_mem0_arlock,
    output wire [3:0] m_axi_mem0_arcache,
    output wire [2:0] m_axi_mem0_arprot,
    output wire [3:0] m_axi_mem0_arqos,
    output wire m_axi_mem0_awvalid,
    input  wire m_axi_mem0_awready,
    output wire [39:0] m_axi_mem0_awaddr,
    output wire [7:0] m_axi_mem0_awlen,
    output wire [2:0] m_axi_mem0_awsize,
    output wire [1:0] m_axi_mem0_awburst,
    output wire m_axi_mem0_awlock,
    output wire [3:0] m_axi_mem0_awcache,
    output wire [2:0] m_axi_mem0_awprot,
    output wire [3:0] m_axi_mem0_awqos,
    output wire m_axi_mem0_wvalid,
    input  wire m_axi_mem0_wready,
    output wire [511:0] m_axi_mem0_wdata,
    output wire [63:0] m_axi_mem0_wstrb,
    output wire m_axi_mem0_wlast,
    input  wire m_axi_mem0_rvalid,
    output wire m_axi_mem0_rready,
    input  wire [511:0] m_axi_mem0_rdata,
    input  wire m_axi_mem0_rlast,
    input  wire m_axi_mem0_bvalid,
    output wire m_axi_mem0_bready,
    input  wire [1:0] m_axi_mem0_rresp,
    input  wire [1:0] m_axi_mem0_bresp,
    output wire m_axi_mem1_arvalid,
    input  wire m_axi_mem1_arready,
    output wire [39:0] m_axi_mem1_araddr,
    output wire [7:0] m_axi_mem1_arlen,
    output wire [2:0] m_axi_mem1_arsize,
    output wire [1:0] m_axi_mem1_arburst,
    output wire m_axi_mem1_arlock,
    output wire [3:0] m_axi_mem1_arcache,
    output wire [2:0] m_axi_mem1_arprot,
    output wire [3:0] m_axi_mem1_arqos,
    output wire m_axi_mem1_awvalid,
    input  wire m_axi_mem1_awready,
    output wire [39:0] m_axi_mem1_awaddr,
    output wire [7:0] m_axi_mem1_awlen,
    output wire [2:0] m_axi_mem1_awsize,
    output wire [1:0] m_axi_mem1_awburst,
    output wire m_axi_mem1_awlock,
    output wire [3:0] m_axi_mem1_awcache,
    output wire [2:0] m_axi_mem1_awprot,
    output wire [3:0] m_axi_mem1_awqos,
    output wire m_axi_mem1_wvalid,
    input  wire m_axi_mem1_wready,
    output wire [511:0] m_axi_mem1_wdata,
    output wire [63:0] m_axi_mem1_wstrb,
    output wire m_axi_mem1_wlast,
    input  wire m_axi_mem1_rvalid,
    output wire m_axi_mem1_rready,
    input  wire [511:0] m_axi_mem1_rdata,
    input  wire m_axi_mem1_rlast,
    input  wire m_axi_mem1_bvalid,
    output wire m_axi_mem1_bready,
    input  wire [1:0] m_axi_mem1_rresp,
    input  wire [1:0] m_axi_mem1_bresp
);
    assign m_axi_mem0_arsize = 3'd6;
    assign m_axi_mem0_arburst = 2'd1;
    assign m_axi_mem0_arlock = 1'd0;
    assign m_axi_mem0_arcache = 4'd3;
    assign m_axi_mem0_arprot = 3'd0;
    assign m_axi_mem0_arqos = 4'd0;
    assign m_axi_mem0_awsize = 3'd6;
    assign m_axi_mem0_awburst = 2'd1;
    assign m_axi_mem0_awlock = 1'd0;
    assign m_axi_mem0_awcache = 4'd3;
    assign m_axi_mem0_awprot = 3'd0;
    assign m_axi_mem0_awqos = 4'd0;
    assign m_axi_mem1_arsize = 3'd6;
    assign m_axi_mem1_arburst = 2'd1;
    assign m_axi_mem1_arlock = 1'd0;
    assign m_axi_mem1_arcache = 4'd3;
    assign m_axi_mem1_arprot = 3'd0;
    assign m_axi_mem1_arqos = 4'd0;
    assign m_axi_mem1_awsize = 3'd6;
    assign m_axi_mem1_awburst = 2'd1;
    assign m_axi_mem1_awlock = 1'd0;
    assign m_axi_mem1_awcache = 4'd3;
    assign m_axi_mem1_awprot = 3'd0;
    assign m_axi_mem1_awqos = 4'd0;
    wire fails = (m_axi_mem0_rvalid && m_axi_mem0_rready && m_axi_mem0_rresp[1])
        || (m_axi_mem0_bvalid && m_axi_mem0_bready && m_axi_mem0_bresp[1])
        || (m_axi_mem1_rvalid && m_axi_mem1_rready && m_axi_mem1_rresp[1])
        || (m_axi_mem1_bvalid && m_axi_mem1_bready && m_axi_mem1_bresp[1]);
    wire unused = &{1'b0, s_axi_control_awprot, s_axi_control_arprot, m_axi_mem0_rresp[0], m_axi_mem0_bresp[0], m_axi_mem1_rresp[0], m_axi_mem1_bresp[0]};

    reg  fault_0, level_0;
    wire fault_ready_0, interrupt_valid_0, next_level_0;
    assign irq = level_0;
    always @(posedge aclk)
        if (!aresetn) begin
            fault_0 <= 1'b0;
            level_0 <= 1'b0;
        end else begin
            fault_0 <= fails || (fault_0 && !fault_ready_0);
            if (interrupt_valid_0)
                level_0 <= next_level_0;
        end

    placed circuit (
        .clk(aclk), .rst(!aresetn),
        .registers_aw_valid(s_axi_control_awvalid), .registers_aw_ready(s_axi_control_awready), .registers_aw({s_axi_control_awaddr}),
        .registers_w_valid(s_axi_control_wvalid), .registers_w_ready(s_axi_control_wready), .registers_w({s_axi_control_wstrb, s_axi_control_wdata}),
        .registers_b_valid(s_axi_control_bvalid), .registers_b_ready(s_axi_control_bready), .registers_b({s_axi_control_bresp}),
        .registers_ar_valid(s_axi_control_arvalid), .registers_ar_ready(s_axi_control_arready), .registers_ar({s_axi_control_araddr}),
        .registers_r_valid(s_axi_control_rvalid), .registers_r_ready(s_axi_control_rready), .registers_r({s_axi_control_rresp, s_axi_control_rdata}),
        .registers_fault_valid(fault_0), .registers_fault_ready(fault_ready_0), .registers_fault(1'b0),
        .registers_irq_valid(interrupt_valid_0), .registers_irq_ready(1'b1), .registers_irq(next_level_0),
        .memory_port_ar_valid(m_axi_mem0_arvalid), .memory_port_ar_ready(m_axi_mem0_arready), .memory_port_ar({m_axi_mem0_arlen, m_axi_mem0_araddr}),
        .memory_port_aw_valid(m_axi_mem0_awvalid), .memory_port_aw_ready(m_axi_mem0_awready), .memory_port_aw({m_axi_mem0_awlen, m_axi_mem0_awaddr}),
        .memory_port_w_valid(m_axi_mem0_wvalid), .memory_port_w_ready(m_axi_mem0_wready), .memory_port_w({m_axi_mem0_wlast, m_axi_mem0_wstrb, m_axi_mem0_wdata}),
        .memory_port_r_valid(m_axi_mem0_rvalid), .memory_port_r_ready(m_axi_mem0_rready), .memory_port_r({m_axi_mem0_rlast, m_axi_mem0_rdata}),
        .memory_port_b_valid(m_axi_mem0_bvalid), .memory_port_b_ready(m_axi_mem0_bready), .memory_port_b(1'b0),
        .memory_port_1_ar_valid(m_axi_mem1_arvalid), .memory_port_1_ar_ready(m_axi_mem1_arready), .memory_port_1_ar({m_axi_mem1_arlen, m_axi_mem1_araddr}),
        .memory_port_1_aw_valid(m_axi_mem1_awvalid), .memory_port_1_aw_ready(m_axi_mem1_awready), .memory_port_1_aw({m_axi_mem1_awlen, m_axi_mem1_awaddr}),
        .memory_port_1_w_valid(m_axi_mem1_wvalid), .memory_port_1_w_ready(m_axi_mem1_wready), .memory_port_1_w({m_axi_mem1_wlast, m_axi_mem1_wstrb, m_axi_mem1_wdata}),
        .memory_port_1_r_valid(m_axi_mem1_rvalid), .memory_port_1_r_ready(m_axi_mem1_rready), .memory_port_1_r({m_axi_mem1_rlast, m_axi_mem1_rdata}),
        .memory_port_1_b_valid(m_axi_mem1_bvalid), .memory_port_1_b_ready(m_axi_mem1_bready), .memory_port_1_b(1'b0)
    );
endmodule

`default_nettype wire
