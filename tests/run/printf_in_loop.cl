// printf in a loop whose trip count the argument decides: each round prints.
//
// launch: -k steps -g 1 -l 1 -a 6 -a zero:1
// expect 1: 8
// stdout: 3
// stdout: 10
// stdout: 5
// stdout: 16
// stdout: 8
// stdout: 4
// stdout: 2
// stdout: 1
//
// launch: -k steps -g 1 -l 1 -a 1 -a zero:1
// expect 1: 0

__kernel void steps(uint start, __global uint *taken)
{
    uint value = start + get_global_id(0), count = 0;
    while (value != 1) {
        value = value % 2 ? 3 * value + 1 : value / 2;
        count++;
        printf("%u\n", value);
    }
    taken[get_global_id(0)] = count;
}
