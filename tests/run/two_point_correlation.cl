// Angular correlation histogram: pairs of directions, the bin found by binary
// search in a constant table of cosines; integer dot products.
//
// launch: -k correlate -g 16 -l 8 -a rand:16:871:-100:100 -a 16 -a zero:8
// expect 2: 0 4 26 26 30 28 6 0

__constant int edges[7] = { 15000, 8000, 3000, 0, -3000, -8000, -15000 };

__kernel void correlate(__global const int3 *points, int n, __global uint *histogram)
{
    __local uint bins[8];
    int i = get_global_id(0), l = get_local_id(0);
    bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int3 p = points[i];
    for (int j = i + 1; j < n; j++) {
        int3 q = points[j];
        int d = p.x * q.x + p.y * q.y + p.z * q.z;
        int lo = 0, hi = 7;
        while (hi > lo) {
            int mid = (lo + hi) >> 1;
            if (d >= edges[mid])
                hi = mid;
            else
                lo = mid + 1;
        }
        atomic_inc(&bins[lo]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&histogram[l], bins[l]);
}
