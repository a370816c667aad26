// Builtins that choose memory units: of scalars, vectors and members of structures, in all address spaces, nested, in a
// function, and where a stream is not possible: what is read of y was written before.
//
// launch: -g 4 -l 4 -a values:3,2,1,0 -a iota:4 -a values:1,2,3,4 -a words:5,0,6,0,7,0,8,0 -a zero:4 -a values:10,20,30,40 -a zero:4
// expect 4: 4.5 7.5 10.5 13.5
// expect 5: 24 37 50 63
// expect 6: 63 50 37 24

#ifndef __prefetching_load
#define __prefetching_load(p) (*(p))
#define __burst_coalesced_load(p) (*(p))
#define __burst_coalesced_cached_load(p, bytes) (*(p))
#define __pipelined_load(p) (*(p))
#define __burst_coalesced_store(p, v) (*(p) = (v))
#define __pipelined_store(p, v) (*(p) = (v))
#endif

typedef struct { int low; float high; } pair;

int backwards(__global const int *x, int i) { return __pipelined_load(x + 3 - i); }

__kernel void choose(__global const int *restrict at, __global const float4 *restrict v, __global const int *restrict x,
                     __global const pair *restrict p, __global float *restrict out, __global int *restrict y, __global int *restrict z)
{
    __local int near[4];
    int own[4];
    int i = get_global_id(0);
    near[i] = __burst_coalesced_cached_load(&x[__prefetching_load(at + i)], 1024);
    barrier(CLK_LOCAL_MEM_FENCE);
    own[i & 3] = __pipelined_load(&near[3 - i]);
    own[(i + 1) & 3] = i;
    float4 w = __burst_coalesced_load(&v[i]);
    __burst_coalesced_store(&out[i], backwards(x, i) + w.y - 0.5f);
    int sum = y[i] + 8 + __pipelined_load(&own[i & 3]) + __burst_coalesced_load(&p[i]).low;
    __pipelined_store(&y[i], sum + __pipelined_load(own + ((i + 1) & 3)));
    barrier(CLK_GLOBAL_MEM_FENCE);
    z[i] = __prefetching_load(y + 3 - i);
}
