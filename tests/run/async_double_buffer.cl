// A group streams chunks through local memory: while one is computed the next is
// copied, results leave by a strided and by a plain asynchronous copy.
//
// launch: -k stream -g 8 -l 8 -a rand:40:2391:-500:500 -a rand:40:2392:-9:9 -a 5 -a local:128 -a local:32 -a zero:80 -a zero:40
// expect 5: 73991 0 14631 0 19493 0 38621 0 2529 0 211428 0 17298 0 -732 0 189702 0 -103202 0 64447 0 5671 0 -106484 0
// expect 5: 190958 0 -69601 0 94426 0 -49379 0 783 0 75299 0 41225 0 32556 0 -53793 0 458 0 -18968 0 41663 0 -55387 0
// expect 5: 21235 0 2438 0 103895 0 -6752 0 39499 0 -137599 0 -139767 0 79342 0 -22254 0 3595 0 -18437 0 -46707 0
// expect 5: -54853 0 -37929 0
// expect 6: 7 39 37 221 225 228 146 36 6 222 191 39 12 238 31 218 29 15 35 9 44 223 202 232 191 165 243 134 215 160 75
// expect 6: 129 9 238 18 11 251 141 187 215
// launch: -k stream -g 13 -l 13 -a rand:13:2393:-500:500 -a rand:13:2394:-9:9 -a 1 -a local:208 -a local:52 -a zero:26 -a zero:13
// expect 5: 124951 0 69053 0 -50393 0 -54943 0 37275 0 4493 0 -168957 0 -14881 0 129165 0 -3070 0 170577 0 62884 0
// expect 5: -78794 0
// expect 6: 23 189 39 97 155 141 3 223 141 2 81 164 54
// launch: -k stream -g 1 -l 1 -a rand:6:2395:-500:500 -a rand:6:2396:-9:9 -a 6 -a local:16 -a local:4 -a zero:12 -a zero:6
// expect 5: -113886 0 -113542 0 36451 0 -39559 0 -92818 0 8035 0
// expect 6: 34 122 99 121 110 99
// launch: -k stream -g 48 -l 48 -a rand:96:2397:-500:500 -a rand:96:2398:-9:9 -a 2 -a local:768 -a local:192 -a zero:192 -a zero:96
// expect 5: -109289 0 -239080 0 120904 0 41887 0 -180684 0 -135369 0 11003 0 -141891 0 -4057 0 -179581 0 49262 0
// expect 5: -181496 0 -100233 0 16130 0 2062 0 67068 0 -100341 0 53106 0 153580 0 1245 0 -28833 0 2041 0 31878 0 82083
// expect 5: 0 -38392 0 148210 0 23540 0 26252 0 132249 0 4896 0 54271 0 -85556 0 -75140 0 16571 0 -113151 0 22020 0
// expect 5: -3367 0 25379 0 97605 0 152191 0 -35884 0 57428 0 -116617 0 -652 0 144930 0 44157 0 101665 0 -71595 0 -3822
// expect 5: 0 67259 0 -203776 0 -92502 0 -25110 0 -1809 0 -75895 0 51052 0 93916 0 -66367 0 100967 0 -20523 0 44700 0
// expect 5: -2448 0 9518 0 -56400 0 -178087 0 -6394 0 8761 0 51745 0 121000 0 68045 0 53496 0 93720 0 25542 0 68816 0
// expect 5: 23977 0 -13635 0 -169518 0 117378 0 8410 0 -40993 0 175977 0 -58856 0 -55066 0 -175273 0 -12684 0 71536 0
// expect 5: -63658 0 93941 0 14387 0 -20205 0 9064 0 -124796 0 -101013 0 -153471 0 37253 0 -128728 0
// expect 6: 23 24 72 159 52 55 251 189 39 131 110 8 119 2 14 252 11 114 236 221 95 249 134 163 8 242 244 140 153 32 255
// expect 6: 204 124 187 1 4 217 35 69 127 212 84 119 116 34 125 33 85 18 187 0 170 234 239 137 108 220 193 103 213 156
// expect 6: 112 46 176 89 6 57 33 168 205 248 24 198 208 169 189 210 130 218 223 105 24 230 87 116 112 86 245 51 19 104
// expect 6: 132 107 129 133 40

__kernel void stream(__global const int2 *a, __global const short *b, int chunks, __local int2 *as, __local short *bs, __global int *spread, __global uchar *low)
{
    __local int result[64];
    __local uchar bytes[64];
    const int l = get_local_id(0), n = get_local_size(0);
    event_t ready[2];
    ready[0] = async_work_group_copy(as, a, n, 0);
    ready[0] = async_work_group_copy(bs, b, n, ready[0]);
    for (int c = 0; c < chunks; c++) {
        const int now = c & 1, soon = 1 - now;
        if (c + 1 < chunks) {
            prefetch(a + (c + 2 < chunks ? c + 2 : c) * n, n);
            ready[soon] = async_work_group_copy(as + soon * n, a + (c + 1) * n, n, 0);
            ready[soon] = async_work_group_copy(bs + soon * n, b + (c + 1) * n, n, ready[soon]);
        }
        wait_group_events(1, &ready[now]);
        const int2 v = as[now * n + n - 1 - l];
        const int x = v.x * v.y + bs[now * n + n - 1 - l];
        result[l] = x;
        bytes[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        event_t out[2];
        out[0] = async_work_group_strided_copy(spread + 2 * c * n, result, n, 2, 0);
        out[1] = async_work_group_copy(low + c * n, bytes, n, 0);
        wait_group_events(2, out);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
