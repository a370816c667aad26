// A linear search with break: the first, a later, and no element.
//
// launch: -k find -g 1 -a rand:200:99:0:10000 -a 200 -a 1564 -a zero:1
// expect 3: 0
// launch: -k find -g 1 -a rand:200:99:0:10000 -a 200 -a 1888 -a zero:1
// expect 3: 170
// launch: -k find -g 1 -a rand:200:99:0:10000 -a 200 -a -1 -a zero:1
// expect 3: -1

__kernel void find(__global const int *x, int n, int wanted, __global int *where)
{
    int found = -1;
    for (int i = 0; i < n; i++) {
        if (x[i] == wanted) {
            found = i;
            break;
        }
    }
    *where = found;
}
