// A search in rows that returns from the kernel, leaves one loop, or goes on with the next row.
//
// launch: -k rows -g 1 -a rand:48:31:0:30 -a 7 -a 1000 -a zero:10
// expect 3: 8 8 3 0 0 0 0 0 42 443
// launch: -k rows -g 1 -a rand:48:31:0:30 -a 99 -a 1000 -a zero:10
// expect 3: 8 8 3 0 8 8 0 0 77 659
// launch: -k rows -g 1 -a rand:48:31:0:30 -a 99 -a 250 -a zero:10
// expect 3: 8 8 0 0 0 0 0 0 77 280
// launch: -k rows -g 1 -a rand:48:31:0:30 -a 2 -a 1000 -a zero:10
// expect 3: 0 0 0 0 0 0 0 0 7 139

__kernel void rows(__global const int *m, int wanted, int limit, __global int *out)
{
    int seen = 0;
    for (int r = 0; r < 6; r++) {
        int c = 0;
        for (; c < 8; c++) {
            int v = m[r * 8 + c];
            seen += v;
            if (v == wanted) {
                out[8] = r * 10 + c;
                out[9] = seen;
                return;
            }
            if (v > 28)
                break;
        }
        out[r] = c;
        if (seen > limit)
            break;
    }
    out[8] = 77;
    out[9] = seen;
}
