// The registers through which a host controls a kernel: an AXI4-Lite slave, starts and ends of
// launches, and the arguments that it drives. The interrupt line is a channel of its changes.
`default_nettype none

module sluice_registers #(
    parameter                COUNT   = 1, // arguments
    parameter                ADDRESS = 12,
    parameter [64*COUNT-1:0] MASK    = {64*COUNT{1'b1}}, // the bits that arguments have
    // Words of the registers
    parameter                CONTROL   = 0,
    parameter                ENABLE    = 1,
    parameter                STATUS    = 2,
    parameter                CYCLES    = 4, // and the next one
    parameter                ARGUMENTS = 16
) (
    input  wire                clk,
    input  wire                rst,
    input  wire                aw_valid,
    output wire                aw_ready,
    input  wire [ADDRESS-1:0]  aw,
    input  wire                w_valid,
    output wire                w_ready,
    input  wire [35:0]         w, // data, strobes
    input  wire                ar_valid,
    output wire                ar_ready,
    input  wire [ADDRESS-1:0]  ar,
    input  wire                fault_valid,
    output wire                fault_ready,
    input  wire [0:0]          fault,
    input  wire                done_valid,
    output wire                done_ready,
    input  wire [0:0]          done,
    output wire                b_valid,
    input  wire                b_ready,
    output wire [1:0]          b,
    output wire                r_valid,
    input  wire                r_ready,
    output wire [33:0]         r, // data, answer
    output wire                irq_valid,
    input  wire                irq_ready,
    output wire [0:0]          irq,
    output wire                start_valid,
    input  wire                start_ready,
    output wire [0:0]          start,
    output wire [64*COUNT-1:0] arguments
);
    localparam WORD   = ADDRESS - 2; // bits of a word's number
    localparam NUMBER = $clog2(2 * COUNT);
    localparam END    = ARGUMENTS + 2 * COUNT;
    localparam CYCLES_HIGH = CYCLES + 1;

    localparam [1:0] OKAY = 2'd0, SLAVE_ERROR = 2'd2;

    reg                running, ended, faulty, enable, status;
    reg [63:0]         cycles;
    reg [64*COUNT-1:0] held;
    reg                b_full, r_full, start_full, irq_full, level_said;
    reg [1:0]          b_answer, r_answer;
    reg [31:0]         r_data;

    // The number of a word among the arguments, or else among all registers, and which of both it is: known
    // before an address is held, so that little has to be done behind it.
    function [WORD:0] place;
        input [WORD-1:0] word;
        reg              argument;
        begin
            argument = {1'b0, word} >= ARGUMENTS[WORD:0] && {1'b0, word} < END[WORD:0];
            place    = {argument, argument ? word - ARGUMENTS[WORD-1:0] : word};
        end
    endfunction

    // Writes.
    wire            to_valid, data_valid, write;
    wire            to_argument;
    wire [WORD-1:0] to;
    wire [31:0]     data;
    wire [3:0]      strobes;
    sluice_held #(.WIDTH(WORD + 1)) write_addresses (
        .clk(clk), .rst(rst), .in_valid(aw_valid), .in_ready(aw_ready), .in(place(aw[ADDRESS-1:2])),
        .out_valid(to_valid), .out_ready(write), .out({to_argument, to})
    );
    sluice_held #(.WIDTH(36)) write_data (
        .clk(clk), .rst(rst), .in_valid(w_valid), .in_ready(w_ready), .in(w),
        .out_valid(data_valid), .out_ready(write), .out({strobes, data})
    );
    assign write = to_valid && data_valid && (!b_full || b_ready);

    wire to_control  = !to_argument && to == CONTROL[WORD-1:0];
    wire to_enable   = !to_argument && to == ENABLE[WORD-1:0];
    wire to_status   = !to_argument && to == STATUS[WORD-1:0];
    wire wants_start = to_control && strobes[0] && data[0];
    wire mapped      = to_control || to_enable || to_status || to_argument;
    wire refused     = !mapped || (running && (to_argument || wants_start));
    wire starts      = write && wants_start && !running;
    wire controls    = write && to_control && strobes[0] && !refused;

    wire [NUMBER-1:0] to_number = to[NUMBER-1:0];
    wire              sets      = write && !running && to_argument;
    wire [3:0]        set_lanes = {4{sets}} & strobes;
    genvar word, lane;
    generate
        for (word = 0; word < 2 * COUNT; word = word + 1) begin : words
            wire here = to_number == word[NUMBER-1:0];
            for (lane = 0; lane < 4; lane = lane + 1) begin : lanes
                localparam LOW = 32 * word + 8 * lane;
                always @(posedge clk)
                    if (rst)
                        held[LOW +: 8] <= 8'd0;
                    else if (set_lanes[lane] && here)
                        held[LOW +: 8] <= data[8*lane +: 8] & MASK[LOW +: 8];
            end
        end
    endgenerate
    assign arguments = held;

    // Reads.
    wire            from_valid, read;
    wire            from_argument;
    wire [WORD-1:0] from;
    sluice_held #(.WIDTH(WORD + 1)) read_addresses (
        .clk(clk), .rst(rst), .in_valid(ar_valid), .in_ready(ar_ready), .in(place(ar[ADDRESS-1:2])),
        .out_valid(from_valid), .out_ready(read), .out({from_argument, from})
    );
    assign read = from_valid && (!r_full || r_ready);

    wire [NUMBER-1:0] number = from[NUMBER-1:0];

    // What is read of the arguments is in a memory, which takes less than to choose among all of them.
    // It is not reset: the first write to a word since then writes all its bytes.
    reg  [2*COUNT-1:0] written;
    wire [31:0]        mask, stored;
    wire               is_written = written[to_number];
    wire [31:0]        argument   = written[number] ? stored : 32'd0;
    sluice_choose #(.COUNT(2 * COUNT), .NUMBER(NUMBER), .WIDTH(32)) mask_of (
        .words(MASK), .number(to_number), .word(mask)
    );
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : copies
            wire [7:0] byte_in = data[8*lane +: 8] & mask[8*lane +: 8] & {8{strobes[lane]}};
            sluice_memory #(.WIDTH(8), .DEPTH(2 * COUNT), .ADDRESS(NUMBER)) copy (
                .clk(clk), .write(sets && (strobes[lane] || !is_written)),
                .write_address(to_number), .write_data(byte_in),
                .read_address(number), .read_data(stored[8*lane +: 8])
            );
        end
    endgenerate
    always @(posedge clk)
        if (rst)
            written <= {2*COUNT{1'b0}};
        else if (sets)
            written[to_number] <= 1'b1;

    reg [31:0] value;
    reg        known;
    always @* begin
        known = 1'b1;
        case ({from_argument, from})
            {1'b0, CONTROL[WORD-1:0]}:     value = {28'd0, faulty, !running, ended, running};
            {1'b0, ENABLE[WORD-1:0]}:      value = {31'd0, enable};
            {1'b0, STATUS[WORD-1:0]}:      value = {31'd0, status};
            {1'b0, CYCLES[WORD-1:0]}:      value = cycles[31:0];
            {1'b0, CYCLES_HIGH[WORD-1:0]}: value = cycles[63:32];
            default: begin
                known = from_argument;
                value = from_argument ? argument : 32'd0;
            end
        endcase
    end

    wire ends  = done_valid && done_ready;
    wire level = enable && status;
    wire says  = level != level_said && (!irq_full || irq_ready);

    assign fault_ready     = 1'b1;
    assign done_ready      = running && !start_full;
    assign b_valid         = b_full;
    assign b               = b_answer;
    assign r_valid         = r_full;
    assign r               = {r_answer, r_data};
    assign irq_valid       = irq_full;
    assign irq             = level_said;
    assign start_valid     = start_full;
    assign start           = 1'b0;
    wire unused = &{1'b0, fault, done, aw[1:0], ar[1:0]};

    always @(posedge clk) begin
        if (write)
            b_answer <= refused ? SLAVE_ERROR : OKAY;
        if (read) begin
            r_data   <= value;
            r_answer <= known ? OKAY : SLAVE_ERROR;
        end
        if (starts)
            cycles <= 64'd0;
        else if (running && !ends)
            cycles <= cycles + 64'd1;
        if (says)
            level_said <= level;
        if (write && to_enable && strobes[0])
            enable <= data[0];
        b_full         <= write || (b_full && !b_ready);
        r_full         <= read || (r_full && !r_ready);
        irq_full       <= says || (irq_full && !irq_ready);
        start_full     <= starts || (start_full && !start_ready);
        running        <= starts || (running && !ends);
        // What happens by itself wins over what is written at the same edge.
        ended  <= ends || (ended && !(controls && (data[0] || data[1])));
        faulty <= fault_valid || (faulty && !(controls && (data[0] || data[3])));
        status <= ends || (status && !(write && to_status && strobes[0] && data[0]));
        if (rst) begin
            cycles         <= 64'd0;
            b_full         <= 1'b0;
            r_full         <= 1'b0;
            irq_full       <= 1'b0;
            level_said     <= 1'b0;
            start_full     <= 1'b0;
            running        <= 1'b0;
            ended          <= 1'b0;
            faulty         <= 1'b0;
            enable         <= 1'b0;
            status         <= 1'b0;
        end
    end
endmodule

`default_nettype wire
