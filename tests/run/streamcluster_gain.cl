// Would opening a centre at point x pay? Each work-item computes its saving,
// the group sums the positive ones and lists who would switch.
//
// launch: -k gain -g 16 -l 8 -a rand:16:721:0:20 -a rand:16:722:50:150 -a 5 -a zero:16 -a zero:2
// expect 3: 0 1 0 1 1 1 0 1 1 0 1 1 0 1 0 0
// expect 4: 355 234
// launch: -k gain -g 16 -l 16 -a rand:16:721:0:20 -a rand:16:722:50:150 -a 5 -a zero:16 -a zero:1
// expect 3: 0 1 0 1 1 1 0 1 1 0 1 1 0 1 0 0
// expect 4: 589

__kernel void gain(__global const int2 *points, __global const int *cost, int candidate, __global uchar *switches, __global int *saved)
{
    __local int2 centre;
    __local int part[16];
    int i = get_global_id(0), l = get_local_id(0);
    if (l == 0)
        centre = points[candidate];
    barrier(CLK_LOCAL_MEM_FENCE);
    int2 d = points[i] - centre;
    d *= d;
    int delta = cost[i] - (d.x + d.y);
    switches[i] = delta > 0;
    part[l] = max(delta, 0);
    for (int s = get_local_size(0) >> 1; s; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            part[l] += part[l + s];
    }
    if (l == 0)
        saved[get_group_id(0)] = part[0];
}
