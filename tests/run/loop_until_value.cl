// A loop that ends by a value that it has loaded, with stores before and behind the exit: after the first
// iteration, in the middle, at its bound, and without any iteration.
//
// launch: -k copy_until -g 1 -a rand:24:3:0:9 -a 20 -a 3 -a zero:20 -a zero:20 -a zero:2
// expect 3: 6 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 4: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 5: 0 3
// launch: -k copy_until -g 1 -a rand:24:3:0:9 -a 20 -a 0 -a zero:20 -a zero:20 -a zero:2
// expect 3: 6 2 18 14 12 10 4 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 4: 3 4 13 20 26 31 33 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 5: 7 33
// launch: -k copy_until -g 1 -a rand:24:3:0:9 -a 20 -a -1 -a zero:20 -a zero:20 -a zero:2
// expect 3: 6 2 18 14 12 10 4 0 4 4 0 2 4 2 4 16 0 14 16 14
// expect 4: 3 4 13 20 26 31 33 33 35 37 37 38 40 41 43 51 51 58 66 73
// expect 5: 20 73
// launch: -k copy_until -g 1 -a rand:24:3:0:9 -a 0 -a 5 -a zero:20 -a zero:20 -a zero:2
// expect 3: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 4: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 5: 0 0

__kernel void copy_until(__global const int *restrict x, int n, int stop, __global int *restrict before,
                         __global int *restrict behind, __global int *restrict end)
{
    int i = 0, sum = 0;
    for (; i < n; i++) {
        int v = x[i];
        before[i] = v * 2;
        sum += v;
        if (v == stop)
            break;
        behind[i] = sum;
    }
    end[0] = i;
    end[1] = sum;
}
