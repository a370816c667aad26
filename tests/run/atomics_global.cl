// Every 32-bit atomic on global memory with an outcome that does not depend on
// the order: add, sub, inc, dec, min, max, and, or, xor.
//
// launch: -k tally -g 64 -l 16 -a rand:64:261 -a values:0,1000,0,500,2147483647,-2147483648,-1,0,0 -a values:0,100000,0,4294967295,0,4294967295,0,0
// expect 1: 2191331 -1016 64 436 -2115582526 2091239285 16711680 252645135 -1980928123
// expect 2: 732844719 50162 42 730998385 4080221596 16640 4294967295 3507718823

__kernel void tally(__global const int *in, volatile __global int *s, volatile __global uint *u)
{
    int i = get_global_id(0);
    int x = in[i];
    atomic_add(&s[0], x & 0xffff);
    atomic_sub(&s[1], i);
    atomic_inc(&s[2]);
    atomic_dec(&s[3]);
    atomic_min(&s[4], x);
    atomic_max(&s[5], x);
    atomic_and(&s[6], x | 0x00ff0000);
    atomic_or(&s[7], x & 0x0f0f0f0f);
    atomic_xor(&s[8], x);
    uint v = x;
    if (i % 3 == 0) {
        atomic_add(&u[0], v);
        atomic_sub(u + 1, v >> 20);
    } else {
        atomic_inc(&u[2]);
        atomic_min(&u[3], v);
        atomic_max(&u[4], v);
    }
    atomic_and(&u[5], ~(1u << (x & 31)));
    atomic_or(&u[6], 1u << (i & 31));
    atomic_xor(&u[7], v * 3u);
}
