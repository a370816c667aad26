// Weights of particles: likelihood, local reduction, normalisation, cumulative
// sum and the resampling search, in integers scaled by 2^16.
//
// launch: -k resample -g 16 -l 16 -a rand:16:691:0:100 -a 50 -a zero:16 -a zero:16
// expect 2: 1771 30 32768 537 40 2520 68 28 50 1310 45 56 28 65536 1310 37
// expect 3: 51 51 51 51 51 55 50 50 50 50 50 50 50 50 50 50

__kernel void resample(__global const int *position, int observed, __global uint *weights, __global int *resampled)
{
    __local uint cdf[16];
    __local uint total;
    int l = get_local_id(0), n = get_local_size(0);
    int miss = abs(position[l] - observed);
    uint w = 65536u / (1u + miss * miss);
    weights[l] = w;
    cdf[l] = w;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int i = 1; i < n; i++)
            cdf[i] += cdf[i - 1];
        total = cdf[n - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint u = (total * (2u * l + 1u)) / (2u * n);
    int lo = 0, hi = n - 1;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (cdf[mid] > u)
            hi = mid;
        else
            lo = mid + 1;
    }
    resampled[l] = position[lo];
}
