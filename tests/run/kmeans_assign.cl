// Nearest of k centroids per point over feature-major data, and the counts
// and integer sums of each cluster by atomics.
//
// launch: -k assign -g 24 -l 8 -a rand:72:651:0:100 -a values:10,20,30,80,70,60,40,90,15 -a 3 -a 3 -a zero:24 -a zero:3 -a zero:9
// expect 4: 1 0 0 0 1 1 1 2 0 0 1 1 0 0 2 2 2 1 0 1 1 1 1 1
// expect 5: 8 12 4
// expect 6: 254 207 376 894 653 747 98 321 108

__kernel void assign(__global const int *points, __constant int *centres, int k, int dims, __global int *member, __global uint *count, __global int *sums)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    int best = -1, nearest = INT_MAX;
    for (int c = 0; c < k; c++) {
        int d2 = 0;
        for (int d = 0; d < dims; d++) {
            int diff = points[d * n + i] - centres[c * dims + d];
            d2 += diff * diff;
        }
        if (d2 < nearest) {
            nearest = d2;
            best = c;
        }
    }
    member[i] = best;
    atomic_inc(&count[best]);
    for (int d = 0; d < dims; d++)
        atomic_add(&sums[best * dims + d], points[d * n + i]);
}
