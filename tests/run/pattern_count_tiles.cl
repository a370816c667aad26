// Occurrences of a pattern per group: the group's piece of the text and as much
// of the next as the pattern needs lie in local memory as bytes; the first one
// by an atomic minimum.
//
// launch: -k count -g 64 -l 8 -a values:97,98,114,97,99,97,100,97,98,114,97,32,97,108,97,107,97,122,97,109,32,97,98,114,97,99,97,100,97,98,114,97,32,98,97,110,97,110,97,32,97,110,97,110,97,115,32,97,97,97,97,97,98,97,97,97,98,32,99,97,98,97,110,97 -a 64 -a values:97,110,97 -a 3 -a local:10 -a zero:8 -a values:2147483647
// expect 5: 0 0 0 0 2 2 0 1
// expect 6: 34
// launch: -k count -g 64 -l 16 -a values:97,98,114,97,99,97,100,97,98,114,97,32,97,108,97,107,97,122,97,109,32,97,98,114,97,99,97,100,97,98,114,97,32,98,97,110,97,110,97,32,97,110,97,110,97,115,32,97,97,97,97,97,98,97,97,97,98,32,99,97,98,97,110,97 -a 64 -a values:97,98,114,97,99,97,100,97,98,114,97 -a 11 -a local:26 -a zero:4 -a values:2147483647
// expect 5: 1 1 0 0
// expect 6: 0
// launch: -k count -g 65 -l 5 -a values:97,98,114,97,99,97,100,97,98,114,97,32,97,108,97,107,97,122,97,109,32,97,98,114,97,99,97,100,97,98,114,97,32,98,97,110,97,110,97,32,97,110,97,110,97,115,32,97,97,97,97,97,98,97,97,97,98,32,99,97,98,97,110,97 -a 64 -a values:97,97 -a 2 -a local:6 -a zero:13 -a values:2147483647
// expect 5: 0 0 0 0 0 0 0 0 0 3 3 0 0
// expect 6: 47
// launch: -k count -g 64 -l 64 -a values:97,98,114,97,99,97,100,97,98,114,97,32,97,108,97,107,97,122,97,109,32,97,98,114,97,99,97,100,97,98,114,97,32,98,97,110,97,110,97,32,97,110,97,110,97,115,32,97,97,97,97,97,98,97,97,97,98,32,99,97,98,97,110,97 -a 64 -a values:122,101,98,114,97 -a 5 -a local:68 -a zero:1 -a values:2147483647
// expect 5: 0
// launch: -k count -g 4 -l 1 -a values:97,97,97,97 -a 4 -a values:97 -a 1 -a local:1 -a zero:4 -a values:2147483647
// expect 5: 1 1 1 1
// expect 6: 0

__kernel void count(__global const uchar *text, int n, __constant uchar *pattern, int m, __local uchar *tile, __global int *hits, volatile __global int *first)
{
    __local int found;
    const int l = get_local_id(0), size = get_local_size(0), at = get_global_id(0);
    const int base = at - l;
    if (l == 0)
        found = 0;
    for (int i = l; i < size + m - 1; i += size)
        tile[i] = base + i < n ? text[base + i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int same = 0;
    while (same < m && tile[l + same] == pattern[same])
        same++;
    if (same == m) {
        atomic_inc(&found);
        atomic_min(first, at);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        hits[get_group_id(0)] = found;
}
