// Two kernels draw numbers from one counter: each number goes to exactly one work-item of one of
// them, so that all marks together are ones.
//
// launch: -k even -g 40 -l 8 -a zero:1 -a zero:64
// with: -k odd -g 24 -l 4 -a same:0 -a same:1
// expect 0: 64
// expect 1: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1
// expect 1: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1

__kernel void even(__global int *next, __global int *marks)
{
    atomic_inc(&marks[atomic_inc(next)]);
}

__kernel void odd(__global int *next, __global int *marks)
{
    const int mine = atomic_add(next, 1);
    atomic_add(&marks[mine], 1);
}
