// Assignment to the nearest of k centres, which each group keeps in local memory
// beside counts and sums of its points; these are added to the global ones once
// per group.
//
// launch: -k assign -g 80 -l 16 -a rand:75:2501:-100:100 -a 75 -a rand:5:2502:-100:100 -a 5 -a zero:75 -a zero:15
// expect 4: 0 0 4 1 1 0 0 2 3 3 3 0 3 1 1 1 0 3 2 2 2 3 2 3 1 2 1 4 2 1 1 4 1 4 2 1 0 0 1 1 1 1 2 1 1 2 0 4 1 1 4 1 2 2
// expect 4: 4 2 0 2 0 1 1 4 2 2 1 1 2 1 3 1 1 4 0 1 1
// expect 5: 12 -36 810 29 1163 -532 17 -1398 -536 8 692 452 9 -290 -351
// launch: -k assign -g 20 -l 4 -a rand:20:2503:-100:100 -a 20 -a rand:13:2504:-100:100 -a 13 -a zero:20 -a zero:39
// expect 4: 4 10 0 9 2 4 3 7 6 3 4 3 7 2 3 3 5 3 2 1
// expect 5: 1 -31 14 1 -65 -3 3 -214 -195 6 395 -443 3 154 263 1 94 77 1 45 2 2 -112 69 0 0 0 1 6 -66 1 -11 86 0 0 0 0
// expect 5: 0 0
// launch: -k assign -g 256 -l 256 -a rand:200:2505:-100:100 -a 200 -a rand:3:2506:-100:100 -a 3 -a zero:200 -a zero:9
// expect 4: 0 1 1 2 1 1 2 2 1 1 2 1 1 2 1 0 1 0 1 1 1 1 1 1 0 1 2 1 2 1 1 1 1 1 1 0 1 1 0 1 1 0 2 1 2 0 1 1 0 1 0 1 1 0
// expect 4: 2 1 1 1 1 1 1 1 1 1 1 1 0 1 1 0 1 2 1 1 1 1 2 1 2 1 2 0 1 1 1 1 2 1 2 0 1 1 1 1 2 2 2 2 0 1 1 1 1 1 1 0 1 0
// expect 4: 1 1 2 1 1 2 1 1 0 2 2 2 1 0 1 2 1 1 1 1 1 0 1 1 1 1 1 1 1 1 0 1 1 1 2 1 0 0 1 2 1 1 1 0 1 1 2 1 1 1 0 1 0 2
// expect 4: 1 2 1 1 2 1 1 2 1 1 1 2 0 1 0 1 1 1 1 1 1 1 1 1 1 1 0 2 2 1 0 1 1 1 0 1 1 1
// expect 5: 32 1992 -2236 132 -3589 -1708 36 2330 1814
// launch: -k assign -g 3 -l 1 -a rand:3:2507:-100:100 -a 3 -a rand:2:2508:-100:100 -a 2 -a zero:3 -a zero:6
// expect 4: 0 0 0
// expect 5: 3 64 -146 0 0 0

__kernel void assign(__global const short2 *points, int n, __global const short2 *centres, int k, __global uchar *nearest, volatile __global int *sums)
{
    __local short2 centre[16];
    __local int part[16][3];
    const int l = get_local_id(0), size = get_local_size(0), i = get_global_id(0);
    for (int j = l; j < k; j += size) {
        centre[j] = centres[j];
        part[j][0] = part[j][1] = part[j][2] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) {
        const int2 p = convert_int2(points[i]);
        int best = 0, least = INT_MAX;
        for (int j = 0; j < k; j++) {
            const int2 d = p - convert_int2(centre[j]);
            const int distance = d.x * d.x + d.y * d.y;
            if (distance < least) {
                least = distance;
                best = j;
            }
        }
        nearest[i] = best;
        atomic_inc(&part[best][0]);
        atomic_add(&part[best][1], p.x);
        atomic_add(&part[best][2], p.y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = l; j < 3 * k; j += size)
        atomic_add(&sums[j], part[j / 3][j % 3]);
}
