// The same buffer passed twice: what is read through one argument changes
// with what is written through the other.
//
// launch: -k changed -g 4 -l 2 -a iota:4 -a same:0 -a zero:4
// expect 0: 1 2 3 4
// expect 2: 1 3 5 7
// launch: -k changed -g 4 -l 2 -a zero:4 -a iota:4 -a zero:4
// expect 0: 1 2 3 4
// expect 2: 0 2 4 6

__kernel void changed(__global int *a, __global int *b, __global int *out)
{
    int i = get_global_id(0);
    int before = b[i];
    a[i] = before + 1;
    out[i] = before + b[i];
}
