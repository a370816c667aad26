// Tickets from a global counter: which work-item draws which ticket is open,
// but the drawn set, its sum per ticket table and the final counter are not.
//
// launch: -k draw -g 40 -l 8 -a zero:1 -a fill:40:-1 -a zero:4
// expect 0: 40
// expect 1: 0 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45 48 51 54 57 60 63 66 69 72 75 78 81 84 87 90 93 96 99 102 105
// expect 1: 108 111 114 117
// expect 2: 780 780 39 65535

__kernel void draw(__global uint *counter, __global int *table, __global int *sums)
{
    uint t = atomic_inc(counter);
    table[t] = (int)t * 3;
    int id = get_global_id(0);
    atomic_add(&sums[0], (int)t);
    atomic_add(&sums[1], id);
    atomic_max(&sums[2], (int)t);
    atomic_or(&sums[3], 1 << (t & 15));
}
