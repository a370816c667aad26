// A memory on the chip in banks. Each reader and each writer asks the bank of its first request; from the grant on a read takes a fixed time, so that each
// reader's responses come in the order of its requests. A write is acknowledged with its grant: a
// read that is accepted later reaches the bank behind it.
`default_nettype none

module sluice_local_memory #(
    parameter READERS = 1,
    parameter WRITERS = 1,
    parameter BYTES   = 4,
    parameter ADDRESS = 32,
    parameter INDEX   = 4, // bits of a word's number within its bank
    parameter BANKS   = 1, // a power of two
    parameter WAITS   = 1, // 0: nobody needs what is read while it is written
    parameter WAITING = 8, // responses or acknowledgements of one requester that are not taken
    // By bit of a bank's number: the bits of a word's number whose exclusive or it is.
    parameter MASKS = 1'b0,
    // By requester: which bits of its banks' numbers are known, and their values.
    parameter [READERS*(BANKS > 1 ? $clog2(BANKS) : 1)-1:0]
              READ_KNOWN  = {READERS*(BANKS > 1 ? $clog2(BANKS) : 1){1'b0}},
              READ_VALUE  = {READERS*(BANKS > 1 ? $clog2(BANKS) : 1){1'b0}},
    parameter [WRITERS*(BANKS > 1 ? $clog2(BANKS) : 1)-1:0]
              WRITE_KNOWN = {WRITERS*(BANKS > 1 ? $clog2(BANKS) : 1){1'b0}},
              WRITE_VALUE = {WRITERS*(BANKS > 1 ? $clog2(BANKS) : 1){1'b0}}
) (
    input  wire                                   clk,
    input  wire                                   rst,
    input  wire [READERS-1:0]                     read_valid,
    output wire [READERS-1:0]                     read_ready,
    input  wire [READERS*(9*BYTES+ADDRESS+1)-1:0] read,
    input  wire [WRITERS-1:0]                     write_valid,
    output wire [WRITERS-1:0]                     write_ready,
    input  wire [WRITERS*(9*BYTES+ADDRESS+1)-1:0] write,
    output wire [READERS-1:0]                     data_valid,
    input  wire [READERS-1:0]                     data_ready,
    output wire [READERS*8*BYTES-1:0]             data,
    output wire [WRITERS-1:0]                     done_valid,
    input  wire [WRITERS-1:0]                     done_ready,
    output wire [WRITERS-1:0]                     done
);
    localparam REQUEST = 9 * BYTES + ADDRESS + 1;
    localparam LOW     = 1 + $clog2(BYTES); // where a word's number begins in a request
    localparam SHIFT   = $clog2(BANKS);
    localparam BANK    = BANKS > 1 ? SHIFT : 1;
    localparam WRITE   = 9 * BYTES + INDEX;

    wire [READERS-1:0]       reads;
    wire [READERS*BANK-1:0]  read_banks;
    wire [READERS*INDEX-1:0] read_indices;
    wire [BANKS*READERS-1:0] read_grants;
    wire [WRITERS-1:0]       writes;
    wire [WRITERS*BANK-1:0]  write_banks;
    wire [WRITERS*WRITE-1:0] write_words;
    wire [BANKS*WRITERS-1:0] write_grants;
    wire [BANKS*8*BYTES-1:0] words;
    wire unused = &{read, write};
    assign done = {WRITERS{1'b0}};

    genvar at, bank;
    generate
        for (at = 0; at < READERS; at = at + 1) begin : reader
            wire                   waits;
            wire [SHIFT+INDEX-1:0] number = read[at*REQUEST+LOW +: SHIFT+INDEX];
            wire [BANK-1:0]        entered, waiting; // banks
            wire [INDEX-1:0]       place, index;
            wire [BANKS-1:0]       grants;
            wire                   granted = grants != 0;
            // Said behind the registers, where what is known makes them needless.
            wire [BANK-1:0]        mask  = READ_KNOWN[at*BANK +: BANK];
            wire [BANK-1:0]        bits  = READ_VALUE[at*BANK +: BANK];
            wire [BANK-1:0]        asked = waiting & ~mask | bits;
            sluice_skid #(.WIDTH(INDEX + BANK)) requests (
                .clk(clk), .rst(rst), .in_valid(read_valid[at]), .in_ready(read_ready[at]),
                .in({place, entered}),
                .out_valid(waits), .out_ready(granted), .out({index, waiting})
            );
            for (bank = 0; bank < BANKS; bank = bank + 1) begin : from
                assign grants[bank] = read_grants[bank*READERS+at];
            end

            wire           funded, unused_full; // there is a place for another response
            reg            first, second, third;
            reg [BANK-1:0] first_bank, second_bank, third_bank;
            assign reads[at] = waits && funded;
            assign read_indices[at*INDEX +: INDEX] = index;
            assign read_banks[at*BANK +: BANK]     = asked;
            if (BANKS > 1) begin : many
                sluice_bank_of #(.BANK(BANK), .INDEX(INDEX), .MASKS(MASKS)) bank_of (
                    .number(number), .bank(entered), .index(place)
                );
            end else begin : single
                assign entered = 1'b0;
                assign place   = number;
            end

            wire               earn = data_valid[at] && data_ready[at];
            wire [8*BYTES-1:0] word;
            wire               unused_ready;
            sluice_choose #(.COUNT(BANKS), .NUMBER(BANK), .WIDTH(8*BYTES)) choose (
                .words(words), .number(third_bank & ~mask | bits), .word(word)
            );
            sluice_fifo #(.WIDTH(8*BYTES), .DEPTH(WAITING)) answers (
                .clk(clk), .rst(rst), .in_valid(third), .in_ready(unused_ready), .in(word),
                .out_valid(data_valid[at]), .out_ready(data_ready[at]),
                .out(data[at*8*BYTES +: 8*BYTES])
            );
            sluice_tally #(.MOST(WAITING), .START(WAITING)) credits (
                .clk(clk), .rst(rst), .up(earn), .down(granted), .some(funded), .room(unused_full)
            );
            always @(posedge clk) begin
                first       <= granted;
                second      <= first;
                third       <= second;
                first_bank  <= asked;
                second_bank <= first_bank;
                third_bank  <= second_bank;
                if (rst) begin
                    first  <= 1'b0;
                    second <= 1'b0;
                    third  <= 1'b0;
                end
            end
        end

        for (at = 0; at < WRITERS; at = at + 1) begin : writer
            localparam START = at * REQUEST;
            wire                   waits;
            wire [SHIFT+INDEX-1:0] number = write[START+LOW +: SHIFT+INDEX];
            wire [BANK-1:0]        entered, waiting; // banks
            wire [INDEX-1:0]       place;
            wire [BANKS-1:0]       grants;
            wire                   granted = grants != 0;
            wire [BANK-1:0]        mask = WRITE_KNOWN[at*BANK +: BANK];
            wire [BANK-1:0]        bits = WRITE_VALUE[at*BANK +: BANK];
            sluice_skid #(.WIDTH(WRITE + BANK)) requests (
                .clk(clk), .rst(rst), .in_valid(write_valid[at]), .in_ready(write_ready[at]),
                .in({write[START+1+ADDRESS +: 9*BYTES], place, entered}),
                .out_valid(waits), .out_ready(granted),
                .out({write_words[at*WRITE +: WRITE], waiting})
            );
            assign write_banks[at*BANK +: BANK] = waiting & ~mask | bits;
            for (bank = 0; bank < BANKS; bank = bank + 1) begin : from
                assign grants[bank] = write_grants[bank*WRITERS+at];
            end

            wire room; // for another acknowledgement
            assign writes[at] = waits && room;
            if (BANKS > 1) begin : many
                sluice_bank_of #(.BANK(BANK), .INDEX(INDEX), .MASKS(MASKS)) bank_of (
                    .number(number), .bank(entered), .index(place)
                );
            end else begin : single
                assign entered = 1'b0;
                assign place   = number;
            end

            sluice_tally #(.MOST(WAITING)) owed (
                .clk(clk), .rst(rst), .up(granted), .down(done_valid[at] && done_ready[at]),
                .some(done_valid[at]), .room(room)
            );
        end

        for (bank = 0; bank < BANKS; bank = bank + 1) begin : banks
            wire [READERS-1:0] readers;
            wire [WRITERS-1:0] writers;
            for (at = 0; at < READERS; at = at + 1) begin : of_reader
                assign readers[at] = reads[at] && read_banks[at*BANK +: BANK] == bank[BANK-1:0];
            end
            for (at = 0; at < WRITERS; at = at + 1) begin : of_writer
                assign writers[at] = writes[at] && write_banks[at*BANK +: BANK] == bank[BANK-1:0];
            end
            sluice_local_bank #(
                .READERS(READERS), .WRITERS(WRITERS), .BYTES(BYTES), .INDEX(INDEX), .WAITS(WAITS)
            ) inner (
                .clk(clk), .rst(rst), .reads(readers), .read_indices(read_indices),
                .read_grants(read_grants[bank*READERS +: READERS]),
                .writes(writers), .write_words(write_words),
                .write_grants(write_grants[bank*WRITERS +: WRITERS]),
                .data(words[bank*8*BYTES +: 8*BYTES])
            );
        end
    endgenerate
endmodule

`default_nettype wire
