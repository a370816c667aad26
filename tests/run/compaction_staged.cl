// What an atomic counter returns is the place to write: a group stages its finds
// in local memory, reserves room for all with one atomic, and puts them there in
// order of size. Several groups only report count, sum and mix.
//
// launch: -k compact -g 16 -l 16 -a rand:100:2451:-500:500 -a 100 -a zero:100 -a zero:1
// expect 2: 101 161 304 362 421 127 230 406 449 109 146 269 271 343 406 10 53 106 169 200 265 304 338 368 445 40 65 137
// expect 2: 313 338 398 41 50 185 194 245 314 11 493 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 3: 39
// launch: -k compact -g 64 -l 64 -a rand:37:2452:-500:500 -a 37 -a zero:37 -a zero:1
// expect 2: 59 137 214 331 332 371 380 391 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
// expect 3: 8
// launch: -k compact -g 1 -l 1 -a rand:6:2453:-500:500 -a 6 -a zero:6 -a zero:1
// expect 2: 271 14 283 0 0 0
// expect 3: 3
// launch: -k tally -g 160 -l 32 -a rand:150:2454:-500:500 -a 150 -a zero:3
// expect 2: 57 13020 210
// launch: -k tally -g 15 -l 5 -a rand:11:2455:-500:500 -a 11 -a zero:3
// expect 2: 3 813 41

__kernel void compact(__global const int *in, uint n, __global int *kept, volatile __global uint *count)
{
    __local int staged[64];
    __local uint many, base;
    const uint l = get_local_id(0), size = get_local_size(0);
    for (uint first = get_group_id(0) * size; first < n; first += get_global_size(0)) {
        if (l == 0)
            many = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        const int x = first + l < n ? in[first + l] : 0;
        if (x > 0 && x % 3 != 0)
            staged[atomic_inc(&many)] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            base = atomic_add(count, many);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < many) {
            uint rank = 0;
            for (uint i = 0; i < many; i++)
                rank += staged[i] < staged[l] || (staged[i] == staged[l] && i < l);
            kept[base + rank] = staged[l];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void tally(__global const int *in, uint n, volatile __global int *sums)
{
    __local uint many;
    __local int picked[64];
    const uint l = get_local_id(0), g = get_global_id(0);
    if (l == 0)
        many = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (g < n && in[g] > 0 && in[g] % 3 != 0)
        picked[atomic_inc(&many)] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < many; i += get_local_size(0)) {
        atomic_inc(&sums[0]);
        atomic_add(&sums[1], picked[i]);
        atomic_xor(&sums[2], picked[i]);
    }
}
