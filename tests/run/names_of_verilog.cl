// Keywords of Verilog, SystemVerilog and C++, and names that circuits use themselves.
//
// launch: -k module -g 4 -a iota:4 -a 2 -a zero:4 -a iota:4 -a 1
// expect 2: 1 6 13 22
//
// launch: -k clk -g 4 -a iota:4 -a zero:4
// expect 1: 0 1 4 9
//
// launch: -k start -g 4 -a iota:4 -a zero:4 -a 4
// expect 1: 0 1 3 6

__kernel void module(__global const int *reg, int wire, __global int *logic,
                     __global const int *always, int class) {
    int begin = get_global_id(0);
    int template = reg[begin] * wire;
    int operator = always[begin] * always[begin];
    int end = template + operator;
    int this = end + class;
    int endmodule = this + reg[begin] * wire;
    logic[begin] = endmodule;
}

__kernel void clk(__global const int *rst, __global int *clk_ready) {
    int memory_port = get_global_id(0);
    int in0 = rst[memory_port];
    int out0_valid = in0 * in0;
    clk_ready[memory_port] = out0_valid;
}

__kernel void start(__global const int *done, __global int *counter, int path0_) {
    int clock = get_global_id(0);
    int reset = 0;
    for (int memory = 0; memory <= clock && memory < path0_; memory++)
        reset += done[memory];
    counter[clock] = reset;
}
