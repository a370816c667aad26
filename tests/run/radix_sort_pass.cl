// A stable radix pass over four-bit digits by one group: counts per digit and
// work-item, exclusive scan over the table, ordered scatter; run for two
// digits in one launch.
//
// launch: -k radix -g 8 -l 8 -a rand:48:941:0:255 -a zero:48 -a 48
// expect 0: 0 0 7 10 11 14 16 17 25 31 37 39 45 48 60 67 77 82 91 93 95 111 111 114 124 137 149 163 163 165 167 180
// expect 0: 188 192 199 202 207 211 212 216 229 231 240 241 243 246 249 254
// expect 1: 48 0 240 0 192 16 17 241 114 82 163 67 163 243 211 212 180 149 229 165 37 246 39 199 231 7 167 216 249 25
// expect 1: 137 10 202 11 91 124 60 188 93 77 45 254 14 207 111 111 95 31
// launch: -k radix -g 8 -l 8 -a rand:13:942:0:255 -a zero:13 -a 13
// expect 0: 8 9 12 31 63 63 70 116 128 146 153 186 230
// expect 1: 128 146 116 230 70 8 153 9 186 12 63 31 63

__kernel void radix(__global uint *a, __global uint *b, int n)
{
    __local uint table[16 * 8];
    int l = get_local_id(0), lanes = 8;
    int each = (n + lanes - 1) / lanes, lo = min(l * each, n), hi = min(lo + each, n);
    __global uint *from = a, *to = b;
    for (int shift = 0; shift < 8; shift += 4) {
        uint count[16];
        for (int d = 0; d < 16; d++)
            count[d] = 0;
        for (int i = lo; i < hi; i++)
            count[(from[i] >> shift) & 15]++;
        for (int d = 0; d < 16; d++)
            table[d * lanes + l] = count[d];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) {
            uint sum = 0;
            for (int k = 0; k < 16 * lanes; k++) {
                uint c = table[k];
                table[k] = sum;
                sum += c;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 0; d < 16; d++)
            count[d] = table[d * lanes + l];
        for (int i = lo; i < hi; i++) {
            uint x = from[i];
            to[count[(x >> shift) & 15]++] = x;
        }
        barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
        __global uint *t = from;
        from = to;
        to = t;
    }
}
