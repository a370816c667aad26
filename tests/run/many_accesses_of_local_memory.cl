// 200 loads and 150 stores of one local array: loads share ports of the memory.
//
// launch: -g 4 -l 2 -a values:3,1,250,77 -a zero:4
// expect 1: 1481592432 283899854 3898411450 2059285032

#define FOUR(m, k) m(k) m(k + 1) m(k + 2) m(k + 3)
#define TEN(m, k) FOUR(m, k) FOUR(m, k + 4) m(k + 8) m(k + 9)
#define FIFTY(m, k) TEN(m, k) TEN(m, k + 10) TEN(m, k + 20) TEN(m, k + 30) TEN(m, k + 40)

#define LOAD_SUM(k) sum = sum * 5 + tile[(seed + 3 * (k)) & 255];
#define LOAD_XOR(k) sum = sum * 5 + tile[(seed ^ (k)) & 255];
#define STORE_SUM(k) own[(seed + (k)) & 127] = seed + 7 * (k);
#define STORE_XOR(k) own[(seed ^ (k)) & 127] = seed ^ (k);

__kernel void many_local(__global const uint *x, __global uint *y) {
    __local uint tile[256];
    uint i = get_global_id(0), seed = x[i];
    __local uint *own = tile + 128 * get_local_id(0);
    FIFTY(STORE_SUM, 0) FIFTY(STORE_SUM, 50) TEN(STORE_SUM, 100) TEN(STORE_SUM, 110) FOUR(STORE_SUM, 120)
    FOUR(STORE_SUM, 124) TEN(STORE_XOR, 0) TEN(STORE_XOR, 10) STORE_XOR(20) STORE_XOR(21)
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0;
    FIFTY(LOAD_SUM, 0) FIFTY(LOAD_SUM, 50) FIFTY(LOAD_XOR, 0) FIFTY(LOAD_XOR, 50)
    y[i] = sum;
}
