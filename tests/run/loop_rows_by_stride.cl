// Rows whose distance the launch decides: apart, one element apart, and backwards by wrapping around.
//
// launch: -k f -g 1 -a iota:24 -a 6 -a 3 -a 5 -a 0
// expect 0: 0 3 9 18 30 5 6 27 51 78 108 11 12 51 93 138 186 17 18 19 20 21 22 23
// launch: -k f -g 1 -a iota:24 -a 1 -a 3 -a 5 -a 0
// expect 0: 0 3 30 282 804 1371 1389 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
// launch: -k f -g 1 -a iota:24 -a 4294967295 -a 3 -a 5 -a 8
// expect 0: 0 1 2 3 4 5 6 27 120 528 1521 625 134 13 14 15 16 17 18 19 20 21 22 23
// launch: -k f -g 1 -a iota:24 -a 4294967290 -a 3 -a 5 -a 18
// expect 0: 0 1 2 3 4 5 6 27 51 78 108 11 12 51 93 138 186 17 18 75 135 198 264 23
// launch: -k f -g 1 -a iota:24 -a 40000 -a 1 -a 5 -a 2
// expect 0: 0 1 2 11 23 38 56 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
// launch: -k f -g 1 -a iota:24 -a 0 -a 4 -a 2 -a 2
// expect 0: 0 1 2 323 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23

__kernel void f(__global uint *a, uint n, uint rows, uint columns, uint first)
{
    for (uint i = 0; i < rows; i++)
        for (uint j = 1; j < columns; j++)
            a[first + i * n + j] = a[first + i * n + j] * 3 + a[first + i * n + j - 1];
}
