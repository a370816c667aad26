// Three exits from one loop, each with other values behind it.
//
// launch: -k exits -g 4 -l 2 -a values:1,2,-1,7,3,50,60,1,2,3,4,5,9,9,-1,0 -a zero:8
// expect 1: -3 2 53 4 14 1 -18 2

__kernel void exits(__global const int *x, __global int *out)
{
    int g = get_global_id(0), sum = 0, how = 0, i = 0;
    for (;; i++) {
        if (i == 4) {
            how = 1;
            break;
        }
        int v = x[g * 4 + i];
        if (v < 0) {
            how = 2;
            sum = -sum;
            break;
        }
        sum += v;
        if (sum > 50) {
            how = 3 + i;
            break;
        }
    }
    out[2 * g] = sum;
    out[2 * g + 1] = how;
}
