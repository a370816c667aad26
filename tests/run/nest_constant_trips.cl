// Rows of a constant length, with a window that begins anew in each.
//
// launch: -k f -g 1 -a 4 -a rand:48:41:0:255 -a zero:48
// expect 2: 12 37 71 103 102 107 109 103 84 59 74 116 35 76 91 108 111 131 145 171 184 171 156 141 5 37 104 167 201 208 216 232 207 143 71 67 29 66 112 158 172 170 130 121 145 181 194 171
// launch: -k f -g 1 -a 0 -a zero:1 -a fill:3:1

__kernel void f(int n, __global const uchar *restrict in, __global uchar *restrict out)
{
    for (int y = 0; y < n; y++) {
        int a = 0, b = 0, c = 0;
        for (int x = 0; x < 12; x++) {
            int d = in[y * 12 + x];
            out[y * 12 + x] = (a + 2 * b + 2 * c + d) / 6;
            a = b;
            b = c;
            c = d;
        }
    }
}
