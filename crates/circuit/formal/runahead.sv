// Runahead: no more iterations are under way than the window has, the first one of each execution is marked and no
// other, all get what their execution began with, and one that ends an execution is the last one unless others have been
// offered before. What waits for the end passes only while none is under way.
`default_nettype none

module bench #(
    parameter START  = 1,
    parameter WINDOW = 3
) (
    input wire clk
);
    wire rst;
    reset begin_with (.clk(clk), .rst(rst));

    (* anyseq *) reg entry_valid, out_ready, ended_valid, ended, finished_valid, finished, quiet_ready;
    (* anyseq *) reg [1:0] entry;
    wire       entry_ready, out_valid, ended_ready, finished_ready, quiet_valid, quiet;
    wire [1:0] out;
    unit unit (
        .clk(clk), .rst(rst),
        .u0_entry_valid(entry_valid), .u0_entry_ready(entry_ready), .u0_entry(entry),
        .u0_ended_valid(ended_valid), .u0_ended_ready(ended_ready), .u0_ended(ended),
        .u0_finished_valid(finished_valid), .u0_finished_ready(finished_ready),
        .u0_finished(finished),
        .u0_out_valid(out_valid), .u0_out_ready(out_ready), .u0_out(out),
        .u0_quiet_valid(quiet_valid), .u0_quiet_ready(quiet_ready), .u0_quiet(quiet)
    );

    wire enters = entry_valid && entry_ready;
    wire leaves = out_valid && out_ready;
    wire ends   = ended_valid && ended_ready;

    // Iterations that were given and have not ended, and how many of them come before those of the execution that was
    // begun last.
    localparam BITS = $clog2(WINDOW + 2);
    reg [BITS-1:0] under_way;
    reg [BITS-1:0] older;
    reg [BITS-1:0] limit; // for the others
    reg            runs;  // it is not known that the execution has ended
    reg            begun; // its first iteration was given
    reg            value; // that it began with
    reg            waits; // something waits for the end: no execution begins any more
    always @* assume (under_way != 0 || !ended_valid);
    always @* assume (!waits && !finished_valid || !entry_valid);
    always @(posedge clk)
        if (rst) begin
            under_way <= 0;
            older     <= 0;
            limit     <= 0;
            runs      <= 1'b0;
            begun     <= 1'b0;
            waits     <= 1'b0;
        end else begin
            waits     <= finished_valid && finished_ready || waits && !(quiet_valid && quiet_ready);
            under_way <= under_way + leaves - ends;
            assert (under_way + out_valid <= WINDOW);
            assert (ended_ready == (under_way + out_valid != 0));
            assert (!(entry_ready && runs));
            assert (!(entry_ready && out_valid));
            if (enters) begin
                runs  <= 1'b1;
                begun <= 1'b0;
                value <= entry[1];
                older <= under_way - ends;
                limit <= START;
            end else begin
                if (leaves)
                    begun <= 1'b1;
                if (ends && older != 0)
                    older <= older - 1'b1;
                else if (ends && runs && !ended)
                    runs <= 1'b0;
                else if (ends && runs && limit != WINDOW)
                    limit <= limit + 1'b1;
            end
            assert (!out_valid || out[0] == !begun);
            assert (!out_valid || out[1] == value);
            assert (!quiet_valid || (under_way == 0 && !out_valid && !runs));
            // Iterations start as long as there is room and none has ended the execution.
            assert (!runs || out_valid || under_way == WINDOW || under_way - older == limit);
            assert (!runs || under_way - older + out_valid <= limit);
            cover (runs && limit == WINDOW && under_way == WINDOW && older == 0);
            cover (under_way == WINDOW);
            cover (enters && under_way != 0);
            cover (ends && runs && !ended && older == 0);
            cover (quiet_valid);
        end
    stays #(.WIDTH(2)) out_stays (
        .clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out)
    );
    stays quiet_stays (
        .clk(clk), .rst(rst), .valid(quiet_valid), .ready(quiet_ready), .data(quiet)
    );
endmodule

`default_nettype wire
