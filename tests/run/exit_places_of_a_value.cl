// A search that finds in the first, in the last and in no place.
//
// launch: -k f -g 1 -a 5 -a values:4,8,8,1,9 -a 4 -a zero:2 -a zero:5
// expect 4: 4 0 0 0 0
// launch: -k f -g 1 -a 5 -a values:4,8,8,1,9 -a 9 -a zero:2 -a zero:5
// expect 3: 4 21
// expect 4: 4 8 8 1 9
// launch: -k f -g 1 -a 5 -a values:4,8,8,1,9 -a 7 -a zero:2 -a zero:5
// expect 3: 5 30
// expect 4: 4 8 8 1 9

__kernel void f(int n, __global const int *restrict in, int wanted, __global int *restrict place, __global int *restrict copy)
{
    int i, sum = 0;
    for (i = 0; i < n; i++) {
        copy[i] = in[i];
        if (in[i] == wanted)
            break;
        sum += in[i];
    }
    place[0] = i;
    place[1] = sum;
}
