// Stores before and behind the exits of a loop with three.
//
// launch: -k f -g 1 -a 6 -a values:1,2,0,3,4,5 -a zero:6 -a zero:6 -a zero:1
// expect 2: 1 2 3 0 0 0
// expect 3: 2 4 0 0 0 0
// expect 4: 102
// launch: -k f -g 1 -a 6 -a values:1,2,-1,3,4,5 -a zero:6 -a zero:6 -a zero:1
// expect 2: 1 2 3 0 0 0
// expect 3: 2 4 -2 0 0 0
// expect 4: 202
// launch: -k f -g 1 -a 3 -a values:1,2,3 -a zero:3 -a zero:3 -a zero:1
// expect 2: 1 2 3
// expect 3: 2 4 6
// expect 4: 6

__kernel void f(int n, __global const int *restrict in, __global int *restrict before, __global int *restrict behind, __global int *restrict end)
{
    int state = 0;
    for (int i = 0; i < n; i++) {
        before[i] = i + 1;
        int x = in[i];
        if (x == 0) {
            state = 100 + i;
            break;
        }
        behind[i] = x * 2;
        if (x < 0) {
            state = 200 + i;
            break;
        }
        state += x;
    }
    end[0] = state;
}
