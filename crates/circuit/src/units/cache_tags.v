// A cache's tags. A token reads its tag, has it in a register two steps later, and leaves with what
// the data end has to do for it; what it changes is forwarded to the two behind it. A miss is
// fetched from here. It waits while a line with the same hash is on its way back to memory, and so
// does the line whose place it takes; whether one is with that line's hash takes a cycle to see.
`default_nettype none

module sluice_cache_tags #(
    parameter LINES = 1024,
    parameter INDEX = 10,
    parameter NUMBER = 26, // bits of a line's number
    parameter WORD  = 4,
    parameter HASH  = 8,
    parameter MODE  = 0,
    parameter FOLLOWS = 0 // 1: the data end is told whether the request before had the same place
) (
    input  wire                          clk,
    input  wire                          rst,
    input  wire                          clear,
    input  wire [INDEX-1:0]              clear_index,
    input  wire [1:0]                    generation, // 1 to 3
    input  wire                          in_valid,
    output wire                          in_ready,
    input  wire [1:0]                    in_kind,
    input  wire [NUMBER-1:0]               in_line,
    input  wire [WORD-1:0]               in_word,
    output wire                          out_valid,
    output wire [NUMBER+WORD+3+FOLLOWS:0]  out,
    output wire                          fetch_valid,
    input  wire                          fetch_ready,
    output wire [NUMBER-1:0]               fetch,
    input  wire                          done,
    input  wire [HASH-1:0]               done_hash
);
    localparam TAG        = NUMBER - INDEX;
    localparam READ_WRITE = 0;
    localparam READ_ONLY  = 1;
    localparam WRITE_ONLY = 2;
    localparam STORE      = 2'd1;
    localparam FLUSH      = 2'd2;

    wire go;
    assign in_ready = go;

    reg             first_valid, second_valid, last_valid;
    reg [1:0]       first_kind, second_kind;
    reg [NUMBER-1:0]  first_line, second_line;
    reg [WORD-1:0]  first_word, second_word;
    reg [INDEX-1:0] last_index;
    // Valid, dirty, tag; where lines are only read, their generation in the place of the first two.
    reg [TAG+1:0]   stored, last_entry, older_entry;
    reg             near, far;         // the entry is that of the token ahead, or of the one before that
    reg             near_hit, far_hit; // and it is the token's own line

    wire [INDEX-1:0] first_index  = first_line[INDEX-1:0];
    wire [TAG-1:0]   first_tag    = first_line[NUMBER-1:INDEX];
    wire [INDEX-1:0] second_index = second_line[INDEX-1:0];
    wire [TAG-1:0]   second_tag   = second_line[NUMBER-1:INDEX];
    wire [TAG+1:0]   read, entry, changed;

    // A token that waits writes its entry more than once: what was read of it before is forwarded.
    wire             update = second_valid && go;
    sluice_block_memory #(.WIDTH(TAG + 2), .DEPTH(LINES), .ADDRESS(INDEX)) tags (
        .clk(clk),
        .write(clear || second_valid), .write_address(clear ? clear_index : second_index),
        .write_data(clear ? {(TAG + 2){1'b0}} : changed),
        .read(go), .read_address(in_line[INDEX-1:0]), .read_data(read)
    );

    assign entry = near ? last_entry : far ? older_entry : stored;
    wire valid  = MODE == READ_ONLY ? entry[TAG+1:TAG] == generation : entry[TAG+1];
    wire dirty  = entry[TAG];
    wire flush  = MODE != READ_ONLY && second_kind == FLUSH;
    wire stored_valid = MODE == READ_ONLY ? stored[TAG+1:TAG] == generation : stored[TAG+1];
    wire last_known   = MODE == READ_ONLY ? last_entry[TAG+1:TAG] == generation : last_entry[TAG+1];
    wire stored_hit   = !near && !far && stored_valid && stored[TAG-1:0] == second_tag;
    wire miss   = !flush && !near_hit && !far_hit && !stored_hit;
    wire evict  = MODE != READ_ONLY && (miss || flush) && valid && dirty;
    wire writes = MODE == WRITE_ONLY || (MODE == READ_WRITE && second_kind == STORE);
    wire evicted; // the dirty line of this place leaves
    wire [1:0] known = MODE == READ_ONLY ? generation : {1'b1, writes || (dirty && !evicted)};
    assign changed = flush ? {(TAG + 2){1'b0}} : {known, second_tag};

    wire fetches = second_valid && miss && MODE != WRITE_ONLY;
    wire hazard;
    assign go          = !(second_valid && hazard) && !(fetches && !fetch_ready);
    assign fetch_valid = fetches && !hazard;
    assign fetch       = second_line;
    assign out_valid   = update;
    generate
        if (FOLLOWS != 0) begin : order
            reg [INDEX-1:0] passed_index; // of the token that has left before
            always @(posedge clk)
                if (update)
                    passed_index <= second_index;
            assign out = {
                passed_index == second_index, entry[TAG-1:0], second_word, second_index, evict, miss, second_kind
            };
        end else begin : no_order
            assign out = {entry[TAG-1:0], second_word, second_index, evict, miss, second_kind};
        end
    endgenerate

    generate
        if (MODE == READ_WRITE) begin : track
            reg  [(1<<HASH)-1:0] pending;
            wire [HASH-1:0]      in_hash, victim_hash;
            reg  [HASH-1:0]      first_hash, second_hash, checked_hash;
            reg                  fetch_busy;  // the line is pending
            reg                  checked;     // the victim was looked up in the last cycle
            reg                  victim_busy; // and was pending
            reg                  leaving;     // a line is pending from the last cycle on,
            reg  [HASH-1:0]      leaving_hash; // and its bit is set one cycle behind
            sluice_line_hash #(.NUMBER(NUMBER), .INDEX(INDEX), .HASH(HASH)) of_fetch (
                .line(in_line), .hash(in_hash)
            );
            sluice_line_hash #(.NUMBER(NUMBER), .INDEX(INDEX), .HASH(HASH)) of_victim (
                .line({entry[TAG-1:0], second_index}), .hash(victim_hash)
            );
            assign hazard = (miss && fetch_busy) || (evict && (!checked || victim_busy));
            wire leaves = update && evict;
            // A token that evicts does not go on before it is checked, and none else is.
            assign evicted = checked;
            always @(posedge clk) begin
                if (go) begin
                    first_hash  <= in_hash;
                    second_hash <= first_hash;
                    fetch_busy  <= (pending[first_hash] && !(done && done_hash == first_hash))
                                   || (leaving && leaving_hash == first_hash)
                                   || (leaves && checked_hash == first_hash);
                end else if (done && done_hash == second_hash)
                    fetch_busy <= 1'b0;
                checked      <= second_valid && evict && !go && !rst;
                checked_hash <= victim_hash;
                victim_busy  <= pending[victim_hash] || (leaving && leaving_hash == victim_hash);
                leaving      <= leaves && !rst;
                leaving_hash <= checked_hash;
                if (rst)
                    pending <= {(1<<HASH){1'b0}};
                else begin
                    if (done)
                        pending[done_hash] <= 1'b0;
                    if (leaving)
                        pending[leaving_hash] <= 1'b1;
                end
            end
        end else begin : no_track
            assign hazard  = 1'b0;
            assign evicted = 1'b0;
            wire unused = &{done, done_hash};
        end
    endgenerate

    wire is_near = second_valid && second_index == first_index;
    wire is_far  = last_valid && last_index == first_index;
    always @(posedge clk) begin
        if (go) begin
            first_valid  <= in_valid;
            first_kind   <= in_kind;
            first_line   <= in_line;
            first_word   <= in_word;
            second_valid <= first_valid;
            second_kind  <= first_kind;
            second_line  <= first_line;
            second_word  <= first_word;
            stored       <= read;
            near         <= is_near;
            far          <= is_far;
            near_hit     <= is_near && !flush && second_tag == first_tag;
            far_hit      <= !is_near && is_far && last_known && last_entry[TAG-1:0] == first_tag;
            last_valid   <= second_valid;
            last_index   <= second_index;
            last_entry   <= changed;
            older_entry  <= last_entry;
        end
        if (rst) begin
            first_valid  <= 1'b0;
            second_valid <= 1'b0;
            last_valid   <= 1'b0;
        end
    end
endmodule

`default_nettype wire
