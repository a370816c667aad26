// Each work-item keeps a private array with computed indices over many barriers
// and exchanges elements with others through local memory.
//
// launch: -k exchange -g 27 -l 9 -a rand:27:2531:0:63 -a zero:27
// expect 1: 34 543 102 197 164 89 198 2 41 271 62 385 50 195 470 47 168 55 13 91 100 131 380 34 82 181 254 23 144 45
// expect 1: 298 57 62 109 698 32 21 56 178 237 150 2 326 27 148 177 38 221 11 103 286 119 46 367 48 71 30 571 80 103
// expect 1: 284 20 212 107 146 347 55 35 412 103 362 35 21 999 0 57 94 9 136 293 712 111 47 17 148 45 266 81 42 189 47
// expect 1: 809 34 151 314 36 126 8 242 189 50 247 38 993 35 135 462 101
// launch: -k exchange -g 3 -l 1 -a rand:3:2532:0:63 -a zero:3
// expect 1: 25 703 11 481 154 233 84 157 10 219 42 157
// launch: -k exchange -g 40 -l 40 -a rand:40:2533:0:63 -a zero:40
// expect 1: 108 569 134 59 34 28 354 269 84 31 118 241 480 14 362 12 120 31 7 997 258 35 274 163 64 26 358 24 63 379
// expect 1: 622 10 60 347 62 43 452 179 45 60 45 18 318 169 24 57 874 79 92 181 104 113 560 56 128 109 86 55 258 673 10
// expect 1: 54 222 353 14 77 39 169 248 63 156 22 46 635 12 333 100 21 424 169 92 671 46 23 9 119 5 701 47 115 258 491
// expect 1: 408 11 370 58 6 355 51 481 45 167 366 127 296 451 41 7 124 135 498 41 28 205 59 305 588 39 56 141 40 44 43
// expect 1: 613 244 135 282 40 25 223 22 253 216 131 142 15 72 75 186 1 184 79 406 49 37 95 57 225 90 67 414 4 120 54
// expect 1: 290 73 360 45 678 16

__kernel void exchange(__global const int4 *in, __global int4 *out)
{
    __local int mail[40];
    const int l = get_local_id(0), n = get_local_size(0);
    int mine[4];
    vstore4(in[get_global_id(0)], 0, mine);
    for (int r = 0; r < 4; r++) {
        mail[l] = mine[(r + l) % 4];
        barrier(CLK_LOCAL_MEM_FENCE);
        const int got = mail[(l + r + 1) % n];
        mine[got % 4] = (mine[got % 4] * 2 + got) % 1000;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = vload4(0, mine);
}
