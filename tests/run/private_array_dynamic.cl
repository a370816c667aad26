// Private arrays indexed by data: counting digits, a small queue, a 2-D table
// built and transposed, all per work-item.
//
// launch: -k tables -g 8 -l 4 -a rand:64:121 -a zero:32
// expect 1: 2 82 11595 169 82 85 61438 46 83 346 14508 46 33 0 33271 93 72 283 44280 172 2 154 26366 46 53 311 52884
// expect 1: 86 2 205 36932 129

__kernel void tables(__global const uchar *in, __global int *out)
{
    int g = get_global_id(0);
    int count[10] = { 0 };
    uchar queue[4];
    int head = 0, tail = 0, dropped = 0;
    int grid[3][5];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 5; c++)
            grid[r][c] = r * 10 + c;
    for (int k = 0; k < 8; k++) {
        uchar b = in[8 * g + k];
        count[b % 10]++;
        if (tail - head < 4)
            queue[tail++ & 3] = b;
        else if (b & 1)
            dropped += queue[head++ & 3];
        grid[b % 3][b % 5] += grid[(b >> 4) % 3][(b >> 2) % 5];
    }
    int best = 0;
    for (int d = 1; d < 10; d++)
        if (count[d] > count[best])
            best = d;
    int turned[5][3], sum = 0;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 5; c++)
            turned[c][r] = grid[r][c];
    for (int c = 0; c < 15; c++)
        sum = sum * 3 % 65521 + turned[c / 3][c % 3];
    out[4 * g] = best * 10 + count[best];
    out[4 * g + 1] = dropped;
    out[4 * g + 2] = sum;
    out[4 * g + 3] = queue[head & 3];
}
