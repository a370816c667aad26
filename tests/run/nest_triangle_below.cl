// The inner loop has as many iterations as the outer one has done: none at first.
//
// launch: -k f -g 1 -a 7 -a rand:7:21:0:50 -a zero:7 -a zero:28
// expect 2: 0 49 125 238 391 550 716
// expect 3: 48 95 122 168 194 232 277 302 339 381 425 449 485 526 535 578 601 636 676 684 695 0 0 0 0 0 0 0
// launch: -k f -g 1 -a 1 -a values:5 -a zero:1 -a fill:2:3

__kernel void f(int n, __global const int *restrict in, __global int *restrict sums, __global int *restrict all)
{
    int at = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            sum += in[j] - i;
            all[at++] = sum;
        }
        sums[i] = sum + at;
    }
}
