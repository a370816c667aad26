// 64-bit atomics (base and extended): add, inc, xchg of disjoint slots, min,
// max, and, or, xor.
//
// launch: -k wide -g 32 -l 8 -a rand:32:291 -a values:0,0,9223372036854775807,-9223372036854775808,-1,0,0,5 -a iota:32
// expect 1: 49976878762039971 32 -8164572737795001841 8979839078637959642 71777214294589695 72340172838076673
// expect 1: 8211754086785593734 -4260607557627
// expect 2: 1000 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012 1013 1014 1015 1016 1017 1018 1019 1020
// expect 2: 1021 1022 1023 1024 1025 1026 1027 1028 1029 1030 1031

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
__kernel void wide(__global const long *in, __global long *acc, __global ulong *slots)
{
    int i = get_global_id(0);
    long x = in[i];
    atom_add(&acc[0], x >> 8);
    atom_inc(&acc[1]);
    atom_min(&acc[2], x);
    atom_max(&acc[3], x);
    atom_and(&acc[4], x | 0xff00ff00ff00ffL);
    atom_or(&acc[5], x & 0x0101010101010101L);
    atom_xor(&acc[6], x);
    atom_sub(&acc[7], (long)i << 33);
    ulong before = atom_xchg(&slots[i], (ulong)x);
    atom_cmpxchg(&slots[i], (ulong)x, before + 1000);
}
