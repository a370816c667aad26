// Work-items return from within two loops, each after another number of iterations.
//
// launch: -k leave -g 6 -l 3 -a rand:48:3122:0:9 -a zero:12
// expect 1: 10 1 1 0 10 1 10 1 10 1 10 1

__kernel void leave(__global const int *x, __global int *out)
{
    int g = get_global_id(0), steps = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            steps++;
            out[2 * g] = steps;
            if (x[g * 8 + ((i + j) & 7)] == 3)
                return;
        }
    out[2 * g + 1] = 1;
}
