// 64-bit atomics, base and extended, on local memory, with the groups' results
// brought to global memory as unsigned extremes; a sum of 64 bits by
// compare-and-exchange.
//
// launch: -k wide -g 30 -l 10 -a rand:30:2431 -a zero:24 -a values:0,18446744073709551615,0
// expect 1: 7920594565022800339 -823979332460385995 -6870350573520741581 9108744634037278179 255 1229782938247303441
// expect 1: -2800540378048121871 1099511627786 -6133877930817084896 768144437641457398 -9053743263036846621
// expect 1: 7578531435398483743 255 1229782938247303441 -5401549064175583796 1099511627786 5483608287693737038
// expect 1: -747823511293852766 -8695521638785519615 9160993808567421684 255 1229782938247303441 -2761633574689471534
// expect 1: 1099511627786
// expect 2: 18143757787882640412 441071338905105916 518603011628580404
// launch: -k wide -g 3 -l 1 -a rand:3:2432 -a zero:24 -a values:0,18446744073709551615,0
// expect 1: 8813265562450701511 -275414548826584422 8813265562450701511 8813265562450701511 8813265562450701567
// expect 1: 1153203052883214337 8813265562450701511 1099511627777 3275087065445954168 -102346470795186067
// expect 1: 3275087065445954168 3275087065445954168 3275087065445954303 76860334111002640 3275087065445954168
// expect 1: 1099511627777 -3068632397170835089 95894762411588597 -3068632397170835089 -3068632397170835089
// expect 1: -3068632397170834945 1224980271439282433 -3068632397170835089 1099511627777
// expect 2: 15378111676538716527 3275087065445954168 53645438094600335
// launch: -k wide -g 128 -l 128 -a rand:128:2433 -a zero:8 -a values:0,18446744073709551615,0
// expect 1: -4895862255621655218 729456447791600278 -9142821528122896939 9219914612432183555 255 1229782938247303441
// expect 1: -3512067031589337836 1099511627904
// expect 2: 18277461982550365780 200517287258524149 2368338372283610778

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

__kernel void wide(__global const long *in, __global long *out, volatile __global ulong *extremes)
{
    __local long t[8];
    __local ulong shifted;
    const int l = get_local_id(0), n = get_local_size(0);
    for (int i = l; i < 8; i += n)
        t[i] = i == 2 ? LONG_MAX : i == 3 ? LONG_MIN : i == 4 ? -1 : i == 7 ? 1L << 40 : 0;
    if (l == n - 1)
        shifted = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const long x = in[get_global_id(0)];
    atom_add(&t[0], x);
    atom_sub(&t[1], x >> 5);
    atom_min(&t[2], x);
    atom_max(&t[3], x);
    atom_and(&t[4], x | 0xff);
    atom_or(&t[5], x & 0x1111111111111111);
    atom_xor(&t[6], x);
    atom_inc(&t[7]);
    ulong before = atom_add(&shifted, 0ul), expected;
    do {
        expected = before;
        before = atom_cmpxchg(&shifted, expected, expected + ((ulong)x >> 9));
    } while (before != expected);
    atom_max(&extremes[0], (ulong)x);
    atom_min(&extremes[1], (ulong)x);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < 8; i += n)
        out[get_group_id(0) * 8 + i] = t[i];
    if (l == 0)
        atom_add(&extremes[2], atom_xchg(&shifted, 0ul));
}
