// Starts the iterations of a loop before it is known whether there are any: up to WINDOW are under way. Bit 0 of what
// an iteration gets says whether it is the first one of an execution, which begins with START of them under way.
`default_nettype none

module sluice_runahead #(
    parameter WIDTH  = 33,
    parameter START  = 4,
    parameter WINDOW = 16
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             entry_valid,
    output wire             entry_ready,
    input  wire [WIDTH-1:0] entry,
    output wire             out_valid,
    input  wire             out_ready,
    output wire [WIDTH-1:0] out,
    input  wire             ended_valid,
    output wire             ended_ready,
    input  wire             ended, // the loop goes on
    input  wire             finished_valid,
    output wire             finished_ready,
    input  wire             finished,
    output wire             quiet_valid,
    input  wire             quiet_ready,
    output wire             quiet
);
    localparam BITS = $clog2(WINDOW + 1);
    localparam [BITS-1:0] ONE  = 1;
    localparam [BITS-1:0] MOST = WINDOW;
    localparam [BITS-1:0] FEW  = START;

    reg [WIDTH-1:0] held;
    reg             active;  // it is not known that the execution has ended
    reg             offered;
    reg [BITS-1:0]  started; // iterations that are offered or under way
    reg [BITS-1:0]  vain;    // those of executions that have ended
    reg [BITS-1:0]  limit;   // for iterations of the execution that are under way
    reg [BITS-1:0]  allowed; // those that may start
    reg             waiting;
    reg             silent;

    wire enters = entry_valid && entry_ready;
    wire leaves = out_valid && out_ready;
    wire ends   = ended_valid && ended_ready;
    wire is_old = vain != {BITS{1'b0}};
    wire last   = ends && !is_old && !ended;

    wire [BITS-1:0] left = ends ? started - ONE : started;
    wire            goes = enters || (active && !last);
    wire            lives = ends && !is_old && ended;
    wire            grows = lives && limit != MOST;
    // Before the one that starts now.
    wire [BITS-1:0] more = enters ? FEW
        : lives ? (grows ? allowed + ONE + ONE : allowed + ONE) : allowed;
    wire            next = goes && (leaves || !offered) && left != MOST && more != {BITS{1'b0}};

    assign entry_ready    = !active && !offered;
    assign ended_ready    = started != {BITS{1'b0}};
    assign finished_ready = !waiting;
    assign out_valid      = offered;
    assign out            = held;
    assign quiet_valid    = silent;
    assign quiet          = 1'b0;

    generate
        if (WIDTH > 1) begin : values
            always @(posedge clk)
                if (enters)
                    held[WIDTH-1:1] <= entry[WIDTH-1:1];
        end
    endgenerate

    always @(posedge clk) begin
        if (enters)
            held[0] <= 1'b1;
        else if (leaves)
            held[0] <= 1'b0;
        if (rst) begin
            active  <= 1'b0;
            offered <= 1'b0;
            started <= {BITS{1'b0}};
            vain    <= {BITS{1'b0}};
            limit   <= FEW;
            allowed <= {BITS{1'b0}};
            waiting <= 1'b0;
            silent  <= 1'b0;
        end else begin
            active  <= goes;
            offered <= next || (offered && !leaves);
            started <= next ? left + ONE : left;
            allowed <= next ? more - ONE : more;
            limit   <= enters ? FEW : grows ? limit + ONE : limit;
            if (last)
                vain <= left;
            else if (ends && is_old)
                vain <= vain - ONE;
            if (silent) begin
                silent  <= !quiet_ready;
                waiting <= !quiet_ready;
            end else begin
                silent  <= waiting && started == {BITS{1'b0}};
                waiting <= waiting || finished_valid;
            end
        end
    end

    wire unused = &{1'b0, entry[0], finished};
endmodule

`default_nettype wire
