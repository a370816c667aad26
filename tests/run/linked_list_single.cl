// One work-item walks linked lists in global memory, reverses one in place and walks it again.
//
// launch: -k lists -g 1 -a values:3,7,-1,5,9,1,0,2,-1,6 -a rand:10:3220:0:99 -a zero:6
// expect 0: -1 5 7 0 9 3 0 1 -1 6
// expect 2: 270038 9 17854 6 2 0

__kernel void lists(__global int *next, __global const int *value, __global int *out)
{
    int sum = 0, count = 0;
    for (int p = 4; p >= 0; p = next[p]) {
        sum = sum * 3 + value[p];
        count++;
    }
    out[0] = sum;
    out[1] = count;
    int previous = -1, p = 8;
    for (p = 0; p >= 0;) {
        int following = next[p];
        next[p] = previous;
        previous = p;
        p = following;
    }
    sum = count = 0;
    for (p = previous; p >= 0; p = next[p]) {
        sum = sum * 3 + value[p];
        count++;
    }
    out[2] = sum;
    out[3] = count;
    out[4] = previous;
}
