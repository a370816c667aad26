// Sparse matrix in compressed rows times a vector, a group per row: strided
// partial products, then a tree; empty rows skip the tree as a whole group.
//
// launch: -k multiply -g 76 -l 4 -a values:0,5,11,19,19,28,32,35,44,44,44,52,52,52,52,60,63,63,66,66 -a rand:66:2512:0:22 -a rand:66:2513:-99:99 -a rand:23:2514:-99:99 -a rand:19:2515:-9:9 -a -2 -a local:16
// expect 4: 149 4242 -4943 -2 7716 4028 4171 5578 -10 18 12166 12 4 -12 8588 -2143 6 -13186 -10
// launch: -k multiply -g 6 -l 1 -a values:0,0,0,8,15,16,21 -a rand:21:2518:0:7 -a rand:21:2519:-99:99 -a rand:8:2520:-99:99 -a rand:6:2521:-9:9 -a -2 -a local:4
// expect 4: 4 10 -3528 6085 -1038 -3054
// launch: -k multiply -g 77 -l 7 -a values:0,0,0,2,6,8,11,16,23,32,37,41 -a rand:41:2524:0:15 -a rand:41:2525:-99:99 -a rand:16:2526:-99:99 -a rand:11:2527:-9:9 -a -2 -a local:28
// expect 4: -18 12 3843 2226 -3618 2683 -709 -5409 -3352 8595 8886

__kernel void multiply(__global const int *start, __global const uchar *column, __global const int *value, __global const int *x, __global int *y, int beta, __local int *t)
{
    const int row = get_group_id(0), l = get_local_id(0), size = get_local_size(0);
    const int first = start[row], end = start[row + 1];
    if (first == end) {
        if (l == 0)
            y[row] *= beta;
        return;
    }
    int sum = 0;
    for (int i = first + l; i < end; i += size)
        sum += value[i] * x[column[i]];
    t[l] = sum;
    for (int live = size; live > 1;) {
        const int keep = (live + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l + keep < live)
            t[l] += t[l + keep];
        live = keep;
    }
    if (l == 0)
        y[row] = beta * y[row] + t[0];
}
