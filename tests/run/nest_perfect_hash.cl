// A perfect nest whose iterations hand one value on.
//
// launch: -k f -g 1 -a 3 -a 5 -a rand:15:11:0:99 -a zero:15
// expect 3: 514 15891 492564 15269436 473352476 1789024822 3920161970 1265936832 589336070 1089549036 3711249108 3379572641 1687536676 774029399 2520074968
// launch: -k f -g 1 -a 1 -a 1 -a values:7 -a zero:1
// expect 3: 520
// launch: -k f -g 1 -a 0 -a 4 -a zero:1 -a fill:2:5

__kernel void f(int n, int m, __global const uint *restrict in, __global uint *restrict out)
{
    uint hash = 17;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            hash = hash * 31 ^ in[i * m + j];
            out[i * m + j] = hash;
        }
}
