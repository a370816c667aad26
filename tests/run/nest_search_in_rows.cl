// Each row is searched up to its first value of a kind: the first, the last or none.
//
// launch: -k f -g 1 -a 4 -a 3 -a values:1,2,3,7,7,1,9,1,7,0,0,0 -a 7 -a zero:4 -a zero:12
// expect 4: 3 0 2 3
// expect 5: 2 3 4 0 0 0 10 2 0 1 1 1

__kernel void f(int n, int m, __global const int *restrict in, int wanted, __global int *restrict places, __global int *restrict seen)
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m && in[i * m + j] != wanted) {
            seen[i * m + j] = in[i * m + j] + 1;
            j++;
        }
        places[i] = j;
    }
}
