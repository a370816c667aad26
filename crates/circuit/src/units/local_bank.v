// A bank of a local memory: takes a read and a write per cycle, in turns among those who want.
//
// What is read while it is written is undefined, so a write waits while its word is read. There is a
// place behind it for another one, so that whether a write is taken does not depend on words that were
// compared in the same cycle. After a cycle in which a write waited no read is taken: so it waits two cycles
// at most, the one behind it does not wait, and every read that is taken two cycles after a write, or later,
// reads what was written.
`default_nettype none

module sluice_local_bank #(
    parameter READERS = 1,
    parameter WRITERS = 1,
    parameter BYTES   = 4,
    parameter INDEX   = 4,
    parameter WAITS   = 1  // 0: nobody needs what is read while it is written, and no write waits
) (
    input  wire                               clk,
    input  wire                               rst,
    input  wire [READERS-1:0]                 reads,
    input  wire [READERS*INDEX-1:0]           read_indices,
    output wire [READERS-1:0]                 read_grants,
    input  wire [WRITERS-1:0]                 writes,
    input  wire [WRITERS*(9*BYTES+INDEX)-1:0] write_words, // data, which bytes, index
    output wire [WRITERS-1:0]                 write_grants,
    output reg  [8*BYTES-1:0]                 data         // three cycles after the grant
);
    localparam WRITE = 9 * BYTES + INDEX;

    reg              asked, stands;
    reg              waited; // so that no read is taken
    reg              behind; // another write stands behind the one that waited
    reg  [INDEX-1:0] asked_index;
    reg  [WRITE-1:0] standing, standing_behind;
    reg              both;    // asked and stands
    reg  [INDEX-1:0] differs; // asked_index from that of the one that stands
    wire             waits = WAITS != 0 && both && differs == 0;

    wire [READERS-1:0] first_read;
    wire [WRITERS-1:0] first_write;
    sluice_round_robin #(.COUNT(READERS)) read_turns (
        .clk(clk), .rst(rst), .open(!waited), .wanting(reads),
        .first(first_read), .granted(read_grants)
    );
    sluice_round_robin #(.COUNT(WRITERS)) write_turns (
        .clk(clk), .rst(rst), .open(!behind), .wanting(writes),
        .first(first_write), .granted(write_grants)
    );

    wire [INDEX-1:0] chosen_index;
    wire [WRITE-1:0] chosen_write;
    generate
        if (READERS > 1) begin : some_reads
            sluice_gather #(.COUNT(READERS), .WIDTH(INDEX)) gather (
                .words(read_indices), .which(first_read), .word(chosen_index)
            );
        end else begin : one_reads
            assign chosen_index = read_indices;
            wire unused = first_read;
        end
        if (WRITERS > 1) begin : some_write
            sluice_gather #(.COUNT(WRITERS), .WIDTH(WRITE)) gather (
                .words(write_words), .which(first_write), .word(chosen_write)
            );
        end else begin : one_writes
            assign chosen_write = write_words;
            wire unused = first_write;
        end
    endgenerate

    wire [8*BYTES-1:0] read_data;
    sluice_bank_memory #(.BYTES(BYTES), .INDEX(INDEX)) memory (
        .clk(clk),
        .write(standing[INDEX +: BYTES] & {BYTES{stands && !waits}}),
        .write_index(standing[INDEX-1:0]), .write_data(standing[INDEX+BYTES +: 8*BYTES]),
        .read(asked), .read_index(asked_index), .read_data(read_data)
    );

    always @(posedge clk) begin
        asked       <= reads != 0 && !waited;
        asked_index <= chosen_index;
        data        <= read_data;
        waited      <= waits;
        both        <= reads != 0 && !waited && (waits || writes != 0);
        differs     <= chosen_index ^ (waits ? standing[INDEX-1:0] : chosen_write[INDEX-1:0]);
        behind      <= waits && (behind || writes != 0);
        if (!behind)
            standing_behind <= chosen_write;
        if (!waits) begin
            stands   <= behind || writes != 0;
            standing <= behind ? standing_behind : chosen_write;
        end
        if (rst) begin
            both   <= 1'b0;
            asked  <= 1'b0;
            stands <= 1'b0;
            waited <= 1'b0;
            behind <= 1'b0;
        end
    end
endmodule

`default_nettype wire
