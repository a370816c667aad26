// Out-of-bounds accesses to a local argument, whose size is known at launch, with atomic operations.
//
// launch: -k k -g 32 -l 16 -a zero:32 -a local:52 -a 10
// expect 0: 0 1 2 3 4 5 6 7 8 9 110 111 112 0 0 0 0 1 2 3 4 5 6 7 8 9 110 111 112 0 0 0

__kernel void k(__global int *out, __local int *s, int off)
{
    int l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int old = atomic_add(&s[l + off], 100);
    int older = atomic_cmpxchg(&s[l + 1000], 0, 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[l] + older + (l + off >= 13 ? old : 0);
}
