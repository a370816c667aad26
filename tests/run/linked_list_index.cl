// Lists linked by index in a global array: traverse, find, reverse in place;
// each work-item owns the list that starts at its head.
//
// launch: -k reverse -g 3 -l 3 -a values:4,0,7,5,-3,9,1,2,8,6,11,10 -a values:3,5,-1,7,6,-1,-1,9,10,-1,11,-1 -a values:0,1,4 -a zero:6
// expect 1: -1 -1 -1 0 -1 1 4 3 10 7 11 -1
// expect 2: 9 5 6
// expect 3: 4 6 2 9 2 1
// launch: -k reverse -g 3 -l 1 -a values:4,0,7,5,-3,9,1,2,8,6,11,10 -a values:1,2,3,4,5,6,7,8,9,10,11,-1 -a values:0,-1,-1 -a zero:6
// expect 1: -1 0 1 2 3 4 5 6 7 8 9 10
// expect 2: 11 -1 -1
// expect 3: 12 11 0 -2147483648 0 -2147483648

__kernel void reverse(__global const int *value, __global int *next, __global int *heads, __global int *info)
{
    int g = get_global_id(0);
    int at = heads[g], previous = -1, length = 0, biggest = INT_MIN;
    while (at >= 0) {
        length++;
        biggest = max(biggest, value[at]);
        int following = next[at];
        next[at] = previous;
        previous = at;
        at = following;
    }
    heads[g] = previous;
    info[2 * g] = length;
    info[2 * g + 1] = biggest;
}
