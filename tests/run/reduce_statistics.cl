// Sum, least, greatest and number of negatives of a group's chunk: several
// elements per work-item, then a halving tree with sequential addressing that
// takes group sizes that are no powers of two.
//
// launch: -k statistics -g 21 -l 7 -a rand:203:2001:-1000:1000 -a 203 -a local:112 -a zero:3
// expect 3: -3273 -996 964 39 -2311 -985 947 33 -3944 -997 973 39
// launch: -k statistics -g 4 -l 1 -a rand:5:2002:-1000:1000 -a 5 -a local:16 -a zero:4
// expect 3: -1210 -610 -600 2 -1845 -943 -902 2 335 335 335 0 0 2147483647 -2147483648 0
// launch: -k statistics -g 33 -l 33 -a rand:300:2003:-1000:1000 -a 300 -a local:528 -a zero:1
// expect 3: -5731 -996 991 152
// launch: -k statistics -g 128 -l 64 -a rand:500:2004:-1000:1000 -a 500 -a local:1024 -a zero:2
// expect 3: -5965 -995 999 136 8714 -992 993 115
// launch: -k statistics -g 30 -l 6 -a rand:3:2005:-1000:1000 -a 3 -a local:96 -a zero:5
// expect 3: 958 958 958 0 643 643 643 0 -31 -31 -31 1 0 2147483647 -2147483648 0 0 2147483647 -2147483648 0

int4 merge(int4 a, int4 b)
{
    return (int4)(a.x + b.x, min(a.y, b.y), max(a.z, b.z), a.w + b.w);
}

__kernel void statistics(__global const int *in, uint n, __local int4 *t, __global int4 *out)
{
    const uint l = get_local_id(0), size = get_local_size(0);
    const uint chunk = (n + get_num_groups(0) - 1) / get_num_groups(0);
    const uint first = get_group_id(0) * chunk;
    const uint end = min(first + chunk, n);
    int4 mine = (int4)(0, INT_MAX, INT_MIN, 0);
    for (uint i = first + l; i < end; i += size)
        mine = merge(mine, (int4)(in[i], in[i], in[i], in[i] < 0));
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint live = size; live > 1;) {
        const uint keep = (live + 1) / 2;
        if (l + keep < live)
            t[l] = merge(t[l], t[l + keep]);
        barrier(CLK_LOCAL_MEM_FENCE);
        live = keep;
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
