// An iteration stores first and then reads, perhaps the same element.
//
// launch: -k write_read -g 1 -a rand:90:191:0:15 -a rand:90:192:0:15 -a 90 -a zero:90
// expect 3: 0 0 0 0 0 0 0 0 0 15 0 0 0 27 0 0
// expect 3: 48 0 0 0 0 0 0 57 0 48 75 72 12 75 12 0
// expect 3: 72 0 84 0 0 102 78 93 111 75 93 102 123 0 120 87
// expect 3: 138 93 141 0 129 102 150 21 60 162 120 150 144 21 150 186
// expect 3: 177 195 195 192 180 78 198 210 201 177 213 207 219 210 120 120
// expect 3: 216 213 198 225 249 255 192 261 216 258
// launch: -k write_read -g 1 -a fill:20:5 -a fill:20:5 -a 20 -a zero:20
// expect 3: 0 3 6 9 12 15 18 21 24 27 30 33 36 39 42 45
// expect 3: 48 51 54 57

__kernel void write_read(__global const uchar *x, __global const uchar *y, int n, __global int *out)
{
    int a[16];
    for (int k = 0; k < 16; k++)
        a[k] = 0;
    for (int i = 0; i < n; i++) {
        a[x[i] & 15] = i * 3;
        out[i] = a[y[i] & 15];
    }
}
