// 80 atomic operations on one buffer.
//
// launch: -g 8 -l 4 -a 5 -a iota:8
// expect 1: 11240 11121 11242 10963 10924 11125 10926 10967

#define FOUR(m, k) m(k) m(k + 1) m(k + 2) m(k + 3)
#define TEN(m, k) FOUR(m, k) FOUR(m, k + 4) m(k + 8) m(k + 9)

#define ADD(k) atomic_add(&counts[(i + seed * (k)) & 7], i * (k));

__kernel void many_atomics(uint seed, __global uint *counts) {
    uint i = get_global_id(0);
    TEN(ADD, 0) TEN(ADD, 10) TEN(ADD, 20) TEN(ADD, 30) TEN(ADD, 40) TEN(ADD, 50) TEN(ADD, 60) TEN(ADD, 70)
}
