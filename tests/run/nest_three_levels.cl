// Three loops that hand one value on, with something before and behind each.
//
// launch: -k f -g 1 -a 3 -a 2 -a 4 -a rand:24:31:0:255 -a zero:3 -a zero:6
// expect 4: 55331 14185993 -663333894
// expect 5: 3346 51980 831189 13299472 212791036 -890310925
// launch: -k f -g 1 -a 2 -a 3 -a 0 -a zero:1 -a zero:2 -a zero:6
// expect 4: 5 6
// launch: -k f -g 1 -a 2 -a 0 -a 4 -a zero:1 -a zero:2 -a fill:1:9
// expect 4: 5 6

__kernel void f(int a, int b, int c, __global const int *restrict in, __global int *restrict outer, __global int *restrict middle)
{
    uint state = 5;
    for (int i = 0; i < a; i++) {
        state += i;
        for (int j = 0; j < b; j++) {
            uint first = state;
            for (int k = 0; k < c; k++)
                state = (state << 1 | state >> 31) + in[(i * b + j) * c + k];
            middle[i * b + j] = state - first;
        }
        outer[i] = state;
    }
}
