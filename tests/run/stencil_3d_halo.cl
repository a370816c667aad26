// The discrete Laplacian in three dimensions with a halo in local memory, loaded
// by a loop over the whole tile; nothing but zeros outside.
//
// launch: -k laplace -g 8,8,6 -l 4,4,2 -a rand:210:2271:-50:50 -a 7,6,5 -a zero:210
// expect 2: -58 64 -347 232 -10 60 -201 -65 -370 338 -266 351 -283 227 213 312 -317 -104 289 -183 38 68 -362 315 106
// expect 2: -190 243 -326 -184 240 -70 -196 59 -259 -30 335 -276 -121 183 -159 309 -52 -76 208 104 15 -179 -61 98 -9
// expect 2: 105 -13 -236 -188 -57 52 -55 58 -167 244 -359 220 176 -81 -4 -9 140 128 -59 183 278 -26 272 -131 288 -391
// expect 2: 257 -154 -66 61 119 -63 68 26 68 -104 -129 -150 81 262 183 58 -9 285 133 270 -327 16 -76 -30 65 -252 361
// expect 2: -249 133 -179 203 -249 294 -261 151 -181 38 69 -232 -241 232 325 -78 -69 190 -11 154 -332 -221 267 161 -85
// expect 2: 180 -68 267 -9 -118 -9 320 -293 234 -255 46 -58 130 -289 -200 92 -128 399 -86 228 158 156 -233 49 -269 258
// expect 2: -373 127 -112 67 50 -199 120 313 -310 299 -308 382 -343 123 -244 166 113 190 -149 -71 -229 230 -164 -259 28
// expect 2: -47 -87 67 -13 15 243 -188 212 -277 -15 53 -145 -130 -82 -84 9 -219 213 -106 193 24 -307 95 34 -362 258
// expect 2: -179 -29 260 251 -121
// launch: -k laplace -g 5,3,4 -l 1,3,4 -a rand:60:2272:-50:50 -a 5,3,4 -a zero:60
// expect 2: -130 -222 188 -45 9 -183 -169 49 -236 266 240 78 33 -193 -99 20 -82 121 -76 22 41 152 179 -251 -133 166 196
// expect 2: -270 415 -157 -144 130 0 -61 192 -96 89 54 311 20 -182 -311 89 -389 308 -257 262 -216 -213 -2 77 -33 26
// expect 2: -138 205 -91 319 -263 104 -249
// launch: -k laplace -g 2,2,2 -l 1,1,1 -a rand:8:2273:-50:50 -a 2,2,2 -a zero:8
// expect 2: 64 -7 211 -207 34 85 -278 155

#define SIDE 6

__kernel void laplace(__global const short *in, int3 n, __global short *out)
{
    __local short t[SIDE][SIDE][SIDE];
    const int3 size = (int3)(get_local_size(0), get_local_size(1), get_local_size(2));
    const int3 local_at = (int3)(get_local_id(0), get_local_id(1), get_local_id(2));
    const int3 base = (int3)(get_group_id(0), get_group_id(1), get_group_id(2)) * size - 1;
    const int3 halo = size + 2;
    const int items = size.x * size.y * size.z;
    for (int k = (local_at.z * size.y + local_at.y) * size.x + local_at.x; k < halo.x * halo.y * halo.z; k += items) {
        const int3 c = (int3)(k % halo.x, k / halo.x % halo.y, k / halo.x / halo.y);
        const int3 g = base + c;
        const bool inside = all(g >= 0) && all(g < n);
        t[c.z][c.y][c.x] = inside ? in[(g.z * n.y + g.y) * n.x + g.x] : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int3 g = base + local_at + 1;
    if (any(g >= n))
        return;
    const int x = local_at.x + 1, y = local_at.y + 1, z = local_at.z + 1;
    out[(g.z * n.y + g.y) * n.x + g.x] = 6 * t[z][y][x] - t[z][y][x - 1] - t[z][y][x + 1] - t[z][y - 1][x] - t[z][y + 1][x] - t[z - 1][y][x] - t[z + 1][y][x];
}
