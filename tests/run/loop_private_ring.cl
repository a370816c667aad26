// A ring of eight elements in private memory, read three and six writes later.
//
// launch: -k ring -g 2 -l 1 -a rand:48:3116:0:255 -a zero:48
// expect 1: 83 203 87 87 418 97 192 581 44 277 829 251 293 469 262 984 318 699 767 182 987 1678 2024 445 201 4 180
// expect 1: 257 59 249 275 263 266 876 387 640 659 773 750 1628 1001 1593 1634 166 1615 375 451 256

__kernel void ring(__global const int *x, __global int *y)
{
    int r[8];
    uint base = get_global_id(0) * 24;
    for (int i = 0; i < 8; i++)
        r[i] = i;
    for (uint i = 0; i < 24; i++) {
        r[i & 7] = r[(i + 5) & 7] + x[base + i];
        y[base + i] = r[(i + 2) & 7] ^ r[i & 7];
    }
}
