// A loop that ends by what it loads, in a loop that follows a chain through memory: both kinds of exits, many times.
//
// launch: -k follow -g 1 -a values:11,6,4,9,7,10,5,1,2,8,0,3 -a rand:96:11:0:4 -a zero:13
// expect 2: 1 1104 307 902 805 202 406 700 100 607 506 1007 2600330085
// launch: -k follow -g 1 -a values:0,0,0,0,0,0,0,0,0,0,0,0 -a rand:96:11:0:4 -a zero:13
// expect 2: 1 0 0 0 0 0 0 0 0 0 0 0 3

__kernel void follow(__global const int *next, __global const int *x, __global uint *out)
{
    int at = 0, count = 0;
    uint total = 0;
    do {
        int j = 0;
        while (j < 7 && x[at * 8 + j] != 0) {
            total = total * 3 + x[at * 8 + j];
            j++;
        }
        out[count++] = j + 100 * at;
        at = next[at];
    } while (at != 0);
    out[12] = total;
}
